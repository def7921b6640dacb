"""What is chosen in the rows above the map, and which layout that calls for."""

from __future__ import annotations

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.ui.panels.map.body import MapBody
from workbench.ui.panels.map.compare import SecondModel
from workbench.ui.panels.map.layout import AXES, PAIR, PCA, PLANE, UMAP, LayoutRequest
from workbench.ui.panels.map.model import SeenModel
from workbench.ui.panels.map.word_sets import MapSets
from workbench.vectors.embeddings import Embeddings

_METHOD, _LIMIT, _AXES = "map.method", "map.limit", "map.axes"
_USUAL_LIMIT, _MOST_LIMIT = 2000, 1_000_000


class MapChoices:
    """The choices that the settings hold, at first.

    problem : why what is chosen cannot be shown as it is, found by the last ``request``
    note : what was done otherwise than chosen, by the same
    """

    def __init__(self, session: Session, ui: MapBody, sets: MapSets, second: SecondModel) -> None:
        self._session = session
        self._ui = ui
        self._sets = sets
        self._second = second
        self.problem: UserError | None = None
        self.note = ""
        self.restore()

    def restore(self) -> None:
        """Put in what the settings hold."""
        bar, settings = self._ui.bar, self._session.settings
        bar.choose(str(settings.get(_METHOD, UMAP)), settings.whole(_LIMIT, _USUAL_LIMIT, 0, _MOST_LIMIT))
        if bar.chosen_method == PLANE:
            bar.choose(UMAP, bar.chosen_limit)
        self._ui.axes.put(settings.get(_AXES))

    def keep(self) -> None:
        """Put the method and the number of words into the settings."""
        self._session.settings.set(_METHOD, self.method)
        self._session.settings.set(_LIMIT, self._ui.bar.chosen_limit)

    def keep_axes(self) -> None:
        self._session.settings.set(_AXES, self._ui.axes.words())

    @property
    def method(self) -> str:
        return self._ui.bar.chosen_method

    def choose(self, method: str) -> None:
        """Another way of laying out, for the words there are. Nobody is told."""
        self._ui.bar.choose(method, self._ui.bar.chosen_limit)

    def show_rows(self, seen: SeenModel) -> None:
        """The rows of controls that the choices call for."""
        method, embeddings, sets = self.method, seen.embeddings, self._sets
        if method == AXES and embeddings is not None:
            self._ui.axes.suggest(embeddings)
        self._ui.show_rows(
            axes=method == AXES and not seen.live,
            compare=method == PAIR and not seen.live,
            isolation=sets.isolated is not None and not seen.live,
        )
        if sets.isolated is not None and embeddings is not None:
            self._ui.isolation.label.put(sets.describe(len(sets.rows(embeddings) or ())))

    def request(self, seen: SeenModel) -> LayoutRequest | None:
        """The layout that the choices call for, None without vectors.

        PCA stands in for what lacks something: an analogy, the words of an axis, a second model. A model that learns
        is laid out by PCA, all of its first words.
        """
        self.problem, self.note = None, ""
        embeddings, record = seen.embeddings, seen.record
        if embeddings is None or record is None:
            return None
        bar = self._ui.bar
        method = PCA if seen.live else self.method
        analogy = self._analogy(embeddings)
        rows = None if seen.live else self._sets.rows(embeddings)
        if rows is not None and len(rows) < 2:
            self.note = tr("This model knows too few of the words that were shown alone; all are shown")
            rows = None
        axes = self._ui.axes.axes if method == AXES else None
        if method == AXES and (lacking := self._ui.axes.check(embeddings)):
            self.problem = UserError(
                tr("“{word}” is not in the vocabulary.", word=lacking[0]), tr("Choose another anchor.")
            )
            axes = None
        other = self._other() if method == PAIR else None
        if (method == PLANE and analogy is None) or (method == AXES and axes is None) or (method == PAIR and not other):
            method = PCA
        return LayoutRequest(
            record.identifier, embeddings, method, bar.chosen_limit, bar.umap, analogy, seen.live, rows, axes, other
        )

    def _analogy(self, embeddings: Embeddings) -> AnalogyShown | None:
        """The one answered last, if the model knows all of its words."""
        asked = self._session.analogy
        known = asked is not None and all(word in embeddings for word in (asked.a, asked.b, asked.c, asked.answer))
        return asked if known else None

    def _other(self) -> tuple[str, Embeddings, str] | None:
        vectors, second = self._second.embeddings, self._second.record
        if vectors is not None and second is not None:
            return second.identifier, vectors, str(self._ui.compare.method.currentData())
        if self._second.problem:
            self.problem = UserError(self._second.problem, tr("Choose another model."))
        return None
