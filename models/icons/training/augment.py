"""Makes crops as a screen would show them: sizes, colours, themes, button edges, neighbours, noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from fingerpost.models.icons.training.dataset import Dataset

SIDE = 32  # pixels of a crop, the network's input
_NATIVE_SIZES = (9, 11, 12, 13, 14, 14, 15, 16, 16, 18, 20, 20, 22, 24, 28, 32, 40)  # content, pixels on the screen
_GROUP = 64  # crops that share size and padding, drawn in one go


@dataclass(frozen=True)
class _Colours:
    ink: torch.Tensor  # (n, 3, 1, 1), 0..1
    ground: torch.Tensor


class Augmenter:
    """Draws random crops of a dataset's icons; the same seed draws the same crops."""

    def __init__(self, dataset: Dataset, seed: int, clean: bool = False) -> None:
        self._dataset = dataset
        self._random = np.random.default_rng(seed)
        self._torch = torch.Generator().manual_seed(seed)
        self._clean = clean

    def crops(self, indices: Sequence[int]) -> npt.NDArray[np.uint8]:
        """One crop for each drawing, shape (n, 32, 32, 3), RGB."""
        parts = [self._group(indices[start : start + _GROUP]) for start in range(0, len(indices), _GROUP)]
        return np.concatenate(parts)

    def _group(self, indices: Sequence[int]) -> npt.NDArray[np.uint8]:
        colours = self._colours(len(indices))
        layer = self._layer(indices, colours)
        size, padding = int(self._random.choice(_NATIVE_SIZES)), self._padding()
        side = max(11, round(size * (1 + 2 * padding)))
        layer = self._placed(layer, side, side / size)
        picture = colours.ground.expand(-1, 3, side, side).clone()
        if not self._clean:
            self._draw_button_edges(picture, padding)
        picture = picture.clamp(0, 1) * (1 - layer[:, 3:]) + layer[:, :3]
        if not self._clean:
            self._add_neighbours(picture, layer, colours)
        picture = functional.interpolate(
            picture, (SIDE, SIDE), mode="bilinear", align_corners=False, antialias=side > SIDE
        )
        if not self._clean and self._random.random() < 0.4:
            picture = picture + torch.randn(picture.shape, generator=self._torch) * 0.012
        return np.asarray((picture.clamp(0, 1) * 255).round().permute(0, 2, 3, 1).numpy(), np.uint8)

    def _padding(self) -> float:
        """Mostly what the run time adds around trimmed content; now and then trimming failed."""
        if self._clean or self._random.random() < 0.3:
            return 0.14
        return float(self._random.uniform(0.1, 0.18) if self._random.random() < 0.7 else self._random.uniform(0, 0.4))

    def _colours(self, count: int) -> _Colours:
        random = self._random
        ink, ground = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
        for i in range(count):
            kind, tint = random.random(), random.normal(0, 0.02, 3)
            if kind < 0.5:  # light theme
                ground[i], ink[i] = random.uniform(0.82, 1) + tint, random.uniform(0, 0.4)
            elif kind < 0.8:  # dark theme
                ground[i], ink[i] = random.uniform(0.05, 0.32) + tint, random.uniform(0.7, 1)
            elif kind < 0.9:  # coloured button
                ground[i] = random.uniform(0, 1, 3)
                ink[i] = 1.0 if ground[i].mean() < 0.6 else 0.0
            else:  # accent colour
                ground[i] = random.uniform(0.85, 1) if random.random() < 0.6 else random.uniform(0.05, 0.25)
                ink[i] = random.uniform(0, 1, 3)
                if abs(ink[i].mean() - ground[i].mean()) < 0.3:
                    ink[i] += 0.5 if ground[i].mean() < 0.5 else -0.5
            if random.random() < 0.1:  # greyed out
                ink[i] = ground[i] + (ink[i] - ground[i]) * random.uniform(0.3, 0.6)
        as_planes = [torch.from_numpy(np.clip(values, 0, 1))[:, :, None, None] for values in (ink, ground)]
        return _Colours(*as_planes)

    def _layer(self, indices: Sequence[int], colours: _Colours) -> torch.Tensor:
        """The drawings, premultiplied RGB and alpha, shape (n, 4, 64, 64). Moves grounds off icons' own colours."""
        alpha = torch.from_numpy(self._dataset.alpha[list(indices)].astype(np.float32) / 255)[:, None]
        rgb = colours.ink.expand(-1, 3, *alpha.shape[2:]).clone()
        for i, index in enumerate(indices):
            own = self._dataset.drawings[index].colour
            if own < 0:
                continue
            picture = torch.from_numpy(self._dataset.colours[own].astype(np.float32) / 255).permute(2, 0, 1)
            choice = self._random.random()
            if choice < 0.2:
                picture = picture.mean(0, keepdim=True).expand(3, -1, -1)
            elif choice < 0.35:
                picture = picture[torch.from_numpy(self._random.permutation(3))]
            rgb[i] = picture
            mean = (picture * alpha[i]).sum() / alpha[i].sum() / 3
            if abs(mean - colours.ground[i].mean()) < 0.25:
                colours.ground[i] = 0.95 if mean < 0.5 else 0.12
        return torch.cat([rgb * alpha, alpha], 1)

    def _placed(self, layer: torch.Tensor, side: int, scale: float) -> torch.Tensor:
        """The layer on a canvas of `side` pixels, slightly moved and scaled; drawn at twice the size, then averaged."""
        count = len(layer)
        jitter = np.zeros((count, 2)) if self._clean else self._random.uniform(-1, 1, (count, 2)) / side * 1.5
        zoom = np.ones(count) if self._clean else self._random.uniform(0.95, 1.05, count)
        transform = torch.zeros(count, 2, 3)
        transform[:, 0, 0] = transform[:, 1, 1] = torch.from_numpy(zoom * scale)
        transform[:, :, 2] = torch.from_numpy(jitter)
        if side <= 24:
            layer = functional.avg_pool2d(layer, 2)
        grid = functional.affine_grid(transform, [count, 4, side * 2, side * 2], align_corners=False)
        return functional.avg_pool2d(functional.grid_sample(layer, grid, align_corners=False), 2)

    def _draw_button_edges(self, picture: torch.Tensor, padding: float) -> None:
        random, side = self._random, picture.shape[2]
        for one in picture:
            choice, shade = random.random(), float(random.normal(0, 0.1))
            if choice < 0.2:
                margin = int(random.integers(0, max(1, int(side * padding / (1 + 2 * padding)) + 1)))
                inner = one[:, margin : side - margin, margin : side - margin]
                inner += shade
                if random.random() < 0.5:
                    inner[:, 1:-1, 1:-1] -= shade
            elif choice < 0.27:
                one[:, :, int(random.choice([0, side - 1]))] += 2.5 * shade
            elif choice < 0.34:
                one[:, int(random.choice([0, side - 1]))] += 2.5 * shade

    def _add_neighbours(self, picture: torch.Tensor, layer: torch.Tensor, colours: _Colours) -> None:
        """A piece of another icon at the left or right edge, where trimming took too much."""
        count, side = len(picture), picture.shape[2]
        for i in np.nonzero(self._random.random(count) < 0.08)[0]:
            other = layer[int(self._random.integers(count)), 3:]
            depth = int(max(1, round(side * self._random.uniform(0.05, 0.16))))
            middle = side // 2
            left = self._random.random() < 0.5
            target = slice(0, depth) if left else slice(side - depth, side)
            alpha = other[:, :, middle : middle + depth]
            picture[i, :, :, target] = picture[i, :, :, target] * (1 - alpha) + colours.ink[i] * alpha
