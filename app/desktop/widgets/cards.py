"""The form all pages share: cards with rows; a row has its label and hint on the left and its control on the right."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fingerpost.app.desktop.widgets.signs import Sign

PAGE_WIDTH = 760  # logical pixels; longer lines are hard to read


def line_colour() -> QColor:
    """For borders and the lines between rows."""
    return QApplication.palette().color(QPalette.ColorRole.Mid)


def blend(one: QColor, other: QColor, share: float) -> QColor:
    """`share` of the way from one colour to the other."""
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )


class Words(QLabel):
    """A text that wraps. `size` is relative to the window's font; `quiet` for what only explains."""

    def __init__(self, words: str = "", size: float = 1.0, bold: bool = False, quiet: bool = False) -> None:
        super().__init__(words)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        font = self.font()
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * size)
        else:  # a size in pixels
            font.setPixelSize(round(font.pixelSize() * size))
        font.setBold(bold)
        self.setFont(font)
        if quiet:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def minimumSizeHint(self) -> QSize:
        """One line: how many it takes depends on the width, which the layout asks for itself."""
        return QSize(super().minimumSizeHint().width(), self.fontMetrics().height())


class Card(QFrame):
    """A box with a thin border; rows are separated by lines."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(1, 1, 1, 1)
        self._rows.setSpacing(0)

    def add(self, content: QWidget) -> None:
        """Append any widget as a row of its own."""
        if self._rows.count():
            self._rows.addWidget(_Line())
        self._rows.addWidget(content)

    def row(self, label: str, control: QWidget | None = None, hint: str = "") -> Row:
        """Append a row; `control` takes its accessible name and description from the words."""
        row = Row(label, control, hint)
        self.add(row)
        return row

    def block(self, label: str, content: QWidget, hint: str = "") -> None:
        """Append words with something wide below them."""
        self.add(Block(label, content, hint))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(line_colour(), 1))
        painter.setBrush(self.palette().color(QPalette.ColorRole.Base))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)


class _Line(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), line_colour())


class Row(QWidget):
    """Words on the left, a control on the right. A click on the words of a switch turns it."""

    def __init__(self, label: str, control: QWidget | None, hint: str) -> None:
        super().__init__()
        self._control = control
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(16)
        layout.addLayout(_explained(label, hint), 1)
        if control is not None:
            name(control, label, hint)
            layout.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if isinstance(self._control, QAbstractButton) and self._control.isCheckable() and inside:
            self._control.setFocus(Qt.FocusReason.MouseFocusReason)
            self._control.click()


class Block(QWidget):
    """Words, and something wide below them."""

    def __init__(self, label: str, content: QWidget, hint: str) -> None:
        super().__init__()
        name(content, label, hint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 14)
        layout.setSpacing(10)
        layout.addLayout(_explained(label, hint))
        layout.addWidget(content)


def _explained(label: str, hint: str) -> QVBoxLayout:
    words = QVBoxLayout()
    words.setSpacing(2)
    if label:
        words.addWidget(Words(label))
    if hint:
        words.addWidget(Words(hint, 0.92, quiet=True))
    return words


def name(control: QWidget, label: str, hint: str) -> None:
    """Tell screen readers and the tooltip what the words beside a control say, unless it has its own."""
    if not control.accessibleName():
        control.setAccessibleName(label)
    if hint:
        control.setAccessibleDescription(hint)
        control.setToolTip(control.toolTip() or hint)


class Notice(QWidget):
    """A sentence with a sign; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self._sign = Sign("info")
        self._words = Words()
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._words, 1)
        self.hide()

    @property
    def words(self) -> str:
        """The sentence, "" when there is none."""
        return self._words.text()

    def tell(self, sentence: str, sign: str = "info") -> None:
        """Show a sentence; "" hides it."""
        self._sign.set_name(sign)
        self._words.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))


class Page(QScrollArea):
    """A heading and cards below each other; scrolls when the window is low."""

    def __init__(self, title: str, introduction: str = "") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(title)
        inside = QWidget()
        outer = QHBoxLayout(inside)
        outer.setContentsMargins(24, 20, 24, 24)
        column = QWidget()
        column.setMaximumWidth(PAGE_WIDTH)
        outer.addStretch(0)
        outer.addWidget(column, 1)
        outer.addStretch(0)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self._column.addWidget(Words(title, 1.5, bold=True))
        if introduction:
            self._column.addWidget(Words(introduction, quiet=True))
        self._column.addStretch(1)
        self.setWidget(inside)

    def add(self, content: QWidget) -> None:
        """Append something below what is there."""
        self._column.insertWidget(self._column.count() - 1, content)

    def heading(self, words: str) -> None:
        """Words above the next card."""
        self._column.insertSpacing(self._column.count() - 1, 8)
        self.add(Words(words, bold=True))

    def card(self, heading: str = "") -> Card:
        """Append an empty card."""
        if heading:
            self.heading(heading)
        card = Card()
        self.add(card)
        return card
