"""How each model wants to be asked: one TOML file a model, and what was measured on this machine.

A file says to which GGUF files it belongs (`architectures`, `projectors`, `known_as`), how a conversation is written
(`[template]`), how a place is asked for and answered (`[localization]`), and how a screen is shown (`[pictures]`). A
new model needs a new file and no code. What `fingerpost calibrate` found for a file of weights takes precedence.
"""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from fingerpost.models.errors import ModelFileError
from fingerpost.models.profiles.answer import AnswerForm

FOLDER = Path(__file__).parent
COORDINATES = ("thousandths", "unit", "pixels")
"""What a model answers: whole numbers 0..1000, decimals 0..1, or pixels of the picture it was sent."""
SCHEMES = ("grid", "whole")
"""How a screen is shown: as a grid of tiles of one size, or as one picture of any size."""
MOST_TILES = 12
"""Of a grid, as many as are ever measured."""


@dataclass(frozen=True)
class Template:
    """How a conversation is written. Markers are written as the vocabulary names them.

    head           what comes before the first picture; `{system}` is replaced
    picture_begin  before the tiles of a picture
    picture_end    behind them, up to the question
    question_end   behind the question, up to the answer
    next_turn      behind an answer, up to the next question or picture
    """

    head: str
    picture_begin: str
    picture_end: str
    question_end: str
    next_turn: str


@dataclass(frozen=True)
class Localization:
    """How a place is asked for and answered.

    coordinates  one of `COORDINATES`
    answer       its form, such as `click({x}, {y})`: what the model is held to, read by and reminded with. It is plain
                 text: markers around it belong into the template
    grammar      whether the answer is held to the form; without it, it is read as it comes
    question     with `{target}`, and before it `{schema}` where the form's JSON schema is to stand
    least_sure   a model less sure than this of every place has not found the thing, 0..1
    blur         share of the picture's width and height within which two of its answers mean the same place
    fine         the same for its digits: those that leave an answer so near make it no less sure
    surest       it is never told to be surer of a place than this, 0..1; from 0.9 on, it may be clicked unasked where
                 the user allows that
    """

    coordinates: str
    answer: AnswerForm
    grammar: bool
    system: str
    question: str
    least_sure: float = 0.05
    blur: float = 0.02
    fine: float = 0.01
    surest: float = 1.0


@dataclass(frozen=True)
class Pictures:
    """How a screen is shown.

    scheme       one of `SCHEMES`
    max_tiles    most tiles of a grid
    crop_tiles   most tiles of the grid of a second, nearer look
    shrunk       a frame sent smaller than this, of its own size, is worth a second look; so are small things on any
    nearer       a second look shows things at most so many times as large as the first
    least_tokens, most_tokens  of a whole picture
    """

    scheme: str
    crop_tiles: int
    max_tiles: int = 1
    least_tokens: int = 0
    most_tokens: int = 0
    shrunk: float = 0.75
    nearer: float = math.inf


@dataclass(frozen=True)
class Profile:
    """All about one model.

    key       the name of its file, without the ending
    verified  its coordinates were measured, here or by whoever wrote the file
    quick     it is so small that it needs no graphics card
    """

    key: str
    name: str
    architectures: tuple[str, ...]
    projectors: tuple[str, ...]
    known_as: tuple[str, ...]
    verified: bool
    template: Template
    localization: Localization
    pictures: Pictures
    quick: bool = False


@dataclass(frozen=True)
class Calibration:
    """What was measured with a file of weights.

    median_error  of the answers, as a share of the picture's longer side
    hit_rate      share of the answers that lay on the target, 0..1
    """

    coordinates: str
    max_tiles: int
    median_error: float
    hit_rate: float


@cache
def profiles() -> tuple[Profile, ...]:
    """All profiles that ship, by their key. Raises `ModelFileError` when one cannot be read."""
    return tuple(_load(path) for path in sorted(FOLDER.glob("*.toml")))


def profile_for(architecture: str, names: str) -> Profile:
    """The profile of a model file: of its architecture, and with the longest name that `names` contains.

    names  all that is known of the model's name: the entry in its header, the name of its file
    Raises `ModelFileError` when no profile has the architecture.
    """
    fitting = [profile for profile in profiles() if architecture in profile.architectures]
    if not fitting:
        known = sorted({name for profile in profiles() for name in profile.architectures})
        raise ModelFileError(
            f"Fingerpost does not know how to ask a model of the kind “{architecture}”.",
            f"Choose a model of one of these kinds: {', '.join(known)}.",
        )
    return max(fitting, key=lambda profile: _fit(profile, names))


def _fit(profile: Profile, names: str) -> int:
    """How long the longest known name in `names` is; 0 when there is none."""
    plain = _plain(names)
    return max((len(_plain(name)) for name in profile.known_as if _plain(name) in plain), default=0)


def _plain(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def calibrated(profile: Profile, calibration: Calibration | None) -> Profile:
    """The profile as it was measured; the same one when nothing was."""
    if calibration is None:
        return profile
    return replace(
        profile,
        verified=True,
        localization=replace(profile.localization, coordinates=calibration.coordinates),
        pictures=replace(profile.pictures, max_tiles=calibration.max_tiles),
    )


def store_calibration(folder: Path, weights: Path, calibration: Calibration) -> Path:
    """Keep what was measured for a file of weights; returns where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{weights.stem}.json"
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"bytes": weights.stat().st_size, **asdict(calibration)}, indent=2), "utf-8")
    return part.replace(path)


def read_calibration(folder: Path, weights: Path) -> Calibration | None:
    """What was measured for this file of weights; None when nothing was, or with a file of another size."""
    try:
        values: dict[str, Any] = json.loads((folder / f"{weights.stem}.json").read_text("utf-8"))
        if values.pop("bytes") != weights.stat().st_size:
            return None
        found = Calibration(**values)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    is_sound = isinstance(found.max_tiles, int) and 1 <= found.max_tiles <= MOST_TILES
    return found if is_sound and found.coordinates in COORDINATES else None


def calibration_folder() -> Path:
    """Where measurements are kept, for this user."""
    import platformdirs

    return platformdirs.user_data_path("fingerpost") / "calibration"


def _load(path: Path) -> Profile:
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        values |= {
            "key": path.name.removesuffix(".toml"),
            "template": Template(**values["template"]),
            "localization": _localization(**values["localization"]),
            "pictures": Pictures(**values["pictures"]),
        }
        for key in ("architectures", "projectors", "known_as"):
            values[key] = tuple(values[key])
        profile = Profile(**values)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelFileError(f"The model profile {path.name} cannot be read ({error}).", "Correct the file.") from error
    if profile.localization.coordinates not in COORDINATES or profile.pictures.scheme not in SCHEMES:
        raise ModelFileError(f"The model profile {path.name} has an unknown value.", "Correct the file.")
    return profile


def _localization(answer: str, **values: Any) -> Localization:
    """Raises `ValueError` for a form that cannot be read, or that has no schema where the question speaks of one; and
    for a question that has no place for the target, or a schema behind it: what stands there is sent as it is."""
    asking = Localization(answer=AnswerForm.of(answer), **values)
    before, *behind = asking.question.split("{target}")
    if len(behind) != 1:
        raise ValueError("a question has {target}, once")
    if "{schema}" in behind[0]:
        raise ValueError("the {schema} of a question stands before its {target}")
    if "{schema}" in before:
        try:
            asking.answer.as_json()
        except ValueError as error:
            raise ValueError("its question has a {schema}, but its answer is no JSON") from error
    return asking
