"""Fingerpost finds on the screen what you say you want to click."""
