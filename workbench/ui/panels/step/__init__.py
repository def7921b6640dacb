"""Step panel: one training step, term by term."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.action import by_qaction
from workbench.ui.panel_kind import PanelKind
from workbench.ui.widgets.charts.export_actions import export_actions


class StepKind(PanelKind):
    key = "step"
    title = tr("Step")
    synonyms = tr("gradient, backpropagation, update")
    area = "centre"
    workspaces = ("train",)
    order = 60

    commands = (
        *(
            by_qaction(f"step.{name}", text, description, find, keys, place)
            for name, text, description, find, keys, place in (
                (
                    "forward",
                    tr("Take the next training step"),
                    tr("Draw the next example and update its vectors."),
                    lambda panel: panel._forward,
                    "Alt+Right",
                    10,
                ),
                (
                    "back",
                    tr("Undo training step"),
                    tr("Restore the vectors before the last step."),
                    lambda panel: panel._back,
                    "Alt+Left",
                    11,
                ),
                (
                    "many",
                    tr("Take 100 training steps"),
                    tr("Take 100 steps at once."),
                    lambda panel: panel._many,
                    "Alt+Shift+Right",
                    12,
                ),
                (
                    "restart",
                    tr("Restart the training steps"),
                    tr("Restart from the first step."),
                    lambda panel: panel._restart,
                    "Alt+Home",
                    13,
                ),
                (
                    "to_word",
                    tr("Take a training step at the selected word"),
                    tr("Go to the next window with the selected word at its centre."),
                    lambda panel: panel._to_word,
                    "",
                    14,
                ),
            )
        ),
        *export_actions(key, tr("the training step"), lambda panel: panel._export),
    )
