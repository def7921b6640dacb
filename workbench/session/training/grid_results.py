"""Results of a grid over one of its parameters: one line per combination of the others."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.core.table_export import Cell
from workbench.session.runs.loss_floor import floor_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.grid import axes_of, standing, value_text

SEED = "seed"


@dataclass(frozen=True)
class Point:
    """The runs at one value of x. ``mean``, ``low`` and ``high`` summarise their values; several
    runs differ in the seed.
    """

    x: float
    mean: float
    low: float
    high: float
    runs: tuple[RunRecord, ...]


@dataclass(frozen=True)
class GridLine:
    """Points in order of x; ``values`` are the values of the other parameters."""

    values: Mapping[str, Value]
    points: tuple[Point, ...]

    @property
    def name(self) -> str:
        return ", ".join(f"{name} {value_text(value)}" for name, value in self.values.items())


@dataclass(frozen=True)
class Losses:
    """Losses of the runs of a grid, by identifier. ``gaps``: they are distances to each run’s own
    floor; ``why_not_ranked``: why their minimum has no meaning, or "".
    """

    values: Mapping[str, Cell]
    gaps: bool = False
    why_not_ranked: str = ""


def compare_losses(records: Sequence[RunRecord]) -> Losses:
    """The losses; if the settings of the runs change their floors, the gaps to the floors."""
    plain = {record.identifier: record.final_loss for record in records}
    floors = [floor_of(record) for record in records]
    known = [floor.value for floor in floors if floor is not None and floor.value is not None]
    objectives = {
        (PairCountSettings.of(record.parameters), TargetSettings.of(record.parameters))
        for record in records
    }
    complete = len(known) == len(records)
    bounds = any(floor is not None and floor.bound for floor in floors)
    if len(objectives) < 2 or (complete and math.isclose(min(known), max(known), rel_tol=1e-9)):
        return Losses(plain)
    if not complete:
        return Losses(
            plain,
            why_not_ranked=tr("losses of different objectives or counts can’t be ranked"),
        )
    if bounds:
        # No vectors reach a bound, and how near they come depends on the settings.
        return Losses(plain, why_not_ranked=tr("losses with different bounds can’t be ranked"))
    return Losses(
        {
            record.identifier: floor.gap(record.closing_loss)
            for record, floor in zip(records, floors, strict=True)
            if floor is not None
        },
        gaps=True,
    )


def by_parameter(
    records: Sequence[RunRecord], values: Mapping[str, Cell], x: str
) -> tuple[tuple[GridLine, ...], tuple[str, ...]]:
    """Lines over a parameter, and the labels on its axis if its values are not numbers, in order
    of first occurrence.

    values : by identifier of the run; runs without a finite value are left out. Runs that differ
    only in their seed form one point, unless x is the seed.
    """
    others = [name for name in axes_of(records) if name not in (x, SEED)]
    standing_runs = standing(records)
    along = [parameters[x] for parameters in standing_runs.values() if x in parameters]
    numeric = all(_is_number(value) for value in along)
    places = {
        text: float(at)
        for at, text in enumerate(dict.fromkeys(value_text(value) for value in along))
    }
    found: dict[tuple[str, ...], dict[float, list[tuple[float, RunRecord]]]] = {}
    heads: dict[tuple[str, ...], dict[str, Value]] = {}
    for record, parameters in standing_runs.items():
        value = values.get(record.identifier)
        if (
            x not in parameters
            or isinstance(value, (bool, str))
            or value is None
            or not math.isfinite(value)
        ):
            continue
        head = {name: parameters[name] for name in others if name in parameters}
        key = tuple(f"{name}={value!r}" for name, value in head.items())
        heads[key] = head
        own = parameters[x]
        at = float(own) if numeric else places[value_text(own)]
        found.setdefault(key, {}).setdefault(at, []).append((float(value), record))
    lines = tuple(
        GridLine(heads[key], tuple(_point(at, points[at]) for at in sorted(points)))
        for key, points in found.items()
    )
    return lines, () if numeric else tuple(places)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _point(at: float, runs: Sequence[tuple[float, RunRecord]]) -> Point:
    values = [value for value, _ in runs]
    return Point(
        at, statistics.fmean(values), min(values), max(values), tuple(record for _, record in runs)
    )
