"""Fit of the products of the vectors to their target, as the Theory panel computes it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import Figures, FitOptions, fit
from workbench.analysis.theory.targets import (
    SCORES,
    TARGETS,
    TargetSettings,
    declared_target,
)
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import mark as tr
from workbench.corpus.corpus import Corpus
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.words import PageWords

TOP = 2_000
_BINS, _POINTS = 64, 1_000

_TEXTS = {
    "fit": tr("Theory"),
    "fit_title": tr("Fit of the model"),
    "fit_note": tr(
        "Each observed pair of the {number} most frequent words: its target {target} across, "
        "{score} of the model up, in nats. On the dashed line, both are equal. A stronger colour "
        "means more pairs."
    ),
    "fit_label": tr("Density of {number} pairs: {target} across, {score} up"),
    "fit_target": tr("The target: {target} = {formula}."),
    "fit_pair": tr("{word} and {context}: {target} = {value}, {score} = {product}"),
    "fit_tap": tr("Choose a place in the figure to see a pair near it."),
    "fit_next": tr("Show another pair"),
    "pairs": tr("Pairs"),
    "fit_band": tr("Pair count"),
    "fit_all": tr("all"),
    "fit_band_from": tr("{low} or more"),
    "fit_band_below": tr("below {high}"),
    "fit_band_between": tr("{low} to {high}"),
    "r2": tr("R²"),
    "slope": tr("Slope"),
    "rms": tr("RMS error"),
    "mean_difference": tr("Mean difference"),
    "fit_weighted": tr("Weighted as in the algorithm’s loss."),
    "unseen": tr("Unobserved pairs: {number}, with a mean {score} of {mean}."),
}


def fit_section(page: PageWords, corpus: Corpus, run: JobControl) -> PageSection | None:
    """The fit; None if the algorithm has no target or the vectors lack what it needs. Raises
    Cancelled.
    """
    known, model = page.subject.metadata, page.embeddings
    own = declared_target(str(known.get("algorithm", "")))
    if own.missing:
        return None
    parameters = known.get("parameters", {})
    try:
        pairs = count_pairs(corpus, PairCountSettings.of(parameters), TOP, model, run)
        scores = PairScores(model, pairs, own.score)
        found = fit(
            pairs,
            TargetSettings.of(parameters),
            own.target,
            own,
            scores,
            FitOptions(bins=_BINS, sample=_POINTS),
            run,
        )
    except UserError:
        return None
    names = page.numbers(pairs.words)
    target = TARGETS[own.target]
    return PageSection(
        "fit",
        ("fit.js",),
        {
            "words": len(pairs.words),
            "pairs": found.pairs,
            "low": found.low,
            "high": found.high,
            "target": target.title,
            "formula": target.formula,
            "score": SCORES[own.score],
            "all": _figures(found.weighted),
            "bands": [
                {
                    "low": band.low,
                    "high": band.high if math.isfinite(band.high) else None,
                    "pairs": band.pairs,
                    **_figures(band.weighted),
                }
                for band in found.bands
            ],
            "unseen": found.unseen_pairs,
            "unseenMean": _finite(found.unseen_mean),
        },
        {
            "histogram": np.minimum(found.histogram, 2**32 - 1).astype(np.uint32),
            "targets": found.targets.astype(np.float32),
            "scores": found.scores.astype(np.float32),
            "rows": names[found.rows],
            "columns": names[found.columns],
        },
        _TEXTS,
    )


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        "r2": _finite(figures.r2),
        "slope": _finite(figures.slope),
        "difference": _finite(figures.mean_difference),
        "rms": _finite(figures.rms),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
