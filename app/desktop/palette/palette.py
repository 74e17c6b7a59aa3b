"""The line that the user types into, and the candidates below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QColor,
    QImage,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QScreen,
)
from PySide6.QtWidgets import QWidget

from fingerpost.app.desktop import wording, x11
from fingerpost.app.desktop.palette.candidates import ROW, Candidate
from fingerpost.app.desktop.palette.card import Card, rounded_boxes
from fingerpost.app.desktop.palette.earlier import Earlier
from fingerpost.app.desktop.palette.early_keys import EarlyKeys
from fingerpost.app.desktop.palette.keys import Command, Press, Situation, command
from fingerpost.app.desktop.palette.measure import px
from fingerpost.app.desktop.palette.query_line import QueryLine, platform
from fingerpost.app.desktop.palette.room import EDGE, free_top, home
from fingerpost.app.desktop.palette.shadow import DROP, paint_shadow
from fingerpost.app.desktop.screens import logical, logical_box, physical_box, screen_of
from fingerpost.app.desktop.theme import Theme
from fingerpost.app.desktop.widgets.keys import held_modifiers, key_name
from fingerpost.app.settings.values import ACTIONS
from fingerpost.app.text import text
from fingerpost.engine.geometry import DesktopPoint, Monitor
from fingerpost.engine.values import Answer, Box

PAUSE_MS = 150
"""How long typing has to rest before the line is asked."""
WIDTH = 700
RADIUS = 14
SHADOW = 30
MOST = 9  # as many as there are number keys
EXAMPLES = 6
LIST_SHARE = 0.4  # of the screen's height, at most; the rest scrolls
NO_CANDIDATE = -1

FLAGS = Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.Tool


class Palette(QWidget):
    """Prebuilt and resident: opening only shows it.

    asked           the line, after a short pause in typing, at once with Enter; "" at once when it was emptied
    accepted        candidate, action, text to type. The candidate is an index into the shown answer's targets, or -1
                    when Enter came before the answer to what is in the line (`asked` has been emitted before), or on
                    an answer that found nothing
    chosen          another candidate is highlighted, by its index
    action_changed  one of `settings.ACTIONS`
    always_asked    Shift+Enter: from now on without a second Enter in this program; `accepted` follows
    cancelled       Escape
    """

    asked = Signal(str)
    accepted = Signal(int, str, str)
    chosen = Signal(int)
    action_changed = Signal(str)
    always_asked = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, actions: Sequence[str] = ACTIONS, parent: QWidget | None = None) -> None:
        super().__init__(parent, FLAGS)
        self._theme = theme
        self._earlier = Earlier()
        self._asked = ""  # what somebody is looking for, or has looked for
        self._answered = ""  # what the shown answer belongs to
        self._notice = ""  # kind of the message that was asked for, "" when it belongs to the answer
        self._status = ""
        self._hotkey = ""
        self._opened = 0
        self._most_rows = MOST
        self._pointing = False  # the candidate was chosen by the pointer
        self._composited = True
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._ask)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setObjectName("palette")
        self._card = Card(theme, actions, self._pressed, self)
        self._early = EarlyKeys(self._early_key)
        for line in (self._card.line, self._card.typed):
            line.installEventFilter(self)
        self._connect()
        self.retranslate()
        self._prebuild()

    # what others may know and set

    @property
    def query(self) -> str:
        """What is in the line."""
        return self._card.line.text()

    @property
    def action(self) -> str:
        return self._card.chip.action

    @property
    def text_to_type(self) -> str:
        return self._card.typed.text()

    def covers(self, point: DesktopPoint) -> bool:
        """Whether a place on the desktop is on the palette."""
        return self.isVisible() and self._card.geometry().contains(logical(self.screen(), point) - self.pos())

    @property
    def area(self) -> Box:
        """What it covers, desktop physical pixels; empty while it is closed."""
        if not self.isVisible():
            return Box(0, 0, 0, 0)
        return physical_box(self.screen(), self._card.geometry().translated(self.pos()))

    def keep_off(self, box: Box) -> None:
        """Make room for a target that it covers, desktop physical pixels; not while the pointer chooses in the list."""
        if self._pointing or not self.isVisible():
            return
        top = free_top(
            self._card.geometry().translated(self.pos()), logical_box(self.screen(), box), self.screen().geometry()
        )
        self.move(self.x(), top - self._margin)

    def set_hotkey(self, chord: str) -> None:
        """The key that opens the palette, as `Chord` writes it: again it closes it. "" for none."""
        self._hotkey = chord

    def set_theme(self, theme: Theme) -> None:
        """Change colours and motion."""
        self._theme = theme
        self._card.dress(theme)
        self.update()

    def set_action(self, action: str, typed: str = "") -> None:
        """What Enter will do, and the text to type; emits nothing."""
        self._card.chip.set_action(action)
        self._card.typed.setText(typed)
        self._show_action()

    def set_history(self, queries: Sequence[str]) -> None:
        """Earlier queries, the latest first."""
        self._earlier = Earlier(queries)

    def set_query(self, query: str) -> None:
        """Put a query into the line and ask it at once."""
        self._card.line.setText(query)
        self._text_changed()
        self._ask()

    def retranslate(self) -> None:
        """Show all words in the language in use."""
        self._card.retranslate(self._opened % EXAMPLES + 1)
        self.setWindowTitle(text("palette.name"))
        self._show_hints()

    # opening and closing

    def open_on(self, monitor: Monitor, screen: QScreen | None = None) -> None:
        """Show an empty line in the upper third of `monitor`, with the keyboard; `screen` is Qt's name for it."""
        self._early.begin()
        self._clear()
        self._opened += 1
        self._card.show_example(self._opened % EXAMPLES + 1)
        self._composited = x11.is_composited()
        screen = screen or screen_of(monitor)
        self._place(screen)
        x11.set_shadow_margin(int(self.winId()), round(self._margin * screen.devicePixelRatio()))
        self.show()
        self.raise_()
        self.activateWindow()
        self._card.line.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        x11.ask_for_focus(int(self.winId()))

    def close_quietly(self) -> None:
        """Hide without `cancelled`."""
        self._early.end()
        self._pause.stop()
        self._card.busy.set_busy(False)
        self.hide()

    # what there is to show

    def show_idle(self) -> None:
        """Nothing is asked: only the line."""
        self._card.busy.set_busy(False)
        self._answered, self._status = "", ""
        self._card.show_candidates((), 0)
        self._say("")

    def show_busy(self, loaded: float | None = None) -> None:
        """Someone is looking for what was asked; or a model must be loaded first, of which this share is."""
        self._card.busy.set_busy(True)
        self._card.candidates.set_fresh(False)
        looking, loading = "palette.looking", "palette.loading"
        self._status = text(looking) if loaded is None else text(loading, percent=round(100 * loaded))
        self._show_hints()

    def show_answer(self, answer: Answer, thumbnails: Sequence[QImage]) -> None:
        """Candidates, or why there are none. One thumbnail a target, best first; a missing one is left blank."""
        self._card.busy.set_busy(False)
        self._answered = self._asked
        pictures = (*thumbnails, *(None for _ in answer.targets))
        shown = [Candidate(i + 1, target, pictures[i]) for i, target in enumerate(answer.targets[:MOST])]
        self._card.show_candidates(shown, self._most_rows)
        self._card.candidates.set_fresh(self.query.strip() == self._answered)
        took = wording.elapsed(answer.elapsed_ms)
        self._status = text("palette.found", count=len(shown), time=took) if shown else ""
        if answer.ambiguous:
            self._say(text("palette.which_one"), text("palette.say_which"), "warning")
        elif not answer.found:
            self._say(text("palette.not_found"), wording.why_not(answer.reason))
        elif self._notice != "warning":
            self._say("")
        else:
            self._fit()
        self._announce(shown)

    def show_message(self, words: str, kind: str = "info") -> None:
        """A sentence below the line, "info", "warning" or "error"; candidates stay. "" takes it away."""
        if kind == "error":
            self._card.busy.set_busy(False)
            self._asked, self._status = "", ""  # Enter asks again
        self._say(words, "", kind, notice=kind)
        self._tell(words)

    # inside

    @property
    def _margin(self) -> int:
        """Room for the shadow around the card, logical pixels."""
        return SHADOW + DROP if self._composited else 0

    def _connect(self) -> None:
        self._card.line.textEdited.connect(self._edited)
        self._card.chip.changed.connect(self._action_taken)
        self._card.candidates.pointed.connect(self._pointed)
        self._card.candidates.taken.connect(self._clicked)

    def _prebuild(self) -> None:
        """Create the window and lay everything out once, unseen: the first opening is as fast as all others."""
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._fit()
        self.show()
        self.grab()
        self.hide()
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)

    def _clear(self) -> None:
        self._pause.stop()
        self._earlier.leave()
        self._pointing = False
        self._asked, self._notice = "", ""
        self._card.line.clear()
        self._card.typed.clear()
        self.show_idle()

    def _place(self, screen: QScreen) -> None:
        area = screen.geometry()
        top = home(area)
        self._most_rows = max(3, min(MOST, round(area.height() * LIST_SHARE) // px(ROW)))
        self.setScreen(screen)
        self._fit()
        self.move(QPoint(area.left() + (area.width() - self.width()) // 2, top - self._margin))

    def _fit(self) -> None:
        """As large as what is shown; the card's top stays where it is."""
        width = min(px(WIDTH), self.screen().geometry().width() - 2 * px(20))
        height = self._card.height_for(width)
        margin = self._margin
        self._card.setGeometry(margin, margin, width, height)
        self.setFixedSize(width + 2 * margin, height + 2 * margin)
        beyond = self.y() + margin + height - self.screen().geometry().bottom()
        if self.isVisible() and beyond > 0:
            self.move(self.x(), self.y() - beyond - px(EDGE))

    def _say(self, words: str, more: str = "", kind: str = "info", notice: str = "") -> None:
        self._notice = notice if words else ""
        self._card.message.say(words, more, kind)
        self._show_hints()
        self._fit()

    def _show_hints(self) -> None:
        card = self._card
        nothing = bool(self._answered) and not card.candidates.count
        hints = [
            (text("palette.key_enter"), text("palette.hint_again" if nothing else f"action.{self.action}")),
            (text("palette.key_tab"), text("palette.hint_action")),
        ]
        if card.candidates.count > 1:
            hints.insert(1, (text("palette.key_choose", last=card.candidates.count), text("palette.hint_choose")))
        elif self._earlier.queries:
            hints.append((text("palette.key_up"), text("palette.hint_history")))
        hints.append((text("palette.key_escape"), text("palette.hint_close")))
        if card.candidates.count:
            hints.append((text("palette.key_shift_enter"), text("palette.hint_always")))
        card.hints.show_hints(hints, self._status)

    def _edited(self) -> None:
        self._earlier.leave()
        if self._notice:
            self._say("")
        self._text_changed()

    def _text_changed(self) -> None:
        query = self.query.strip()
        self._card.candidates.set_fresh(query == self._answered)
        if query:
            self._pause.start()
            return
        self._pause.stop()
        if self._asked:
            self._asked = ""
            self.asked.emit("")

    def _ask(self) -> None:
        self._pause.stop()
        query = self.query.strip()
        if query and query != self._asked:
            self._asked = query
            self.asked.emit(query)

    def _pressed(self, line: QueryLine, press: Press) -> bool:
        """A key on one of the two lines; whether it was a command."""
        in_query = line is self._card.line
        empty = in_query and not self.query
        self._pointing = False
        found = command(press, Situation(empty, self._earlier.browsing, self._card.candidates.count), platform())
        if found is None:
            return False
        name, index = found
        if name is Command.CANCEL and not in_query:
            self._card.line.setFocus()
        else:
            self._obey(name, index)
        return True

    def _obey(self, name: Command, index: int) -> None:
        match name:
            case Command.ACCEPT:
                self._accept()
            case Command.ACCEPT_ALWAYS:
                self._accept(always=True)
            case Command.CANCEL:
                self.cancelled.emit()
            case Command.NEXT_ACTION | Command.PREVIOUS_ACTION:
                self._card.chip.step(1 if name is Command.NEXT_ACTION else -1)
            case Command.NEXT | Command.PREVIOUS:
                self._move(1 if name is Command.NEXT else -1)
            case Command.OLDER:
                self._older()
            case Command.NEWER:
                self._newer()
            case Command.CHOOSE:
                self._choose(index)
            case Command.NOTHING:
                pass

    def _accept(self, always: bool = False) -> None:
        self._earlier.leave()
        self._ask()
        if self.action == "type" and not self.text_to_type:
            self._card.typed.setFocus()
            return
        query = self.query.strip()
        if query and query != self._answered:
            self.accepted.emit(NO_CANDIDATE, self.action, self.text_to_type)
        elif self._card.candidates.count:
            if always:
                self.always_asked.emit()
            self.accepted.emit(self._card.candidates.current, self.action, self.text_to_type)
        elif query and self._answered:
            self.accepted.emit(NO_CANDIDATE, self.action, self.text_to_type)

    def _pointed(self, row: int) -> None:
        self._pointing = True
        self._choose(row)

    def _clicked(self, row: int) -> None:
        if self.query.strip() == self._answered:
            self._choose(row)
            self._accept()

    def _choose(self, index: int) -> None:
        self._card.candidates.highlight(index)
        self.chosen.emit(index)

    def _move(self, by: int) -> None:
        candidates = self._card.candidates
        if candidates.count > 1:
            self._choose((candidates.current + by) % candidates.count)

    def _older(self) -> None:
        query = self._earlier.older()
        if query is not None:
            self._card.line.setText(query)
            self._text_changed()

    def _newer(self) -> None:
        self._card.line.setText(self._earlier.newer())
        self._text_changed()

    def _action_taken(self, action: str) -> None:
        self._show_action()
        self.action_changed.emit(action)

    def _show_action(self) -> None:
        typing = self.action == "type"
        if not typing and self._card.typed.hasFocus():
            self._card.line.setFocus()
        self._card.show_typing(typing)
        self._show_hints()
        self._fit()

    def _announce(self, shown: Sequence[Candidate]) -> None:
        best = shown[0].spoken if shown else ""
        self._tell(f"{self._card.message.accessibleName()} {best}".strip())

    def _tell(self, words: str) -> None:
        """Say something to a screen reader."""
        if words and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _early_key(self, event: QKeyEvent) -> None:
        QCoreApplication.sendEvent(self._card.line, event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While `EarlyKeys` holds the keyboard, the hotkey comes to the lines like any other key."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if "+".join((*held_modifiers(event), key_name(event) or "")) != self._hotkey:
            return False
        if not event.isAutoRepeat():
            self.cancelled.emit()
        return True

    # the window

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._early.end_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """By the window manager it means Escape; by the application it means that it ends, and must not be refused."""
        if event.spontaneous():
            event.ignore()
            self.cancelled.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        ratio = self.devicePixelRatioF()
        size = (round(self.width() * ratio), round(self.height() * ratio))
        x11.set_shape(int(self.winId()), None if self._composited else rounded_boxes(*size, px(RADIUS) * ratio))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card, radius = QRectF(self._card.geometry()), px(RADIUS)
        if self._composited:
            paint_shadow(painter, card.translated(0, DROP), radius, SHADOW, self.devicePixelRatioF())
        path = QPainterPath()
        path.addRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.fillPath(path, QColor(self._theme.surface))
        painter.setPen(QPen(QColor(self._theme.line if self._composited else self._theme.outline), 1))
        painter.drawPath(path)
