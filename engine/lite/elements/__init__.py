"""Interface elements and containers, found by classical image processing."""

from fingerpost.engine.lite.elements.containers import find_containers
from fingerpost.engine.lite.elements.finder import find_elements
from fingerpost.engine.lite.elements.grid import find_grid

__all__ = ["find_containers", "find_elements", "find_grid"]
