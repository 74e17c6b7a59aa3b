"""A place to try a first find: a few real buttons, and a task that is recognised when it is done."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fingerpost.app.desktop.widgets.cards import Card, Notice, Words
from fingerpost.app.text import text

BUTTONS = ("coffee", "tea", "juice", "water")
WANTED = "tea"


class Practice(Card):
    """`succeeded` is emitted at the first right click."""

    try_it = Signal()
    succeeded = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._task = Words()
        self._notice = Notice()
        self._done = False
        self.set_hotkey(None)
        self.add(self._content())

    @property
    def done(self) -> bool:
        return self._done

    @property
    def query(self) -> str:
        """What the task asks to type."""
        return text(f"first_run.drink_{WANTED}")

    @property
    def message(self) -> str:
        return self._notice.words

    def set_hotkey(self, hotkey: str | None) -> None:
        """Ask for the key as people read it, or for the button beside the task where there is none."""
        key = "first_run.task" if hotkey else "first_run.task_without_key"
        self._task.setText(text(key, hotkey=hotkey or "", query=self.query))

    def _content(self) -> QWidget:
        content, task, drinks = QWidget(), QHBoxLayout(), QHBoxLayout()
        task.setSpacing(16)
        task.addWidget(self._task, 1)
        start = QPushButton(text("first_run.try_it"))
        start.setAutoDefault(False)
        self.setFocusProxy(start)
        start.clicked.connect(lambda _checked=False: self.try_it.emit())
        task.addWidget(start)
        drinks.setSpacing(12)
        for name in BUTTONS:
            button = QPushButton(text(f"first_run.drink_{name}"))
            button.setAutoDefault(False)
            button.setMinimumHeight(40)
            button.clicked.connect(partial(self._clicked, name))
            drinks.addWidget(button, 1)
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 14, 16, 16)
        layout.setSpacing(14)
        layout.addLayout(task)
        layout.addLayout(drinks)
        layout.addWidget(self._notice)
        return content

    def _clicked(self, name: str, _checked: bool = False) -> None:
        if name != WANTED:
            other = text(f"first_run.drink_{name}")
            self._notice.tell(text("first_run.other_button", clicked=other, query=self.query), "info")
            return
        self._notice.tell(text("first_run.success"), "ok")
        if not self._done:
            self._done = True
            self.succeeded.emit()
