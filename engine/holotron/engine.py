"""The `holotron` engine: a vision-language model looks at the screen and says where to click."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from fingerpost.engine.accessibility.merge import with_accessible
from fingerpost.engine.accessibility.nodes import AccessibleNode
from fingerpost.engine.geometry import FramePoint
from fingerpost.engine.holotron.answers import MOST_ANSWERS, Asked, Reading, answers, free_text
from fingerpost.engine.holotron.conversation import ANSWER, Conversation
from fingerpost.engine.holotron.llama import ContextFullError, go_on
from fingerpost.engine.holotron.prompt import form_of
from fingerpost.engine.holotron.runtime import Runtime
from fingerpost.engine.holotron.segments import Path, Picture, length
from fingerpost.engine.holotron.state_cache import never
from fingerpost.engine.holotron.views import View
from fingerpost.engine.lite.scene import Scene
from fingerpost.engine.snapping import Thing, thing_at
from fingerpost.engine.values import Answer, Box, Frame, Query, Target

AS_LIKELY = 0.6
"""Share of the best place's confidence from which on another place fits as well."""
SMALL = 12
"""Pixels of the picture as it was sent; things less high or wide are looked at again from near."""
AROUND = 24
"""Side of the box around a point under which nothing is known, logical pixels."""


class Sight(Protocol):
    """Sees what is on a frame; the lite engine does."""

    def see(self, frame: Frame) -> Scene: ...


@dataclass(frozen=True)
class Seen:
    """A view, and what the model is given of it."""

    view: View
    pictures: tuple[Picture, ...]
    path: Path


class HolotronEngine:
    """One instance serves one thread.

    sight       tells the box and the name of what is under the model's point; None: nobody does
    least_sure  a model less sure of every place has not found the thing, 0..1; None: as its profile says
    most        so many places an answer has at most
    """

    name = "holotron"

    def __init__(
        self,
        runtime: Runtime,
        sight: Sight | None = None,
        least_sure: float | None = None,
        most: int = MOST_ANSWERS,
    ) -> None:
        self.runtime = runtime
        self._most = most
        self._sight = sight
        self._least_sure = runtime.profile.localization.least_sure if least_sure is None else least_sure
        self._last: tuple[weakref.ref[Frame], Seen] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the model on this machine; one sentence each."""
        return self.runtime.warnings

    def see(self, frame: Frame) -> Scene:
        """Everything seen on the frame; empty without a `sight`."""
        return self._sight.see(frame) if self._sight else Scene(frame.size, (), (), (), 1.0)

    def converse(self) -> Conversation:
        """A conversation to give to `find`, whose questions may refer to those before."""
        return Conversation(self.runtime.prompt, self.runtime.options.n_ctx, self.runtime.viewer.sent)

    def tiles(self, frame: Frame) -> int:
        """How many pictures the model is sent of a frame, the thumbnail included."""
        return len(self._look(frame).view.tiles)

    def path(self, frame: Frame, query: Query) -> Path:
        """A question as the model is given it."""
        return (*self._look(frame).path, self.runtime.prompt.target(query.text))

    def prefill(self, frame: Frame, stopped: Callable[[], bool] = never) -> None:
        """Let the model, and `sight`, look at a frame, so that a question about it costs only itself.

        Raises `StoppedError` within one tile or batch after `stopped` says so, and then keeps what was finished.
        """
        go_on(stopped)
        seen = self._look(frame)
        if not self.runtime.cache.holds(seen.path):
            self._check_room(seen.path)
            self.runtime.cache.evaluate(seen.path, self._kept(seen), len(seen.path), stopped)
        go_on(stopped)
        self.see(frame)

    def find(
        self,
        frame: Frame,
        query: Query,
        accessible: Sequence[AccessibleNode] = (),
        stopped: Callable[[], bool] = never,
        conversation: Conversation | None = None,
    ) -> Answer:
        """The places that the model means, best first.

        accessible    what the programs on the frame tell, boxes in desktop physical pixels
        conversation  what was said before; the question and its answer are added, if it found anything
        """
        start = time.perf_counter()
        seen = self._look(frame)
        said, reason = self._answer(self._question(seen, query, conversation), seen, stopped)
        readings = [reading for reading in said if reading.confidence >= self._least_sure]
        targets = self._targets(frame, seen.view, readings, query, accessible, stopped) if readings else []
        ambiguous = len(targets) > 1 and targets[1].confidence >= AS_LIKELY * targets[0].confidence
        if ambiguous:
            reason = "The model is unsure which of several places is meant: say more about it."
        elif not targets:
            reason = reason or f"The model is not sure of any place for “{query.text}”."
        elapsed = (time.perf_counter() - start) * 1000
        answer = Answer(bool(targets), ambiguous, self.name, elapsed, frame.size, tuple(targets), reason)
        if conversation is not None and targets:  # at the end: what is stopped before, or fails, was never said
            said_at = seen.view.to_frame(readings[0].x, readings[0].y)
            is_as_said = said_at == FramePoint(targets[0].x, targets[0].y)
            conversation.answered(readings[0].tokens if is_as_said else conversation.written(answer))
        return answer

    def close(self) -> None:
        """Free the model's memory."""
        self.runtime.close()

    # what the model is shown

    def _look(self, frame: Frame) -> Seen:
        """The frame as the model is given it; worked out once a frame."""
        if self._last is not None and self._last[0]() is frame:
            return self._last[1]
        view = self.runtime.viewer.whole(frame)
        pictures = self.runtime.tiles.start_screen(view.tiles)
        seen = Seen(view, pictures, self.runtime.prompt.screen(pictures, view.sent))
        self._last = weakref.ref(frame), seen
        return seen

    def _kept(self, seen: Seen) -> Collection[int]:
        """Behind which segments states are saved: before and behind all tiles, and between them as often as fits.

        Small states are saved behind each tile, so that a changed screen is evaluated from its first changed tile on.
        One screen's take half of the budget at most: those of the screen before are what the next one goes on from.
        Of the 12B's, 144 MiB each, that lets a twelve-tile screen have six, and a changed one evaluates at most two
        tiles more. Saving one takes a tenth of a second on a processor, evaluating a tile there many seconds.
        """
        depth = len(seen.path)
        room = self.runtime.options.host_budget // 2 // max(1, self.runtime.state_bytes)
        step = -(-(depth - 1) // (room - 1)) if room > 1 else depth
        return {*range(1, depth, step), depth}

    def _check_room(self, path: Path) -> None:
        room, needed = self.runtime.options.n_ctx, length(path) + ANSWER
        if needed > room and not self.runtime.model.is_recurrent:
            raise ContextFullError(
                f"The screen and the question take {needed:,} tokens, and the model's context has {room:,}.",
                "Set FINGERPOST_CONTEXT to more tokens, or choose a smaller part of the screen.",
            )

    # what the model says

    def _question(self, seen: Seen, query: Query, conversation: Conversation | None) -> Path:
        """The path up to the answer."""
        if conversation is None:
            return (*seen.path, self.runtime.prompt.target(query.text))
        return conversation.ask(seen.pictures, seen.view.sent, query.text)

    def _answer(self, path: Path, seen: Seen, stopped: Callable[[], bool]) -> tuple[list[Reading], str]:
        """The model's answers, and why there are none."""
        self._check_room(path)
        asked = Asked(path, self._kept(seen), len(path) - 1, stopped)
        asking = self.runtime.profile.localization
        form = form_of(asking, seen.view.sent)
        cache = self.runtime.cache
        if asking.grammar:
            said = answers(cache, asked, form, self.runtime.vocabulary, self._most, asking.blur, asking.fine)
            return [replace(reading, confidence=min(reading.confidence, asking.surest)) for reading in said], ""
        model = self.runtime.model
        text = free_text(cache, asked, asking.answer, model.piece, model.ends)
        place = asking.answer.place_in(text)
        if place is None:
            return [], f"The model answered no place, but “{text.strip()[:60]}”."
        x, y = place[0] / form.x.most, place[1] / form.y.most
        if not (0 <= x <= 1 and 0 <= y <= 1):
            return [], f"The model answered {place[0]:g},{place[1]:g}, outside of the picture."
        return [Reading(text, x, y, asking.surest, model.tokenize(text, False))], ""

    def _targets(
        self,
        frame: Frame,
        view: View,
        readings: Sequence[Reading],
        query: Query,
        accessible: Sequence[AccessibleNode],
        stopped: Callable[[], bool],
    ) -> list[Target]:
        """What lies where the model has read it on the whole frame; the first as it is seen from near, if need be.

        Where the first is less sure from near, the others lose as much, to be compared with it.
        """
        scene = self._scene(frame, accessible)
        first, *others = distinct([self._target(frame, view, reading, query, scene) for reading in readings])
        if not self._is_worth_a_nearer_look(view, first):
            return [first, *others]
        nearer = self._nearer(frame, first, query, scene, stopped)
        kept = nearer.confidence / first.confidence if first.confidence else 1.0
        return distinct([nearer, *(replace(other, confidence=other.confidence * kept) for other in others)])

    def _nearer(
        self, frame: Frame, first: Target, query: Query, scene: Scene | None, stopped: Callable[[], bool]
    ) -> Target:
        """The target as the model sees it from near, pixel for pixel; the first one where it is clearly less sure then.

        It is never surer than it was, and no surer than from near.
        """
        view = self.runtime.viewer.near(frame, FramePoint(first.x, first.y))
        if view is None:
            return first
        pictures = tuple(self.runtime.tiles.picture(tile) for tile in view.tiles)
        path = (*self.runtime.prompt.screen(pictures, view.sent), self.runtime.prompt.target(query.text))
        asking, vocabulary = self.runtime.profile.localization, self.runtime.vocabulary
        fine = asking.fine * max(frame.width / view.box.width, frame.height / view.box.height)  # the same on the frame
        form = form_of(asking, view.sent)
        reading = answers(self.runtime.cache, Asked(path, stopped=stopped), form, vocabulary, most=1, fine=fine)[0]
        place = view.to_frame(reading.x, reading.y)
        if view.is_at_edge(place, frame.box):
            return first
        is_seen = reading.confidence >= AS_LIKELY * first.confidence
        target = self._target(frame, view, reading, query, scene) if is_seen else first
        return replace(target, confidence=min(first.confidence, reading.confidence))

    def _is_worth_a_nearer_look(self, view: View, target: Target) -> bool:
        if not self.runtime.profile.localization.grammar:
            return False
        seen_as = min(target.box.width, target.box.height) * view.scale
        return view.scale < self.runtime.profile.pictures.shrunk or seen_as < SMALL

    # what is there

    def _scene(self, frame: Frame, accessible: Sequence[AccessibleNode]) -> Scene | None:
        if self._sight is None:
            return None
        scene = self._sight.see(frame)
        return with_accessible(scene, accessible, frame) if accessible else scene

    def _target(self, frame: Frame, view: View, reading: Reading, query: Query, scene: Scene | None) -> Target:
        point = view.to_frame(reading.x, reading.y)
        thing = thing_at(scene, point.x, point.y) if scene else None
        if thing is None:
            thing = Thing(_around(point, frame, scene.ui_scale if scene else 1.0), "place", "")
        label = thing.label or query.text
        return Target(label, thing.kind, point.x, point.y, thing.box, reading.confidence, "model")


def distinct(targets: Sequence[Target]) -> list[Target]:
    """Without those that lie on the same thing as one before."""
    found: list[Target] = []
    for target in targets:
        if not any(other.box == target.box or other.box.contains(target.x, target.y) for other in found):
            found.append(target)
    return found


def _around(point: FramePoint, frame: Frame, ui_scale: float) -> Box:
    """A box around a pixel, within the frame."""
    side = round(AROUND * ui_scale)
    return Box(point.x - side // 2, point.y - side // 2, side, side).intersection(frame.box)
