"""Format of numbers and times."""

from __future__ import annotations

import pytest

from workbench.ui.base.text import approximate_duration, duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "below 1 s"), (4.2, "about 4 s"), (130, "about 2 min 10 s"), (3900, "about 1 h 5 min")],
)
def test_an_estimate_says_once_that_it_is_one(seconds: float, text: str) -> None:
    assert approximate_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (59.4, "59 s"),
        (59.7, "1 min"),
        (60.2, "1 min"),
        (61, "1 min 1 s"),
        (3599.6, "1 h"),
        (7200, "2 h"),
    ],
)
def test_a_time_span_is_rounded_into_the_unit_that_it_reaches(seconds: float, text: str) -> None:
    assert duration(seconds) == text
