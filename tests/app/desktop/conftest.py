"""Windows are tested without a screen: Qt's own "offscreen" platform shows them, and real key and mouse events reach
them. One application serves all tests of the process.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
