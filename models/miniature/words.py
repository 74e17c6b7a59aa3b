"""What the miniature can be asked for, and the tokens for it."""

from __future__ import annotations

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (220, 40, 40),
    "green": (40, 160, 60),
    "blue": (45, 85, 220),
    "yellow": (240, 215, 40),
    "orange": (245, 140, 30),
    "purple": (130, 50, 170),
    "cyan": (50, 200, 215),
    "pink": (250, 150, 195),
    "black": (18, 18, 18),
    "charcoal": (76, 76, 76),
    "grey": (134, 134, 134),
    "silver": (190, 190, 190),
    "white": (248, 248, 248),
}
"""Red, green and blue of shapes. Five of them differ only in how light they are: a picture normalised wrongly shows."""

SHAPES = ("circle", "square", "triangle", "star", "diamond", "cross", "ring")
LETTERS = tuple("ABCEFHKLMOSTXZ")
LABELS = ("SAVE", "OPEN", "PRINT", "EDIT", "HELP", "UNDO", "NEXT", "STOP")
ICONS = ("house", "gear", "heart", "bell", "mail", "lens", "lock", "flag")
ORDINALS = ("first", "second", "third")
SIDES = ("left", "right", "top", "bottom")

FIRST = ("the", "button", "field", "System", "User", "Assistant")
"""Words with which a text can begin."""
WORDS = (*COLOURS, *SHAPES, *LABELS, *ICONS, *ORDINALS, *SIDES, "word", "icon", "from")
"""Words that only ever follow another."""
PIECES = ('{"x":', ',"y":')
"""What every answer has, as one token each."""
