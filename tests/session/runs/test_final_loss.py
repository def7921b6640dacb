"""Final loss of a training: the runs for which it is known, how it is kept, and its name."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from workbench.core.job_control import (
    LAST_EPOCH,
    LAST_POINT,
    LAST_STEP,
    OBJECTIVE,
    FinalLoss,
    JobControl,
    Trace,
)
from workbench.models.base import MODELS
from workbench.session.runs.final_loss import compute_final_loss, format_loss, read, title, to_json
from workbench.session.runs.run_record import RunRecord, State


def run_with(*points: tuple[float, float, float]) -> JobControl:
    run = JobControl()
    for point in points:
        run.record(*point)
    return run


def test_without_an_evaluation_it_is_the_mean_of_the_last_epoch() -> None:
    """If training stops at 0.9, a point’s weight is the share of the epoch that it covers."""
    kind = MODELS["sgns"]
    run = run_with(
        (0.1, 9.0, 1.0),
        (0.4, 8.0, 0.1),
        (0.5, 4.0, 0.1),
        (0.8, 3.0, 0.2),
        (0.9, 1.0, 0.4),
        (1.0, 50.0, 1.0),
    )
    final = compute_final_loss(run, kind, kind.params_type.from_mapping({"epochs": 2}), 0.9)
    assert final is not None
    assert (final.kind, final.epochs) == (LAST_EPOCH, 1.0)
    assert final.value == pytest.approx((0.1 * 4 + 0.3 * 3 + 0.1 * 1) / 0.5)
    assert final.error == pytest.approx(np.sqrt(0.01**2 + 0.06**2 + 0.04**2) / 0.5)
    short = compute_final_loss(run, kind, kind.params_type.from_mapping({"epochs": 2}), 0.4)
    assert short is not None
    assert short.epochs == pytest.approx(0.8)
    assert "0.8 epochs" in title(short)
    assert compute_final_loss(run, kind, kind.params_type(), 0.01) is None
    step = compute_final_loss(run, MODELS["sgns-mf"], MODELS["sgns-mf"].params_type(), 0.5)
    assert step == FinalLoss(4.0, LAST_STEP, 0.1)


def test_what_the_trainer_found_out_counts() -> None:
    kind = MODELS["sgns"]
    run = run_with((1.0, 2.0, 0.1))
    run.conclude(FinalLoss(1.5, OBJECTIVE, 0.0))
    assert compute_final_loss(run, kind, kind.params_type()) == FinalLoss(1.5, OBJECTIVE, 0.0)


@pytest.mark.parametrize(
    "final_loss",
    [
        None,
        3,
        {},
        {"kind": "objective"},
        {"kind": "made up", "value": 1.0},
        {"kind": "objective", "value": "1"},
        {"kind": "objective", "value": float("nan")},
    ],
)
def test_what_cannot_be_understood_is_not_there(final_loss: Any) -> None:
    assert read({"final_loss": final_loss}) is None


def test_it_is_read_as_it_was_written() -> None:
    for final in (
        FinalLoss(1.5, OBJECTIVE, 0.0),
        FinalLoss(2.0, LAST_EPOCH, 0.1, 0.5),
        FinalLoss(2.0, LAST_STEP),
    ):
        assert read({"final_loss": to_json(final)}) == final
    assert format_loss(FinalLoss(1.5, OBJECTIVE, 0.0)) == "1.500"
    assert format_loss(FinalLoss(2.52263, LAST_EPOCH, 0.00123)) == "2.523 ± 0.0012"


def test_a_run_saved_without_it_shows_the_last_point_as_that() -> None:
    column = np.array([0.5, 1.0])
    record = RunRecord(
        "1",
        "SGNS 1",
        "sgns",
        {},
        "",
        "",
        "",
        state=State.DONE,
        saved_trace=Trace(column, 2 * column, column, column),
    )
    final = record.closing_loss
    assert final == FinalLoss(2.0, LAST_POINT, 1.0)
    assert title(final) == "last point of the curve"
    record.summary = {
        "final_loss": {"value": 1.8, "kind": "last epoch", "error": 0.1, "epochs": 1.0}
    }
    assert record.final_loss == 1.8
    assert (
        dataclasses.replace(record, saved_trace=Trace(*(np.empty(0),) * 4), summary={}).closing_loss
        is None
    )
