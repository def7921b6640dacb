"""Update rules of a step: logistic decisions (negative sampling, hierarchical softmax) and GloVe's
cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from workbench.analysis.step.step import (
    BIASES,
    CONTEXT_BIASES,
    CONTEXTS,
    HIDDEN,
    INPUTS,
    CellFit,
    Pair,
    VectorChange,
)
from workbench.core.arrays import Doubles
from workbench.models.params import glove_weight

# GloVe's program (version 1.2) clips gradients of vectors at ±100, before the learning rate.
CLIP = 100.0
_NONE = np.empty(0)


class Rows(Protocol):
    """Lookup of vectors; the caller may keep a returned vector."""

    def row(self, table: str, row: int) -> Doubles: ...

    def sums(self, table: str, row: int) -> Doubles: ...

    def name(self, table: str, row: int) -> str: ...


class Output(NamedTuple):
    """One output of an input: a row of a table, observed (label 1) or a negative sample (0)."""

    table: str
    row: int
    label: int


class StepDecision(NamedTuple):
    pairs: tuple[Pair, ...]
    changes: tuple[VectorChange, ...]
    hidden: VectorChange | None
    loss: float


def decide_updates(
    rows: Rows,
    inputs: Sequence[int],
    outputs: Sequence[Output],
    rate: float,
    joined: tuple[float, float] | None,
) -> StepDecision:
    """Update every input against every output, or with ``joined`` (scale, share) the inputs' joined
    vector against every output.

    M13b eq. 3 and 4. A word that occurs twice in a window counts twice. With ``joined``, the
    gradient of an input is the part that it receives: share·∂/∂h, once for each of its occurrences.
    """
    places: dict[tuple[str, int], int] = {}
    for row in inputs:
        places.setdefault((INPUTS, row), len(places))
    for output in outputs:
        places.setdefault((output.table, output.row), len(places))
    before = [rows.row(*key) for key in places]
    gradients = [np.zeros_like(vector) for vector in before]
    standing = [places[INPUTS, row] for row in inputs]
    met = [places[output.table, output.row] for output in outputs]
    hidden = None
    if joined is None:
        sides = [(place, before[place], gradients[place]) for place in standing]
    else:
        scale, share = joined
        h = scale * np.sum([before[place] for place in standing], axis=0)
        sides = [(-1, h, np.zeros_like(h))]
    pairs = []
    for place, vector, gradient in sides:
        for at, output in zip(met, outputs, strict=True):
            score = float(vector @ before[at])
            sigma = _sigma(score)
            slope = sigma - output.label
            loss = float(np.logaddexp(0.0, -score if output.label else score))
            gradient += slope * before[at]
            gradients[at] += slope * vector
            pairs.append(Pair(place, at, output.label, score, sigma, slope, loss))
    if joined is not None:
        _, h, gradient = sides[0]
        # h isn’t stored in a table, so it isn’t moved itself; its value afterwards follows from the
        # inputs.
        for place in standing:
            gradients[place] += share * gradient
        after = scale * np.sum(
            [before[place] - rate * gradients[place] for place in standing], axis=0
        )
        hidden = VectorChange(HIDDEN, -1, "h", h, gradient, after, _NONE, _NONE)
    changes = tuple(
        VectorChange(
            table,
            row,
            rows.name(table, row),
            vector,
            gradient,
            vector - rate * gradient,
            _NONE,
            _NONE,
        )
        for (table, row), vector, gradient in zip(places, before, gradients, strict=True)
    )
    return StepDecision(tuple(pairs), changes, hidden, math.fsum(pair.loss for pair in pairs))


class Weighting(NamedTuple):
    """GloVe's f(x) = min(1, (x/x_max)^α) (P14 eq. 9)."""

    x_max: float
    alpha: float

    def of(self, count: float) -> float:
        return float(glove_weight(count, self.x_max, self.alpha))


class VisitedCell(NamedTuple):
    """The cell ``number`` of the ``cells`` that an epoch visits: its row, column and count."""

    number: int
    cells: int
    word: int
    context: int
    times: float


def fit_cell(
    rows: Rows, cell: VisitedCell, weighting: Weighting, rate: float
) -> tuple[CellFit, tuple[VectorChange, ...], float]:
    """Fit one cell. Return the fit, the changed vectors, and the loss ½ f Δ².

    Steps as in GloVe's program: with the gradient clipped at ±100, g = η·gradient, x −= g/√sum,
    then sum += g²; biases likewise without clipping and without η.
    """
    number, cells, word, context, count = cell
    w, c = rows.row(INPUTS, word), rows.row(CONTEXTS, context)
    b_w, b_c = rows.row(BIASES, word), rows.row(CONTEXT_BIASES, context)
    product, target, weight = float(w @ c), math.log(count), weighting.of(count)
    difference = product + float(b_w[0]) + float(b_c[0]) - target
    pull = weight * difference
    names = rows.name(INPUTS, word), rows.name(CONTEXTS, context)
    fit = CellFit(
        number,
        cells,
        *names,
        count,
        weight,
        target,
        product,
        float(b_w[0]),
        float(b_c[0]),
        difference,
        *weighting,
    )
    slope = np.array([pull])
    changes = (
        _adagrad(rows, INPUTS, word, w, pull * c, rate, CLIP),
        _adagrad(rows, CONTEXTS, context, c, pull * w, rate, CLIP),
        _adagrad(rows, BIASES, word, b_w, slope, 1.0, math.inf),
        _adagrad(rows, CONTEXT_BIASES, context, b_c, slope, 1.0, math.inf),
    )
    return fit, changes, 0.5 * pull * difference


def _adagrad(
    rows: Rows, table: str, row: int, before: Doubles, gradient: Doubles, rate: float, clip: float
) -> VectorChange:
    sums = rows.sums(table, row)
    step = rate * np.clip(gradient, -clip, clip)
    return VectorChange(
        table,
        row,
        rows.name(table, row),
        before,
        gradient,
        before - step / np.sqrt(sums),
        sums,
        sums + step**2,
    )


def _sigma(x: float) -> float:
    if x >= 0:
        return float(1.0 / (1.0 + np.exp(-x)))
    return float(np.exp(x) / (1.0 + np.exp(x)))
