"""A keyboard layout as XKB's text, for a keyboard whose keys mean just what a text needs."""

from __future__ import annotations

from collections.abc import Mapping

LAYOUT_CODES = range(9, 249)
"""XKB's key codes that may get a meaning; Xwayland knows none above 255."""


def layout_text(meanings: Mapping[int, int]) -> str:
    """`meanings`: key code → X11 symbol. The result is complete, without the zero byte at its end."""
    codes = "".join(f"<K{code}> = {code};\n" for code in sorted(meanings))
    symbols = "".join(f"key <K{code}> {{ [ 0x{symbol:x} ] }};\n" for code, symbol in sorted(meanings.items()))
    return (
        "xkb_keymap {\n"
        f'xkb_keycodes "fingerpost" {{\nminimum = 8;\nmaximum = 255;\n{codes}}};\n'
        'xkb_types "fingerpost" { include "complete" };\n'
        'xkb_compatibility "fingerpost" { include "complete" };\n'
        f'xkb_symbols "fingerpost" {{\n{symbols}}};\n'
        "};\n"
    )
