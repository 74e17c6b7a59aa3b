"""Speed and memory of the full-size model on a graphics card, beside the least time its bytes allow."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from fingerpost.app.bench.card import read_card
from fingerpost.app.bench.floor import FIRST, LAST, Moved, Speeds, Weights
from fingerpost.app.bench.synthetic import draw_screen
from fingerpost.engine.errors import EngineError
from fingerpost.engine.holotron.llama import PARTIAL, WHOLE, Context, Embeddings, has_gpu
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.segments import Picture
from fingerpost.models.gguf.pair import write_pair

N_CTX = 8192
TILES = 8
DECODED = 64  # tokens
A_TOKEN = (100,)
ROUNDS = 5


@dataclass(frozen=True)
class GpuResult:
    """`floor`: what the bytes allow; None when the card's speeds are unknown, or not all layers are on it."""

    card: str
    layers_on_gpu: int
    all_layers: int
    vram_mib: float
    state_mib: float
    measured: Speeds
    floor: Speeds | None


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
    picture, embeddings = runtime.tiles.picture(tile), runtime.vision.encode(tile)
    encode = _median_ms(lambda: runtime.vision.encode(tile))
    prefill, n_past = _prefill(context, embeddings, picture)
    decode = _decode(context, n_past)
    n_past += DECODED
    saved = context.save(0, PARTIAL)
    moved = _moved(runtime, picture)

    def restore() -> None:
        context.restore(0, saved, PARTIAL)
        context.trim(0, n_past)

    measured = Speeds(
        load_s=load_s,
        tile_encode_ms=encode,
        prefill_tokens_per_s=prefill,
        decode_tokens_per_s=decode,
        fork_ms=max(0.0, _fork_ms(context, n_past) - 1000 / decode),
        save_ms=_median_ms(lambda: context.save(0, PARTIAL)),
        restore_ms=_median_ms(restore),
    )
    card = read_card()
    return GpuResult(
        card=card.name,
        layers_on_gpu=placement.layers_on_gpu,
        all_layers=placement.all_layers,
        vram_mib=placement.gpu_bytes / 2**20,
        state_mib=len(saved) / 2**20,
        measured=measured,
        floor=moved.floor(card) if placement.layers_on_gpu == placement.all_layers else None,
    )


def _moved(runtime: Runtime, picture: Picture) -> Moved:
    """With sequence 0 as long as it is when it is forked and saved."""
    language, vision = Weights.of(runtime.options.model), Weights.of(runtime.vision.path)
    stays = {FIRST} if LAST in language.sizes else set()  # without weights for logits, the table is those too
    state = runtime.context.state_bytes(0, PARTIAL)
    batches = -(-picture.length // runtime.context.options.n_ubatch)
    return Moved(
        load=language.all - sum(language.sizes[name] for name in stays) + vision.all,
        encode=vision.all,
        tile=batches * language.of_a_token(without={FIRST, LAST}),
        tile_tokens=picture.length,
        token=language.of_a_token(without=stays),
        fork=2 * (runtime.context.state_bytes(0, WHOLE) - state),
        state=state,
    )


def _prefill(context: Context, embeddings: Embeddings, picture: Picture) -> tuple[float, int]:
    """Tokens a second, the median of `TILES` or as many as there is room for; and the new n_past of sequence 0."""
    context.clear()
    tiles = max(1, min(TILES, (context.options.n_ctx - DECODED - 1) // picture.length))
    seconds, n_past = [], 0
    for number in range(tiles):
        start = time.perf_counter()
        context.decode(embeddings, n_past, 0, want_logits=number == tiles - 1, columns=picture.columns)
        context.wait()
        seconds.append(time.perf_counter() - start)
        n_past += picture.advance
    return picture.length / median(seconds), n_past


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
    """A table for people."""
    lines = [
        f"Card           {result.card or 'unknown'}",
        f"Layers on it   {result.layers_on_gpu} of {result.all_layers}, {result.vram_mib:,.0f} MiB taken",
        f"State          {result.state_mib:.2f} MiB",
        "",
        f"{'':15}{'measured':>10}" + (f"{'the bytes allow':>27}" if result.floor else ""),
    ]
    for name, field, unit in ROWS:
        beside = f"{getattr(result.floor, field):>15,.2f} {unit}" if result.floor else ""
        lines.append(f"{name:15}{getattr(result.measured, field):>10,.2f} {unit:11}{beside}".rstrip())
    if result.floor is None:
        lines += ["", "What the bytes alone would allow is known where all layers are on one card of a known speed."]
    return "\n".join(lines)


ROWS = (
    ("Load", "load_s", "s"),
    ("A tile encoded", "tile_encode_ms", "ms"),
    ("Prefill", "prefill_tokens_per_s", "tokens/s"),
    ("Decode", "decode_tokens_per_s", "tokens/s"),
    ("Fork", "fork_ms", "ms"),
    ("State saved", "save_ms", "ms"),
    ("State restored", "restore_ms", "ms"),
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
