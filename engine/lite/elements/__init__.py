"""Interface elements and containers, found by classical image processing."""

from fingerpost.engine.lite.elements.containers import find_containers
from fingerpost.engine.lite.elements.finder import find_elements

__all__ = ["find_containers", "find_elements"]
