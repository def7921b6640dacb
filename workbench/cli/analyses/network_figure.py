"""Drawing of a network of collocations: the word in the middle, its collocates on a circle around
it, and theirs on an outer circle.
"""

from __future__ import annotations

import math

from workbench.analysis.collocations.collocates import Network, strength
from workbench.analysis.collocations.network_layout import INNER, OUTER, Place, lay_out
from workbench.core.text.visible import visible, xml_text

# Pixels: radius of the outer circle, space for words around them, and size of letters.
_OUTER, _ROOM, _SIZE = 360, 130, 13
_INK, _GREY, _FIRST, _SECOND = "#1F2328", "#57606A", "#2F6DB5", "#C3CAD2"


def network_svg(found: Network, measure: str) -> str:
    """An SVG drawing. Lines are thicker for higher scores; collocates that share one are joined to
    the same word.
    """
    radius = round(_OUTER * (OUTER if found.second else INNER)) + _ROOM
    layout = lay_out(found)
    places = {word: (x * _OUTER, y * _OUTER) for word, (x, y) in layout.places.items()}
    largest = max(edge.score(measure) for edge in (*found.first, *found.second))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * radius}" height="{2 * radius}" '
        f'viewBox="{-radius} {-radius} {2 * radius} {2 * radius}" font-family="sans-serif" '
        f'font-size="{_SIZE}">',
        f'<rect x="{-radius}" y="{-radius}" width="{2 * radius}" height="{2 * radius}" '
        'fill="#FFFFFF"/>',
    ]
    for edges, colour in ((found.second, _SECOND), (found.first, _FIRST)):
        for edge in edges:
            width = 0.6 + 4 * math.sqrt(strength(edge.score(measure), largest))
            parts.append(_line(places[edge.word], places[edge.other], colour, width))
    for word, place in places.items():
        first = word not in layout.outside
        parts += _name(word, place, _INK if first else _GREY, bold=word == found.word)
    return "\n".join([*parts, "</svg>\n"])


def _line(start: Place, end: Place, colour: str, width: float) -> str:
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{colour}" '
        f'stroke-width="{width:.2f}"/>'
    )


def _name(word: str, place: Place, colour: str, *, bold: bool) -> list[str]:
    """A word beside its dot, on the side away from the middle, on a white ground."""
    x, y = place
    side, shift, down = "middle", 0, 20
    if bold or (abs(x) < 20 and y <= 0):
        down = -9
    elif x >= 20:
        side, shift, down = "start", 8, 4
    elif x <= -20:
        side, shift, down = "end", -8, 4
    weight = ' font-weight="600"' if bold else ""
    text = xml_text(visible(word))
    shared = f'x="{x + shift:.1f}" y="{y + down:.1f}" text-anchor="{side}"{weight}'
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{6 if bold else 4}" fill="{colour}"/>',
        f'<text {shared} stroke="#FFFFFF" stroke-width="4">{text}</text>',
        f'<text {shared} fill="{colour}">{text}</text>',
    ]
