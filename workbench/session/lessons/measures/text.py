"""Measures of the text alone: frequencies, subsampling, noise, co-occurrence."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings
from workbench.analysis.theory.probability_ratios import ratios
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.counts.association import associate
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.counts.subwords import ngrams
from workbench.session.lessons.measure_registry import MeasureScene, Name, Word, measure


@measure(tr("occurrences of {word}"), digits=0)
def count(scene: MeasureScene, word: Word) -> float:
    return float(scene.corpus.counts[_row(scene, word)])


@measure(tr("relative frequency of {word} in the corpus"), digits=2, percent=True)
def share(scene: MeasureScene, word: Word) -> float:
    return float(scene.corpus.counts[_row(scene, word)] / scene.corpus.counts.sum())


@measure(tr("tokens of the corpus"), digits=0)
def tokens(scene: MeasureScene) -> float:
    return float(scene.corpus.tokens)


@measure(tr("different words of the corpus"), digits=0)
def types(scene: MeasureScene) -> float:
    return float(len(scene.corpus.words))


@measure(tr("share of the {n} most frequent words in the corpus"), digits=0, percent=True)
def top_share(scene: MeasureScene, n: int) -> float:
    return float(scene.corpus.counts[: int(n)].sum() / scene.corpus.counts.sum())


@measure(
    tr("share of occurrences of {word} that subsampling at {t} keeps"),
    digits=0,
    percent=True,
    name="kept",
)
def kept_share(scene: MeasureScene, word: Word, t: float) -> float:
    return float(keep_probabilities(scene.corpus.counts, t, "word2vec")[_row(scene, word)])


@measure(
    tr("share of the corpus that subsampling at {t} keeps"), digits=0, percent=True, name="left"
)
def text_share_left(scene: MeasureScene, t: float) -> float:
    counts = scene.corpus.counts
    return float(keep_probabilities(counts, t, "word2vec") @ counts / counts.sum())


@measure(tr("number of words affected by subsampling at {t}"), digits=0, name="thinned")
def subsampled_words(scene: MeasureScene, t: float) -> float:
    return float(np.count_nonzero(keep_probabilities(scene.corpus.counts, t, "word2vec") < 1))


@measure(tr("number of words with a relative frequency above {share}"), digits=0)
def above(scene: MeasureScene, share: float) -> float:
    return float(np.count_nonzero(scene.corpus.counts > share * scene.corpus.counts.sum()))


@measure(
    tr("probability of {word} in the noise distribution at α = {alpha}"), digits=3, percent=True
)
def noise(scene: MeasureScene, word: Word, alpha: float) -> float:
    return float(noise_distribution(scene.corpus.counts, alpha)[_row(scene, word)])


@measure(
    tr(
        "probability of {word} in the noise distribution at α = {alpha}, divided by its relative "
        "frequency"
    )
)
def noise_lift(scene: MeasureScene, word: Word, alpha: float) -> float:
    return noise(scene, word, alpha) / share(scene, word)


@measure(tr("most probable word of the noise distribution at α = {alpha}"))
def commonest_noise(scene: MeasureScene, alpha: float) -> str:
    return scene.corpus.words[int(noise_distribution(scene.corpus.counts, alpha).argmax())]


@measure(tr("co-occurrence count of {a} and {b} within {window} words"), digits=0)
def together(scene: MeasureScene, a: Word, b: Word, window: int = 5) -> float:
    pairs = _pairs(scene, window)
    return pairs.count(pairs.row(a), pairs.row(b))


@measure(tr("PMI of {a} and {b} within {window} words, in nats"))
def pmi(scene: MeasureScene, a: Word, b: Word, window: int = 5) -> float:
    pairs = _pairs(scene, window)
    rows = pairs.row(a), pairs.row(b)
    met = pairs.count(*rows)
    expected = (
        pairs.row_sums[pairs.ids[rows[0]]] * pairs.column_sums[pairs.ids[rows[1]]] / pairs.total
    )
    if met:
        return math.log(met / expected)
    return -math.inf


@measure(
    tr(
        "share of the contexts of {word} within {window} words that are among the {n} most "
        "frequent words"
    ),
    digits=0,
    percent=True,
)
def frequent_contexts(scene: MeasureScene, word: Word, n: int, window: int = 5) -> float:
    pairs = _pairs(scene, window)
    row = pairs.cells[[pairs.row(word)]]
    return float(row[:, : int(n)].sum() / row.sum())


@measure(tr("cosine of {a} and {b} as one-hot vectors"))
def one_hot_cosine(scene: MeasureScene, a: Word, b: Word) -> float:
    rows = np.zeros((2, len(scene.corpus.words)))
    rows[0, _row(scene, a)] = rows[1, _row(scene, b)] = 1.0
    return float(rows[0] @ rows[1])


@measure(tr("cosine of the count rows of {a} and {b} within {window} words"))
def count_cosine(scene: MeasureScene, a: Word, b: Word, window: int = 5) -> float:
    return _row_cosine(_pairs(scene, window), "counts", a, b)


@measure(tr("cosine of the PPMI rows of {a} and {b} within {window} words"))
def ppmi_cosine(scene: MeasureScene, a: Word, b: Word, window: int = 5) -> float:
    return _row_cosine(_pairs(scene, window), "ppmi", a, b)


@measure(
    tr("P({probe} | {given}) within {window} words, weighted by 1/distance"), digits=3, percent=True
)
def probability(scene: MeasureScene, probe: Word, given: Word, window: int = 10) -> float:
    return ratios(_pairs(scene, window, "harmonic"), given, given, [probe]).probes[0].p_a


@measure(tr("P({probe} | {a}) / P({probe} | {b})"))
def ratio(scene: MeasureScene, probe: Word, a: Word, b: Word, window: int = 10) -> float:
    return ratios(_pairs(scene, window, "harmonic"), a, b, [probe]).probes[0].ratio


@measure(
    tr("number of word pairs that co-occur within {window} words"),
    digits=0,
    percent=True,
)
def pairs_met(scene: MeasureScene, window: int = 5) -> float:
    pairs = _pairs(scene, window)
    return pairs.cells.nnz / len(pairs.words) ** 2


@measure(tr("natural logarithm of {x}"))
def log(scene: MeasureScene, x: float) -> float:
    if not x > 0:
        raise UserError(
            tr("The logarithm of {x:g} is undefined.", x=x), tr("Use a number above 0.")
        )
    return math.log(x)


@measure(tr("character n-grams of {word} of length {shortest} to {longest}"))
def pieces(scene: MeasureScene, word: Word, shortest: int = 3, longest: int = 6) -> str:
    return ", ".join(ngrams(word, int(shortest), int(longest)))


@measure(tr("whether {word} occurs in the corpus"))
def occurs(scene: MeasureScene, word: Word) -> str:
    if word in set(scene.corpus.words):
        return "yes"
    return "no"


@measure(tr("word with frequency rank {nth}"))
def frequent_word(scene: MeasureScene, nth: int) -> str:
    if not 1 <= nth <= len(scene.corpus.words):
        raise UserError(
            tr("No word has frequency rank {nth:g}.", nth=nth),
            tr("The corpus has {number:,} words.", number=len(scene.corpus.words)),
        )
    return scene.corpus.words[int(nth) - 1]


def _row(scene: MeasureScene, word: str) -> int:
    words = scene.corpus.words
    try:
        return list(words).index(word)
    except ValueError:
        raise UnknownWord(
            word, tr("The corpus {name} doesn’t contain this word.", name=scene.corpus.name)
        ) from None


def _pairs(scene: MeasureScene, window: int, weighting: str = "fixed") -> PairCounts:
    return scene.pairs(scene.corpus, PairCountSettings(int(window), weighting, sample=0.0))


def _row_cosine(pairs: PairCounts, kind: Name | str, a: str, b: str) -> float:
    table = pairs.cells if kind == "counts" else associate(pairs.cells, kind)
    left, right = (table[[pairs.row(word)]] for word in (a, b))
    product = float((left @ right.T).sum())
    lengths = math.sqrt(float(left.multiply(left).sum()) * float(right.multiply(right).sum()))
    if lengths:
        return product / lengths
    return math.nan
