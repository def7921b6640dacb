"""Trustworthiness and continuity of the map, computed in a job and shown in the footer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.analysis.projection.quality import Quality, quality
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.base.text import count, quality_text
from workbench.ui.panels.map.layout import PAIR, MapLayout

_KEY = "map.quality"
_FEWEST = 4


class MapQuality(QObject):
    """Quality of a layout once its points no longer move. Emits ``changed()`` after each
    measurement.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._checked_layout: MapLayout | None = None
        self._found: Quality | None = None

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(_KEY)

    def measure_layout(self, layout: MapLayout) -> None:
        """Measure a layout, unless its quality is known, being computed or meaningless."""
        if self._checked_layout is layout or (
            self._checked_layout is not None and self._checked_layout.positions is layout.positions
        ):
            return
        self.clear_quality()
        if layout.request.live or layout.method == PAIR or len(layout.words) < _FEWEST:
            return
        self._checked_layout = layout
        self._session.jobs.start(
            tr("Evaluating the map"),
            lambda run: quality(layout.request.unit_vectors, layout.positions, run=run),
            self._handle_quality,
            key=_KEY,
            quiet=len(layout.words) <= 2000,
        )

    def clear_quality(self) -> None:
        """Discard the measures because the map is moving."""
        self._session.jobs.drop(_KEY)
        self._checked_layout = self._found = None

    def _handle_quality(self, found: Quality) -> None:
        self._found = found
        self.changed.emit()

    @property
    def text(self) -> str:
        """ "trustworthiness .93 · continuity .95", or nothing yet."""
        found = self._found
        if found is None:
            return ""
        about = "" if found.exact else "≈ "
        return quality_text(found.trustworthiness, found.continuity, about)

    @property
    def tip(self) -> str:
        found = self._found
        if found is None:
            return ""
        looked = tr("{count} random words", count=count(len(found.rows)))
        if found.exact:
            looked = tr("all words")
        return tr(
            "Measured on {looked} with {k} neighbours each (Venna and Kaski 2001).\n"
            "Trustworthiness falls if words are near on the map but not in the vector "
            "space.\nContinuity falls if words are near in the vector space but far apart "
            "on the map. 1 = perfect.",
            looked=looked,
            k=found.k,
        )
