"""Trustworthiness and continuity of the map that is seen, found in a job, told in one line."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.analysis.projection.quality import Quality, quality
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.panels.map.layout import PAIR, MapLayout
from workbench.ui.text import count, mark_unknown

_KEY = "map.quality"
_FEWEST = 4


class MapQuality(QObject):
    """Judges a layout once it has come to rest. ``changed()`` follows every verdict."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._asked: MapLayout | None = None
        self._found: Quality | None = None

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(_KEY)

    def judge(self, layout: MapLayout) -> None:
        """Find the numbers of a layout, unless they are known or being found, or mean nothing."""
        if self._asked is layout or (self._asked is not None and self._asked.positions is layout.positions):
            return
        self.forget()
        if layout.request.live or layout.method == PAIR or len(layout.words) < _FEWEST:
            return
        self._asked = layout
        self._session.jobs.start(
            tr("Judging the map"),
            lambda run: quality(layout.request.unit, layout.positions, run=run),
            self._take,
            key=_KEY,
            quiet=len(layout.words) <= 2000,
        )

    def forget(self) -> None:
        """The map moves: what was found holds no longer."""
        self._session.jobs.drop(_KEY)
        self._asked = self._found = None

    def _take(self, found: Quality) -> None:
        self._found = found
        self.changed.emit()

    @property
    def text(self) -> str:
        """ "trustworthiness .93 · continuity .95", or nothing yet."""
        found = self._found
        if found is None:
            return ""
        about = "" if found.exact else "≈ "
        trust, kept = _share(found.trustworthiness), _share(found.continuity)
        return tr("trustworthiness {about}{trust} · continuity {about}{kept}", about=about, trust=trust, kept=kept)

    @property
    def tip(self) -> str:
        found = self._found
        if found is None:
            return ""
        looked = tr("all words") if found.exact else tr("{count} words drawn at random", count=count(len(found.rows)))
        return tr(
            "Of {looked}, {k} neighbours each (Venna and Kaski 2001).\nTrustworthiness falls where words are near on "
            "the map but not in the space,\ncontinuity where words near in the space are far apart on the map. 1 is "
            "perfect.",
            looked=looked,
            k=found.k,
        )


@mark_unknown
def _share(value: float) -> str:
    """.93; 1.00 stays whole."""
    return f"{value:.2f}".removeprefix("0")
