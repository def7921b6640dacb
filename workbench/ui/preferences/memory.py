"""Preferences page: memory in use, and ways to free it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent

from workbench.core.language import tr, trn
from workbench.core.machine.memory import free_memory
from workbench.session.runs.history import ALL, BUDGET, give_room
from workbench.ui import kit
from workbench.ui.base.text import memory
from workbench.ui.preferences.page import PreferencesPage

_AGAIN_MS = 500


class MemoryPage(PreferencesPage):
    """Texts are updated while the page is visible: trainings continue, and the active run may
    change.
    """

    key = "memory"
    title = tr("Memory")
    order = 50

    def build(self) -> None:
        self._free = kit.label(name="preferences.memory.free")
        self._vectors = kit.label(name="preferences.memory.vectors")
        self._states = kit.label(name="preferences.memory.states")
        self.row(
            tr("Free on this computer"),
            tr("You’re asked before a training that needs more than this."),
            self._free,
        )
        self.row(
            tr("Vectors in memory"),
            tr("Vectors of the runs you’ve opened. They are reloaded when needed."),
            self._vectors,
        )
        self.row(
            tr("Training snapshots"),
            tr(
                "Snapshots that the panel Time plays: at most {budget} per run and {all} in total.",
                budget=memory(BUDGET),
                all=memory(ALL),
            ),
            self._states,
        )
        self._drop = self.button(
            tr("Unload vectors"),
            tr(
                "Unload the vectors of saved runs other than the active one. They are reloaded "
                "when needed."
            ),
            "memory.vectors.drop",
            tr("Free memory"),
            self._forget_vectors,
        )
        self._thin = self.button(
            tr("Discard snapshots"),
            tr("Discard the snapshots of all runs except the last. Results aren’t affected."),
            "memory.states.drop",
            tr("Free memory"),
            self._forget_states,
        )
        self.end()
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.refresh)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._again.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    def _forget_vectors(self) -> None:
        for record in self.session.runs:
            if record.stored and record is not self.session.active.run and record.state.over:
                record.embeddings = None
        self.refresh()

    def _forget_states(self) -> None:
        give_room([record.history for record in self.session.runs], 0)
        self.refresh()

    def refresh(self) -> None:
        runs = self.session.runs
        held = [record for record in runs if record.embeddings is not None]
        tables = [record.embeddings.vectors for record in held if record.embeddings is not None]
        vectors = sum(table.nbytes for table in tables if isinstance(table, np.ndarray))
        states = sum(record.history.bytes for record in runs)
        self._free.setText(memory(free_memory()))
        self._vectors.setText(
            trn(
                "{vectors} in {number} run",
                "{vectors} in {number} runs",
                len(held),
                vectors=memory(vectors),
            )
        )
        self._states.setText(memory(states))
        shown = self.session.active.run
        self._drop.setEnabled(any(record.stored and record is not shown for record in held))
        self._thin.setEnabled(any(record.history.frames for record in runs[:-1]))
