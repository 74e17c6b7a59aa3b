"""Pixels on their way to another process, in shared memory.

The memory exists only while a frame is handed over: the sender creates it, the receiver copies the pixels out, then
the sender frees it. So nothing is left behind when the receiver dies; when the sender dies, Python's resource tracker,
which outlives both, removes what there is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np

from fingerpost.engine.values import Pixels

FOLDER = Path("/dev/shm")
"""Where Linux keeps shared memory. Writing more than fits there kills the process that writes."""
RESERVE = 1 << 20  # bytes that are left to others


@dataclass(frozen=True)
class SharedPixels:
    """Where pixels lie: the memory's name, and `Pixels`' shape."""

    name: str
    shape: tuple[int, int, int]


class Parcel:
    """Pixels in shared memory, from the sender's side. Raises `OSError` when there is no room."""

    def __init__(self, pixels: Pixels) -> None:
        if not has_room(pixels.nbytes):
            raise OSError("not enough shared memory")
        self._memory = SharedMemory(create=True, size=max(1, pixels.nbytes))
        copy: Pixels = np.ndarray(pixels.shape, np.uint8, buffer=self._memory.buf)
        copy[:] = pixels
        height, width, channels = pixels.shape
        self.label = SharedPixels(self._memory.name, (height, width, channels))

    def free(self) -> None:
        """Gives the memory back. Called once, when the receiver has copied it or is dead."""
        self._memory.close()
        self._memory.unlink()


def unpack(label: SharedPixels) -> Pixels:
    """A copy of the pixels that nobody can write to. Raises `OSError` when the memory is gone."""
    memory = SharedMemory(label.name)
    try:
        shared: Pixels = np.ndarray(label.shape, np.uint8, buffer=memory.buf)
        pixels = shared.copy()
        del shared  # the memory cannot be closed while an array points into it
    finally:
        memory.close()
    pixels.flags.writeable = False
    return pixels


def has_room(size: int) -> bool:
    """Whether so many bytes can be written to new shared memory; other systems than Linux have no such limit."""
    if not FOLDER.is_dir():
        return True
    free = os.statvfs(FOLDER)
    return size + RESERVE <= free.f_bavail * free.f_frsize
