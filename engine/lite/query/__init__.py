"""A query in the user's words, taken apart: what it is called, what kind of thing it is, where it is.

`tokens` cuts it into words, `courtesies` leaves out "please, click on", `anchors` finds what the target is related to,
`target` reads its own words with the help of `kind_words` and `marks`, and `parser` puts the readings in order.
"""

from __future__ import annotations

from fingerpost.engine.lite.query.parser import parse
from fingerpost.engine.lite.query.values import Anchor, ParsedQuery

__all__ = ["Anchor", "ParsedQuery", "parse"]
