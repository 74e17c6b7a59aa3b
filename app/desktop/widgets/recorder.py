"""Choose a global key by pressing it."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from fingerpost.app.desktop.widgets.cards import Notice, blend, line_colour
from fingerpost.app.desktop.widgets.keys import caps, held_modifiers, key_name, printed, shown
from fingerpost.app.hotkeys.chord import Chord, ChordError
from fingerpost.app.text import text

GAP = 6  # logical pixels between keys
PATIENCE_MS = 15_000  # the keyboard is taken while a key is awaited: never for ever


class Keycaps(QWidget):
    """Keys as they are printed: one cap for each."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._show(keys, "", "+".join(keys))

    def show_chord(self, chord: str) -> None:
        """Draw "Ctrl+Alt+Space"."""
        self._show(caps(chord), "", shown(chord))

    def show_held(self, modifiers: tuple[str, ...]) -> None:
        """Draw what is held down so far, or that keys are awaited."""
        waiting = text("settings.hotkey.press")
        self._show(tuple(map(printed, modifiers)), "…" if modifiers else waiting, waiting)

    def _show(self, keys: tuple[str, ...], hint: str, name: str) -> None:
        self._caps, self._hint = keys, hint
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = sum(self._cap_width(metrics, cap) for cap in self._caps) + GAP * max(len(self._caps) - 1, 0)
        if self._hint:
            width += GAP + metrics.horizontalAdvance(self._hint)
        return QSize(math.ceil(width) + 2, math.ceil(metrics.height()) + 16)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _cap_width(self, metrics: QFontMetricsF, cap: str) -> float:
        return max(metrics.height() + 12, metrics.horizontalAdvance(cap) + 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, palette = QFontMetricsF(self.font()), self.palette()
        ink = palette.color(QPalette.ColorRole.WindowText)
        face = blend(palette.color(QPalette.ColorRole.Base), ink, 0.06)
        x, height = 1.0, metrics.height() + 10
        for cap in self._caps:
            box = QRectF(x, 1.5, self._cap_width(metrics, cap), height)
            painter.setPen(QPen(blend(line_colour(), ink, 0.15), 1))
            painter.setBrush(line_colour())
            painter.drawRoundedRect(box.translated(0, 2.5), 5, 5)
            painter.setBrush(face)
            painter.drawRoundedRect(box, 5, 5)
            painter.setPen(ink)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, cap)
            x = box.right() + GAP
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QRectF(x, 1.5, self.width() - x, height), Qt.AlignmentFlag.AlignVCenter, self._hint)


class ChordRecorder(QWidget):
    """Shows the chosen chord; a press of its button waits for another.

    chosen      a new chord that nobody else owns
    try_hotkey  None when a chord is free, else one sentence saying who has it
    """

    chosen = Signal(str)

    def __init__(self, chord: str, try_hotkey: Callable[[str], str | None]) -> None:
        super().__init__()
        self._chord, self._try = chord, try_hotkey
        self._recording = False
        self._problem = ""
        self._caps = Keycaps(caps(chord))
        self._button = QPushButton(text("settings.hotkey.change"))
        self._button.setAutoDefault(False)
        self._button.clicked.connect(self._toggle)
        self._notice = Notice()
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.stop)
        self.setFocusProxy(self._button)
        self._lay_out()

    @property
    def chord(self) -> str:
        return self._chord

    @property
    def recording(self) -> bool:
        return self._recording

    @property
    def message(self) -> str:
        """What the recorder says about the last try, "" when nothing."""
        return self._notice.words

    def set_problem(self, problem: str | None) -> None:
        """Say why the chord does not work; None takes that away, and nothing else that was said."""
        if problem or self._problem:
            self._notice.tell(problem or "", "error")
        self._problem = problem or ""

    def start(self) -> None:
        """Wait for the next key with its modifiers, also for one that the desktop would take."""
        self._recording = True
        self._problem = ""
        self._notice.tell("")
        self._caps.show_held(())
        self._button.setText(text("settings.hotkey.cancel"))
        self._button.setFocus()
        self._button.installEventFilter(self)
        self._button.grabKeyboard()
        self._patience.start()

    def stop(self) -> None:
        """Wait no longer, and show the chosen chord."""
        if not self._recording:
            return
        self._recording = False
        self._patience.stop()
        self._button.releaseKeyboard()
        self._button.removeEventFilter(self)
        self._button.setText(text("settings.hotkey.change"))
        self._caps.show_chord(self._chord)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self._caps)
        line.addStretch(1)
        line.addWidget(self._button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(line)
        layout.addWidget(self._notice)

    def _toggle(self) -> None:
        if self._recording:
            self.stop()
        else:
            self.start()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """While recording no key reaches the button, and no shortcut of the window."""
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._pressed(event)
            return True
        if kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            self._caps.show_held(held_modifiers(event))
            return True
        if kind == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.stop()
        return False

    def _pressed(self, event: QKeyEvent) -> None:
        held, key = held_modifiers(event), key_name(event)
        if key is None:
            self._caps.show_held(held)
        elif key == "Escape" and not held:
            self.stop()
        else:
            self._take("+".join((*held, key)))

    def _take(self, written: str) -> None:
        try:
            chord = str(Chord.parse(written))
        except ChordError:
            self.stop()
            self._notice.tell(text("settings.hotkey.needs_modifier", chord=written), "warning")
            return
        self.stop()
        if problem := self._try(chord):
            self._notice.tell(problem, "error")
            return
        self._chord = chord
        self._caps.show_chord(chord)
        self._notice.tell(text("settings.hotkey.taken", chord=shown(chord)), "ok")
        self.chosen.emit(chord)
