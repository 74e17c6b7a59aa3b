"""Writes what the model is shown and asked, as a path of segments.

The picture stands before the question, and what is the same for all questions stands before what the user wrote: so
all questions about one screen share all but their last segment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fingerpost.engine.holotron.grammar import Form, Number
from fingerpost.engine.holotron.segments import Path, Picture, Text
from fingerpost.engine.values import FrameSize
from fingerpost.models.profiles import Localization, Profile

Tokenize = Callable[[str, bool], tuple[int, ...]]
"""Text → token ids; the flag says whether markers in the text count."""
UNIT_DECIMALS = 4


@dataclass(frozen=True)
class Prompt:
    """Writes the prompts of one model."""

    profile: Profile
    tokenize: Tokenize

    def screen(self, tiles: Sequence[Picture], size: FrameSize) -> Path:
        """All up to the user's words, about a picture of `size` pixels as the model is sent it."""
        template, asking = self.profile.template, self.profile.localization
        head = template.head.replace("{system}", asking.system) + template.picture_begin
        return (self._text(head), *tiles, self._text(template.picture_end + self._before(size)))

    def target(self, words: str) -> Text:
        """The user's words, and all up to the answer. Markers in the words are only letters."""
        after = self.profile.localization.question.partition("{target}")[2]
        ending = self.tokenize(after + self.profile.template.question_end, True)
        return Text((*self.tokenize(" ".join(words.split()), False), *ending))

    def next_question(self, size: FrameSize) -> Path:
        """Behind an answer, up to the user's words: another question about the same picture."""
        return (self._text(self.profile.template.next_turn + self._before(size)),)

    def _before(self, size: FrameSize) -> str:
        asking = self.profile.localization
        before = asking.question.partition("{target}")[0]
        if "{schema}" not in before:
            return before
        form = form_of(asking, size)
        return before.replace("{schema}", json.dumps(_schema(asking.answer.as_json(), form)))

    def _text(self, text: str) -> Text:
        return Text(self.tokenize(text, True))


def form_of(asking: Localization, size: FrameSize) -> Form:
    """The form of the answer about a picture of `size` pixels as the model is sent it."""
    if asking.coordinates == "pixels":
        return Form(Number(size.width), Number(size.height), asking.answer)
    if asking.coordinates == "unit":
        return Form(Number(1, UNIT_DECIMALS), Number(1, UNIT_DECIMALS), asking.answer)
    return Form(Number(1000), Number(1000), asking.answer)


def _schema(value: object, form: Form) -> dict[str, object]:
    """The JSON schema of an answer, or of a part of one."""
    if isinstance(value, dict):
        properties = {name: _schema(part, form) for name, part in value.items()}
        return {"type": "object", "properties": properties, "required": list(value)}
    if isinstance(value, list):
        return {"type": "array", "prefixItems": [_schema(part, form) for part in value]}
    if value not in ("{x}", "{y}"):
        return {"const": value}
    number = form.x if value == "{x}" else form.y
    return {"type": "number" if number.decimals else "integer", "minimum": 0, "maximum": number.most}
