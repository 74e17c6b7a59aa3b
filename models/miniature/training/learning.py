"""What the network is told about its mistakes: the answers, what lies under each token, and where to look."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from fingerpost.models.gguf.vision import CLIP_MEAN, CLIP_STD
from fingerpost.models.miniature import prompts
from fingerpost.models.miniature.scenes import KINDS
from fingerpost.models.miniature.shapes import LANGUAGE, VISION
from fingerpost.models.miniature.training.batches import IGNORED, NAMES, ROWS, Batch, Marks
from fingerpost.models.miniature.training.network import Attention, Miniature, Past, forked
from fingerpost.models.miniature.vocabulary import vocabulary
from fingerpost.models.miniature.words import COLOURS

POINTING = (1, 2)
"""Which attention layers are told where to look: the heads of their first group; the first half of them at the tile
that shows the thing, the others at the thumbnail."""
MARKS_WEIGHT, MEANT_WEIGHT, POINT_WEIGHT, PLACE_WEIGHT = 0.3, 0.3, 0.5, 0.7
FAR = 20.0
"""How much a place that is wrong by the whole picture counts."""


def new_network() -> Miniature:
    return Miniature(LANGUAGE, VISION, len(vocabulary().tokens))


class Helpers(nn.Module):
    """Linear readings that exist only in training."""

    def __init__(self) -> None:
        super().__init__()
        wide = LANGUAGE.embedding
        names = len(NAMES) + len(COLOURS)
        self.parts = (len(KINDS) + 1, len(COLOURS), len(NAMES), 2, names)
        self.marks = nn.Linear(wide, sum(self.parts))
        self.places = nn.Linear(wide, 2)
        with torch.no_grad():
            self.marks.bias[-names:] = -4.0


def on(network: nn.Module, array: npt.NDArray[Any]) -> Tensor:
    """An array where the network is."""
    return torch.from_numpy(array).to(next(network.parameters()).device)


def normalised(tiles: Tensor) -> Tensor:
    """(tiles, side, side, 3) uint8 → (tiles, 3, side, side), as CLIP's pictures are normalised."""
    mean, std = (torch.tensor(values, device=tiles.device) for values in (CLIP_MEAN, CLIP_STD))
    return ((tiles.float() / 255 - mean) / std).permute(0, 3, 1, 2)


def marks_loss(helpers: Helpers, embeddings: Tensor, marks: Marks) -> Tensor:
    """How badly the embeddings (pictures, 16, n_embd) tell what lies under them."""
    kind, colour, name, place, here = helpers.marks(embeddings).flatten(0, 1).split(helpers.parts, -1)
    wanted_kind = on(helpers, marks.kind).flatten()
    something = wanted_kind > 0
    loss = functional.cross_entropy(kind, wanted_kind)
    loss = loss + _cross_entropy(colour, on(helpers, marks.colour).flatten())
    loss = loss + _cross_entropy(name, on(helpers, marks.name).flatten())
    wanted_place = on(helpers, marks.place).flatten(0, 1)
    loss = loss + 3 * FAR * functional.l1_loss(place[something], wanted_place[something])
    wanted_here = on(helpers, marks.here).flatten(0, 1)
    return loss + functional.binary_cross_entropy_with_logits(here, wanted_here, reduction="sum") / (
        something.sum() + 1
    )


def _cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.cross_entropy(logits, wanted, ignore_index=IGNORED, reduction="sum") / (
        (wanted != IGNORED).sum() + 1
    )


@dataclass
class Losses:
    """`answers` is the cross-entropy of the answers' tokens; `right` the share of digits that were most likely."""

    answers: Tensor
    marks: Tensor
    meant: Tensor
    pointed: Tensor
    places: Tensor
    right: float

    @property
    def total(self) -> Tensor:
        helping = MARKS_WEIGHT * self.marks + MEANT_WEIGHT * self.meant
        return self.answers + helping + POINT_WEIGHT * self.pointed + PLACE_WEIGHT * self.places

    @property
    def told(self) -> dict[str, float]:
        """For the report."""
        return {part.name: float(torch.as_tensor(getattr(self, part.name)).detach()) for part in fields(self)}


def see(network: Miniature, batch: Batch) -> Tensor:
    """(pictures of all screens, 16, n_embd)."""
    embeddings: Tensor = network.vision(normalised(on(network, batch.tiles)))
    return embeddings


def read_screens(network: Miniature, embeddings: Tensor, pictures: int) -> list[Past]:
    """The state behind the screens, one row a screen."""
    language = network.language
    screens = embeddings.reshape(-1, pictures * embeddings.shape[1], embeddings.shape[2])
    head, behind = (
        language.token_embd(torch.tensor(prompts.ids(text), device=screens.device)).expand(len(screens), -1, -1)
        for text in (prompts.HEAD, prompts.BEHIND)
    )
    _, past = language(torch.cat((head, screens, behind), 1), language.start(len(screens)))
    return past


def losses(network: Miniature, helpers: Helpers, batch: Batch) -> Losses:
    """Of a batch."""
    embeddings = see(network, batch)
    past = forked(read_screens(network, embeddings, batch.pictures), ROWS)
    language = network.language
    attentions = [layer for layer in language.blk if isinstance(layer, Attention)]
    for number in POINTING:
        attentions[number].keeps_probabilities = True
    hidden, _ = language(language.token_embd(on(network, batch.tokens)), past)
    wanted = on(network, batch.wanted)
    counts = wanted != IGNORED
    logits = language.logits(hidden[counts])
    answers = functional.cross_entropy(logits, wanted[counts])
    right = float((logits.argmax(-1) == wanted[counts]).float().mean())
    written = _written(batch, counts)
    meant = _meaning(helpers, attentions[POINTING[0]], written, on(network, batch.meant))
    where = on(network, batch.pointed)
    pointed = sum((_pointing(attentions[number], written, where) for number in POINTING), hidden.new_zeros(()))
    rows, asked = torch.arange(len(hidden), device=hidden.device)[:, None], on(network, batch.asked)
    read = helpers.places(language.output_norm(torch.stack((hidden[rows, asked], hidden[rows, asked + 1]))))
    places = FAR * functional.l1_loss(read, on(network, batch.places).expand_as(read))
    return Losses(answers, marks_loss(helpers, embeddings, batch.marks), meant, pointed, places, right)


@dataclass(frozen=True)
class Written:
    """Where answers are written: row, token and turn of each place."""

    rows: Tensor
    tokens: Tensor
    turns: Tensor


def _written(batch: Batch, counts: Tensor) -> Written:
    turn = torch.zeros_like(counts, dtype=torch.long)
    numbers = torch.arange(counts.shape[1], device=counts.device)
    for asked in batch.asked.T[1:]:
        turn += numbers >= torch.from_numpy(asked).to(counts.device)[:, None]
    rows, tokens = torch.nonzero(counts, as_tuple=True)
    return Written(rows, tokens, turn[rows, tokens])


def _meaning(helpers: Helpers, layer: Attention, places: Written, meant: Tensor) -> Tensor:
    """How badly what is written knows what was asked for. It is read as what lies under a tile's token is: so both are
    told alike, and the one can be found by the other."""
    assert layer.given is not None
    read = helpers.marks(layer.given[places.rows, places.tokens]).split(helpers.parts, -1)
    wanted = meant[places.rows, places.turns]
    return sum((_cross_entropy(logits, wanted[:, part]) for part, logits in enumerate(read[:3])), read[0].new_zeros(()))


def _pointing(layer: Attention, places: Written, pointed: Tensor) -> Tensor:
    """How little the heads that should do so look at the thing, where the answer is written."""
    seen = layer.seen
    assert seen is not None
    layer.keeps_probabilities, layer.seen = False, None
    wanted = pointed[places.rows, places.turns] + len(prompts.HEAD)
    chosen = seen[places.rows, 0, :, places.tokens]  # (places, heads of the group, tokens)
    half = chosen.shape[1] // 2
    at_tile = chosen[:, :half].gather(2, wanted[:, None, :1].expand(-1, half, -1))
    at_thumbnail = chosen[:, half:].gather(2, wanted[:, None, 1:].expand(-1, chosen.shape[1] - half, -1))
    return -torch.log(torch.cat((at_tile, at_thumbnail), 1) + 1e-4).mean()


@torch.no_grad()
def answered(network: Miniature, batch: Batch, longest: int = 12) -> list[tuple[float, float] | None]:
    """What the network says to the first question of each row: shares of the screen; None where it is no answer."""
    past = forked(read_screens(network, see(network, batch), batch.pictures), ROWS)
    language = network.language
    found = []
    tokens = vocabulary().tokens
    for row in range(len(batch.tokens)):
        state = [Past(*(_row(part, row, len(batch.tokens)) for part in (layer.one, layer.two))) for layer in past]
        given = batch.tokens[row : row + 1, : batch.asked[row, 0] + 1]
        text = ""
        for _ in range(longest):
            hidden, state = language(language.token_embd(on(network, given)), state)
            token = int(language.logits(hidden[:, -1]).argmax())
            text += tokens[token]
            if tokens[token] == "}":
                break
            given = batch.tokens[:1, :1] * 0 + token
        found.append(_place(text))
    return found


def _row(part: Tensor, row: int, rows: int) -> Tensor:
    """Of a state of as many rows, or of one that so many rows share."""
    return part[row * len(part) // rows][None] if len(part) else part


def _place(text: str) -> tuple[float, float] | None:
    x, middle, y = text.removeprefix('{"x":').removesuffix("}").partition(',"y":')
    return (int(x) / 1000, int(y) / 1000) if middle and x.isdecimal() and y.isdecimal() else None
