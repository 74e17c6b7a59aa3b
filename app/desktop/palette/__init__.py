"""The palette: one line to say what to click, candidates below it."""

from __future__ import annotations

from fingerpost.app.desktop.palette.palette import Palette

__all__ = ["Palette"]
