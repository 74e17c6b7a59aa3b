"""Short words for declaring a Wayland interface with pywayland."""

from __future__ import annotations

from typing import Any

from pywayland.protocol_core.argument import Argument
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy
from pywayland.scanner.argument import ArgumentType

INT = Argument(ArgumentType.Int)
UINT = Argument(ArgumentType.Uint)
FIXED = Argument(ArgumentType.Fixed)
TEXT = Argument(ArgumentType.String)
FILE = Argument(ArgumentType.FileDescriptor)


def new(interface: type[Interface]) -> Argument:
    """An object that the request creates."""
    return Argument(ArgumentType.NewId, interface=interface)


def known(interface: type[Interface], or_none: bool = False) -> Argument:
    """An object that exists already."""
    return Argument(ArgumentType.Object, interface=interface, nullable=or_none)


def events(interface: type[Interface], *declared: tuple[str, tuple[Argument, ...]]) -> None:
    """Declare what the compositor tells: names with their arguments, in the protocol's order."""
    for name, arguments in declared:

        def told() -> None:
            """Only its name is used."""

        told.__name__ = name
        interface.event(*arguments)(told)


def finish(interface: type[Interface], proxy: type[Proxy[Any]]) -> None:
    """Hand the declaration to libwayland, once all its messages are known."""
    interface._gen_c()
    interface.proxy_class = proxy
