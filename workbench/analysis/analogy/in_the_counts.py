"""An analogy in the counts: each context’s PMI with the answer, against the other three words.

If a : a* :: b : b* holds for the meanings, then PMI(b*, c) = PMI(a*, c) − PMI(a, c) + PMI(b, c) for
every context c, up to errors (Allen & Hospedales 2019, section 6). Beside it, the same for another
answer.

With the pairs W = {b, a*} and W* = {a, b*}, the errors have three parts, and with them the equation
is exact:

    ρ(c) = log p(c|W*)/p(c|W)       one pair stands for the other
    σ_W(c) − σ_W*(c)                the words of a pair depend on each other beside c,
                                    σ_W(c) = log p(W|c)/∏ p(w|c)
    −(τ_W − τ_W*)                   and anywhere, τ_W = log p(W)/∏ p(w)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.analogy.solver import solve
from workbench.analysis.theory.pair_counts import PairCounts
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.vectors.embeddings import Embeddings

_FEWEST = 3


@dataclass(frozen=True, eq=False)
class AnalogyInCounts:
    """Contexts that co-occur with all four words, or with any of them, by their counts.

    positive : whether contexts of any of the words are compared, by PPMI: an unobserved pair is 0
    contexts : their words, the largest counts first
    across, up : float64[n], both sides of the equation in nats
    counts : float64[n], the smallest of the four counts; the largest if ``positive``
    """

    answer: str
    contexts: tuple[str, ...]
    across: Doubles
    up: Doubles
    counts: Doubles
    positive: bool = False

    @property
    def error(self) -> float:
        """Root mean square of the difference, weighted by counts."""
        return float(np.sqrt(np.average((self.up - self.across) ** 2, weights=self.counts)))

    @property
    def correlation(self) -> float:
        """Pearson’s, weighted by counts."""
        x = self.across - np.average(self.across, weights=self.counts)
        y = self.up - np.average(self.up, weights=self.counts)
        both, own = (self.counts * x) @ y, ((self.counts * x) @ x) * ((self.counts * y) @ y)
        return float(both / np.sqrt(own)) if own > 0 else float("nan")


def analogy_in_counts(
    pairs: PairCounts, a: str, a_star: str, b: str, answer: str, positive: bool = False
) -> AnalogyInCounts:
    """Compare a* − a + b with ``answer``, context by context.

    positive : compare PPMI in the contexts of any of the words, instead of PMI in those of all
    four, where the words that an answer lacks don't count

    Raises UnknownWord, and UserError for fewer than three contexts.
    """
    rows = [pairs.row(word) for word in (a, a_star, b, answer)]
    counts = np.array([pairs.cells[[row]].toarray()[0] for row in rows])
    observed = counts > 0
    seen = np.flatnonzero(observed.any(axis=0) if positive else observed.all(axis=0))
    if len(seen) < _FEWEST:
        raise UserError(
            tr("Fewer than three contexts co-occur with all four words."),
            tr("Choose more frequent words, or a longer text."),
        )
    totals = pairs.row_sums[pairs.ids[rows]]
    columns = pairs.column_sums[pairs.ids[seen]]
    with np.errstate(divide="ignore"):
        pmi = np.log(counts[:, seen]) + np.log(pairs.total)
        pmi -= np.log(totals)[:, None] + np.log(columns)
    weights = counts[:, seen].min(axis=0)
    if positive:
        pmi, weights = np.maximum(pmi, 0.0), counts[:, seen].max(axis=0)
    order = np.argsort(-weights, kind="stable")
    across = pmi[1] - pmi[0] + pmi[2]
    words = tuple(pairs.words[seen[at]] for at in order.tolist())
    return AnalogyInCounts(
        pairs.words[rows[3]], words, across[order], pmi[3][order], weights[order], positive
    )


@dataclass(frozen=True, eq=False)
class ErrorParts:
    """The parts of the errors, for contexts whose windows contain both words of W, and both of W*.

    Probabilities are those of a word being in the window of a token; windows have the same length
    around each token.

    windows : number of windows with both words of W, and of W*
    contexts : their words, the largest counts first
    counts : float64[n], number of windows of a context with both words, the smaller of W and W*
    paraphrase, dependence : float64[n], ρ(c) and σ_W(c) − σ_W*(c) in nats
    overall : −(τ_W − τ_W*), NaN without windows
    """

    windows: tuple[int, int]
    contexts: tuple[str, ...]
    counts: Doubles
    paraphrase: Doubles
    dependence: Doubles
    overall: float

    @property
    def enough(self) -> bool:
        """Whether three contexts or more have these windows."""
        return len(self.contexts) >= _FEWEST

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Root mean square of ρ, of the σ and of the τ, weighted by counts; NaN if too few."""
        if not self.enough:
            return (float("nan"),) * 3
        one, two = (
            float(np.sqrt(np.average(part**2, weights=self.counts)))
            for part in (self.paraphrase, self.dependence)
        )
        return one, two, abs(self.overall)


def split_errors(
    corpus: Corpus,
    words: tuple[str, str, str, str],
    window: int,
    run: JobControl | None = None,
) -> ErrorParts:
    """Count the windows of ``window`` tokens on each side that contain two of the words at once.

    words : a, a*, b and the answer. Raises UnknownWord and Cancelled.
    """
    index = corpus.vocabulary().index
    rows = [_row_of(corpus, word, index) for word in words]
    ids, sentences = np.asarray(corpus.ids), np.asarray(corpus.sentences)
    near = []
    for row in rows:
        if run is not None:
            run.check()
        near.append(_windows_with(ids, sentences, row, window))
    a, a_star, b, answer = near
    both, others = np.intersect1d(b, a_star), np.intersect1d(a, answer)
    single = [np.bincount(ids[one], minlength=corpus.types).astype(float) for one in near]
    of_both, of_others = (
        np.bincount(ids[one], minlength=corpus.types).astype(float) for one in (both, others)
    )
    windows = (len(both), len(others))
    if not len(both) or not len(others):
        nothing = np.empty(0)
        return ErrorParts(windows, (), nothing, nothing, nothing, float("nan"))
    total = float(len(ids))
    smaller = np.minimum(of_both, of_others)
    seen = np.flatnonzero(smaller > 0)
    seen = seen[np.argsort(-smaller[seen], kind="stable")]
    tokens = corpus.counts[seen].astype(float)
    log = [np.log(one[seen] / tokens) for one in single]
    sigma = np.log(of_both[seen] / tokens) - log[2] - log[1]
    sigma_star = np.log(of_others[seen] / tokens) - log[0] - log[3]
    paraphrase = np.log(of_others[seen] / len(others)) - np.log(of_both[seen] / len(both))
    tau = np.log(len(both) / total) - np.log(len(b) / total) - np.log(len(a_star) / total)
    tau_star = np.log(len(others) / total) - np.log(len(a) / total) - np.log(len(answer) / total)
    return ErrorParts(
        windows,
        tuple(corpus.words[at] for at in seen.tolist()),
        smaller[seen],
        paraphrase,
        sigma - sigma_star,
        float(tau_star - tau),
    )


def _row_of(corpus: Corpus, word: str, index: Mapping[str, int]) -> int:
    found = look_up(word, index, corpus.options)
    if found is None:
        raise unknown_words([word], corpus.words)
    return found


def _windows_with(ids: npt.NDArray[np.int32], sentences: Ints, row: int, window: int) -> Ints:
    """int64[n], ascending: the tokens that have the word in their window, beside themselves."""
    places = np.flatnonzero(ids == row)
    sentence = np.searchsorted(sentences, places, side="right") - 1
    first, last = sentences[sentence], sentences[sentence + 1]
    found = []
    for apart in range(-window, window + 1):
        at = places + apart
        inside = (at >= first) & (at < last)
        if apart:
            found.append(at[inside])
    return np.unique(np.concatenate(found)).astype(np.int64)


def second_best(
    model: Embeddings,
    a: str,
    a_star: str,
    b: str,
    answer: str,
    method: str = "3cosadd",
    exclude: bool = True,
    restrict: int = 0,
) -> str:
    """The best answer of a model to a* − a + b besides ``answer``, asked in the same way as that
    (see ``solve``); "" without one. Raises UnknownWord.
    """
    row = model.row(answer)
    best = solve(model, a_star, a, b, method, 2, exclude, restrict)
    return next((one.word for one in best if one.row != row), "")
