"""What lies on the palette, from the line to the hints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fingerpost.app.desktop.palette.action_chip import ActionChip
from fingerpost.app.desktop.palette.busy import BusySign
from fingerpost.app.desktop.palette.candidates import Candidate, Candidates
from fingerpost.app.desktop.palette.hints import Hints
from fingerpost.app.desktop.palette.keys import Press
from fingerpost.app.desktop.palette.measure import font, px
from fingerpost.app.desktop.palette.message import Message
from fingerpost.app.desktop.palette.query_line import QueryLine
from fingerpost.app.desktop.theme import Theme
from fingerpost.app.text import text
from fingerpost.engine.values import Box

PLAIN_LINE = "QLineEdit { background: transparent; border: none; padding: 0; }"
PLAIN_LIST = "QListView { background: transparent; border: none; outline: none; padding: 4px 0; }"


class Card(QWidget):
    """The widgets and their order. `pressed` hears the keys of both lines first."""

    def __init__(
        self, theme: Theme, actions: Sequence[str], pressed: Callable[[QueryLine, Press], bool], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.busy = BusySign(theme)
        self.line = QueryLine(lambda press: pressed(self.line, press))
        self.typed = QueryLine(lambda press: pressed(self.typed, press))
        self.chip = ActionChip(theme, actions)
        self.message = Message(theme)
        self.candidates = Candidates(theme)
        self.hints = Hints(theme)
        self._typed_label = QLabel()
        self._typing = QWidget()
        self._rules = [QFrame(), QFrame(), QFrame()]
        self._arrange()
        self.dress(theme)
        self.show_candidates((), 0)
        self.show_typing(False)

    def dress(self, theme: Theme) -> None:
        colours = QPalette(self.palette())
        colours.setColor(QPalette.ColorRole.Text, QColor(theme.text))
        colours.setColor(QPalette.ColorRole.PlaceholderText, QColor(theme.quiet))
        colours.setColor(QPalette.ColorRole.Highlight, QColor(theme.accent))
        colours.setColor(QPalette.ColorRole.HighlightedText, QColor(theme.on_accent))
        for line in (self.line, self.typed):
            line.setPalette(colours)
            line.setStyleSheet(PLAIN_LINE)
        self.candidates.setStyleSheet(PLAIN_LIST)
        self._typed_label.setStyleSheet(f"color: {theme.quiet}; background: transparent;")
        for rule in self._rules:
            rule.setStyleSheet(f"background: {theme.line}; border: none;")
        for part in (self.busy, self.chip, self.hints, self.candidates.row):
            part.theme = theme
        self.message.dress(theme)
        self.update()

    def retranslate(self, example: int) -> None:
        self.show_example(example)
        self.line.setAccessibleName(text("palette.name"))
        self.line.setAccessibleDescription(text("palette.description"))
        self._typed_label.setText(text("palette.text_to_type"))
        self.typed.setAccessibleName(text("palette.text_to_type"))
        self.candidates.setAccessibleName(text("palette.candidates"))
        self.chip.set_action(self.chip.action)

    def show_example(self, number: int) -> None:
        """Another one at every opening: they teach what can be said."""
        self.line.setPlaceholderText(text("palette.placeholder", example=text(f"palette.example_{number}")))

    def show_candidates(self, candidates: Sequence[Candidate], most_rows: int) -> None:
        self.candidates.show_candidates(candidates, most_rows)
        for part in (self.candidates, self._rules[2]):
            part.setVisible(bool(candidates))

    def show_typing(self, typing: bool) -> None:
        """The second line, for the text that is typed into the target."""
        self._typing.setVisible(typing)

    def height_for(self, width: int) -> int:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def _arrange(self) -> None:
        self.line.setFont(font(18))
        self.line.setMinimumHeight(px(36))
        first = QHBoxLayout()
        first.setContentsMargins(px(18), px(12), px(14), px(12))
        first.setSpacing(px(12))
        first.addWidget(self.busy)
        first.addWidget(self.line, 1)
        first.addWidget(self.chip)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(first)
        self._arrange_typing()
        for part in (self._typing, self.message, self._rules[2], self.candidates, self.hints):
            rows.addWidget(part)
        for rule in self._rules:
            rule.setFixedHeight(1)

    def _arrange_typing(self) -> None:
        self.typed.setFont(font(14))
        self.typed.setMinimumHeight(px(28))
        self._typed_label.setFont(font(13, QFont.Weight.Medium))
        row = QHBoxLayout()
        row.setContentsMargins(px(52), px(8), px(18), px(8))
        row.setSpacing(px(12))
        row.addWidget(self._typed_label)
        row.addWidget(self.typed, 1)
        column = QVBoxLayout(self._typing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._rules[0])
        column.addLayout(row)


def rounded_boxes(width: int, height: int, radius: float) -> list[Box]:
    """A rectangle with round corners as boxes: what a window without blending is cut to. Physical pixels."""
    corner = min(math.ceil(radius), height // 2)
    rows = []
    for y in range(corner):
        inset = round(radius - math.sqrt(max(0.0, radius**2 - (radius - y - 0.5) ** 2)))
        rows += [Box(inset, top, width - 2 * inset, 1) for top in (y, height - 1 - y)]
    return [*rows, Box(0, corner, width, height - 2 * corner)]
