"""Cosines of words in groups by SGNS, trained on the text with a word of its own for each group.

Each resampled text and each shuffle of the groups is a training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.groups.series import Samples, Units
from workbench.analysis.groups.spaces import cosines
from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.job_control import JobControl, split_progress
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.documents import Documents, draw_text, sentence_order
from workbench.corpus.groups import SentenceGroups
from workbench.models.predict.grouped_sgns import train_groups
from workbench.models.predict.sgns import SGNSParams


def sample_trained(
    corpus: Corpus,
    vocabulary: Vocabulary,
    groups: SentenceGroups,
    documents: Documents,
    words: Sequence[int],
    to: Sequence[int],
    params: GroupedParams,
    run: JobControl,
) -> list[Samples]:
    """For each of ``words``, its cosines with the words ``to`` of the whole text; with none, with
    the mean of its vectors in all groups, weighted by occurrences. All are ranks.

    Raises UserError, Diverged and Cancelled.
    """
    cut = documents.cut(groups.codes)
    units = Units.of(groups, documents)
    parts = iter(split_progress(run, 1 + params.texts_drawn + params.shuffled))
    training = _Training(vocabulary, words, to, len(groups), params)
    found, whole = training.cosines(corpus, groups.codes, next(parts))
    draw, shuffle = (np.random.default_rng([params.seed, number]) for number in (0, 1))
    drawn, shuffled = [], []
    for _ in range(params.texts_drawn):
        times = _drawn_times(units, len(groups), draw)
        text, order = draw_text(corpus, cut, times), sentence_order(cut, times)
        drawn.append(training.cosines(text, groups.codes[order], next(parts))[0])
    grouped = np.flatnonzero(units.groups >= 0)
    for _ in range(params.shuffled):
        codes = units.groups.copy()
        codes[grouped] = shuffle.permutation(units.groups[grouped])
        shuffled.append(training.cosines(corpus, codes[units.of_sentences], next(parts))[0])
    tables, others = (np.array(each).transpose(1, 0, 2, 3) for each in (drawn, shuffled))
    single = np.bincount(units.groups[grouped], minlength=len(groups)) < 2
    tables[:, :, single] = np.nan
    return [
        Samples(whole[number], found[number], tables[number], others[number])
        for number in range(len(words))
    ]


class _Training:
    """What all trainings have in common."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        words: Sequence[int],
        to: Sequence[int],
        groups: int,
        params: GroupedParams,
    ) -> None:
        self._vocabulary, self._words, self._to, self._groups = vocabulary, words, to, groups
        self._params = SGNSParams.from_mapping(
            {
                name: getattr(params, name)
                for name in (
                    *("min_count", "max_vocab", "window", "window_weighting", "dim", "epochs"),
                    *("seed", "threads"),
                )
            }
        )

    def cosines(self, text: Corpus, codes: Ids, run: JobControl | None) -> tuple[Doubles, Doubles]:
        """float64[T, G, k], the cosines of T words in G groups, and float64[T, k], of the means of
        the vectors of all groups.
        """
        size, groups = len(self._vocabulary), self._groups
        run = run or JobControl()
        trained = train_groups(
            text, self._vocabulary, self._words, codes, groups, self._params, run
        )
        table = np.asarray(trained.vectors, dtype=np.float64)
        assert trained.counts is not None
        weights = trained.counts.astype(np.float64)
        found, whole = [], []
        for number, _ in enumerate(self._words):
            rows = slice(size + number * groups, size + (number + 1) * groups)
            # A row without tokens only has its random start.
            own = np.where(weights[rows, None] > 0, table[rows], 0.0)
            mean = (weights[rows] @ own)[None]
            others = table[list(self._to)] if self._to else mean
            found.append(cosines(own, others))
            whole.append(cosines(mean, others)[0])
        return np.array(found), np.array(whole)


def _drawn_times(units: Units, groups: int, draw: np.random.Generator) -> Ints:
    """int64[U]: how often each unit is drawn, as many in each group as it has."""
    times = np.zeros(len(units.groups), dtype=np.int64)
    for group in range(-1, groups):
        own = np.flatnonzero(units.groups == group)
        times[own] = np.bincount(draw.integers(0, max(len(own), 1), len(own)), minlength=len(own))
    return times
