"""`fingerpost read`: everything that is seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingerpost.app.cli.engine_options import running_options
from fingerpost.app.cli.sources import source_of, source_options

if TYPE_CHECKING:
    from fingerpost.engine.lite.scene import Scene
    from fingerpost.engine.values import Frame

TEXT_COLOUR, ELEMENT_COLOUR = (0, 110, 220), (220, 90, 0)


@click.command(short_help="List everything seen: texts and elements.")
@source_options
@running_options
@click.option("--json", "as_json", is_flag=True, help="Print all of it as one JSON object.")
@click.option("--annotate", metavar="OUT.png", type=click.Path(path_type=Path), help="Save the picture with all boxes.")
def read(threads: int, device: str, as_json: bool, annotate: Path | None, **where: Any) -> None:
    """List every text and every interface element that is seen, with its place.

    Without --image, --screen, --window or --region the whole desktop is read. On the annotated picture texts are
    blue and elements orange.

    \b
    The JSON object, in pixels of the picture, boxes as [x, y, width, height]:
      {"frame": {"width", "height"}, "ui_scale",
       "texts": [{"text", "box", "score"}], "elements": [{"kind", "box", "score"}],
       "containers": [{"kind", "name", "box", "score"}]}

    \b
    Examples:
      fingerpost read
      fingerpost read --image shot.png --json
      fingerpost read --window Files --annotate seen.png

    Exit codes: 0 done, 2 wrong use, 3 cannot run.
    """
    from fingerpost.engine.finder import look, make_engine

    frame = look(source_of(**where))
    scene = make_engine(threads=threads, device=device).see(frame)
    if annotate is not None:
        _annotate(frame, scene, annotate)
    if as_json:
        click.echo(json.dumps(as_object(scene), ensure_ascii=False))
    else:
        click.echo("\n".join(f"{line.box.centre[0]},{line.box.centre[1]}  {line.text}" for line in scene.lines))


def as_object(scene: Scene) -> dict[str, Any]:
    """The scene as the documented JSON object."""
    return {
        "frame": {"width": scene.size.width, "height": scene.size.height},
        "ui_scale": scene.ui_scale,
        "texts": [{"text": t.text, "box": list(t.box), "score": round(t.score, 3)} for t in scene.lines],
        "elements": [{"kind": e.kind, "box": list(e.box), "score": round(e.score, 3)} for e in scene.elements],
        "containers": [
            {"kind": c.kind, "name": c.name, "box": list(c.box), "score": round(c.score, 3)} for c in scene.containers
        ],
    }


def _annotate(frame: Frame, scene: Scene, path: Path) -> None:
    from fingerpost.engine import annotate, pictures

    boxes = [(e.box, ELEMENT_COLOUR) for e in scene.elements] + [(t.box, TEXT_COLOUR) for t in scene.lines]
    pictures.save(annotate.draw_boxes(frame, boxes), path)
