"""What works here and what does not: one row a part, with a sign, a name and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from fingerpost.app.desktop.widgets.cards import Notice, Words
from fingerpost.app.desktop.widgets.signs import Sign
from fingerpost.app.doctor import Check
from fingerpost.app.text import text

CheckRow = tuple[str, str, str]
"""Name of the part, its state ("ok", "limited" or "missing"), one sentence."""

SIGNS = {"ok": "ok", "limited": "warning", "missing": "error"}


def rows_of(checks: Iterable[Check]) -> tuple[CheckRow, ...]:
    """What the doctor found, as rows."""
    states = {True: "ok", None: "limited", False: "missing"}
    return tuple((check.name, states[check.ok], _sentences(check.detail, check.fix)) for check in checks)


def _sentences(*parts: str) -> str:
    """Notes as sentences, one after the other."""
    told = (part[:1].upper() + part[1:] for part in parts if part)
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in told)


class CheckRows(QWidget):
    """Asks `checks` on a thread of its own and shows what it says; `arrived` when it is there.

    brief   show only what does not work, and the rest on demand
    """

    arrived = Signal(tuple)

    def __init__(self, checks: Callable[[], Sequence[CheckRow]], brief: bool = False) -> None:
        super().__init__()
        self._checks, self._brief = checks, brief
        self._rows: tuple[CheckRow, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._content: QWidget = Words(text("settings.about.checking"), quiet=True)
        self._layout.addWidget(self._content)

    @property
    def rows(self) -> tuple[CheckRow, ...]:
        return self._rows

    def run(self) -> None:
        """Ask again."""
        self._replace(Words(text("settings.about.checking"), quiet=True))
        question = _Question(self._checks)
        question.answer.arrived.connect(self._show)
        QThreadPool.globalInstance().start(question)

    def as_text(self) -> str:
        """For a report: one line a row."""
        return "\n".join(f"[{state}] {name}: {sentence}" for name, state, sentence in self._rows)

    def _show(self, rows: Sequence[CheckRow]) -> None:
        self._rows = tuple(rows)
        self._replace(self._in_brief() if self._brief else _grid(self._rows))
        self.arrived.emit(self._rows)

    def _in_brief(self) -> QWidget:
        """What does not work, or that all is well; and a button that shows the rest."""
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        bad = [row for row in self._rows if row[1] == "missing"]
        if bad:
            layout.addWidget(_grid(bad))
        else:
            well = Notice()
            layout.addWidget(well)
            well.tell(text("settings.about.all_well"), "ok")
        every = QPushButton(text("settings.about.show_all"))
        every.setAutoDefault(False)
        every.clicked.connect(lambda _checked=False: self._replace(_grid(self._rows)))
        layout.addWidget(every, 0, Qt.AlignmentFlag.AlignLeft)
        return content

    def _replace(self, content: QWidget) -> None:
        self._layout.removeWidget(self._content)
        self._content.deleteLater()
        self._content = content
        self._layout.addWidget(content)


def _grid(rows: Sequence[CheckRow]) -> QWidget:
    content = QWidget()
    grid = QGridLayout(content)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(10)
    grid.setColumnStretch(2, 1)
    for number, (name, state, sentence) in enumerate(rows):
        sign = Sign(SIGNS[state])
        sign.setAccessibleName(text(f"settings.about.state_{state}"))
        sign.setToolTip(text(f"settings.about.state_{state}"))
        grid.addWidget(sign, number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_name(name), number, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(Words(sentence, quiet=state == "ok"), number, 2, Qt.AlignmentFlag.AlignTop)
    return content


def _name(words: str) -> Words:
    label = Words(words, bold=True)
    label.setFixedWidth(150)
    return label


class _Answer(QObject):
    arrived = Signal(tuple)


class _Question(QRunnable):
    """One run of the checks, away from the user interface."""

    def __init__(self, checks: Callable[[], Sequence[CheckRow]]) -> None:
        super().__init__()
        self._checks = checks
        self.answer = _Answer()

    def run(self) -> None:
        try:
            rows = tuple(self._checks())
        except Exception as error:  # whatever it is, the page must say something
            sentence = text("settings.about.failed", reason=f"{type(error).__name__}: {error}")
            rows = (("Fingerpost", "missing", sentence),)
        self.answer.arrived.emit(rows)
