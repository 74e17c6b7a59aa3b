"""Makes the README's pictures of the desktop application: python packaging/media/make_screenshots.py

Everything on them is real: a virtual X server with a window manager and a compositor, a file manager, and the
application driven by keys.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "e2e"))

from app_driver import AppDriver, running_app
from desktop_session import DesktopSession, desktop_session, wait_until
from PIL import Image
from Xlib.display import Display

FOLDER = Path(__file__).parent
WALLPAPER = {"light": "#6f8fa8", "dark": "#2f4354"}
COLOURS = 192
ASKED = ("Go Up", "Reports", "the View menu", "export as pdf", "Reload")


def main() -> None:
    for theme in ("light", "dark"):
        with desktop_session() as desktop:
            furnish(desktop, theme)
            with running_app(desktop, settings={"theme": theme}) as app:
                take(desktop, app, theme)


def furnish(desktop: DesktopSession, theme: str) -> None:
    """A compositor, a plain wallpaper, and a file manager with some folders."""
    desktop.start("picom", "--backend", "xrender", "--shadow", "--shadow-exclude", "argb")
    desktop.start(
        "trayer", "--edge", "top", "--align", "right", "--width", "3", "--height", "26", "--SetDockType", "true"
    )
    subprocess.run(["xsetroot", "-solid", WALLPAPER[theme]], env=desktop.env, check=True)
    files = desktop.home / "Projects"
    for name in ("Invoices", "Letters", "Photos", "Reports", "Reports 2025"):
        (files / name).mkdir(parents=True)
    for name in ("budget.ods", "letter.txt", "notes.md", "plan.pdf"):
        (files / name).write_text("\n", encoding="utf-8")
    desktop.launch("pcmanfm-qt", str(files))
    desktop.settled()
    window = str(desktop.windows()[-1])
    subprocess.run(["xdotool", "windowsize", "--sync", window, "1040", "740"], env=desktop.env, check=True)
    subprocess.run(["xdotool", "windowmove", "--sync", window, "120", "150"], env=desktop.env, check=True)
    desktop.settled()


def take(desktop: DesktopSession, app: AppDriver, theme: str) -> None:
    for query in ASKED:  # for the history
        ask(app, query)
        leave(desktop, app)
    ask(app, "Go Up")
    save(desktop, f"overlay-{theme}")
    leave(desktop, app)
    ask(app, "Reports")
    save(desktop, f"palette-{theme}")
    leave(desktop, app)
    for name in ("settings", "history"):
        before = set(desktop.windows())
        command = [sys.executable, "-m", "fingerpost", "app", f"--{name}"]
        subprocess.run(command, env=desktop.env, check=True)
        wait_until(lambda before=before: set(desktop.windows()) > before, what=f"the window of {name}")
        (window,) = set(desktop.windows()) - before
        save(desktop, f"{name}-{theme}", window)
        subprocess.run(["xdotool", "windowclose", str(window)], env=desktop.env, check=True)
        desktop.settled()


def ask(app: AppDriver, query: str) -> None:
    app.open()
    app.say(query)
    app.settle()


def leave(desktop: DesktopSession, app: AppDriver) -> None:
    desktop.key("Escape")
    app.wait("finished")


def save(desktop: DesktopSession, name: str, window: int | None = None) -> None:
    """The screen, or what a window covers of it, in few colours."""
    frame = desktop.settled()
    picture = Image.fromarray(frame.pixels[..., 2::-1].copy())
    if window is not None:
        picture = picture.crop(place(desktop, window))
    small = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png", (FOLDER / f"{name}.png").stat().st_size // 1000, "kB")


def place(desktop: DesktopSession, window: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a window's inside."""
    display = Display(desktop.display)
    try:
        inside = display.create_resource_object("window", window)
        size, corner = inside.get_geometry(), inside.translate_coords(display.screen().root, 0, 0)
        return -corner.x, -corner.y, size.width - corner.x, size.height - corner.y
    finally:
        display.close()


if __name__ == "__main__":
    main()
