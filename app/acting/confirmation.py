"""When Enter alone is enough."""

from __future__ import annotations

from fingerpost.app.settings.values import Settings
from fingerpost.app.windowing.values import WindowAt
from fingerpost.engine.values import Answer

CERTAIN = 0.9
"""Confidence from which on a click needs no look at the ring first: 9 of 10 is the least anyone would accept."""


def needs_confirmation(settings: Settings, window: WindowAt | None, answer: Answer) -> bool:
    """Whether the user has to agree to this click. Only a certain answer in an allowed program needs no question."""
    allowed = {name.strip().casefold() for name in settings.allowed_apps} - {""}
    if window is None or not allowed & {name.casefold() for name in window.names | {window.app}}:
        return True
    return not answer.found or answer.ambiguous or not answer.targets or answer.targets[0].confidence < CERTAIN
