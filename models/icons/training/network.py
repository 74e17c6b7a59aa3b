"""The networks: crops to vectors, words to vectors, in one space."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional

DIMENSIONS = 128
_ORIENTATIONS = 8
_FEATURES = _ORIENTATIONS * 64 + 256 + 3


class Stem(nn.Module):
    """Fixed features, shape (n, 771): oriented edges on 8x8 cells, shape on 16x16 cells, mean colour.

    First the crop becomes its signed difference to the border colour, divided by the largest difference. That makes
    it the same on light and dark themes. The edges are histograms of oriented gradients (Dalal and Triggs, 2005).
    """

    def __init__(self) -> None:
        super().__init__()
        sobel = torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]) / 4
        self.register_buffer("sobel", torch.stack([sobel, sobel.t()])[:, None])
        angles = torch.arange(_ORIENTATIONS) * math.pi / _ORIENTATIONS
        self.register_buffer("directions", torch.stack([torch.cos(2 * angles), torch.sin(2 * angles)], 1))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """`crops` RGB 0..255, shape (n, 32, 32, 3)."""
        picture = crops.permute(0, 3, 1, 2).float() / 255
        ring = torch.cat([picture[:, :, 0], picture[:, :, 31], picture[:, :, :, 0], picture[:, :, :, 31]], 2)
        difference = picture - ring.mean(2)[:, :, None, None]
        shape = difference.abs().amax(1, keepdim=True)
        contrast = shape.amax((2, 3), keepdim=True) + 0.04
        difference, shape = difference / contrast, shape / contrast
        edges = torch.sqrt(functional.avg_pool2d(self._edges(shape), 4) + 1e-4).flatten(1)
        edges = edges / (edges.norm(dim=1, keepdim=True) + 1e-3) * 6
        colour = difference.mean((2, 3)) / (shape.mean((2, 3)) + 1e-3) / 2
        return torch.cat([edges, functional.avg_pool2d(shape, 2).flatten(1), colour], 1)

    def _edges(self, shape: torch.Tensor) -> torch.Tensor:
        gradient = functional.conv2d(shape, self.sobel, padding=1)
        dx, dy = gradient[:, :1], gradient[:, 1:]
        length = torch.sqrt(dx * dx + dy * dy + 1e-6)
        cos2, sin2 = (dx * dx - dy * dy) / (length * length), 2 * dx * dy / (length * length)
        along = cos2 * self.directions[:, 0].view(1, -1, 1, 1) + sin2 * self.directions[:, 1].view(1, -1, 1, 1)
        return functional.relu(along - 0.5) * 2 * length


class Head(nn.Module):
    """Three layers from the fixed features to a unit vector."""

    def __init__(self, hidden: tuple[int, int] = (768, 384)) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(_FEATURES, hidden[0]), nn.BatchNorm1d(hidden[0]), nn.ReLU(), nn.Dropout(0.15),
            nn.Linear(hidden[0], hidden[1]), nn.BatchNorm1d(hidden[1]), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(hidden[1], DIMENSIONS),
        )  # fmt: skip

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return functional.normalize(self.layers(features), dim=1)


class Encoder(nn.Module):
    """What is exported: crops (n, 32, 32, 3), RGB 0..255, to unit vectors (n, 128)."""

    def __init__(self, head: Head) -> None:
        super().__init__()
        self.stem, self.head = Stem(), head

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        return self.head(self.stem(crops))


class WordTable(nn.Module):
    """A text is the normalised sum of its words' vectors, each with a learned weight."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.vectors = nn.EmbeddingBag(words, DIMENSIONS, mode="sum")
        nn.init.normal_(self.vectors.weight, std=DIMENSIONS**-0.5)
        self.log_weights = nn.Parameter(torch.zeros(words))

    def forward(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """Unit vectors, shape (n, 128), of texts given as lists of word numbers, none of them empty."""
        flat = torch.tensor([word for text in texts for word in text])
        starts = torch.tensor([0, *(len(text) for text in texts[:-1])]).cumsum(0)
        weights = self.log_weights.exp()[flat]
        return functional.normalize(self.vectors(flat, starts, per_sample_weights=weights), dim=1)
