"""Word search on the map, and completion for the word axes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from workbench.analysis.neighbours.query_resolution import left_out_message
from workbench.corpus.suggestions import unknown_words
from workbench.session.session import Session
from workbench.ui.panels.map.body import MapBody
from workbench.ui.widgets.inputs.word_field import index_request
from workbench.ui.widgets.inputs.word_search import WordIndex
from workbench.ui.widgets.layout.result_view import ResultJob
from workbench.vectors.embeddings import Embeddings


class MapSearch(QObject):
    """Search for a typed word; ``say`` reports words that the model doesn’t contain."""

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
        self._indexing = ResultJob(session.jobs, "map.index")
        body.bar.search.picked.connect(self._words_entered)
        body.bar.search.wanted.connect(self._make_index)
        body.bar.search.left.connect(body.view.setFocus)
        body.axes.wanted.connect(self._make_index)

    def forget_missing(self) -> None:
        """Clear the search if the shown model doesn't contain what was searched for."""
        embeddings, search = self._embeddings(), self._body.bar.search
        if embeddings is not None and not search.hasFocus():
            search.forget_missing(lambda word: embeddings.find(word) is not None)

    def _make_index(self) -> None:
        embeddings = self._embeddings()
        if embeddings is not None and self._indexing.ask(
            index_request(embeddings, self._set_index)
        ):
            self._set_index(None)

    def _set_index(self, index: WordIndex | None) -> None:
        self._body.bar.search.set_index(index)
        self._body.axes.set_index(index)

    def _words_entered(self, words: list[str]) -> None:
        embeddings = self._embeddings()
        if embeddings is None:
            return
        rows = {word: embeddings.find(word) for word in words}
        known = [embeddings.words[row] for row in rows.values() if row is not None]
        if not known:
            self._say(str(unknown_words(words, embeddings.words)))
            return
        self._session.selection.select(known)
        self._body.view.centre_on(known[-1])
        self._body.view.setFocus()
        unknown = [word for word, row in rows.items() if row is None]
        if unknown:
            self._say(left_out_message(unknown, embeddings.words))
