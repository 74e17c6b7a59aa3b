"""A program for tests: a test card, full screen on every output, that tells what reaches it.

Four quarters of red, green, blue and yellow, a white mark 7 × 5 pixels large at 10,20, and a line to type in.
Places are told in physical pixels of the output.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPainter, QScreen, QSinglePointEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

QUARTERS = ("#c00000", "#00c000", "#0000c0", "#c0c000")
TOLD = {
    QEvent.Type.MouseButtonPress: "press",
    QEvent.Type.MouseButtonRelease: "release",
    QEvent.Type.MouseButtonDblClick: "double",
    QEvent.Type.MouseMove: "move",
    QEvent.Type.Enter: "move",
}


def say(*words: object) -> None:
    print(*words, flush=True)


class Card(QWidget):
    def __init__(self, screen: QScreen) -> None:
        super().__init__()
        self.setWindowTitle(f"Test card {screen.name()}")
        self.create()
        self.windowHandle().setScreen(screen)
        line = QLineEdit(self)
        line.setGeometry(20, 150, 200, 30)
        line.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else its cursor blinks in the pictures
        line.textChanged.connect(lambda text: say("text", ascii(text)))
        self.showFullScreen()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.draw()
            return True
        if event.type() in TOLD and isinstance(event, QSinglePointEvent):
            self.tell(TOLD[event.type()], event)
            return True
        return super().event(event)

    def draw(self) -> None:
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        painter.scale(1 / ratio, 1 / ratio)
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        for number, colour in enumerate(QUARTERS):
            right, down = number % 2, number // 2
            painter.fillRect(right * width // 2, down * height // 2, width // 2, height // 2, QColor(colour))
        painter.fillRect(10, 20, 7, 5, QColor("white"))

    def tell(self, what: str, event: QSinglePointEvent) -> None:
        ratio = self.devicePixelRatioF()
        place = f"{int(event.position().x() * ratio)},{int(event.position().y() * ratio)}"
        say(what, self.screen().name(), event.button().name, place, event.modifiers().name)


def main() -> None:
    application = QApplication(sys.argv)
    cards = [Card(screen) for screen in application.screens()]
    for card in cards:
        card.setMouseTracking(True)
    say("ready")
    application.exec()


if __name__ == "__main__":
    main()
