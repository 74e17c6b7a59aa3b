"""The vision projector: a tile goes in, the embeddings that stand for it in the prompt come out.

Tiles that were seen before are not encoded again: their embeddings are kept by the digest of their pixels.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections import OrderedDict
from collections.abc import Collection
from pathlib import Path

import numpy as np
from llama_cpp import mtmd_cpp as mtmd

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.header import AGAIN, TOGETHER, Header, check_vision, read_header
from fingerpost.engine.holotron.llama import LOG, OUT_OF_MEMORY, Embeddings, Model, no_room, start_backend
from fingerpost.engine.holotron.segments import Picture
from fingerpost.engine.holotron.tiles import TILE, Tile


class Vision:
    """An encoder for tiles of `side` × `side` pixels, or, with `any_size`, for pictures of any size in steps of `unit`.

    projectors  the kinds of projector that the model was trained with, as its profile has them

    Raises `ModelError` when the file is missing or cut, belongs to another language model, does not fit into memory, or
    normalises colours in a way that the weights were not trained with.
    """

    def __init__(
        self, path: Path, model: Model, projectors: Collection[str], use_gpu: bool = True, threads: int = 1
    ) -> None:
        start_backend()
        header = read_header(path)
        check_vision(header, model.n_embd, projectors)
        self.path = path
        self._model = model
        self._read_sizes(header)
        parameters = mtmd.mtmd_context_params_default()
        parameters.use_gpu = use_gpu
        parameters.warmup = False
        parameters.print_timings = False
        parameters.n_threads = threads
        LOG.lines.clear()
        self._handle = mtmd.mtmd_init_from_file(os.fsencode(path), model.handle, parameters)
        if not self._handle:
            raise self._load_error()
        self.in_columns = bool(mtmd.mtmd_decode_use_mrope(self._handle))
        self.encoded = 0

    def _load_error(self) -> ModelError:
        if LOG.says(OUT_OF_MEMORY):
            return no_room(self.path.name)
        names = f"{self.path.name} cannot be used with {self._model.path.name}"
        return ModelError(f"The vision file {names} ({LOG.last_error()}).", TOGETHER)

    def _read_sizes(self, header: Header) -> None:
        self.any_size = "clip.vision.spatial_merge_size" in header.values
        merged = "spatial_merge_size" if self.any_size else "projector.scale_factor"
        self.side = header.integer("clip.vision.image_size")
        self.unit = header.integer("clip.vision.patch_size") * header.integer(f"clip.vision.{merged}")
        if self.unit < 1 or self.side < self.unit or (self.side % self.unit and not self.any_size):
            raise ModelError(
                f"The vision file {self.path.name} is damaged: a tile of {self.side} pixels has no whole number of "
                f"parts of {self.unit}.",
                AGAIN,
            )

    @property
    def near_side(self) -> int:
        """Of a tile; where pictures have any size, of one that is as large as a tile of the 12B, or little less."""
        return max(1, min(self.side, TILE) // self.unit) * self.unit if self.any_size else self.side

    @property
    def tokens(self) -> int:
        """Of a tile of `side` × `side` pixels."""
        return (self.side // self.unit) ** 2

    def tokens_of(self, tile: Tile) -> int:
        """How many embeddings stand for a tile: one for `unit` × `unit` pixels."""
        return int(tile.shape[0] // self.unit) * int(tile.shape[1] // self.unit)

    def columns_of(self, tile: Tile) -> int:
        """See `Picture.columns`."""
        return int(tile.shape[1] // self.unit) if self.in_columns else 0

    def encode(self, tile: Tile) -> Embeddings:
        """Shape (tokens, n_embd_in). The tile has a size the library neither scales nor pads."""
        if self.any_size and (tile.shape[0] % self.unit or tile.shape[1] % self.unit):
            raise ValueError(f"a picture's sides are multiples of {self.unit} pixels, not {tile.shape}")
        if not self.any_size and tile.shape != (self.side, self.side, 3):
            raise ValueError(f"a tile is {self.side} × {self.side} pixels, not {tile.shape}")
        pixels = np.ascontiguousarray(tile)
        pointer = pixels.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        bitmap = mtmd.mtmd_bitmap_init(tile.shape[1], tile.shape[0], pointer)
        chunks = mtmd.mtmd_input_chunks_init()
        try:
            return self._encode(bitmap, chunks, self.tokens_of(tile))
        finally:
            mtmd.mtmd_input_chunks_free(chunks)
            mtmd.mtmd_bitmap_free(bitmap)

    def _encode(self, bitmap: int, chunks: int, tokens: int) -> Embeddings:
        marker = mtmd.mtmd_default_marker()
        text = mtmd.mtmd_input_text()
        text.text, text.text_len, text.add_special, text.parse_special = marker, len(marker), False, True
        bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
        if mtmd.mtmd_tokenize(self._handle, chunks, ctypes.byref(text), bitmaps, 1) != 0:
            raise ModelError("The vision model did not take a tile.", "Restart Fingerpost.")
        for number in range(mtmd.mtmd_input_chunks_size(chunks)):
            chunk = mtmd.mtmd_input_chunks_get(chunks, number)
            if mtmd.mtmd_input_chunk_get_type(chunk) != mtmd.MTMD_INPUT_CHUNK_TYPE_IMAGE:
                continue
            count = int(mtmd.mtmd_input_chunk_get_n_tokens(chunk))
            if count != tokens or mtmd.mtmd_encode_chunk(self._handle, chunk) != 0:
                break
            self.encoded += 1
            output = mtmd.mtmd_get_output_embd(self._handle)
            return np.ctypeslib.as_array(output, (count, self._model.n_embd_in)).copy()
        raise ModelError("The vision model did not encode a tile.", "Restart Fingerpost.")

    def close(self) -> None:
        """Free the encoder. Safe to call twice."""
        if self._handle:
            mtmd.mtmd_free(self._handle)
            self._handle = None


class TileCache:
    """Embeddings by the digest of the tile's pixels, within a budget of bytes; the least recently used go first.

    near_tiles  so many tiles a nearer look at a screen has; of more that are no screen's, no pixels are kept
    hits        how often embeddings were wanted that were there
    """

    def __init__(self, vision: Vision, budget: int, near_tiles: int) -> None:
        self._vision = vision
        self._budget = budget
        self._near_tiles = near_tiles
        self._kept: OrderedDict[bytes, Embeddings] = OrderedDict()
        self._screen: dict[bytes, Tile] = {}
        self._near: OrderedDict[bytes, Tile] = OrderedDict()
        self.hits = 0

    @property
    def bytes(self) -> int:
        return sum(embeddings.nbytes for embeddings in self._kept.values())

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._screen = {}
        self._near.clear()

    def start_screen(self, tiles: tuple[Tile, ...]) -> tuple[Picture, ...]:
        """The segments of a screen's tiles; those of earlier screens may be forgotten from now on.

        A tile is encoded only when its segment has to be evaluated; till then, and again when its embeddings are no
        longer there, its pixels are needed.
        """
        self._near.clear()
        pictures = tuple(self._segment(tile) for tile in tiles)
        self._screen = {picture.digest: tile for picture, tile in zip(pictures, tiles, strict=True)}
        return pictures

    def picture(self, tile: Tile) -> Picture:
        """The segment of a tile of a nearer look at the screen; those of the look before may be forgotten."""
        picture = self._segment(tile)
        self._near[picture.digest] = tile
        self._near.move_to_end(picture.digest)
        while len(self._near) > self._near_tiles:
            self._near.popitem(last=False)
        return picture

    def _segment(self, tile: Tile) -> Picture:
        digest = hashlib.blake2b(tile.tobytes(), digest_size=16).digest()
        return Picture(digest, self._vision.tokens_of(tile), self._vision.columns_of(tile))

    def embeddings(self, picture: Picture) -> Embeddings:
        """Of a segment of the last `start_screen`, or of the last nearer look since."""
        digest = picture.digest
        found = self._kept.get(digest)
        if found is None:
            found = self._vision.encode(self._screen[digest] if digest in self._screen else self._near[digest])
            self._kept[digest] = found
            while self.bytes > self._budget and len(self._kept) > 1:
                self._kept.popitem(last=False)
        else:
            self.hits += 1
            self._kept.move_to_end(digest)
        return found
