"""The chip at the right of the line: what Enter will do. Tab steps through the actions; a click lists them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from fingerpost.app.desktop.palette.measure import font, px
from fingerpost.app.desktop.theme import Theme
from fingerpost.app.text import text


class ActionChip(QAbstractButton):
    """`changed` carries the action that the user took."""

    changed = Signal(str)

    def __init__(self, theme: Theme, actions: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._actions = tuple(actions)
        self.action = self._actions[0]
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._list)
        self.set_action(self.action)

    def set_action(self, action: str) -> None:
        self.action = action if action in self._actions else self._actions[0]
        self.setText(text(f"action.{self.action}"))
        self.setAccessibleName(text("palette.action_name", action=self.text()))
        self.setToolTip(text("palette.choose_action"))
        self.updateGeometry()
        self.update()

    def step(self, by: int) -> None:
        place = (self._actions.index(self.action) + by) % len(self._actions)
        self._take(self._actions[place])

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(font(13, QFont.Weight.Medium)).horizontalAdvance(self.text()) + px(42), px(30))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(self.theme.line), 1))
        painter.setBrush(QColor(self.theme.hover if self.underMouse() else self.theme.raised))
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setPen(QColor(self.theme.text))
        painter.setFont(font(13, QFont.Weight.Medium))
        words = area.adjusted(px(14), 0, -px(26), 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        pen = QPen(QColor(self.theme.quiet), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        x, y, reach = area.right() - px(17), area.center().y(), px(3.5)
        painter.drawPolyline(_chevron(x, y, reach))

    def _list(self) -> None:
        menu = QMenu(self)
        for action in self._actions:
            entry = menu.addAction(text(f"action.{action}"))
            entry.setCheckable(True)
            entry.setChecked(action == self.action)
            entry.triggered.connect(lambda _checked=False, taken=action: self._take(taken))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _take(self, action: str) -> None:
        if action != self.action:
            self.set_action(action)
            self.changed.emit(action)


def _chevron(x: float, y: float, reach: float) -> list[QPointF]:
    return [QPointF(x - reach, y - reach / 2), QPointF(x, y + reach / 2), QPointF(x + reach, y - reach / 2)]
