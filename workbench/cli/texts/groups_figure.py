"""The figure of words in groups: one panel for each pair of words, with band and control."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.analysis.groups.grouped_words import GroupedWords
from workbench.analysis.groups.series import Series
from workbench.core.arrays import Bools, Doubles
from workbench.core.hues import LIGHT, hue_channels
from workbench.core.text.visible import xml_text

# Pixels of a panel's axes, and of the space around them.
_WIDE, _TALL, _LEFT, _TOP, _RIGHT, _BELOW = 300, 160, 44, 34, 18, 40
_INK, _GREY, _CONTROL, _GRID = "#1F2328", "#57606A", "#C9CED4", "#E4E7EB"
# Pixels of a letter and between names, and the maximum number of letters of a name below an axis.
_LETTER, _BETWEEN, _LONGEST = 7.5, 8, 10


def groups_svg(found: GroupedWords) -> str:
    """An SVG drawing: a row of panels for each word, a column for each word that it is compared
    with; all with one scale.
    """
    words = [word.word for word in found.words]
    rows = [[one for one in found.series if one.word == word] for word in words]
    across = max(map(len, rows))
    width, height = across * (_LEFT + _WIDE + _RIGHT), len(rows) * (_TOP + _TALL + _BELOW) + 26
    low, high = _scale(found.series)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
    ]
    for down, row in enumerate(rows):
        for right, series in enumerate(row):
            x, y = right * (_LEFT + _WIDE + _RIGHT) + _LEFT, down * (_TOP + _TALL + _BELOW) + _TOP
            panel = _Panel(low, high, len(found.groups))
            parts += [
                f'<g transform="translate({x} {y})">',
                *panel.draw(series, found.groups.values, right / max(across, 2)),
                "</g>",
            ]
    note = "Line and band: cosine with its 95% interval over documents. Grey: groups shuffled."
    parts.append(f'<text x="{_LEFT}" y="{height - 8}" fill="{_GREY}">{note}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _scale(series: Sequence[Series]) -> tuple[float, float]:
    """The ends of the axis of cosines, multiples of 0.2 that contain all values."""
    tables = [
        values
        for one in series
        for values in (one.cosines, one.low, one.high, one.control_low, one.control_high)
    ]
    known = np.concatenate(tables)
    known = known[np.isfinite(known)]
    if not len(known):
        return 0.0, 1.0
    low, high = math.floor(5 * min(known.min(), 0.0)) / 5, math.ceil(5 * known.max()) / 5
    return low, max(high, low + 0.2)


class _Panel:
    """Axes with cosines from ``low`` to ``high`` and ``groups`` places across."""

    def __init__(self, low: float, high: float, groups: int) -> None:
        self._low, self._high, self._groups = low, high, groups

    def draw(self, series: Series, names: Sequence[str], hue: float) -> list[str]:
        red, green, blue = (round(255 * c) for c in hue_channels(np.array(hue), LIGHT).tolist())
        colour = f"#{red:02X}{green:02X}{blue:02X}"
        return [
            f'<text y="-12" font-weight="600" fill="{_INK}">'
            f"{xml_text(series.word)} · {xml_text(series.to)}</text>",
            f'<text x="{_WIDE}" y="-12" text-anchor="end" fill="{_GREY}">p = {series.p:.3f}</text>',
            *self._grid(names),
            *self._band(series.control_low, series.control_high, _CONTROL, 0.55),
            self._line(series.control, _GREY, 'stroke-dasharray="3 3"'),
            *self._band(series.low, series.high, colour, 0.25),
            self._line(series.cosines, colour, 'stroke-width="2"'),
            *(
                f'<circle cx="{self._x(at):.1f}" cy="{self._y(value):.1f}" r="2.5" '
                f'fill="{colour}"/>'
                for at, value in enumerate(series.cosines)
                if math.isfinite(value)
            ),
        ]

    def _x(self, at: float) -> float:
        return _WIDE * (at + 0.5) / self._groups

    def _y(self, value: float) -> float:
        return _TALL * (self._high - value) / (self._high - self._low)

    def _grid(self, names: Sequence[str]) -> list[str]:
        steps = round((self._high - self._low) / 0.2)
        every = 1 if steps <= 5 else 2
        parts = []
        for step in range(0, steps + 1, every):
            value = self._low + 0.2 * step
            y, text = self._y(value), f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")
            parts += [
                f'<path d="M0 {y:.1f}H{_WIDE}" stroke="{_GRID}"/>',
                f'<text x="-6" y="{y + 4:.1f}" text-anchor="end" fill="{_GREY}">{text}</text>',
            ]
        short = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names]
        room = max(1, int(_WIDE / (_LETTER * max(map(len, short)) + _BETWEEN)))
        for at in range(0, len(names), -(-len(names) // room)):
            name = short[at]
            parts.append(
                f'<text x="{self._x(at):.1f}" y="{_TALL + 16}" text-anchor="middle" '
                f'fill="{_GREY}">{xml_text(name)}</text>'
            )
        return parts

    def _band(self, low: Doubles, high: Doubles, colour: str, opacity: float) -> list[str]:
        """Areas between two lines, and a bar for a group without neighbours."""
        parts = []
        for run in _runs(np.isfinite(low) & np.isfinite(high)):
            if len(run) == 1:
                x = self._x(run[0])
                points = [(x - 3, high[run[0]]), (x + 3, high[run[0]])]
                points += [(x + 3, low[run[0]]), (x - 3, low[run[0]])]
            else:
                points = [(self._x(at), high[at]) for at in run]
                points += [(self._x(at), low[at]) for at in reversed(run)]
            path = "L".join(f"{x:.1f} {self._y(float(value)):.1f}" for x, value in points)
            parts.append(f'<path d="M{path}Z" fill="{colour}" fill-opacity="{opacity}"/>')
        return parts

    def _line(self, values: Doubles, colour: str, style: str) -> str:
        lines = (
            "L".join(f"{self._x(at):.1f} {self._y(float(values[at])):.1f}" for at in run)
            for run in _runs(np.isfinite(values))
        )
        path = "".join(f"M{line}" for line in lines)
        return f'<path d="{path}" fill="none" stroke="{colour}" {style}/>'


def _runs(known: Bools) -> list[list[int]]:
    """Stretches of neighbours that are known."""
    found: list[list[int]] = []
    for at in np.flatnonzero(known).tolist():
        if found and found[-1][-1] == at - 1:
            found[-1].append(at)
        else:
            found.append([at])
    return found
