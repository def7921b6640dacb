"""The declared commands of the Train panel."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from workbench.core.language import tr
from workbench.models.base import MODELS, Model
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.ui.action import Action, ChoiceEntry, Choices, Declared
from workbench.ui.widgets.inputs.algorithm_choice import FAMILIES
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.inputs.form import Form
from workbench.ui.widgets.tables.run_list import RunList


class TrainControls(Protocol):
    """The parts of the Train panel that its commands use."""

    session: Session
    form: Form
    preset: ChoiceBox
    runs: RunList

    def train_with(self, algorithm: str) -> None: ...
    def why_not_with(self, kind: type[Model]) -> str: ...
    def choose_preset(self, name: str) -> None: ...


def _no_training(panel: TrainControls) -> str:
    if panel.session.training.current is None:
        return tr("Nothing is being trained.")
    return ""


def _pause_text(panel: TrainControls) -> str:
    training = panel.session.training.current
    if training is not None and training.state is State.PAUSED:
        return tr("Resume")
    return tr("Pause")


def _no_further(panel: TrainControls) -> str:
    if panel.runs.current() is None and panel.session.active.run is None:
        return tr("No run to continue.")
    return ""


def _no_changes(panel: TrainControls) -> str:
    if panel.form.changes():
        return ""
    return tr("All settings have their preset values.")


def _algorithms(panel: TrainControls) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            kind.key,
            kind.title,
            partial(panel.train_with, kind.key),
            kind.summary,
            panel.why_not_with(kind),
            section=FAMILIES[family],
        )
        for family in FAMILIES
        for kind in MODELS
        if kind.family == family
    ]


def _presets(panel: TrainControls) -> list[ChoiceEntry]:
    box = panel.preset
    return [
        ChoiceEntry(
            box.itemText(at),
            box.itemText(at),
            partial(panel.choose_preset, box.itemData(at)),
            tr(
                "Use the values of the preset “{itemText}”.",
                itemText=box.itemText(at),
            ),
            checked=at == box.currentIndex(),
        )
        for at in range(box.count())
    ]


TRAINING: tuple[Declared, ...] = (
    Action(
        "train.start",
        tr("Train"),
        tr("Train with the settings in the form."),
        lambda panel: panel.train(),
        ("Ctrl+Return",),
        "play",
        "Run",
        10,
        lambda panel: panel.why_not,
        raises=False,
    ),
    Action(
        "train.further",
        tr("Continue training…"),
        tr("Train the listed run for more epochs, as a new run."),
        lambda panel: panel.train_current_on(),
        ("Ctrl+Shift+Return",),
        "",
        "Run",
        11,
        _no_further,
    ),
    Choices(
        "train.with",
        tr("Train with"),
        tr("Train with an algorithm and its last settings."),
        _algorithms,
        tr("Train with "),
        "",
        "Run",
        12,
        tr("No algorithms are installed"),
    ),
    Action(
        "train.pause",
        tr("Pause"),
        tr("Pause or resume training. Nothing learned is lost."),
        lambda panel: panel.toggle_pause(),
        ("Ctrl+P",),
        "pause",
        "Run",
        20,
        _no_training,
        label=_pause_text,
        raises=False,
    ),
    Action(
        "train.stop",
        tr("Stop and keep"),
        tr("Stop training now and save the result so far."),
        lambda panel: panel.stop_training(),
        ("Ctrl+.",),
        "stop",
        "Run",
        21,
        _no_training,
        raises=False,
        synonyms=tr("stop training, end training"),
    ),
    Choices(
        "train.preset",
        tr("Preset"),
        tr("Use a preset in the form."),
        _presets,
        tr("Preset: "),
        "",
        "Run",
        30,
    ),
    Action(
        "train.find",
        tr("Find a setting"),
        tr("Find a setting by its name, symbol or effect."),
        lambda panel: panel.find_setting(),
        ("Ctrl+Shift+F",),
        "search",
        "Run",
        31,
    ),
    Action(
        "train.reset",
        tr("Reset all settings"),
        tr("Reset every setting to its preset value."),
        lambda panel: panel.reset_settings(),
        (),
        "reset",
        "Run",
        32,
        _no_changes,
    ),
)
