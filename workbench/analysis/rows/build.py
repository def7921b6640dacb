"""The row objective of each algorithm, from a trained model that is held still.

``FORMS`` has a builder for each formula that algorithms declare (``row_objective``). A row belongs
to one of two sides: a word's vector against all context vectors, or its context vector against all
word vectors, which results such as W + C also need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.rows.cell_rules import DrawnCells, LogCounts, ShiftedPmi, Weight
from workbench.analysis.rows.forms import (
    Design,
    Logistic,
    Projection,
    RowForm,
    Softmax,
    Squares,
    Swivel,
    Tree,
)
from workbench.analysis.rows.still_model import CONTEXTS, WORDS, StillModel
from workbench.analysis.theory.softmax_tree import softmax_tree
from workbench.analysis.theory.targets import TargetSettings, swivel_weight
from workbench.core.arrays import Doubles
from workbench.counts.huffman import HuffmanTree
from workbench.counts.sampling import noise_distribution
from workbench.models.params import glove_weight


@dataclass(frozen=True, eq=False)
class Row:
    """Whose row it is.

    side : WORDS or CONTEXTS
    counts : float64[V], #(w, c) by context, or by word for the side CONTEXTS
    occurrences : n(w) of the word itself
    """

    side: str
    counts: Doubles
    occurrences: float

    @property
    def total(self) -> float:
        """#(w)."""
        return float(self.counts.sum())


def build_form(still: StillModel, row: Row) -> RowForm | None:
    """The objective of a row; None if the algorithm has none for this side.

    Raises UserError for vectors that lack what it needs.
    """
    return FORMS[still.kind.row_objective.formula](still, row)


def free_biases(still: StillModel) -> bool:
    """Whether a row's last number is its bias."""
    return still.embeddings.biases is not None and still.embeddings.context_biases is not None


def _design(still: StillModel, side: str) -> Design:
    """The other side's vectors; with biases, a further dimension of ones for the row's own."""
    key = f"design of {side}"
    if key not in still.kept:
        rows = still.contexts if side == WORDS else still.words
        offsets = np.zeros(len(rows))
        if free_biases(still):
            of_words, of_contexts = still.embeddings.biases, still.embeddings.context_biases
            assert of_words is not None
            assert of_contexts is not None
            offsets = (of_contexts if side == WORDS else of_words).astype(np.float64)
            rows = np.column_stack([rows, np.ones(len(rows))])
        still.kept[key] = Design(np.ascontiguousarray(rows), offsets)
    design: Design = still.kept[key]
    return design


def _negative_sampling(still: StillModel, row: Row) -> RowForm:
    settings = TargetSettings.of(still.values)
    noise = noise_distribution(still.counts, settings.ns_exponent)
    form: RowForm
    if row.side == WORDS:
        form = Logistic(_design(still, WORDS), settings.negative * noise)
        form.own_weight = float(still.values.get("l2", 0.0))
        return form
    weights = still.counts.astype(np.float64) ** settings.ns_exponent
    own = row.occurrences**settings.ns_exponent / float(weights.sum())
    fixed = settings.negative * still.margins.rows * own
    form = Logistic(_design(still, CONTEXTS), fixed, fixed=True)
    form.own_weight = float(still.values.get("l2", 0.0))
    return form


def _softmax(still: StillModel, row: Row) -> RowForm | None:
    """A context's row has no objective of its own: it is part of every word's sum."""
    if row.side == CONTEXTS:
        return None
    return Softmax(_design(still, WORDS))


def _tree(still: StillModel, row: Row) -> RowForm | None:
    if row.side == CONTEXTS:
        return None
    if "tree" not in still.kept:
        tree, nodes = softmax_tree(still.embeddings)
        still.kept["tree"] = Tree(nodes.astype(np.float64), _passes(tree))
    form: Tree = still.kept["tree"]
    return form


def _passes(tree: HuffmanTree) -> sp.csr_matrix:
    """CSR float64[V, 2(V − 1)]: the branches on the path to each word."""
    columns = tree.nodes.astype(np.int64) + tree.codes.astype(np.int64) * tree.inner
    shape = (tree.words, 2 * tree.inner)
    return sp.csr_matrix((np.ones(len(columns)), columns, tree.offsets), shape=shape)


def _weight(still: StillModel, name: str) -> Weight:
    settings = TargetSettings.of(still.values)
    weights: Mapping[str, Weight] = {
        "glove": lambda a, b: np.asarray(glove_weight(a, settings.x_max, settings.alpha)),
        "count": lambda a, b: a,
        "constant": lambda a, b: np.ones_like(a),
        "AB/(A+B)": lambda a, b: a * b / (a + b),
        "swivel": lambda a, b: swivel_weight(a, settings),
    }
    return weights[name]


def _log_counts(still: StillModel, row: Row) -> RowForm:
    form = Squares(_design(still, row.side), LogCounts(_weight(still, "glove")))
    form.scale = still.noise
    return form


def _chance(still: StillModel, row: Row) -> tuple[Doubles, bool]:
    """k·P_α(c) for a word's row; k·#(w)·P_α(c) of one context for a context's row."""
    settings = TargetSettings.of(still.values)
    smoothed = still.margins.columns**settings.context_smoothing
    if row.side == WORDS:
        return settings.shift * smoothed / smoothed.sum(), False
    own = max(row.total, 1e-9) ** settings.context_smoothing / smoothed.sum()
    return settings.shift * still.margins.rows * own, True


def _weighting(still: StillModel) -> str:
    return TargetSettings.of(still.values).weighting or "constant"


def _pmi(still: StillModel, row: Row) -> RowForm:
    chance, fixed = _chance(still, row)
    rule = ShiftedPmi(chance, _weight(still, _weighting(still)), fixed)
    form = Squares(_design(still, row.side), rule)
    form.scale = still.noise
    return form


def _drawn_cells(still: StillModel, row: Row) -> RowForm:
    """A context's row is drawn as often as a word of the same counts draws: an approximation."""
    chance, fixed = _chance(still, row)
    settings = TargetSettings.of(still.values)
    pmi = ShiftedPmi(chance, _weight(still, _weighting(still)), fixed, positive=True)
    above = pmi.cells(row.counts, row.total, slice(None)).targets > 0
    noise = noise_distribution(still.counts, settings.ns_exponent)
    drawn = settings.negative * float(above.sum()) * noise
    form = Squares(_design(still, row.side), DrawnCells(pmi, drawn), only_observed=False)
    visits = float(above.sum() + drawn[~above].sum())
    form.own_weight = float(still.values.get("l2", 0.0)) * visits
    form.scale = still.noise
    return form


def _swivel(still: StillModel, row: Row) -> RowForm:
    """log #(c)/|D| of the other side; #(w) and |D| are symmetric."""
    margin = still.margins.columns if row.side == WORDS else still.margins.rows
    with np.errstate(divide="ignore"):
        log_chance = np.maximum(np.log(margin / margin.sum()), -50.0)
    rule = LogCounts(_weight(still, "swivel"))
    return Swivel(_design(still, row.side), log_chance, rule)


def _projection(still: StillModel, row: Row) -> RowForm:
    """U Σ^p = M V Σ^(p−1) and V Σ^(1−p) = Mᵀ U Σ^(−p), from contexts V Σ^(1−p) and W = U Σ^p."""
    key = f"projection of {row.side}"
    if key not in still.kept:
        power = float(still.values.get("eig", 0.5))
        singular = np.asarray(still.embeddings.metadata["singular_values"], dtype=np.float64)
        if row.side == WORDS:
            rows = still.contexts * singular ** (2 * power - 2)
        else:
            rows = still.words * singular ** (-2 * power)
        still.kept[key] = Design(rows, np.zeros(len(rows)))
    chance, fixed = _chance(still, row)
    one = _weight(still, "constant")
    return Projection(still.kept[key], ShiftedPmi(chance, one, fixed, positive=True))


def _cells(still: StillModel, row: Row) -> RowForm | None:
    if row.side == CONTEXTS:
        return None
    chance, fixed = _chance(still, row)
    design = Design(None, np.zeros(len(still.embeddings)))
    return Projection(design, ShiftedPmi(chance, _weight(still, "constant"), fixed, positive=True))


def _documents(still: StillModel, row: Row) -> RowForm | None:
    """A row of LSA consists of documents, not of pairs: ``teach/documents.py`` folds it in."""
    return None


FORMS: Mapping[str, Callable[[StillModel, Row], RowForm | None]] = {
    "negative sampling": _negative_sampling,
    "hierarchical softmax": _tree,
    "softmax": _softmax,
    "log counts": _log_counts,
    "pmi": _pmi,
    "drawn cells": _drawn_cells,
    "swivel": _swivel,
    "projection": _projection,
    "cells": _cells,
    "documents": _documents,
}
