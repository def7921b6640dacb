"""Words placed on the finished map: the row where they are typed, and the job that finds their
positions. All other words stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from workbench.analysis.projection.placing import unit_rows
from workbench.analysis.projection.umap_learn import prepare
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Progress
from workbench.core.language import tr
from workbench.session.jobs import Job
from workbench.session.session import Session
from workbench.ui.panels.map.layout import METHODS, MapLayout
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import count
from workbench.ui.theme import SPACE_2, SPACE_3, SPACE_4
from workbench.ui.widgets.map.point_map import PointMap

_KEY = "map.place"
# More names than this would cover the map.
_MOST = 100


class PlacingBar(QWidget):
    """Row above the map. ``asked(words)``; ``cancelled``: stop placing; ``cleared``: remove the
    placed words; ``left``: hide the row.
    """

    asked = Signal(list)
    cancelled = Signal()
    cleared = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        label = PlainLabel(tr("Place words"))
        label.setProperty("role", "small")
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Words that aren’t on the map, separated by spaces"))
        set_scaled_size(self.field, least_width=120, most_width=420)
        self.place = QPushButton(tr("Place"))
        self.clear = QPushButton(tr("Remove"))
        self.close_row = QPushButton(tr("Close"))
        self.clear.setProperty("role", "link")
        self.close_row.setProperty("role", "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_4, 0, SPACE_3, SPACE_2)
        row.setSpacing(SPACE_3)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        for button in (self.place, self.clear):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.close_row)
        self._busy = False
        self.field.returnPressed.connect(self._ask)
        self.field.textChanged.connect(lambda _: self._allow())
        self.place.clicked.connect(self._press)
        self.clear.clicked.connect(self.cleared)
        self.close_row.clicked.connect(self.left)
        self.show_state(busy=False, placed=False)

    def show_state(self, *, busy: bool, placed: bool) -> None:
        """Offer to place, or to cancel; and to clear if there are placed words."""
        self._busy = busy
        text = tr("Cancel") if busy else tr("Place")
        self.place.setText(text)
        self.place.setAccessibleName(text)
        self.clear.setEnabled(placed)
        self._allow()

    def _allow(self) -> None:
        self.place.setEnabled(self._busy or bool(self.field.text().split()))

    def _press(self) -> None:
        if self._busy:
            self.cancelled.emit()
        else:
            self._ask()

    def _ask(self) -> None:
        if (words := self.field.text().split()) and not self._busy:
            self.asked.emit(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MapPlacing(QObject):
    """Places typed words on the current layout once it is finished; ``say`` reports what happened.
    ``changed()``: placing began or ended.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        bar: PlacingBar,
        view: PointMap,
        say: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._bar, self._view, self._say = session, bar, view, say
        self._layout: MapLayout | None = None
        self._resting = False
        self._job: Job[Singles] | None = None
        self._kept: Mapping[str, Any] | None = None  # of a session file, not placed yet
        bar.asked.connect(self.place_words)
        bar.cancelled.connect(self.stop)
        bar.cleared.connect(self._clear)
        bar.left.connect(self._close)

    @property
    def progress(self) -> Progress | None:
        return None if self._job is None else self._job.run.progress

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(_KEY)

    def open(self) -> None:
        """Show the row and go to its field. umap-learn loads while the user types."""
        if self._layout is not None and METHODS[self._layout.method].projection.moves:
            prepare()
        self._bar.show()
        self._bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._bar.field.selectAll()

    def set_layout(self, layout: MapLayout, resting: bool) -> None:
        """Tell which layout is shown, and whether it is finished. Words placed on another one are
        gone, together with its points.
        """
        if self._layout is None or self._layout.positions is not layout.positions:
            self.stop()
        self._layout, self._resting = layout, resting
        if resting and self._kept is not None and self._kept == self._kept_of(layout, self._kept):
            words, self._kept = self._kept["words"], None
            self.place_words(words)
        self._show_state()

    # -- session files

    def saved_words(self) -> dict[str, Any]:
        """The placed words and where they belong, for a session file; empty without any."""
        if self._layout is None or not self._view.placed_words:
            return {}
        return self._kept_of(self._layout, {"words": list(self._view.placed_words)})

    def restore_words(self, kept: object) -> None:
        """Place ``saved_words`` again as soon as their map is finished. Skips malformed entries."""
        words = kept.get("words") if isinstance(kept, dict) else None
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            self._kept = kept  # type: ignore[assignment]

    def _kept_of(self, layout: MapLayout, kept: Mapping[str, Any]) -> dict[str, Any]:
        request = layout.request
        where = {"run": request.identifier, "method": layout.method, "count": len(layout.words)}
        return {"words": kept["words"], **where}

    # -- placing

    def place_words(self, typed: list[str]) -> None:
        """Place words of the model that aren’t shown, and others from their n-grams."""
        layout, view = self._layout, self._view
        if layout is None or not self._resting:
            self._say(tr("Words can be placed when the map is finished"))
            return
        method = METHODS[layout.method]
        if method.dims != 2 or layout.pair is not None:
            self._say(tr("Words can be placed only on a map of one model in two dimensions"))
            return
        request = layout.request
        embeddings, projection = request.embeddings, method.projection
        rows = ((word, embeddings.find(word)) for word in typed)
        meant = [word if row is None else embeddings.words[row] for word, row in rows]
        words = [word for word in dict.fromkeys(meant) if not view.shows(word)]
        if not words:
            view.centre_on(meant[-1])
            self._say(tr("These words are on the map already"))
            return
        if len(view.placed_words) + len(words) > _MOST:
            self._say(tr("At most {number} words can be placed", number=count(_MOST)))
            return

        def work(run: JobControl) -> Singles:
            new = unit_rows(embeddings, words)
            return projection.place(request.unit_vectors, layout.positions, new, request.umap, run)

        self._job = self._session.jobs.start(
            tr("Placing words on the map"),
            work,
            lambda positions: self._finish(layout, words, positions),
            self._fail,
            key=_KEY,
            cancelled=self._end,
        )
        self._show_state()
        self.changed.emit()

    def stop(self) -> None:
        """Stop placing words; none of them appears."""
        if self._job is not None:
            self._session.jobs.drop(_KEY)
            self._end()

    def _finish(self, layout: MapLayout, words: list[str], positions: Singles) -> None:
        view = self._view
        if self._layout is not None and self._layout.positions is layout.positions:
            view.set_placed(
                (*view.placed_words, *words), np.concatenate([view.placed_positions, positions])
            )
            view.reveal(words[-1])
            self._bar.field.clear()
        self._end()

    def _fail(self, error: UserError) -> None:
        self._end()
        self._say(str(error))

    def _end(self) -> None:
        self._job = None
        self._show_state()
        self.changed.emit()

    def _clear(self) -> None:
        self._view.clear_placed()
        self._show_state()
        self._bar.field.setFocus()

    def _close(self) -> None:
        self._bar.hide()
        self._view.setFocus()

    def _show_state(self) -> None:
        self._bar.show_state(busy=self._job is not None, placed=bool(self._view.placed_words))
