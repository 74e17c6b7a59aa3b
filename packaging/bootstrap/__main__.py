"""Sets Fingerpost up from a checkout, on a machine with nothing but Python.

    python3 packaging/bootstrap demo    installs it and shows what it finds on a screenshot
    python3 packaging/bootstrap test    installs all that the tests need, too, and runs them

Needs no package beyond Python's own. What is there already is left as it is, so a second run is quick.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import llama
import system
from environment import Environment
from steps import SetupError, Steps, show

ROOT = Path(__file__).resolve().parents[2]
OLDEST_PYTHON = (3, 11)
SCREENSHOT = Path("packaging", "media", "screenshot.png")
QUERY = "the Replace with field"
FOUND = Path("build", "found.png")
EXTRAS = "FINGERPOST_EXTRAS"
"""Environment variable: what the tests may have besides what they need, such as "training"."""


def demo(steps: Steps, environment: Environment) -> int:
    """Install Fingerpost, let it find something on a picture, and open the result."""
    system.require(steps, system.venv_packages())
    environment.make(steps)
    environment.install(steps)
    code = show([environment.scripts / "fingerpost", "find", QUERY, "--image", SCREENSHOT, "--annotate", FOUND])
    if code == 0:
        print(f"\nThe place is marked in {FOUND.resolve()}")
        _open(FOUND)
    return code


def test(steps: Steps, environment: Environment) -> int:
    """Install what the tests need, then check style, types and behaviour. The last line is pytest's.

    Tests of the code that trains networks need the extra `training`, gigabytes on some systems: only if asked for.
    """
    if not sys.platform.startswith("linux"):
        raise SetupError("The whole test suite needs Linux; CONTRIBUTING.md says what can be run elsewhere.")
    system.require(steps, (*system.venv_packages(), *system.TEST_PACKAGES))
    environment.make(steps)
    llama.install(steps, environment)
    environment.install(steps, ",".join(filter(None, ("dev", "holotron", os.environ.get(EXTRAS, "")))))
    python = environment.python
    checks: tuple[list[str | Path], ...] = (
        [python, "-m", "ruff", "check"],
        [python, "-m", "ruff", "format", "--check"],
        [python, "-m", "mypy"],
        [python, "-m", "mypy", "--strict", *sorted(Path("packaging", "bootstrap").glob("*.py"))],
        [python, "-m", "pytest"],
    )
    return next((code for check in checks if (code := show(check))), 0)


def _open(picture: Path) -> None:
    """Open the picture in the desktop's viewer, if there is a desktop."""
    if sys.platform == "win32":
        os.startfile(picture.resolve())
        return
    viewer = "open" if sys.platform == "darwin" else "xdg-open"
    has_desktop = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_desktop and shutil.which(viewer):
        subprocess.Popen(
            [viewer, picture.resolve()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="bootstrap", description="Set Fingerpost up from this checkout.")
    parser.add_argument("job", choices=("demo", "test"), help="show what it does, or test it")
    job = {"demo": demo, "test": test}[parser.parse_args().job]
    os.chdir(ROOT)
    try:
        if sys.version_info < OLDEST_PYTHON:
            raise SetupError(f"Fingerpost needs Python 3.11 or newer, and this is {sys.version.split()[0]}.")
        return job(Steps(ROOT / "build" / "bootstrap.log"), Environment(ROOT))
    except SetupError as error:
        print(f"bootstrap: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("\nbootstrap: stopped; the same command goes on from here.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"bootstrap: {error.strerror}: {error.filename}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
