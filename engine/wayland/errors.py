"""What can go wrong between Fingerpost and a compositor."""

from __future__ import annotations

from fingerpost.engine.errors import FingerpostError


class CompositorError(FingerpostError):
    """The compositor does not answer, has hung up, or lacks a protocol."""
