"""Counts of attribute words with all words of a text, and contrasts from these counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.neighbours.shared_contexts import ContextSettings
from workbench.analysis.theory.targets import TargetSettings, declared_target
from workbench.core.arrays import Doubles, Ints, Places
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.word_lookup import look_up
from workbench.counts.contexts import ContextRow, context_row, context_totals
from workbench.counts.sampling import keep_probabilities
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class TextCounts:
    """#(w, a) of attribute words a with all words w of a text, counted with the model's window on
    both sides.

    places : int64[V], the rank in the text's vocabulary of each word of the model, −1 if it is
    missing there
    rows : the contexts of each attribute word, by its row in the model
    totals : float64[n], #(w) of every word of the text's vocabulary
    """

    vocabulary: Vocabulary
    places: Ints
    rows: Mapping[int, ContextRow]
    totals: Doubles

    @cached_property
    def total(self) -> float:
        """|D|, the sum of all counts."""
        return float(self.totals.sum())

    def rows_in_text(self, rows: Places) -> Places:
        """The rows of the model whose words the text contains, too."""
        return rows[self.places[rows] >= 0]

    def size(self, attributes: Places) -> float:
        """#(A), the sum of the counts of attribute words."""
        return float(self.totals[self.places[self.rows_in_text(attributes)]].sum())

    def cells(self, attributes: Places) -> tuple[Doubles, Ints]:
        """#(w, A) and the number of pairs of positions of every word with these attribute words:
        float64[n], int64[n].
        """
        counts, times = np.zeros(len(self.totals)), np.zeros(len(self.totals), dtype=np.int64)
        for row in self.rows_in_text(attributes).tolist():
            found = self.rows[row]
            counts[found.columns] += found.counts
            times[found.columns] += found.times
        return counts, times


def count_attributes(
    corpus: Corpus, embeddings: Embeddings, attributes: Places, run: JobControl | None = None
) -> TextCounts:
    """Count these words of the model in a text, as far as they occur there. Raises UserError for
    counts made with other settings, and Cancelled.
    """
    counting = ContextSettings().as_counted(embeddings).for_corpus(corpus)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    window = (counting.window, counting.window_weighting)
    found = (look_up(word, vocabulary.index, corpus.options) for word in embeddings.words)
    places = np.array([-1 if place is None else place for place in found], dtype=np.int64)
    totals = context_totals(corpus, len(vocabulary), *window, run)
    rows = {
        row: context_row(corpus, len(vocabulary), int(places[row]), *window, run)
        for row in np.unique(attributes).tolist()
        if places[row] >= 0
    }
    return TextCounts(vocabulary, places, rows, totals)


def log_ratio(n_a: Doubles, n_b: Doubles, total_a: float, total_b: float) -> Doubles:
    """PMI(w, A) − PMI(w, B) = log(n_a / n_b) − log(total_a / total_b), in nats, with one pair
    added: float64[n].

    The pair is split between A and B as by chance, so a word without pairs has the contrast 0, and
    one that only occurs near A has a finite one.
    """
    share = total_a / (total_a + total_b)
    return np.asarray(
        np.log(n_a + share) - np.log(n_b + 1 - share) - np.log(total_a) + np.log(total_b)
    )


def count_contrasts(counts: TextCounts, a: Places, b: Places) -> tuple[Doubles, Ints]:
    """For every word of the text's vocabulary, the difference between its PMI with the set a and
    that with b (Valentini et al. 2023, On the Interpretability and Significance of Bias Metrics in
    Texts: a PMI-based Approach, section 2), see ``log_ratio``: float64[n]; and the number of pairs
    that it rests on: int64[n].

    NaN if the text has no word of a or of b.
    """
    n_a, times_a = counts.cells(a)
    n_b, times_b = counts.cells(b)
    size_a, size_b = counts.size(a), counts.size(b)
    if not size_a or not size_b:
        return np.full(len(counts.totals), np.nan), times_a + times_b
    return log_ratio(n_a, n_b, size_a, size_b), times_a + times_b


def model_contrasts(
    embeddings: Embeddings, counts: TextCounts, rows: Places, a: Places, b: Places
) -> Doubles | None:
    """The contrast that the model's products imply, in nats like :func:`count_contrasts`:
    float64[len(rows)]. A model that reproduces the counts exactly has the same values.

    The products of an algorithm determine #(w, c) up to a factor of w, which cancels: from
    w·c = log #(w, c) − log(k·#(w)·P(c)) follows #(w, c) ∝ P(c)·exp(w·c) (see
    ``analysis/theory/targets.py``). None for algorithms without such products.
    """
    own = declared_target(str(embeddings.metadata.get("algorithm", "")))
    contexts = embeddings.contexts
    a, b = counts.rows_in_text(a), counts.rows_in_text(b)
    if own.missing or own.score == "tree" or contexts is None or not len(a) or not len(b):
        return None
    words = dense_rows(embeddings.inputs, rows).astype(np.float64)
    implied = []
    for attributes in (a, b):
        scores = words @ contexts[attributes].T.astype(np.float64)
        if own.score == "biased" and embeddings.context_biases is not None:
            scores += embeddings.context_biases[attributes].astype(np.float64)
        scores += np.log(_chances(embeddings, counts, attributes, own.target))
        largest = scores.max(axis=1)
        implied.append(largest + np.log(np.exp(scores - largest[:, None]).sum(axis=1)))
    return np.asarray(implied[0] - implied[1] - np.log(counts.size(a)) + np.log(counts.size(b)))


def _chances(
    embeddings: Embeddings, counts: TextCounts, attributes: Places, target: str
) -> Doubles:
    """float64[len(attributes)]: numbers proportional to P(c) of a target, corrected for
    subsampling, which the counts of the text don't have.
    """
    places = counts.places[attributes]
    if target in ("logx", "logp"):
        return np.ones(len(places))
    parameters = embeddings.metadata.get("parameters")
    known: Mapping[str, Any] = parameters if isinstance(parameters, Mapping) else {}
    setting = TargetSettings.of(known)
    if target != "xstar":
        return np.asarray(counts.totals[places] ** setting.context_smoothing)
    frequencies = counts.vocabulary.counts.astype(np.float64)
    chances = frequencies[places] ** setting.ns_exponent
    sample = known.get("sample", 0.0)
    if not isinstance(sample, (int, float)) or not sample:
        return np.asarray(chances)
    formula = str(known.get("sample_formula", "word2vec"))
    kept = keep_probabilities(counts.vocabulary.counts, float(sample), formula)
    return np.asarray(chances / kept[places])
