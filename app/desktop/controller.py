"""What happens from the hotkey to the click: one state machine for palette, overlay, engine and actor.

    idle → open → acting → idle

"open" begins with the look at the screen and ends with Escape or with an order. Enter on an answer that was on the
screen is the user's agreement; Enter before the answer came only shows it, unless the settings allow more. After a
refusal because something changed, the screen is looked at anew and the answer is shown again, to be confirmed again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QScreen

from fingerpost.app import kill_switch, windowing
from fingerpost.app.acting import Order, Outcome, needs_confirmation
from fingerpost.app.desktop import look as looking
from fingerpost.app.desktop.acting_thread import ActingThread
from fingerpost.app.desktop.engine_link import EngineLink
from fingerpost.app.desktop.look import Look
from fingerpost.app.desktop.marks import MOST, marks_of
from fingerpost.app.desktop.overlay import Overlay, OverlayLook
from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.pictures import thumbnail
from fingerpost.app.desktop.screens import screen_of
from fingerpost.app.desktop.theme import Theme
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text
from fingerpost.app.windowing import WindowAt
from fingerpost.engine.accessibility import AccessibleNode
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.geometry import DesktopPoint, FramePoint, Monitor, frame_to_desktop
from fingerpost.engine.process import Answered, Failed, Loading, Restarted
from fingerpost.engine.values import Answer, Box, Target

SETTLE_S = 0.2
"""An Enter so soon after another place was shown was meant for what was there before."""
FOCUS_S = 0.4
"""How long the window that was in front may take to be in front again when the palette has closed."""
FOCUS_STEP_MS = 15
TREE_POLL_MS = 25
FADE_S = 0.25
"""How long a window that was closed may still be seen: compositors fade, programs below have to paint."""
CARRIED_OUT = frozenset({"done", "unverified", "dry run"})
"""Outcomes after which a question is over: the next one follows it, and does not correct it."""
LOOK_AGAIN = frozenset({"acting.window_changed", "acting.window_moved", "acting.pixels_changed"})
"""Refusals after which the screen is looked at anew."""


@dataclass(frozen=True, eq=False)
class Finished:
    """One question from the look to its end. `order` and `outcome` are None when it was left without an order."""

    query: str
    look: Look
    answer: Answer | None
    order: Order | None
    outcome: Outcome | None


@dataclass
class Question:
    """The question on the palette and what came of it."""

    text: str = ""
    request: int | None = None
    answer: Answer | None = None
    shown_at: float = 0.0
    candidate: int = 0  # the one that is pointed at most strongly
    chosen: bool = False  # by a number or an arrow key
    waiting: tuple[str, str] | None = None  # Enter came first: the action and its text


class Controller(QObject):
    """Owns the state. The parts are given; nothing here knows how they work.

    state_changed  "idle", "open" or "acting"
    finished       a `Finished`, for the history and for notices
    app_allowed    the program in which certain answers shall be acted on at once from now on
    pointed        so many marks are on the screen now
    tree_read      so many nodes of the accessibility tree arrived, after so many milliseconds
    unarmed        why the kill switch is not heard, "" when it is
    """

    state_changed = Signal(str)
    finished = Signal(object)
    app_allowed = Signal(str)
    pointed = Signal(int)
    tree_read = Signal(int, float)
    unarmed = Signal(str)
    _panic = Signal()
    _arming = Signal(object)

    def __init__(
        self,
        settings: Settings,
        theme: Theme,
        engine: EngineLink,
        palette: Palette,
        overlay: Overlay,
        actor: Callable[[threading.Event], Callable[[Order], Outcome]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings
        self.theme = theme
        self._engine = engine
        self._palette = palette
        self._overlay = overlay
        self._stop = threading.Event()
        self._acting = ActingThread(actor(self._stop), self)
        self._state = "idle"
        self._look: Look | None = None
        self.told: tuple[AccessibleNode, ...] = ()  # by the tree of the last look
        self._frame_id = 0
        self._session = 1
        self._question = Question()
        self._obstacle = ""  # why the screen could not be looked at
        self._hidden_at = float("-inf")  # when the palette was closed, seconds of `time.monotonic`
        self._armed: kill_switch.Armed | None = None
        self._connect()

    @property
    def state(self) -> str:
        return self._state

    def toggle(self) -> None:
        """What the hotkey does: open the palette, or close it."""
        if self._state == "idle":
            self.open()
        elif self._state == "open":
            self.close()

    def open(self) -> None:
        """Look at the screen and show the palette, unless that is open already; a moment later if it just closed."""
        if self._state == "idle" and not self._is_too_early(self.open):
            self._open()

    def _open(self) -> None:
        self._stop.clear()
        self._question, self._obstacle = Question(), ""
        try:
            self._look = looking.take(self.settings)
        except FingerpostError as error:
            self._look, self._obstacle = None, f"{error.message} {error.hint}"
            self._show_palette(None)
            self._palette.show_message(self._obstacle, "error")
            return
        self.told = ()
        self._frame_id = self._engine.look(self._look.frame)
        self._show_palette(self._look.monitor)
        self._await_tree(self._look)

    def _is_too_early(self, action: Callable[[], None]) -> bool:
        """Whether our palette may still be seen: then `action` is called once it cannot be in a picture any more."""
        wait_s = FADE_S - (time.monotonic() - self._hidden_at)
        if wait_s > 0:
            QTimer.singleShot(round(wait_s * 1000) + 1, action)
        return wait_s > 0

    def _hide_palette(self) -> None:
        self._palette.close_quietly()
        self._hidden_at = time.monotonic()

    def _open_again(self, query: str, action: str, typed: str = "", notice: str = "") -> None:
        """Look anew and ask the same, with a sentence why; unless the user has stopped or asked something else."""
        if self._state != "idle" or self._stop.is_set():
            return
        if self._is_too_early(lambda: self._open_again(query, action, typed, notice)):
            return
        self._open()
        self._palette.set_action(action, typed)
        self._palette.set_query(query)
        if notice and not self._obstacle:
            self._palette.show_message(notice, "warning")

    def close(self) -> None:
        """Leave the palette without doing anything."""
        if self._state != "open":
            return
        is_looking = self._question.request is not None
        self._forget_request()
        self._overlay.hide()
        self._hide_palette()
        self._finish(None, None, listen_on_s=kill_switch.WITHIN_S if is_looking else 0.0)

    def stop(self) -> None:
        """The kill switch, from any state and any thread that is the interface's: nothing more happens."""
        self._stop.set()
        self._engine.stop_now()
        self._overlay.hide()
        self._hide_palette()
        if self._state == "open":
            self._finish(None, Outcome("stopped", "acting.stopped"))

    def shut_down(self) -> None:
        """Before the application ends: stop everything and give all back."""
        self._stop.set()
        self._acting.wait(3000)
        self._disarm()
        self._overlay.hide()

    def _connect(self) -> None:
        self._palette.asked.connect(self._asked)
        self._palette.accepted.connect(self._accepted)
        self._palette.chosen.connect(self._chosen)
        self._palette.always_asked.connect(self._allow_always)
        self._palette.cancelled.connect(self.close)
        self._engine.answered.connect(self._answered)
        self._engine.failed.connect(self._failed)
        self._engine.loading.connect(self._loading)
        self._engine.restarted.connect(self._restarted)
        self._acting.finished.connect(self._acted)
        self._panic.connect(self.stop, Qt.ConnectionType.QueuedConnection)
        self._arming.connect(self._is_armed, Qt.ConnectionType.QueuedConnection)

    def _show_palette(self, monitor: Monitor | None) -> None:
        screen = screen_of(monitor) if monitor else QGuiApplication.primaryScreen()
        self._palette.set_action(self.settings.action)
        self._palette.open_on(monitor or monitor_of(screen), screen)
        self._set_state("open")
        QTimer.singleShot(0, self._arm)

    def _set_state(self, state: str) -> None:
        self._state = state
        self.state_changed.emit(state)

    # the kill switch is heard only while there is something to stop

    def _arm(self) -> None:
        """On a thread: connecting takes longer than the palette may wait for its first paint."""
        if self._armed is None and self._state != "idle":
            threading.Thread(target=lambda: self._arming.emit(kill_switch.arm(self._heard_panic)), daemon=True).start()

    def _is_armed(self, result: kill_switch.Armed | kill_switch.NotArmed) -> None:
        if isinstance(result, kill_switch.NotArmed):
            self.unarmed.emit(result.reason)
        elif self._armed is not None or self._state == "idle":
            result.release()
        else:
            self._armed = result
            self.unarmed.emit("")

    def _disarm(self, only_if_idle: bool = False) -> None:
        if self._armed is not None and not (only_if_idle and self._state != "idle"):
            self._armed.release()
            self._armed = None

    def _heard_panic(self) -> None:
        """On the listener's thread: the actor stops at once, the rest follows on the main thread."""
        self._stop.set()
        self._panic.emit()

    # questions and answers

    def _asked(self, query: str) -> None:
        if self._state != "open":
            return
        if self._look is None:
            self._palette.show_message(self._obstacle, "error")
            return
        self._forget_request()
        self._question = Question(query.strip())
        if not self._question.text:
            self._overlay.hide()
            self._palette.show_idle()
            return
        self._ask()

    def _ask(self) -> None:
        self._palette.show_busy()
        self._question.request = self._engine.find(self._frame_id, self._question.text, self._session)

    def _forget_request(self) -> None:
        if self._question.request is not None:
            self._engine.cancel(self._question.request)
            self._question.request = None

    def _await_tree(self, look: Look) -> None:
        """Pass the accessibility tree on when it is there, or what there is of it when its time is over."""
        if self._look is not look or look.tree is None:
            return
        if look.tree.done:
            self._tree_arrived(look)
        else:
            QTimer.singleShot(TREE_POLL_MS, lambda: self._await_tree(look))

    def _tree_arrived(self, look: Look) -> None:
        """A question that was answered without the tree is asked again."""
        self.told = nodes = look.nodes()
        self.tree_read.emit(len(nodes), (time.monotonic() - look.at) * 1000)
        if nodes:
            self._engine.add_accessible(self._frame_id, nodes)
            if self._question.text:
                self._question.request = self._engine.find(self._frame_id, self._question.text, self._session)

    def _answered(self, event: Answered) -> None:
        question, look = self._question, self._look
        if look is None or self._state != "open" or event.request != question.request:
            return
        question.request = None
        if not _same_place(question.answer, event.answer):
            question.shown_at, question.chosen = time.monotonic(), False
        question.answer, question.candidate = event.answer, 0
        shown = event.answer.targets[:MOST]
        self._palette.show_answer(event.answer, [thumbnail(look.frame, target.box) for target in shown])
        self._point(event.answer)
        if question.waiting is not None:
            (action, typed), question.waiting = question.waiting, None
            if self._may_act_at_once(event.answer):
                self._act(0, action, typed)

    def _point(self, answer: Answer) -> None:
        """Mark the answer; where nothing can be shown over others, say so: then nothing may be clicked unseen."""
        if self._look is None or not answer.found:
            self._overlay.hide()
            return
        marks, active = marks_of(answer, self._look.frame, self._question.candidate)
        self._palette.keep_off(marks[active].box)
        look = OverlayLook(theme=self.theme, active=active, dim=self.settings.dim, clear=(self._palette.area,))
        try:
            self._overlay.show(marks, look)
        except FingerpostError as error:
            self._palette.show_message(f"{error.message} {error.hint}", "warning")
        self.pointed.emit(len(marks))

    def _say(self, words: str, kind: str) -> None:
        """A message makes the palette higher, which the marks give way to."""
        self._palette.show_message(words, kind)
        if self._question.answer is not None:
            self._point(self._question.answer)

    def _failed(self, event: Failed) -> None:
        if self._state == "open" and event.request in {self._question.request, 0}:
            self._question.request = None
            self._overlay.hide()
            self._palette.show_message(f"{event.message} {event.hint}", "error")

    def _loading(self, event: Loading) -> None:
        if self._state == "open" and self._question.request is not None:
            self._palette.show_busy(event.share)

    def _restarted(self, event: Restarted) -> None:
        if self._state == "open" and self._question.request is not None:
            self._palette.show_message(event.reason, "info")

    # from Enter to the click

    def _chosen(self, candidate: int) -> None:
        question = self._question
        question.candidate, question.chosen = candidate, True
        if question.answer is not None and candidate < len(question.answer.targets):
            self._point(question.answer)

    def _accepted(self, candidate: int, action: str, typed: str) -> None:
        question = self._question
        if self._state != "open" or self._look is None or not question.text:
            return
        if question.answer is None or question.request is not None:
            question.waiting = (action, typed)
            return
        if not question.answer.found:
            self._look_again(action, typed)
        elif candidate >= len(question.answer.targets):
            return
        elif question.answer.ambiguous and not question.chosen:
            self._say(text("palette.which_one"), "warning")
        elif time.monotonic() - question.shown_at < SETTLE_S and not self._may_act_at_once(question.answer):
            self._say(text("palette.press_again"), "info")
        else:
            self._act(candidate, action, typed)

    def _look_again(self, action: str, typed: str) -> None:
        """What was not found may be there by now."""
        query = self._question.text
        self.close()
        self._open_again(query, action, typed)

    def _allow_always(self) -> None:
        """For the program that would be clicked; a guess stays a guess there."""
        question = self._question
        if self._look is None or question.answer is None or not question.answer.found:
            return
        window = self._window_of(question.answer.targets[question.candidate])
        if window is not None and window.app:
            self.app_allowed.emit(window.app)

    def _may_act_at_once(self, answer: Answer) -> bool:
        if not answer.found or self._look is None:
            return False
        return not needs_confirmation(self.settings, self._window_of(answer.targets[0]), answer)

    def _window_of(self, target: Target) -> WindowAt | None:
        """The window that a click on the target reaches, as it was at the look.

        The system is asked which one that is: it knows of windows that clicks go through. A window that came later
        is not taken: the order will be refused then.
        """
        assert self._look is not None
        point = frame_to_desktop(self._look.frame, FramePoint(target.x, target.y))
        now = windowing.window_at(point)
        same = [window for window in self._look.windows if now is not None and window.id == now.id]
        return same[0] if same else self._look.window_under(point)

    def _act(self, candidate: int, action: str, typed: str) -> None:
        assert self._look is not None
        assert self._question.answer is not None
        target = self._question.answer.targets[candidate]
        order = Order(
            action,
            target,
            self._look.frame,
            self._window_of(target),
            self._pointer_to_compare(),
            typed,
            self.settings.dry_run,
            confirmed=True,
        )
        self._set_state("acting")
        if action == "copy":
            self._copy(order)
            return
        self._overlay.hide_and_wait()
        self._hide_palette()
        self._begin_when_in_front(order, time.monotonic() + FOCUS_S)

    def _pointer_to_compare(self) -> DesktopPoint | None:
        """Where the pointer may be without counting as moved: where it was at the look, or on our own palette."""
        assert self._look is not None
        now = looking.pointer_position()
        if now is not None and self._palette.covers(now):
            return now
        return self._look.pointer

    def _begin_when_in_front(self, order: Order, deadline: float) -> None:
        """Start once the window that was in front is in front again, or the time for that is over."""
        if self._stop.is_set():
            self._acted(order, Outcome("stopped", "acting.stopped"))
            return
        expected = self._look.active if self._look else None
        now = windowing.active_window()
        if expected is None or (now is not None and now.id == expected.id) or time.monotonic() >= deadline:
            self._acting.start(order)
        else:
            QTimer.singleShot(FOCUS_STEP_MS, lambda: self._begin_when_in_front(order, deadline))

    def _copy(self, order: Order) -> None:
        place = order.place
        QGuiApplication.clipboard().setText(f"{place.x},{place.y}")
        self._overlay.hide()
        self._hide_palette()
        self._finish(order, Outcome("done", "acting.copied", {"place": f"{place.x},{place.y}"}))

    def _acted(self, order: Order, outcome: Outcome) -> None:
        query = self._question.text
        self._finish(order, outcome)
        if outcome.reason in LOOK_AGAIN and not self._stop.is_set():
            self._open_again(query, order.action, order.text, text(outcome.reason, **outcome.values))

    def _finish(self, order: Order | None, outcome: Outcome | None, listen_on_s: float = 0.0) -> None:
        """Back to idle. The first Escape closes the palette: while the engine works, the second is listened for."""
        if listen_on_s:
            QTimer.singleShot(round(listen_on_s * 1000), lambda: self._disarm(only_if_idle=True))
        else:
            self._disarm()
        question, look = self._question, self._look
        if outcome is not None and outcome.kind in CARRIED_OUT:
            self._engine.settle(self._session, question.text)
        self._question, self._look = Question(), None
        self._engine.forget(self._frame_id)
        self._set_state("idle")
        if look is not None and question.text:
            self.finished.emit(Finished(question.text, look, question.answer, order, outcome))


def _same_place(old: Answer | None, new: Answer) -> bool:
    """Whether the ring would stand where it stood."""
    if old is None or not old.found or not new.found:
        return False
    a, b = old.targets[0], new.targets[0]
    return (a.x, a.y) == (b.x, b.y) and old.ambiguous == new.ambiguous


def monitor_of(screen: QScreen) -> Monitor:
    """A monitor made from what Qt knows, where the capture knows none."""
    area, scale = screen.geometry(), screen.devicePixelRatio()
    box = Box(area.x(), area.y(), round(area.width() * scale), round(area.height() * scale))
    return Monitor(1, screen.name(), box, scale, primary=True)
