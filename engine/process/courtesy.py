"""The engine's process makes way: for other programs at work, and for the program it serves when memory runs out."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

NICENESS = 5  # of 0..19; a little lower than what the user is doing
OOM_SCORE = 500  # of 0..1000; when memory runs out, Linux ends this process rather than the program
BELOW_NORMAL_PRIORITY_CLASS = 0x4000  # winbase.h; not run on Windows yet


def make_way() -> None:
    """Lowers this process's priority and leaves Ctrl+C to the program. Never fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            kernel32 = ctypes.windll.kernel32
            kernel32.SetPriorityClass(ctypes.c_void_p(kernel32.GetCurrentProcess()), BELOW_NORMAL_PRIORITY_CLASS)
        else:
            os.nice(NICENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE), "ascii")
