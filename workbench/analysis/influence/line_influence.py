"""Which lines of a text a number comes from (after Brunet et al. 2019 for GloVe).

A line changes known counts of pairs, and these the slopes of the terms of a word's objective
(:mod:`workbench.analysis.rows.forms`). To first order, with all other vectors still,

    Δw = −H⁻¹ Σ_c [ t′(A − δ) − t′(A) ] c

so that for a number f, with u = H⁻¹ ∂f/∂w computed once for each word, leaving a line out changes f
by −Σ_c [ t′(A − δ) − t′(A) ] c·u: one product for each pair of the line. The change of a cell is
taken whole, not as a derivative, because a rare pair may lose all its occurrences at once. The
words' frequencies in the noise and in subsampling, and all other vectors, stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from workbench.analysis.influence.quantities import Quantity
from workbench.analysis.influence.removal import line_edges
from workbench.analysis.rows.assembly import Assembly
from workbench.analysis.rows.build import Row, build_form
from workbench.analysis.rows.forms import RowForm
from workbench.analysis.rows.line_counts import LineCounts, NumberedText, counts_by_line
from workbench.analysis.rows.still_model import CONTEXTS, WORDS, StillModel
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE

# Predictions are doubtful for a vector that is farther from its minimum, in lengths of the vector.
# On Small World with 50 dimensions, words of four pairs and three seeds, SGNS is at 0.44 to 0.72
# after three epochs, where predictions fail, and at 0.29 to 0.37 after five; GloVe is at 39 to 81.
FAR = 0.4
# Words of a line before the first word of the quantity, in an excerpt.
_BEFORE = 6


@dataclass(frozen=True)
class PairChange:
    """A pair that a line contains: its count there, and how much of the line's push is due to it,
    NaN if the algorithm doesn't divide it among pairs.
    """

    word: str
    context: str
    count: float
    push: float


@dataclass(frozen=True, eq=False)
class _Side:
    """One row of a word: its form, its trained vector, its counts by line, and the pushes.

    counts : float64[n] of the form's cells; total : #(w)
    pushes : CSR float64[m, n], by line of ``by_line`` and by cell; rests : float64[m], the part
    that is due to #(w)
    away : |H⁻¹ gradient| / |w|, how far the trained row is from the minimum, in its own length
    """

    form: RowForm
    row: Doubles
    counts: Doubles
    total: float
    by_line: LineCounts
    pushes: sp.csr_matrix
    rests: Doubles
    away: float

    def row_without(self, lines: Ints) -> Doubles:
        """The row without these lines, to first order."""
        gone = np.isin(self.by_line.lines, lines)
        if not gone.any():
            return self.row
        taken = np.asarray(self.by_line.cells[gone].sum(axis=0), dtype=np.float64).ravel()
        counts = np.maximum(self.counts - self.form.cells(taken), 0.0)
        # Rounding errors of a count that is gone aren't an observation.
        counts[counts < 1e-9] = 0.0
        total = max(self.total - float(taken.sum()), 0.0)
        before, after = (
            self.form.gradient(self.row, self.form.evaluate(self.row, a, n))
            for a, n in ((self.counts, self.total), (counts, total))
        )
        return self.row + self.form.respond(self.row, self.counts, self.total, before - after)


@dataclass(frozen=True, eq=False)
class Influence:
    """The lines of a text by how much they push a number.

    value : of the model as it is
    edges : int64[L + 1], where lines begin and end in the corpus
    lines : int64[m], the lines that contain a word of the quantity
    pushes : float64[m], how much each raises the number: without it, the number is lower by that
    """

    quantity: Quantity
    value: float
    edges: Ints
    lines: Ints
    pushes: Doubles
    _still: StillModel
    _sides: Mapping[str, Mapping[str, _Side]]

    @property
    def away(self) -> float:
        """Largest distance of a trained row from its minimum, which predictions assume, in lengths
        of the row; estimated by one step of Newton’s method.
        """
        return max(side.away for sides in self._sides.values() for side in sides.values())

    @property
    def caution(self) -> str:
        """A sentence if training hasn’t come near the minimum, else ""."""
        if self.away <= FAR:
            return ""
        return tr(
            "Predictions assume that training has converged, but these vectors are far from their "
            "minimum. Train for more epochs first."
        )

    @cached_property
    def order(self) -> Ints:
        """int64[m], places in ``lines``, the strongest push first, of either sign."""
        return np.argsort(-np.abs(self.pushes), kind="stable").astype(np.int64)

    def strongest(self, number: int, sign: int) -> Ints:
        """Up to ``number`` lines that raise (1) or lower (−1) the number most."""
        ranked = self.lines[np.argsort(-sign * self.pushes, kind="stable")]
        return ranked[: min(number, int(np.count_nonzero(sign * self.pushes > 0)))]

    def text(self, line: int) -> str:
        """The words of a line."""
        corpus = self._still.corpus
        assert corpus is not None
        ids = corpus.ids[self.edges[line] : self.edges[line + 1]].tolist()
        return " ".join(corpus.words[number] for number in ids)

    def excerpt(self, line: int) -> str:
        """The words of a line from shortly before the first word of the quantity on."""
        words = self.text(line).split(" ")
        asked = set(self.quantity.words)
        first = next((at for at, word in enumerate(words) if word in asked), 0) - _BEFORE
        return " ".join(["…", *words[first:]] if first > 0 else words)

    @property
    def decimals(self) -> int:
        """Decimals with which the strongest push has two digits, four at least."""
        strongest = float(np.abs(self.pushes).max(initial=0.0))
        return 4 if strongest <= 0 else min(max(4, 1 - int(np.floor(np.log10(strongest)))), 12)

    def pairs(self, line: int) -> tuple[PairChange, ...]:
        """The pairs of the quantity's words in a line, those that push most first."""
        found = []
        words = self._still.embeddings.words
        for word, sides in self._sides.items():
            side = sides[WORDS]
            for at in np.flatnonzero(side.by_line.lines == line).tolist():
                counts = side.by_line.cells[[at]]
                pushes = side.pushes[[at]].toarray()[0]
                same = len(pushes) == counts.shape[1]
                for context, count in zip(counts.indices.tolist(), counts.data, strict=True):
                    push = float(pushes[context]) if same else float("nan")
                    found.append(PairChange(word, words[context], float(count), push))
        return tuple(sorted(found, key=lambda one: -abs(np.nan_to_num(one.push))))

    def without(self, lines: Sequence[int] | Ints) -> float:
        """The number without some lines: all rows to first order, then the number itself."""
        gone, assembly = np.asarray(lines, dtype=np.int64), Assembly(self._still.embeddings)
        dim = self._still.dim
        vectors = []
        with BLAS_ALONE:
            for word in self.quantity.words:
                sides = self._sides[word]
                rows = {name: side.row_without(gone)[:dim] for name, side in sides.items()}
                vectors.append(assembly.vector(rows[WORDS], rows.get(CONTEXTS)))
        return self.quantity.value_of(np.array(vectors))


def influence(
    still: StillModel,
    quantity: Quantity,
    edges: Ints | None = None,
    run: JobControl | None = None,
) -> Influence:
    """Rank the lines of the model's corpus by their push on a number.

    edges : int64[L + 1], lines of another kind, such as files; None: sentences (``line_edges``)

    Raises UserError without a corpus, or for an algorithm whose rows aren't determined by pairs,
    and Cancelled.
    """
    if still.corpus is None or still.kind.row_objective.formula == "documents":
        raise UserError(
            tr("The lines behind a number are only known for pairs counted in an open text."),
            tr("Open the corpus of the training, and choose a run of SGNS, GloVe, SVD or PPMI."),
        )
    run = run or JobControl()
    run.enter(Phase.COUNTING, tr("Counting the pairs of each line"))
    edges = line_edges(still.corpus) if edges is None else edges
    assembly = Assembly(still.embeddings)
    if still.needs_margins or assembly.uses_contexts:
        still.count(run)
    words = tuple(dict.fromkeys(quantity.words))
    rows = [still.embeddings.row(word) for word in quantity.words]
    vectors = np.array([_trained_vector(still, assembly, row) for row in rows])
    gradient = quantity.gradient(vectors)
    pushes = np.zeros(len(edges) - 1)
    touched = np.zeros(len(edges) - 1, dtype=np.bool_)
    found: dict[str, dict[str, _Side]] = {}
    for at, word in enumerate(words):
        run.check()
        run.advance(at / len(words))
        mine = [place for place, other in enumerate(quantity.words) if other == word]
        pulls = assembly.pull(gradient[mine].sum(axis=0))
        found[word] = {}
        for side, pull in zip((WORDS, CONTEXTS), pulls, strict=True):
            if side == WORDS or assembly.uses_contexts:
                found[word][side] = _side(still, rows[mine[0]], side, pull, edges, run)
        for one in found[word].values():
            summed = np.asarray(one.pushes.sum(axis=1)).ravel() + one.rests
            pushes[one.by_line.lines] += summed
            touched[one.by_line.lines] = True
    lines = np.flatnonzero(touched)
    return Influence(
        quantity, quantity.value_of(vectors), edges, lines, pushes[lines], still, found
    )


def _trained_vector(still: StillModel, assembly: Assembly, row: int) -> Doubles:
    context = still.contexts[row] if assembly.uses_contexts else None
    return assembly.vector(still.input_row(row), context)


def _side(
    still: StillModel, row: int, side: str, pull: Doubles, edges: Ints, run: JobControl
) -> _Side:
    """Counts and pushes of one row; pull : ∂f/∂w."""
    corpus = still.corpus
    assert corpus is not None
    text = NumberedText(corpus.ids, np.asarray(corpus.sentences), edges)
    after = side == CONTEXTS and not still.counting.symmetric
    by_line = counts_by_line(text, row, still.keep, still.counting, run, after)
    counts = by_line.total()
    form = build_form(still, Row(side, counts, float(still.counts[row])))
    if form is None:
        raise UserError(
            tr("These vectors contain context vectors, which lines don’t determine here."),
            tr("Choose W as the result of the vectors."),
        )
    cells, total = form.cells(counts), float(counts.sum())
    trained = _trained_row(still, row, side)
    pull = np.append(pull, np.zeros(len(trained) - len(pull)))
    with BLAS_ALONE:
        slope = form.gradient(trained, form.evaluate(trained, cells, total))
        both = form.respond(trained, cells, total, np.column_stack([pull, slope]))
        answer, step = np.ascontiguousarray(both.T)
        x, along = form.design.products(trained), form.design.along(answer)
        by_total = float(form.total_slopes(x, cells, total) @ along)
    away = float(np.linalg.norm(step) / max(float(np.linalg.norm(trained)), 1e-12))
    changes = form.cell_changes(by_line.cells).tocsr()
    at = changes.indices.astype(np.int64)
    left = np.maximum(cells[at] - changes.data, 0.0)
    left[left < 1e-9] = 0.0
    slopes = form.slope_changes(x[at], cells[at], left, total, at)
    pushes = sp.csr_matrix((slopes * along[at], at, changes.indptr), shape=changes.shape)
    rests = -by_total * np.asarray(by_line.cells.sum(axis=1), dtype=np.float64).ravel()
    return _Side(form, trained, cells, total, by_line, pushes, rests, away)


def _trained_row(still: StillModel, row: int, side: str) -> Doubles:
    """The row as it was trained, with its bias if it has one."""
    model = still.embeddings
    found = still.input_row(row) if side == WORDS else still.contexts[row]
    biases = model.biases if side == WORDS else model.context_biases
    if biases is None or model.context_biases is None or model.biases is None:
        return found
    return np.append(found, float(biases[row]))
