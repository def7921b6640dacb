"""What the lenses draw: figures of a corpus's words, with a sentence under each."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.lenses import noise, subsampling
from workbench.analysis.zipf import ZipfFit
from workbench.corpus.corpus import Corpus
from workbench.ui.text import count, decimal, plural
from workbench.ui.widgets.curve_paint import Axis, Figure, Series

# So many words are written on a figure.
_NAMED = 14


def zipf_figure(corpus: Corpus, fit: ZipfFit | None, problem: str = "", chosen: int = -1) -> tuple[Figure, str]:
    """Count by rank, with the law of slope −1 and the fitted line; ``problem`` says why there is none."""
    ranks = np.arange(1, corpus.types + 1, dtype=np.float64)
    counts = corpus.counts.astype(np.float64)
    top = max(float(counts[0]), 10.0)
    law = Series(ranks, counts[0] / ranks, "muted", True, "count ∝ 1/rank")
    series: tuple[Series, ...] = (law, Series(ranks, counts, "accent", legend="the corpus"))
    caption = problem or "Fitting the exponent …"
    if fit is not None:
        inside = ranks[: fit.words]
        legend = f"fitted: count ∝ 1/rank^{decimal(fit.slope, 3)}"
        series = (law, series[1], Series(inside, fit.at_rank(inside), "danger", False, legend))
        digits = max(0, min(4, 1 - math.floor(math.log10(max(fit.slope_error, 1e-4)))))
        caption = (
            f"s = {fit.slope:.{digits}f} ± {fit.slope_error:.{digits}f} in count ∝ rank⁻ˢ (α = {fit.alpha:.2f} "
            f"of the counts), maximum likelihood over the {count(fit.words)} words counted at least "
            f"{count(fit.least)} times, ranks 1 to {count(fit.words)}; greatest distance "
            f"D = {decimal(fit.distance, 2)} (Clauset, Shalizi & Newman 2009)"
        )

    def tell(n: int) -> str:
        return f"{corpus.words[n]}\nrank {count(n + 1)} · {count(int(corpus.counts[n]))} ×"

    figure = Figure(
        Axis("rank", 1.0, max(float(corpus.types), 10.0)), Axis("count", 1.0, top), series, corpus.words, ranks,
        counts, tell, _spread(corpus.types), chosen, f"Zipf’s law in {corpus.name}",
    )  # fmt: skip
    return figure, caption


def subsampling_figure(corpus: Corpus, t: float, chosen: int = -1) -> tuple[Figure, str]:
    """The share of its tokens that each word keeps at the threshold ``t``, by both published rules."""
    found = subsampling(corpus.counts, t)

    def tell(n: int) -> str:
        return (
            f"{corpus.words[n]}\n{decimal(100 * found.share[n], 3)} % of tokens\n"
            f"kept {decimal(100 * found.program[n], 3)} %, by the paper {decimal(100 * found.paper[n], 3)} %"
        )

    figure = Figure(
        _shares(corpus), Axis("tokens kept", 0.0, 1.0, False, 100.0, " %"),
        (
            Series(found.share, found.paper, "muted", True, "the paper: √(t/f)"),
            Series(found.share, found.program, "accent", False, "word2vec: (√(f/t) + 1)·t/f"),
        ),
        corpus.words, found.share, found.program, tell, _spread(corpus.types), chosen,
        f"Subsampling of {corpus.name} at t = {t:.2g}",
    )  # fmt: skip
    caption = (
        f"{plural(found.touched, 'word')} of {count(corpus.types)} lose tokens; "
        f"{100 * found.left:.1f} % of all tokens are left ({100 * found.paper_left:.1f} % by the paper’s rule)."
    )
    return figure, caption


def noise_figure(corpus: Corpus, alpha: float, chosen: int = -1) -> tuple[Figure, str]:
    """The noise distribution of exponent ``alpha`` against the unigram distribution."""
    found = noise(corpus.counts, alpha)

    def tell(n: int) -> str:
        times = found.noise[n] / found.share[n]
        return (
            f"{corpus.words[n]}\n{decimal(100 * found.share[n], 3)} % of tokens\n"
            f"{decimal(100 * found.noise[n], 3)} % of the noise: {decimal(times, 2)} ×"
        )

    shares = _shares(corpus)
    low, high = float(min(found.noise[-1], shares.low)), float(max(found.noise[0], shares.high))
    figure = Figure(
        shares, Axis("share of the noise", low, high, True, 100.0, " %"),
        (
            Series(found.share, found.share, "muted", True, "as in the text (α = 1)"),
            Series(found.share, found.noise, "accent", False, f"n^{alpha:.2f} / Σ n^{alpha:.2f}"),
        ),
        corpus.words, found.share, found.noise, tell, _spread(corpus.types), chosen,
        f"Noise distribution of {corpus.name}, exponent {alpha:.2f}",
    )  # fmt: skip
    caption = f"{count(found.favoured)} of {plural(corpus.types, 'word')} are drawn more often than they are read."
    return figure, caption


def _shares(corpus: Corpus) -> Axis:
    total = max(corpus.tokens, 1)
    low, high = corpus.counts[-1] / total, corpus.counts[0] / total
    return Axis("share of all tokens", float(low), float(max(high, low * 10)), True, 100.0, " %")


def _spread(types: int) -> tuple[int, ...]:
    """Numbers of words from the most frequent to the rarest, evenly on a logarithmic axis."""
    return tuple(np.unique(np.geomspace(1, max(types, 1), min(_NAMED, types)).astype(int) - 1).tolist())
