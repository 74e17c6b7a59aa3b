"""Puts the desktop application together and runs it.

Everything is made once, at the start, so that the hotkey only has to show what is there already.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from fingerpost.app import hotkeys
from fingerpost.app import input as pointing
from fingerpost.app import text as words
from fingerpost.app.acting import Actor, Order, Outcome
from fingerpost.app.acting.told import told_change
from fingerpost.app.desktop import autostart, theme
from fingerpost.app.desktop import look as looking
from fingerpost.app.desktop.controller import Controller, Finished
from fingerpost.app.desktop.engine_link import EngineLink
from fingerpost.app.desktop.event_log import EventLog
from fingerpost.app.desktop.overlay import Overlay
from fingerpost.app.desktop.palette import Palette
from fingerpost.app.desktop.recorder import entry_of
from fingerpost.app.desktop.single_instance import Instance
from fingerpost.app.desktop.tray import Tray
from fingerpost.app.desktop.widgets.keys import shown
from fingerpost.app.desktop.windows import Windows
from fingerpost.app.history.database import HistoryError
from fingerpost.app.history.store import History
from fingerpost.app.hotkeys import Bound, Chord, ChordError, Conflict
from fingerpost.app.settings import store
from fingerpost.app.settings.values import Settings
from fingerpost.app.text import text
from fingerpost.engine import accessibility, capture
from fingerpost.engine.errors import FingerpostError
from fingerpost.engine.lite import heap
from fingerpost.engine.portals.bus import APP_ID
from fingerpost.engine.process import Failed
from fingerpost.engine.process.messages import NO_REQUEST
from fingerpost.engine.values import Box, Pixels

TRAY_WAIT_MS = 5000
"""A tray may start after us at login; only then is it told that there is none."""
UNLOAD_MS = 15 * 60 * 1000
"""The engine's process ends when nobody asked anything for so long; the next look starts it again."""
SAVED_QUERIES = 50
RELEASE_MS = 1500
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals upon which everything is given back first: nothing may stay pressed."""
WITHOUT_OPENGL = {"QT_XCB_GL_INTEGRATION": "none", "GDK_GL": "disable"}
"""Nothing is drawn by OpenGL; without it Mesa's 30 MB are not loaded, by Qt or by the GTK that gives it the theme."""


def run(first: str | None = None, dry_run: bool = False, hidden: bool = False, log: Path | None = None) -> int:
    """Run the application until it is quit; the exit code. `first` is the wish it was started with."""
    for variable, value in WITHOUT_OPENGL.items():
        os.environ.setdefault(variable, value)
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    qt = QApplication(sys.argv[:1])
    qt.setApplicationName("fingerpost")
    qt.setApplicationDisplayName("Fingerpost")
    qt.setDesktopFileName(APP_ID)
    qt.setQuitOnLastWindowClosed(False)
    application = Application(qt, dry_run, log)
    application.start(first, hidden)
    for name in ENDING:
        if number := getattr(signal, name, None):  # Windows has no SIGHUP
            signal.signal(number, lambda *_: qt.quit())
    wake = QTimer(interval=500)  # Python sees a signal only when the event loop comes by
    wake.timeout.connect(lambda: None)
    wake.start()
    code = qt.exec()
    application.close()
    return code


class Application(QObject):
    """All parts, and what connects them."""

    _wished = Signal(str)
    _pressed = Signal()

    def __init__(self, qt: QApplication, dry_run: bool = False, log: Path | None = None) -> None:
        super().__init__()
        self._qt = qt
        self._dry_run = dry_run
        self.settings, self._problem = store.load()
        words.use(self.settings.language)
        theme.apply(qt, self._theme())
        self.history = History()
        self.engine = EngineLink(engine_name(self.settings), self.settings.threads, self)
        self.palette = Palette(self._theme())
        self.overlay = Overlay()
        self.controller = Controller(
            self._effective(), self._theme(), self.engine, self.palette, self.overlay, self._actor, self
        )
        self.tray = Tray(lambda state: theme.icon(state, self._theme()), self)
        self.windows = Windows(self, self)
        self._hotkey: hotkeys.Result | None = None
        self._paused = False
        self._notes: dict[str, str] = {}
        self._untold = ""  # about the engine, where no tray could tell it
        self._connect()
        self._log = EventLog(log, self) if log else None
        if self._log:
            self._log.watch(self.controller, self.engine, self.palette)
        self._instance = Instance(self._wished.emit)

    def start(self, first: str | None, hidden: bool) -> None:
        """Show what has to be seen at the start."""
        self.engine.start()
        self._bind()
        self.tray.show()
        self.load_queries()
        QTimer.singleShot(0, lambda: looking.prepare(self.settings))
        QTimer.singleShot(TRAY_WAIT_MS, self._check_tray)
        if not self.settings.first_run_done and not hidden:
            self.windows.first_run()
        elif not hidden and first is None:
            self.tray.tell(text("tray.running"), text("tray.running_hint", hotkey=shown(self.settings.hotkey)))
        if first:
            self._wish(first)
        if self._problem:
            self.tray.tell("Fingerpost", self._problem)

    def close(self) -> None:
        """Give everything back."""
        self.controller.shut_down()
        self._release()
        self._instance.close()
        self.engine.close()
        self.history.close()
        self.windows.close_all()
        self.tray.hide()
        if self._log:
            self._log.close()

    def change(self, settings: Settings) -> None:
        """Live by other choices from now on, and keep them."""
        before, self.settings = self.settings, settings
        try:
            store.save(settings)
            if settings.start_at_login != before.start_at_login:
                autostart.set_enabled(settings.start_at_login)
        except FingerpostError as error:
            self.windows.show_problem(f"{error.message} {error.hint}")
            self.tray.tell(error.message, error.hint)
        if settings.language != before.language:
            words.use(settings.language)
            self.tray.retranslate()
            self.palette.retranslate()
        if (settings.theme, settings.reduced_motion) != (before.theme, before.reduced_motion):
            self._show_theme()
        if settings.hotkey != before.hotkey:
            self._bind()
        if (engine_name(settings), settings.threads) != (engine_name(before), before.threads):
            self._tell_of_engine("")
            self.controller.close()  # the new engine knows nothing of its question
            self.engine.restart(engine_name(settings), settings.threads)
        if settings.accessibility and not before.accessibility:
            looking.prepare(settings)
        self.palette.set_action(settings.action)
        self.controller.settings = self._effective()
        self.windows.settings_changed(settings)
        self.load_queries()

    def clear_history(self) -> None:
        """Forget everything that was asked."""
        try:
            self.history.clear()
        except HistoryError as error:
            self.tray.tell(error.message, error.hint)
        self.load_queries()

    def try_hotkey(self, written: str) -> str | None:
        """Whether a key could be had: None, or one sentence why not. The present key stays."""
        try:
            chord = Chord.parse(written)
        except ChordError as error:
            return f"{error.message} {error.hint}"
        if isinstance(self._hotkey, Bound) and self._hotkey.chord == chord:
            return None
        if hotkeys.asks_user():  # trying would open its dialogue and take the place of the present key
            return None
        tried = hotkeys.bind(chord, lambda: None)
        if isinstance(tried, Bound):
            tried.release()
            return None
        return tried.reason if isinstance(tried, Conflict) else tried.hint

    # parts

    def _theme(self) -> theme.Theme:
        return theme.current(self.settings)

    def _effective(self) -> Settings:
        return dataclasses.replace(self.settings, dry_run=True) if self._dry_run else self.settings

    def _actor(self, stop: threading.Event) -> Callable[[Order], Outcome]:
        """Performs orders; a way to click that appears later (another session's portal) is found then."""

        def perform(order: Order) -> Outcome:
            outcome = Actor(pointing.pointer(), _grab, stop, lambda: self.settings).perform(order)
            return self._as_told(order, outcome)

        return perform

    def _as_told(self, order: Order, outcome: Outcome) -> Outcome:
        """Where the pixels do not show that anything changed, the program itself may tell."""
        before = self.controller.told
        if outcome.kind != "unverified" or outcome.reason != "acting.unverified" or not before or order.window is None:
            return outcome
        after = accessibility.snapshot(looking.TREE_S, order.window.pid).nodes
        return Outcome("done", "acting.done") if told_change(order.place, before, after) else outcome

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._wished.connect(self._wish, queued)
        self._pressed.connect(self._toggle, queued)
        self.controller.finished.connect(self._finished)
        self.controller.state_changed.connect(lambda _state: self._show_state())
        self.controller.unarmed.connect(self._unarmed)
        self.controller.app_allowed.connect(self._allow)
        self.controller.state_changed.connect(self._tell_late)
        self.engine.ready.connect(lambda event: self._tell_of_engine(" ".join(event.warnings)))
        self.engine.failed.connect(self._engine_failed)
        self.palette.action_changed.connect(lambda _action: None)
        self.tray.find_asked.connect(self._toggle)
        self.tray.stop_asked.connect(self.controller.stop)
        self.tray.pause_asked.connect(self._pause)
        self.tray.history_asked.connect(self.windows.history)
        self.tray.settings_asked.connect(self.windows.settings)
        self.tray.doctor_asked.connect(self.windows.doctor)
        self.tray.quit_asked.connect(self._qt.quit)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._show_theme())
        self._unload = QTimer(self, interval=UNLOAD_MS, singleShot=True)
        self._unload.timeout.connect(self._unload_engine)

    def _wish(self, wish: str) -> None:
        """What another start, or a key of the desktop's own, asks for."""
        actions: dict[str, Callable[[], object]] = {
            "toggle": self._toggle,
            "find": self.open_palette,
            "settings": self.windows.settings,
            "history": self.windows.history,
            "quit": self._qt.quit,
        }
        actions[wish]()

    def _toggle(self) -> None:
        if not self._paused:
            self.controller.toggle()

    def open_palette(self) -> None:
        """Look at the screen and ask, unless paused or busy."""
        if not self._paused and self.controller.state == "idle":
            self.controller.open()

    def _pause(self, paused: bool) -> None:
        self._paused = paused
        if paused:
            self.controller.close()
            self._release()
        else:
            self._bind()
        self._show_state()

    def _engine_failed(self, event: Failed) -> None:
        """One that does not start, such as a model that was just chosen: told at once, not at the next question."""
        if event.request == NO_REQUEST:
            self._tell_of_engine(f"{event.message} {event.hint}")

    def _tell_of_engine(self, sentences: str) -> None:
        """What a large model warns of, or why there is no engine, is told when it becomes true, and stays in the
        tray's tooltip as long as it is; "" when all is well: then it is said nowhere any more."""
        before = self._notes.get("engine", "")
        if not sentences:
            self._untold = ""
            self.windows.problem_is_over(before)
        elif sentences != before:
            self.tray.tell("Fingerpost", sentences)
            self.windows.show_problem(sentences)
            self._untold = "" if self.tray.available else sentences
            self._tell_late(self.controller.state)
            if self._log:
                self._log.write("engine problem", sentences=sentences)
        self._note("engine", sentences)

    def _tell_late(self, state: str) -> None:
        """Without a tray the palette says it, as soon as it is open."""
        if state == "open" and self._untold:
            self.palette.show_message(self._untold, "warning")
            self._untold = ""

    def _allow(self, app: str) -> None:
        if app not in self.settings.allowed_apps:
            self.change(dataclasses.replace(self.settings, allowed_apps=(*self.settings.allowed_apps, app)))

    # the hotkey

    def _bind(self) -> None:
        self._release()
        try:
            self._hotkey = hotkeys.bind(Chord.parse(self.settings.hotkey), self._hotkey_pressed)
        except ChordError as error:
            self._note("hotkey", f"{error.message} {error.hint}")
            return
        if isinstance(self._hotkey, Bound):
            self._note("hotkey", "")
            self.tray.set_hotkey(shown(str(self._hotkey.chord)))
            self.palette.set_hotkey(str(self._hotkey.chord))
            return
        reason = self._hotkey.reason if isinstance(self._hotkey, Conflict) else self._hotkey.hint
        self._note("hotkey", reason)
        self.tray.set_hotkey("")
        self.tray.tell(text("tray.state_no_hotkey"), reason)

    def _hotkey_pressed(self) -> None:
        """On the handler's thread."""
        if self._log:
            self._log.write("hotkey")
        self._pressed.emit()

    def _release(self) -> None:
        if isinstance(self._hotkey, Bound):
            self._hotkey.release()
        self.palette.set_hotkey("")
        self._hotkey = None

    # what is shown

    def _note(self, about: str, sentence: str) -> None:
        """Keep a sentence for the tray's tooltip; "" takes it away."""
        if about == "hotkey":
            self.windows.set_hotkey_problem(sentence or None)
            if self._log:
                self._log.write("hotkey problem" if sentence else "hotkey bound", reason=sentence)
        self._notes.pop(about, None)
        if sentence:
            self._notes[about] = sentence
        self._show_state()

    def _unarmed(self, reason: str) -> None:
        self._note("kill switch", f"{text('tray.no_kill_switch')} {reason}" if reason else "")

    def _show_state(self) -> None:
        if self._paused:
            state = "paused"
        elif self.controller.state != "idle":
            state = "looking"
        else:
            state = "no hotkey" if "hotkey" in self._notes else "idle"
        self.tray.set_state(state, tuple(self._notes.values()))

    def _show_theme(self) -> None:
        now = self._theme()
        theme.apply(self._qt, now)
        self.palette.set_theme(now)
        self.controller.theme = now
        self._show_state()

    def _check_tray(self) -> None:
        """Without a tray there has to be a window, or nothing at all would be seen of us; never in the user's way."""
        if self.controller.state != "idle":
            QTimer.singleShot(TRAY_WAIT_MS, self._check_tray)
        elif not self.tray.available and not self.windows.any_open:
            self.windows.settings(notice=text("tray.no_tray", command=hotkeys.TOGGLE), in_front=False)

    # after a question

    def _finished(self, finished: Finished) -> None:
        self._unload.start()
        QTimer.singleShot(RELEASE_MS, heap.release)  # the frame's memory, which would stay in pieces
        outcome = finished.outcome
        if outcome and outcome.kind in {"unverified", "refused", "stopped"}:
            title = {"unverified": "tray.unverified", "refused": "tray.not_done", "stopped": "tray.stopped"}
            self.tray.tell(text(title[outcome.kind]), text(outcome.reason, **outcome.values))
        if not self.settings.history:
            return
        try:
            self.history.add(entry_of(finished, self.settings.history_pictures))
            self.history.prune(self.settings.history_days)
        except HistoryError as error:
            self.tray.tell(error.message, error.hint)
        self.windows.found(finished.query)
        self.load_queries()

    def load_queries(self) -> None:
        """Give the palette the queries of the history."""
        try:
            self.palette.set_history(self.history.queries(SAVED_QUERIES) if self.settings.history else ())
        except HistoryError:
            self.palette.set_history(())

    def _unload_engine(self) -> None:
        if self.controller.state == "idle":
            self.engine.unload()


def engine_name(settings: Settings) -> str:
    """The engine as `engine.finder.make_engine` wants it: with its model's file where it takes one."""
    takes_model = settings.model and settings.engine != "lite"
    return f"{settings.engine}:{settings.model}" if takes_model else settings.engine


def _grab(box: Box) -> Pixels:
    return capture.handler().grab(box)
