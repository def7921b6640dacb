"""The floor of a run’s loss: computed during its training, saved, and loaded again."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.theory.loss_floor import FloorCost, loss_floor
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import LAST_EPOCH, OBJECTIVE, FinalLoss, JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.runs import final_loss
from workbench.session.runs import loss_floor as module
from workbench.session.runs.loss_floor import (
    COSTLY,
    ENDED,
    FAILED,
    KEY,
    KNOWN,
    NONE,
    Floor,
    FloorWorker,
    compute_floor,
    declared_floor,
    explain_negative_gap,
    format_floor,
    published_floor,
    read,
    to_json,
)
from workbench.session.training.train_api import train_run

SGNS = MODELS["sgns"]
SMALL = SGNS.params_type.from_mapping({"dim": 8, "epochs": 2, "min_count": 1, "threads": 1})


@pytest.fixture
def corpus() -> Corpus:
    return markov_corpus(4000)


def test_a_training_publishes_it_while_it_trains(corpus: Corpus) -> None:
    """The training continues until the watcher has read the floor."""
    run = JobControl()
    seen: list[Floor] = []

    def watch() -> None:
        while not run.progress.phase.over and run.latest(KEY) is None:
            pass
        assert run.progress.phase in (Phase.TRAINING, Phase.COUNTING)
        seen.append(run.latest(KEY))
        run.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    endless = SGNS.params_type.from_mapping({**SMALL.to_dict(), "epochs": 10_000})
    vectors = train_run(corpus, "sgns", endless, run)
    watcher.join()
    assert seen == [Floor(loss_floor(corpus, SGNS, SMALL))]
    assert vectors.metadata["stopped"]
    assert read(vectors.metadata) == seen[0]


def test_it_waits_for_the_training_to_have_counted(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    phases: list[Phase] = []
    run = JobControl()

    def compute(*_: object) -> Floor:
        phases.append(run.progress.phase)
        return Floor(1.0)

    monkeypatch.setattr(module, "compute_floor", compute)
    kind = MODELS["skipgram-softmax"]
    params = kind.params_type.from_mapping({"dim": 4, "min_count": 1, "threads": 1, "epochs": 300})
    train_run(corpus, kind.key, params, run)
    assert phases == [Phase.TRAINING]


def test_of_a_stopped_training_it_is_not_waited_for(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = threading.Event()

    def compute(_corpus: object, _kind: object, _params: object, own: JobControl, _: bool) -> Floor:
        started.set()
        while True:
            own.check()

    monkeypatch.setattr(module, "compute_floor", compute)
    run = JobControl()
    with FloorWorker(corpus, SGNS, SMALL, run) as worker:
        run.enter(Phase.TRAINING)
        assert started.wait(10)
        run.stop()
        worker.finish()
    assert published_floor(run) == Floor(None, ENDED)


def test_cancelling_ends_its_thread(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(_corpus: object, _kind: object, _params: object, own: JobControl, _: bool) -> Floor:
        while True:
            own.check()

    monkeypatch.setattr(module, "compute_floor", compute)
    run, before = JobControl(), threading.active_count()
    with pytest.raises(Cancelled), FloorWorker(corpus, SGNS, SMALL, run) as worker:
        run.cancel()
        worker.finish()
    assert threading.active_count() == before


def test_a_training_is_not_lost_over_its_floor(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "loss_floor", fail)
    vectors = train_run(corpus, "sgns", SMALL, JobControl())
    floor = read(vectors.metadata)
    assert floor is not None
    assert (floor.value, floor.state) == (None, FAILED)
    assert floor.reason.endswith(".")


@pytest.mark.parametrize("error", [UserError("No room."), MemoryError()])
def test_what_is_in_the_way_is_said(
    corpus: Corpus, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> float:
        raise error

    monkeypatch.setattr(module, "loss_floor", fail)
    floor = compute_floor(corpus, SGNS, SMALL, JobControl())
    assert floor.state == FAILED
    assert floor.reason


def test_a_costly_one_is_left_until_somebody_asks(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "floor_cost", lambda *_: FloorCost(40.0, False))
    assert compute_floor(corpus, SGNS, SMALL, JobControl(), False) == Floor(None, COSTLY, 40.0)
    vectors = train_run(corpus, "sgns", SMALL, JobControl())
    assert read(vectors.metadata) == Floor(None, COSTLY, 40.0)
    vectors = train_run(corpus, "sgns", SMALL, JobControl(), floor=True)
    assert read(vectors.metadata) == Floor(loss_floor(corpus, SGNS, SMALL))


def test_some_are_known_without_counting() -> None:
    assert declared_floor(MODELS["cbow"]) == declared_floor(MODELS["svd"]) == Floor(None, NONE)
    assert declared_floor(MODELS["glove"]) == Floor(0.0)
    assert declared_floor(SGNS) is None


def test_the_gap_is_that_to_the_final_loss() -> None:
    floor, final = Floor(1.5), FinalLoss(1.75, "objective", 0.0)
    assert to_json(floor, final) == {"value": 1.5, "gap": 0.25, "state": KNOWN}
    assert to_json(floor, None) == {"value": 1.5, "gap": None, "state": KNOWN}
    assert format_floor(floor, final, ",.4f") == "floor 1.5000, gap 0.2500"
    assert format_floor(Floor(None, NONE), final) == format_floor(floor, None) == ""


def test_a_bound_is_called_one() -> None:
    """With L2, no vectors reach the value for SMF; all others are reached."""
    corpus = markov_corpus(2000)
    for key, values in (("smf", {}), ("smf", {"l2": 0.0}), ("sgns", {}), ("pmi-mf", {})):
        kind = MODELS[key]
        params = kind.params_type.from_mapping({"min_count": 1, "epochs": 1, "dim": 4, **values})
        floor = read(train_run(corpus, key, params, JobControl(), floor=True).metadata)
        assert floor is not None
        assert floor.bound is ((key, values) == ("smf", {})), (key, values)
    final = FinalLoss(1.75, "objective", 0.0)
    bound = Floor(1.5, bound=True)
    assert read({KEY: to_json(bound, final)}) == bound
    assert format_floor(bound, final, ",.4f") == "bound 1.5000, gap 0.2500"


@pytest.mark.parametrize(
    "floor",
    [Floor(2.5), Floor(None, NONE), Floor(None, COSTLY, 9.0), Floor(None, FAILED, None, "x.")],
)
def test_it_is_read_as_it_was_written(floor: Floor) -> None:
    assert read({KEY: to_json(floor, None)}) == floor


@pytest.mark.parametrize(
    "floor",
    [None, 3, {}, {"state": "made up"}, {"state": "known"}, {"state": "known", "value": "1"}],
)
def test_what_cannot_be_understood_is_not_there(floor: Any) -> None:
    assert read({KEY: floor}) is None


@pytest.mark.parametrize(
    ("loss", "kind", "error", "explained"),
    [
        (1.6, LAST_EPOCH, 0.1, True),
        (1.9, LAST_EPOCH, 0.1, False),
        (2.5, LAST_EPOCH, 0.1, False),
        (1.6, LAST_EPOCH, None, False),
        (1.6, OBJECTIVE, 0.1, False),
    ],
)
def test_a_loss_far_below_its_floor_is_explained(
    loss: float, kind: str, error: float | None, explained: bool
) -> None:
    final = FinalLoss(loss, kind, error)
    sentence = explain_negative_gap(Floor(2.0), final)
    assert ("mean while learning" in sentence) == explained
    assert to_json(Floor(2.0), final).get("note", "") == sentence
    assert not explain_negative_gap(None, final)
    assert not explain_negative_gap(Floor(2.0), None)


def test_vectors_that_adapt_to_a_repetitive_text_beat_fixed_ones() -> None:
    """Stretches of equal lines, such as a log: the mean over the last epoch, before each step, is
    below the floor.
    """
    random = np.random.default_rng(1)
    lines = [[f"w{word}" for word in random.integers(0, 30, 2)] * 4 for _ in range(150)]
    corpus = make_corpus([line for line in lines for _ in range(20)])
    params = SGNS.params_type.from_mapping(
        {**SMALL.to_dict(), "dim": 30, "window": 1, "sample": 0.0, "learning_rate": 0.2}
    )
    vectors = train_run(corpus, "sgns", params, JobControl())
    floor, final = read(vectors.metadata), final_loss.read(vectors.metadata)
    assert floor is not None
    assert floor.gap(final) < 0
    assert explain_negative_gap(floor, final)
    assert vectors.metadata[KEY]["note"]
