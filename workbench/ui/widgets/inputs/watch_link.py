"""A link from the pictures of the active run to those of the run in training, and back."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import menu_text, safe_tip

_LONGEST = 28


class WatchLink(QPushButton):
    """Hidden unless both a training and another, active run could be shown."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._session = panel.session
        self.setProperty("role", "link")
        panel.named(self, "watch", tr("Watch the training"))
        self.clicked.connect(self._switch)
        self.hide()
        for event in (
            self._session.runs.changed,
            self._session.active.changed,
            self._session.training.watched.changed,
        ):
            panel.follow(event, self._refresh)
        self._refresh()

    def _other(self) -> RunRecord | None:
        """The run that a click shows."""
        training, active = self._session.training.current, self._session.active.run
        if training is None or active is None or training is active:
            return None
        return training if self._session.training.watched.run is None else active

    def _refresh(self) -> None:
        other = self._other()
        self.setVisible(other is not None)
        if other is None:
            return
        name = other.name
        if len(name) > _LONGEST:
            name = f"{name[:_LONGEST]}…"
        text, tip = (
            (tr("Watch {name}", name=name), tr("Show the training of {name}.", name=other.name))
            if other is self._session.training.current
            else (tr("Show {name}", name=name), tr("Show {name} again.", name=other.name))
        )
        self.setText(menu_text(text))
        self.setAccessibleName(text)
        self.setToolTip(safe_tip(tip))

    def _switch(self) -> None:
        training = self._session.training
        training.watched.watch(training.current if training.watched.run is None else None)
