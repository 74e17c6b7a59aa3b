"""The history window: what was looked for, what was found, what became of it.

window.py    search, table, detail, delete and clear
model.py     the entries as a table
detail.py    one entry with its picture
describe.py  an entry in words
"""

from fingerpost.app.desktop.history_window.window import HistoryWindow

__all__ = ["HistoryWindow"]
