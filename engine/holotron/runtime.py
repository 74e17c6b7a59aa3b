"""Everything of one model, loaded: weights, vision projector, context, caches, and how it is asked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.grammar import Vocabulary
from fingerpost.engine.holotron.header import Header, check_language, read_header
from fingerpost.engine.holotron.llama import ALL_LAYERS, LOG, PARTIAL, Context, ContextOptions, Model, ModelOptions
from fingerpost.engine.holotron.placement import read_placement
from fingerpost.engine.holotron.prompt import Prompt
from fingerpost.engine.holotron.state_cache import StateCache
from fingerpost.engine.holotron.tiles import Grid
from fingerpost.engine.holotron.views import Viewer
from fingerpost.engine.holotron.vision import TileCache, Vision
from fingerpost.models.errors import ModelFileError
from fingerpost.models.profiles import Profile, calibrated, calibration_folder, profile_for, read_calibration

MIB = 1024 * 1024
BATCH = 512
"""Tokens that are evaluated at once; between two batches a question can be cancelled."""
SEQUENCES = 4
"""The screen, the question, and two branches of its answer."""


@dataclass(frozen=True)
class Options:
    """What to load and how much memory it may take.

    vision        the mmproj file; None: the one beside the model that fits
    n_ctx         tokens of each of the context's sequences
    threads       processor threads, where the processor computes
    flash_attention, kv_type  see `llama.ContextOptions`
    host_budget   bytes of main memory for saved states
    tile_budget   bytes of main memory for embeddings of tiles
    profile       None: the one that ships for this model, as calibrated on this machine
    """

    model: Path
    vision: Path | None = None
    gpu_layers: int = ALL_LAYERS
    n_ctx: int = 8192
    threads: int = 1
    flash_attention: bool = False
    kv_type: str = "f16"
    host_budget: int = 2048 * MIB
    tile_budget: int = 512 * MIB
    profile: Profile | None = None


@dataclass(frozen=True)
class RuntimeStatistics:
    """What the caches did since the model was loaded, and what they hold now.

    tokens_evaluated  positions the language model worked out, those of tiles included
    tiles_encoded     by the vision model
    tile_hits         tiles whose embeddings were there when they were wanted
    segment_hits      segments of prompts that did not have to be evaluated
    host_bytes        of saved states, in main memory
    tile_bytes        of embeddings of tiles, in main memory
    sequences         of the context, in use
    """

    tokens_evaluated: int
    tiles_encoded: int
    tile_hits: int
    segment_hits: int
    host_bytes: int
    tile_bytes: int
    sequences: int


class Runtime:
    """Raises `ModelError` in one sentence when a file is missing, cut, of another model, or does not fit.

    progress  called with 0..1 while the weights load; return False to cancel
    """

    def __init__(self, options: Options, progress: Callable[[float], bool] | None = None) -> None:
        self.options = options
        header = read_header(options.model)
        self.profile = options.profile or find_profile(options.model, header)
        vision_file = options.vision or find_vision(options.model, header, self.profile.projectors)
        with contextlib.ExitStack() as opened:
            self.model = Model(options.model, ModelOptions(options.gpu_layers), progress)
            opened.callback(self.model.close)
            lines = list(LOG.lines)
            on_gpu = options.gpu_layers != 0
            self.vision = Vision(vision_file, self.model, self.profile.projectors, on_gpu, options.threads)
            opened.callback(self.vision.close)
            lines += LOG.lines
            LOG.lines.clear()
            self.context = Context(self.model, self._context_options())
            opened.callback(self.context.close)
            self.placement = read_placement([*lines, *LOG.lines])
            pieces = (self.model.piece(token) for token in range(self.model.n_vocab))
            self.vocabulary = Vocabulary.of(pieces, self.profile.localization.answer.letters)
            self.state_bytes = self._measure_state()
            self._opened = opened.pop_all()
        near_tiles = Grid(self.profile.pictures.crop_tiles, 1).count
        self.tiles = TileCache(self.vision, options.tile_budget, near_tiles)
        self.cache = StateCache(self.context, self.tiles.embeddings, options.host_budget)
        self.prompt = Prompt(self.profile, self.model.tokenize)
        self.viewer = Viewer(self.profile.pictures, self.vision.near_side, self.vision.unit)

    def _context_options(self) -> ContextOptions:
        chosen = self.options
        return ContextOptions(
            n_ctx=chosen.n_ctx,
            n_batch=min(BATCH, chosen.n_ctx),
            n_ubatch=BATCH,
            n_seq_max=SEQUENCES,
            threads=chosen.threads,
            flash_attention=chosen.flash_attention,
            kv_type=chosen.kv_type,
        )

    def _measure_state(self) -> int:
        """Bytes of a saved state without keys and values; also lets the library compile and allocate what it needs."""
        self.context.decode(self.model.tokenize("a"), 0)
        size = self.context.state_bytes(0, PARTIAL)
        self.context.clear()
        return size

    @property
    def statistics(self) -> RuntimeStatistics:
        """As of now."""
        return RuntimeStatistics(
            tokens_evaluated=self.cache.statistics.tokens_evaluated,
            tiles_encoded=self.vision.encoded,
            tile_hits=self.tiles.hits,
            segment_hits=self.cache.statistics.segment_hits,
            host_bytes=self.cache.host_bytes,
            tile_bytes=self.tiles.bytes,
            sequences=self.cache.sequences,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about this model on this machine: one sentence each."""
        file = self.options.model.name
        unverified = f"How {self.profile.name} tells places has not been measured: run fingerpost calibrate {file}."
        slow = "" if self.profile.quick else self.placement.warning
        notes = (slow, "" if self.profile.verified else unverified)
        return tuple(note for note in notes if note)

    def close(self) -> None:
        """Free all memory. Safe to call twice."""
        self._opened.close()


def find_profile(path: Path, header: Header) -> Profile:
    """The profile of a model file, as calibrated here. Raises `ModelError` for a model nobody knows how to ask, and for
    a vision file."""
    check_language(header)
    names = " ".join(str(header.values.get(key, "")) for key in ("general.name", "general.basename"))
    try:
        profile = profile_for(header.architecture, f"{names} {path.stem}")
    except ModelFileError as error:
        raise ModelError(error.message, error.hint) from error
    return calibrated(profile, read_calibration(calibration_folder(), path))


def find_vision(model: Path, header: Header, projectors: Collection[str]) -> Path:
    """The vision file in the model's folder: of its width and one of `projectors`, with the name most like it.

    Raises `ModelError`: when only damaged ones are there, with what is wrong with one of them.
    """
    n_embd = header.values.get(f"{header.architecture}.embedding_length")
    found, damaged, others = [], None, []
    for path in sorted(model.parent.glob("*mmproj*.gguf")):
        try:
            vision = read_header(path)
            if vision.values.get("clip.vision.projection_dim") == n_embd and vision.projector in projectors:
                found.append(path)
            else:
                others.append(path.name)
        except ModelError as error:
            damaged = error
    if not found:
        if damaged:
            raise damaged
        lacking = "the vision file that lets it see is not beside it"
        if others:
            lacking = f"what is beside it belongs to another model: {', '.join(others)}"
        raise ModelError(
            f"{model.name} reads text only, and {lacking}.",
            f"Put its mmproj file into {model.parent}.",
        )
    return max(found, key=lambda path: SequenceMatcher(None, path.name, model.name).ratio())
