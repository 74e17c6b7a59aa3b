"""`fingerpost find`: the place of what you describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingerpost.app.cli.engine_options import engine_name, engine_options, running_options
from fingerpost.app.cli.sources import source_of, source_options

if TYPE_CHECKING:
    from fingerpost.engine.values import Answer

OTHERS = 5  # how many other places --all shows on the annotated picture and in the text


@click.command(short_help="Find what you describe on a picture or on the screen.")
@click.argument("query")
@source_options
@engine_options
@running_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
@click.option("--annotate", metavar="OUT.png", type=click.Path(path_type=Path), help="Save the picture with the place.")
@click.option("--all", "everything", is_flag=True, help="Show all places that may be meant, not only the best.")
def find(
    query: str,
    engine: str | None,
    model: str | None,
    threads: int,
    device: str,
    as_json: bool,
    annotate: Path | None,
    everything: bool,
    **where: Any,
) -> None:
    """Find what QUERY describes and print where it is. Nothing is clicked.

    QUERY is what you would say to a person: a name ("Save"), with its kind ("the tab Fonts"), its place ("the second
    tab", "the top right icon") or its surroundings ("the field next to Name", "OK in the dialog"); in English, German,
    Spanish or Portuguese. Without --image, --screen, --window or --region the whole desktop is searched.

    Coordinates are pixels of the picture or capture, from its top left. When several places fit equally well, the
    answer says "ambiguous" and lists them.

    \b
    The JSON object:
      {"found", "ambiguous", "engine", "elapsed_ms", "frame": {"width", "height"},
       "targets": [{"label", "kind", "x", "y", "box": [x, y, width, height], "confidence", "source"}]}

    \b
    Examples:
      fingerpost find "Save"
      fingerpost find "the Search field" --window Files --json
      fingerpost find "the gear icon" --image shot.png --annotate found.png
      fingerpost find "der Knopf Abbrechen" --screen 2
      fingerpost find "the button that sends the mail" --engine auto --model holotron-12b.gguf

    Exit codes: 0 found, 1 not found, 2 wrong use, 3 cannot run.
    """
    from fingerpost.engine.finder import look, make_engine
    from fingerpost.engine.values import Query

    wanted = Query(query)
    frame = look(source_of(**where))
    answer = make_engine(engine_name(engine, model), threads, device).find(frame, wanted)
    if annotate is not None:
        from fingerpost.engine import annotate as draw
        from fingerpost.engine import pictures

        pictures.save(draw.draw_answer(frame, answer, OTHERS if everything or answer.ambiguous else 1), annotate)
    if as_json:
        click.echo(json.dumps(as_object(answer), ensure_ascii=False))
    else:
        click.echo(in_words(answer, query, everything))
    raise SystemExit(0 if answer.found else 1)


def as_object(answer: Answer) -> dict[str, Any]:
    """The answer as the documented JSON object."""
    return {
        "found": answer.found,
        "ambiguous": answer.ambiguous,
        "engine": answer.engine,
        "elapsed_ms": round(answer.elapsed_ms, 1),
        "frame": {"width": answer.frame.width, "height": answer.frame.height},
        "targets": [
            {
                "label": t.label,
                "kind": t.kind,
                "x": t.x,
                "y": t.y,
                "box": list(t.box),
                "confidence": round(t.confidence, 3),
                "source": t.source,
            }
            for t in answer.targets
        ],
    }


def in_words(answer: Answer, query: str, everything: bool) -> str:
    """The answer for a person: one line a place."""
    if not answer.found:
        return f"Not found: {query}" + (f"\n{answer.reason}" if answer.reason else "")
    shown = answer.targets if everything or answer.ambiguous else answer.targets[:1]
    lines = [f"{t.x},{t.y}  {t.label or t.kind}  ({t.kind}, {round(100 * t.confidence)} %, {t.source})" for t in shown]
    if answer.ambiguous:
        lines.append(answer.reason)
    return "\n".join(lines)
