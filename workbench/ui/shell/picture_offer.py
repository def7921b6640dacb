"""Offer to show the picture after a training on a text that was made from one."""

from __future__ import annotations

from workbench.analysis.matrix.picture import corpus_picture_size
from workbench.core.language import tr
from workbench.session.runs.lesson_notes import is_of_lesson
from workbench.session.runs.run_record import RunRecord
from workbench.ui.shell.panel_window import PanelWindow

_PANEL = "matrix"


class PictureOffer:
    """Follows the trainings of a window's session."""

    def __init__(self, window: PanelWindow) -> None:
        self._window = window
        window.session.training.finished.connect(self._training_finished)

    def release(self) -> None:
        self._window.session.training.finished.disconnect(self._training_finished)

    def _training_finished(self, record: RunRecord) -> None:
        window, session = self._window, self._window.session
        corpus = session.corpora.current
        if (
            record.has_vectors
            and corpus is not None
            and record.corpus_digest == corpus.digest
            and corpus_picture_size(corpus)
            and not is_of_lesson(record.note)
            and window.docks[_PANEL].visibleRegion().isEmpty()
        ):
            window.context.bridge.offer(
                tr("Matrix shows what {name} has kept of the picture.", name=record.name),
                tr("Show picture"),
                session.requests.picture.emit,
                lambda: window.docks[_PANEL].visibleRegion().isEmpty(),
            )
