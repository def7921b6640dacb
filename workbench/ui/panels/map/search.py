"""Finding a word on the map by typing it, and completing the words of its axes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from workbench.analysis.neighbours.query_resolution import suggestion, told_left_out
from workbench.core.errors import UnknownWord
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.panels.map.body import MapBody
from workbench.ui.widgets.inputs.word_field import index_of
from workbench.ui.widgets.inputs.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings


class MapSearch(QObject):
    """Goes to the word typed; ``say`` tells of one that the model lacks."""

    def __init__(
        self,
        session: Session,
        body: MapBody,
        embeddings: Callable[[], Embeddings | None],
        say: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._body = body
        self._embeddings = embeddings
        self._say = say
        self._index_of: Embeddings | None = None
        body.bar.search.picked.connect(self._found)
        body.bar.search.wanted.connect(self._make_index)
        body.bar.search.left.connect(body.view.setFocus)
        body.axes.wanted.connect(self._make_index)

    def _make_index(self) -> None:
        embeddings = self._embeddings()
        if embeddings is None or embeddings is self._index_of:
            return
        self._index_of = embeddings
        self._take(None)
        self._session.jobs.start(
            tr("Sorting the words"), lambda run: index_of(embeddings), self._take, key="map.index", quiet=True
        )

    def _take(self, index: WordIndex | None) -> None:
        self._body.bar.search.set_index(index)
        self._body.axes.set_index(index)

    def _found(self, words: list[str]) -> None:
        embeddings = self._embeddings()
        if embeddings is None:
            return
        rows = {word: embeddings.find(word) for word in words}
        known = [embeddings.words[row] for row in rows.values() if row is not None]
        if not known:
            self._say(str(UnknownWord(words[0], suggestion(embeddings.words, words[0]), words[1:])))
            return
        self._session.select(known)
        self._body.view.centre_on(known[-1])
        self._body.view.setFocus()
        unknown = [word for word, row in rows.items() if row is None]
        if unknown:
            self._say(told_left_out(unknown, embeddings.words))
