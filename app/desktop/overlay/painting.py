"""Paints marks, in physical pixels. Knows no window: the same on a screen, a picture or another process's buffer.

A ring is a coloured line between two pale or dark ones, so that it stands out from any picture; solid says certain,
dashed with a "?" says guess. Colour only repeats that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPainterPath, QPen

from fingerpost.app.desktop import wording
from fingerpost.app.desktop.overlay.placement import grown, place, ring
from fingerpost.app.desktop.overlay.values import Mark, OverlayLook
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Box

DIM = QColor(12, 14, 20, 92)
CLEAR_RADIUS = 14  # logical pixels; of the palette's corners
FEATHER = 7  # steps from no dimming to all of it
SETTLE = 14  # logical pixels that the ring moves while it settles
MAX_LABEL = 300  # logical pixels
LARGE = 160  # logical pixels; in a target of this size it is not obvious where the click would go


@dataclass(frozen=True)
class Sizes:
    """All lengths of the overlay on a monitor, physical pixels."""

    scale: float

    def px(self, logical: float) -> int:
        return max(1, round(logical * self.scale))

    @property
    def gap(self) -> int:
        return self.px(3)

    @property
    def halo(self) -> int:
        return self.px(1.5)

    def line(self, active: bool) -> int:
        return self.px(3 if active else 2)

    def ring(self, mark: Mark, monitor: Monitor, active: bool) -> Box:
        """The inside of the mark's ring."""
        return ring(mark.box, monitor.box, self.gap, self.line(active) + self.halo)

    def outside(self, mark: Mark, monitor: Monitor) -> Box:
        """Everything that belongs to the ring, as if it were the active one: nothing moves when another one is."""
        return grown(self.ring(mark, monitor, True), self.line(True) + self.halo)


@dataclass(frozen=True)
class Sign:
    """A number or a label that has its place."""

    box: Box
    words: str
    quiet: str = ""


def paint(painter: QPainter, monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> None:
    """Paint what `monitor` shows of the marks.

    The painter's unit is one physical pixel and its origin the monitor's top left one; `monitor.scale` sizes text and
    lines. What is not painted is left as it was.
    """
    sizes = Sizes(monitor.scale)
    painter.save()
    painter.translate(-monitor.box.x, -monitor.box.y)
    painter.setClipRect(_rect(monitor.box), Qt.ClipOperation.IntersectClip)
    if look.translucent and look.dim and marks:
        _paint_dim(painter, monitor, marks, sizes, look.clear)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.save()
    painter.setClipPath(_rest(monitor, look.clear, sizes), Qt.ClipOperation.IntersectClip)
    for index, mark in enumerate(marks):
        if index != look.active:
            _paint_ring(painter, mark, monitor, look, sizes, active=False)
    painter.restore()
    badges, label = signs(monitor, marks, look)
    if label is not None:
        _paint_label(painter, label, look, sizes)  # its shadow must not lie on the ring
    if 0 <= look.active < len(marks):  # seen wherever it is
        _paint_ring(painter, marks[look.active], monitor, look, sizes, active=True)
    for index, badge in badges.items():
        _paint_badge(painter, badge, marks[index], look, sizes, index == look.active)
    painter.restore()


def image(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> QImage:
    """The overlay of one monitor as a picture of its size, ARGB32 premultiplied, transparent where nothing is shown."""
    picture = QImage(monitor.box.width, monitor.box.height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    painter = QPainter(picture)
    paint(painter, monitor, marks, look)
    painter.end()
    return picture


def signs(monitor: Monitor, marks: Sequence[Mark], look: OverlayLook) -> tuple[dict[int, Sign], Sign | None]:
    """Numbers by the index of their mark, and the label of the active one, on the monitor that shows their points.

    Numbers do not move when another mark becomes active.
    """
    sizes = Sizes(monitor.scale)
    badges: dict[int, Sign] = {}
    for index, mark in enumerate(marks):
        words = badge_words(mark, alone=len(marks) == 1)
        if words and monitor.box.contains(mark.point.x, mark.point.y):
            taken = [*_others(marks, index), *(badge.box for badge in badges.values()), *look.clear]
            size = _badge_size(words, sizes)
            badges[index] = Sign(place(size, sizes.outside(mark, monitor), monitor.box, taken), words)
    return badges, _label(monitor, marks, look.active, [*(badge.box for badge in badges.values()), *look.clear])


def badge_words(mark: Mark, alone: bool) -> str:
    """The number, with a "?" where it is a guess; a single certain mark needs none."""
    number = "" if alone else str(mark.number)
    return number if mark.certain else f"{number}?"


def _others(marks: Sequence[Mark], index: int) -> list[Box]:
    """Targets that a sign must not hide. One around our own is not among them: the sign has to be somewhere in it."""
    own = marks[index].box
    return [mark.box for other, mark in enumerate(marks) if other != index and mark.box.intersection(own) != own]


def _label(monitor: Monitor, marks: Sequence[Mark], active: int, taken: list[Box]) -> Sign | None:
    if not 0 <= active < len(marks) or not monitor.box.contains(marks[active].point.x, marks[active].point.y):
        return None
    mark, sizes = marks[active], Sizes(monitor.scale)
    bold, plain = QFontMetricsF(_font(sizes, 13, True)), QFontMetricsF(_font(sizes, 12))
    words = bold.elidedText(" ".join(mark.label.split()), Qt.TextElideMode.ElideRight, sizes.px(MAX_LABEL))
    quiet = f"{wording.confidence(mark.confidence)} · {wording.elapsed(mark.elapsed_ms)}"
    between = sizes.px(10) if words else 0
    width = bold.horizontalAdvance(words) + between + plain.horizontalAdvance(quiet) + sizes.px(24)
    size = round(width) + 1, sizes.px(30)
    room = grown(sizes.outside(mark, monitor), sizes.px(6))
    return Sign(place(size, room, monitor.box, [*_others(marks, active), *taken], wide=True), words, quiet)


def _badge_size(words: str, sizes: Sizes) -> tuple[int, int]:
    height = sizes.px(22)
    advance = QFontMetricsF(_font(sizes, 13, True)).horizontalAdvance(words)
    return max(height, round(advance) + sizes.px(12)), height


def _paint_dim(painter: QPainter, monitor: Monitor, marks: Sequence[Mark], sizes: Sizes, clear: Sequence[Box]) -> None:
    """Darken everything but the marks, with soft edges: narrow bands of growing strength around each hole."""
    step = sizes.px(2)
    holes = [_holes(marks, monitor, sizes, step * band) for band in range(FEATHER + 1)]
    rest = _rest(monitor, clear, sizes)
    painter.fillPath(rest.subtracted(holes[-1]), DIM)
    for band in range(FEATHER):
        colour = QColor(DIM)
        colour.setAlpha(round(DIM.alpha() * (band + 1) / (FEATHER + 1)))
        painter.fillPath(holes[band + 1].subtracted(holes[band]).intersected(rest), colour)


def _rest(monitor: Monitor, clear: Sequence[Box], sizes: Sizes) -> QPainterPath:
    """The monitor without what stays clear."""
    rest = QPainterPath()
    rest.addRect(_rect(monitor.box))
    for box in clear:
        rest = rest.subtracted(_rounded(box, sizes.px(CLEAR_RADIUS)))
    return rest


def _holes(marks: Sequence[Mark], monitor: Monitor, sizes: Sizes, by: int) -> QPainterPath:
    holes = QPainterPath()
    for mark in marks:
        holes = holes.united(_rounded(grown(sizes.outside(mark, monitor), by), sizes.px(8) + by))
    return holes


def _rounded(box: Box, radius: int) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(_rect(box), radius, radius)
    return path


def _paint_ring(painter: QPainter, mark: Mark, monitor: Monitor, look: OverlayLook, sizes: Sizes, active: bool) -> None:
    line, inside = sizes.line(active), sizes.ring(mark, monitor, active)
    if active:
        inside = grown(inside, round((1 - look.progress) * SETTLE * sizes.scale))
    middle = _rect(inside).adjusted(-line / 2, -line / 2, line / 2, line / 2)
    radius = min(sizes.px(6), min(middle.width(), middle.height()) / 2)
    colour = _colour(mark, look)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(look.theme.halo), line + 2 * sizes.halo))
    painter.drawRoundedRect(middle, radius, radius)
    pen = QPen(colour, line, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    if not mark.certain:
        pen.setDashPattern([3.0, 1.8])
    painter.setPen(pen)
    painter.drawRoundedRect(middle, radius, radius)
    if active and max(mark.box.width, mark.box.height) >= sizes.px(LARGE):
        _paint_point(painter, mark, look, sizes)


def _paint_point(painter: QPainter, mark: Mark, look: OverlayLook, sizes: Sizes) -> None:
    """A small open ring around the pixel that would be clicked; what is under it stays readable."""
    middle, radius = QPointF(mark.point.x + 0.5, mark.point.y + 0.5), sizes.px(5)
    for colour, width in ((QColor(look.theme.halo), sizes.px(4)), (_colour(mark, look), sizes.px(2))):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(middle, radius, radius)


def _paint_badge(painter: QPainter, badge: Sign, mark: Mark, look: OverlayLook, sizes: Sizes, active: bool) -> None:
    theme, colour = look.theme, _colour(mark, look)
    area = _rect(badge.box)
    line = sizes.halo
    inner = area.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.setPen(QPen(QColor(theme.halo) if active else colour, line))
    painter.setBrush(colour if active else QColor(theme.surface))
    painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
    painter.setFont(_font(sizes, 13, True))
    ink = (theme.on_accent if mark.certain else theme.on_guess) if active else theme.text
    painter.setPen(QColor(ink))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, badge.words)


def _paint_label(painter: QPainter, label: Sign, look: OverlayLook, sizes: Sizes) -> None:
    theme, area, radius = look.theme, _rect(label.box), sizes.px(8)
    if look.translucent:
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(sizes.px(6), 0, -1):
            painter.setBrush(QColor(0, 0, 0, 7))
            soft = area.adjusted(-spread, -spread, spread, spread).translated(0, sizes.px(2))
            painter.drawRoundedRect(soft, radius + spread, radius + spread)
    painter.setPen(QPen(QColor(theme.line), sizes.px(1)))
    painter.setBrush(QColor(theme.surface))
    half = sizes.px(1) / 2
    painter.drawRoundedRect(area.adjusted(half, half, -half, -half), radius, radius)
    text_area = area.adjusted(sizes.px(12), 0, -sizes.px(10), 0)
    painter.setFont(_font(sizes, 13, True))
    painter.setPen(QColor(theme.text))
    painter.drawText(text_area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, label.words)
    painter.setFont(_font(sizes, 12))
    painter.setPen(QColor(theme.quiet))
    painter.drawText(text_area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, label.quiet)


def _colour(mark: Mark, look: OverlayLook) -> QColor:
    return QColor(look.theme.accent if mark.certain else look.theme.guess)


def _font(sizes: Sizes, height: float, bold: bool = False) -> QFont:
    """The system's font; physical pixels, so that no other scale is applied to it."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(sizes.px(height))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)
