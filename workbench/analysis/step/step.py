"""One training step as data: window, terms, and every vector before and after it.

A step of an algorithm that reads the text is one window, as in its trainer: all gradients are taken
at the vectors before the step, and added if a vector occurs more than once. A step of GloVe is one
cell of the table of counts. Everything is in float64, so that a step can be recomputed from its
content:

    x = input·output,  σ = σ(x),  slope = σ − label,
    loss = −log σ(x) or −log σ(−x) for label 1 or 0
    gradient of an output  = Σ slope·input,   of an input (or of h) = Σ slope·output,
    after = before − η·gradient
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.table_export import Cell, to_csv

# Tables that contain vectors.
INPUTS, CONTEXTS, NODES, BIASES, CONTEXT_BIASES = (
    "inputs",
    "contexts",
    "nodes",
    "biases",
    "context_biases",
)
# The vector that combines a window; it isn’t in a table.
HIDDEN = "hidden"


@dataclass(frozen=True)
class Token:
    """One token of the line. ``kept``: the probability with which subsampling keeps it; ``draw``: a
    random number in 0..1, which must be below ``kept`` to keep it. ``row`` is −1 for a word outside
    the vocabulary.
    """

    position: int
    word: str
    row: int
    kept: float
    draw: float

    @property
    def fate(self) -> str:
        """What happens to the token: "used", "dropped" by subsampling, or "rare" (not in the
        vocabulary).
        """
        if self.row < 0:
            return "rare"
        if self.draw < self.kept:
            return "used"
        return "dropped"


@dataclass(frozen=True)
class StepWindow:
    """A centre word and the words in its window.

    tokens : the surrounding line, within its sentence; centre, inside : indices into ``tokens``
    reach, radius, draw : L, and the radius of this window, from the random number ``draw``
    """

    position: int
    sentence: int
    tokens: tuple[Token, ...]
    centre: int
    inside: tuple[int, ...]
    reach: int
    radius: int
    draw: float

    @property
    def word(self) -> str:
        return self.tokens[self.centre].word


@dataclass(frozen=True, eq=False)
class VectorChange:
    """A vector that the step moved.

    before, gradient, after : float64[d] (a bias: one number)
    sums, sums_after : float64[d], AdaGrad's sums of squares, empty without AdaGrad
    """

    table: str
    row: int
    name: str
    before: Doubles
    gradient: Doubles
    after: Doubles
    sums: Doubles
    sums_after: Doubles

    @property
    def distance(self) -> float:
        """Length of the change."""
        return float(np.linalg.norm(self.after - self.before))


@dataclass(frozen=True)
class Pair:
    """One decision: ``output`` against ``input``, indices into ``TrainingStep.changes`` (−1:
    ``TrainingStep.hidden``).

    label : 1 if the step moves them together, 0 if apart
    """

    input: int
    output: int
    label: int
    score: float
    sigma: float
    slope: float
    loss: float


@dataclass(frozen=True)
class CellFit:
    """A cell of GloVe's table: ½ f(X) Δ² with Δ = w·c + b_w + b_c − log X (P14 eq. 8), f(X) =
    min(1, (X/x_max)^α).
    """

    number: int
    cells: int
    word: str
    context: str
    count: float
    weight: float
    target: float
    product: float
    bias: float
    context_bias: float
    difference: float
    x_max: float
    alpha: float


@dataclass(frozen=True, eq=False)
class TrainingStep:
    """One step. ``number`` counts from 1; ``rate`` is η.

    pairs : row by row, one row per input, one column per output; ``columns`` is their number
    draws : the random numbers of the negative samples, in the order of their columns
    hidden : the joined vector of CBOW, not itself moved, else None; scale, share : the weight of a
    word in it, and the share of its gradient that each word receives
    """

    algorithm: str
    number: int
    rate: float
    loss: float
    changes: tuple[VectorChange, ...]
    pairs: tuple[Pair, ...] = ()
    columns: int = 0
    draws: tuple[float, ...] = ()
    window: StepWindow | None = None
    hidden: VectorChange | None = None
    scale: float = 1.0
    share: float = 1.0
    cell: CellFit | None = None

    @property
    def position(self) -> int:
        """Position in tokens of the corpus, or the number of the cell; from 0."""
        if self.window is not None:
            return self.window.position
        if self.cell is not None:
            return self.cell.number
        return 0

    @property
    def terms(self) -> int:
        """Terms whose mean is the loss: pairs of skip-gram, centres of CBOW, cells."""
        if self.hidden is not None or not self.columns:
            return 1
        return len(self.pairs) // self.columns

    @property
    def all_changes(self) -> tuple[VectorChange, ...]:
        """All changed vectors, the hidden vector first if there is one."""
        if self.hidden is None:
            return self.changes
        return (self.hidden, *self.changes)

    def input_of(self, pair: Pair) -> VectorChange:
        if pair.input >= 0:
            return self.changes[pair.input]
        return self._hidden_change

    @property
    def _hidden_change(self) -> VectorChange:
        assert self.hidden is not None
        return self.hidden


_HEADER = ["part", "table", "word", "with", "label", "x", "sigma", "slope", "loss"]


def step_csv(step: TrainingStep) -> str:
    """The complete content of a step as CSV: its line, its decisions, and every number of every
    vector.
    """
    width = max(len(change.before) for change in step.all_changes)
    rows: list[list[Cell]] = [
        ["step", step.algorithm, None, None, None, None, None, None, step.loss, step.rate]
    ]
    if step.hidden is not None:
        rows.append(
            ["joining", None, None, None, None, None, None, None, None, step.scale, step.share]
        )
    if step.window is not None:
        for place, token in enumerate(step.window.tokens):
            if place == step.window.centre:
                part = "centre"
            elif place in step.window.inside:
                part = "window"
            else:
                part = token.fate
            rows.append([f"line: {part}", None, token.word, *[None] * 6, token.kept, token.draw])
    for pair in step.pairs:
        named = step.changes[pair.output]
        decided: list[Cell] = [pair.label, pair.score, pair.sigma, pair.slope, pair.loss]
        rows.append(["pair", named.table, step.input_of(pair).name, named.name, *decided])
    if step.cell is not None:
        cell = step.cell
        rows.append(
            [
                "cell",
                None,
                cell.word,
                cell.context,
                None,
                cell.product,
                None,
                None,
                step.loss,
                cell.count,
            ]
        )
        rows[-1] += [cell.weight, cell.target, cell.difference]
    for change in step.all_changes:
        for part in ("before", "gradient", "after", "sums", "sums_after"):
            values = getattr(change, part)
            if len(values):
                rows.append([part, change.table, change.name, *[None] * 6, *values.tolist()])
    return to_csv([*_HEADER, *(str(number) for number in range(1, width + 1))], rows)
