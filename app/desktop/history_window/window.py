"""The window: search above, the table on the left, one entry in full on the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from fingerpost.app.desktop.history_window.detail import Detail
from fingerpost.app.desktop.history_window.empty import Empty
from fingerpost.app.desktop.history_window.model import COLUMNS, THUMBNAIL, EntryTable
from fingerpost.app.desktop.widgets.cards import Notice, Words
from fingerpost.app.desktop.widgets.confirm import confirmed
from fingerpost.app.desktop.widgets.window_size import open_at
from fingerpost.app.history.database import HistoryError
from fingerpost.app.history.store import History
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text

SIDE_BY_SIDE = 940  # logical pixels
MOST = 1000  # entries in the table; a search finds older ones


class HistoryWindow(QWidget):
    """Reads `history` when it is shown and at every `refresh`. `cleared` and `deleted` tell what the user removed."""

    cleared = Signal()
    deleted = Signal(int)

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self._model = EntryTable(self._picture)
        self._search = QLineEdit(clearButtonEnabled=True)
        self._search.textChanged.connect(lambda _words: self.refresh())
        self._count = Words(quiet=True)
        self._count.setWordWrap(False)
        self._delete = QPushButton(autoDefault=False)
        self._delete.clicked.connect(self.delete_current)
        self._clear = QPushButton(autoDefault=False)
        self._clear.clicked.connect(self.clear)
        self._notice = Notice()
        self._table = _table(self._model)
        self._detail = Detail()
        self._empty = Empty()
        self._splitter = QSplitter()
        self._stack = QStackedWidget()
        self._lay_out()
        self._table.selectionModel().currentRowChanged.connect(self._chosen)
        self._shortcuts()
        self.retranslate()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What the table shows."""
        return self._model.entries

    @property
    def current(self) -> Entry | None:
        row = self._table.currentIndex().row()
        return self._model.entries[row] if 0 <= row < len(self._model.entries) else None

    def refresh(self) -> None:
        """Read the history again; the same entry stays chosen."""
        before = self.current
        try:
            entries = self._history.search(self._search.text(), MOST)
            self._notice.tell(self._history.problem or "", "warning")
        except HistoryError as error:
            entries = ()
            self._notice.tell(f"{error.message} {error.hint}", "error")
        self._model.show(entries)
        self._count.setText(text("history.count", count=len(entries)))
        self._clear.setEnabled(bool(entries) or bool(self._search.text()))
        self._empty.explain(searching=bool(self._search.text().strip()))
        self._stack.setCurrentIndex(0 if entries else 1)
        self._choose(before)

    def delete_current(self) -> None:
        """Remove the chosen entry; the one below it is chosen next."""
        entry, row = self.current, self._table.currentIndex().row()
        if entry is None:
            return
        try:
            self._history.delete(entry.id)
        except HistoryError as error:
            self._notice.tell(f"{error.message} {error.hint}", "error")
            return
        self.refresh()
        self._table.selectRow(min(row, len(self.entries) - 1))
        self.deleted.emit(entry.id)

    def clear(self) -> None:
        """Ask, then remove everything."""
        if not confirmed(self, text("history.clear_question"), text("history.clear_detail"), text("history.clear_yes")):
            return
        try:
            self._history.clear()
        except HistoryError as error:
            self._notice.tell(f"{error.message} {error.hint}", "error")
            return
        self._model.forget_thumbnails()
        self._search.clear()
        self.refresh()
        self.cleared.emit()

    def retranslate(self) -> None:
        """Say everything in the language in use, and read the history again."""
        self.setWindowTitle(text("history.title"))
        self._search.setPlaceholderText(text("history.search"))
        self._search.setAccessibleName(text("history.search"))
        self._table.setAccessibleName(text("history.title"))
        self._delete.setText(text("history.delete"))
        self._delete.setToolTip(text("history.delete_hint"))
        self._clear.setText(text("history.clear"))
        self._clear.setToolTip(text("history.clear_hint"))
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.retranslate()
        self._search.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the entry lies below the table."""
        super().resizeEvent(event)
        side_by_side = self.width() >= SIDE_BY_SIDE
        self._splitter.setOrientation(Qt.Orientation.Horizontal if side_by_side else Qt.Orientation.Vertical)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._model.forget_thumbnails()

    def _picture(self, entry: int) -> bytes | None:
        try:
            return self._history.picture(entry)
        except HistoryError:
            return None

    def _chosen(self, current: QModelIndex, _before: QModelIndex | None = None) -> None:
        entry = self._model.entries[current.row()] if current.isValid() else None
        self._delete.setEnabled(entry is not None)
        self._detail.show_entry(entry, self._picture(entry.id) if entry else None)

    def _choose(self, entry: Entry | None) -> None:
        ids = [one.id for one in self.entries]
        if entry and entry.id in ids:
            self._table.selectRow(ids.index(entry.id))
        else:
            self._chosen(QModelIndex())

    def _shortcuts(self) -> None:
        QShortcut(QKeySequence.StandardKey.Find, self, self._search.setFocus)
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._escape)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self._table, self.delete_current)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), self._search, self._into_table)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _escape(self) -> None:
        """First empties the search, then closes the window."""
        if self._search.text():
            self._search.clear()
        else:
            self.close()

    def _into_table(self) -> None:
        self._table.setFocus()
        if self.current is None and self.entries:
            self._table.selectRow(0)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self._search, 1)
        bar.addWidget(self._count)
        bar.addWidget(self._delete)
        bar.addWidget(self._clear)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._table)
        self._splitter.addWidget(self._detail)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setSizes([850, 300])
        self._stack.addWidget(self._splitter)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 14, 14, 14)
        layout.setSpacing(12)
        layout.addLayout(bar)
        layout.addWidget(self._notice)
        layout.addWidget(self._stack, 1)
        open_at(self, QSize(1180, 660), least=QSize(640, 400))


class _Rows(QStyledItemDelegate):
    """Pictures are large, signs are small."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if COLUMNS[index.column()] == "outcome":
            option.decorationSize = QSize(16, 16)


def _table(model: EntryTable) -> QTableView:
    table = QTableView()
    table.setModel(model)
    table.setItemDelegate(_Rows(table))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setIconSize(THUMBNAIL)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(THUMBNAIL.height() + 12)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setMinimumSectionSize(60)
    widths = {
        "picture": THUMBNAIL.width() + 20,
        "time": 136,
        "query": 170,
        "answer": 140,
        "action": 120,
        "outcome": 150,
    }
    for number, name in enumerate(COLUMNS):
        header.resizeSection(number, widths[name])
    header.setSectionResizeMode(COLUMNS.index("query"), QHeaderView.ResizeMode.Stretch)
    return table
