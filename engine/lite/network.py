"""Runs the lite engine's own models on ONNX Runtime, on the processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnxruntime

from fingerpost.engine.errors import ModelError
from fingerpost.models import files
from fingerpost.models.errors import ModelFileError

Tensor = npt.NDArray[np.float32]


class Network:
    """A network with one input and one output. `threads` of ONNX Runtime work on each call.

    Raises `ModelError` when the model file `name` is missing, damaged or refused by ONNX Runtime.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        content = read_model(name)
        try:
            self._session = onnxruntime.InferenceSession(content, _options(threads), ["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's own errors share no other base class
            raise ModelError(f"ONNX Runtime refuses the model file {name}.", "Install Fingerpost again.") from error
        self._input = self._session.get_inputs()[0].name

    def __call__(self, batch: Tensor) -> Tensor:
        """The output for a batch; the model's README gives both shapes."""
        return np.asarray(self._session.run(None, {self._input: batch})[0], np.float32)


def read_model(name: str) -> bytes:
    """The checked content of a model file, see `fingerpost.models.files`. Raises `ModelError`."""
    try:
        return files.read(name)
    except ModelFileError as error:
        raise ModelError(error.message, error.hint) from error


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin while they wait steal time from whatever else the machine is doing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The arena would keep the memory of the largest batch for good.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return options
