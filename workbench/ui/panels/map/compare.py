"""Comparison of two models on the map: choice of the second model, and the slider that moves the
words.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSlider, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.theme import SPACE_2, SPACE_3, Theme
from workbench.ui.panels.map.layout import PAIRS
from workbench.ui.widgets.inputs.run_choice import add_heading, grouped_runs, row_of_run, run_text
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.vectors.embeddings import Embeddings

_STEPS = 200
_PLAY_MS = 1800


class CompareBar(QWidget):
    """``changed``: another model, "other", or method, "other_method", was chosen; ``moved``:
    position of the slider in 0..1.
    """

    changed = Signal(str)
    share_changed = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.first = kit.with_role(kit.ElidedLabel(), "small")
        self.other = kit.ChoiceBox.of({}, letters=11)
        self.method = kit.ChoiceBox.of(
            {key: kind.short for key, kind in PAIRS.items()},
            tips=[kind.help for kind in PAIRS.values()],
            letters=5,
        )
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        # It is back at the first model with the next layout.
        self.slider.setProperty("passing", True)
        self.slider.setPageStep(_STEPS // 10)
        kit.set_scaled_size(self.slider, least_width=70)
        self.play = kit.icon_button(theme, "play", role="quiet", pressed=self._toggle_playing)
        models = (self.first, kit.label("→"), self.other, self.method)
        margins = (SPACE_3, 0, SPACE_3, SPACE_2)
        kit.fill(self, kit.bar(*models, kit.stretch(self.slider), self.play, margins=margins))
        self._clock = QElapsedTimer()
        self._start = 0
        self._timer = QTimer(self)
        self._timer.setInterval(16)
        self._timer.timeout.connect(self._advance_slider)
        self.other.activated.connect(lambda _: self.changed.emit("other"))
        self.method.activated.connect(lambda _: self.changed.emit("other_method"))
        self.method.highlighted.connect(self._prepare_method)
        self.slider.valueChanged.connect(lambda value: self.share_changed.emit(value / _STEPS))
        self.slider.sliderPressed.connect(self.stop_playing)

    def _prepare_method(self, index: int) -> None:
        PAIRS[str(self.method.itemData(index))].prepare()

    @property
    def share(self) -> float:
        return self.slider.value() / _STEPS

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def stop_playing(self) -> None:
        self._timer.stop()

    def reset_slider(self) -> None:
        """Return to the first model without animation."""
        self.stop_playing()
        self.slider.setValue(0)

    def _toggle_playing(self) -> None:
        """Play from the slider's position to the end; at the end, from the beginning."""
        if self.playing:
            self.stop_playing()
            return
        self._start = self.slider.value()
        self._clock.restart()
        self._timer.start()

    def _advance_slider(self) -> None:
        back = self._start == _STEPS
        share = min(self._clock.elapsed() / _PLAY_MS, 1.0)
        eased = share * share * (3.0 - 2.0 * share)
        end = 0 if back else _STEPS
        self.slider.setValue(round(self._start + eased * (end - self._start)))
        if share >= 1.0:
            self._timer.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._toggle_playing()
        else:
            super().keyPressEvent(event)


class SecondModel:
    """The run compared with the one shown, and its vectors, which are loaded when needed."""

    def __init__(self, session: Session, bar: CompareBar, arrived: Callable[[], None]) -> None:
        self._session = session
        self._bar = bar
        self._arrived = arrived
        self._loaded: tuple[str, Embeddings] | None = None
        self._loader = ResultJob(session.jobs, "map.other")
        # A run that can't be loaded, and why.
        self._unread: tuple[str, str] = ("", "")
        self.problem = ""

    def list_runs(self, shown: RunRecord | None) -> bool:
        """List all runs with vectors except the one shown, keeping the choice if possible; returns
        whether it changed.
        """
        others = [run for run in self._session.runs if run.has_vectors and run is not shown]
        entries: list[tuple[str, str | None]] = []
        for group in grouped_runs(self._session, others):
            if group.title:
                entries.append((group.title, None))
            entries += [(run_text(self._session, run), run.identifier) for run in group.runs]
        box = self._bar.other
        before = box.currentData()
        if entries != [(box.itemText(row), box.itemData(row)) for row in range(box.count())]:
            self._unread = ("", "")
            box.clear()
            for name, identifier in entries:
                if identifier is None:
                    add_heading(box, name)
                else:
                    box.addItem(name, identifier)
            box.setCurrentIndex(self._row_of(before, others, shown))
            box.setEnabled(bool(entries))
        # Without a second model, the map shows PCA of the first.
        self._bar.method.setVisible(bool(entries))
        if shown is not None:
            self._bar.first.put(shown.name)
        else:
            self._bar.first.put("")
        return bool(box.currentData() != before)

    def _row_of(self, before: str | None, others: list[RunRecord], shown: RunRecord | None) -> int:
        """The row of the run chosen before, or else of the latest run of the same corpus, which is
        most likely meant, or else of any run.
        """
        same = [
            run
            for run in reversed(others)
            if shown is not None and run.corpus_digest == shown.corpus_digest
        ]
        wanted = [self._bar.other.wanted, before, *(run.identifier for run in same or others)]
        return row_of_run(self._bar.other, wanted)

    @property
    def record(self) -> RunRecord | None:
        chosen = self._bar.other.currentData()
        return next((run for run in self._session.runs if run.identifier == chosen), None)

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors; None without a run, or while they are being loaded (then ``arrived`` is
        called).
        """
        record = self.record
        self.problem = ""
        if record is None:
            return None
        if record.embeddings is not None:
            return record.embeddings
        if self._loaded is not None and self._loaded[0] == record.identifier:
            return self._loaded[1]
        identifier = record.identifier
        if self._unread[0] == identifier:
            self.problem = self._unread[1]
            return None

        def fail(error: UserError) -> None:
            self._unread = identifier, str(error)
            self._arrived()

        def take(embeddings: Embeddings) -> None:
            self._loaded = (identifier, embeddings)
            self._arrived()

        title = tr("Loading {name}", name=record.name)
        work = lambda run: self._session.store.vectors(identifier)  # noqa: E731
        self._loader.ask(Request((identifier,), title, work, take, quiet=True, failed=fail))
        return None

    @property
    def loading(self) -> bool:
        return self._loader.busy
