"""Refits of a training on texts of drawn documents.

A text of D documents is one sample of the texts that could have been written. Drawing D of its
documents with replacement, and making counts and vectors again, shows how much a number depends on
which documents there are (Efron 1979; for word vectors, Antoniak & Mimno 2018, Evaluating the
Stability of Embedding-based Word Similarities, TACL 6). Seeds only show how much it depends on the
random numbers of the training.

For a number of one's own, call ``resample`` with a function of a ``Refit``. In a window, call it in
a job: it advances the progress, and raises Cancelled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase, Portion
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import (
    DocumentParams,
    documents_of,
    draw_text,
    with_ranks,
    with_short_sentences,
)
from workbench.counts.context_kinds import WORDS
from workbench.counts.expected_counts import effective_counts
from workbench.counts.weighted_counts import WeightedCounter
from workbench.models.base import MODELS, Model
from workbench.models.count.pmi_base import PairParams
from workbench.models.count.ppmi import PPMIParams
from workbench.models.params import ModelParams, SharedParams, VectorParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import apply_postprocessing

# Number of the text itself among the refits that are kept, and seconds between two looks at a
# cancelled job that waits for another one.
_WHOLE, _WAIT = -1, 0.05


@dataclass(frozen=True)
class ResampleParams(DocumentParams):
    """How texts are drawn."""

    resample: int = param(
        25,
        "Number of texts of drawn documents. Each is counted and factorised, or trained, again.",
        label="Resampled texts",
        low=2,
        high=100_000,
        grows="steadier ends of the intervals; slower",
        basic=True,
    )
    draw_seed: int = redeclare(
        SharedParams, "seed", doc="Random seed of the drawn documents.", label="Seed of the draws"
    )


@dataclass(frozen=True, eq=False)
class Refit:
    """Vectors of a text of drawn documents, or of the text itself.

    counts : CSR float64[V, V], #(w, c) of the words of ``embeddings``; None if the algorithm
    doesn’t start with counts
    """

    embeddings: Embeddings
    counts: sp.csr_matrix | None


class TextDraws:
    """A training that can be repeated on texts of drawn documents.

    Algorithms that make vectors of given counts (``Model.refits``) keep the words and their order;
    others are trained on the drawn text, whose vocabulary has the words that are frequent enough
    there.

    unit, documents : what is drawn, and its number
    keep : bytes of refits that are kept, for the next number that is asked for

    Raises UserError if the text is only one document. Thread-safe.
    """

    def __init__(
        self,
        corpus: Corpus,
        algorithm: str,
        params: ModelParams,
        drawn: ResampleParams,
        keep: int = 0,
    ) -> None:
        self._corpus = with_short_sentences(corpus)
        self._kind: type[Model] = MODELS[algorithm]
        self._params, self._drawn = params, drawn
        self._documents = documents_of(self._corpus, drawn)
        self.unit, self.documents = self._documents.unit, len(self._documents)
        self._vocabulary = self._corpus.vocabulary(params.min_count, params.max_vocab)
        self._room, self._kept = keep, dict[int, Refit]()
        self._lock = threading.Lock()
        self._counts: WeightedCounter | None = None

    @property
    def recounts(self) -> bool:
        """Whether a refit takes new counts alone; otherwise, each is a training."""
        of_words = getattr(self._params, "contexts", WORDS) == WORDS
        return self._kind.refits and of_words and isinstance(self._params, PairParams)

    def with_counts_alone(self) -> TextDraws:
        """The same documents, with refits that are plain counts and PPMI."""
        known = {spec.name for spec in PPMIParams.specs()}
        own = {name: value for name, value in self._params.to_dict().items() if name in known}
        params = PPMIParams.from_mapping({**own, "sample": 0.0, "contexts": WORDS})
        return TextDraws(self._corpus, "ppmi", params, self._drawn)

    def times(self, number: int) -> Ints:
        """int64[documents], how often each is in drawn text ``number``, from 0."""
        draw = np.random.default_rng([self._drawn.draw_seed, number])
        chosen = draw.integers(0, self.documents, self.documents)
        return np.bincount(chosen, minlength=self.documents)

    def whole(self, run: JobControl | None = None) -> Refit:
        """The vectors of the text itself. Raises UserError and Cancelled."""
        return self._find(_WHOLE, lambda: np.ones(self.documents, dtype=np.int64), run)

    def refit(self, number: int, run: JobControl | None = None) -> Refit:
        """The vectors of drawn text ``number``, from 0: the same at every call. Raises UserError
        and Cancelled.
        """
        return self._find(number, lambda: self.times(number), run)

    def _find(self, number: int, times: Callable[[], Ints], run: JobControl | None) -> Refit:
        """A kept refit, or a new one."""
        run = run or JobControl()
        with self._locked(run):
            found = self._kept.get(number)
            if found is None:
                found = self._fit(times(), run)
                size = _bytes_of(found)
                if size <= self._room:
                    self._room -= size
                    self._kept[number] = found
            return found

    @contextmanager
    def _locked(self, run: JobControl) -> Iterator[None]:
        while not self._lock.acquire(timeout=_WAIT):
            run.check()
        try:
            yield
        finally:
            self._lock.release()

    def _counter(self, run: JobControl) -> WeightedCounter:
        if self._counts is None:
            self._counts = self._make_counter(run)
        return self._counts

    def _make_counter(self, run: JobControl) -> WeightedCounter:
        params = self._params
        assert isinstance(params, PairParams)
        return WeightedCounter(
            self._corpus,
            len(self._vocabulary),
            self._documents.of_sentences(),
            params.window,
            params.window_weighting,
            run=run,
        )

    def _fit(self, times: Ints, run: JobControl) -> Refit:
        model = self._kind(self._params)
        params = self._params
        counts = None
        if self.recounts:
            assert isinstance(params, PairParams)
            if params.sample:
                text = draw_text(self._corpus, self._documents, times)
                counts = effective_counts(text, self._vocabulary, params, run)
            else:
                counts = self._counter(run).counts(times.astype(np.float64), run)
            found = model.fit_counts(counts, self._vocabulary, run)
        else:
            found = model.fit(with_ranks(draw_text(self._corpus, self._documents, times)), run)
        if isinstance(params, VectorParams):
            found = apply_postprocessing(found, params.choice(), run)
        return Refit(found, counts)


def _bytes_of(refit: Refit) -> int:
    """Memory of a refit, with the unit vectors that a comparison makes of its vectors."""
    own = refit.embeddings
    arrays: list[Any] = [own.vectors, own.vectors, refit.counts]
    arrays += [one for one in (own.raw, own.contexts) if one is not own.vectors]
    found = 0
    for one in arrays:
        if isinstance(one, sp.csr_matrix):
            found += one.data.nbytes + one.indices.nbytes + one.indptr.nbytes
        elif one is not None:
            found += one.nbytes
    return found


@dataclass(frozen=True, eq=False)
class Resampled:
    """A number, or several, in a text and in texts of drawn documents.

    estimate : float64[n], in the text itself; values : float64[B, n]; NaN where there is none
    unit, documents : what was drawn, and how many are in a text
    """

    estimate: Doubles
    values: Doubles
    unit: str
    documents: int


Statistic = Callable[[Refit], Doubles]


def resample(
    draws: TextDraws,
    statistic: Statistic,
    number: int,
    run: JobControl | None = None,
    whole: Refit | None = None,
) -> Resampled:
    """A statistic of the text and of ``number`` drawn texts, one after another, so that only one
    is in memory.

    statistic : returns float64[n], NaN for what a text lacks; always the same n
    whole : ``draws.whole()``, if it is known

    Advances the progress; publishes "resampled", the number of finished texts. Raises UserError and
    Cancelled, and what the statistic raises.
    """
    run = run or JobControl()
    found: list[Doubles] = []
    with BLAS_ALONE:
        estimate = np.asarray(statistic(whole or draws.whole(run)), dtype=np.float64).ravel()
        run.enter(Phase.COUNTING, tr("Drawing documents"))
        for at in range(number):
            run.check()
            note = tr("Text {number:,} of {all:,}", number=at + 1, all=number)
            part = Portion(run, at / number, 1 / number, note)
            values = np.asarray(statistic(draws.refit(at, part)), dtype=np.float64).ravel()
            if len(values) != len(estimate):
                raise ValueError("a statistic returned different numbers of values")
            found.append(values)
            run.publish("resampled", at + 1)
            run.advance((at + 1) / number, note)
    return Resampled(estimate, np.array(found), draws.unit, draws.documents)


def draws_of(embeddings: Embeddings, corpus: Corpus, drawn: ResampleParams) -> TextDraws:
    """The training of vectors, to be repeated on texts of drawn documents of its corpus.

    Raises UserError if their settings are unknown or the corpus is another one, and as
    ``TextDraws``.
    """
    algorithm, parameters = (embeddings.metadata.get(key) for key in ("algorithm", "parameters"))
    if not isinstance(parameters, Mapping) or algorithm not in MODELS:
        raise UserError(
            tr("These vectors come from a file, so their training settings are unknown."),
            tr("Train here and save as .npz, which contains the settings."),
        )
    trained_on = embeddings.metadata.get("corpus")
    known = trained_on.get("digest") if isinstance(trained_on, Mapping) else None
    if known not in (None, corpus.digest):
        raise UserError(
            tr("The vectors were trained on another text than {corpus}.", corpus=corpus.name),
            tr("Name the text that they were trained on."),
        )
    return draws_with(str(algorithm), parameters, corpus, drawn)


def draws_with(
    algorithm: str,
    parameters: Mapping[str, Any],
    corpus: Corpus,
    drawn: ResampleParams,
    keep: int = 0,
) -> TextDraws:
    """A training with these settings, to be repeated on texts of drawn documents."""
    params = MODELS[algorithm].params_type.from_mapping(parameters)
    return TextDraws(corpus, algorithm, params, drawn, keep)
