"""Measures the accessibility tree with real programs: how long a walk takes, and what it adds to finding.

    python tests/bench/accessibility.py [program ...]

Each program runs on a private desktop. The right place of a query is the box of a node of its tree, named here, so
the score with the tree tells whether it is used well, not whether programs tell the truth; `--save FOLDER` keeps the
pictures with both answers for a look.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from desktop_session import DesktopSession, desktop_session

from fingerpost.engine import accessibility
from fingerpost.engine.accessibility import AccessibleNode, find_node
from fingerpost.engine.lite.engine import LiteEngine
from fingerpost.engine.values import Answer, Frame, Query

WALKS = 10
ABSENT = ""
"""The name of what is not to be seen: the right answer is "not found"."""


@dataclass(frozen=True)
class Case:
    """What a person may say, and the node that is meant: its role (None: any) and its name or description."""

    query: str
    name: str
    role: str | None = None


@dataclass(frozen=True)
class Program:
    """A program, the keys that bring it into the state, and what is asked there."""

    command: tuple[str, ...]
    cases: tuple[Case, ...]
    keys: tuple[str, ...] = ()


PROGRAMS = {
    "pcmanfm-qt": Program(
        ("pcmanfm-qt",),
        (
            Case("Go Up", "Go Up"),
            Case("go to the parent folder", "Go Up"),
            Case("the reload button", "Reload"),
            Case("new tab", "New Tab"),
            Case("go back", "Go Back"),
            Case("thumbnail view", "Thumbnail View"),
            Case("compact view button", "Compact View"),
            Case("detailed list", "Detailed List"),
            Case("icon view", "Icon View"),
            Case("Bookmarks menu", "Bookmarks", "menu"),
            Case("Applications", "Applications", "list item"),
            Case("the Lists drop-down", "Lists", "combo"),
            Case("Network", "Network", "list item"),
            Case("letters.txt", "letters.txt"),
            Case("the folder Pictures", "Pictures"),
        ),
    ),
    "pcmanfm-qt, File menu": Program(
        ("pcmanfm-qt",),
        (
            Case("New Window", "New Window"),
            Case("Close Tab", "Close Tab"),
            Case("Folder Properties", "Folder Properties"),
            Case("recent files", "Recent Files"),
            Case("New Tab", "New Tab", "menu item"),
            Case("Go Forward", ABSENT),  # under the menu
        ),
        ("alt+f",),
    ),
    "kcalc": Program(
        ("kcalc",),
        (
            Case("7", "7"),
            Case("the 5 button", "5"),
            Case("multiply", "Multiplication"),
            Case("division button", "Division"),
            Case("plus", "Plus"),
            Case("minus", "Minus"),
            Case("the result button", "Result"),
            Case("=", "="),
            Case("percent", "Percent"),
            Case("clear all", "Clear all"),
            Case("change sign", "Change sign"),
            Case("open parenthesis", "Open parenthesis"),
            Case("decimal point", "Decimal point"),
            Case("Settings menu", "Settings", "menu"),
        ),
    ),
    "mousepad, search": Program(
        ("mousepad",),
        (
            Case("match case", "Match case"),
            Case("regular expression", "Regular expression"),
            Case("down", "Down"),
            Case("the up button", "Up"),
            Case("close the search bar", "Close"),
            Case("View menu", "View", "menu"),
            Case("Document", "Document", "menu"),
            Case("Search menu", "Search", "menu"),
        ),
        ("ctrl+f",),
    ),
    "mousepad, File menu": Program(
        ("mousepad",),
        (
            Case("Save As", "Save As..."),
            Case("Save", "Save"),
            Case("print", "Print..."),
            Case("open a recent file", "Open Recent"),
            Case("create a new document", "New"),
            Case("quit", "Quit"),
            Case("reload", "Reload"),
            Case("Close Tab", "Close Tab"),
            Case("Edit menu", "Edit", "menu"),
        ),
        ("alt+f",),
    ),
    "qpdfview": Program(
        ("qpdfview",),
        (
            Case("zoom in", "Zoom in"),
            Case("zoom out", "Zoom out"),
            Case("next page", "Next page"),
            Case("previous page", "Previous page"),
            Case("refresh", "Refresh"),
            Case("open in a new tab", "Open in new tab"),
            Case("open button", "Open in new tab"),
            Case("the zoom level combo box", "100 %", "combo"),
            Case("Tabs menu", "Tabs", "menu"),
            Case("Help", "Help", "menu"),
        ),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS), metavar="program", help=", ".join(PROGRAMS))
    parser.add_argument("--save", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    engine = LiteEngine()
    seen_total = told_total = total = 0
    print(f"{'program':24} {'nodes':>6} {'walk ms':>8} {'slowest':>8} {'seen':>8} {'with tree':>10}")
    for name in arguments.programs:
        with desktop_session() as desktop:
            frame, nodes, times = observe(desktop, PROGRAMS[name])
        cases = PROGRAMS[name].cases
        seen = [engine.find(frame, Query(case.query)) for case in cases]
        told = [engine.find(frame, Query(case.query), nodes) for case in cases]
        right = [[is_right(case, answer, nodes) for case, answer in zip(cases, a, strict=True)] for a in (seen, told)]
        print(
            f"{name:24} {len(nodes):6} {median(times):8.0f} {max(times):8.0f} "
            f"{sum(right[0]):4}/{len(cases):<3} {sum(right[1]):6}/{len(cases):<3}"
        )
        for case, before, after, one, other in zip(cases, seen, told, *right, strict=True):
            if not other or (one and not other):
                print(f"    {case.query!r}: seen {described(before)}, with tree {described(after)}")
        if arguments.save:
            save(arguments.save / f"{name}.png", frame, cases, seen, told)
        seen_total, told_total, total = seen_total + sum(right[0]), told_total + sum(right[1]), total + len(cases)
    print(f"{'all':24} {'':6} {'':8} {'':8} {seen_total:4}/{total:<3} {told_total:6}/{total:<3}")


def observe(desktop: DesktopSession, program: Program) -> tuple[Frame, tuple[AccessibleNode, ...], list[float]]:
    """The picture of a program in its state, its nodes, and how long each of some walks took, milliseconds."""
    (desktop.home / "letters.txt").write_text("Dear reader,\n", "utf-8")
    (desktop.home / "Pictures").mkdir()
    os.environ.update({key: desktop.env[key] for key in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")})
    desktop.launch(*program.command)
    settle(desktop)
    if program.keys:
        desktop.key(*program.keys)
        settle(desktop)
    walks = [accessibility.snapshot(deadline_s=2.0) for _ in range(WALKS)]
    return desktop.screenshot(), walks[-1].nodes, [walk.elapsed_ms for walk in walks]


def settle(desktop: DesktopSession) -> None:
    desktop.settled()
    time.sleep(1.0)  # a tree is ready some time after the picture


def is_right(case: Case, answer: Answer, nodes: Sequence[AccessibleNode]) -> bool:
    if case.name == ABSENT:
        return not answer.found
    meant = find_node(nodes, case.role, case.name)
    if meant is None:
        raise SystemExit(f"No node is called {case.name!r}: the program has changed.")
    return answer.found and not answer.ambiguous and meant.box.contains(answer.targets[0].x, answer.targets[0].y)


def described(answer: Answer) -> str:
    if not answer.found:
        return "nothing"
    best = answer.targets[0]
    doubt = " (ambiguous)" if answer.ambiguous else ""
    return f"{best.kind} {best.label!r} at {best.x},{best.y} by {best.source} {best.confidence:.2f}{doubt}"


def save(path: Path, frame: Frame, cases: Sequence[Case], seen: Sequence[Answer], told: Sequence[Answer]) -> None:
    """The picture with the answers: red as seen, green with the tree."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.fromarray(frame.pixels[..., 2::-1].copy())
    draw = ImageDraw.Draw(image)
    for case, before, after in zip(cases, seen, told, strict=True):
        for answer, colour, offset in ((before, "red", 0), (after, "green", 2)):
            for target in answer.targets[:1]:
                box = target.box
                draw.rectangle(
                    (box.x - offset, box.y - offset, box.right + offset, box.bottom + offset), outline=colour
                )
                if colour == "green":
                    draw.text((box.x + 2, box.bottom - 10), case.query, fill=colour)
    image.save(path)


if __name__ == "__main__":
    main()
