"""A program with windows of its own, run by the tests: it does what lines on its input say and tells what it gets.

Each line in is a JSON list: a command, then its arguments. Each line out is a JSON object: the answer to a command, or
an event. Windows are known by their titles.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from typing import Any

from Xlib import X, Xutil, display

EVENTS = X.ExposureMask | X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.PointerMotionMask


class Program:
    def __init__(self) -> None:
        self.display = display.Display()
        self.windows: dict[str, Any] = {}
        self.labels: dict[str, str] = {}
        self.reactions: dict[str, str] = {}
        screen = self.display.screen()
        font = self.display.open_font("fixed")
        self.gc = screen.root.create_gc(font=font, foreground=screen.black_pixel, background=screen.white_pixel)

    def open(self, title: str, box: list[int], popup: bool = False, app: str = "noter", kind: str = "") -> int:
        """A white window; a popup is not managed by the window manager."""
        screen = self.display.screen()
        window = screen.root.create_window(
            *box, 0, screen.root_depth, background_pixel=screen.white_pixel, event_mask=EVENTS, override_redirect=popup
        )
        name, utf8 = self.display.intern_atom("_NET_WM_NAME"), self.display.intern_atom("UTF8_STRING")
        window.change_property(name, utf8, 8, title.encode())
        window.set_wm_class(app, app.title())
        window.set_wm_normal_hints(flags=Xutil.USPosition | Xutil.PPosition | Xutil.PWinGravity, win_gravity=10)
        if kind:
            atom = self.display.intern_atom(f"_NET_WM_WINDOW_TYPE_{kind}")
            window.change_property(self.display.intern_atom("_NET_WM_WINDOW_TYPE"), 4, 32, [atom])
        self.windows[title] = window
        self.labels[title] = ""
        window.map()
        while window.get_attributes().map_state != X.IsViewable:
            time.sleep(0.01)  # until the window manager has framed it
        return int(window.id)

    def draw(self, title: str, label: str) -> None:
        self.labels[title] = label
        self.windows[title].clear_area()
        for row, line in enumerate(label.split("\n")):
            self.windows[title].image_text(self.gc, 10, 20 + 16 * row, line.encode("latin-1"))

    def line(self, title: str, row: int, words: str) -> None:
        """Draw one line of text and leave the rest as it is."""
        self.windows[title].image_text(self.gc, 10, 20 + 16 * row, words.encode("latin-1"))

    def reset(self) -> None:
        """Close all windows and forget everything."""
        for title in list(self.windows):
            self.close(title)
        self.labels.clear()
        self.reactions.clear()

    def react(self, title: str, label: str) -> None:
        """Show another label at the next press of a button."""
        self.reactions[title] = label

    def move(self, title: str, x: int, y: int) -> None:
        self.windows[title].configure(x=x, y=y)

    def lift(self, title: str) -> None:
        self.windows[title].raise_window()

    def close(self, title: str) -> None:
        self.windows.pop(title).destroy()

    def focus(self, title: str) -> None:
        self.windows[title].set_input_focus(X.RevertToParent, X.CurrentTime)

    def hollow(self, title: str) -> None:
        """Let all clicks through."""
        self.windows[title].shape_rectangles(0, 2, 0, 0, 0, [])

    def handle(self, event: Any) -> None:
        titles = {window.id: title for title, window in self.windows.items()}
        title = titles.get(getattr(event, "window", None) and event.window.id, "")
        kinds = {X.ButtonPress: "press", X.ButtonRelease: "release", X.KeyPress: "key", X.MotionNotify: "motion"}
        if event.type == X.Expose and title:
            self.draw(title, self.labels[title])
        elif event.type == X.MappingNotify:
            self.display.refresh_keyboard_mapping(event)
        elif event.type in kinds:
            say(event=kinds[event.type], title=title, x=event.root_x, y=event.root_y, detail=event.detail,
                state=event.state, time=event.time)  # fmt: skip
            if event.type == X.ButtonPress and title in self.reactions:
                self.draw(title, self.reactions.pop(title))


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def main() -> None:
    program = Program()
    pending = b""
    while True:
        while program.display.pending_events():
            program.handle(program.display.next_event())
        program.display.flush()
        ready = select.select([program.display.fileno(), 0], [], [])[0]
        if 0 not in ready:
            continue
        read = os.read(0, 65536)
        if not read:
            sys.exit()
        *lines, pending = (pending + read).split(b"\n")
        for line in lines:
            command, *arguments = json.loads(line)
            answer = getattr(program, command)(*arguments)
            program.display.sync()
            say(answer=answer)


main()
