"""Settings that one algorithm takes over from another."""

from __future__ import annotations

import pytest

from workbench.core.params import Value
from workbench.models.base import MODELS
from workbench.session.training.carried_settings import carried_settings

CHANGES: dict[str, Value] = {
    "window": 10,
    "negative": 15,
    "min_count": 2,
    "epochs": 20,
    "learning_rate": 0.1,
}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("cbow", {"window", "negative", "min_count", "epochs"}),
        # An epoch over cells isn’t comparable, and neither is the learning rate.
        ("glove", {"window", "min_count"}),
        ("svd", {"window", "min_count"}),
    ],
)
def test_what_both_have_goes_from_sgns_to_others(after: str, expected: set[str]) -> None:
    values = carried_settings(MODELS["sgns"], CHANGES, MODELS[after])
    assert values == {name: CHANGES[name] for name in expected}


def test_a_value_out_of_bounds_stays_where_it_is() -> None:
    assert carried_settings(MODELS["sgns"], {"negative": 1000, "dim": -1}, MODELS["cbow"]) == {}
