"""A training that doesn’t fit in memory is refused before it starts, with values that would fit."""

from __future__ import annotations

import numpy as np
import pytest
from session.fakes import Gate, StepModel, StepParams, small_corpus, wait_until

from workbench.core.machine.memory import free_memory
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Estimate, Model
from workbench.models.params import ModelParams
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.memory_check import shortage
from workbench.session.training.request import TrainingSpec


@pytest.fixture
def corpus() -> Corpus:
    """A corpus of 2,000 words with counts from 1 to 2,000."""
    counts = np.arange(2000, 0, -1, dtype=np.int64)
    words = [f"w{number}" for number in range(2000)]
    ids = np.zeros(1, dtype=np.int32)
    return Corpus("many", ids, np.array([0, 1]), words, counts, "many")


@pytest.mark.parametrize(
    ("key", "share"),
    [("sgns", 2), ("sgns", 10), ("fasttext", 2), ("fasttext", 10), ("glove", 2), ("svd", 2)],
)
def test_every_value_offered_fits_and_hardly_more_would(
    key: str, share: int, corpus: Corpus
) -> None:
    kind = MODELS[key]
    params = kind.params_type(min_count=1)
    memory = kind(params).estimate(corpus).memory_bytes
    assert shortage(kind, params, corpus, free=2 * memory) is None
    found = shortage(kind, params, corpus, free=memory // share)
    assert found is not None
    assert found.needed == memory
    assert "to fit in memory" in found.error.hint
    for remedy in found.remedies:
        fitting = params.replace(**{remedy.name: remedy.value})
        assert (
            kind(fitting).estimate(corpus).memory_bytes
            == remedy.memory_bytes
            <= 0.9 * memory / share
        )
        # Values are rounded to two digits, but twice the value (half of min_count) still must not
        # fit.
        bolder = min(2 * remedy.value, 2000) if remedy.name != "min_count" else remedy.value // 2
        if bolder and bolder != remedy.value and remedy.name in ("dim", "min_count", "max_vocab"):
            assert (
                kind(params.replace(**{remedy.name: bolder})).estimate(corpus).memory_bytes
                > 0.9 * memory / share
            )


def test_where_nothing_helps_that_is_said(corpus: Corpus) -> None:
    found = shortage(MODELS["sgns"], MODELS["sgns"].params_type(min_count=1), corpus, free=10)
    assert found is not None
    assert found.remedies == ()
    assert "Close other programs" in found.error.hint


class Huge(StepModel):
    """Algorithm that needs more memory than is free."""

    def estimate(self, corpus: Corpus) -> Estimate:
        assert isinstance(self.params, StepParams)
        return Estimate(corpus.types, corpus.tokens, self.params.dim * 10**15, None)


def test_a_training_that_does_not_fit_never_begins(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge: dict[str, type[Model]] = {"step": Huge}
    monkeypatch.setattr(MODELS, "_classes", huge)
    params: ModelParams = StepParams(min_count=1)
    record = session.training.start(TrainingSpec("step", params))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.FAILED
    assert record.error is not None
    assert "needs about" in record.error.message
    assert gate.fits == []
    again = session.training.start(TrainingSpec("step", params, anyway=True))
    wait_until(session, lambda: again.state.over)
    assert again.state is State.DONE


def test_memory_is_known_here() -> None:
    assert 1 << 20 < free_memory() < 1 << 60
    assert small_corpus().tokens
