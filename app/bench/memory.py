"""What a conversation takes in memory: Holotron-12B, whose state is constant, beside a model of attention alone.

Models of one and of two layers of each kind, in the real models' shapes, are loaded and measured through llama.cpp;
the whole model has more of the same. The formula from the shapes is printed beside what was measured.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingerpost.engine.holotron.llama import PARTIAL, WHOLE, Context, ContextOptions, Model
from fingerpost.models.gguf.language import HOLO2_8B_LAYERS, HOLOTRON_12B, TINY, Shape, write_nemotron_h, write_qwen3

LENGTHS = (4096, 16384, 65536, 131072)
MIB = 1024 * 1024
FLOAT32, FLOAT16 = 4, 2
BAR = 50  # characters


@dataclass(frozen=True)
class Costs:
    """Bytes: of the state, whatever the length, and of each token."""

    state: int
    token: int

    def total(self, tokens: int) -> int:
        return self.state + self.token * tokens


@dataclass(frozen=True)
class MemoryResult:
    """Of whole models. `measured` through the library, `formula` from the shapes."""

    holotron_measured: Costs
    holotron_formula: Costs
    holo2_measured: Costs
    holo2_formula: Costs

    def rows(self) -> list[dict[str, float]]:
        """At each of `LENGTHS`, in MiB."""
        return [
            {
                "tokens": tokens,
                "holotron_12b_mib": round(self.holotron_measured.total(tokens) / MIB, 1),
                "holo2_8b_mib": round(self.holo2_measured.total(tokens) / MIB, 1),
                "ratio": round(self.holo2_measured.total(tokens) / self.holotron_measured.total(tokens), 2),
            }
            for tokens in LENGTHS
        ]

    def as_object(self) -> dict[str, Any]:
        return {**asdict(self), "rows": self.rows()}


def measure() -> MemoryResult:
    """Load one layer and two layers of each kind and ask the library. Takes seconds and some hundred megabytes."""
    mixers, attentions = (HOLOTRON_12B.pattern.count(kind) for kind in "M*")
    with tempfile.TemporaryDirectory(prefix="fingerpost-") as name:
        folder = Path(name)
        one, two = (_measured(write_nemotron_h(folder / "m.gguf", _slice(layers))) for layers in ("M*-", "MM**-"))
        first, second = (
            _measured(write_qwen3(folder / "q.gguf", _slice("*"), layers=layers)).token for layers in (1, 2)
        )
    mixer = HOLOTRON_12B.mixer
    convolution = (mixer.kernel - 1) * (mixer.inner + 2 * mixer.groups * mixer.state)
    state = FLOAT32 * (convolution + mixer.state * mixer.inner)
    token = 2 * FLOAT16 * HOLOTRON_12B.kv_heads * HOLOTRON_12B.head_size
    return MemoryResult(
        holotron_measured=Costs(_of_layers(one.state, two.state, mixers), _of_layers(one.token, two.token, attentions)),
        holotron_formula=Costs(state * mixers, token * attentions),
        holo2_measured=Costs(0, _of_layers(first, second, HOLO2_8B_LAYERS)),
        holo2_formula=Costs(0, token * HOLO2_8B_LAYERS),
    )


def _slice(layers: str) -> Shape:
    """A model of a few layers whose states have the shapes of the 12B's."""
    full = HOLOTRON_12B
    return Shape(TINY.embedding, layers, 8, full.kv_heads, full.head_size, TINY.feed_forward, full.mixer)


def _of_layers(one: int, two: int, count: int) -> int:
    """Bytes of `count` layers, from those of one and of two: what the library notes once is counted once."""
    return one + (two - one) * (count - 1)


def _measured(path: Path) -> Costs:
    """Bytes of the recurrent state, and of keys and values a token, of a model of one layer each."""
    model = Model(path)
    context = Context(model, ContextOptions(n_ctx=512, n_batch=256, n_ubatch=256, n_seq_max=1))
    try:
        context.decode([30] * 16, 0)
        few, state = context.state_bytes(0, WHOLE), context.state_bytes(0, PARTIAL)
        context.decode([30] * 128, 16)
        return Costs(state if model.is_hybrid else 0, (context.state_bytes(0, WHOLE) - few) // 128)
    finally:
        context.close()
        model.close()


def in_words(result: MemoryResult) -> str:
    """The table and the plot."""
    lines = ["What one conversation takes, beside the weights", "", f"{'':16}{'a token':>12}{'state':>14}"]
    for name, costs in (
        ("Holotron-12B", result.holotron_measured),
        ("  by formula", result.holotron_formula),
        ("Holo2-8B", result.holo2_measured),
        ("  by formula", result.holo2_formula),
    ):
        lines.append(f"{name:16}{costs.token:>10,} B{costs.state / MIB:>10.2f} MiB")
    lines += ["", f"{'tokens':>8}  {'Holotron-12B':>14}  {'Holo2-8B':>14}  {'':>6}"]
    rows = result.rows()
    for row in rows:
        lines.append(
            f"{row['tokens']:>8,.0f}  {row['holotron_12b_mib']:>10,.1f} MiB  {row['holo2_8b_mib']:>10,.1f} MiB"
            f"  {row['ratio']:>5.1f}×"
        )
    most = max(row["holo2_8b_mib"] for row in rows)
    lines.append("")
    for row in rows:
        for key, mark in (("holotron_12b_mib", "█"), ("holo2_8b_mib", "░")):
            tokens = f"{row['tokens']:>8,.0f}" if mark == "█" else " " * 8
            lines.append(f"{tokens}  {mark * max(1, round(row[key] / most * BAR))}")
    lines.append("          █ Holotron-12B   ░ Holo2-8B")
    return "\n".join(lines)
