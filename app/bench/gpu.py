"""Speed and memory of the full-size model on a graphics card, beside the least time its bytes allow."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from fingerpost.app.bench.synthetic import draw_screen
from fingerpost.engine.errors import EngineError
from fingerpost.engine.holotron.llama import PARTIAL, Context, Embeddings, has_gpu
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.models.gguf.pair import write_pair

N_CTX = 8192
TILES = 8
DECODED = 64  # tokens
A_TOKEN = (100,)
ROUNDS = 5
BANDWIDTHS = {
    "RTX 3060": 360e9, "RTX 3090": 936e9, "RTX 4070": 504e9, "RTX 4080": 717e9, "RTX 4090": 1008e9, "RTX 5080": 960e9,
    "RTX 5090": 1792e9, "A100": 2039e9, "H100": 3350e9, "H200": 4800e9, "L4": 300e9, "L40S": 864e9,
}  # fmt: skip
"""Bytes a second, from the makers' data sheets."""


@dataclass(frozen=True)
class GpuResult:
    """`floor` values are what the bytes alone allow at the card's bandwidth; 0 when that is unknown."""

    card: str
    load_s: float
    layers_on_gpu: int
    all_layers: int
    vram_mib: float
    tile_encode_ms: float
    prefill_tokens_per_s: float
    decode_tokens_per_s: float
    decode_floor_tokens_per_s: float
    fork_ms: float
    save_ms: float
    restore_ms: float
    state_mib: float


def measure(model: Path | None, threads: int = 1, flash_attention: bool = False, kv_type: str = "f16") -> GpuResult:
    """Of the given model, or of a random one of the 12B's shape, which is written first (9 GB).

    flash_attention, kv_type  see `llama.ContextOptions`

    Raises `EngineError` when llama.cpp has no graphics card, or there is no room on the disk.
    """
    if not has_gpu():
        raise EngineError(
            "This measurement has not been run: llama.cpp finds no graphics card here.",
            "Run it where llama-cpp-python is installed for CUDA, Vulkan or Metal.",
        )
    with _model(model) as path:
        start = time.perf_counter()
        runtime = Runtime(Options(path, n_ctx=N_CTX, threads=threads, flash_attention=flash_attention, kv_type=kv_type))
        load_s = time.perf_counter() - start
        try:
            return _measured(runtime, load_s)
        finally:
            runtime.close()


def _measured(runtime: Runtime, load_s: float) -> GpuResult:
    context, placement = runtime.context, runtime.placement
    tile = runtime.viewer.whole(draw_screen().frame).tiles[0]
    embeddings = runtime.vision.encode(tile)
    encode = _median_ms(lambda: runtime.vision.encode(tile))
    prefill, n_past = _prefill(context, embeddings)
    decode = _decode(context, n_past)
    n_past += DECODED
    saved = context.save(0, PARTIAL)

    def restore() -> None:
        context.restore(0, saved, PARTIAL)
        context.trim(0, n_past)

    card = _card()
    bandwidth = next((speed for name, speed in BANDWIDTHS.items() if name in card), 0.0)
    return GpuResult(
        card=card,
        load_s=load_s,
        layers_on_gpu=placement.layers_on_gpu,
        all_layers=placement.all_layers,
        vram_mib=placement.gpu_bytes / 2**20,
        tile_encode_ms=encode,
        prefill_tokens_per_s=prefill,
        decode_tokens_per_s=decode,
        decode_floor_tokens_per_s=bandwidth / runtime.options.model.stat().st_size,
        fork_ms=max(0.0, _fork_ms(context, n_past) - 1000 / decode),
        save_ms=_median_ms(lambda: context.save(0, PARTIAL)),
        restore_ms=_median_ms(restore),
        state_mib=len(saved) / 2**20,
    )


def _prefill(context: Context, embeddings: Embeddings) -> tuple[float, int]:
    """Tokens a second, the median of `TILES`; and the new n_past of sequence 0."""
    context.clear()
    seconds, n_past = [], 0
    for number in range(TILES):
        start = time.perf_counter()
        n_past = context.decode(embeddings, n_past, 0, want_logits=number == TILES - 1)
        context.wait()
        seconds.append(time.perf_counter() - start)
    return len(embeddings) / median(seconds), n_past


def _decode(context: Context, n_past: int) -> float:
    """Tokens a second, one at a time behind `n_past`."""
    start = time.perf_counter()
    for number in range(DECODED):
        context.decode(A_TOKEN, n_past + number, 0, want_logits=True)
        context.logits()
    return DECODED / (time.perf_counter() - start)


def _fork_ms(context: Context, n_past: int) -> float:
    """Of a fork and one token on it: it is copied only then."""

    def fork() -> None:
        context.copy(0, 1)
        context.decode(A_TOKEN, n_past, 1, want_logits=True)
        context.logits()
        context.drop(1)

    return _median_ms(fork)


def in_words(result: GpuResult) -> str:
    floor = result.decode_floor_tokens_per_s
    beside = f" (the bytes alone allow {floor:,.0f})" if floor else ""
    return "\n".join(
        (
            f"Card           {result.card or 'unknown'}",
            f"Layers on it   {result.layers_on_gpu} of {result.all_layers}, {result.vram_mib:,.0f} MiB taken",
            f"Load           {result.load_s:.1f} s",
            f"A tile         {result.tile_encode_ms:.1f} ms to encode",
            f"Prefill        {result.prefill_tokens_per_s:,.0f} tokens/s",
            f"Decode         {result.decode_tokens_per_s:,.1f} tokens/s{beside}",
            f"Fork           {result.fork_ms:.2f} ms",
            f"State          {result.state_mib:.2f} MiB: {result.save_ms:.1f} ms to save, "
            f"{result.restore_ms:.1f} ms to restore",
        )
    )


def _median_ms(action: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


@contextmanager
def _model(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="fingerpost-") as folder:
        if shutil.disk_usage(folder).free < 10e9:
            raise EngineError(
                f"There is no room for a random model of the 12B's shape (10 GB) in {folder}.",
                "Set TMPDIR to a folder on another disk.",
            )
        yield write_pair("holotron-12b", Path(folder)).model


def _card() -> str:
    """The name of the first NVIDIA card; "" when nobody tells."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ""
    call = [program, "--query-gpu=name", "--format=csv,noheader"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.partition("\n")[0].strip()
