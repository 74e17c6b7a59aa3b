"""What goes into the history after a question."""

from __future__ import annotations

from fingerpost.app.desktop.controller import Finished
from fingerpost.app.desktop.pictures import for_history
from fingerpost.app.history.values import Entry
from fingerpost.app.text import text
from fingerpost.engine.values import Target


def entry_of(finished: Finished, with_picture: bool) -> Entry:
    """The history's entry for a finished question."""
    answer, order, outcome = finished.answer, finished.order, finished.outcome
    target = order.target if order else (answer.targets[0] if answer and answer.found else None)
    window = order.window if order else finished.look.active
    return Entry(
        query=finished.query,
        engine=answer.engine if answer else "",
        elapsed_ms=answer.elapsed_ms if answer else 0.0,
        found=bool(answer and answer.found),
        ambiguous=bool(answer and answer.ambiguous),
        targets=len(answer.targets) if answer else 0,
        label=target.label if target else "",
        kind=target.kind if target else "",
        confidence=target.confidence if target else 0.0,
        action=order.action if order else "",
        outcome=outcome.kind if outcome else ("pointed" if target else "not found"),
        reason=_reason(finished),
        window_title=window.title if window else "",
        app=window.app if window else "",
        picture=_picture(finished, target) if with_picture else None,
    )


def _reason(finished: Finished) -> str:
    if finished.outcome:
        return text(finished.outcome.reason, **finished.outcome.values)
    return finished.answer.reason if finished.answer else ""


def _picture(finished: Finished, target: Target | None) -> bytes:
    return for_history(finished.look.frame, target.box if target else None)
