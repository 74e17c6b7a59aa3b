"""Reads icon sets from downloaded packages: names, tags and SVG source of every icon.

A working folder holds `npm/` (packages fetched by `npm pack`, see README.md) and `deb/` (unpacked icon themes).
"""

from __future__ import annotations

import json
import os
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TRAINING_SETS = (
    "fluent", "tabler", "ph", "mynaui", "tdesign", "lucide", "bi", "ion", "heroicons", "pixelarticons", "iconoir", "bx",
    "bxs", "si", "ant-design", "clarity", "flowbite", "majesticons", "qlementine-icons", "jam", "eva", "akar-icons",
    "prime", "system-uicons", "zondicons", "pajamas", "ep", "ic", "material-symbols", "mdi", "mingcute",
    "icon-park-outline", "uil", "grommet-icons", "oui", "solar", "lets-icons", "iconamoon", "fa-solid", "basil", "ci",
    "tango",
)  # fmt: skip
"""All under permissive licences, see NOTICE.md; tango is in the public domain."""

HELD_OUT_SETS = (
    "carbon", "octicon", "codicon", "radix-icons", "vaadin", "flat-color-icons", "adwaita", "breeze", "papirus",
)  # fmt: skip
"""Never trained on: they tell how the model does on a drawing style it has not seen."""

_STYLE_WORDS = frozenset((
    "outline", "outlined", "filled", "fill", "line", "solid", "linear", "duotone", "sharp", "rounded", "round",
    "twotone", "regular", "light", "thin", "symbolic", "broken",
))  # fmt: skip
_STYLE_PREFIXES = frozenset(("outline", "round", "baseline", "sharp", "twotone", "bxs", "bx", "ios", "md"))
# Variants left out: the same drawing in another weight would only repeat.
_SKIPPED_VARIANTS = {
    "ph": re.compile(r"-(thin|duotone|light)$"),
    "material-symbols": re.compile(r"-(rounded|sharp)$"),
    "ic": re.compile(r"^(?!baseline|outline)"),
    "solar": re.compile(r"-(broken|line-duotone|bold-duotone)$"),
    "fluent": re.compile(r"(?<!-20-regular)(?<!-24-regular)(?<!-20-filled)(?<!-24-filled)$"),
}
_BOLD_IS_A_STYLE = frozenset(("ph", "solar"))
_TANGO_FOLDERS = ("scalable/actions", "scalable/places", "scalable/status", "scalable/devices", "scalable/categories",
                  "scalable/apps", "scalable/mimetypes")  # fmt: skip
_THEMES = {
    "adwaita": ("adwaita-icon-theme", "Adwaita", tuple(
        f"{size}/{kind}" for size in ("scalable", "symbolic")
        for kind in ("actions", "places", "status", "devices", "ui", "mimetypes", "categories", "emblems", "legacy"))),
    "breeze": ("breeze-icon-theme", "breeze", ("actions/22", "actions/16", "places/22", "status/22", "devices/22",
                                               "preferences/32")),
    "papirus": ("papirus-icon-theme", "Papirus", ("22x22/actions", "16x16/actions", "22x22/places", "22x22/status",
                                                  "22x22/devices", "24x24/panel")),
    "tango": ("tango-icon-theme", "Tango", _TANGO_FOLDERS),
}  # fmt: skip
_LARGEST_SVG = 200_000  # characters; larger ones are pictures, not icons


@dataclass(frozen=True)
class Icon:
    """One icon: cleaned name ("zoom in"), other names of the same drawing, tags, SVG source."""

    set: str
    name: str
    svg: str
    aliases: tuple[str, ...] = field(default=())
    tags: tuple[str, ...] = field(default=())


def clean_name(name: str) -> str:
    """ "format-text-bold-symbolic" -> "format text bold": lower case, no style words, no sizes."""
    name = re.sub(r"[_.]", "-", name.lower())
    name = re.sub(r"(-symbolic)?(-rtl|-ltr)?$", "", name)
    parts = [part for part in name.split("-") if part]
    while len(parts) > 1 and (parts[-1] in _STYLE_WORDS or re.fullmatch(r"\d{2}(px)?", parts[-1])):
        parts.pop()
    while len(parts) > 1 and parts[0] in _STYLE_PREFIXES:
        parts.pop(0)
    return " ".join(parts)


def read_all(folder: Path) -> Iterator[Icon]:
    """Every icon of the training and held-out sets found in the working folder."""
    tags = _read_tags(folder / "npm")
    for prefix in TRAINING_SETS + HELD_OUT_SETS:
        if prefix in _THEMES:
            yield from _read_theme(folder / "deb", prefix)
        else:
            yield from _read_iconify(folder / "npm", prefix, tags.get(prefix, {}))


def _read_iconify(folder: Path, prefix: str, tags: dict[str, list[str]]) -> Iterator[Icon]:
    data = _package_json(_package(folder, f"iconify-json-{prefix}-"), "package/icons.json")
    aliases: dict[str, list[str]] = {}
    for alias, entry in data.get("aliases", {}).items():
        if set(entry) <= {"parent", "hidden"}:  # an alias that is also turned or mirrored is another drawing
            aliases.setdefault(entry["parent"], []).append(clean_name(alias))
    skipped = _SKIPPED_VARIANTS.get(prefix)
    for key, entry in data["icons"].items():
        if entry.get("hidden") or (skipped and skipped.search(key)):
            continue
        name = clean_name(key.removesuffix("-bold") if prefix in _BOLD_IS_A_STYLE else key)
        own_tags = tags.get(key, tags.get(name.replace(" ", "-"), []))
        yield Icon(prefix, name, _svg(data, entry), tuple(aliases.get(key, [])), tuple(own_tags))


def _svg(data: dict[str, Any], entry: dict[str, Any]) -> str:
    width, height = entry.get("width", data.get("width", 16)), entry.get("height", data.get("height", 16))
    view = f"{entry.get('left', 0)} {entry.get('top', 0)} {width} {height}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{view}" width="{width}" height="{height}">{entry["body"]}</svg>'
    )


def _read_theme(folder: Path, name: str) -> Iterator[Icon]:
    package, theme, folders = _THEMES[name]
    root = folder / package / "usr/share/icons" / theme
    names: dict[Path, list[str]] = {}  # links to one file are names of one icon
    for sub in folders:
        for file in sorted((root / sub).glob("*.svg")):
            real = Path(os.path.realpath(file))
            known = names.setdefault(real, [])
            if (own := clean_name(file.stem)) not in known:
                known.insert(0 if real == file else len(known), own)
    for file, (main, *others) in names.items():
        if file.exists():
            svg = file.read_text(encoding="utf-8", errors="ignore")
            if len(svg) <= _LARGEST_SVG:
                yield Icon(name, main, svg, tuple(others))


def _package(folder: Path, prefix: str) -> Path:
    """The newest downloaded package whose file name is the prefix and a version."""
    found = [path for path in folder.glob(f"{prefix}*.tgz") if path.name[len(prefix)].isdigit()]
    if not found:
        raise FileNotFoundError(f"no package {prefix}*.tgz in {folder}")
    return max(found)


def _package_json(package: Path, member: str) -> Any:
    with tarfile.open(package) as archive:
        content = archive.extractfile(member)
        if content is None:
            raise FileNotFoundError(f"{member} in {package}")
        return json.load(content)


def _read_tags(folder: Path) -> dict[str, dict[str, list[str]]]:
    """Tags by set and icon, from the sets' own packages: what their authors say people look for."""
    mdi = _package_json(_package(folder, "mdi-svg-"), "package/meta.json")
    tabler = _package_json(_package(folder, "tabler-icons-"), "package/icons.json")
    raw = {
        "mdi": {icon["name"]: [*icon.get("aliases", []), *icon.get("tags", [])] for icon in mdi},
        "lucide": _package_json(_package(folder, "lucide-static-"), "package/tags.json"),
        "tabler": {key: [str(tag) for tag in icon.get("tags", [])] for key, icon in tabler.items()},
        "ph": _phosphor_tags(_package(folder, "phosphor-icons-core-")),
    }
    return {
        prefix: {key: [clean_name(tag.replace(" ", "-")) for tag in tags if tag] for key, tags in icons.items()}
        for prefix, icons in raw.items()
    }


def _phosphor_tags(package: Path) -> dict[str, list[str]]:
    """Phosphor ships its tags as a script; the entries have the form name: "x", ..., tags: ["a", "b"]."""
    with tarfile.open(package) as archive:
        member = next(name for name in archive.getnames() if re.search(r"dist/index\.(es|mjs|js)", name))
        content = archive.extractfile(member)
        source = content.read().decode() if content else ""
    entries = re.finditer(r'name:\s*"([a-z0-9-]+)".*?tags:\s*\[(.*?)\]', source, re.DOTALL)
    return {entry.group(1): re.findall(r'"([^"*]+)"', entry.group(2)) for entry in entries}
