"""Step panel: one training step, term by term."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import by_qaction
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class StepKind(PanelKind):
    key = "step"
    title = tr("Step")
    synonyms = tr("gradient, backpropagation, update")
    area = "centre"
    workspaces = ("train",)
    order = 60

    commands = (
        by_qaction(
            key="step.forward",
            text=tr("Take the next training step"),
            description=tr("Draw the next example and update its vectors."),
            find=lambda panel: panel._forward,
            keys="Alt+Right",
            place=10,
        ),
        by_qaction(
            key="step.back",
            text=tr("Undo training step"),
            description=tr("Restore the vectors before the last step."),
            find=lambda panel: panel._back,
            keys="Alt+Left",
            place=11,
        ),
        by_qaction(
            key="step.many",
            text=tr("Take 100 training steps"),
            description=tr("Take 100 steps at once."),
            find=lambda panel: panel._many,
            keys="Alt+Shift+Right",
            place=12,
        ),
        by_qaction(
            key="step.restart",
            text=tr("Restart the training steps"),
            description=tr("Restart from the first step."),
            find=lambda panel: panel._restart,
            keys="Alt+Home",
            place=13,
        ),
        by_qaction(
            key="step.to_word",
            text=tr("Take a training step at the selected word"),
            description=tr("Go to the next window with the selected word at its centre."),
            find=lambda panel: panel._to_word,
            place=14,
        ),
        *export_actions(key, tr("the training step"), lambda panel: panel._export),
    )
