"""A short list of names that the user fills: by typing, or from what is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QMenu, QPushButton, QVBoxLayout, QWidget

from fingerpost.app.text import text


class NameList(QWidget):
    """`changed` carries all names after each change. `suggestions` is asked when the user wants to choose from it."""

    changed = Signal(tuple)

    def __init__(self, names: Sequence[str], suggestions: Callable[[], Sequence[str]], placeholder: str) -> None:
        super().__init__()
        self._suggestions = suggestions
        self._list = _Names(names)
        self._list.remove_asked.connect(self._remove)
        self._list.itemSelectionChanged.connect(self._update)
        self._field = QLineEdit(placeholderText=placeholder, clearButtonEnabled=True)
        self._field.setAccessibleName(placeholder)
        self._field.returnPressed.connect(self._add_typed)
        self._field.textChanged.connect(self._update)
        self._add = self._button("settings.list.add", self._add_typed)
        self._open = self._button("settings.list.from_open", self._offer)
        self._remove_button = self._button("settings.list.remove", self._remove)
        self._lay_out()
        self._update()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._list.item(row).text() for row in range(self._list.count()))

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._list.setAccessibleName(name)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._field, 1)
        line.addWidget(self._add)
        below = QHBoxLayout()
        below.addWidget(self._open)
        below.addStretch(1)
        below.addWidget(self._remove_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(line)
        layout.addWidget(self._list)
        layout.addLayout(below)

    def _button(self, key: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text(key))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: pressed())
        return button

    def _add_typed(self) -> None:
        self._append(self._field.text())
        self._field.clear()

    def _append(self, name: str) -> None:
        """Add a name that is not there yet, whatever the case."""
        name = " ".join(name.split())
        if name and name.casefold() not in {known.casefold() for known in self.names}:
            self._list.addItem(name)
            self._list.setCurrentRow(self._list.count() - 1)
            self._tell()

    def _remove(self) -> None:
        row = self._list.currentRow()
        if row >= 0:
            self._list.takeItem(row)
            self._tell()

    def _tell(self) -> None:
        self._update()
        self.changed.emit(self.names)

    def _offer(self) -> None:
        """A menu of what is open and not in the list."""
        known = {name.casefold() for name in self.names}
        menu = QMenu(self)
        for name in dict.fromkeys(self._suggestions()):
            if name and name.casefold() not in known:
                shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, 420)
                menu.addAction(shown.replace("&", "&&")).triggered.connect(partial(self._offered, name))
        if menu.isEmpty():
            menu.addAction(text("settings.list.nothing_open")).setEnabled(False)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._open.mapToGlobal(self._open.rect().bottomLeft()))

    def _offered(self, name: str, _checked: bool = False) -> None:
        self._append(name)

    def _update(self) -> None:
        self._add.setEnabled(bool(self._field.text().strip()))
        self._remove_button.setEnabled(self._list.currentRow() >= 0)
        self._list.fit()


class _Names(QListWidget):
    """As high as its rows, within reason; Delete asks to remove the current one."""

    remove_asked = Signal()

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("names")
        self.addItems(list(names))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)

    def fit(self) -> None:
        rows = min(max(self.count(), 2), 5)
        height = self.sizeHintForRow(0) if self.count() else self.fontMetrics().height() + 6
        self.setFixedHeight(rows * height + 2 * self.frameWidth() + 6)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.remove_asked.emit()
        else:
            super().keyPressEvent(event)
