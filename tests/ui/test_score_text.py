"""Format of scores."""

from __future__ import annotations

import math

import pytest

from workbench.analysis.evaluation.leaderboard import Score
from workbench.ui.panels.evaluate.score_texts import score_text


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(0.999, 0.9971, 0.9996, 1.0, 100), "99.9% (99 to 100)"),
        (Score(0.5, 0.29, 0.57, 1.0, 100), "50.0% (29 to 57)"),
        (Score(1.0, 1.0, 1.0, 1.0, 100), "100.0% (100 to 100)"),
        (Score(math.nan, math.nan, math.nan, 0.0, 0), "–"),
        (Score(0.5, math.nan, math.nan, 1.0, 9), "50.0%"),
        (Score(0.5, math.nan, math.nan, 1.0, 9, math.nan, 2), "50.0%"),
    ],
    ids=[
        "outwards",
        "no more than it must",
        "all right",
        "nothing known",
        "no interval",
        "no deviation",
    ],
)
def test_an_interval_holds_its_accuracy(score: Score, text: str) -> None:
    assert score_text(score, True) == text
