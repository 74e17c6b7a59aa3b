"""Memory shared with the compositor."""

from __future__ import annotations

import mmap
import os

import numpy as np
from pywayland.protocol.wayland import WlBufferProxy, WlShmProxy

from fingerpost.engine.values import Pixels


class SharedPicture:
    """A picture that the compositor reads or writes.

    rows    shape (height, stride), dtype uint8: the bytes of each row
    buffer  what the protocols call it
    """

    def __init__(self, shm: WlShmProxy, width: int, height: int, stride: int, kind: int) -> None:
        """`kind` is one of wl_shm's formats, `stride` the bytes a row."""
        size = stride * height
        file = os.memfd_create("fingerpost", os.MFD_CLOEXEC)
        try:
            os.ftruncate(file, size)
            self.rows: Pixels = np.frombuffer(mmap.mmap(file, size), np.uint8).reshape(height, stride)
            pool = shm.create_pool(file, size)
            self.buffer: WlBufferProxy = pool.create_buffer(0, width, height, stride, kind)
            pool.destroy()  # the buffer keeps the memory
        finally:
            os.close(file)


def nameless_file(content: bytes) -> int:
    """A file without a name that holds `content`; the caller closes it."""
    file = os.memfd_create("fingerpost", os.MFD_CLOEXEC)
    os.write(file, content)
    return file
