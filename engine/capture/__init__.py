"""Captures the desktop, a monitor, a window or a region with the first way that works here."""

from __future__ import annotations

from fingerpost.engine.capture import blank
from fingerpost.engine.capture.handler import Handler
from fingerpost.engine.capture.macos import MacOS
from fingerpost.engine.capture.sources import Desktop, Region, Screen, Source, Window, WindowInfo
from fingerpost.engine.capture.wayland_grim import WaylandGrim
from fingerpost.engine.capture.wayland_portal import WaylandPortal
from fingerpost.engine.capture.wayland_screencopy import WaylandScreencopy
from fingerpost.engine.capture.windows import Windows
from fingerpost.engine.capture.x11 import X11
from fingerpost.engine.errors import CaptureError, UsageError
from fingerpost.engine.geometry import Layout, Monitor
from fingerpost.engine.values import Box, Frame

__all__ = [
    "Desktop",
    "Region",
    "Screen",
    "Source",
    "Window",
    "WindowInfo",
    "capture",
    "handler",
    "handlers",
    "monitors",
    "windows",
]

HANDLERS: tuple[Handler, ...] = (
    Windows(),
    MacOS(),
    WaylandScreencopy(),
    WaylandGrim(),
    WaylandPortal(),
    X11(),
)
"""The ways to capture, the preferred one first. On each system all but one or two say that they cannot work."""

LONGEST_TITLE = 80
"""Characters of a window's title in a message."""


def handlers() -> tuple[tuple[Handler, str | None], ...]:
    """Every way to capture with its problem, None where it works."""
    return tuple((one, one.problem()) for one in HANDLERS)


def handler() -> Handler:
    """The first way that works here. Raises `CaptureError` with the nearest one's problem and hint."""
    problems: list[tuple[Handler, str]] = []
    for one in HANDLERS:  # one by one: asking a way that is not needed costs time
        problem = one.problem()
        if problem is None:
            return one
        problems.append((one, problem))
    near = [
        (one, problem) for one, problem in problems if not problem.startswith(("this is not", "no Wayland session"))
    ]
    one, problem = (near or problems)[0]
    raise CaptureError(f"The screen cannot be captured: {problem}.", f"{one.hint} Or use --image with a picture.")


def monitors() -> Layout:
    """The monitors. Raises `CaptureError` where the screen cannot be captured."""
    return handler().layout()


def windows() -> tuple[WindowInfo, ...]:
    """The windows, topmost first. Raises `CaptureError` where the screen cannot be captured."""
    return handler().windows()


def capture(source: Source) -> Frame:
    """A frame of what was asked for.

    Raises `UsageError` when there is no such monitor, window or region, and `CaptureError` when the screen cannot be
    captured or the capture is blank.
    """
    way = handler()
    layout = way.layout()
    box, title = _place(source, way, layout)
    pixels = way.grab(box)
    if not pixels.size:
        raise CaptureError(f"The capture of {title} is empty.", "Try again.")
    blank.check(pixels, title, one_colour_is_fine=isinstance(source, Window | Region))
    per_unit = pixels.shape[1] / box.width
    return Frame(pixels, (box.x, box.y), _scale(layout, box, pixels.shape[1]), title, per_unit)


def _scale(layout: Layout, box: Box, captured_width: int) -> float | None:
    """Captured pixels per logical unit of the monitor under the middle of the box."""
    x, y = box.centre
    scale = next((m.scale for m in layout.monitors if m.box.contains(x, y)), None)
    return None if scale is None else scale * captured_width / box.width


def _place(source: Source, way: Handler, layout: Layout) -> tuple[Box, str]:
    """The part of the desktop that a source is, cut to the desktop, and what to call it."""
    if isinstance(source, Desktop):
        return layout.bounds, "the desktop"
    if isinstance(source, Screen):
        monitor = _find_monitor(source.which, layout)
        return monitor.box, f"monitor {monitor.number}"
    if isinstance(source, Window):
        window = _find_window(source.title, way)
        return _cut(window.box, layout, f"The window “{_shown(window.title)}”"), f"the window “{_shown(window.title)}”"
    box = Box(source.x, source.y, source.width, source.height)
    if box.width <= 0 or box.height <= 0:
        raise UsageError("The region has no area.", "Give a width and a height above 0.")
    return _require_inside(box, layout), "the region"


def _find_monitor(which: int | str, layout: Layout) -> Monitor:
    """By number, by its whole name, or by a part of the name that only one has."""
    monitors = layout.monitors
    if isinstance(which, int):
        fitting = [m for m in monitors if m.number == which]
    else:
        wanted = which.casefold()
        fitting = [m for m in monitors if m.name.casefold() == wanted]
        fitting = fitting or [m for m in monitors if wanted in m.name.casefold()]
    if len(fitting) == 1:
        return fitting[0]
    there = ", ".join(f"{m.number} ({m.name})" for m in monitors)
    said = f"{len(fitting)} monitors are called" if fitting else "There is no monitor"
    name = which if isinstance(which, int) else f"“{which}”"
    raise UsageError(
        f"{said} {name}: this desktop has {len(monitors)}, {there}.",
        "Use a number, or a name as “fingerpost screens” has it.",
    )


def _require_inside(region: Box, layout: Layout) -> Box:
    """A region that reaches beyond the desktop is a slip in a number; cutting it would hide that."""
    bounds = layout.bounds
    if region.intersection(bounds) != region:
        raise UsageError(
            f"The region {_numbers(region)} reaches beyond the desktop.",
            f"The desktop is {_numbers(bounds)} (x,y,width,height).",
        )
    return region


def _numbers(box: Box) -> str:
    return ",".join(map(str, box))


def _cut(box: Box, layout: Layout, what: str) -> Box:
    bounds = layout.bounds
    inside = box.intersection(bounds)
    if not inside.area:
        raise UsageError(
            f"{what} is outside of the desktop.",
            f"The desktop is {bounds.width} × {bounds.height} pixels at {bounds.x},{bounds.y}.",
        )
    return inside


def _find_window(title: str, way: Handler) -> WindowInfo:
    """The topmost window with that title; one that is not minimised if there is one."""
    if not title.strip():
        raise UsageError("The window's title is empty.", "Give a part of it.")
    all_windows = way.windows()
    fitting = [w for w in all_windows if title.casefold() in w.title.casefold()]
    for window in fitting:
        if not window.minimised:
            return window
    if fitting:
        raise UsageError(
            f"The window “{_shown(fitting[0].title)}” is minimised or on another workspace.", "Open it first."
        )
    titles = ", ".join(f"“{_shown(w.title)}”" for w in all_windows[:5])
    raise UsageError(
        f"No window has “{title}” in its title.", f"Open are: {titles}." if titles else "No window titles can be read."
    )


def _shown(title: str) -> str:
    """A title for a message: other programs choose it, so it may be very long or hold commands to a terminal."""
    plain = "".join(char if char.isprintable() else " " for char in title)
    return plain if len(plain) <= LONGEST_TITLE else f"{plain[: LONGEST_TITLE - 1]}…"
