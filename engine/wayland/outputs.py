"""The monitors, as the compositor tells them: wl_output for pixels, xdg-output for places in logical units."""

from __future__ import annotations

from typing import Any

from pywayland.protocol.wayland import WlOutput, WlOutputProxy
from pywayland.protocol.xdg_output_unstable_v1 import ZxdgOutputManagerV1

from fingerpost.engine.values import Box, FrameSize
from fingerpost.engine.wayland.connection import Connection
from fingerpost.engine.wayland.space import Output

QUARTER_TURNED = (1, 3, 5, 7)
"""Transforms that swap width and height."""


def read(connection: Connection) -> list[tuple[Output, WlOutputProxy]]:
    """All enabled outputs with their objects, in the compositor's order. Raises `CompositorError`."""
    told = [(proxy, _listen(proxy)) for proxy in connection.bind_all(WlOutput)]
    if connection.offers(ZxdgOutputManagerV1.name):
        manager = connection.bind(ZxdgOutputManagerV1)
        for proxy, facts in told:
            _listen_logical(connection.keep(manager.get_xdg_output(proxy)), facts)
    connection.roundtrip()
    return [(_output(facts, number), proxy) for number, (proxy, facts) in enumerate(told, start=1) if "mode" in facts]


def _listen(output: WlOutputProxy) -> dict[str, Any]:
    """What the output tells, from the next round trip on."""
    facts: dict[str, Any] = {"scale": 1}

    def geometry(_: object, x: int, y: int, *rest: Any) -> None:
        facts["place"], facts["transform"] = (x, y), rest[-1]

    def mode(_: object, flags: int, width: int, height: int, _refresh: int) -> None:
        if flags & WlOutput.mode.current:
            facts["mode"] = (width, height)

    output.dispatcher["geometry"] = geometry
    output.dispatcher["mode"] = mode
    output.dispatcher["scale"] = lambda _, scale: facts.update(scale=scale)
    return facts


def _listen_logical(output: Any, facts: dict[str, Any]) -> None:
    output.dispatcher["logical_position"] = lambda _, x, y: facts.update(place=(x, y))
    output.dispatcher["logical_size"] = lambda _, width, height: facts.update(size=(width, height))
    output.dispatcher["name"] = lambda _, name: facts.update(name=name)


def _output(facts: dict[str, Any], number: int) -> Output:
    width, height = facts["mode"]
    transform = facts.get("transform", 0)
    if transform in QUARTER_TURNED:
        width, height = height, width
    logical = facts.get("size") or (width // facts["scale"], height // facts["scale"])
    name = facts.get("name") or f"Monitor {number}"
    return Output(name, Box(*facts.get("place", (0, 0)), *logical), FrameSize(width, height), transform)
