"""Values and products of grids, by hand and by brute force, and their runs in a session."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from session.fakes import Gate, StepModel, StepParams, small_corpus, wait_until

from workbench.core import language
from workbench.core.errors import ParameterError, UserError
from workbench.core.param_labels import By, name_params_by
from workbench.core.params import param
from workbench.models.base import MODELS, Estimate
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training import grid, memory_check
from workbench.session.training.grid import (
    MOST_RUNS,
    axes_of,
    grid_of,
    name_of,
    new_group,
    parse_values,
    plan_of,
    value_text,
)
from workbench.session.training.grid_results import by_parameter, compare_losses
from workbench.session.training.request import TrainingSpec

DIM, RATE = StepParams.spec("dim"), StepParams.spec("learning_rate")


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("dim", "2, 5, 10", (2, 5, 10)),
        ("dim", "2,5,2", (2, 5)),
        ("dim", "10..40 step 10", (10, 20, 30, 40)),
        ("dim", "10..45 step 10", (10, 20, 30, 40)),
        ("dim", "1..4", (1, 2, 3, 4)),
        ("dim", "1..64 x2", (1, 2, 4, 8, 16, 32, 64)),
        ("dim", "1..3, 50", (1, 2, 3, 50)),
        ("learning_rate", "0.01, 0.025", (0.01, 0.025)),
        ("learning_rate", "0.1..0.3 step 0.1", (0.1, 0.2, 0.3)),
        ("learning_rate", "0.001..0.1 ×10", (0.001, 0.01, 0.1)),
        ("verbose", "on, off", (True, False)),
        ("failing", "user,memory", ("user", "memory")),
        ("dim", " 7 ", (7,)),
        ("failing", "", ("",)),
    ],
)
def test_values(name: str, text: str, values: tuple[object, ...]) -> None:
    found = parse_values(StepParams.spec(name), text)
    assert found == values
    assert all(type(one) is type(other) for one, other in zip(found, values, strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a value is missing"),
        ("2,,3", "a value is missing"),
        ("2,x", "dim must be a whole number"),
        ("1,000", "Write thousands without commas"),
        ("0, 5", "dim must be"),
        ("0,5", "dim must be"),
        ("5..2", "is above its end"),
        ("1..5 step 0", "never ends"),
        ("1..5 step -1", "never ends"),
        ("1..5 x1", "never ends"),
        ("1..5 step nan", "never ends"),
        ("1..5 step y", "isn’t a step size"),
        ("1..100 step 0.5", "the step must be a whole number too, not 0.5"),
        ("1..100, 1..100, 1", "can have at most 200 values"),
    ],
)
def test_wrong_values_are_said(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_values(DIM, text)


def test_a_range_of_too_many_values_is_said_before_they_are_made() -> None:
    with pytest.raises(ValueError, match="can have at most 200 values"):
        parse_values(RATE, "0.001..1 step 1e-12")


def test_a_decimal_comma_is_not_two_values() -> None:
    with pytest.raises(ValueError, match=r"“0,025” could be one number or two. Write 0\.025"):
        parse_values(RATE, " 0,025 ")
    assert parse_values(RATE, "0.1,5,7") == (0.1, 5.0, 7.0)


@pytest.mark.parametrize("value", [0.123456789, 1 / 3, 1234567.5, 0.025, 1e-5, 3.0])
def test_a_value_in_a_field_keeps_its_digits(value: float) -> None:
    assert float(value_text(value)) == value


@dataclass(frozen=True)
class PickyParams(StepParams):
    """Parameters with a conflict between ``dim`` and ``most``."""

    most: int = param(10, "At most.", low=1, high=100)

    def conflicts(self) -> dict[str, str]:
        return {"dim": "dim must not be above most."} if self.dim > self.most else {}


class PickyModel(StepModel):
    key = "picky"
    short = "Picky"
    params_type = PickyParams

    def estimate(self, corpus: object) -> Estimate:
        assert isinstance(self.params, PickyParams)
        if self.params.seed == 9:
            raise UserError("Nine is too many.")
        return Estimate(5, 10, 1000 * self.params.dim, 2.0 * self.params.steps)


TEXTS = {"dim": "5, 10, 20", "most": "5, 15", "steps": "1..3", "epochs": "4", "min_count": "1"}


def test_the_product_is_every_combination_once_and_what_is_invalid_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_check, "calibrate", lambda estimate, *_, compiling: estimate)
    plan = plan_of(grid_of(PickyModel, TEXTS), small_corpus(), free=10**9)
    # All combinations in the order of declaration; the last parameter changes first.
    every = list(itertools.product((5, 10, 20), (1, 2, 3), (5, 15)))
    assert [tuple(cell.values.values()) for cell in plan.cells] == every
    assert list(plan.cells[0].values) == ["dim", "steps", "most"]
    valid = [(dim, steps, most) for dim, steps, most in every if dim <= most]
    assert [tuple(cell.values.values()) for cell in plan.runs] == valid
    assert {cell.why_not for cell in plan.left_out} == {"dim must not be above most."}
    assert plan.seconds == sum(2.0 * steps for _, steps, _ in valid)
    assert plan.memory_bytes == 1000 * max(dim for dim, _, _ in valid)
    for cell in plan.runs:
        assert cell.params is not None
        values = cell.params.to_dict()
        assert values["epochs"] == 4
        assert all(values[name] == value for name, value in cell.values.items())


def test_what_the_corpus_or_the_memory_forbids_is_left_out_with_the_reason() -> None:
    plan = plan_of(
        grid_of(PickyModel, {"min_count": "1", "seed": "1, 9", "dim": "1, 10"}),
        small_corpus(),
        free=5000,
    )
    assert [tuple(cell.values.values()) for cell in plan.runs] == [(1, 1)]
    reasons = {tuple(cell.values.values()): cell.why_not for cell in plan.left_out}
    assert reasons[(1, 9)] == reasons[(10, 9)] == "Nine is too many."
    assert "needs about" in reasons[(10, 1)]


def test_too_many_runs_and_wrong_parameters_are_refused() -> None:
    with pytest.raises(UserError, match=f"can have at most {MOST_RUNS:,}"):
        grid_of(StepModel, {"dim": "1..100", "steps": "1..11"})
    with pytest.raises(ParameterError) as failure:
        grid_of(StepModel, {"dim": "x", "steps": "0", "nothing": "1"})
    assert set(failure.value.errors) == {"dim", "steps", "nothing"}


def test_runs_are_named_by_what_differs() -> None:
    assert name_of(StepModel, {"dim": 5, "learning_rate": 0.025, "verbose": True}) == (
        "Step dim 5, learning_rate 0.025, verbose on"
    )
    assert name_of(StepModel, {}) == "Step"


def test_windows_in_other_languages_name_runs_by_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"window": 2, "learning_rate": 0.025}
    for module in (language, grid):
        monkeypatch.setattr(module, "language", lambda: "de")
    assert name_of(MODELS["sgns"], values) == "SGNS window 2, learning_rate 0.025"
    with name_params_by(By.LABEL):
        assert name_of(MODELS["sgns"], values) == "SGNS Window 2; Learning rate 0,025"


def start(session: Session, **texts: str) -> str:
    assert session.corpora.current is not None
    return session.training.grids.start(
        plan_of(grid_of(StepModel, {"min_count": "1", **texts}), session.corpora.current)
    )


def test_a_grid_trains_its_runs_one_after_another_and_they_share_a_group(
    session: Session, gate: Gate
) -> None:
    messages: list[str] = []
    session.message.connect(lambda text, hint, is_error: messages.append(text))
    group = start(session, dim="2, 3", seed="1, 2")
    runs = session.training.grids.runs(group)
    wait_until(session, lambda: all(record.state.over for record in runs))
    assert [record.name for record in runs] == [
        "Step dim 2, seed 1",
        "Step dim 2, seed 2",
        "Step dim 3, seed 1",
        "Step dim 3, seed 2",
    ]
    assert axes_of(runs) == ["dim", "seed"]
    assert messages[-1] == f"{group} finished: 4 of 4 runs trained."
    # Only the active run’s vectors stay in memory.
    wait_until(
        session,
        lambda: session.active.run is not None and session.active.run.embeddings is not None,
    )
    assert [record for record in runs if record.embeddings is not None] == [session.active.run]
    again = Session()
    try:
        assert [record.group for record in again.runs] == [group] * 4
    finally:
        again.close()


def test_a_grid_goes_on_after_a_failure_and_says_so(session: Session, gate: Gate) -> None:
    messages: list[tuple[str, str]] = []
    session.message.connect(lambda text, hint, is_error: messages.append((text, hint)))
    group = start(session, failing="user, memory, diverge", steps="20")
    extra = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    runs = session.training.grids.runs(group)
    wait_until(session, lambda: extra.state.over)
    assert [record.state for record in runs] == [State.FAILED, State.FAILED, State.STOPPED]
    assert messages[0] == (
        "“Step failing user” failed: Step cannot.",
        "Do not ask it to. Training continues with “Step failing memory”.",
    )
    assert (f"{group} finished: 1 of 3 runs trained, 2 failed.", "") in messages


def test_a_grid_is_cancelled_as_a_whole_and_nothing_else(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    group = start(session, dim="2, 3, 4")
    other = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    runs = session.training.grids.runs(group)
    wait_until(session, lambda: len(gate.fits) == 1)
    session.training.grids.cancel(group)
    gate.opened.set()
    wait_until(session, lambda: other.state.over)
    assert [record.state for record in runs] == [State.CANCELLED] * 3
    assert other.state is State.DONE
    assert len(gate.fits) == 2


def record(number: int, **parameters: object) -> RunRecord:
    return RunRecord(str(number), f"run {number}", "step", parameters, "", "", "2026-01-01")  # type: ignore[arg-type]


def test_results_by_parameter_make_a_line_for_every_combination_of_the_others() -> None:
    runs = [
        record(number, dim=dim, window=window, seed=seed)
        for number, (dim, window, seed) in enumerate(itertools.product((20, 10), (2, 5), (1, 2)))
    ]
    values = {
        run.identifier: 10.0 * int(run.parameters["dim"])
        + int(run.parameters["window"])
        + int(run.parameters["seed"])
        for run in runs
    }
    values[runs[-1].identifier] = float("nan")
    lines, names = by_parameter(runs, values, "dim")
    assert names == ()
    assert [line.values for line in lines] == [{"window": 2}, {"window": 5}]
    assert [[point.x for point in line.points] for line in lines] == [[10, 20], [10, 20]]
    first = lines[0].points[0]
    assert (first.mean, first.low, first.high, len(first.runs)) == (103.5, 103.0, 104.0, 2)
    # A run whose value is NaN isn’t part of its point.
    assert (lines[1].points[0].mean, len(lines[1].points[0].runs)) == (106.0, 1)


def with_loss(run: RunRecord, loss: float, floor: float | None) -> RunRecord:
    run.summary = {"final_loss": {"value": loss, "kind": "objective", "error": 0.0, "epochs": 1.0}}
    if floor is not None:
        run.summary["floor"] = {"state": "known", "value": floor}
    return run


def test_losses_with_different_floors_are_compared_by_their_gaps() -> None:
    """A wide window has a lower floor: its lower loss is farther from it here."""
    narrow = with_loss(record(0, window=2), 1.60, 1.52)
    wide = with_loss(record(1, window=10), 1.45, 1.28)
    losses = compare_losses([narrow, wide])
    assert losses.gaps
    assert losses.why_not_ranked == ""
    assert losses.values == {"0": pytest.approx(0.08), "1": pytest.approx(0.17)}


def test_losses_of_one_objective_are_compared_as_they_are() -> None:
    runs = [with_loss(record(at, dim=dim), 1.5 + at, None) for at, dim in enumerate((10, 20))]
    losses = compare_losses(runs)
    assert (losses.gaps, losses.why_not_ranked) == (False, "")
    assert losses.values == {"0": 1.5, "1": 2.5}


def test_losses_are_not_ranked_if_a_floor_is_unknown() -> None:
    runs = [
        with_loss(record(0, window=2), 1.60, 1.52),
        with_loss(record(1, window=10), 1.45, None),
    ]
    losses = compare_losses(runs)
    assert losses.values == {"0": 1.60, "1": 1.45}
    assert "can’t be ranked" in losses.why_not_ranked


def test_losses_above_different_bounds_are_not_ranked() -> None:
    """No vectors reach a bound, so a smaller gap says nothing."""
    runs = [
        with_loss(record(0, window=2), 1.60, 1.52),
        with_loss(record(1, window=10), 1.45, 1.28),
    ]
    runs[1].summary["floor"]["bound"] = True
    losses = compare_losses(runs)
    assert losses.values == {"0": 1.60, "1": 1.45}
    assert "bounds can’t be ranked" in losses.why_not_ranked


def test_grids_are_numbered() -> None:
    kind = MODELS["sgns"]
    first = record(0)
    first.group = new_group(kind, [])
    assert (first.group, new_group(kind, [first])) == ("SGNS grid 1", "SGNS grid 2")


def test_results_by_a_parameter_that_is_no_number_stand_side_by_side() -> None:
    runs = [record(number, rule=rule) for number, rule in enumerate(("b", "a", "b"))]
    lines, names = by_parameter(runs, {"0": 1.0, "1": 2.0, "2": 3.0}, "rule")
    assert names == ("b", "a")
    assert [(point.x, point.mean) for point in lines[0].points] == [(0, 2.0), (1, 2.0)]


def test_the_declared_defaults_of_every_algorithm_are_a_grid_of_one() -> None:
    for kind in MODELS:
        grid = grid_of(kind, {spec.name: str(spec.default) for spec in kind.params_type.specs()})
        assert grid.size == 1
        assert kind.params_type.from_mapping(grid.base) == kind.params_type()
