"""Trustworthiness and continuity of the map, computed in a job and shown in the footer."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.analysis.projection.before_after import quality_of_both
from workbench.analysis.projection.quality import Quality, quality
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.base.text import count, quality_text
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_FEWEST = 4


def _quality_of(layout: MapLayout, run: JobControl) -> tuple[Quality, ...]:
    """The quality of a layout, or of those of both models."""
    request = layout.request
    if layout.pair is None or request.other is None:
        return (quality(request.unit_vectors, layout.positions, run=run),)
    return quality_of_both(request.embeddings, request.other[1], layout.pair, run)


class MapQuality(QObject):
    """Quality of a layout once its points no longer move. Emits ``changed()`` after each
    measurement.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._measuring = ResultJob(session.jobs, "map.quality")
        # One for each model that is drawn.
        self._found: tuple[Quality, ...] = ()

    @property
    def busy(self) -> bool:
        return self._measuring.busy

    def measure_layout(self, layout: MapLayout) -> None:
        """Measure a layout, unless its quality is known, being computed or meaningless."""
        if layout.request.live or len(layout.words) < _FEWEST:
            self.clear_quality()
            return
        title, quiet = tr("Evaluating the map"), len(layout.words) <= 2000
        work = partial(_quality_of, layout)
        request = Request((layout.positions,), title, work, self._handle_quality, quiet=quiet)
        if self._measuring.ask(request):
            self._found = ()

    def clear_quality(self) -> None:
        """Discard the measures because the map is moving."""
        self._measuring.forget()
        self._found = ()

    def _handle_quality(self, found: tuple[Quality, ...]) -> None:
        self._found = found
        self.changed.emit()

    @property
    def text(self) -> str:
        """ "trustworthiness .93 · continuity .95", or nothing yet; of two models, one after the
        other.
        """
        found = self._found
        if not found:
            return ""
        about = "" if all(one.exact for one in found) else "≈ "
        return quality_text(
            [one.trustworthiness for one in found], [one.continuity for one in found], about
        )

    @property
    def tip(self) -> str:
        if not self._found:
            return ""
        found = max(self._found, key=lambda one: not one.exact)
        looked = tr("{count} random words", count=count(len(found.rows)))
        if found.exact:
            looked = tr("all words")
        tip = tr(
            "Measured on {looked} with {k} neighbours each (Venna and Kaski 2001).\n"
            "Trustworthiness falls if words are near on the map but not in the vector "
            "space.\nContinuity falls if words are near in the vector space but far apart "
            "on the map. 1 = perfect.",
            looked=looked,
            k=found.k,
        )
        if len(self._found) > 1:
            tip = f"{tip}\n{tr('The first number is that of the first model.')}"
        return tip
