"""Train panel: algorithm, hyperparameters, cost, and start of a training."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.panels.train.actions import TRAINING
from workbench.ui.widgets.inputs.form import MARK_WIDTH


class TrainKind(PanelKind):
    key = "train"
    title = tr("Train")
    synonyms = tr("hyperparameters, algorithm")
    area = "left"
    workspaces = ("train",)
    order = 10
    requests: ClassVar = {"continue_run": "train_on", "parameters": "use_settings"}
    indent = MARK_WIDTH

    commands = TRAINING
