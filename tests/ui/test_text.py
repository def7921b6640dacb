"""How numbers and times are written."""

from __future__ import annotations

import pytest

from workbench.ui.text import about


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.2, "below 1 s"), (4.2, "about 4 s"), (130, "about 2 min 10 s"), (3900, "about 1 h 5 min")]
)
def test_an_estimate_says_once_that_it_is_one(seconds: float, told: str) -> None:
    assert about(seconds) == told
