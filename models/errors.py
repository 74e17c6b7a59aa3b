"""What can go wrong with a model file. The engine translates it into its own error."""

from __future__ import annotations


class ModelFileError(Exception):
    """A model file is missing or damaged: what happened (`message`) and what to do (`hint`), one sentence each."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message} {hint}")
        self.message = message
        self.hint = hint
