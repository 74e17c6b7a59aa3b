"""Prints scores as tables: one run, or several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from fingerpost.app.bench.cases import Case
from fingerpost.app.bench.comparison import Comparison
from fingerpost.app.bench.score import Latency, Score
from fingerpost.app.bench.verdicts import Verdict

SHOWN = ("category", "kind", "app", "theme", "resolution", "style")
"""The groupings that are printed; --json has all."""

NOTHING = "-"


def tables(scores: Mapping[str, Score], difference: bool = False) -> Iterable[RenderableType]:
    """A summary, the confidence and the groups, one column a run.

    With `difference` a last column has the second run less the first.
    """
    yield _summary(scores, difference)
    if any(score.reliability.bins for score in scores.values()):
        yield _reliability(scores)
    yield _groups(scores, difference)


def notes(score: Score) -> Iterable[str]:
    """What a reader must know to trust the numbers."""
    if score.missing:
        yield f"{score.missing} of {score.cases} cases have no prediction and count as not found."
    if score.unknown_ids:
        yield f"{score.unknown_ids} predictions belong to no case."
    if score.duplicate_ids:
        yield f"{score.duplicate_ids} predictions repeat an id; the last counts."


def comparison(result: Comparison) -> Iterable[RenderableType]:
    """The tables of both runs with the difference, then the cases that turned right or wrong."""
    yield from tables({"earlier": result.earlier, "now": result.later}, difference=True)
    if result.left_out:
        yield f"{result.left_out} cases of this run have no answer in the earlier one and are left out here."
    yield _case_list("Newly right", result.newly_right)
    yield _case_list("Newly wrong", result.newly_wrong)


def misses(verdicts: Iterable[Verdict], limit: int) -> RenderableType:
    """The first `limit` cases that are wrong, with the answer and the right place in pixels of the picture."""
    wrong = [verdict for verdict in verdicts if not verdict.right]
    table = _table(f"Misses ({min(limit, len(wrong))} of {len(wrong)})")
    for name in ("case", "instruction", "answered", "right"):
        table.add_column(name, overflow="fold")
    for verdict in wrong[:limit]:
        point = "not found" if verdict.point is None else ", ".join(f"{value:g}" for value in verdict.point)
        box = "not there" if verdict.case.bbox is None else ", ".join(f"{value:g}" for value in verdict.case.bbox)
        table.add_row(escape(verdict.case.id), escape(verdict.case.query.text), point, box)
    return table


def progress_bar(console: Console) -> Progress:
    """A bar over the cases; silent where the console is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def _summary(scores: Mapping[str, Score], difference: bool) -> Table:
    table = _table("Summary")
    table.add_column("")
    for name in scores:
        table.add_column(name, justify="right")
    if difference:
        table.add_column("difference", justify="right")
    runs = list(scores.values())

    def share(label: str, value: Callable[[Score], float | None], detail: Callable[[Score], str]) -> None:
        cells = [f"{percent(value(run))}  {detail(run)}" for run in runs]
        table.add_row(label, *cells, *([_points(value(runs[0]), value(runs[1]))] if difference else []))

    def row(label: str, cell: Callable[[Score], str]) -> None:
        table.add_row(label, *map(cell, runs))

    share("accuracy", lambda s: s.accuracy, lambda s: f"{s.hits}/{s.positives}")
    row("  95 % interval", lambda s: f"{percent(s.accuracy_ci95[0])} to {percent(s.accuracy_ci95[1])}")
    share("  mean over apps", lambda s: s.macro_accuracy_by_app, lambda s: f"{len(s.groups['app'])} apps")
    share("absent rejected", lambda s: s.absent_rejected, lambda s: f"{s.absent_rejected_n}/{s.absent}")
    share("precision when answered", lambda s: s.precision_when_answered, lambda s: f"{s.hits}/{_answered(s)}")
    row("latency, median / 95 %", lambda s: _times(s.latency_ms))
    row("  first on a picture", lambda s: _times(s.first_latency_ms))
    return table


def _groups(scores: Mapping[str, Score], difference: bool) -> Table:
    """One section a grouping; every value that any run has."""
    table = _table("Accuracy by group")
    table.add_column("")
    table.add_column("cases", justify="right")
    for name in scores:
        table.add_column(name if len(scores) > 1 else "right", justify="right")
        table.add_column("not found", justify="right")
    if difference:
        table.add_column("difference", justify="right")
    runs = list(scores.values())
    for grouping in SHOWN:
        table.add_row(f"[bold]{grouping}[/bold]")
        for value in dict.fromkeys(value for run in runs for value in run.groups[grouping]):
            table.add_row(*_group_row(runs, grouping, value, difference))
        table.add_section()
    return table


def _reliability(scores: Mapping[str, Score]) -> Table:
    """For each range of confidence what was stated and what was right."""
    table = _table("Confidence: stated, and right")
    table.add_column("")
    for name in scores:
        for title in ("answers", "stated", name if len(scores) > 1 else "right"):
            table.add_column(title, justify="right")
    ranges = {(one.lower, one.upper) for score in scores.values() for one in score.reliability.bins}
    for lower, upper in sorted(ranges, reverse=True):
        row = [f"{100 * lower:.0f} to {100 * upper:.0f} %"]
        for score in scores.values():
            found = next((one for one in score.reliability.bins if one.lower == lower), None)
            row += [str(found.n), percent(found.stated), percent(found.right)] if found else ["", NOTHING, NOTHING]
        table.add_row(*row)
    errors = [percent(score.reliability.error) for score in scores.values()]
    table.add_row("calibration error", *(cell for error in errors for cell in ("", "", error)))
    return table


def _group_row(runs: Sequence[Score], grouping: str, value: str, difference: bool) -> Iterable[str]:
    tallies = [run.groups[grouping].get(value) for run in runs]
    yield f"  {escape(value)}"
    yield str(max(tally.n for tally in tallies if tally))
    for tally in tallies:
        yield percent(tally.accuracy if tally else None)
        yield str(tally.not_found) if tally else NOTHING
    if difference:
        yield _points(*(tally.accuracy if tally else None for tally in tallies[:2]))


def _case_list(title: str, cases: Sequence[Case]) -> RenderableType:
    if not cases:
        return f"{title}: none."
    table = _table(f"{title} ({len(cases)})")
    table.add_column("case", overflow="fold")
    table.add_column("instruction", overflow="fold")
    for case in cases:
        table.add_row(escape(case.id), escape(case.query.text))
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _answered(score: Score) -> int:
    return score.positives - score.abstained_on_positives + score.absent - score.absent_rejected_n


def percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"


def _points(before: float | None, now: float | None) -> str:
    """The difference in percentage points, with its sign; empty when there is none."""
    if before is None or now is None:
        return ""
    change = round(100 * (now - before), 1)
    return f"{change:+.1f}" if change else ""


def _times(latency: Latency) -> str:
    if latency.median is None or latency.p95 is None:
        return NOTHING
    return f"{latency.median:.0f} / {latency.p95:.0f} ms"
