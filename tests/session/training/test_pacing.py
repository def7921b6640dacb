"""Durations of finished trainings correct the estimate of the next, by algorithm, corpus and
length.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workbench.core.job_control import JobControl, Phase
from workbench.core.paths import cache_folder
from workbench.models.base import Estimate
from workbench.session.training import pacing
from workbench.session.training.pacing import Paces, calibrate

Train = Callable[..., float]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.setattr(pacing, "is_compiled", lambda name: True)


def took(seconds: float) -> dict[str, float]:
    return {"counting": 0.25 * seconds, "training": 0.75 * seconds, "saving": 9.0}


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> Train:
    """Train with a simulated clock, and record the times of the phases as a session does."""
    clock = [0.0]
    monkeypatch.setattr("workbench.core.job_control.time.perf_counter", lambda: clock[0])

    def run_phases(
        algorithm: str,
        estimate: float,
        work: float,
        corpus: str = "village",
        compiling: float = 0.0,
        saving: float = 0.5,
        load: float = 1.0,
    ) -> float:
        run = JobControl()
        for phase, seconds in (
            (Phase.COMPILING, compiling),
            (Phase.COUNTING, work / 4),
            (Phase.TRAINING, work * 3 / 4),
            (Phase.SAVING, saving),
        ):
            run.enter(phase)
            clock[0] += seconds
        run.enter(Phase.DONE)
        Paces().learn(algorithm, estimate, run.seconds, corpus, load)
        Paces().learn_rest(run.seconds)
        return compiling + work + saving

    return run_phases


def test_before_anything_is_known_the_range_is_wide() -> None:
    span = Paces().expect("sgns", 2.0, load=1.0)
    assert span.likely > 2
    assert span.most > 2.5 * span.likely


@pytest.mark.parametrize("slower", [0.3, 1.0, 4.0, 7.0])
@pytest.mark.parametrize("longer", [0.3, 1.0, 3.0, 30.0])
@pytest.mark.parametrize("compiling", [0.0, 12.0])
def test_after_the_first_run_the_estimate_is_within_half(
    train: Train, slower: float, longer: float, compiling: float
) -> None:
    """Compiling and saving aren’t part of the pace of a longer or shorter training."""
    train("glove", 2.0, slower * 2.0, compiling=compiling, saving=0.8)
    real = train("glove", longer * 2.0, slower * longer * 2.0, saving=0.8, corpus="elsewhere")
    span = Paces().expect("glove", longer * 2.0, "village", load=1.0)
    assert real / 1.5 < span.likely < 1.5 * real
    assert span.most == pytest.approx(1.5 * span.likely)


def test_runs_on_the_same_corpus_count_before_all_others(train: Train) -> None:
    """Templates give far fewer cells than the word counts suggest, a novel nearly as many."""
    for _ in range(5):
        train("svd", 3.0, 1.0, "templates")
    assert Paces().expect("svd", 3.0, "novel", 1.0).likely == pytest.approx(1.0 + 0.6)
    train("svd", 3.0, 9.0, "novel")
    assert Paces().expect("svd", 3.0, "novel", 1.0).likely == pytest.approx(9.0 + 0.6)
    assert Paces().expect("svd", 3.0, "templates", 1.0).likely == pytest.approx(1.0 + 0.6)


def test_other_algorithms_tell_about_the_machine(train: Train) -> None:
    for estimate in (0.1, 1.0, 3.0, 10.0, 30.0):
        train("sgns", estimate, 4 * estimate)
    span, other = (Paces().expect(name, 5.0, "village", 1.0) for name in ("sgns", "glove"))
    assert other.likely == pytest.approx(span.likely) == pytest.approx(20.6, rel=0.1)
    assert other.most > 1.5 * span.most
    calibration = calibrate(Estimate(1, 1, 1, 5.0), "sgns", "village", load=1.0)
    assert calibration.seconds == pytest.approx(span.likely)


def test_one_that_was_disturbed_does_not_decide_and_lengths_count(train: Train) -> None:
    for _ in range(4):
        train("sgns", 0.1, 6.0, saving=0)
        train("sgns", 100.0, 201.0, saving=0)
    train("sgns", 100.0, 5000.0, saving=0)
    assert Paces().expect("sgns", 0.1, "village", 1.0).likely == pytest.approx(6.1)
    assert Paces().expect("sgns", 100.0, "village", 1.0).likely == pytest.approx(201.1)


def test_a_machine_that_became_slower_is_followed_after_two(train: Train) -> None:
    for seconds in [3.0] * 20 + [15.0] * 2:
        train("sgns", 1.0, seconds, saving=0)
    assert Paces().expect("sgns", 1.0, "village", 1.0).likely == pytest.approx(15.1)


def test_a_load_of_other_processes_is_taken_into_account(train: Train) -> None:
    train("sgns", 1.0, 6.0, load=2.0)
    calm, usual, busy = (Paces().expect("sgns", 1.0, "village", load) for load in (0.3, 2.0, 4.0))
    assert [calm.likely, usual.likely, busy.likely] == pytest.approx([3.6, 6.6, 12.6])
    # A load of 1 is explained by the training’s own threads.
    assert Paces().expect("sgns", 1.0, "village", 1.0) == calm


def test_compiling_is_added_as_it_was_before(train: Train, monkeypatch: pytest.MonkeyPatch) -> None:
    train("sgns", 1.0, 3.0)
    calm = calibrate(Estimate(1, 1, 1, 1.0), "sgns", "village", load=1.0)
    monkeypatch.setattr(pacing, "is_compiled", lambda name: False)
    first = calibrate(Estimate(1, 1, 1, 1.0), "sgns", "village", load=1.0)
    assert calm.seconds is not None
    assert first.seconds is not None
    assert first.seconds >= calm.seconds + 10
    train("glove", 1.0, 3.0, compiling=4.0)
    known = calibrate(Estimate(1, 1, 1, 1.0), "sgns", "village", load=1.0)
    assert known.seconds == pytest.approx(calm.seconds + 4.0)
    # In a grid, only the first training has to compile.
    again = calibrate(Estimate(1, 1, 1, 1.0), "sgns", "village", load=1.0, compiling=False)
    assert again == calm
    unknown = Estimate(1, 1, 1, None)
    assert calibrate(unknown, "sgns", load=1.0) is unknown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"sgns": [[1, 3]]}',
        '{"trainings": {"sgns": 3}, "rest": [], "compiling": []}',
        '{"trainings": {"sgns": [[1, "a", "", 1]]}, "rest": [], "compiling": []}',
        '{"trainings": {"sgns": [[1, 0, "", 1]]}, "rest": [], "compiling": []}',
        '{"trainings": {}, "rest": [NaN], "compiling": []}',
        "[" * 99_999,
    ],
)
def test_a_damaged_file_counts_as_empty(text: str) -> None:
    (cache_folder() / "paces.json").write_text(text)
    assert Paces().expect("sgns", 1.0).likely > 0
    Paces().learn("sgns", 1.0, took(3.0), load=1.0)
    assert Paces().expect("sgns", 1.0, load=1.0).likely == pytest.approx(3.5)


@pytest.mark.parametrize("estimate", [None, float("nan"), float("inf"), -1.0])
def test_what_was_not_estimated_teaches_nothing(estimate: float | None) -> None:
    Paces().learn("sgns", estimate, took(3.0))
    Paces().learn("sgns", 1.0, {})
    assert not (cache_folder() / "paces.json").exists()
