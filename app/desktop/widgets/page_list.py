"""The list of a window's pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QApplication, QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from fingerpost.app.desktop.widgets.cards import blend, line_colour

ROW = 36  # logical pixels


class PageList(QListWidget):
    """Lies on the window's own colour; the chosen page has a bar at its side and bold words."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pages")
        self.setStyleSheet("QListView { border: none; background: transparent; }")
        self.setItemDelegate(_Rows(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(8, 14, 9, 8)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)

    def show_pages(self, titles: Sequence[str]) -> None:
        """Fill the list anew, wide enough for the longest title."""
        self.clear()
        self.addItems(list(titles))
        widest = max(self.fontMetrics().horizontalAdvance(title) for title in titles)
        self.setFixedWidth(max(190, round(widest * 1.12) + 60))


class _Rows(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, max(ROW, option.fontMetrics.height() + 16))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette = QApplication.palette()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        accent = palette.color(QPalette.ColorRole.Highlight)
        window = palette.color(QPalette.ColorRole.Window)
        row = QRectF(option.rect).adjusted(0, 1, 0, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(blend(window, accent, 0.16) if chosen else blend(window, line_colour(), 0.6))
            painter.drawRoundedRect(row, 6, 6)
        if chosen:
            painter.setBrush(accent)
            painter.drawRoundedRect(QRectF(row.left(), row.top() + 8, 3, row.height() - 16), 1.5, 1.5)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        font = option.font
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        words = row.adjusted(14, 0, -6, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.restore()
