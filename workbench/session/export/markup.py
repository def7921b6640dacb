"""HTML and SVG as text, with all data escaped: tables, bars and curves in the colours of the
page.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.text.visible import visible_lines

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 40
# More points than this can’t be distinguished on so narrow a figure.
_POINTS = 600


def text(value: object) -> str:
    """A value as HTML text; control characters, which HTML doesn't allow, are written out."""
    return html.escape(visible_lines(str(value)))


def table(
    header: Sequence[str], rows: Sequence[Sequence[object]], numeric: Sequence[int] = ()
) -> str:
    """A table; the columns whose numbers are in ``numeric`` are right-aligned."""

    def cells(row: Sequence[object], tag: str) -> str:
        rows_text = []
        for at, cell in enumerate(row):
            kind = ' class="n"' if at in numeric else ""
            scope = ' scope="col"' if tag == "th" else ""
            rows_text.append(f"<{tag}{scope}{kind}>{text(cell)}</{tag}>")
        return "<tr>" + "".join(rows_text) + "</tr>"

    head = f"<thead>{cells(header, 'th')}</thead>" if any(header) else ""
    return f"<table>{head}<tbody>{''.join(cells(row, 'td') for row in rows)}</tbody></table>"


def curve(x: Doubles, y: Doubles, across: str, up: str, title: str) -> str:
    """A curve as SVG, with labelled axes, in the colour of the surrounding text."""
    low, high = float(y.min()), float(y.max())
    room = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    ticks = _ticks(low - room, high + room)
    low, high = min(low - room, ticks[0]), max(high + room, ticks[-1])
    first, last = float(x.min()), float(x.max())
    span = last - first or 1.0

    def at(px: float, py: float) -> tuple[float, float]:
        return (
            _LEFT + (px - first) / span * (WIDTH - _LEFT - _RIGHT),
            HEIGHT - _BOTTOM - (py - low) / (high - low) * (HEIGHT - _TOP - _BOTTOM),
        )

    chosen = np.unique(np.linspace(0, len(x) - 1, min(len(x), _POINTS)).round().astype(int))
    points = " ".join(
        f"{px:.1f},{py:.1f}" for px, py in (at(float(x[i]), float(y[i])) for i in chosen)
    )
    parts = [
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">',
        f"<title>{text(title)}</title>",
    ]
    for value in ticks:
        _, height = at(first, value)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{height:.1f}" '
            f'y2="{height:.1f}"/>'
        )
        parts.append(
            f'<text x="{_LEFT - 8}" y="{height + 4:.1f}" '
            f'text-anchor="end">{text(f"{value:g}")}</text>'
        )
    for value in _ticks(first, last):
        place, _ = at(value, low)
        parts.append(
            f'<text x="{place:.1f}" y="{HEIGHT - _BOTTOM + 18}" '
            f'text-anchor="middle">{text(f"{value:g}")}</text>'
        )
    parts.append(f'<polyline class="curve" points="{points}"/>')
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle:.0f}" y="{HEIGHT - 4}" text-anchor="middle">{text(across)}</text>'
    )
    turned = f'transform="translate(12 {(HEIGHT - _BOTTOM + _TOP) / 2:.0f}) rotate(-90)"'
    parts.append(f'<text {turned} text-anchor="middle">{text(up)}</text>')
    return "".join([*parts, "</svg>"])


def bars(rows: Sequence[tuple[str, float]]) -> str:
    """Names with values in 0..1 as bars, in an HTML list."""
    items = []
    for name, value in rows:
        width = 100 * min(max(value, 0.0), 1.0)
        items.append(
            f'<li><span class="w">{text(name)}</span><span class="b"><i '
            f'style="width:{width:.1f}%"></i></span>'
            f'<span class="n">{text(f"{value:.3f}".replace("-", "−"))}</span></li>'
        )
    return f'<ol class="bars">{"".join(items)}</ol>'


def _ticks(low: float, high: float) -> list[float]:
    """About four round numbers within the bounds."""
    step = 10 ** math.floor(math.log10(max(high - low, 1e-300) / 4))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 5:
            step *= factor
            break
    found = [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [float(f"{value:.6g}") for value in found] or [low]
