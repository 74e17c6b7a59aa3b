"""The doctor's findings as rows."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fingerpost.app.desktop.widgets.check_rows import CheckRows, rows_of
from fingerpost.app.doctor import Check
from fingerpost.app.text import text


def labels(rows: CheckRows) -> list[str]:
    return [one.text() for one in rows.findChildren(QLabel) if one.isVisible()]


def test_findings_become_sentences() -> None:
    checks = (
        Check("GPU", None, "no driver", "Not needed."),
        Check("Capture", True, "X11"),
        Check("Click", False, "No."),
    )
    assert rows_of(checks) == (
        ("GPU", "limited", "No driver. Not needed."),
        ("Capture", "ok", "X11."),
        ("Click", "missing", "No."),
    )


def test_in_brief_all_is_well_when_only_extras_are_missing(qtbot: QtBot) -> None:
    rows = CheckRows(lambda: [("GPU", "limited", "No driver."), ("Capture", "ok", "X11.")], brief=True)
    qtbot.addWidget(rows)
    rows.show()
    assert labels(rows) == [text("settings.about.checking")]
    with qtbot.waitSignal(rows.arrived):
        rows.run()
    qtbot.waitUntil(lambda: text("settings.about.all_well") in labels(rows))
    assert "No driver." not in labels(rows)
