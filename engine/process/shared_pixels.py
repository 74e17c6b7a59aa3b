"""Pixels on their way to another process, in shared memory.

The sender owns the memory: it alone creates and frees it, and uses it again once the receiver has copied the pixels out
(new memory costs several times as much as copying into old). So nothing is left behind when the receiver dies; when
the sender dies, Python's resource tracker, which outlives both, removes what there is.
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


class Shelf:
    """The sender's side: each frame lies in a memory of its own until the receiver has taken it."""

    def __init__(self) -> None:
        self._used: dict[int, SharedMemory] = {}
        self._spare: SharedMemory | None = None

    def put(self, frame_id: int, pixels: Pixels) -> SharedPixels:
        """Copies pixels into shared memory. Raises `OSError` when there is no room."""
        memory = self._take_spare(pixels.nbytes)
        if memory is None:
            if not has_room(pixels.nbytes):
                raise OSError("not enough shared memory")
            memory = SharedMemory(create=True, size=max(1, pixels.nbytes))
        self._used[frame_id] = memory
        copy: Pixels = np.ndarray(pixels.shape, np.uint8, buffer=memory.buf)
        copy[:] = pixels
        height, width, channels = pixels.shape
        return SharedPixels(memory.name, (height, width, channels))

    def taken(self, frame_id: int) -> None:
        """The receiver has its copy: the memory serves the next frame."""
        if memory := self._used.pop(frame_id, None):
            if self._spare is not None:
                _free(self._spare)
            self._spare = memory

    def clear(self) -> None:
        """Frees all memory; the receiver is dead."""
        for memory in (*self._used.values(), *filter(None, [self._spare])):
            _free(memory)
        self._used, self._spare = {}, None

    def _take_spare(self, size: int) -> SharedMemory | None:
        """The spare memory when it fits; one that does not is freed."""
        spare, self._spare = self._spare, None
        if spare is None or size <= spare.size <= 2 * size:
            return spare
        _free(spare)
        return None


def _free(memory: SharedMemory) -> None:
    memory.close()
    memory.unlink()


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
