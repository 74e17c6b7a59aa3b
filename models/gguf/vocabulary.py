"""A byte-level vocabulary with the markers of the Nemotron chat template."""

from __future__ import annotations

from dataclasses import dataclass

import gguf

MARKERS = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "<think>",
    "</think>", "<SPECIAL_10>", "<SPECIAL_11>", "<SPECIAL_12>", "<image>", "<img>", "</img>", "<|im_start|>",
    "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
)  # fmt: skip
"""Single tokens. The chat markers have the ids 10 to 12 as in the 12B; Qwen's markers follow for its relatives."""

BOS, EOS, UNKNOWN = 1, 12, 0
CHAT_TEMPLATE = (
    "{{ bos_token }}<SPECIAL_10>System\n\n"
    "{% for message in messages %}<SPECIAL_11>User\n"
    "{% if message.content is string %}{{ message.content }}"
    "{% else %}{% for part in message.content %}{{ part.text }}{% endfor %}{% endif %}\n"
    "{% endfor %}<SPECIAL_11>Assistant\n<think></think>"
)
"""The shape of a Nemotron conversation, for programs that take the template from the file; Fingerpost does not."""


@dataclass(frozen=True)
class Vocabulary:
    tokens: tuple[str, ...]
    kinds: tuple[int, ...]


def byte_vocabulary(size: int = 0) -> Vocabulary:
    """The markers, the 256 bytes, one merge, and padding up to `size` and to a multiple of 8."""
    tokens = [*MARKERS, *byte_tokens(), "th"]
    kinds = [gguf.TokenType.CONTROL] * len(MARKERS) + [gguf.TokenType.NORMAL] * 257
    while len(tokens) % 8 or len(tokens) < size:
        tokens.append(f"[PAD{len(tokens)}]")
        kinds.append(gguf.TokenType.UNUSED)
    return Vocabulary(tuple(tokens), tuple(int(kind) for kind in kinds))


def byte_tokens() -> list[str]:
    """GPT-2's printable names of the 256 bytes."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = [byte for byte in range(256) if byte not in printable]
    return [chr(byte) if byte in printable else chr(256 + others.index(byte)) for byte in range(256)]


def add_vocabulary(writer: gguf.GGUFWriter, vocabulary: Vocabulary, end: int = EOS) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(list(vocabulary.tokens))
    writer.add_token_types(list(vocabulary.kinds))
    writer.add_token_merges(["t h"])
    add_markers(writer, end)


def add_markers(writer: gguf.GGUFWriter, end: int = EOS) -> None:
    """Which tokens begin and end, and the chat template."""
    writer.add_bos_token_id(BOS)
    writer.add_eos_token_id(end)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)
