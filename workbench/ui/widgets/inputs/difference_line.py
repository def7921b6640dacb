"""Line of text that lists the settings in which compared models differ."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.language import tr
from workbench.session.runs.facts import RunFacts, differing_settings
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.text import note_in_sentence

_LINES = 2


class DifferenceLine(ElidedLabel):
    """Muted line, hidden for models that differ in at most one setting: with more, no single
    setting explains a difference in scores or words.
    """

    def __init__(self) -> None:
        super().__init__(lines=_LINES)
        self.setProperty("role", "small")
        self.hide()

    def put_models(self, models: Sequence[RunFacts]) -> None:
        """List the settings in which these models differ."""
        names = [note_in_sentence(label) for label in differing_settings(models)]
        text = ""
        if names:
            text = tr("These models differ in: {settings}.", settings=", ".join(names))
        self.put(text)
        self.setVisible(bool(text))
