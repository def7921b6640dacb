"""Places of the words of a network: the word in the middle, its collocates on a circle around it,
and theirs on an outer circle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.analysis.collocations.collocates import Collocate, Network
from workbench.core.table_export import Cell

# Radii of the circles; the drawing is as wide as twice the outer one.
INNER, OUTER = 0.53, 1.0
Place = tuple[float, float]


@dataclass(frozen=True)
class NetworkLayout:
    """places : x to the right and y down, within −OUTER..OUTER; outside : the words of the outer
    circle
    """

    places: dict[str, Place]
    outside: frozenset[str]


def lay_out(found: Network) -> NetworkLayout:
    """Places of all words. Collocates that share one are joined to the same place."""
    places: dict[str, Place] = {found.word: (0.0, 0.0)}
    inner = [edge.other for edge in found.first]
    for at, word in enumerate(inner):
        places[word] = _on_circle(at / len(inner), INNER)
    # In the order of the words that they belong to, so that few lines cross.
    outer = _new_words(found.second, places)
    for at, word in enumerate(outer):
        places[word] = _on_circle((at + 0.5) / len(outer), OUTER)
    return NetworkLayout(places, frozenset(outer))


def edge_table(found: Network) -> tuple[list[str], list[list[Cell]]]:
    """Header and rows of a list of edges, whose first two columns other programs take for nodes."""
    header = [
        *("source", "target", "order", "pairs", "expected", "pmi", "log_likelihood"),
        *(["parts", "dp", "juilland_d"] if found.dispersions else []),
    ]
    rows: list[list[Cell]] = []
    for order, edges in ((1, found.first), (2, found.second)):
        for at, edge in enumerate(edges):
            row: list[Cell] = [edge.word, edge.other, order, edge.times, edge.expected]
            row += [edge.pmi, edge.log_likelihood]
            if found.dispersions and order == 1:
                spread = found.dispersions[at]
                row += [spread.parts, spread.dp, spread.juilland]
            elif found.dispersions:
                row += [None, None, None]
            rows.append(row)
    return header, rows


def _new_words(edges: Sequence[Collocate], places: dict[str, Place]) -> list[str]:
    return [word for word in dict.fromkeys(edge.other for edge in edges) if word not in places]


def _on_circle(share: float, radius: float) -> Place:
    """A place on a circle, clockwise from the top."""
    angle = 2 * math.pi * share
    return radius * math.sin(angle), -radius * math.cos(angle)
