"""The entries as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from fingerpost.app.desktop.history_window import describe
from fingerpost.app.desktop.widgets import signs
from fingerpost.app.desktop.widgets.cards import line_colour
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text

COLUMNS = ("picture", "time", "query", "answer", "action", "outcome")
THUMBNAIL = QSize(72, 44)  # logical pixels
LEAST_SCALE = 0.5  # of a picture in its thumbnail
KEPT = 400  # thumbnails in memory

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_TOP = QModelIndex()


class EntryTable(QAbstractTableModel):
    """`picture_of` gives the PNG of an entry by its id, None when it has none; it is asked for rows that are shown."""

    def __init__(self, picture_of: Callable[[int], bytes | None]) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._picture_of = picture_of
        self._thumbnails: dict[int, QIcon] = {}

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._entries

    def show(self, entries: tuple[Entry, ...]) -> None:
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def forget_thumbnails(self) -> None:
        self._thumbnails.clear()

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return text(f"history.{COLUMNS[section]}")
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        entry, column = self._entries[index.row()], COLUMNS[index.column()]
        if role == Role.DisplayRole:
            return WORDS[column](entry) if column in WORDS else None
        if role == Role.DecorationRole:
            return self._picture(entry, column)
        if role == Role.ToolTipRole:
            return entry.reason if column == "outcome" else WORDS[column](entry) if column in WORDS else None
        if role == Role.AccessibleTextRole and column == "picture":
            return text("history.picture")
        return None

    def _picture(self, entry: Entry, column: str) -> QIcon | None:
        if column == "outcome":
            return signs.icon(describe.sign(entry), QApplication.palette())
        if column != "picture":
            return None
        if entry.id not in self._thumbnails:
            if len(self._thumbnails) >= KEPT:
                self._thumbnails.clear()
            self._thumbnails[entry.id] = _untinted(thumbnail(self._picture_of(entry.id)))
        return self._thumbnails[entry.id]


WORDS: dict[str, Callable[[Entry], str]] = {
    "time": describe.when,
    "query": lambda entry: entry.query,
    "answer": describe.answer,
    "action": describe.action,
    "outcome": describe.outcome,
}


def _untinted(picture: QPixmap) -> QIcon:
    """Shown as it is in a row that is selected, too."""
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon


def thumbnail(png: bytes | None) -> QPixmap:
    """The middle of a picture with round corners, `THUMBNAIL` big; an empty frame when there is none."""
    ratio = 2.0
    picture = QPixmap(THUMBNAIL * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    shape = QPainterPath()
    shape.addRoundedRect(0.5, 0.5, THUMBNAIL.width() - 1, THUMBNAIL.height() - 1, 5, 5)
    source = QPixmap()
    if png and source.loadFromData(png):
        painter.setClipPath(shape)
        _draw_covering(painter, source)
        painter.setClipping(False)
    painter.setPen(line_colour())
    painter.drawPath(shape)
    painter.end()
    return picture


def _draw_covering(painter: QPainter, source: QPixmap) -> None:
    """Fill the thumbnail; what sticks out is left off on all sides, so that the target in the middle can be read."""
    scale = max(THUMBNAIL.width() / source.width(), THUMBNAIL.height() / source.height())
    scale = min(max(scale, LEAST_SCALE), 1.0)
    width, height = source.width() * scale, source.height() * scale
    painter.fillRect(0, 0, THUMBNAIL.width(), THUMBNAIL.height(), _paper())
    left, top = (THUMBNAIL.width() - width) / 2, (THUMBNAIL.height() - height) / 2
    painter.drawPixmap(round(left), round(top), round(width), round(height), source)


def _paper() -> QColor:
    return QApplication.palette().color(QPalette.ColorRole.AlternateBase)
