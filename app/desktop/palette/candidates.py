"""The list of what was found: number, picture, name, kind, how sure, and what found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fingerpost.app.desktop import wording
from fingerpost.app.desktop.palette.measure import font, px
from fingerpost.app.desktop.theme import Theme
from fingerpost.app.text import text
from fingerpost.engine.values import Target

ROW = 52
PICTURE = (76, 36)
BAR = 64
Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()


@dataclass(frozen=True)
class Candidate:
    number: int
    target: Target
    picture: QImage | None

    @property
    def label(self) -> str:
        """The name on one line; what has none is called by its kind."""
        return " ".join(self.target.label.split()) or wording.kind(self.target.kind).capitalize()

    @property
    def about(self) -> str:
        return f"{wording.kind(self.target.kind)} · {wording.source(self.target.source)}"

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        return text(
            "palette.candidate",
            number=self.number,
            label=self.label,
            kind=wording.kind(self.target.kind),
            confidence=wording.confidence(self.target.confidence),
            source=wording.source(self.target.source),
        )


class Model(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.candidates: tuple[Candidate, ...] = ()

    def replace(self, candidates: Sequence[Candidate]) -> None:
        self.beginResetModel()
        self.candidates = tuple(candidates)
        self.endResetModel()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.candidates)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        candidate = self.candidates[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return candidate.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return candidate.spoken
        return candidate if role == Qt.ItemDataRole.UserRole else None


class Candidates(QListView):
    """The keyboard stays with the line; the pointer may choose here.

    pointed  the pointer moved onto another row
    taken    a row was clicked
    """

    pointed = Signal(int)
    taken = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model_ = Model(self)
        self.setModel(self.model_)
        self.row = Row(theme, self)
        self.setItemDelegate(self.row)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._pointer: tuple[int, int] | None = None
        self.clicked.connect(lambda index: self.taken.emit(index.row()))

    @property
    def count(self) -> int:
        return self.model_.rowCount()

    @property
    def current(self) -> int:
        """Index of the highlighted row; -1 without any."""
        return self.currentIndex().row()

    def show_candidates(self, candidates: Sequence[Candidate], most_rows: int) -> None:
        self._pointer = None
        self.model_.replace(candidates)
        self.setFixedHeight(min(len(candidates), most_rows) * px(ROW) + px(8))
        self.setAccessibleName(text("palette.candidates"))
        if candidates:
            self.highlight(0)

    def set_fresh(self, fresh: bool) -> None:
        """Pale while they do not belong to what is in the line."""
        self.row.fresh = fresh
        self.viewport().update()

    def highlight(self, index: int) -> None:
        self.setCurrentIndex(self.model_.index(index, 0))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A row that appears below a resting pointer is not chosen by that."""
        place = event.globalPosition().toPoint().toTuple()
        moved, self._pointer = self._pointer not in {None, place}, place
        row = self.indexAt(event.position().toPoint()).row()
        if moved and row >= 0 and row != self.current:
            self.pointed.emit(row)


class Row(QStyledItemDelegate):
    """Paints one candidate."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self.fresh = True

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(px(200), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        candidate = index.data(Qt.ItemDataRole.UserRole)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(1.0 if self.fresh else 0.5)
        area = QRectF(option.rect).adjusted(px(8), px(1), -px(8), -px(1))
        if chosen:
            self._paint_choice(painter, area)
        x = self._paint_number(painter, candidate, area, chosen)
        x = self._paint_picture(painter, candidate, area, x)
        right = self._paint_confidence(painter, candidate, area)
        self._paint_words(painter, candidate, QRectF(x, area.top(), right - x, area.height()))
        painter.restore()

    def _paint_choice(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.selected))
        painter.drawRoundedRect(area, px(8), px(8))
        painter.setBrush(QColor(self.theme.accent))
        painter.drawRoundedRect(QRectF(area.left(), area.top() + px(13), px(3), area.height() - px(26)), 1.5, 1.5)

    def _paint_number(self, painter: QPainter, candidate: Candidate, area: QRectF, chosen: bool) -> float:
        side = px(22)
        circle = QRectF(area.left() + px(12), area.center().y() - side / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen if chosen else QPen(QColor(self.theme.line), 1))
        painter.setBrush(QColor(self.theme.accent if chosen else self.theme.raised))
        painter.drawEllipse(circle)
        painter.setFont(font(12, QFont.Weight.DemiBold))
        painter.setPen(QColor(self.theme.on_accent if chosen else self.theme.text))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(candidate.number))
        return circle.right() + px(12)

    def _paint_picture(self, painter: QPainter, candidate: Candidate, area: QRectF, x: float) -> float:
        """The piece of the screen, whole and never enlarged beyond twice its size."""
        frame = QRectF(x, area.center().y() - px(PICTURE[1]) / 2, px(PICTURE[0]), px(PICTURE[1]))
        path = QPainterPath()
        path.addRoundedRect(frame, px(5), px(5))
        painter.fillPath(path, QColor(self.theme.raised))
        if candidate.picture is not None and not candidate.picture.isNull():
            size = candidate.picture.size()
            factor = min(frame.width() / size.width(), frame.height() / size.height(), 2.0)
            shown = QRectF(0, 0, size.width() * factor, size.height() * factor)
            shown.moveCenter(frame.center())
            painter.setClipPath(path)
            painter.drawImage(shown, candidate.picture)
            painter.setClipping(False)
        painter.setPen(QPen(QColor(self.theme.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        return frame.right() + px(14)

    def _paint_confidence(self, painter: QPainter, candidate: Candidate, area: QRectF) -> float:
        """In words, and as a bar below them. Returns where it begins."""
        words, chosen = wording.confidence(candidate.target.confidence), font(12)
        width = max(float(px(BAR)), QFontMetricsF(chosen).horizontalAdvance(words) + 1)
        left = area.right() - px(14) - width
        painter.setFont(chosen)
        painter.setPen(QColor(self.theme.quiet))
        top = QRectF(left, area.top() + px(9), width, px(17))
        painter.drawText(top, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        bar = QRectF(left + width - px(BAR), area.top() + px(33), px(BAR), px(4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.line))
        painter.drawRoundedRect(bar, px(2), px(2))
        bar.setWidth(max(bar.height(), bar.width() * candidate.target.confidence))
        painter.setBrush(QColor(self.theme.accent))
        painter.drawRoundedRect(bar, px(2), px(2))
        return left - px(14)

    def _paint_words(self, painter: QPainter, candidate: Candidate, area: QRectF) -> None:
        for words, chosen, colour, top in (
            (candidate.label, font(14, QFont.Weight.Medium), self.theme.text, px(7)),
            (candidate.about, font(12), self.theme.quiet, px(27)),
        ):
            painter.setFont(chosen)
            painter.setPen(QColor(colour))
            shown = QFontMetricsF(chosen).elidedText(words, Qt.TextElideMode.ElideRight, area.width())
            line = QRectF(area.left(), area.top() + top, area.width(), px(18))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
