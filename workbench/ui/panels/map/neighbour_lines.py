"""Lines on the map from a word to its nearest neighbours in the full space."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from workbench.analysis.neighbours.nearest import nearest
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.map.point_map import PointMap
from workbench.vectors.embeddings import Embeddings

_NEIGHBOURS = 8
_DWELL_MS = 140
_KEPT = 2000

Links = tuple[tuple[str, float], ...]


class MapLinks(QObject):
    """Lines from the word under the pointer, or the last selected word, to its neighbours."""

    def __init__(self, session: Session, view: PointMap, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._view = view
        self._embeddings: Embeddings | None = None
        self._near: dict[str, Links] = {}
        self._finding = ResultJob(session.jobs, "map.neighbours")
        self._finding.on_failed(lambda error: view.set_links(""))
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(_DWELL_MS)
        self._dwell.timeout.connect(self.draw_lines)
        view.hovered.connect(lambda _: self._dwell.start())

    def set_embeddings(self, embeddings: Embeddings | None) -> None:
        """Search for neighbours in these vectors; None draws no lines."""
        if embeddings is not self._embeddings:
            self._embeddings = embeddings
            self._near.clear()
            self._finding.forget()
        self.draw_lines()

    def draw_lines(self) -> None:
        word, embeddings = self._centre_word, self._embeddings
        if word is None or embeddings is None or word not in embeddings.index:
            self._view.set_links("")
            return
        found = self._near.get(word)
        if found is not None:
            self._view.set_links(word, found)
            return

        def show_links(links: Links) -> None:
            if embeddings is self._embeddings:
                if len(self._near) >= _KEPT:
                    self._near.clear()
                self._near[word] = links
                if word == self._centre_word:
                    self._view.set_links(word, links)

        self._finding.ask(
            Request(
                (embeddings, word),
                tr("Finding neighbours"),
                lambda run: tuple(
                    (found.word, found.cosine) for found in nearest(embeddings, word, _NEIGHBOURS)
                ),
                show_links,
                quiet=True,
            )
        )

    @property
    def _centre_word(self) -> str | None:
        return self._view.hovered_word or self._session.selection.focus
