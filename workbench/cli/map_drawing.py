"""Drawing of a map for the command line: dots, words, and regions with their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.analysis.projection.before_after import ONLY_AFTER, ONLY_BEFORE, BeforeAfter
from workbench.analysis.projection.name_places import NameRoom, NameSpot
from workbench.analysis.projection.regions import Regions, region_hues
from workbench.analysis.projection.space import MapAxes
from workbench.cli import output
from workbench.cli.text_widths import text_widths
from workbench.core.arrays import Doubles, Singles
from workbench.core.hues import LIGHT, hue_channels
from workbench.core.text.visible import visible, xml_text

_WIDTH, _HEIGHT, _MARGIN = 1200, 900, 60
_SIZE, _NAME = 13, 16
_CELL = 6
# Size of the titles of axes, and the width of their letters relative to those of normal weight.
_AXIS_SIZE, _BOLD = 16, 1.1
# Maximum number of words that name an end of an axis.
_NAMED = 3
# Colours below, at and above 0, and the quantile of values beyond which colours stay the same.
_LOW, _MIDDLE, _HIGH, _OUTER = (33, 102, 172), (192, 197, 203), (178, 24, 43), 0.99
_GROUND, _DOT, _INK, _ADDED = "#FBFBFA", "#8A94A0", "#1F2328", "#0A5BD3"
_ADDED_TEXT = f' font-weight="600" fill="{_ADDED}"'
# Number of words that names keep off.
_SAMPLE = 2_000
# Lightness of names as a share of that of dots, to be readable.
_DARKER = 0.8


@dataclass(frozen=True, eq=False)
class DrawnRegions:
    """Regions of one level and the name of each."""

    regions: Regions
    names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn of a map with positions float32[n, 2].

    axes : lines through 0 with their anchors
    regions : in the hues of their directions, with their names
    pair : the two layouts of a comparison, drawn side by side at one scale, each with the words of
    its model and the title of ``titles``
    added : number of last words that were added to the map: marked, and labelled first
    """

    words: Sequence[str]
    positions: Singles
    axes: MapAxes | None = None
    regions: DrawnRegions | None = None
    pair: BeforeAfter | None = None
    titles: tuple[str, str] = ("", "")
    added: int = 0


def write_svg(path: Path, drawing: Drawing) -> None:
    path.write_text(map_svg(drawing), encoding="utf-8")


def write_png(path: Path, drawing: Drawing) -> None:
    """Write the map in pixels. Raises UserError if it can’t be painted."""
    output.paint_svg(path, map_svg(drawing))


def map_svg(drawing: Drawing) -> str:
    """The drawing as SVG, with labels for the first words first."""
    wide, pair = _WIDTH, drawing.pair
    if pair is None:
        parts = _map_parts(
            drawing,
            _Scale.of(drawing.positions, drawing.axes is not None),
            _radius(len(drawing.words)),
        )
    else:
        wide = 2 * _WIDTH
        scale = _Scale.of(np.concatenate([pair.before, pair.after]), False)
        parts = [f'<path d="M{_WIDTH} {_MARGIN}V{_HEIGHT - _MARGIN}" stroke="#D1D9E0"/>']
        sides = ((pair.before, ONLY_AFTER), (pair.after, ONLY_BEFORE))
        for side, (positions, lacking) in enumerate(sides):
            rows = np.flatnonzero(pair.presence != lacking).tolist()
            model = Drawing([pair.words[row] for row in rows], positions[rows])
            title = (
                f'<text x="{_MARGIN}" y="{_MARGIN / 2:.0f}" font-size="{_AXIS_SIZE}" '
                f'font-weight="600" fill="{_INK}">{xml_text(drawing.titles[side])}</text>'
            )
            move = f'<g transform="translate({side * _WIDTH} 0)">'
            parts += [move, *_map_parts(model, scale, _radius(len(pair.words))), title, "</g>"]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{_HEIGHT}" '
        f'viewBox="0 0 {wide} {_HEIGHT}" font-family="sans-serif" font-size="{_SIZE}">'
    )
    ground = f'<rect width="{wide}" height="{_HEIGHT}" fill="{_GROUND}"/>'
    return "\n".join([head, ground, *parts, "</svg>"]) + "\n"


class _Scale(NamedTuple):
    """Pixels per unit, and the position in the middle of the drawing."""

    scale: float
    middle: Doubles

    @classmethod
    def of(cls, positions: Singles, crossed: bool) -> _Scale:
        """The scale that shows all positions; ``crossed``: and the axes through 0."""
        low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
        if crossed:
            low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
        span = np.maximum(high - low, 1e-9)
        room = (_WIDTH - 2 * _MARGIN) / span[0], (_HEIGHT - 2 * _MARGIN) / span[1]
        return cls(float(min(room)), (low + high) / 2)


def _radius(words: int) -> float:
    return 3.0 if words <= 2000 else 1.5


def _map_parts(drawing: Drawing, scaling: _Scale, radius: float) -> list[str]:
    """The elements of one map."""
    words, positions, drawn = drawing.words, drawing.positions, drawing.regions
    axes, (scale, middle) = drawing.axes, scaling
    x = _WIDTH / 2 + (positions[:, 0] - middle[0]) * scale
    y = _HEIGHT / 2 - (positions[:, 1] - middle[1]) * scale
    parts = []
    titles: list[_Title] = []
    if axes is not None:
        origin = _WIDTH / 2 - middle[0] * scale, _HEIGHT / 2 + middle[1] * scale
        titles = _axis_titles(axes, *origin)
        parts += _axes(axes, titles, *origin)
    fills = [""] * len(words)
    if axes is not None:
        fills = [f' fill="{fill}"' for fill in _diverging_fills(positions[:, int(axes[0] is None)])]
    spots: list[NameSpot] = []
    if drawn is not None:
        hues = _hue_names(region_hues(drawn.regions.places, positions), LIGHT)
        fills = [f' fill="{hues[label]}"' if label >= 0 else "" for label in drawn.regions.labels]
        spots = _name_spots(drawn, np.column_stack([x, y]), scaling)
    old = len(words) - drawing.added
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}"{fill}/>'
        for a, b, fill in zip(x[:old].tolist(), y[:old].tolist(), fills[:old], strict=True)
    )
    parts.append(f'<g fill="{_DOT}">{dots}</g>')
    if drawing.added:
        parts.append(_diamonds(x[old:], y[old:], 2 * radius))
    order = [*range(old, len(words)), *range(old)]
    # A diamond is twice as wide as a dot.
    lefts = x + 3 + np.where(np.arange(len(words)) >= old, 2 * radius, radius)
    texts = "".join(
        f'<text x="{lefts[row]:.1f}" y="{y[row] + _SIZE * 0.35:.1f}"'
        f"{_ADDED_TEXT if row >= old else ''}>{xml_text(words[row])}</text>"
        for row in _labelled_rows(words, order, x, y, titles, spots)
    )
    parts.append(f'{_outline(texts, 3)}<g fill="{_INK}">{texts}</g>')
    if drawn is not None:
        parts += _names(drawn, spots, positions)
    return parts


def _diamonds(x: Singles, y: Singles, reach: float) -> str:
    """Marks of added words."""
    sides = f"l{reach} {reach} {-reach} {reach} {-reach} {-reach}z"
    marks = (
        f"M{a:.1f} {b - reach:.1f}{sides}" for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    return f'<path fill="{_ADDED}" d="{"".join(marks)}"/>'


def _outline(texts: str, width: int) -> str:
    """The outline around letters, drawn separately because not every program supports paint-order.
    Dots of other words remain visible through it.
    """
    return (
        f'<g stroke="{_GROUND}" stroke-width="{width}" stroke-opacity="0.6" fill="none">{texts}</g>'
    )


def _name_spots(drawn: DrawnRegions, pixels: Singles, scaling: _Scale) -> list[NameSpot]:
    """Places of the names, the largest region first."""
    scale, middle = scaling
    regions = drawn.regions
    step = max(len(pixels) // _SAMPLE, 1)
    room = NameRoom((_WIDTH, _HEIGHT), pixels[::step], step)
    widths = text_widths([visible(name) for name in drawn.names]) * _NAME * _BOLD
    found = []
    for region, place in enumerate((regions.places - middle) * scale):
        pixel = (_WIDTH / 2 + float(place[0]), _HEIGHT / 2 - float(place[1]))
        size = (float(widths[region]), _NAME * 1.2)
        spot = room.place(region, pixel, size, regions.labels[::step] == region)
        if spot is not None:
            found.append(spot)
    return found


def _names(drawn: DrawnRegions, spots: Sequence[NameSpot], positions: Singles) -> list[str]:
    hues = region_hues(drawn.regions.places, positions)
    inks = _hue_names(hues, (LIGHT[0] * _DARKER, LIGHT[1]))
    lines = "".join(
        f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{inks[spot.region]}"/>'
        for spot in spots
        if spot.line is not None
        for x, y, to_x, to_y in [spot.line]
    )
    texts = [
        (
            spot.region,
            f'<text x="{spot.box.left:.1f}" y="{spot.box.bottom - _NAME * 0.3:.1f}"',
            xml_text(drawn.names[spot.region]),
        )
        for spot in spots
    ]
    halo = "".join(f"{head}>{text}</text>" for _, head, text in texts)
    inked = "".join(f'{head} fill="{inks[region]}">{text}</text>' for region, head, text in texts)
    return [f'<g font-size="{_NAME}" font-weight="600">{lines}{_outline(halo, 4)}{inked}</g>']


def _hue_names(hues: Doubles, lightness: tuple[float, float]) -> list[str]:
    rows = np.rint(255 * hue_channels(hues, lightness)).astype(int).tolist()
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in rows]


def _diverging_fills(values: Singles) -> list[str]:
    """Colours of values from _LOW via _MIDDLE at 0 to _HIGH; a few outliers share the last
    colour.
    """
    limit = max(float(np.quantile(np.abs(values), _OUTER)), 1e-6)
    share = np.clip(values / limit, -1.0, 1.0)[:, None]
    low, middle, high = (np.array(colour, dtype=np.float64) for colour in (_LOW, _MIDDLE, _HIGH))
    mixed = middle + np.abs(share) * (np.where(share < 0, low, high) - middle)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in np.rint(mixed).astype(int).tolist()]


def _labelled_rows(
    words: Sequence[str],
    order: Sequence[int],
    x: Singles,
    y: Singles,
    titles: Sequence[_Title],
    spots: Sequence[NameSpot],
) -> list[int]:
    """The rows of the words with labels, which overlap neither each other nor titles nor names of
    regions; tried in this order.
    """
    taken = np.zeros((_HEIGHT // _CELL + 1, _WIDTH // _CELL + 1), dtype=bool)
    for title in titles:
        taken[_cells(title.left, title.y - _AXIS_SIZE, title.left + title.width, title.y)] = True
    for spot in spots:
        for place in spot.reserved():
            taken[_cells(*place)] = True
    widths = (text_widths([visible(word) for word in words]) * _SIZE).tolist()
    rows = []
    for row in order:
        width = widths[row]
        left, top = float(x[row]), float(y[row]) - _SIZE / 2
        right, bottom = left + 6 + width, top + _SIZE
        if left < 0 or top < 0 or right >= _WIDTH or bottom >= _HEIGHT:
            continue
        box = _cells(left, top, right, bottom)
        if not taken[box].any():
            taken[box] = True
            rows.append(row)
    return rows


def _cells(left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
    """The cells of a grid over the drawing that a box touches."""
    return (
        slice(max(int(top), 0) // _CELL, int(bottom) // _CELL + 1),
        slice(max(int(left), 0) // _CELL, int(right) // _CELL + 1),
    )


def _end(words: Sequence[str]) -> str:
    text = ", ".join(words[:_NAMED])
    if len(words) > _NAMED:
        text += ", …"
    return text


class _Title(NamedTuple):
    """The words at an end of an axis, with the left end and the width of their line. At the
    right edge, their right end stays in any font.
    """

    text: str
    left: float
    y: float
    width: float

    @property
    def anchor(self) -> str:
        return "start" if self.left + self.width < _WIDTH - 11 else "end"

    @property
    def anchor_x(self) -> float:
        return self.left + (self.width if self.anchor == "end" else 0)


def _axis_titles(axes: MapAxes, x: float, y: float) -> list[_Title]:
    """Titles within the drawing, for axes that cross at ``x``, ``y``."""
    across, up = axes
    placed: list[tuple[str, float, float]] = []
    if across is not None:
        placed += [(f"← {_end(across.low_words)}", 10, y - 8)]
        placed += [(f"{_end(across.high_words)} →", _WIDTH, y - 8)]
    if up is not None:
        placed += [(f"{_end(up.high_words)} ↑", x + 8, 24)]
        placed += [(f"{_end(up.low_words)} ↓", x + 8, _HEIGHT - 14)]
    widths = text_widths([visible(text) for text, _, _ in placed]) * _AXIS_SIZE * _BOLD
    return [
        _Title(text, max(10.0, min(left, _WIDTH - 10 - width)), top, width)
        for (text, left, top), width in zip(placed, widths.tolist(), strict=True)
    ]


def _axes(axes: MapAxes, titles: Sequence[_Title], x: float, y: float) -> list[str]:
    across, up = axes
    line = "" if across is None else f"M0 {y:.1f}H{_WIDTH}"
    line += "" if up is None else f"M{x:.1f} 0V{_HEIGHT}"
    lines = f'<path d="{line}" stroke="#D1D9E0"/>'
    texts = "".join(
        f'<text x="{title.anchor_x:.1f}" y="{title.y:.1f}" text-anchor="{title.anchor}">'
        f"{xml_text(title.text)}</text>"
        for title in titles
    )
    return [lines, f'<g font-size="{_AXIS_SIZE}" font-weight="600">{texts}</g>']
