"""Holotron and its siblings on llama.cpp: tiles at full resolution, and state that is kept from turn to turn."""
