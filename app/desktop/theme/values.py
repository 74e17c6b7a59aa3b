"""The colours of every window as two frozen sets, light and dark.

Text on its background has a contrast of at least 4.5 : 1 (WCAG AA), and what shows a state at least 3 : 1;
`tests/app/desktop/theme` measures each pair.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours as "#rrggbb".

    window, surface      behind everything; cards, lists and fields
    raised               a button, a chip, a key
    hover, selected      under the pointer; the row that is chosen
    line, outline        between parts of one surface; around a field or a check box
    text, quiet          what is read first; what explains
    accent, on_accent    what is active or certain; text on it
    guess, on_guess      what is not certain; text on it
    error, success       text that says what went wrong, or well
    halo                 beside the colours of the overlay, so that they stand out from any picture
    reduced_motion       show states at once, without movement
    """

    name: str
    dark: bool
    window: str
    surface: str
    raised: str
    hover: str
    selected: str
    line: str
    outline: str
    text: str
    quiet: str
    accent: str
    accent_strong: str
    on_accent: str
    guess: str
    on_guess: str
    error: str
    success: str
    halo: str
    reduced_motion: bool = False


LIGHT = Theme(
    name="light",
    dark=False,
    window="#f4f5f7",
    surface="#ffffff",
    raised="#f1f2f5",
    hover="#f3f5f9",
    selected="#e6effd",
    line="#e3e5ea",
    outline="#858c99",
    text="#1a1d23",
    quiet="#5a616d",
    accent="#1b63d8",
    accent_strong="#134fb3",
    on_accent="#ffffff",
    guess="#c25700",
    on_guess="#ffffff",
    error="#b3261e",
    success="#1a6e36",
    halo="#ffffff",
)

DARK = Theme(
    name="dark",
    dark=True,
    window="#17191d",
    surface="#1f2227",
    raised="#2b2f36",
    hover="#282c33",
    selected="#26374f",
    line="#333840",
    outline="#79828f",
    text="#eceef2",
    quiet="#a3abb8",
    accent="#7db3ff",
    accent_strong="#a3c9ff",
    on_accent="#0b1526",
    guess="#ffb057",
    on_guess="#241300",
    error="#ff8f87",
    success="#6fd08c",
    halo="#0d0f13",
)
