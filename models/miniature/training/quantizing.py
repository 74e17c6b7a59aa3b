"""Stores a language model in fewer bits, as llama.cpp does it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llama_cpp


def to_q4_k_m(model: Path, out: Path) -> Path:
    """Writes `model` as Q4_K_M: K-quants where a tensor's rows are whole blocks of 256, else the next larger kind.

    Raises `OSError` when llama.cpp refuses.
    """
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M
    parameters.allow_requantize = True
    if llama_cpp.llama_model_quantize(str(model).encode(), str(out).encode(), ctypes.byref(parameters)):
        raise OSError(f"{model} cannot be stored as Q4_K_M.")
    return out
