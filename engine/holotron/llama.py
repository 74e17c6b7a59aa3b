"""llama.cpp through the low-level API of llama-cpp-python: a model, a context, and what goes in and out of it.

The high-level class cannot set `n_seq_max`, clears the context at each question, and loses pictures
when it saves the state of a hybrid model. So this file calls the library itself. Every refusal becomes a
`ModelError`; a False of the library is never ignored.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp as lib
import numpy as np
import numpy.typing as npt

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.header import check_language, read_header

Embeddings = npt.NDArray[np.float32]
"""Shape (tokens, n_embd), dtype float32: what the vision projector gives in place of tokens."""
Logits = npt.NDArray[np.float32]
"""Shape (n_vocab,), dtype float32."""
State = npt.NDArray[np.uint8]
"""A sequence's state as the library writes it, shape (bytes,)."""
Positions = npt.NDArray[np.int32]
"""One a token; for a picture in columns four of them: time, row, column, nothing, each of all embeddings."""

PARTIAL = 1  # LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY: the recurrent part, without the attention's keys and values
WHOLE = 0
NO_SLOT = 1  # what llama_decode returns when the context is full
ALL_LAYERS = -1
KV_TYPES = {"f16": lib.GGML_TYPE_F16, "q8_0": lib.GGML_TYPE_Q8_0, "q4_0": lib.GGML_TYPE_Q4_0}
"""How keys and values may be stored: 16, 8.5 and 4.5 bits each."""


class ContextFullError(ModelError):
    """There is no room for more tokens in the context."""


class StoppedError(ModelError):
    """The evaluation was cancelled, between two batches or between two tokens of an answer."""


def go_on(stopped: Callable[[], bool]) -> None:
    """Raises `StoppedError` when `stopped` says so."""
    if stopped():
        raise StoppedError("The question was cancelled.", "Ask again.")


class _Log:
    """The last lines that the library logged; a failed load is explained by them."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=2000)
        self._lock = threading.Lock()
        self._callback = lib.llama_log_callback(self._write)  # the library keeps only a pointer

    def install(self) -> None:
        lib.llama_log_set(self._callback, ctypes.c_void_p(0))
        from llama_cpp import mtmd_cpp

        mtmd_cpp.mtmd_log_set(self._callback, ctypes.c_void_p(0))
        mtmd_cpp.mtmd_helper_log_set(self._callback, ctypes.c_void_p(0))

    def _write(self, level: int, words: bytes, _user_data: Any) -> None:
        with self._lock:
            self.lines.append(words.decode("utf-8", errors="replace").rstrip("\n"))

    def last_error(self) -> str:
        """The last line that names an error, "" when none does."""
        for line in reversed(self.lines):
            if any(word in line.lower() for word in ("error", "failed", "invalid", "unknown", "unable")):
                return line.strip()
        return ""

    def says(self, words: Sequence[str]) -> bool:
        """Whether any line has any of the words."""
        return any(word in line.lower() for line in self.lines for word in words)


LOG = _Log()
OUT_OF_MEMORY = ("out of memory", "unable to allocate", "failed to allocate", "alloc_buffer failed")
_started = threading.Lock()
_is_started: list[bool] = []


def start_backend() -> None:
    """Load the library's devices once."""
    with _started:
        if not _is_started:
            LOG.install()
            lib.llama_backend_init()
            _is_started.append(True)


def has_gpu() -> bool:
    """Whether this build of llama.cpp can put a model on a graphics card."""
    start_backend()
    return bool(lib.llama_supports_gpu_offload())


@dataclass(frozen=True)
class ModelOptions:
    """`gpu_layers`: so many layers are put on the GPU; `ALL_LAYERS` is all of them."""

    gpu_layers: int = ALL_LAYERS


@dataclass(frozen=True)
class ContextOptions:
    """`n_ctx` tokens for each of `n_seq_max` sequences.

    Each sequence has keys and values of its own (`kv_unified` off). Sharing one memory would save some, but then the
    place of a token in it, and with it the order of sums, depends on what was asked before: the same question would
    not give the same logits, bit for bit.

    kv_type  how keys and values are stored, one of `KV_TYPES`; all but "f16" need `flash_attention`
    """

    n_ctx: int = 8192
    n_batch: int = 2048
    n_ubatch: int = 512
    n_seq_max: int = 4
    threads: int = 1
    flash_attention: bool = False
    kv_type: str = "f16"


class Model:
    """The weights. Raises `ModelError` when the file is missing, cut, or not of a known architecture.

    progress  called with 0..1 while loading; return False to cancel
    """

    def __init__(
        self,
        path: Path,
        options: ModelOptions | None = None,
        progress: Callable[[float], bool] | None = None,
    ) -> None:
        start_backend()
        self.path = path
        chosen = options or ModelOptions()
        parameters = lib.llama_model_default_params()
        parameters.n_gpu_layers = chosen.gpu_layers
        check_language(read_header(path))
        self._progress = lib.llama_progress_callback(lambda share, _: progress(share) if progress else True)
        parameters.progress_callback = self._progress
        LOG.lines.clear()
        self.handle = lib.llama_model_load_from_file(os.fsencode(path), parameters)
        if not self.handle:
            raise _load_error(path)
        self.vocabulary = lib.llama_model_get_vocab(self.handle)
        self.n_embd = int(lib.llama_model_n_embd(self.handle))
        self.n_embd_in = int(lib.llama_model_n_embd_inp(self.handle))
        self.n_vocab = int(lib.llama_vocab_n_tokens(self.vocabulary))
        self.n_layer = int(lib.llama_model_n_layer(self.handle))
        self.is_hybrid = bool(lib.llama_model_is_hybrid(self.handle))
        self.is_recurrent = bool(lib.llama_model_is_recurrent(self.handle)) and not self.is_hybrid

    @property
    def can_trim(self) -> bool:
        """Whether the end of a sequence can be taken back: not where a recurrent state has moved on."""
        return not (self.is_hybrid or self.is_recurrent)

    def tokenize(self, text: str, markers: bool = True) -> tuple[int, ...]:
        """Token ids of `text`; nothing is put in front. With `markers`, words such as `<img>` count as their tokens;
        without, as in what a user wrote, they are only letters."""
        raw = text.encode(errors="replace")  # a command line may hold bytes that are no letters
        out = (lib.llama_token * (len(raw) + 8))()
        count = lib.llama_tokenize(self.vocabulary, raw, len(raw), out, len(out), False, markers)
        if count < 0:
            raise ModelError("The text cannot be cut into tokens.", "Ask in other words.")
        return tuple(out[:count])

    def piece(self, token: int) -> bytes:
        """The bytes a token stands for; a marker's name stays out."""
        buffer = ctypes.create_string_buffer(64)
        count = lib.llama_token_to_piece(self.vocabulary, token, buffer, len(buffer), 0, False)
        if count < 0:
            buffer = ctypes.create_string_buffer(-count)
            count = lib.llama_token_to_piece(self.vocabulary, token, buffer, len(buffer), 0, False)
        return buffer.raw[:count]

    def ends(self, token: int) -> bool:
        """Whether the model says with this token that it has finished."""
        return bool(lib.llama_vocab_is_eog(self.vocabulary, token))

    def close(self) -> None:
        """Free the weights. Safe to call twice; contexts must be closed before."""
        if self.handle:
            lib.llama_model_free(self.handle)
            self.handle = None


class Context:
    """Sequences being evaluated. Positions count tokens from 0; embeddings take one position each."""

    def __init__(self, model: Model, options: ContextOptions | None = None) -> None:
        self.model = model
        self.options = options or ContextOptions()
        self._check_options()
        self.handle = lib.llama_init_from_model(model.handle, self._parameters())
        if not self.handle:
            if LOG.says(OUT_OF_MEMORY):
                raise no_room(f"{model.path.name} with a context of {self.options.n_ctx:,} tokens")
            raise ModelError(
                f"The model's context of {self.options.n_ctx:,} tokens could not be made ({LOG.last_error()}).",
                "Choose a smaller context or a smaller model.",
            )
        self._memory = lib.llama_get_memory(self.handle)

    def _check_options(self) -> None:
        chosen, trained = self.options, int(lib.llama_model_n_ctx_train(self.model.handle))
        if chosen.n_ctx > trained:
            raise ModelError(
                f"A context of {chosen.n_ctx:,} tokens is more than {self.model.path.name} can use ({trained:,}).",
                "Choose a smaller context.",
            )
        if chosen.kv_type not in KV_TYPES:
            raise ModelError(
                f"Keys and values cannot be stored as {chosen.kv_type!r}.", f"Choose one of: {', '.join(KV_TYPES)}."
            )
        if chosen.kv_type != "f16" and not chosen.flash_attention:
            raise ModelError(
                f"Keys and values in {chosen.kv_type} need flash attention, which is off.",
                "Switch flash attention on, or keep them in f16.",
            )

    def _parameters(self) -> Any:
        chosen = self.options
        parameters = lib.llama_context_default_params()
        parameters.n_ctx = chosen.n_ctx * chosen.n_seq_max
        parameters.n_batch = chosen.n_batch
        parameters.n_ubatch = min(chosen.n_ubatch, chosen.n_batch)
        parameters.n_seq_max = chosen.n_seq_max
        parameters.kv_unified = False
        parameters.n_threads = parameters.n_threads_batch = chosen.threads
        parameters.flash_attn_type = int(chosen.flash_attention)
        parameters.type_k = parameters.type_v = KV_TYPES[chosen.kv_type]
        parameters.no_perf = True
        return parameters

    def decode(
        self,
        items: Sequence[int] | Embeddings,
        n_past: int,
        seq: int = 0,
        want_logits: bool = False,
        stopped: Callable[[], bool] = lambda: False,
        columns: int = 0,
    ) -> int:
        """Evaluate tokens or embeddings at the end of a sequence; returns the new `n_past`.

        With `columns` the embeddings are a picture's, row by row, and all belong to the one position `n_past`; the
        returned value is then of no use.

        Raises `ContextFullError` when they do not fit, and `StoppedError` when `stopped` says so between two batches.
        In both cases the sequence has to be restored or dropped.
        """
        step = self.options.n_batch
        for first in range(0, len(items), step):
            if first:
                go_on(stopped)
            part = items[first : first + step]
            positions = _grid_positions(n_past, first, len(part), columns) if columns else _positions(n_past, len(part))
            self._decode_batch(part, positions, seq, want_logits and first + step >= len(items))
            n_past += 0 if columns else len(part)
        return n_past

    def _decode_batch(
        self, items: Sequence[int] | Embeddings, positions: Positions, seq: int, want_logits: bool
    ) -> None:
        embedded = isinstance(items, np.ndarray)
        count = len(items)
        batch = lib.llama_batch_init(count, self.model.n_embd_in if embedded else 0, 1)
        own = ctypes.cast(batch.pos, ctypes.c_void_p).value  # the library allocates one position a token
        try:
            batch.pos = positions.ctypes.data_as(ctypes.POINTER(lib.llama_pos))
            batch.n_tokens = count
            if isinstance(items, np.ndarray):
                ctypes.memmove(
                    batch.embd, np.ascontiguousarray(items, np.float32).ctypes.data, count * items.shape[1] * 4
                )
            else:
                for number, token in enumerate(items):
                    batch.token[number] = token
            for number in range(count):
                batch.n_seq_id[number] = 1
                batch.seq_id[number][0] = seq
                batch.logits[number] = int(want_logits and number == count - 1)
            status = lib.llama_decode(self.handle, batch)
        finally:
            batch.pos = ctypes.cast(ctypes.c_void_p(own), ctypes.POINTER(lib.llama_pos))
            lib.llama_batch_free(batch)
        if status == NO_SLOT:
            raise ContextFullError(
                f"The context of {self.options.n_ctx:,} tokens is full.", "Set FINGERPOST_CONTEXT to more."
            )
        if status != 0:
            raise ModelError(f"The model could not evaluate its input (code {status}).", "Ask again.")

    def logits(self) -> Logits:
        """Of the last item that was evaluated with `want_logits`; a copy."""
        pointer = lib.llama_get_logits_ith(self.handle, -1)
        return np.ctypeslib.as_array(pointer, (self.model.n_vocab,)).copy()

    def wait(self) -> None:
        """Until all that was given has been evaluated: a graphics card works on while the program goes on."""
        lib.llama_synchronize(self.handle)

    def copy(self, source: int, target: int) -> None:
        """Let `target`, which must be empty, go on from where `source` is; copied at the next evaluation."""
        lib.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def drop(self, seq: int) -> None:
        """Forget a sequence."""
        if not lib.llama_memory_seq_rm(self._memory, seq, -1, -1):
            raise ModelError("The model's memory could not be freed.", "Restart Fingerpost.")

    def trim(self, seq: int, n_past: int) -> None:
        """Keep only the first `n_past` positions. Raises `ModelError` where the recurrent state has moved on."""
        if not lib.llama_memory_seq_rm(self._memory, seq, n_past, -1):
            raise ModelError("This model's state cannot be taken back.", "Restart Fingerpost.")

    def length(self, seq: int) -> int:
        """How many positions a sequence has."""
        return int(lib.llama_memory_seq_pos_max(self._memory, seq)) + 1

    def save(self, seq: int, flags: int) -> State:
        """The state of a sequence in host memory: `PARTIAL` or `WHOLE`."""
        data = np.empty(self.state_bytes(seq, flags), np.uint8)  # the 12B's is 144 MiB: neither cleared nor copied
        written = lib.llama_state_seq_get_data_ext(self.handle, _bytes_of(data), len(data), seq, flags)
        if written != len(data):
            raise ModelError("The model's state could not be saved.", "Restart Fingerpost.")
        return data

    def restore(self, seq: int, data: State, flags: int) -> None:
        """Put a saved state into a sequence. After `PARTIAL` the caller must `trim` to the length it was saved at."""
        if lib.llama_state_seq_set_data_ext(self.handle, _bytes_of(data), len(data), seq, flags) != len(data):
            raise ContextFullError("The model's state could not be restored.", "Ask again.")

    def state_bytes(self, seq: int, flags: int = WHOLE) -> int:
        """How large `save` would be."""
        return int(lib.llama_state_seq_get_size_ext(self.handle, seq, flags))

    def clear(self) -> None:
        """Forget all sequences."""
        lib.llama_memory_clear(self._memory, True)

    def close(self) -> None:
        """Free the context. Safe to call twice."""
        if self.handle:
            lib.llama_free(self.handle)
            self.handle = None


def _bytes_of(data: State) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))


def _positions(n_past: int, count: int) -> Positions:
    return np.arange(n_past, n_past + count, dtype=np.int32)


def _grid_positions(n_past: int, first: int, count: int, columns: int) -> Positions:
    """Of the embeddings from `first` on of a picture that begins at `n_past`."""
    row, column = np.divmod(np.arange(first, first + count, dtype=np.int32), columns)
    time = np.full(count, n_past, np.int32)
    return np.ascontiguousarray(np.concatenate([time, time + row, time + column, np.zeros_like(time)]), np.int32)


def no_room(what: str) -> ModelError:
    """There is too little memory, on the graphics card or beside it."""
    return ModelError(
        f"There is not enough memory for {what}.", "Choose a smaller file of the model, or put fewer layers on the GPU."
    )


def _load_error(path: Path) -> ModelError:
    if LOG.says(OUT_OF_MEMORY):
        return no_room(path.name)
    reason = LOG.last_error()
    detail = f" ({reason})" if reason else ""
    return ModelError(f"The model file {path.name} cannot be loaded{detail}.", "Download it again, or choose another.")
