"""What a model is asked, and the form of its answer: all from its profile."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fingerpost.engine.holotron.prompt import Prompt, form_of
from fingerpost.engine.holotron.segments import Text
from fingerpost.engine.values import FrameSize
from fingerpost.models.profiles import Localization, Profile, profile_for, profiles
from fingerpost.models.profiles.answer import AnswerForm

SIZE = FrameSize(1024, 512)
WHOLE = {"type": "integer", "minimum": 0, "maximum": 1000}


def schema(answer: str, coordinates: str = "thousandths") -> object:
    """The one in a question for answers in this form; the tokens are the text's bytes."""
    holotron = profile_for("nemotron_h", "holotron")
    asking = replace(holotron.localization, answer=AnswerForm.of(answer), coordinates=coordinates)
    prompt = Prompt(replace(holotron, localization=asking), lambda text, markers: tuple(text.encode()))
    behind = prompt.screen((), SIZE)[-1]
    assert isinstance(behind, Text)
    text = bytes(behind.tokens).decode()
    return json.loads(text.split("nothing else:\n")[1].split("\nYour target")[0])


def test_the_schema_is_that_of_the_form() -> None:
    assert schema('{"x": {x}, "y": {y}}') == {
        "type": "object",
        "properties": {"x": WHOLE, "y": WHOLE},
        "required": ["x", "y"],
    }
    assert schema('{"action": "click", "at": [{x}, {y}]}') == {
        "type": "object",
        "properties": {"action": {"const": "click"}, "at": {"type": "array", "prefixItems": [WHOLE, WHOLE]}},
        "required": ["action", "at"],
    }


def test_the_schema_tells_the_range_of_each_number() -> None:
    assert schema("[{y}, {x}]", "pixels") == {
        "type": "array",
        "prefixItems": [{**WHOLE, "maximum": 512}, {**WHOLE, "maximum": 1024}],
    }
    unit = {"type": "number", "minimum": 0, "maximum": 1}
    assert schema("[{x}, {y}]", "unit") == {"type": "array", "prefixItems": [unit, unit]}


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.key)
def test_the_shipped_models_answer_in_the_form_they_were_trained_in(profile: Profile) -> None:
    form = form_of(profile.localization, SIZE)
    assert json.loads(form.written(0.552, 0.404)) == {"x": 552, "y": 404}
    assert form.matches('{"x": 552, "y": 404}')
    assert form.matches('{"x":552,"y":404}')


@pytest.mark.parametrize("coordinates", ["thousandths", "unit", "pixels"])
def test_a_form_from_the_profile_alone_is_kept_in_all_coordinates(coordinates: str) -> None:
    asking = Localization(coordinates, AnswerForm.of("click({x}, {y})"), True, "", "{target}")
    form = form_of(asking, SIZE)
    text = form.written(0.25, 0.5)
    assert (
        text
        == {"thousandths": "click(250, 500)", "unit": "click(0.2500, 0.5000)", "pixels": "click(256, 256)"}[coordinates]
    )
    assert form.matches(text)
    x, y = form.point(text)
    assert (x / form.x.most, y / form.y.most) == (0.25, 0.5)
