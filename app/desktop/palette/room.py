"""Where on the screen the palette is, so that it does not cover what is pointed at. Qt's units; only heights change."""

from __future__ import annotations

from PySide6.QtCore import QRect

from fingerpost.app.desktop.palette.measure import px

HEIGHT_ON_SCREEN = 0.2  # the card's top, as a share of the screen's height
EDGE = 16  # least distance to the edge of the screen
CLEARANCE = 44  # distance to a target, for its ring and label


def home(screen: QRect) -> int:
    """The card's top after opening."""
    return screen.top() + round(screen.height() * HEIGHT_ON_SCREEN)


def free_top(card: QRect, target: QRect, screen: QRect) -> int:
    """The card's top that leaves the target free; where it is if that is so already, or cannot be had."""
    around = target.adjusted(-px(EDGE), -px(CLEARANCE), px(EDGE), px(CLEARANCE))
    highest, lowest = screen.top() + px(EDGE), screen.bottom() + 1 - card.height() - px(EDGE)
    for top in (card.top(), home(screen), around.bottom() + 1, around.top() - card.height(), highest, lowest):
        moved = QRect(card.left(), top, card.width(), card.height())
        if not moved.intersects(around) and highest <= top <= lowest:
            return top
    return card.top()
