"""The engine in a process of its own: it may crash or hang, and the program that asks goes on.

`EngineProcess` is what a program uses; what it reports are the events of `messages`.
"""

from __future__ import annotations

from fingerpost.engine.process.engine_process import EngineProcess
from fingerpost.engine.process.limits import Limits
from fingerpost.engine.process.messages import Answered, Event, Failed, Loading, Ready, Restarted, Seen

__all__ = ["Answered", "EngineProcess", "Event", "Failed", "Limits", "Loading", "Ready", "Restarted", "Seen"]
