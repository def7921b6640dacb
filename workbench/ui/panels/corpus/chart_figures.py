"""Figures of the corpus charts with their captions: Zipf’s law, subsampling, noise distribution."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.corpus.zipf import ZipfFit
from workbench.analysis.theory.sampling_curves import noise, subsampling
from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.ui.base.text import count, decimal, plural, true_minus
from workbench.ui.panels.corpus.word_curves import WordCurves
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.plots.frame import Interval

# Number of words labelled in a figure.
_NAMED = 14


def zipf_figure(
    corpus: Corpus, fit: ZipfFit | None, problem: str = "", chosen: int = -1
) -> tuple[WordCurves, str]:
    """Count by rank, with the line of slope −1 and the fitted line; ``problem`` says why there is
    no fit.
    """
    ranks = np.arange(1, corpus.types + 1, dtype=np.float64)
    counts = corpus.counts.astype(np.float64)
    top = max(float(counts[0]), 10.0)
    series = [
        _reference(tr("count ∝ 1/rank"), ranks, counts[0] / ranks),
        _curve(tr("the corpus"), ranks, counts),
    ]
    caption = problem or tr("Fitting the exponent…")
    if fit is not None:
        inside = ranks[: fit.words]
        legend = tr("fitted: count ∝ 1/rank^{decimal}", decimal=decimal(fit.slope, 3))
        series.append(_curve(legend, inside, fit.at_rank(inside), "danger"))
        digits = max(0, min(4, 1 - math.floor(math.log10(max(fit.slope_error, 1e-4)))))
        caption = tr(
            "s = {slope} ± {error} in count ∝ rank⁻ˢ (α = {alpha:.2f} for the distribution "
            "of counts). Maximum likelihood fit to the {words} words with a count of at "
            "least {least}, ranks 1 to {words}. Maximum distance D = {distance} (Clauset, "
            "Shalizi & Newman 2009).",
            slope=true_minus(f"{fit.slope:.{digits}f}"),
            error=true_minus(f"{fit.slope_error:.{digits}f}"),
            alpha=fit.alpha,
            words=count(fit.words),
            least=count(fit.least),
            distance=decimal(fit.distance, 2),
        )

    def tell(n: int) -> str:
        return tr(
            "{word}\nrank {rank} · {times} ×",
            word=corpus.words[n],
            rank=count(n + 1),
            times=count(int(corpus.counts[n])),
        )

    figure = WordCurves(
        Chart(
            tr("rank"),
            tr("count"),
            tuple(series),
            log_x=True,
            log_y=True,
            x_range=(1.0, max(float(corpus.types), 10.0)),
            y_range=(1.0, top),
        ),
        corpus.words,
        ranks,
        counts,
        tell,
        _labelled_words(corpus.types),
        chosen,
        tr("Zipf’s law in {name}", name=corpus.name),
    )
    return figure, caption


def subsampling_figure(corpus: Corpus, t: float, chosen: int = -1) -> tuple[WordCurves, str]:
    """The share of its tokens that each word keeps at the threshold ``t``, by both published
    rules.
    """
    found = subsampling(corpus.counts, t)

    def tell(n: int) -> str:
        return tr(
            "{word}\n{share}% of tokens\nkept: {kept}%, by the paper’s rule: {paper}%",
            word=corpus.words[n],
            share=decimal(100 * found.share[n], 3),
            kept=decimal(100 * found.program[n], 3),
            paper=decimal(100 * found.paper[n], 3),
        )

    figure = WordCurves(
        Chart(
            tr("share of all tokens"),
            tr("tokens kept"),
            (
                _reference(tr("the paper: √(t/f)"), found.share, found.paper),
                _curve(tr("word2vec: (√(f/t) + 1)·t/f"), found.share, found.program),
            ),
            log_x=True,
            percent_x=True,
            percent_y=True,
            x_range=_share_range(corpus),
            y_range=(0.0, 1.0),
        ),
        corpus.words,
        found.share,
        found.program,
        tell,
        _labelled_words(corpus.types),
        chosen,
        tr("Subsampling of {name} at t = {t:.2g}", name=corpus.name, t=t),
    )
    caption = tr(
        "{words} of {types} lose tokens; {left:.1f}% of all tokens are left ({paper:.1f}% "
        "by the paper’s rule).",
        words=plural(found.touched, "word"),
        types=count(corpus.types),
        left=100 * found.left,
        paper=100 * found.paper_left,
    )
    return figure, caption


def noise_figure(corpus: Corpus, alpha: float, chosen: int = -1) -> tuple[WordCurves, str]:
    """The noise distribution of exponent ``alpha`` against the unigram distribution."""
    found = noise(corpus.counts, alpha)

    def tell(n: int) -> str:
        times = found.noise[n] / found.share[n]
        return tr(
            "{word}\n{share}% of tokens\n{noise}% of the noise distribution: {times} ×",
            word=corpus.words[n],
            share=decimal(100 * found.share[n], 3),
            noise=decimal(100 * found.noise[n], 3),
            times=decimal(times, 2),
        )

    low, high = _share_range(corpus)
    power = true_minus(f"{alpha:.2f}")
    figure = WordCurves(
        Chart(
            tr("share of all tokens"),
            tr("share of the noise distribution"),
            (
                _reference(tr("as in the corpus (α = 1)"), found.share, found.share),
                _curve(f"n^{power} / Σ n^{power}", found.share, found.noise),
            ),
            log_x=True,
            log_y=True,
            percent_x=True,
            percent_y=True,
            x_range=(low, high),
            y_range=(min(float(found.noise[-1]), low), max(float(found.noise[0]), high)),
        ),
        corpus.words,
        found.share,
        found.noise,
        tell,
        _labelled_words(corpus.types),
        chosen,
        tr("Noise distribution of {name}, exponent {alpha:.2f}", name=corpus.name, alpha=alpha),
    )
    caption = tr(
        "{favoured} of {words} are drawn more often than they occur in the corpus.",
        favoured=count(found.favoured),
        words=plural(corpus.types, "word"),
    )
    return figure, caption


def _reference(name: str, x: Doubles, y: Doubles) -> ChartSeries:
    return ChartSeries(x, y, name, line=True, dots=False, role="muted", dashed=True)


def _curve(name: str, x: Doubles, y: Doubles, role: str = "accent") -> ChartSeries:
    return ChartSeries(x, y, name, line=True, dots=False, role=role)


def _share_range(corpus: Corpus) -> Interval:
    """The smallest and the largest share of a word in the tokens."""
    total = max(corpus.tokens, 1)
    low, high = float(corpus.counts[-1] / total), float(corpus.counts[0] / total)
    return low, max(high, low * 10)


def _labelled_words(types: int) -> tuple[int, ...]:
    """Indices of the labelled words, most frequent first, evenly spaced on a logarithmic axis."""
    return tuple(
        np.unique(np.geomspace(1, max(types, 1), min(_NAMED, types)).astype(int) - 1).tolist()
    )
