"""The row of numbers below the loss: value, floor, pace."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QWidget

from workbench.core.job_control import FinalLoss, Phase
from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.runs import final_loss
from workbench.session.runs.facts import only_difference
from workbench.session.runs.loss_floor import explain_negative_gap, floor_of
from workbench.session.runs.names import is_numbered
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui import kit
from workbench.ui.base.plain_text import paintable_text, safe_tip
from workbench.ui.base.scaling import scaled_length, set_text_role
from workbench.ui.base.text import (
    decimal,
    duration,
    exact_loss,
    short_number,
    title_in_sentence,
    unit_of,
)
from workbench.ui.base.theme import SPACE_3, SPACE_4, TYPE_BODY, TYPE_LARGE
from workbench.ui.widgets.inputs.setting_tooltip import shown_value

_WIDEST_NAME = 200


def objective_of(record: RunRecord) -> str:
    """The objective of a run with its unit, "" if the run has none."""
    if record.algorithm not in MODELS:
        return ""
    return MODELS[record.algorithm].loss_label


def split_unit(label: str) -> tuple[str, str]:
    """ "loss per pair (nats)" → "loss per pair", "nats"."""
    what, bracket, unit = label.removesuffix(")").rpartition(" (")
    if bracket and label.endswith(")"):
        return what, unit
    return label, ""


def curve_names(records: Sequence[RunRecord]) -> list[str]:
    """The names of runs beside their curves. If a single setting tells the runs apart, its value
    follows the names that were given automatically: "SGNS 2, counts".
    """
    spec = only_difference(records)
    names = []
    for record in records:
        name = record.name
        # A run of an earlier version may lack the setting.
        if (
            spec is not None
            and spec.name in record.parameters
            and is_numbered(name, MODELS[record.algorithm].short)
        ):
            value = shown_value(record.parameters[spec.name], spec)
            label = "" if spec.choices else f"{title_in_sentence(spec.label)} "
            name = f"{name}, {label}{value}"
        names.append(name)
    return names


def _loss_description(record: RunRecord, final: FinalLoss) -> str:
    """The kind of a loss value, after its standard error."""
    what = final_loss.title(final)
    if record.run is not None and record.run.final is None:
        what = tr("so far")
    if final.error:
        return f"± {decimal(final.error, 2)}, {what}"
    return what


def _floor_texts(record: RunRecord) -> dict[str, str]:
    """The floor of a run’s loss and the gap of the loss above it, "" if unknown."""
    if _no_floor_reason(record):
        return {"floor": tr("none"), "gap": ""}
    values = zip(("floor", "gap"), floor_and_gap(record), strict=True)
    return {key: "" if value is None else exact_loss(value) for key, value in values}


def _no_floor_reason(record: RunRecord) -> str:
    """Why the loss of a run can’t have a floor; "" if it has one, or no loss."""
    if record.algorithm not in MODELS or not len(record.trace):
        return ""
    return MODELS[record.algorithm].loss_floor.missing


def floor_and_gap(record: RunRecord) -> tuple[float | None, float | None]:
    floor = floor_of(record)
    if floor is None:
        return None, None
    return floor.value, floor.gap(record.closing_loss)


def has_bound(record: RunRecord) -> bool:
    """Whether the floor is only a lower bound."""
    floor = floor_of(record)
    return floor is not None and floor.bound


def _pace_texts(record: RunRecord) -> dict[str, str]:
    """Learning rate, speed, time left and time taken of a run, "" if unknown."""
    texts = dict.fromkeys(("rate", "speed", "left", "took"), "")
    progress = None if record.run is None else record.run.progress
    paused = record.state is State.PAUSED
    if paused:
        texts["speed"] = tr("paused")
    if progress is None or progress.phase is not Phase.TRAINING:
        seconds = record.trace.seconds
        if len(seconds):
            texts["took"] = duration(float(seconds[-1]))
        return texts
    rate = progress.details.get("learning_rate")
    if rate is not None:
        texts["rate"] = decimal(rate, 3)
    if progress.rate and not paused:
        texts["speed"] = f"{short_number(progress.rate)} {unit_of(progress.unit)}/s"
    if progress.seconds_left is not None and not paused:
        texts["left"] = duration(progress.seconds_left)
    return texts


class NumbersRow(QWidget):
    """A row on the leading run: its loss, then its pace if known."""

    def __init__(self) -> None:
        super().__init__()
        self._name = kit.label(role="heading")
        self._loss = kit.label(name="loss.value")
        set_text_role(self._loss, TYPE_LARGE, bold=True, tabular=True)
        self._unit = kit.label(role="small", name="loss.unit")
        # A single line, whose end is in its tooltip: a second line would be cut off in a low
        # window.
        self._what = kit.with_role(kit.ElidedLabel(), "small", "loss.what")
        self._rows: dict[str, tuple[QLabel, QLabel]] = {}
        for key, title in (
            ("floor", tr("floor")),
            ("gap", tr("gap")),
            ("rate", tr("learning rate")),
            ("speed", tr("speed")),
            ("left", tr("remaining")),
            ("took", tr("duration")),
        ):
            caption, value = kit.label(title, role="small"), kit.label(name=f"loss.{key}")
            set_text_role(value, TYPE_BODY, tabular=True)
            caption.hide()
            value.hide()
            self._rows[key] = (caption, value)
        self.floor_button = kit.text_button(
            tr("Compute floor"), role="quiet", name="loss.compute_floor"
        )
        self.floor_button.hide()
        final = (self._name, self._loss, self._unit, kit.stretch(self._what))
        pace = chain.from_iterable(self._rows.values())
        margins = (SPACE_3, 0, SPACE_4, 0)
        kit.fill(self, kit.bar(*final, *pace, self.floor_button, margins=margins))

    def show_missing_floor(self, reason: str) -> None:
        """Offer to compute the floor, unless ``reason`` is empty."""
        self.floor_button.setToolTip(safe_tip(reason))
        if self.floor_button.isVisibleTo(self) != bool(reason):
            self.floor_button.setVisible(bool(reason))

    def show_run(self, record: RunRecord) -> None:
        metrics = QFontMetrics(self._name.font())
        room = scaled_length(_WIDEST_NAME)
        final = record.closing_loss
        loss, unit, description = "–", "", ""
        if final is not None:
            loss, unit = exact_loss(final.value), split_unit(objective_of(record))[1]
            description = _loss_description(record, final)
            if note := explain_negative_gap(floor_of(record), final):
                description = f"{description}. {note}"
        for label, text in (
            (
                self._name,
                metrics.elidedText(paintable_text(record.name), Qt.TextElideMode.ElideMiddle, room),
            ),
            (self._loss, loss),
            (self._unit, unit),
        ):
            if label.text() != text:
                label.setText(text)
        self._what.put(description)
        for key, text in (_floor_texts(record) | _pace_texts(record)).items():
            self._set_row(key, text)
        caption, _ = self._rows["floor"]
        title = tr("bound") if has_bound(record) else tr("floor")
        if caption.text() != title:
            caption.setText(title)
        for part in self._rows["floor"]:
            part.setToolTip(safe_tip(_no_floor_reason(record)))

    def _set_row(self, key: str, text: str) -> None:
        caption, value = self._rows[key]
        if value.text() != text:
            # Hiding and showing lays the column out again, even if nothing changes.
            if bool(text) != bool(value.text()):
                caption.setVisible(bool(text))
                value.setVisible(bool(text))
            value.setText(text)
