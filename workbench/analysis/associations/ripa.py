"""Relational inner product association (Ethayarajh, Duvenaud & Hirst 2019, Understanding
Undesirable Word Embedding Associations, section 4), and its expectation in the text.

For a pair (x, y) and the direction b = (x − y)/‖x − y‖, RIPA of a word w is w·b. Several pairs have
several directions; here, RIPA is the mean over them, as in WEFE, whereas the paper takes the first
principal component of their differences. For a single pair, both are the same.

If the model factorises PMI − log k with context vectors λw, then, with
csPMI(x, y) = PMI(x, y) + log p(x, y) and λ‖x − y‖² = −csPMI(x, y) + α, the paper derives

    w·b = 1/√λ · log(p(w|x)/p(w|y)) / √(−csPMI(x, y) + α)

and sets λ = 1, α = −1. Here, λ and α are fitted to the model: the line through ‖x − y‖² over
−csPMI(x, y) of the attribute words with all words that they co-occur with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.text_counts import TextCounts, log_ratio
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Doubles, Places
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

# Minimum number of times that two words of the line co-occur: csPMI of rarer pairs is noise.
FEWEST_TIMES = 5
# Minimum number of pairs of words for a line, and minimum correlation: below it, the relation that
# the expectation rests on doesn't hold in the model.
FEWEST_PAIRS, WEAKEST = 30, 0.1


@dataclass(frozen=True)
class Scale:
    """The line ‖x − y‖² = (−csPMI(x, y) + α)/λ of a model.

    scale, offset : λ and α; NaN for fewer than FEWEST_PAIRS pairs, or a correlation below
    WEAKEST
    correlation : Pearson's r of ‖x − y‖² and −csPMI
    pairs : number of pairs of words
    """

    scale: float
    offset: float
    correlation: float
    pairs: int


def ripa(embeddings: Embeddings, rows: Places, pairs: Places) -> Doubles:
    """float64[len(rows)]: RIPA of these words, mean over ``pairs`` intp[p, 2]; NaN without pairs.
    Vectors have their own lengths.
    """
    if not len(pairs):
        return np.full(len(rows), np.nan)
    ends = dense_rows(embeddings.vectors, pairs.ravel()).astype(np.float64)
    differences = ends[0::2] - ends[1::2]
    lengths = np.linalg.norm(differences, axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        direction = (differences / lengths).mean(axis=0)
    words = dense_rows(embeddings.vectors, rows).astype(np.float64)
    return np.asarray(np.einsum("ij,j->i", words, direction))


def expected_ripa(counts: TextCounts, rows: Places, pairs: Places, scale: Scale) -> Doubles:
    """float64[len(rows)]: RIPA that the text's counts imply, the mean over the pairs that
    co-occur; NaN for words and pairs that the text lacks.
    """
    found = []
    for x, y in pairs.tolist():
        spread = scale.offset - _cs_pmi(counts, x, y)
        if not spread > 0 or not scale.scale > 0:
            continue
        ends = [np.array([row], dtype=np.intp) for row in (x, y)]
        (n_x, _), (n_y, _) = (counts.cells(end) for end in ends)
        ratios = log_ratio(n_x, n_y, counts.size(ends[0]), counts.size(ends[1]))
        found.append(ratios / math.sqrt(scale.scale * spread))
    expected = np.full(len(rows), np.nan)
    if found:
        places = counts.places[rows]
        expected[places >= 0] = np.mean(found, axis=0)[places[places >= 0]]
    return expected


def fit_scale(
    embeddings: Embeddings, counts: TextCounts, attributes: Places, run: JobControl | None = None
) -> Scale:
    """Fit λ and α by least squares, for the attribute words with every word of the model that
    co-occurs with them. Raises Cancelled.
    """
    in_model = np.full(len(counts.totals), -1, dtype=np.intp)
    rows = np.flatnonzero((counts.places >= 0) & embeddings.has_vector)
    in_model[counts.places[rows]] = rows
    distances, associations = [], []
    for row in counts.rows_in_text(attributes).tolist():
        if run is not None:
            run.check()
        found = counts.rows[row]
        usable = (found.times >= FEWEST_TIMES) & (in_model[found.columns] >= 0)
        usable &= found.columns != counts.places[row]
        columns = found.columns[usable]
        associations.append(_minus_cs_pmi(counts, row, columns, found.counts[usable]))
        distances.append(_squared_distances(embeddings, row, in_model[columns]))
    return _line(associations, distances)


def _squared_distances(embeddings: Embeddings, row: int, others: Places) -> Doubles:
    """float64[len(others)], ‖x − y‖² of a word with others, without dense copies of sparse rows."""
    own = dense_rows(embeddings.vectors, [row])[0].astype(np.float64)
    products = np.asarray(embeddings.vectors[others] @ own, dtype=np.float64)
    return np.asarray(embeddings.norms[row] ** 2 + embeddings.norms[others] ** 2 - 2 * products)


def _line(associations: Sequence[Doubles], distances: Sequence[Doubles]) -> Scale:
    x = np.concatenate([np.empty(0), *associations])
    y = np.concatenate([np.empty(0), *distances])
    if len(x) < FEWEST_PAIRS or not np.ptp(x) or not np.ptp(y):
        return Scale(math.nan, math.nan, math.nan, len(x))
    slope, intercept = np.polyfit(x, y, 1)
    correlation = float(np.corrcoef(x, y)[0, 1])
    if correlation < WEAKEST:
        return Scale(math.nan, math.nan, correlation, len(x))
    return Scale(float(1 / slope), float(intercept / slope), correlation, len(x))


def _minus_cs_pmi(counts: TextCounts, row: int, columns: Places, cells: Doubles) -> Doubles:
    """−csPMI of a word with others, from #(x, y): log p(x) + log p(y) − 2 log p(x, y)."""
    own = counts.totals[counts.places[row]]
    return np.asarray(np.log(own) + np.log(counts.totals[columns]) - 2 * np.log(cells))


def _cs_pmi(counts: TextCounts, x: int, y: int) -> float:
    """csPMI of two words of the model, NaN if the text lacks one or they never co-occur."""
    if min(counts.places[x], counts.places[y]) < 0:
        return math.nan
    found = counts.rows[x]
    cell = np.flatnonzero(found.columns == counts.places[y])
    if not len(cell):
        return math.nan
    columns = np.array([counts.places[y]], dtype=np.intp)
    return -float(_minus_cs_pmi(counts, x, columns, found.counts[cell])[0])
