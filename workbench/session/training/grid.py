"""Grid of trainings: every combination of chosen hyperparameter values, its cost and its runs."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.core.errors import ParameterError, UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl
from workbench.core.language import ENGLISH, choice_text, digits, language, tr
from workbench.core.param_labels import param_name, uses_labels
from workbench.core.params import Spec, Value
from workbench.corpus.corpus import Corpus
from workbench.models.base import Model
from workbench.models.params import ModelParams
from workbench.session.corpus.counts_params import check
from workbench.session.messages import Messages
from workbench.session.runs.names import unused_name
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.memory_check import cost, shortage
from workbench.session.training.queue import Queue
from workbench.session.training.request import TrainingSpec

MOST_VALUES, MOST_RUNS = 200, 1000
_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*(\S+?)\s*(?:step\s+(\S+)|[x×]\s*(\S+))?\s*", re.IGNORECASE)

# "0,5" alone may be a number with a decimal comma; "0, 5" and "0,5,10" are lists.
_DECIMAL_COMMA = re.compile(r"\s*0,(\d+)\s*")


def parse_values(spec: Spec, text: str) -> tuple[Value, ...]:
    """The distinct values that a text lists, in its order: "2, 5, 10", "50..200 step 50", "1..64
    x2".

    A range steps by 1 by default, or by a factor after ``x``; it includes its end if a step reaches
    it. Raises ValueError whose text is a sentence.
    """
    values: list[Value] = []
    if spec.type is float and (decimal := _DECIMAL_COMMA.fullmatch(text)):
        raise ValueError(
            tr(
                "{name}: “{text}” could be one number or two. Write {point}, or add a "
                "space after the comma of a list.",
                name=param_name(spec.name),
                text=text.strip(),
                point=f"0.{decimal[1]}",
            )
        )
    for part in text.split(","):
        # A free text may be empty, and so may a choice if one of its options is empty.
        if not part.strip() and (spec.type is not str or (spec.choices and "" not in spec.choices)):
            raise ValueError(tr("{name}: a value is missing.", name=param_name(spec.name)))
        found = _RANGE.fullmatch(part) if spec.type in (int, float) else None
        values += (
            _stepped_values(spec, *found.groups())
            if found is not None
            else [_parse_value(spec, part.strip())]
        )
        if len(values) > MOST_VALUES:
            raise ValueError(
                tr(
                    "{name} can have at most {most} values.",
                    name=param_name(spec.name),
                    most=MOST_VALUES,
                )
            )
    # 1 and True are equal in Python; within one parameter all values are of one type.
    return tuple(dict.fromkeys(values))


def _parse_value(spec: Spec, text: str) -> Value:
    if spec.type in (int, float) and re.fullmatch(r"0\d+", text):
        raise ValueError(
            tr(
                "{name}: “{text}” isn’t a number. Write thousands without commas.",
                name=param_name(spec.name),
                text=text,
            )
        )
    return spec.coerce(text)


def _stepped_values(
    spec: Spec, first: str, last: str, step: str | None, factor: str | None
) -> list[Value]:
    low, high = float(_parse_value(spec, first)), float(_parse_value(spec, last))
    by = _step_size(spec, first, last, step, factor)
    number = math.log(high / low) / math.log(by) if factor is not None else (high - low) / by
    if number >= MOST_VALUES:
        raise ValueError(
            tr(
                "{name} can have at most {most} values.",
                name=param_name(spec.name),
                most=MOST_VALUES,
            )
        )
    # 0.1 + 0.1 + 0.1 isn’t 0.3: compute every value from the first, and round to twelve digits.
    places = range(int(number + 1e-9) + 1)
    stepped = [low * by**at if factor is not None else low + by * at for at in places]
    return [
        spec.coerce(round(value) if spec.type is int else float(f"{value:.12g}"))
        for value in stepped
    ]


def _step_size(spec: Spec, first: str, last: str, step: str | None, factor: str | None) -> float:
    """The step, or the factor, if it leads from ``first`` to ``last``. Raises ValueError."""
    low, high = float(_parse_value(spec, first)), float(_parse_value(spec, last))
    try:
        by = float(step or factor or 1)
    except ValueError:
        raise ValueError(
            tr(
                "{name}: “{step}” isn’t a step size.",
                name=param_name(spec.name),
                step=step or factor,
            )
        ) from None
    if (
        not math.isfinite(by)
        or by <= (1 if factor is not None else 0)
        or (factor is not None and low <= 0)
    ):
        raise ValueError(
            tr(
                "{name}: {first}..{last} with step {step} never ends.",
                name=param_name(spec.name),
                step=step or factor,
                first=first,
                last=last,
            )
        )
    if spec.type is int and factor is None and not by.is_integer():
        raise ValueError(
            tr(
                "{name}: values are whole numbers, so the step must be a whole number too, "
                "not {step}.",
                name=param_name(spec.name),
                step=step,
            )
        )
    if high < low:
        raise ValueError(
            tr(
                "{name}: the start of {first}..{last} is above its end.",
                name=param_name(spec.name),
                first=first,
                last=last,
            )
        )
    return by


@dataclass(frozen=True)
class Grid:
    """A requested grid: base values, and the values of each varied parameter, in the order of the
    declaration.
    """

    kind: type[Model]
    base: Mapping[str, Value]
    axes: Mapping[str, tuple[Value, ...]]

    @property
    def size(self) -> int:
        return math.prod(len(values) for values in self.axes.values())


@dataclass(frozen=True)
class Cell:
    """One combination. ``values`` are its values on the axes; ``why_not`` says why it is left out,
    "" if it is trained.

    seconds, memory_bytes : estimated cost, None if unknown
    """

    values: Mapping[str, Value]
    params: ModelParams | None
    why_not: str = ""
    seconds: float | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class GridPlan:
    """A grid with the cost of its runs."""

    grid: Grid
    cells: tuple[Cell, ...]

    @property
    def runs(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if not cell.why_not)

    @property
    def left_out(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell.why_not)

    @property
    def seconds(self) -> float | None:
        """Total seconds of all runs, one after another; None if one is unknown."""
        each = [cell.seconds for cell in self.runs]
        if any(one is None for one in each):
            return None
        return sum(one for one in each if one is not None)

    @property
    def memory_bytes(self) -> int:
        """The largest memory of one run, because only one trains at a time."""
        return max((cell.memory_bytes or 0 for cell in self.runs), default=0)


def grid_of(
    kind: type[Model], texts: Mapping[str, str], base: Mapping[str, Value] | None = None
) -> Grid:
    """A grid from texts by parameter; one value applies to all runs, several values form an axis.

    Raises ParameterError naming every wrong parameter, UserError if there are too many
    combinations.
    """
    specs = {spec.name: spec for spec in kind.params_type.specs()}
    errors: dict[str, str] = {}
    found: dict[str, tuple[Value, ...]] = {}
    for name, text in texts.items():
        if name not in specs:
            errors[name] = tr(
                "{name} isn’t a parameter of {key}.", name=param_name(name), key=kind.key
            )
            continue
        try:
            found[name] = parse_values(specs[name], text)
        except ValueError as error:
            errors[name] = str(error)
    if errors:
        raise ParameterError(errors)
    fixed = {name: values[0] for name, values in found.items() if len(values) == 1}
    axes = {name: found[name] for name in specs if len(found.get(name, ())) > 1}
    grid = Grid(kind, {**(base or {}), **fixed}, axes)
    if grid.size > MOST_RUNS:
        raise UserError(
            tr(
                "Too many runs: {size:,}. A grid can have at most {most_runs:,}.",
                size=grid.size,
                most_runs=MOST_RUNS,
            ),
            tr("Choose fewer values."),
        )
    return grid


def plan_of(
    grid: Grid, corpus: Corpus, run: JobControl | None = None, free: int | None = None
) -> GridPlan:
    """In a job: every combination, with its cost or the reason why it cannot be trained; the last
    parameter varies fastest.

    free : bytes of free memory, None: the memory that is free now. Raises Cancelled.
    """
    cells = []
    for number, values in enumerate(itertools.product(*grid.axes.values())):
        if run is not None:
            run.check()
            run.advance(number / grid.size)
        cells.append(
            _cell(grid, dict(zip(grid.axes, values, strict=True)), corpus, free, number == 0)
        )
    return GridPlan(grid, tuple(cells))


def _cell(
    grid: Grid, values: dict[str, Value], corpus: Corpus, free: int | None, first: bool
) -> Cell:
    try:
        params = grid.kind.params_type.from_mapping({**grid.base, **values})
        check(corpus, grid.kind, params)
        # First check that the vocabulary isn’t empty.
        corpus.vocabulary(params.min_count, params.max_vocab)
        estimate = cost(grid.kind, params, corpus, recorded=True, compiling=first)
        lacking = shortage(grid.kind, params, corpus, estimate, free, recorded=True)
    except ParameterError as error:
        return Cell(values, None, " ".join(error.errors.values()))
    except UserError as error:
        return Cell(values, None, error.message)
    why_not = lacking.error.message if lacking is not None else ""
    return Cell(values, params, why_not, estimate.seconds, estimate.memory_bytes)


def name_of(kind: type[Model], values: Mapping[str, Value]) -> str:
    """Name of a run with the values that vary: "SGNS window 5, dim 100", and "SGNS Fenster 5,
    Dimensionen 100" in a German window.
    """
    between = ", "
    # Apart from decimal commas.
    if uses_labels() and digits(".") == ",":
        between = "; "
    listing = between.join(_named_value(kind, *each) for each in values.items())
    if listing:
        return f"{kind.short} {listing}"
    return kind.short


def _named_value(kind: type[Model], name: str, value: Value) -> str:
    """A parameter by its key in English and outside of windows, or else by its label."""
    text = value_text(value)
    if language() == ENGLISH or not uses_labels():
        return f"{name} {text}"
    labels = {spec.name: spec.label for spec in kind.params_type.specs()}
    if isinstance(value, bool):
        text = tr("on") if value else tr("off")
    elif isinstance(value, (int, float)):
        text = digits(text)
    else:
        text = choice_text(text)
    return f"{labels.get(name) or name} {text}"


def value_text(value: Value) -> str:
    """A value as text for names and fields, with all its digits: on, 0.025, 10000."""
    if isinstance(value, bool):
        if value:
            return "on"
        return "off"
    if isinstance(value, float):
        if float(short := f"{value:g}") == value:
            return short
        return repr(value)
    return str(value) or "none"


def new_group(kind: type[Model], records: Iterable[RunRecord]) -> str:
    """The name of a new grid that none of these runs belongs to: "SGNS grid 2"."""
    taken = {record.group for record in records}
    names = (
        tr("{algorithm} grid {number}", algorithm=kind.short, number=number)
        for number in itertools.count(1)
    )
    return next(name for name in names if name not in taken)


class Grids:
    """The grids of a session. Belongs to its thread.

    start_all : queues trainings on the open corpus
    """

    def __init__(
        self,
        start_all: Callable[[Sequence[TrainingSpec]], object],
        finished: Signal[RunRecord],
        queue: Queue,
        runs: Sequence[RunRecord],
        message: Messages,
    ) -> None:
        self._start_all = start_all
        self._queue = queue
        self._runs = runs
        self._message = message
        finished.connect(self._run_finished)

    def start(self, plan: GridPlan) -> str:
        """Queue the runs of a plan on the open corpus, and return the name of the grid. Raises
        UserError without a corpus.
        """
        kind = plan.grid.kind
        group, taken = new_group(kind, self._runs), list(self._runs)
        wanted = []
        for cell in plan.runs:
            assert cell.params is not None
            name = unused_name(name_of(kind, cell.values), taken)
            wanted.append(TrainingSpec(kind.key, cell.params, name, show=False, group=group))
        self._start_all(wanted)
        return group

    def runs(self, group: str) -> list[RunRecord]:
        return [record for record in self._runs if group and record.group == group]

    @property
    def groups(self) -> list[str]:
        """Grids that have runs, the latest first."""
        return list(dict.fromkeys(record.group for record in reversed(self._runs) if record.group))

    def cancel(self, group: str) -> None:
        """Stop the training of a grid and remove its queued runs; finished runs stay."""
        self._queue.cancel([record for record in self.runs(group) if not record.state.over])

    def _run_finished(self, record: RunRecord) -> None:
        """Report the outcome of a grid when its last run is over."""
        runs = self.runs(record.group)
        if (
            len(runs) < 2
            or not all(one.state.over for one in runs)
            or record.state is State.CANCELLED
        ):
            return
        runs = list(standing(runs))
        sentences = [
            tr(
                "{number} of {runs} runs trained",
                number=sum(one.has_vectors for one in runs),
                runs=len(runs),
            )
        ]
        if failed := sum(one.state is State.FAILED for one in runs):
            sentences.append(tr("{number} failed", number=failed))
        if cancelled := sum(one.state is State.CANCELLED for one in runs):
            sentences.append(tr("{number} cancelled", number=cancelled))
        self._message.emit(
            tr(
                "{group} finished: {outcomes}.",
                group=record.group,
                outcomes=", ".join(sentences),
            ),
            "",
            False,
        )


def standing(records: Sequence[RunRecord]) -> dict[RunRecord, Mapping[str, Value]]:
    """The runs of a grid, one for every requested training, with the requested parameters.

    The continuation of an interrupted run replaces that run as soon as the continuation has
    vectors.
    """
    known = {record.identifier: record for record in records}
    before: dict[RunRecord, RunRecord] = {}
    for record in records:
        parent = known.get(_parent_identifier(record))
        # No run continues a younger one, so the loop below ends however run.json was edited.
        if parent is not None and parent.identifier < record.identifier:
            before[record] = parent
    replaced = {parent for record, parent in before.items() if record.has_vectors}
    found = {}
    for record in records:
        if record in replaced or (record in before and not record.has_vectors):
            continue
        first = record
        while first in before:
            first = before[first]
        found[record] = first.parameters
    return found


def _parent_identifier(record: RunRecord) -> str:
    """The identifier of the run that a run continues, or ""."""
    known = record.summary.get("continued")
    if isinstance(known, Mapping):
        return str(known.get("identifier", ""))
    return ""


def axes_of(records: Sequence[RunRecord]) -> list[str]:
    """The parameters on which runs differ, in the order of their declaration."""
    standing_runs = list(standing(records).values())
    names = list(dict.fromkeys(name for parameters in standing_runs for name in parameters))
    return [
        name
        for name in names
        if len({repr(parameters.get(name)) for parameters in standing_runs}) > 1
    ]
