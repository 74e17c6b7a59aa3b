"""What can go wrong at a portal. A user who says no is a normal answer: `RefusedError`."""

from __future__ import annotations

from fingerpost.engine.errors import FingerpostError


class PortalError(FingerpostError):
    """The portal is missing, failed, or does not answer."""


class RefusedError(PortalError):
    """The user said no, or closed the dialogue."""
