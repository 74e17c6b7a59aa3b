"""Interface elements and containers, found by classical image processing."""

from fingerpost.engine.lite.elements.finder import find_elements

__all__ = ["find_elements"]
