"""The main job, on real programs: hotkey, words, Enter; what the click did is told by the program itself."""

from __future__ import annotations

from functools import partial

from app_driver import AppDriver, running_app
from desktop_session import DesktopSession
from desktops import whole_desktop
from programs import Program, start

CALCULATION = (
    ("7", "7"), ("8", "78"), ("the plus key", "78"), ("9", "9"), ("=", "87"), ("-", "87"), ("2", "2"), ("=", "85"),
    ("AC", "0"), ("the 4 button", "4"), ("5", "45"), ("6", "456"), ("C", "0"),
)  # fmt: skip
"""What is said, and what the display shows then."""


def test_twenty_five_clicks_in_a_row_are_right() -> None:
    with whole_desktop(compositor=True) as desktop, running_app(desktop) as app:
        count = calculate(desktop, app) + browse(desktop, app) + read(desktop, app) + write(desktop, app)
        count += choose_tab(desktop, app)
        assert count >= 25


def clicked(app: AppDriver, query: str) -> None:
    """The whole way to a click. "Unverified" is honest where nothing on the screen changes, as with a plus key."""
    outcome = app.click(query)
    assert outcome["kind"] in {"done", "unverified"}, (query, outcome)


def calculate(desktop: DesktopSession, app: AppDriver) -> int:
    kcalc = start(desktop, "kcalc", ready="Result Display")
    for query, shown in CALCULATION:
        clicked(app, query)
        kcalc.displays(shown)
    leave(desktop, kcalc)
    return len(CALCULATION)


def browse(desktop: DesktopSession, app: AppDriver) -> int:
    folder = desktop.home / "letters"
    folder.mkdir()
    (folder / "draft.txt").write_text("Dear reader,\n", "utf-8")
    files = start(desktop, "pcmanfm-qt", str(folder), ready="draft.txt")
    clicked(app, "Go Up")
    files.comes_true(lambda: files.shows("letters") and not files.shows("draft.txt"), "the folder above")
    clicked(app, "the Edit menu")
    files.comes_true(lambda: files.shows("Select All"), "the menu Edit")
    desktop.key("Escape")
    clicked(app, "the View menu")
    files.comes_true(lambda: files.shows("Show Hidden"), "the menu View")
    desktop.key("Escape")
    leave(desktop, files)
    return 3


def read(desktop: DesktopSession, app: AppDriver) -> int:
    reader = start(desktop, "qpdfview", ready="Help")
    for menu, entry in (("Help", "About"), ("Tabs", "Next tab"), ("Bookmarks", "Add bookmark")):
        clicked(app, f"the {menu} menu")
        reader.comes_true(partial(reader.shows, entry), f"{entry} in the menu {menu}")
        desktop.key("Escape")
    leave(desktop, reader)
    return 3


def write(desktop: DesktopSession, app: AppDriver) -> int:
    letter = desktop.home / "letter.txt"
    letter.write_text("Dear reader,\n", "utf-8")
    pad = start(desktop, "mousepad", str(letter), ready="Search")
    desktop.key("ctrl+f")
    pad.comes_true(lambda: pad.shows("Match case"), "the dialog of the search")
    desktop.settled()
    for box, wanted in (("Match case", True), ("Regular expression", True), ("Match case", False)):
        clicked(app, f"the {box} check box")
        pad.comes_true(partial(is_checked, pad, box, wanted), f"{box} checked: {wanted}")
    leave(desktop, pad)
    return 3


def choose_tab(desktop: DesktopSession, app: AppDriver) -> int:
    keyboard = start(desktop, "xfce4-keyboard-settings", ready="Layout")
    for tab in ("Layout", "Application Shortcuts", "Behavior"):
        clicked(app, f"the {tab} tab")
        keyboard.comes_true(partial(keyboard.has, tab, "selected"), f"the tab {tab}")
    leave(desktop, keyboard)
    return 3


def is_checked(program: Program, name: str, wanted: bool) -> bool:
    return program.has(name, "checked") == wanted


def leave(desktop: DesktopSession, program: Program) -> None:
    desktop.stop(program.pid)
