"""The stock way through llama-cpp-python, to compare with: its `MTMDChatHandler`.

It shows the model one view of the screen, shrunk to a single tile, and begins anew at each question.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

from llama_cpp import Llama
from llama_cpp.llama_chat_format import MTMDChatHandler
from PIL import Image

from fingerpost.engine.holotron.llama import ALL_LAYERS
from fingerpost.engine.values import Frame


class StockModel:
    """Answers questions as the high-level class does, with the settings that coordinates need."""

    def __init__(self, model: Path, vision: Path, n_ctx: int, threads: int = 1, on_gpu: bool = True) -> None:
        handler = MTMDChatHandler(str(vision), verbose=False, use_gpu=on_gpu)
        layers = ALL_LAYERS if on_gpu else 0
        self._llama = Llama(
            str(model), chat_handler=handler, n_ctx=n_ctx, n_threads=threads, n_threads_batch=threads,
            n_gpu_layers=layers, verbose=False,
        )  # fmt: skip

    def ask(self, frame: Frame, text: str, tokens: int) -> str:
        """What the model says, of at most so many tokens."""
        picture = {"type": "image_url", "image_url": {"url": _data_url(frame)}}
        messages: Any = [{"role": "user", "content": [picture, {"type": "text", "text": text}]}]
        reply: Any = self._llama.create_chat_completion(
            messages, max_tokens=tokens, temperature=0.0, repeat_penalty=1.0
        )
        return str(reply["choices"][0]["message"]["content"])

    def close(self) -> None:
        """Free the model's memory."""
        self._llama.close()


def _data_url(frame: Frame) -> str:
    buffer = io.BytesIO()
    Image.fromarray(frame.pixels[..., 2::-1]).save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
