"""Training again without some lines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.influence.quantities import cosine_of
from workbench.analysis.influence.removal import line_edges, without_lines
from workbench.core.job_control import JobControl
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.training.left_out import LEFT_OUT, leave_out_and_keep
from workbench.session.training.train_api import train

CORPUS = markov_corpus(3_000, words=20, sentence=10)


@pytest.mark.parametrize(("algorithm", "number"), [("svd", 1), ("sgns", 3)])
def test_the_true_values_are_those_of_trainings(algorithm: str, number: int, home: Path) -> None:
    settings: dict[str, Any] = {"min_count": 1, "dim": 5} | (
        {"epochs": 2, "threads": 1} if number > 1 else {}
    )
    model = train(CORPUS, algorithm, seed=1, **settings)
    parent = RunRecord(
        "20260101-000000-000000-0000",
        "run 1",
        algorithm,
        dict(model.metadata["parameters"]),
        CORPUS.name,
        CORPUS.digest,
        "2026-01-01",
        state=State.DONE,
        embeddings=model,
    )
    quantity, edges = cosine_of(model, "w01", "w06"), line_edges(CORPUS)
    lines = np.arange(40)
    found, derived = leave_out_and_keep(
        parent, CORPUS, quantity, edges, lines, "run 1 without", 0, Store(), JobControl()
    )
    assert len(found.before) == len(found.after) == number
    assert math.isnan(found.spread) is (number == 1)
    assert found.before[0] == pytest.approx(quantity.value_in(model), abs=1e-6)
    reduced = train(without_lines(CORPUS, edges, lines), algorithm, seed=1, **settings)
    assert found.after[0] == pytest.approx(quantity.value_in(reduced), abs=1e-6)
    assert found.change == pytest.approx(found.after.mean() - found.before.mean())
    assert derived.not_saved is None
    assert derived.record.summary[LEFT_OUT] == {"lines": 40, "tokens": 400, "of": CORPUS.digest}
    saved = Store().vectors(derived.record.identifier)
    assert quantity.value_in(saved) == pytest.approx(found.after[0], abs=1e-6)
