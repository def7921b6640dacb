from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest

from workbench.core.errors import ParameterError, UserError
from workbench.core.params import Params, param, redeclare


@dataclass(frozen=True)
class Window(Params):
    window: int = param(
        5, "How far a window reaches.", symbol="L", low=1, high=1000, unit="words", basic=True
    )
    rate: float = param(0.025, "Step size.", low=0.0, low_open=True, high=1.0)
    weighting: str = param("dynamic", "Weights.", choices=("dynamic", "fixed"))
    lowercase: bool = param(True, "Fold case.")
    note: str = param("", "Free text.")


@dataclass(frozen=True)
class Grams(Params):
    min_n: int = param(3, "Shortest n-gram.", low=0, high=20)
    max_n: int = param(6, "Longest n-gram.", low=0, high=20)

    def conflicts(self) -> dict[str, str]:
        if self.max_n < self.min_n:
            return {"max_n": f"max_n must be at least min_n, {self.min_n}, not {self.max_n}."}
        return {}


@dataclass(frozen=True)
class NarrowWindow(Window):
    window: int = redeclare(Window, "window", 2, "LGD15, hyperwords", high=10)


def test_defaults_are_valid_and_in_order() -> None:
    assert Window().to_dict() == {
        "window": 5,
        "rate": 0.025,
        "weighting": "dynamic",
        "lowercase": True,
        "note": "",
    }


def test_every_error_is_reported_at_once() -> None:
    with pytest.raises(ParameterError) as error:
        Window(window=0, rate=0.0, weighting="round", lowercase="perhaps")  # type: ignore[arg-type]
    assert list(error.value.errors) == ["window", "rate", "weighting", "lowercase"]
    assert error.value.errors["window"] == "window must be a whole number from 1 to 1,000, not 0."
    assert error.value.errors["rate"] == "rate must be a number above 0 and up to 1, not 0."
    assert (
        error.value.errors["weighting"] == "weighting must be one of dynamic, fixed, not “round”."
    )
    assert isinstance(error.value, UserError)
    assert all(sentence in str(error.value) for sentence in error.value.errors.values())


def test_from_mapping_reports_unknown_names_with_other_errors() -> None:
    with pytest.raises(ParameterError) as error:
        Window.from_mapping({"window": "many", "width": 3, "rate": "0.1"})
    assert set(error.value.errors) == {"window", "width"}
    assert "window, rate, weighting" in error.value.errors["width"]


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("window", "7", 7),
        ("window", "1,000", 1000),
        ("window", 7.0, 7),
        ("window", np.int64(7), 7),
        ("rate", "1e-3", 0.001),
        ("rate", 1, 1.0),
        ("rate", np.float32(0.5), 0.5),
        ("lowercase", "no", False),
        ("lowercase", "TRUE", True),
        ("lowercase", False, False),
        ("weighting", "fixed", "fixed"),
    ],
)
def test_text_and_json_become_the_declared_type(name: str, raw: object, expected: object) -> None:
    value = Window.from_mapping({name: raw}).to_dict()[name]
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("window", "1,5"),
        ("window", 2.5),
        ("window", np.float32(2.5)),
        ("window", True),
        ("window", None),
        ("window", ""),
        ("window", 1001),
        ("rate", "nan"),
        ("rate", float("inf")),
        ("rate", True),
        ("rate", "0,1"),
        ("rate", 10**400),
        ("lowercase", 1),
        ("lowercase", "2"),
        ("weighting", 3),
        ("note", 3),
    ],
)
def test_invalid_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(ParameterError) as error:
        Window.from_mapping({name: value})
    assert list(error.value.errors) == [name]


def test_bounds_are_inclusive_unless_open() -> None:
    assert Window(window=1).window == 1
    assert Window(window=1000).window == 1000
    assert Window(rate=1.0).rate == 1.0


def test_conflicts_are_looked_for_once_every_value_is_good() -> None:
    with pytest.raises(ParameterError) as error:
        Grams(min_n=5, max_n=4)
    assert list(error.value.errors) == ["max_n"]
    # 2 does not conflict with the default of the invalid value, which wasn’t chosen
    with pytest.raises(ParameterError) as error:
        Grams.from_mapping({"min_n": "x", "max_n": 2})
    assert list(error.value.errors) == ["min_n"]


def test_mapping_and_json_round_trip() -> None:
    params = Window(window=3, rate=0.5, lowercase=False, note="ä")
    assert Window.from_mapping(json.loads(json.dumps(params.to_dict()))) == params


def test_replace_validates_again() -> None:
    assert Window().replace(window=9).window == 9
    with pytest.raises(ParameterError):
        Window().replace(window=-1)


def test_redeclaring_changes_only_what_it_says() -> None:
    base, narrow = Window.spec("window"), NarrowWindow.spec("window")
    assert (narrow.default, narrow.high, narrow.source) == (2, 10, "LGD15, hyperwords")
    assert (narrow.doc, narrow.low, narrow.symbol, narrow.unit) == (base.doc, 1, "L", "words")
    assert Window().window == 5
    assert [spec.name for spec in NarrowWindow.specs()] == [spec.name for spec in Window.specs()]


def test_option_and_json_of_a_declaration() -> None:
    spec = Grams.spec("min_n")
    assert spec.option == "--min-n"
    description = json.loads(json.dumps(spec.to_json()))
    assert description["type"] == "int"
    assert (description["low"], description["high"], description["choices"]) == (0, 20, [])
    with pytest.raises(KeyError):
        Grams.spec("window")


def test_a_declaration_of_another_type_is_a_defect() -> None:
    @dataclass(frozen=True)
    class Odd(Params):
        maybe: int | None = param(1, "Not one of the four types.")

    with pytest.raises(TypeError, match="bool, int, float or str"):
        Odd()
