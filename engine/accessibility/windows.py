"""Windows: reads the foreground window through UI Automation, with comtypes.

Asking for one property of one element costs a call into another process. So a cache request fetches all properties
of a part of the tree with one call. Such a call cannot be cancelled when the program hangs: each walk has a thread of
its own, which is left behind then, and hands over what it had at the deadline.

Written from the documentation; it has not been run on Windows yet.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fingerpost.engine.accessibility import uia_words as words
from fingerpost.engine.accessibility.nodes import AccessibleNode, Snapshot
from fingerpost.engine.capture.with_mss import be_aware_of_scaling

ELEMENT_AND_CHILDREN, SUBTREE = 1 | 2, 1 | 2 | 4  # TreeScope in UIAutomationClient.h
CLOSED_COMBO = "combo"
MENU_CLASS = "#32768"
"""The class of the windows in which classic menus open."""
MULTITHREADED = 0  # COINIT_MULTITHREADED
MOST_NODES = 3000


class UiAutomation:
    name = "UI Automation"

    def begin(self, deadline_s: float, pid: int | None) -> Future[Snapshot]:
        """Starts a walk; the future is done at the deadline at the latest."""
        walk = Walk(pid)
        threading.Thread(target=walk.run, name="fingerpost-ui-automation", daemon=True).start()
        timer = threading.Timer(deadline_s, walk.finish, (False,))
        timer.daemon = True
        timer.start()
        return walk.future

    def problem(self) -> str | None:
        if sys.platform != "win32":
            return "this is not Windows"
        return None if find_spec("comtypes") else "the Python package comtypes is not installed"

    def enable(self) -> bool:
        """Nothing to switch on: Windows asks programs when somebody looks."""
        return self.problem() is None

    def prepare(self) -> None:
        """Loads the library in the background: its first use takes seconds, since comtypes writes its wrappers."""
        threading.Thread(target=_automation, name="fingerpost-ui-automation", daemon=True).start()


class Walk:
    """One reading of the foreground window. What has been read is handed over at any time."""

    def __init__(self, pid: int | None) -> None:
        self.future: Future[Snapshot] = Future()
        self._pid = pid
        self._start = time.perf_counter()
        self._lock = threading.Lock()
        self._nodes: list[AccessibleNode] = []
        self._app = ""
        self._window = ""

    def run(self) -> None:
        with suppress(Exception):  # comtypes raises COMError and OSError; a snapshot is what has been read till then
            self._read()
            self.finish(True)
        self.finish(False)

    def finish(self, complete: bool) -> None:
        """Hands over what has been read; the first call counts."""
        with self._lock:
            if not self.future.done():
                elapsed = (time.perf_counter() - self._start) * 1000
                self.future.set_result(Snapshot(tuple(self._nodes), complete, self._app, self._window, elapsed))

    def _read(self) -> None:
        automation = _automation()
        handles = windows_to_read(self._pid)
        if automation is None or not handles:
            return
        be_aware_of_scaling()
        for index, handle in enumerate(handles):
            window = automation.ElementFromHandleBuildCache(handle, _request(automation, ELEMENT_AND_CHILDREN))
            node = self._add(window, ())
            if node is None:
                continue
            if index == 0:
                self._window = node.name
            self._read_parts(automation, window, node.role)

    def _read_parts(self, automation: Any, window: Any, role: str) -> None:
        """The window's parts, one call each, so that something has arrived when the deadline comes."""
        request = _request(automation, SUBTREE)
        for part in _cached_children(window):
            if self.future.done() or len(self._nodes) > MOST_NODES:
                return
            with suppress(OSError):  # COMError: this part is gone
                self._add_all(part.BuildUpdatedCache(request), (role,))

    def _add_all(self, element: Any, parents: tuple[str, ...]) -> None:
        node = self._add(element, parents)
        role = words.kind(int(element.CachedControlType), parents) if node is None else node.role
        if node is not None and node.role == CLOSED_COMBO and "expanded" not in node.states:
            return
        for child in _cached_children(element):
            self._add_all(child, (*parents, role))

    def _add(self, element: Any, parents: Sequence[str]) -> AccessibleNode | None:
        node = words.node(_properties(element), parents)
        if node is not None:
            with self._lock:
                self._nodes.append(node)
        return node


def _automation() -> Any | None:
    """The entry to UI Automation for this thread; None elsewhere than on Windows."""
    if sys.platform != "win32":
        return None
    import_module("comtypes").CoInitializeEx(MULTITHREADED)
    client = import_module("comtypes.client")
    core = client.GetModule("UIAutomationCore.dll")
    return client.CreateObject(core.CUIAutomation, interface=core.IUIAutomation)


def _request(automation: Any, scope: int) -> Any:
    request = automation.CreateCacheRequest()
    for identifier in words.PROPERTIES:
        request.AddProperty(identifier)
    request.TreeScope = scope
    request.TreeFilter = automation.ControlViewCondition
    return request


def _cached_children(element: Any) -> list[Any]:
    children = element.GetCachedChildren()
    return [children.GetElement(index) for index in range(children.Length)] if children else []


def _properties(element: Any) -> Mapping[int, Any]:
    values = {identifier: element.GetCachedPropertyValue(identifier) for identifier in words.PROPERTIES}
    rectangle = element.CachedBoundingRectangle  # a RECT; as a property value it is left, top, width, height
    values[words.RECTANGLE] = (rectangle.left, rectangle.top, rectangle.right, rectangle.bottom)
    return values


def windows_to_read(pid: int | None) -> list[int]:
    """Handles of the foreground window, or the topmost one of a process, and of the menus that it has open."""
    if sys.platform != "win32":  # type checkers on other systems know no user32
        return []
    user32 = ctypes.windll.user32
    tops: list[int] = []

    def visit(handle: int, _: int) -> bool:
        if user32.IsWindowVisible(handle) and not user32.IsIconic(handle):
            tops.append(handle)
        return True

    user32.EnumWindows(ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(visit), 0)
    foreground = user32.GetForegroundWindow()
    wanted = _process_of(user32, foreground) if pid is None else pid
    if wanted == os.getpid() and pid is None:
        return []
    own = [handle for handle in tops if _process_of(user32, handle) == wanted]
    windows = [handle for handle in own if _class_of(user32, handle) != MENU_CLASS]
    main = foreground if foreground in windows else next(iter(windows), None)
    menus = [handle for handle in own if handle not in windows]
    return [] if main is None else [main, *menus]


def _process_of(user32: Any, handle: int) -> int:
    number = ctypes.c_ulong(0)
    user32.GetWindowThreadProcessId(handle, ctypes.byref(number))
    return number.value


def _class_of(user32: Any, handle: int) -> str:
    name = ctypes.create_unicode_buffer(64)
    user32.GetClassNameW(handle, name, len(name))
    return name.value
