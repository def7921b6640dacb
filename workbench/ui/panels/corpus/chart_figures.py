"""Figures of the corpus charts with their captions: Zipf’s law, subsampling, noise distribution."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.corpus.zipf import ZipfFit
from workbench.analysis.theory.sampling_curves import noise, subsampling
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.ui.panels.corpus.curve_painting import Axis, CurveFigureData, CurveSeries
from workbench.ui.text import count, decimal, plural

# So many words are written on a figure.
_NAMED = 14


def zipf_figure(
    corpus: Corpus, fit: ZipfFit | None, problem: str = "", chosen: int = -1
) -> tuple[CurveFigureData, str]:
    """Count by rank, with the law of slope −1 and the fitted line; ``problem`` says why there is
    none.
    """
    ranks = np.arange(1, corpus.types + 1, dtype=np.float64)
    counts = corpus.counts.astype(np.float64)
    top = max(float(counts[0]), 10.0)
    law = CurveSeries(ranks, counts[0] / ranks, "muted", True, tr("count ∝ 1/rank"))
    series: tuple[CurveSeries, ...] = (
        law,
        CurveSeries(ranks, counts, "accent", legend=tr("the corpus")),
    )
    caption = problem or tr("Fitting the exponent …")
    if fit is not None:
        inside = ranks[: fit.words]
        legend = tr("fitted: count ∝ 1/rank^{decimal}", decimal=decimal(fit.slope, 3))
        series = (law, series[1], CurveSeries(inside, fit.at_rank(inside), "danger", False, legend))
        digits = max(0, min(4, 1 - math.floor(math.log10(max(fit.slope_error, 1e-4)))))
        caption = tr(
            "s = {slope} ± {error} in count ∝ rank⁻ˢ (α = {alpha:.2f} of the counts), maximum "
            "likelihood over the "
            "{words} words counted at least {least} times, ranks 1 to {words}; greatest distance "
            "D = {distance} "
            "(Clauset, Shalizi & Newman 2009)",
            slope=f"{fit.slope:.{digits}f}",
            error=f"{fit.slope_error:.{digits}f}",
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

    figure = CurveFigureData(
        Axis(tr("rank"), 1.0, max(float(corpus.types), 10.0)),
        Axis(tr("count"), 1.0, top),
        series,
        corpus.words,
        ranks,
        counts,
        tell,
        _labelled_words(corpus.types),
        chosen,
        tr("Zipf’s law in {name}", name=corpus.name),
    )
    return figure, caption


def subsampling_figure(corpus: Corpus, t: float, chosen: int = -1) -> tuple[CurveFigureData, str]:
    """The share of its tokens that each word keeps at the threshold ``t``, by both published
    rules.
    """
    found = subsampling(corpus.counts, t)

    def tell(n: int) -> str:
        return tr(
            "{word}\n{share} % of tokens\nkept {kept} %, by the paper {paper} %",
            word=corpus.words[n],
            share=decimal(100 * found.share[n], 3),
            kept=decimal(100 * found.program[n], 3),
            paper=decimal(100 * found.paper[n], 3),
        )

    figure = CurveFigureData(
        _share_axis(corpus),
        Axis(tr("tokens kept"), 0.0, 1.0, False, 100.0, " %"),
        (
            CurveSeries(found.share, found.paper, "muted", True, tr("the paper: √(t/f)")),
            CurveSeries(
                found.share, found.program, "accent", False, tr("word2vec: (√(f/t) + 1)·t/f")
            ),
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
        "{words} of {types} lose tokens; {left:.1f} % of all tokens are left ({paper:.1f} % by "
        "the paper’s rule).",
        words=plural(found.touched, "word"),
        types=count(corpus.types),
        left=100 * found.left,
        paper=100 * found.paper_left,
    )
    return figure, caption


def noise_figure(corpus: Corpus, alpha: float, chosen: int = -1) -> tuple[CurveFigureData, str]:
    """The noise distribution of exponent ``alpha`` against the unigram distribution."""
    found = noise(corpus.counts, alpha)

    def tell(n: int) -> str:
        times = found.noise[n] / found.share[n]
        return tr(
            "{word}\n{share} % of tokens\n{noise} % of the noise: {times} ×",
            word=corpus.words[n],
            share=decimal(100 * found.share[n], 3),
            noise=decimal(100 * found.noise[n], 3),
            times=decimal(times, 2),
        )

    shares = _share_axis(corpus)
    low, high = float(min(found.noise[-1], shares.low)), float(max(found.noise[0], shares.high))
    figure = CurveFigureData(
        shares,
        Axis(tr("share of the noise"), low, high, True, 100.0, " %"),
        (
            CurveSeries(found.share, found.share, "muted", True, tr("as in the text (α = 1)")),
            CurveSeries(
                found.share, found.noise, "accent", False, f"n^{alpha:.2f} / Σ n^{alpha:.2f}"
            ),
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
        "{favoured} of {words} are drawn more often than they are read.",
        favoured=count(found.favoured),
        words=plural(corpus.types, "word"),
    )
    return figure, caption


def _share_axis(corpus: Corpus) -> Axis:
    total = max(corpus.tokens, 1)
    low, high = corpus.counts[-1] / total, corpus.counts[0] / total
    return Axis(
        tr("share of all tokens"), float(low), float(max(high, low * 10)), True, 100.0, " %"
    )


def _labelled_words(types: int) -> tuple[int, ...]:
    """Numbers of words from the most frequent to the rarest, evenly on a logarithmic axis."""
    return tuple(
        np.unique(np.geomspace(1, max(types, 1), min(_NAMED, types)).astype(int) - 1).tolist()
    )
