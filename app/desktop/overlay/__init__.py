"""Points at places on the screen without being in the way: no click and no key ever lands on it."""

from __future__ import annotations

from fingerpost.app.desktop.overlay.overlay import Overlay
from fingerpost.app.desktop.overlay.painting import image, paint
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook

__all__ = ["Mark", "Overlay", "OverlayLook", "image", "paint"]
