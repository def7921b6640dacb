"""The shape of a space as columns of a table and as charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from workbench.analysis.shape.report import (
    CENTRED,
    PLAIN,
    TOKEN_CENTRED,
    TOP,
    WHITENED,
    Shape,
    ShapeReport,
    rank_correlation,
)
from workbench.core.arrays import Doubles, Ints
from workbench.core.language import percent, tr
from workbench.ui.base.text import count, decimal, mark_unknown, true_minus
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.tables.table_model import TableColumn

LENGTH, INFORMATION, BOTH, SPECTRUM, HUBS = "length", "information", "both", "spectrum", "hubs"
FIGURES: Mapping[str, str] = MappingProxyType(
    {
        LENGTH: tr("Length by frequency"),
        INFORMATION: tr("Information by frequency"),
        BOTH: tr("Length by information"),
        SPECTRUM: tr("Spectrum"),
        HUBS: tr("Hubs"),
    }
)


def variant_title(shape: Shape) -> str:
    """The name of a variant."""
    titles = {
        PLAIN: tr("as they are"),
        CENTRED: tr("centred by types"),
        TOKEN_CENTRED: tr("centred by tokens"),
        TOP: tr("all but the top {value:.0f}", value=shape.value),
        WHITENED: tr("whitened, β = {value:g}", value=shape.value),
    }
    return titles[shape.kind]


def variant_columns(report: ShapeReport) -> list[TableColumn]:
    """A row for each variant."""
    shapes = report.variants
    columns = [
        TableColumn(tr("variant"), [variant_title(one) for one in shapes], stretch=True),
        TableColumn(
            tr("cosine, types"),
            [one.by_types for one in shapes],
            tr("Mean cosine of two different words, drawn alike: high in a cone"),
            text=_three,
        ),
        TableColumn(
            tr("cosine, tokens"),
            [one.by_tokens for one in shapes],
            tr("Mean cosine of two different words, drawn as often as they occur"),
            text=_three,
        ),
        TableColumn(
            tr("effective rank"),
            [one.spectrum.effective_rank for one in shapes],
            tr("exp of the entropy of the singular values (Roy & Vetterli 2007)"),
            text=_one,
        ),
        TableColumn(
            tr("first direction"),
            [one.spectrum.first for one in shapes],
            tr("Share of the largest variance"),
            text=_share,
            spare=2,
        ),
        TableColumn(
            tr("hub skewness"),
            [one.hubs.skewness for one in shapes],
            tr("Skewness of the k-occurrences: above about 1, there are hubs"),
            text=_two,
        ),
        TableColumn(
            tr("largest hub"),
            [one.hubs.largest for one in shapes],
            tr("Number of words that have the largest hub among their nearest"),
            text=count,
            spare=1,
        ),
        TableColumn(
            tr("never"),
            [one.hubs.never for one in shapes],
            tr("Share of words that are nobody’s neighbour"),
            text=_share,
            spare=3,
        ),
    ]
    if any(one.similarity is not None for one in shapes):
        values = [math.nan if one.similarity is None else one.similarity for one in shapes]
        tip = tr("Correlation with human ratings (Spearman)")
        columns.append(TableColumn(tr("similarity"), values, tip, text=_three))
    return columns


def shape_chart(report: ShapeReport, words: Sequence[str], which: str) -> Chart | None:
    """One of FIGURES; None if it needs a text or frequencies that are missing."""
    charts: Mapping[str, Callable[[ShapeReport, Sequence[str]], Chart | None]] = {
        LENGTH: _length,
        INFORMATION: _information,
        BOTH: _both,
        SPECTRUM: _spectrum,
        HUBS: _hubs,
    }
    return charts[which](report, words)


def shape_fact(report: ShapeReport, words: Sequence[str], which: str) -> str:
    """A sentence about a figure."""
    if which in (SPECTRUM, HUBS):
        plain = report.variants[0]
        if which == SPECTRUM:
            return tr(
                "Length of the mean vector, as a share of the mean length: by types {even}, by "
                "tokens {weighted}.",
                even=_share(report.mean_types),
                weighted=_share(report.mean_tokens),
            )
        order = np.argsort(-plain.hubs.occurrences, kind="stable")[:8].tolist()
        return tr("Largest hubs: {words}.", words=", ".join(words[at] for at in order))
    if report.counts is None:
        return tr("The frequencies of these words are unknown.")
    counts = report.counts.astype(np.float64)
    if which == LENGTH:
        rho = rank_correlation(report.norms, counts)
        return tr("Correlation (Spearman) of length and frequency: {rho}.", rho=_two(rho))
    if report.information is None:
        return tr("Open the text of these vectors to see the information of its words.")
    here, there = _places(report)
    divergence, floor = report.information.divergence[there], report.information.floor[there]
    if which == INFORMATION:
        return tr(
            "Correlation (Spearman) with frequency: {rho}, above the sampling floor {above}. The "
            "floor is the information that as many contexts have by chance.",
            rho=_two(rank_correlation(divergence, counts[here])),
            above=_two(rank_correlation(divergence - floor, counts[here])),
        )
    if report.squared is None:
        return tr("These vectors have no context vectors, which weigh the lengths.")
    return tr(
        "Correlation (Spearman): {rho}. On the line, the squared length, weighted by the contexts, "
        "is 2 KL (Oyama et al. 2023).",
        rho=_two(rank_correlation(report.squared[here], divergence)),
    )


def _places(report: ShapeReport) -> tuple[Ints, Ints]:
    """int64[m], the words with known information, among those of the report and of the
    information.
    """
    assert report.information is not None
    places = {row: at for at, row in enumerate(report.rows.tolist())}
    both = [
        (places[row], at)
        for at, row in enumerate(report.information.rows.tolist())
        if row in places
    ]
    pairs = np.array(both, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _dots(x: Doubles, y: Doubles, words: Sequence[str], name: str = "") -> ChartSeries:
    texts = [
        f"{word}\n{decimal(a)}, {decimal(b)}"
        for word, a, b in zip(words, x.tolist(), y.tolist(), strict=True)
    ]
    return ChartSeries(x, y, name, texts=texts, keys=list(words))


def _length(report: ShapeReport, words: Sequence[str]) -> Chart | None:
    if report.counts is None:
        return None
    known = np.flatnonzero(report.counts > 0)
    dots = _dots(
        report.counts[known].astype(np.float64),
        report.norms[known],
        [words[at] for at in known.tolist()],
    )
    return Chart(tr("occurrences"), tr("length"), (dots,), log_x=True)


def _information(report: ShapeReport, words: Sequence[str]) -> Chart | None:
    if report.information is None or report.counts is None:
        return None
    here, there = _places(report)
    x = report.counts[here].astype(np.float64)
    order = np.argsort(x, kind="stable")
    found = report.information
    names = [words[at] for at in here.tolist()]
    floor = ChartSeries(
        x[order],
        found.floor[there][order],
        tr("sampling floor"),
        role="muted",
    )
    dots = _dots(x, found.divergence[there], names, tr("words"))
    return Chart(tr("occurrences"), tr("KL, nats"), (dots, floor), log_x=True, log_y=True)


def _both(report: ShapeReport, words: Sequence[str]) -> Chart | None:
    if report.information is None or report.squared is None:
        return None
    here, there = _places(report)
    x, y = 2 * report.information.divergence[there], report.squared[here]
    known = np.flatnonzero((x > 0) & (y > 0))
    if not len(known):
        return None
    names = [words[here[at]] for at in known.tolist()]
    ends = np.array([x[known].min(), x[known].max()])
    line = ChartSeries(ends, ends, tr("equal"), line=True, dots=False, role="muted", dashed=True)
    dots = _dots(x[known], y[known], names, tr("words"))
    up = tr("squared length, weighted by the contexts")
    return Chart(tr("2 KL, nats"), up, (dots, line), log_x=True, log_y=True)


def _spectrum(report: ShapeReport, words: Sequence[str]) -> Chart:
    series = []
    for number, shape in enumerate(report.variants):
        total = float(shape.spectrum.variances.sum()) or 1.0
        shares = shape.spectrum.variances / total
        ranks = np.arange(1.0, len(shares) + 1)
        known = shares > 0
        series.append(
            ChartSeries(
                ranks[known],
                shares[known],
                variant_title(shape),
                number,
                line=True,
                dots=False,
            )
        )
    return Chart(tr("direction"), tr("share of the variance"), tuple(series), log_y=True)


def _hubs(report: ShapeReport, words: Sequence[str]) -> Chart:
    series = []
    for number, shape in enumerate(report.variants):
        order = np.argsort(-shape.hubs.occurrences, kind="stable")
        y = shape.hubs.occurrences[order].astype(np.float64)
        first = shape is report.variants[0]
        names = [words[at] for at in order.tolist()]
        series.append(
            ChartSeries(
                np.arange(1.0, len(y) + 1),
                y,
                variant_title(shape),
                number,
                line=True,
                dots=False,
                texts=[f"{word}\n{count(int(n))}" for word, n in zip(names, y, strict=True)]
                if first
                else (),
                keys=names if first else (),
            )
        )
    return Chart(tr("word, by rank"), tr("neighbour of so many words"), tuple(series), log_x=True)


@mark_unknown
def _share(value: float) -> str:
    return percent(true_minus(f"{100 * value:.1f}"))


@mark_unknown
def _three(value: float) -> str:
    return true_minus(f"{value:.3f}")


@mark_unknown
def _two(value: float) -> str:
    return true_minus(f"{value:.2f}")


@mark_unknown
def _one(value: float) -> str:
    return true_minus(f"{value:.1f}")
