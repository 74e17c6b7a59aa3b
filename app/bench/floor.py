"""The least time that a model takes on a graphics card: the bytes that have to move, over the speed they move at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from gguf import GGUFReader

from fingerpost.app.bench.card import Card

FIRST, LAST = "token_embd.weight", "output.weight"
"""The table of all tokens, of which one token reads one row, and the weights that only logits need."""


@dataclass(frozen=True)
class Speeds:
    """Measured, or what the bytes alone allow.

    tile_encode_ms        the vision projector's part of a tile
    prefill_tokens_per_s  tiles, one after another
    decode_tokens_per_s   an answer, token by token
    fork_ms               what a token on a fork takes longer
    save_ms, restore_ms   the state without keys and values, from and to the main memory
    """

    load_s: float
    tile_encode_ms: float
    prefill_tokens_per_s: float
    decode_tokens_per_s: float
    fork_ms: float
    save_ms: float
    restore_ms: float


@dataclass(frozen=True)
class Moved:
    """Bytes that have to move at least.

    load    from the main memory to the card: all weights but the table of tokens, which stays there
    encode  the projector's weights, read once a tile
    tile    the language model's, read once for each of `batches` of a tile of `tile_tokens`; logits are not wanted
    token   the language model's, read once a token; of experts only those that are asked
    fork    keys and values, read and written. The recurrent state is not counted: the next token writes it anyway
    state   the recurrent state, to the main memory or back
    """

    load: float
    encode: float
    tile: float
    tile_tokens: int
    token: float
    fork: float
    state: float

    def floor(self, card: Card) -> Speeds | None:
        """What the card's speeds allow; None when they are unknown.

        Encoding and prefill compute far more than they read: there it is a bound, but no near one.
        """
        if not (card.bandwidth and card.link):
            return None
        return Speeds(
            load_s=self.load / card.link,
            tile_encode_ms=1000 * self.encode / card.bandwidth,
            prefill_tokens_per_s=self.tile_tokens * card.bandwidth / self.tile,
            decode_tokens_per_s=card.bandwidth / self.token,
            fork_ms=1000 * self.fork / card.bandwidth,
            save_ms=1000 * self.state / card.link,
            restore_ms=1000 * self.state / card.link,
        )


@dataclass(frozen=True)
class Weights:
    """Of a GGUF file: bytes by the names of the tensors, and the share of its experts that one token asks."""

    sizes: dict[str, int]
    asked: float = 1.0

    @classmethod
    def of(cls, path: Path) -> Weights:
        reader = GGUFReader(path)
        sizes = {tensor.name: int(tensor.n_bytes) for tensor in reader.tensors}
        asked, every = (
            next((int(field.contents()) for name, field in reader.fields.items() if name.endswith(key)), 1)
            for key in (".expert_used_count", ".expert_count")
        )
        return cls(sizes, asked / every if every else 1.0)

    @property
    def all(self) -> int:
        return sum(self.sizes.values())

    def of_a_token(self, without: Collection[str]) -> float:
        """Bytes that are read to evaluate one token, or several: more tokens may ask more experts."""
        return sum(
            size * (self.asked if "_exps." in name else 1.0) for name, size in self.sizes.items() if name not in without
        )
