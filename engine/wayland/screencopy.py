"""Pictures of outputs through wlr-screencopy."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from pywayland.protocol.wayland import WlOutputProxy, WlShm

from fingerpost.engine.values import Pixels
from fingerpost.engine.wayland.connection import Connection
from fingerpost.engine.wayland.errors import CompositorError
from fingerpost.engine.wayland.memory import SharedPicture
from fingerpost.engine.wayland.protocols.screencopy import Y_INVERT, ScreencopyFrameProxy, ScreencopyManager

BLUE_FIRST = {WlShm.format.argb8888.value, WlShm.format.xrgb8888.value}
RED_FIRST = {WlShm.format.abgr8888.value, WlShm.format.xbgr8888.value}
TEN_BIT_BLUE_LOW = {WlShm.format.argb2101010.value, WlShm.format.xrgb2101010.value}
TEN_BIT_RED_LOW = {WlShm.format.abgr2101010.value, WlShm.format.xbgr2101010.value}
READABLE = BLUE_FIRST | RED_FIRST | TEN_BIT_BLUE_LOW | TEN_BIT_RED_LOW


@dataclass
class _Progress:
    """What the compositor has told about one frame."""

    kinds: list[tuple[int, int, int, int]] = field(default_factory=list)  # format, width, height, bytes a row
    flags: int = 0
    announced: bool = False
    ended: str = ""  # "ready" or "failed"


def picture(connection: Connection, output: WlOutputProxy, transform: int) -> Pixels:
    """What an output shows, in its pixels, as people see it. Waits for its next frame, so set a deadline around it.

    Raises `CompositorError` when the compositor refuses, or offers no format that is read here.
    """
    manager = connection.bind(ScreencopyManager)
    shm = connection.bind(WlShm)
    frame = manager.capture_output(0, output)
    progress = _listen(frame)
    connection.roundtrip()  # all kinds have come, also from compositors that do not announce the last one
    kind = next((kind for kind in progress.kinds if kind[0] in READABLE), None)
    if kind is None:
        raise CompositorError("The compositor offers its pictures in no known format.", "Install grim.")
    pixel_format, width, height, stride = kind
    shared = SharedPicture(shm, width, height, stride, pixel_format)
    frame.copy(shared.buffer)
    connection.wait_until(lambda: bool(progress.ended))
    if progress.ended == "failed":
        raise CompositorError("The compositor could not copy the screen.", "Try again.")
    pixels = as_bgra(shared.rows[:, : width * 4].reshape(height, width, 4), pixel_format)
    return upright(pixels[::-1] if progress.flags & Y_INVERT else pixels, transform)


def _listen(frame: ScreencopyFrameProxy) -> _Progress:
    progress = _Progress()
    dispatcher = frame.dispatcher
    dispatcher["buffer"] = lambda _, *kind: progress.kinds.append(kind)
    dispatcher["flags"] = lambda _, flags: setattr(progress, "flags", flags)
    dispatcher["ready"] = lambda _, *when: setattr(progress, "ended", "ready")
    dispatcher["failed"] = lambda _: setattr(progress, "ended", "failed")
    return progress


def as_bgra(pixels: Pixels, pixel_format: int) -> Pixels:
    """Pixels of 4 bytes in one of `READABLE`, as blue, green, red, unused."""
    if pixel_format in BLUE_FIRST:
        return pixels
    if pixel_format in RED_FIRST:
        return np.ascontiguousarray(pixels[..., [2, 1, 0, 3]])
    words = np.ascontiguousarray(pixels).view("<u4")[..., 0]
    channels = [(words >> (shift + 2) & 0xFF).astype(np.uint8) for shift in (0, 10, 20)]  # the upper 8 bits of 10
    if pixel_format in TEN_BIT_RED_LOW:
        channels.reverse()
    return np.stack([*channels, np.full_like(channels[0], 255)], axis=-1)


def upright(pixels: Pixels, transform: int) -> Pixels:
    """An output's picture as people see it; `transform` is wl_output's number."""
    turned = np.rot90(pixels, -(transform % 4))
    return np.ascontiguousarray(turned[:, ::-1] if transform >= 4 else turned)
