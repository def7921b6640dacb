"""Drawing of tests of associations: each word a dot, its contrast in the counts of the text across,
and in the vectors up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.cli.text_widths import text_widths
from workbench.core.text.visible import visible, xml_text

# Pixels of a panel's axes, of the space around them, and of letters.
_WIDE, _TALL, _LEFT, _TOP, _RIGHT, _BELOW, _SIZE = 420, 340, 64, 56, 20, 64, 12
_INK, _GREY, _RANDOM, _GRID = "#1F2328", "#57606A", "#C3CAD2", "#E4E7EB"
_SETS = ("#2F6DB5", "#C4531B")
_NOTE = (
    "Grey: random words of like frequency, and the line through them. On the line, the vectors "
    "repeat the text; beyond it, they amplify it."
)


@dataclass(frozen=True)
class _Axis:
    """Values from low to high on so many pixels."""

    low: float
    high: float
    pixels: int

    @classmethod
    def of(cls, values: Sequence[float], pixels: int) -> _Axis:
        """An axis that contains 0 and all values, with a margin."""
        low, high = min([0.0, *values]), max([0.0, *values])
        margin = 0.06 * max(high - low, 1e-6)
        return cls(low - margin, high + margin, pixels)

    def place(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low) * self.pixels

    def ticks(self) -> Iterator[float]:
        """Multiples of 1, 2 or 5 times a power of ten, about five of them."""
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            yield number * step


def associations_svg(results: Mapping[str, Mapping[str, Any]]) -> str:
    """An SVG drawing with a row of panels for each file of vectors, and a column for each test with
    counts. Empty, "", if no test has counts.
    """
    rows = [
        [(f"{key} · {Path(path).name}", one) for key, one in tests.items() if one["counts"]]
        for path, tests in results.items()
    ]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    width = max(map(len, rows)) * (_LEFT + _WIDE + _RIGHT)
    height = len(rows) * (_TOP + _TALL + _BELOW) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{_SIZE}">',
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
    ]
    for down, row in enumerate(rows):
        for across, (title, one) in enumerate(row):
            x = across * (_LEFT + _WIDE + _RIGHT) + _LEFT
            y = down * (_TOP + _TALL + _BELOW) + _TOP
            parts += [f'<g transform="translate({x} {y})">', *_panel(title, one), "</g>"]
    parts.append(f'<text x="{_LEFT}" y="{height - 8}" fill="{_GREY}" font-size="10">{_NOTE}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(title: str, one: Mapping[str, Any]) -> list[str]:
    words, random = _finite(one["words"]), _finite(one["random_words"])
    every = [*words, *random]
    across = _Axis.of([word["counts"] for word in every], _WIDE)
    up = _Axis.of([word["cosine"] for word in every], _TALL)
    sets = [one["sets"][letter]["name"] for letter in "xy"]
    a, b = (visible(one["sets"][letter]["name"]) for letter in "ab")
    parts = [
        f'<text x="0" y="-34" font-weight="600" fill="{_INK}">{xml_text(visible(title))}</text>',
        f'<text x="0" y="-14">{_key(sets)}</text>',
        *_grid(across, up),
        *_line(one["line"], across, up),
        f'<text x="{_WIDE / 2}" y="{_TALL + 40}" text-anchor="middle" fill="{_GREY}">'
        f"counts: PMI with {xml_text(a)} − PMI with {xml_text(b)}, nats</text>",
        f'<text transform="translate(-46 {_TALL / 2}) rotate(-90)" text-anchor="middle" '
        f'fill="{_GREY}">vectors: mean cosine, same contrast</text>',
    ]
    for word in random:
        parts.append(_dot(across.place(word["counts"]), up.place(word["cosine"]), 2.5, _RANDOM))
    for word in words:
        colour = _SETS[sets.index(word["in_set"])]
        parts.append(_dot(across.place(word["counts"]), up.place(word["cosine"]), 4, colour))
    return [*parts, *_names(words, sets, across, up)]


def _finite(words: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The words that have both contrasts."""
    return [
        word for word in words if math.isfinite(word["counts"]) and math.isfinite(word["cosine"])
    ]


def _key(sets: Sequence[str]) -> str:
    return "  ".join(
        f'<tspan fill="{colour}">● {xml_text(visible(name))}</tspan>'
        for name, colour in zip(sets, _SETS, strict=True)
    )


def _grid(across: _Axis, up: _Axis) -> list[str]:
    parts = [f'<rect width="{_WIDE}" height="{_TALL}" fill="none" stroke="{_GRID}"/>']
    for value in across.ticks():
        x, stroke = across.place(value), _RANDOM if value == 0 else _GRID
        parts.append(f'<path d="M{x:.1f} 0V{_TALL}" stroke="{stroke}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{_TALL + 18}" text-anchor="middle" fill="{_GREY}">'
            f"{_number(value)}</text>"
        )
    for value in up.ticks():
        y, stroke = _TALL - up.place(value), _RANDOM if value == 0 else _GRID
        parts.append(f'<path d="M0 {y:.1f}H{_WIDE}" stroke="{stroke}"/>')
        parts.append(
            f'<text x="-6" y="{y + 4:.1f}" text-anchor="end" fill="{_GREY}">{_number(value)}</text>'
        )
    return parts


def _line(line: Mapping[str, float] | None, across: _Axis, up: _Axis) -> list[str]:
    """The line through the random words, as far as it is within the panel."""
    if line is None or not math.isfinite(line["slope"]):
        return []
    ends = [across.low, across.high]
    if abs(line["slope"]) > 1e-12:
        limits = sorted((value - line["intercept"]) / line["slope"] for value in (up.low, up.high))
        ends = [max(across.low, limits[0]), min(across.high, limits[1])]
    if ends[0] >= ends[1]:
        return []
    (x1, y1), (x2, y2) = (
        (across.place(x), _TALL - up.place(line["intercept"] + line["slope"] * x)) for x in ends
    )
    return [
        f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{_GREY}" stroke-dasharray="5 4"/>'
    ]


def _dot(x: float, up: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{_TALL - up:.1f}" r="{radius}" fill="{colour}"/>'


def _names(
    words: Sequence[Mapping[str, Any]], sets: Sequence[str], across: _Axis, up: _Axis
) -> list[str]:
    """Names beside the dots of the targets; one that would cover another is left out."""
    texts = [visible(word["word"]) for word in words]
    widths = (text_widths(texts) * _SIZE).tolist() if texts else []
    parts: list[str] = []
    taken: list[tuple[float, float, float]] = []
    for word, text, width in zip(words, texts, widths, strict=True):
        x, y = across.place(word["counts"]), _TALL - up.place(word["cosine"])
        start = x + 7 if x + 7 + width <= _WIDE else x - 7 - width
        free = all(
            abs(y - other) >= _SIZE or start >= right or start + width <= left
            for left, right, other in taken
        )
        if not free:
            continue
        taken.append((start, start + width, y))
        colour = _SETS[sets.index(word["in_set"])]
        shared = f'x="{start:.1f}" y="{y + 4:.1f}"'
        parts.append(f'<text {shared} stroke="#FFFFFF" stroke-width="3">{xml_text(text)}</text>')
        parts.append(f'<text {shared} fill="{colour}">{xml_text(text)}</text>')
    return parts


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")
