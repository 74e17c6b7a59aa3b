"""Cuts icons out of a frame the way the icon model was trained to see them: trimmed, centred, 32x32."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from fingerpost.engine.values import Box, Frame, Pixels

SIDE = 32  # pixels of a crop, the network's input

_PADDING = 0.14  # of the content's longer side, as in training
_LEAST_CONTRAST = 14  # levels, 0..255; fainter marks are shading
_CONTENT_CONTRAST = 0.25  # of the strongest contrast in the box; fainter pixels are no content
_FRAME_SHARE = 0.55  # of a box's outline; a mark that covers more is the button's border
_EDGE = 3  # pixels; borders and their shadows lie within
_LEAST_BUTTON = 18  # pixels; smaller boxes hold the icon alone
_BUTTON_SHARE = 0.75  # of the box, in both directions; smaller filled shapes are part of the icon
_WIDE = 1.2  # width to height; wider content may be an icon and an arrow
_ARROW = 0.6  # of the content's height; a split button's arrow is smaller


def cut(frame: Frame, box: Box) -> Pixels:
    """The part of the box that lies in the frame, a view, BGRA; empty when none does."""
    inside = box.intersection(frame.box)
    return frame.pixels[inside.y : inside.bottom, inside.x : inside.right]


def crop_icon(pixels: Pixels) -> npt.NDArray[np.uint8]:
    """The icon in `pixels` (BGRA, not empty), shape (32, 32, 3), RGB, on its background colour."""
    rgb = np.ascontiguousarray(pixels[..., 2::-1])
    rgb = _inside_button(rgb)
    ground, mask = _content(rgb)
    bounds = _bounds(mask)
    if bounds is None:
        return _resized(np.full((SIDE, SIDE, 3), ground, np.uint8))
    bounds = _without_arrow(mask, bounds)
    top, bottom, left, right = bounds
    near = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)  # edges fade out
    part = np.where(near[top:bottom, left:right, None], rgb[top:bottom, left:right], ground.astype(np.uint8))
    return _resized(_squared(part, ground))


def _content(rgb: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """The background colour, and which pixels clearly differ from it and are no border."""
    ground = _background(rgb)
    contrast = np.abs(rgb.astype(np.int16) - ground).max(2)
    mask = contrast > max(_LEAST_CONTRAST, _CONTENT_CONTRAST * int(contrast.max()))
    return ground, _without_border(mask)


def _bounds(mask: npt.NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Top, bottom, left, right of what is drawn; None when nothing is."""
    rows, columns = np.nonzero(mask.any(1))[0], np.nonzero(mask.any(0))[0]
    if not len(rows):
        return None
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def _inside_button(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The inside of a raised or filled button, when the box shows one with its icon in the middle; else the same."""
    height, width = rgb.shape[:2]
    if min(height, width) < _LEAST_BUTTON:
        return rgb
    _, mask = _content(rgb)
    outer = _bounds(mask)
    if outer is None:
        return rgb
    top, bottom, left, right = outer
    if bottom - top < _BUTTON_SHARE * height or right - left < _BUTTON_SHARE * width:
        return rgb
    sides = mask[top, left:right], mask[bottom - 1, left:right], mask[top:bottom, left], mask[top:bottom, right - 1]
    if min(float(side.mean()) for side in sides) < _FRAME_SHARE:
        return rgb
    inset = max(3, (bottom - top) // 10)
    inner = rgb[top + inset : bottom - inset, left + inset : right - inset]
    bounds = _bounds(_content(inner)[1])
    if bounds is None:
        return rgb
    margins = bounds[0], inner.shape[0] - bounds[1], bounds[2], inner.shape[1] - bounds[3]
    centred = max(abs(margins[0] - margins[1]), abs(margins[2] - margins[3])) <= 0.2 * min(inner.shape[:2])
    return inner if centred and min(margins) >= 1 else rgb


def _background(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    """The most frequent colour along the edges, three pixels deep: a button's border is thinner than that."""
    depth = min(3, (min(rgb.shape[:2]) + 1) // 2)
    sides = (rgb[:depth], rgb[-depth:], rgb[:, :depth], rgb[:, -depth:])
    ring = np.concatenate([side.reshape(-1, 3) for side in sides]).astype(np.int32)
    coarse = (ring >> 3) @ np.array([1 << 10, 1 << 5, 1])
    common = np.bincount(coarse).argmax()
    return np.asarray(np.median(ring[coarse == common], axis=0), np.int16)


def _without_border(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The mask without a mark that runs along most of the box's outline, unless nothing else is drawn."""
    if min(mask.shape) < 12:
        return mask
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    outline = np.concatenate([
        labels[:_EDGE].max(0), labels[-_EDGE:].max(0), labels[:, :_EDGE].max(1), labels[:, -_EDGE:].max(1)
    ])  # fmt: skip
    share = np.bincount(outline, minlength=count)[1:] / len(outline)
    borders = np.nonzero(share > _FRAME_SHARE)[0] + 1
    if not len(borders):
        return mask
    inner = mask & ~np.isin(labels, borders)
    inner[:_EDGE] = inner[-_EDGE:] = False  # what is left of shadows
    inner[:, :_EDGE] = inner[:, -_EDGE:] = False
    return inner if inner.sum() >= 0.02 * mask.size else mask


def _without_arrow(mask: npt.NDArray[np.bool_], bounds: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The bounds without the small arrow at the right that opens a split button's menu."""
    top, bottom, left, right = bounds
    if right - left <= _WIDE * (bottom - top):
        return bounds
    filled = np.nonzero(mask[:, left:right].any(0))[0] + left
    gaps = np.nonzero(np.diff(filled) > 2)[0]
    if not len(gaps):
        return bounds
    start, end = int(filled[gaps[-1] + 1]), int(filled[gaps[-1]]) + 1
    rows = np.nonzero(mask[:, start:right].any(1))[0]
    middle = (float(rows[0]) + float(rows[-1])) / 2 - top
    small = max(right - start, int(rows[-1] - rows[0]) + 1) <= _ARROW * (bottom - top)
    if not small or not 0.3 <= middle / (bottom - top) <= 0.8 or end - left < right - start:
        return bounds
    kept = np.nonzero(mask[:, left:end].any(1))[0]
    return int(kept[0]), int(kept[-1]) + 1, left, end


def _squared(content: npt.NDArray[np.uint8], ground: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    height, width = content.shape[:2]
    side = max(height, width)
    side += 2 * max(1, round(_PADDING * side))
    square = np.full((side, side, 3), ground, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = content
    return square


def _resized(square: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    method = cv2.INTER_AREA if square.shape[0] > SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (SIDE, SIDE), interpolation=method), np.uint8)
