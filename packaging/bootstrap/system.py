"""Packages of the operating system: finds out which are missing and installs those, on Debian and its relatives."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterable

from steps import SetupError, Steps

TEST_PACKAGES = (
    # a screen without a monitor, its window manager, and the tools that drive and measure it
    *("xvfb", "xauth", "x11-utils", "x11-xserver-utils", "openbox", "xdotool"),
    # a host of tray icons and a compositor, as desktops have them; a Wayland desktop
    *("trayer", "picom", "sway"),
    # what Qt's X11 plug-in loads
    *(
        "libegl1",
        "libgl1",
        "libxcb-cursor0",
        "libxcb-icccm4",
        "libxcb-image0",
        "libxcb-keysyms1",
        "libxcb-render-util0",
    ),
    *("libxcb-shape0", "libxcb-sync1", "libxcb-xkb1", "libxkbcommon-x11-0", "libfontconfig1", "libdbus-1-3"),
    *("libwayland-client0", "libwayland-cursor0", "libwayland-egl1"),
    # a viewer that fills such a screen with a picture
    "imagemagick",
    # what mss loads to capture an X screen
    *("libxcb1", "libxcb-render0", "libxcb-randr0", "libxcb-shm0", "libxcb-xfixes0"),
    # real applications to look at, and what they draw their texts and announce their widgets with
    *("mousepad", "pcmanfm-qt", "qpdfview", "kcalc", "xfce4-settings", "fonts-dejavu-core", "dbus", "at-spi2-core"),
    # llama.cpp counts on it
    "libgomp1",
)
COMPILER_PACKAGES = ("build-essential",)


def venv_packages() -> tuple[str, ...]:
    """What this Python lacks to make virtual environments: Debian splits that part off."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return ()
    return (f"python{sys.version_info.major}.{sys.version_info.minor}-venv",)


def require(steps: Steps, packages: Iterable[str]) -> None:
    """Install those of the Debian `packages` that are missing. Raises `SetupError` where that cannot be done."""
    packages = list(packages)
    if not packages:
        return
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        raise SetupError(
            "Only Debian and its relatives are set up by themselves: install what this system calls "
            f"{', '.join(packages)} with its package manager, then run the same command again."
        )
    missing = _missing(packages)
    if missing:
        as_root = _as_root(missing)
        with steps.step(textwrap.shorten(f"System packages: {' '.join(missing)}", 72, placeholder=" ...")):
            _install(steps, missing, as_root)


def _missing(packages: list[str]) -> list[str]:
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n", *packages]
    listing = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    installed = {line.split()[1] for line in listing.splitlines() if line.startswith("installed ")}
    return [package for package in packages if package not in installed]


def _as_root(missing: list[str]) -> list[str]:
    """The prefix that makes a command run as root; asks for the password when sudo wants one."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        print(f"sudo is needed to install {' '.join(missing)}.", flush=True)
        if subprocess.run(["sudo", "true"], check=False).returncode == 0:
            return ["sudo"]
    raise SetupError(f"Run this as root, then the same command again: apt-get install {' '.join(missing)}")


def _install(steps: Steps, packages: list[str], as_root: list[str]) -> None:
    quiet = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive"]
    apt = [*quiet, "apt-get", "-o", "DPkg::Lock::Timeout=300"]
    steps.run([*quiet, "dpkg", "--configure", "-a"])  # an earlier run may have been stopped half-way
    steps.run([*apt, "update"])
    steps.run([*apt, "install", "--yes", "--no-install-recommends", *packages])
