"""Runs the lite engine's own models on ONNX Runtime; see `devices` for where."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnxruntime

from fingerpost.engine.errors import ModelError
from fingerpost.engine.lite import devices
from fingerpost.models import files
from fingerpost.models.errors import ModelFileError

Tensor = npt.NDArray[np.float32]

TRIAL_SIZE = 64
"""Pixels; each network takes a picture of this height and width where it leaves them open."""


class Network:
    """A network with one input and one output, on the device that `devices.on_device` says.

    threads  processor threads of ONNX Runtime for each call
    device   "cpu" or "cuda": where it really runs; a graphics card that fails is replaced by the processor at any time

    Raises `ModelError` when the model file `name` is missing, damaged or refused by ONNX Runtime.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        self._name = name
        self._threads = threads
        self._placement = devices.current()
        self._open()
        if self.device == "cuda":
            shape = self._session.get_inputs()[0].shape
            self(np.zeros(trial_shape(shape), np.float32))

    @property
    def device(self) -> str:
        return devices.device_of(self._session)

    def __call__(self, batch: Tensor) -> Tensor:
        """The output for a batch; the model's README gives both shapes."""
        try:
            return self._run(batch)
        except Exception as error:  # ONNX Runtime's own errors share no other base class
            if self.device == "cpu":
                raise
            self._placement.fall_back(devices.explain(error))
            self._open()
            return self._run(batch)

    def _open(self) -> None:
        content = read_model(self._name)
        try:
            self._session = devices.open_session(content, _options(self._threads), self._placement)
        except Exception as error:
            raise ModelError(
                f"ONNX Runtime refuses the model file {self._name}.", "Install Fingerpost again."
            ) from error
        self._input = self._session.get_inputs()[0].name

    def _run(self, batch: Tensor) -> Tensor:
        return np.asarray(self._session.run(None, {self._input: batch})[0], np.float32)


def trial_shape(shape: list[int | str | None]) -> tuple[int, ...]:
    """One small picture for an input of (batch, channels, height, width), of which names and None are left open."""
    batch, *rest = (size if isinstance(size, int) and size > 0 else None for size in shape)
    return (batch or 1, *(size or TRIAL_SIZE for size in rest))


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
