"""The virtual environment `.venv` of the checkout and what is installed in it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from steps import Steps

PACKAGE_FOLDERS = ("app", "engine", "models")


class Environment:
    """`.venv` under `root`; made when it is not there, and made anew when it does not work."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / ("python.exe" if os.name == "nt" else "python")

    def make(self, steps: Steps) -> None:
        """Make the environment; one that an interrupted run left half-made is replaced."""
        if self.says("import pip, sys; assert sys.prefix != sys.base_prefix"):
            return
        with steps.step(f"Python environment {self.folder}"):
            steps.run([sys.executable, "-m", "venv", "--clear", self.folder])

    def install(self, steps: Steps, extras: str = "") -> None:
        """Install Fingerpost with `extras` from this checkout, unless just that was done before."""
        wanted = f".[{extras}]" if extras else "."
        editable = linked(self.root)
        stamp = self.folder / f"installed-{extras or 'plain'}.stamp"
        state = hashlib.sha256((self.root / "pyproject.toml").read_bytes()).hexdigest()
        if editable and stamp.is_file() and stamp.read_text("utf-8") == state and self.says("import fingerpost"):
            return
        with steps.step(f"Fingerpost and the Python packages it needs{f' ({extras})' if extras else ''}"):
            self.pip(steps, "install", *(["--editable"] if editable else []), wanted)
        stamp.write_text(state, encoding="utf-8")

    def pip(self, steps: Steps, *arguments: str | Path, env: dict[str, str] | None = None) -> None:
        steps.run(self._pip(arguments), env)

    def pip_succeeds(self, steps: Steps, *arguments: str | Path) -> bool:
        return steps.attempt(self._pip(arguments)) == 0

    def says(self, code: str) -> bool:
        """Whether the environment's Python is there and runs `code` without an error."""
        if not self.python.exists():
            return False
        return (
            subprocess.run([self.python, "-c", code], cwd=self.folder, capture_output=True, check=False).returncode == 0
        )

    def _pip(self, arguments: tuple[str | Path, ...]) -> list[str | Path]:
        return [self.python, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]


def linked(root: Path) -> bool:
    """Whether git could make the links of packaging/python; where it can't, only a plain install works."""
    return all((root / "packaging" / "python" / "fingerpost" / name).is_dir() for name in PACKAGE_FOLDERS)
