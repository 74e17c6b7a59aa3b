"""An entry of the history in words of the language in use."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDateTime, QLocale

from fingerpost.app.desktop import wording
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text

SIGNS = {
    "done": "ok",
    "unverified": "question",
    "refused": "error",
    "dry run": "info",
    "stopped": "stop",
    "pointed": "none",
    "not found": "warning",
}
"""Outcome → its sign, see `app.desktop.widgets.signs`."""


def locale() -> QLocale:
    """How dates are written: as the system says where it speaks the language in use, else as that language does."""
    spoken, system = QLocale(text("history.locale")), QLocale.system()
    return system if system.language() == spoken.language() else spoken


def when(entry: Entry, today: date | None = None) -> str:
    """ "Today, 14:03", "Yesterday, 09:12", else the date and the time; as written where the user lives."""
    moment = _local(entry)
    clock = locale().toString(moment.time(), QLocale.FormatType.ShortFormat)
    days = ((today or date.today()) - entry.time.astimezone().date()).days
    if days in {0, 1}:
        return f"{text('history.today' if days == 0 else 'history.yesterday')}, {clock}"
    return f"{locale().toString(moment.date(), QLocale.FormatType.ShortFormat)}, {clock}"


def full_time(entry: Entry) -> str:
    """Date in full, and the time."""
    moment = _local(entry)
    day = locale().toString(moment.date(), QLocale.FormatType.LongFormat)
    return f"{day}, {locale().toString(moment.time(), QLocale.FormatType.ShortFormat)}"


def _local(entry: Entry) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(round(entry.time.timestamp() * 1000)).toLocalTime()


def answer(entry: Entry) -> str:
    """What was found, in a few words."""
    if not entry.found:
        return text("history.nothing")
    label = text("history.quoted", label=entry.label) if entry.label else wording.kind(entry.kind)
    if entry.ambiguous and entry.targets > 1:
        return text("history.one_of", label=label, number=entry.targets)
    return label


def action(entry: Entry) -> str:
    return text(f"action.{entry.action}") if entry.action else ""


def outcome(entry: Entry) -> str:
    return text(f"history.became.{entry.outcome.replace(' ', '_')}")


def sign(entry: Entry) -> str:
    return SIGNS.get(entry.outcome, "none")


def facts(entry: Entry) -> list[tuple[str, str]]:
    """Everything else that is known: its name and its value, in the order in which it is shown."""
    found = text("history.sure", percent=round(entry.confidence * 100)) if entry.found else ""
    took = text("history.took", engine=entry.engine, took=wording.elapsed(entry.elapsed_ms)) if entry.engine else ""
    rows = [
        ("time", full_time(entry)),
        ("answer", answer(entry)),
        ("kind", wording.kind(entry.kind) if entry.kind else ""),
        ("confidence", found),
        ("engine", took),
        ("action", action(entry)),
        ("window", entry.window_title),
        ("app", entry.app),
    ]
    return [(text(f"history.{key}"), value) for key, value in rows if value]
