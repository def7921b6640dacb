"""What finished trainings took corrects the estimate of the next, by algorithm and length."""

from __future__ import annotations

import pytest

from workbench.core.paths import cache_folder
from workbench.models.base import Estimate
from workbench.session import pacing
from workbench.session.pacing import Paces, calibrate


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setattr(pacing, "is_compiled", lambda name: True)


def took(seconds: float) -> dict[str, float]:
    return {
        "counting": 0.25 * seconds,
        "training": 0.5 * seconds,
        "saving": 0.25 * seconds,
        "compiling": 99.0,
    }


def test_before_anything_is_known_the_range_is_wide() -> None:
    span = Paces().expect("sgns", 2.0)
    assert span.likely > 2
    assert span.most > 2.5 * span.likely


def test_a_machine_that_is_four_times_slower_is_known_after_a_few() -> None:
    for estimated in (0.1, 1.0, 3.0, 10.0, 30.0):
        Paces().learn("sgns", estimated, took(4 * (0.5 + estimated)))
    span = Paces().expect("sgns", 5.0)
    assert span.likely == pytest.approx(4 * 5.5)
    assert 1.2 <= span.most / span.likely < 2
    # Of an algorithm that was never trained, what is known of the machine counts, less surely.
    other = Paces().expect("glove", 5.0)
    assert other.likely == pytest.approx(4 * 5.5)
    assert other.most >= 1.9 * other.likely
    assert calibrate(Estimate(1, 1, 1, 5.0), "sgns", load=1.0).seconds == pytest.approx(4 * 5.5)


def test_one_that_was_disturbed_does_not_decide_and_lengths_count() -> None:
    for _ in range(4):
        Paces().learn("sgns", 0.1, took(6.0))
        Paces().learn("sgns", 100.0, took(201.0))
    Paces().learn("sgns", 100.0, took(5000.0))
    assert Paces().expect("sgns", 0.1).likely == pytest.approx(6.0)
    assert Paces().expect("sgns", 100.0).likely == pytest.approx(201.0)


def test_only_the_latest_are_remembered() -> None:
    for _ in range(40):
        Paces().learn("sgns", 1.0, took(15.0))
    for _ in range(24):
        Paces().learn("sgns", 1.0, took(3.0))
    assert Paces().expect("sgns", 1.0).likely == pytest.approx(3.0)


def test_load_and_compiling_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        Paces().learn("sgns", 1.0, took(3.0))
    calm, busy = (calibrate(Estimate(1, 1, 1, 1.0), "sgns", load=load) for load in (0.3, 4.0))
    assert calm.seconds == busy.seconds == pytest.approx(3.0)
    assert calm.most_seconds is not None
    assert busy.most_seconds == pytest.approx(4 * calm.most_seconds)
    monkeypatch.setattr(pacing, "is_compiled", lambda name: False)
    first = calibrate(Estimate(1, 1, 1, 1.0), "sgns", load=0.0)
    assert first.seconds is not None
    assert first.most_seconds is not None
    assert first.seconds >= 3 + 10
    assert first.most_seconds > first.seconds
    # Of a grid, the first alone.
    assert calibrate(Estimate(1, 1, 1, 1.0), "sgns", load=0.0, compiling=False) == calm
    unknown = Estimate(1, 1, 1, None)
    assert calibrate(unknown, "sgns", load=1.0) is unknown


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"sgns": 3}', '{"sgns": [[1, "a"]]}', '{"sgns": [[1]]}', "[" * 99_999]
)
def test_a_damaged_file_starts_anew(text: str) -> None:
    (cache_folder() / "paces.json").write_text(text)
    assert Paces().expect("sgns", 1.0).likely > 0
    Paces().learn("sgns", 1.0, took(3.0))
    assert Paces().expect("sgns", 1.0).likely == pytest.approx(3.0)


@pytest.mark.parametrize("estimated", [None, float("nan"), float("inf"), -1.0])
def test_what_was_not_estimated_teaches_nothing(estimated: float | None) -> None:
    Paces().learn("sgns", estimated, took(3.0))
    Paces().learn("sgns", 1.0, {})
    assert not (cache_folder() / "paces.json").exists()
