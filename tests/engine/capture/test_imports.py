"""`find` on a picture needs no screen, so what talks to screens is loaded only by a capture."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_captures_loads_neither_mss_nor_xlib() -> None:
    code = "import sys, fingerpost.engine.capture; print(sorted({'mss', 'Xlib'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
