"""What can be done in the train panel, declared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.models.base import MODELS
from workbench.session.records import State
from workbench.ui.action import Action, Choices, Declared, Entry

if TYPE_CHECKING:
    from workbench.ui.panels.train import TrainPanel


def _no_training(panel: TrainPanel) -> str:
    return "" if panel.session.training is not None else "Nothing is being trained."


def _pause_text(panel: TrainPanel) -> str:
    training = panel.session.training
    return "Resume" if training is not None and training.state is State.PAUSED else "Pause"


def _no_further(panel: TrainPanel) -> str:
    return "" if panel.runs.current() is not None or panel.session.shown is not None else "There is no run to train on."


def _algorithms(panel: TrainPanel) -> list[Entry]:
    return [
        Entry(kind.key, kind.title, partial(panel.train_with, kind.key), kind.summary, panel.why_not, section=family)
        for family in ("predict", "count")
        for kind in MODELS
        if kind.family == family
    ]


def _presets(panel: TrainPanel) -> list[Entry]:
    box = panel.preset
    return [
        Entry(
            box.itemText(at), box.itemText(at), partial(panel.choose_preset, box.itemText(at)),
            f"Put the values of the preset “{box.itemText(at)}” into the form.", checked=at == box.currentIndex(),
        )
        for at in range(box.count())
    ]  # fmt: skip


TRAINING: tuple[Declared, ...] = (
    Action(
        "train.start", "Train", "Train with the settings that stand in the form.", lambda panel: panel.train(),
        ("Ctrl+Return",), "play", "Run", 10, lambda panel: panel.why_not, raises=False,
    ),
    Action(
        "train.further", "Train the run on…", "Train the run of the list for more passes, as a new run.",
        lambda panel: panel.train_current_on(), ("Ctrl+Shift+Return",), "", "Run", 11, _no_further,
    ),
    Choices(
        "train.with", "Train with", "Train with an algorithm, with its settings as they were last.", _algorithms,
        "Train with ", "", "Run", 12, "No algorithms are installed",
    ),
    Action(
        "train.pause", "Pause", "Pause the training, or let it go on; what was learned stays.",
        lambda panel: panel.toggle_pause(), ("Ctrl+P",), "pause", "Run", 20, _no_training, label=_pause_text,
        raises=False,
    ),
    Action(
        "train.stop", "Stop and keep", "End the training now and keep what was learned.",
        lambda panel: panel.stop_training(), ("Ctrl+.",), "stop", "Run", 21, _no_training, raises=False,
    ),
    Choices(
        "train.preset", "Preset", "Put values that belong together into the form.", _presets, "Preset: ", "", "Run", 30,
    ),
    Action(
        "train.find", "Find a setting", "Find a setting of the algorithm by its name, its symbol or what it does.",
        lambda panel: panel.find_setting(), ("Ctrl+Shift+F",), "search", "Run", 31,
    ),
    Action(
        "train.reset", "Reset all settings", "Put every setting back to the value of its preset.",
        lambda panel: panel.reset_settings(), (), "reset", "Run", 32,
        lambda panel: "" if panel.form.changes() else "All settings are as in the preset.",
    ),
)  # fmt: skip
