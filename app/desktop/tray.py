"""The tray icon: shows the state, and offers everything by its menu.

Desktops draw the menu themselves, so it holds plain entries only. Where there is no tray the icon is simply not shown;
`available` tells, and follows a tray that starts later or ends.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from fingerpost.app.text import text

STATES = ("idle", "looking", "paused", "no hotkey")
"""What the icon can say, the most important last; `app.desktop.theme.icon` draws each."""


class Tray(QObject):
    """Signals carry what the user chose; nothing is decided here.

    icon_of   draws the icon of a state
    """

    find_asked = Signal()
    pause_asked = Signal(bool)
    history_asked = Signal()
    settings_asked = Signal()
    doctor_asked = Signal()
    stop_asked = Signal()
    quit_asked = Signal()

    def __init__(self, icon_of: Callable[[str], QIcon], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon_of = icon_of
        self._state = "idle"
        self._notes: tuple[str, ...] = ()
        self._menu = QMenu()
        self._fill()
        self._tray = QSystemTrayIcon(icon_of("idle"), self)
        self._tray.setContextMenu(self._menu)
        self._tray.activated.connect(self._activated)
        self.set_state("idle")

    @property
    def available(self) -> bool:
        """Whether this desktop shows tray icons at the moment."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def menu(self) -> QMenu:
        """The same menu for a window that stands in for the tray."""
        return self._menu

    def show(self) -> None:
        self._tray.show()

    def hide(self) -> None:
        self._tray.hide()

    def retranslate(self) -> None:
        """Fill the menu anew in the language in use."""
        paused = self._pause.isChecked()
        self._menu.clear()
        self._fill()
        self._pause.setChecked(paused)
        self.set_state(self._state, self._notes)

    def set_state(self, state: str, notes: tuple[str, ...] = ()) -> None:
        """Show one of `STATES`; `notes` are sentences for the tooltip, such as why the hotkey is not there."""
        self._state, self._notes = state, notes
        self._tray.setIcon(self._icon_of(state))
        self._tray.setToolTip("\n".join((text(f"tray.state_{state.replace(' ', '_')}"), *notes)))
        self._stop.setEnabled(state == "looking")

    def set_hotkey(self, written: str) -> None:
        """Show the key beside the entry that does the same; "" for none."""
        entry = text("tray.find")
        self._find.setText(f"{entry}  ({written})" if written else entry)

    def tell(self, title: str, message: str) -> None:
        """A notification by the desktop; lost where there is no tray."""
        self._tray.showMessage(title, message, self._icon_of("idle"), 6000)

    def _fill(self) -> None:
        self._find = self._entry("tray.find", self.find_asked.emit)
        self._stop = self._entry("tray.stop", self.stop_asked.emit)
        self._pause = self._entry("tray.pause", None)
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self.pause_asked)
        self._menu.addSeparator()
        self._entry("tray.history", self.history_asked.emit)
        self._entry("tray.settings", self.settings_asked.emit)
        self._entry("tray.doctor", self.doctor_asked.emit)
        self._menu.addSeparator()
        self._entry("tray.quit", self.quit_asked.emit)

    def _entry(self, key: str, chosen: Callable[[], None] | None) -> QAction:
        action = QAction(text(key), self._menu)
        if chosen is not None:
            action.triggered.connect(lambda _checked=False: chosen())
        self._menu.addAction(action)
        return action

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.MiddleClick}:
            self.find_asked.emit()
