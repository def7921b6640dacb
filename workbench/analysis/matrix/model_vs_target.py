"""Comparison of a run with its own target for chosen words: target, score and residual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.matrix.counts import expected_counts, plain_counts
from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.targets import (
    SCORES,
    TARGETS,
    TargetSettings,
    target_values,
    theory_target,
)
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.counts.association import submatrix
from workbench.counts.chunked_ops import portion, sums
from workbench.vectors.embeddings import Embeddings

# Targets whose P(c) depends on all column sums: every row has to be counted.
_OF_ALL_ROWS = ("pmi", "sppmi")
_AT_A_TIME = 256


@dataclass(frozen=True, eq=False)
class OwnValues:
    """float64[r, c] of the requested words, NaN if one is unknown or, for targets, the pair was
    never observed.

    counts : #(w, c) as the run counts, NaN if never observed
    row_sums, column_sums : float64[r], [c], NaN if not counted; rows_known, columns_known :
    bool[r], [c]
    """

    values: Doubles
    counts: Doubles
    row_sums: Doubles
    column_sums: Doubles
    rows_known: npt.NDArray[np.bool_]
    columns_known: npt.NDArray[np.bool_]
    title: str
    label: str


def own_values(
    corpus: Corpus,
    embeddings: Embeddings,
    kind: str,
    words: tuple[str, ...],
    columns: tuple[str, ...],
    run: JobControl | None = None,
) -> OwnValues:
    """Values of a run against its own target. kind : "target", "score" or "residual" (score −
    target).

    Raises UserError if the algorithm has no target, or was trained on another corpus; and
    Cancelled.
    """
    own = theory_target(str(embeddings.metadata.get("algorithm", "")))
    known = embeddings.metadata.get("parameters")
    parameters: Mapping[str, Any] = known if isinstance(known, Mapping) else {}
    check_corpus(corpus, embeddings)
    found = _pairs(
        corpus,
        PairCountSettings.of(parameters),
        embeddings,
        words,
        columns,
        own.target in _OF_ALL_ROWS,
        run,
    )
    down, across = _places(found, words), _places(found, columns)
    rows, cols = np.flatnonzero(down >= 0), np.flatnonzero(across >= 0)
    target, score = TARGETS[own.target], SCORES[own.score]
    values = np.full((len(words), len(columns)), np.nan)
    if kind != "score":
        cells = found.cells.copy()
        cells.data = target_values(found, TargetSettings.of(parameters), own.target)
        values[np.ix_(rows, cols)] = submatrix(cells, down[rows], across[cols])
    if kind != "target":
        said = _scores(PairScores(embeddings, found, own.score), down[rows], across[cols], run)
        values[np.ix_(rows, cols)] = said if kind == "score" else said - values[np.ix_(rows, cols)]
    counts = np.full(values.shape, np.nan)
    counts[np.ix_(rows, cols)] = submatrix(found.cells, down[rows], across[cols])
    titles = {
        "target": tr("Target {title}", title=target.title),
        "score": tr("Fitted {score}", score=score),
        "residual": tr("Residual"),
    }
    labels = {
        "target": f"{target.title}(w, c) = {target.formula}",
        "score": tr("{score}: score of a pair in the run, on the scale of its target", score=score),
        "residual": f"{score} − {target.title}(w, c)",
    }
    return OwnValues(
        values,
        counts,
        _sums(found.row_sums, found, down),
        _sums(found.column_sums, found, across),
        down >= 0,
        across >= 0,
        titles[kind],
        tr("{label}, nats", label=labels[kind]),
    )


def _scores(scores: PairScores, down: Ints, across: Ints, run: JobControl | None) -> Doubles:
    """Scores float64[n, m] of these words and contexts. Raises Cancelled."""
    said = np.empty((len(down), len(across)))
    for begin in range(0, len(down), _AT_A_TIME):
        if run is not None:
            run.check()
        part = slice(begin, begin + _AT_A_TIME)
        said[part] = scores.block(down[part])[:, across]
    return said


def check_corpus(corpus: Corpus, embeddings: Embeddings) -> None:
    """Raise UserError if the vectors were trained on another corpus, according to their
    provenance.
    """
    about = embeddings.metadata.get("corpus")
    known: Mapping[str, Any] = about if isinstance(about, Mapping) else {}
    if known.get("digest", corpus.digest) != corpus.digest:
        name = known.get("name") or tr("another corpus")
        if name == corpus.name:
            raise UserError(
                tr(
                    "Trained on {name} with other reading options, or {name} has changed since.",
                    name=name,
                ),
                tr(
                    "Open {name} as it was read for this run to compare the run with its counts.",
                    name=name,
                ),
            )
        raise UserError(
            tr("Trained on {name}.", name=name),
            tr("Open {name} to compare this run with its counts.", name=name),
        )


def _pairs(
    corpus: Corpus,
    counting: PairCountSettings,
    embeddings: Embeddings,
    words: tuple[str, ...],
    columns: tuple[str, ...],
    whole: bool,
    run: JobControl | None,
) -> PairCounts:
    """Pair counts of the given words that both the corpus and the model contain."""
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    known = [
        word
        for word in dict.fromkeys((*words, *columns))
        if word in vocabulary.index and word in embeddings
    ]
    if not known:
        raise UserError(
            tr("None of these words are in the run’s vocabulary."),
            tr("Choose other words or another run."),
        )
    ids = np.array([vocabulary.index[word] for word in known], dtype=np.int64)
    rows = ids[np.isin(np.array(known), np.array(words))]
    window = (counting.window, counting.window_weighting)
    if counting.sample:
        wanted = None if whole else rows
        table, _ = expected_counts(corpus, vocabulary, counting, wanted, run)
    else:
        table, _ = plain_counts(corpus, vocabulary, *window, run, counting.symmetric)
    if run is not None:
        run.check()
    row_sums, column_sums = sums(table)
    if counting.symmetric:
        # Perhaps only some rows were counted, so use row sums for columns.
        column_sums = row_sums
    return PairCounts(
        tuple(known),
        ids,
        portion(table, ids),
        row_sums,
        column_sums,
        vocabulary.counts,
        corpus.options,
    )


def _places(pairs: PairCounts, words: tuple[str, ...]) -> Ints:
    return np.array([pairs.index.get(word, -1) for word in words], dtype=np.int64)


def _sums(sums: Doubles, pairs: PairCounts, places: Ints) -> Doubles:
    """float64[n], sums at the places, NaN at −1 and where nothing was counted."""
    found = sums[pairs.ids[places]]
    return np.where((places >= 0) & (found > 0), found, np.nan)
