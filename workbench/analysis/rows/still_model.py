"""A trained model whose vectors stay as they are while one word's vector is computed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.rows.mean_maps import mean_map
from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.counts.chunked_ops import sums
from workbench.counts.cooccurrence import window_weights
from workbench.counts.count_tables import effective_table, plain_table
from workbench.counts.sampling import keep_probabilities
from workbench.models.base import MODELS, Model
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.own_contexts import no_product_of_words

# Key of the provenance of words that were taught.
TAUGHT = "taught"
# Sides of a row: a word's vector, or its context vector. Also keys of what is kept.
WORDS, CONTEXTS = "words", "contexts"
# Key of the margins in what is kept.
_MARGINS = "margins"
# Formulas of rows that are computed at once, without what is expected of them.
_FOLDED = ("projection", "cells", "documents")


@dataclass(frozen=True, eq=False)
class CountMargins:
    """#(w) and #(c) of all words, float64[V] each; ``exact``: counted in the text, else estimated
    from word frequencies.
    """

    rows: Doubles
    columns: Doubles
    exact: bool


@dataclass(frozen=True, eq=False)
class StillModel:
    """A model with the settings of its training. Everything is computed once, on first use.

    kind : its algorithm; values : its parameters by name
    kept : what is computed once, such as designs of rows
    """

    embeddings: Embeddings
    kind: type[Model]
    values: Mapping[str, Any]
    corpus: Corpus | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def margins(self) -> CountMargins:
        """The margins of its counts, computed on first use if ``count`` hasn’t been called."""
        self.count()
        found: CountMargins = self.kept[_MARGINS]
        return found

    def count(self, run: JobControl | None = None) -> None:
        """Count the margins, once. Raises UserError and Cancelled."""
        if _MARGINS in self.kept:
            return
        if self.corpus is None:
            self.kept[_MARGINS] = estimated_margins(self.counts, self.counting)
            return
        table = pair_table(self.corpus, self.counting, run)
        self.kept[_MARGINS] = CountMargins(*sums(table), exact=True)
        if self.kind.row_objective.formula in _FOLDED:
            return
        self.kept[WORDS] = mean_map(table, self.words, self.counts)
        if self.embeddings.contexts is not None:
            self.kept[CONTEXTS] = mean_map(table.T, self.contexts, self.counts)

    def mean_map(self, side: str) -> Doubles | None:
        """float64[d, d], the map from the mean of a row's contexts to the row (see
        :mod:`workbench.analysis.rows.mean_maps`); None without the corpus.
        """
        self.count()
        found: Doubles | None = self.kept.get(side)
        return found

    @property
    def needs_margins(self) -> bool:
        """Whether the objective of a word’s row depends on them."""
        formula = self.kind.row_objective.formula
        return formula in ("pmi", "drawn cells", "swivel", "projection", "cells")

    @cached_property
    def counting(self) -> PairCountSettings:
        return PairCountSettings.of(self.values)

    @property
    def counts(self) -> Ints:
        """int64[V], corpus frequencies."""
        assert self.embeddings.counts is not None
        return self.embeddings.counts

    @cached_property
    def keep(self) -> Doubles:
        """float64[V], the probability that a token of each word survives subsampling."""
        return keep_probabilities(self.counts, self.counting.sample, self.counting.sample_formula)

    @property
    def dim(self) -> int:
        """d, without a bias."""
        return int(self.embeddings.inputs.shape[1])

    @cached_property
    def words(self) -> Doubles:
        """W, float64[V, d]."""
        return np.asarray(self.embeddings.inputs, dtype=np.float64)

    @cached_property
    def contexts(self) -> Doubles:
        """C, float64[V, d]. Raises UserError if the vectors have none."""
        if self.embeddings.contexts is None:
            raise no_contexts()
        return self.embeddings.contexts.astype(np.float64)

    def input_row(self, row: int) -> Doubles:
        """W of one word, float64[d]."""
        return np.asarray(dense_rows(self.embeddings.inputs, [row])[0], dtype=np.float64)

    @property
    def noise(self) -> float:
        """Variance of a cell's error, at weight 1: twice the loss of the training."""
        loss = self.embeddings.metadata.get("loss")
        last = loss.get("last") if isinstance(loss, Mapping) else None
        if isinstance(last, (int, float)) and 0 < last < np.inf:
            return 2 * float(last)
        return 1.0


def hold_still(
    embeddings: Embeddings,
    corpus: Corpus | None = None,
    run: JobControl | None = None,
    counted: bool = True,
) -> StillModel:
    """Prepare a model.

    corpus : the text of its training, for exact margins of the counts; None: the margins are
    estimated from word frequencies
    counted : count the margins now, which takes seconds for a long text

    Raises UserError if a word's vector doesn't follow from its counts, if the vectors lack
    frequencies, contexts or their provenance, or if the corpus is another one, and Cancelled.
    """
    name = str(embeddings.metadata.get("algorithm", ""))
    values = embeddings.metadata.get("parameters")
    if name not in MODELS or not isinstance(values, Mapping):
        raise UserError(
            tr("These vectors don’t say how they were trained."),
            tr("Open a run that was trained here, or its .npz file."),
        )
    kind = MODELS[name]
    if kind.row_objective.missing:
        raise UserError(kind.row_objective.missing, tr("Choose a run of SGNS, GloVe, SVD or PPMI."))
    if embeddings.counts is None:
        raise UserError(
            tr("These vectors have no word frequencies."), tr("Open the run’s .npz file.")
        )
    missing = no_product_of_words(embeddings)
    if missing is not None:
        raise missing
    check_parts(embeddings, kind)
    still = StillModel(embeddings, kind, dict(values), corpus)
    if corpus is not None:
        _check_corpus(embeddings, corpus, still.counting)
    if counted:
        still.count(run)
    return still


def check_parts(embeddings: Embeddings, kind: type[Model]) -> None:
    """Raise UserError if the vectors lack contexts that the algorithm's rows need."""
    needs = kind.row_objective.formula not in ("cells", "documents", "hierarchical softmax")
    if needs and embeddings.contexts is None:
        raise no_contexts()


def no_contexts() -> UserError:
    """Error for vectors without contexts."""
    return UserError(
        tr("These vectors have no context vectors, which the counts are compared with."),
        tr("Open the run’s .npz file, or train sgns, glove or svd."),
    )


def pair_table(
    corpus: Corpus, counting: PairCountSettings, run: JobControl | None = None
) -> sp.csr_matrix:
    """#(w, c), the training's own counts. Raises UserError for saved counts that were made with
    other settings, and Cancelled.
    """
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    if counting.sample:
        return effective_table(corpus, vocabulary, counting, run)
    window = (counting.window, counting.window_weighting)
    table = plain_table(corpus, vocabulary, *window, counting.symmetric, run)
    return table if counting.symmetric else table.T.tocsr()


def _check_corpus(embeddings: Embeddings, corpus: Corpus, counting: PairCountSettings) -> None:
    """Raise UserError if the vectors were trained on another corpus."""
    if TAUGHT in embeddings.metadata:
        raise UserError(
            tr("This model contains taught words, so its counts aren’t those of a corpus."),
            tr("Choose the model that it was made from."),
        )
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    same = len(vocabulary) == len(embeddings) and np.array_equal(
        vocabulary.counts, embeddings.counts if embeddings.counts is not None else ()
    )
    if not same or list(vocabulary.words) != list(embeddings.words):
        raise UserError(
            tr("{name} isn’t the corpus that these vectors were trained on.", name=corpus.name),
            tr("Open the corpus that the model was trained on."),
        )


def estimated_margins(counts: Ints, counting: PairCountSettings) -> CountMargins:
    """Margins if no sentence ended: each kept token has a full window of kept tokens."""
    keep = keep_probabilities(counts, counting.sample, counting.sample_formula)
    weights, divisor = window_weights(counting.window, counting.window_weighting)
    sides = 2 if counting.symmetric else 1
    margins = counts * keep * float(weights.sum()) * sides / divisor
    return CountMargins(margins, margins, exact=False)
