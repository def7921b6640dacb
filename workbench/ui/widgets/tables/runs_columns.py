"""The columns of the table of runs: the available ones, those shown by default, and the texts of
their values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeGuard

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from workbench.core.language import choice_text, percent, tr
from workbench.core.table_export import Cell
from workbench.models.base import MODELS
from workbench.session.runs.facts import FILE, RunFacts, ScoreColumn, compared_by, declaration
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import UNKNOWN, count, decimal, duration, short_number, true_minus
from workbench.ui.widgets.tables.run_texts import DOINGS, describe
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

STAR, NAME, STATE, NOTE = "star", "name", "state", "note"
_STAR_SIZE = 13
# ``spare`` of a column that few users need.
ADVANCED = 10
# ``spare`` of an empty column, which is hidden before all others.
EMPTY = 12
LIVE = (STATE, "loss", "seconds", "rate")


@dataclass(frozen=True)
class RunsColumn:
    """A column that can be shown.

    usual : shown unless the user hides it; spare : with too little room, columns with higher
    numbers are hidden first, and those with 0 never
    """

    key: str
    title: str
    tip: str
    usual: bool
    text: Callable[[Any], str]
    number: bool = True
    spare: int = 0


def kinds(
    records: Sequence[RunRecord],
    parameters: tuple[Sequence[str], Sequence[str]],
    scores: Sequence[ScoreColumn],
) -> list[RunsColumn]:
    """All available columns for these runs, in order. Star and name are always among them.

    parameters : those in which the runs differ, and the others
    """
    found = [
        RunsColumn(
            "algorithm",
            tr("Algorithm"),
            tr("Training algorithm"),
            _several(r.algorithm for r in records),
            _algorithm,
            False,
            3,
        ),
        RunsColumn(
            "corpus",
            tr("Corpus"),
            tr("Corpus of the run"),
            # The group headings show it.
            False,
            _text,
            False,
            3,
        ),
        RunsColumn(
            STATE,
            tr("State"),
            tr("Current or final state"),
            _busy(records),
            _state,
            False,
            1,
        ),
        RunsColumn("group", tr("Grid"), tr("Grid that the run belongs to"), False, _text, False),
    ]
    found += _parameter_columns(records, *parameters)
    found += _training_columns()
    for one in scores:
        read = _percent if one.percent else _score
        tip = tr(
            "Score on {title}, if the run’s vocabulary contains enough of its words (see Evaluate)",
            title=one.title,
        )
        found.append(RunsColumn(one.key, one.title, tip, True, read, spare=2))
    found += [
        RunsColumn(
            "created", tr("Created"), tr("Time when the run was created"), True, _when, False, 9
        ),
        RunsColumn(
            NOTE,
            tr("Note"),
            tr("Press F2 or double-click here to write a note"),
            any(r.note for r in records),
            _text,
            False,
        ),
    ]
    return found


def _parameter_columns(
    records: Sequence[RunRecord], differing: Sequence[str], same: Sequence[str]
) -> list[RunsColumn]:
    """Columns of parameters; only those in which the runs differ are shown at first."""
    compared = compared_by(records)
    found = []
    for name in differing:
        tip, spare = tr("{name}: varies", name=name), parameter_spare(name, records, compared)
        found.append(
            RunsColumn(name, heading(name, records), tip, True, parameter_text, spare=spare)
        )
    for name in same:
        tip = tr("{name}: same in all runs", name=name)
        found.append(
            RunsColumn(name, heading(name, records), tip, False, parameter_text, spare=ADVANCED)
        )
    return found


def _training_columns() -> list[RunsColumn]:
    """Figures of the training and of its result."""
    loss = tr(
        "Value of the objective for the result, or its mean over the last epoch. Compare "
        "losses only between runs with the same objective."
    )
    return [
        RunsColumn(
            "epochs",
            tr("Epochs"),
            tr("Total number of passes over the corpus"),
            True,
            parameter_text,
            spare=8,
        ),
        RunsColumn("loss", tr("Loss"), loss, True, _decimal, spare=6),
        RunsColumn(
            "seconds",
            tr("Time"),
            tr("Training time in seconds, without reading and counting"),
            True,
            _duration,
            spare=5,
        ),
        RunsColumn(
            "rate",
            tr("Tokens/s"),
            tr("In-vocabulary tokens per second of training"),
            True,
            _short,
            spare=11,
        ),
        RunsColumn("words", tr("Words"), tr("Size of the vocabulary"), False, _count),
    ]


def columns(
    chosen: Sequence[RunsColumn], records: Sequence[RunRecord], rows: Sequence[Mapping[str, Cell]]
) -> list[TableColumn]:
    """Columns of the table. The values are lists, so that those of a training can be replaced."""

    def star_text(row: int) -> str:
        if records[row].star:
            return tr("starred")
        return tr("not starred")

    found = [
        TableColumn(
            "★",
            [row[STAR] for row in rows],
            tr("Star (press S or click)"),
            spoken=star_text,
            paint=_paint_star,
            number=False,
            width=34,
            key=STAR,
        ),
        TableColumn(
            tr("Name"),
            [row[NAME] for row in rows],
            tr("Press F2 to rename the run"),
            tips=lambda row: describe(records[row]),
            number=False,
            dots=[record.colour for record in records],
            key=NAME,
            edits=lambda row: records[row].name,
        ),
    ]
    for kind in chosen:
        values = [row.get(kind.key) for row in rows]
        column = TableColumn(
            kind.title,
            values,
            kind.tip,
            text=kind.text,
            number=kind.number and not any(isinstance(value, str) for value in values),
            spare=kind.spare,
            key=kind.key,
        )
        if kind.key == NOTE:
            column = replace(
                column,
                tips=lambda row: records[row].note,
                edits=lambda row: records[row].note,
                stretch=True,
                spare=0,
            )
        found.append(column)
    return found


def _paint_star(cell: PaintedCell) -> None:
    painter, colours = cell.painter, cell.theme.palette
    if cell.selected:
        painter.fillRect(cell.area, QColor(colours.accent_soft))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(colours.point))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if cell.value:
        painter.setPen(QColor(colours.warning))
        painter.setBrush(QColor(colours.warning))
    painter.drawPolygon(star_shape(cell.area.center(), scaled_length(_STAR_SIZE) / 2))


def star_shape(middle: QPointF, radius: float) -> QPolygonF:
    """A five-pointed star with one point at the top."""
    corners = []
    for number in range(10):
        angle = math.pi * (number / 5 - 0.5)
        far = radius
        if number % 2:
            far *= 0.42
        corners.append(
            QPointF(middle.x() + far * math.cos(angle), middle.y() + far * math.sin(angle))
        )
    return QPolygonF(corners)


def live_state(record: RunRecord) -> str:
    """Text of the state column: the progress of a run in training, otherwise the state itself."""
    progress = record.run.progress if record.run is not None else None
    if record.state is State.TRAINING and progress is not None:
        done = "" if progress.fraction is None else f" {100 * progress.fraction:.0f}%"
        return f"{progress.phase.value}{done}"
    if record.error is None or not record.has_vectors:
        return str(record.state)
    return "diverged"


def _busy(records: Sequence[RunRecord]) -> bool:
    """Whether any run has a state worth showing: unfinished, or with an error."""
    return any(record.state is not State.DONE or record.error is not None for record in records)


def _several(values: Any) -> bool:
    return len(set(values)) > 1


def heading(name: str, records: Sequence[RunFacts]) -> str:
    """The name of a hyperparameter, as in the form."""
    spec = declaration(name, records)
    if spec is not None:
        return spec.label
    return name.replace("_", " ").capitalize()


def parameter_spare(name: str, records: Sequence[RunFacts], compared: Container[str]) -> int:
    """``spare`` of a hyperparameter's column: one by which the user has ``compared`` runs is hidden
    last.
    """
    spec = declaration(name, records)
    if name in compared:
        return 4
    if spec is not None and spec.basic:
        return 7
    return ADVANCED


def _text(value: Cell) -> str:
    if value is None:
        return ""
    return str(value)


def _when(value: Cell) -> str:
    """Date and time; for today only the time, which distinguishes the runs of a session."""
    day, _, hour = _text(value).partition(" ")
    if hour and day == date.today().isoformat():
        return hour
    return f"{day} {hour}".rstrip()


def _state(value: Cell) -> str:
    """Text of a state such as "training 40%", which is stored in English because filters refer to
    it.
    """
    word, blank, share = str(value).partition(" ")
    if share:
        share = percent(share.removesuffix("%"))
    return f"{DOINGS.get(word, word)}{blank}{share}"


def _algorithm(value: Cell) -> str:
    key = str(value)
    if key in MODELS:
        return MODELS[key].short
    if key == FILE:
        return tr("From a file")
    return key


def parameter_text(value: Cell) -> str:
    """Text of a hyperparameter's value in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        if value:
            return tr("on")
        return tr("off")
    if isinstance(value, str):
        return choice_text(value)
    if isinstance(value, float):
        if _is_number(value):
            return true_minus(f"{value:g}")
        return UNKNOWN
    return str(value)


def _is_number(value: Cell) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _decimal(value: Cell) -> str:
    if _is_number(value):
        return decimal(value, 4)
    return ""


def _duration(value: Cell) -> str:
    if not _is_number(value):
        return ""
    if value < 10:
        return f"{true_minus(f'{value:.1f}')} s"
    return duration(value)


def _short(value: Cell) -> str:
    if _is_number(value):
        return short_number(value)
    return ""


def _count(value: Cell) -> str:
    if _is_number(value):
        return count(int(value))
    return ""


def _percent(value: Cell) -> str:
    if _is_number(value):
        return percent(true_minus(f"{100 * value:.1f}"))
    return ""


def _score(value: Cell) -> str:
    if _is_number(value):
        return true_minus(f"{value:.3f}")
    return ""
