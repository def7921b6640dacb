"""Texts of leaderboard scores, with an interval or a deviation, and of coverage."""

from __future__ import annotations

import math

from workbench.analysis.evaluation.leaderboard import Score
from workbench.core.language import percent, plural, tr
from workbench.ui.base.text import MINUS, mark_unknown, true_minus, without_zero


@mark_unknown
def correlation_text(value: float) -> str:
    """0.514 → ".514", the usual form of correlations; "–" if unknown."""
    text = f"{abs(value):.3f}"
    short = without_zero(text)
    if value < 0 and float(text):
        return MINUS + short
    return short


@mark_unknown
def two_digit_text(value: float) -> str:
    """A correlation with two digits."""
    return correlation_text(round(value, 2))[:-1]


def score_text(score: Score | None, analogies: bool, *, brief: bool = False) -> str:
    """Score: "37.2% (35 to 39)", ".512 (.43 to .58)", for several seeds ".512 ± .008", "–" if
    unknown; ``brief``: without the interval or the deviation.
    """
    if score is None or math.isnan(score.value):
        return "–"
    alone = correlation_text(score.value)
    if analogies:
        alone = percent(true_minus(f"{100 * score.value:.1f}"))
    spread: tuple[float, ...] = (score.low, score.high)
    if score.runs > 1:
        spread = (score.deviation,)
    if brief or not all(map(math.isfinite, spread)):
        return alone
    if analogies:
        if score.runs > 1:
            return percent(true_minus(f"{100 * score.value:.1f} ± {100 * score.deviation:.1f}"))
        # Rounded outwards, or 99.9% could be beside "100 to 100".
        low, high = math.floor(round(100 * score.low, 6)), math.ceil(round(100 * score.high, 6))
        return tr("{value:.1f}% ({low} to {high})", value=100 * score.value, low=low, high=high)
    if score.runs > 1:
        return f"{correlation_text(score.value)} ± {correlation_text(score.deviation)}"
    return tr(
        "{value} ({low} to {high})",
        value=correlation_text(score.value),
        low=two_digit_text(score.low),
        high=two_digit_text(score.high),
    )


def share_text(score: Score | None) -> str:
    """Coverage of a set: "11%", "<1%", "–" if nothing was asked."""
    if score is None or not math.isfinite(score.covered):
        return "–"
    covered = 100 * score.covered
    if 0 < covered < 1:
        return percent("<1")
    # Rounded down, or all but one of many would be “100%”.
    return percent(f"{math.floor(covered):.0f}")


def score_tip(score: Score | None, analogies: bool) -> str:
    """Number of known items, coverage and seeds of a score, for a tooltip."""
    if score is None:
        return tr("Not scored yet")
    known = plural(score.asked, "known pair")
    if analogies:
        known = plural(score.asked, "known question")
    coverage = tr("{known}, {share} of the set", known=known, share=share_text(score))
    if score.runs > 1:
        coverage = tr(
            "Mean of {runs} seeds ± sample standard deviation; {covered}",
            runs=score.runs,
            covered=coverage,
        )
    if score.is_ranked:
        return coverage
    return tr(
        "{coverage}. Not ranked: less than a tenth of the set, or fewer than 30 items.",
        coverage=coverage,
    )
