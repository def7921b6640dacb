"""The declared commands of the Train panel."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from workbench.core.language import tr
from workbench.models.base import MODELS, Model
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.ui.base.action import Action, ChoiceEntry, Choices, Declared
from workbench.ui.panels.train.run_list import RunList
from workbench.ui.widgets.inputs.algorithm_choice import FAMILIES
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.inputs.form import Form


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
            key=kind.key,
            text=kind.title,
            run=partial(panel.train_with, kind.key),
            description=kind.summary,
            why_not=panel.why_not_with(kind),
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
            key=box.itemText(at),
            text=box.itemText(at),
            run=partial(panel.choose_preset, box.itemData(at)),
            description=tr(
                "Use the values of the preset “{itemText}”.",
                itemText=box.itemText(at),
            ),
            checked=at == box.currentIndex(),
        )
        for at in range(box.count())
    ]


TRAINING: tuple[Declared, ...] = (
    Action(
        key="train.start",
        text=tr("Train"),
        description=tr("Train with the settings in the form."),
        run=lambda panel: panel.train(),
        keys=("Ctrl+Return",),
        icon="play",
        menu="Run",
        place=10,
        why_not=lambda panel: panel.why_not,
        raises=False,
    ),
    Action(
        key="train.further",
        text=tr("Continue training…"),
        description=tr("Train the listed run for more epochs, as a new run."),
        run=lambda panel: panel.train_current_on(),
        keys=("Ctrl+Shift+Return",),
        menu="Run",
        place=11,
        why_not=_no_further,
    ),
    Choices(
        key="train.with",
        text=tr("Train with"),
        description=tr("Train with an algorithm and its last settings."),
        entries=_algorithms,
        prompt=tr("Train with "),
        menu="Run",
        place=12,
        empty=tr("No algorithms are installed"),
    ),
    Action(
        key="train.pause",
        text=tr("Pause"),
        description=tr("Pause or resume training. Nothing learned is lost."),
        run=lambda panel: panel.toggle_pause(),
        keys=("Ctrl+P",),
        icon="pause",
        menu="Run",
        place=20,
        why_not=_no_training,
        label=_pause_text,
        raises=False,
    ),
    Action(
        key="train.stop",
        text=tr("Stop and keep"),
        description=tr("Stop training now and save the result so far."),
        run=lambda panel: panel.stop_training(),
        keys=("Ctrl+.",),
        icon="stop",
        menu="Run",
        place=21,
        why_not=_no_training,
        raises=False,
        synonyms=tr("stop training, end training"),
    ),
    Choices(
        key="train.preset",
        text=tr("Preset"),
        description=tr("Use a preset in the form."),
        entries=_presets,
        prompt=tr("Preset: "),
        menu="Run",
        place=30,
    ),
    Action(
        key="train.find",
        text=tr("Find a setting"),
        description=tr("Find a setting by its name, symbol or effect."),
        run=lambda panel: panel.find_setting(),
        keys=("Ctrl+Shift+F",),
        icon="search",
        menu="Run",
        place=31,
    ),
    Action(
        key="train.reset",
        text=tr("Reset all settings"),
        description=tr("Reset every setting to its preset value."),
        run=lambda panel: panel.reset_settings(),
        icon="reset",
        menu="Run",
        place=32,
        why_not=_no_changes,
    ),
)
