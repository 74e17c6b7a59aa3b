"""Trains the miniature: first to see what lies where, then to answer.

    python -m fingerpost.models.miniature.training.train FOLDER

Everything is drawn as it is needed; the same seed and number of processes give the same screens. FOLDER keeps the state
every few hundred steps: started again, the training goes on from there.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from fingerpost.models.miniature.training.batches import Batch, batches, drawn_batch
from fingerpost.models.miniature.training.learning import Helpers, answered, losses, marks_loss, new_network, see

SEED = 5
HELD_OUT = 900_001
"""A seed that training never uses."""
WARM_UP = 150
REPORT, KEEP, CHECK = 50, 250, 1000
DECAY = 0.03


@dataclass(frozen=True)
class Schedule:
    """`seeing` steps look only at what lies where; then come `steps` with answers."""

    seeing: int
    steps: int
    rate: float
    least: float = 0.02

    def rate_at(self, step: int) -> float:
        """Learning rate: a short rise, then half a cosine; seeing has a rise of its own."""
        first = step if step < self.seeing else step - self.seeing
        rise = min(1.0, (first + 1) / WARM_UP)
        if step < self.seeing:
            return self.rate * rise
        share = min(1.0, first / self.steps)
        return self.rate * rise * (self.least + (1 - self.least) * 0.5 * (1 + math.cos(math.pi * share)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=13000, help="steps with answers")
    parser.add_argument("--seeing", type=int, default=2250, help="steps before them")
    parser.add_argument("--rate", type=float, default=1.2e-3, help="highest learning rate")
    parser.add_argument("--processes", type=int, default=2, help="each of one thread, with batches of its own")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda with one process")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    meeting = options.folder / "meeting"
    meeting.unlink(missing_ok=True)
    schedule = Schedule(options.seeing, options.steps, options.rate)
    told = (options.processes, options.folder, schedule, meeting, options.device)
    mp.spawn(_process, told, options.processes)


def _process(rank: int, ranks: int, folder: Path, schedule: Schedule, meeting: Path, device: str) -> None:
    torch.set_flush_denormal(True)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting.resolve()}", rank=rank, world_size=ranks)
    Training(folder, schedule, rank, ranks, device).run()
    dist.destroy_process_group()


class Training:
    """The networks, their average over the last steps, and where the training stands."""

    def __init__(self, folder: Path, schedule: Schedule, rank: int, ranks: int, device: str = "cpu") -> None:
        torch.manual_seed(SEED)
        self.network, self.helpers = new_network().to(device), Helpers().to(device)
        self._both = nn.ModuleList((self.network, self.helpers))
        self.average = AveragedModel(self.network, multi_avg_fn=get_ema_multi_avg_fn(0.998))
        large = [values for values in self._both.parameters() if values.ndim > 1]
        small = [values for values in self._both.parameters() if values.ndim <= 1]
        groups = [{"params": large, "weight_decay": DECAY}, {"params": small, "weight_decay": 0.0}]
        self._optimizer = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98))
        self._schedule, self._rank, self._ranks = schedule, rank, ranks
        self._kept = folder / "state.pt"
        self.step = 0
        if self._kept.exists():
            self._load()
        self._told: dict[str, float] = {}

    def run(self) -> None:
        """All the steps that are left."""
        began = time.perf_counter()
        screens = batches(SEED, self.step, self._rank, self._ranks, self._schedule.seeing)
        while self.step < self._schedule.seeing + self._schedule.steps:
            self._learn(next(screens))
            if self._rank:
                continue
            if self.step % REPORT == 0:
                self._report((time.perf_counter() - began) / REPORT)
                began = time.perf_counter()
            if self.step % KEEP == 0:
                self._keep()
            if self.step % CHECK == 0 and self.step > self._schedule.seeing:
                print("held out, within 3 %: " + self._checked(), flush=True)
                began = time.perf_counter()
        if not self._rank:
            self._keep()
            print("held out, within 3 %: " + self._checked(), flush=True)

    def _learn(self, batch: Batch) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.rate_at(self.step)
        self._optimizer.zero_grad()
        if self.step < self._schedule.seeing:
            loss = marks_loss(self.helpers, see(self.network, batch), batch.marks)
            told: dict[str, Any] = {"marks": loss.detach()}
        else:
            found = losses(self.network, self.helpers, batch)
            loss, told = found.total, found.told
        loss.backward()
        self._share_gradients()
        nn.utils.clip_grad_norm_(self._both.parameters(), 1.0)
        self._optimizer.step()
        self.average.update_parameters(self.network)
        self.step += 1
        for name, value in told.items():
            self._told[name] = self._told.get(name, 0.0) + float(value)

    def _share_gradients(self) -> None:
        """Their mean over all processes."""
        if self._ranks == 1:
            return
        gradients = [values.grad for values in self._both.parameters() if values.grad is not None]
        joined = torch.cat([gradient.reshape(-1) for gradient in gradients])
        dist.all_reduce(joined)
        for gradient, part in zip(gradients, joined.split([gradient.numel() for gradient in gradients]), strict=True):
            gradient.copy_(part.view_as(gradient) / self._ranks)

    def _report(self, seconds: float) -> None:
        means = " ".join(f"{name} {value / REPORT:.3f}" for name, value in self._told.items())
        print(f"step {self.step} {seconds:.2f} s/step {means}", flush=True)
        self._told = {}

    def _checked(self) -> str:
        chance = random.Random(HELD_OUT)
        hits = {count: [near(self.average.module, drawn_batch(chance, count)) for _ in range(3)] for count in (1, 3, 9)}
        return ", ".join(f"{count} pictures {sum(some) / len(some):.1%}" for count, some in hits.items())

    def _keep(self) -> None:
        part = self._kept.with_suffix(".part")
        state = {"both": self._both.state_dict(), "average": self.average.state_dict()}
        torch.save(state | {"optimizer": self._optimizer.state_dict(), "step": self.step}, part)
        part.replace(self._kept)

    def _load(self) -> None:
        state = torch.load(self._kept, weights_only=True, map_location="cpu")
        self._both.load_state_dict(state["both"])
        self.average.load_state_dict(state["average"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.step = state["step"]


def near(network: nn.Module, batch: Batch, within: float = 0.03) -> float:
    """Share of first questions answered at most so far off, as a share of each side of the screen."""
    found = answered(network, batch)
    good = [
        place is not None and abs(place[0] - x) < within and abs(place[1] - y) < within
        for place, (x, y) in zip(found, batch.places[:, 0], strict=True)
    ]
    return sum(good) / len(good)


if __name__ == "__main__":
    main()
