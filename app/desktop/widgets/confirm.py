"""A question before something is lost."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from fingerpost.app.text import text


def confirmed(parent: QWidget, question: str, detail: str, yes: str) -> bool:
    """Ask; `yes` are the words of the button that agrees. Enter and Escape both keep everything as it is."""
    box = QMessageBox(QMessageBox.Icon.Warning, parent.window().windowTitle(), question, parent=parent)
    box.setInformativeText(detail)
    agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    agree.setProperty("danger", True)
    keep = box.addButton(text("settings.cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.exec()
    return box.clickedButton() is agree
