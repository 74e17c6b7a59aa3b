"""wlr-screencopy-unstable-v1, version 3: the compositor copies an output's next picture into our memory."""

from __future__ import annotations

from pywayland.protocol.wayland import WlBuffer, WlBufferProxy, WlOutput, WlOutputProxy
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy

from fingerpost.engine.wayland.protocols.build import INT, UINT, events, finish, known, new

Y_INVERT = 1
"""Flag: the first row in memory is the picture's last."""


class ScreencopyFrame(Interface):
    name = "zwlr_screencopy_frame_v1"
    version = 3


class ScreencopyManager(Interface):
    name = "zwlr_screencopy_manager_v1"
    version = 3


class ScreencopyFrameProxy(Proxy[ScreencopyFrame]):
    interface = ScreencopyFrame

    @ScreencopyFrame.request(known(WlBuffer))
    def copy(self, buffer: WlBufferProxy) -> None:
        """Fill a buffer that fits one of the announced kinds; answered by `ready` or `failed`."""
        self._marshal(0, buffer)

    @ScreencopyFrame.request()
    def destroy(self) -> None:
        self._marshal(1)
        self._destroy()


class ScreencopyManagerProxy(Proxy[ScreencopyManager]):
    interface = ScreencopyManager

    @ScreencopyManager.request(new(ScreencopyFrame), INT, known(WlOutput))
    def capture_output(self, with_pointer: int, output: WlOutputProxy) -> ScreencopyFrameProxy:
        """A frame of a whole output, in its own pixels and orientation."""
        frame: ScreencopyFrameProxy = self._marshal_constructor(0, ScreencopyFrame, with_pointer, output)
        return frame


events(
    ScreencopyFrame,
    ("buffer", (UINT, UINT, UINT, UINT)),  # a kind of shared memory: format, width, height, bytes a row
    ("flags", (UINT,)),
    ("ready", (UINT, UINT, UINT)),  # when, in seconds (high, low) and nanoseconds
    ("failed", ()),
    ("damage", (UINT, UINT, UINT, UINT)),
    ("linux_dmabuf", (UINT, UINT, UINT)),
    ("buffer_done", ()),  # since version 3: all kinds have been announced
)
finish(ScreencopyFrame, ScreencopyFrameProxy)
finish(ScreencopyManager, ScreencopyManagerProxy)
