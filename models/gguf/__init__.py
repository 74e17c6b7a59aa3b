"""Writes model files with random weights, in the exact architectures that the Holotron engine loads.

They answer nonsense, but with the right keys, tensors and shapes: enough to prove the path through llama.cpp, and to
measure memory and speed.
"""
