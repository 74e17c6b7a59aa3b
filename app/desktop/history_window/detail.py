"""One entry in full, with its picture."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from fingerpost.app.desktop.history_window import describe
from fingerpost.app.desktop.widgets.cards import Notice, Words, line_colour
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text


class Detail(QScrollArea):
    """Shows one entry, or how to choose one."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(260)
        self.show_entry(None, None)

    def show_entry(self, entry: Entry | None, png: bytes | None) -> None:
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        if entry is None:
            layout.addWidget(Words(text("history.choose"), quiet=True))
        else:
            self._fill(layout, entry, png)
        layout.addStretch(1)
        self.setWidget(inside)

    def _fill(self, layout: QVBoxLayout, entry: Entry, png: bytes | None) -> None:
        source = QPixmap()
        if png and source.loadFromData(png):
            layout.addWidget(Picture(source))
        layout.addWidget(_selectable(Words(entry.query, 1.15, bold=True)))
        notice = Notice()
        notice.tell(" ".join(filter(None, (describe.outcome(entry) + ".", entry.reason))), describe.sign(entry))
        layout.addWidget(notice)
        layout.addLayout(_facts(entry))


def _facts(entry: Entry) -> QGridLayout:
    """Names on the left, values on the right."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for row, (name, value) in enumerate(describe.facts(entry)):
        label = Words(name, quiet=True)
        label.setWordWrap(False)
        grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_selectable(Words(value)), row, 1, Qt.AlignmentFlag.AlignTop)
    return grid


def _selectable(words: Words) -> Words:
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words


class Picture(QWidget):
    """As large as the room allows, never larger than it is."""

    def __init__(self, source: QPixmap) -> None:
        super().__init__()
        self._source = source
        self.setAccessibleName(text("history.picture"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(260, self.heightForWidth(260))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._source.height() * min(width / self._source.width(), 1.0))

    def paintEvent(self, event: QPaintEvent) -> None:
        scale = min(self.width() / self._source.width(), 1.0)
        box = QRectF(0, 0, self._source.width() * scale, self._source.height() * scale)
        shape = QPainterPath()
        shape.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(shape)
        painter.drawPixmap(box, self._source, self._source.rect().toRectF())
        painter.setClipping(False)
        painter.setPen(line_colour())
        painter.drawPath(shape)
