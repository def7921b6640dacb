"""Choices of the map’s controls, and the layout request that follows from them."""

from __future__ import annotations

import numpy as np

from workbench.analysis.analogy.mutual import is_mutual
from workbench.analysis.projection.methods import Need
from workbench.analysis.projection.space import MapAxes
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.suggestions import suggestion
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.session.settings.session_settings import (
    MAP_METHOD,
    MAP_PLANE,
)
from workbench.ui.panels.map.body import MapBody
from workbench.ui.panels.map.colour_menu import MapColours
from workbench.ui.panels.map.compare import SecondModel
from workbench.ui.panels.map.layout import (
    AXES,
    METHODS,
    PAIR,
    PAIRS,
    PCA,
    PLANE,
    UMAP,
    LayoutRequest,
)
from workbench.ui.panels.map.model import SeenModel
from workbench.ui.panels.map.texts import left_out_pairs
from workbench.ui.panels.map.word_axes import ACROSS, DIRECTIONS, UP
from workbench.ui.panels.map.word_sets import MapSets
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import kept_modes


class MapChoices:
    """The choices of the controls, initially from the settings.

    problem : why the choices can't be shown as they are, set by the last ``request``
    note : how the last ``request`` differs from the choices
    left_out : pairs of word axes that the model can't use, set by the last ``show_rows``
    """

    def __init__(
        self, session: Session, ui: MapBody, sets: MapSets, second: SecondModel, colours: MapColours
    ) -> None:
        self._session = session
        self._ui = ui
        self._sets = sets
        self._second = second
        self._colours = colours
        ui.bar.compared_by = lambda: str(ui.compare.method.currentData())
        ui.bar.method_chosen.connect(self._remember_plane)
        self.problem: UserError | None = None
        self.note = ""
        self.left_out = ""
        self._analogy: AnalogyShown | None = None  # the last analogy that could be drawn
        self._before = ""  # the method before the next choice
        # Whether a person chose the plane, which is otherwise shown for good answers only; and
        # whether it is to be shown as soon as the analogy of a session file is answered.
        self._plane_is_chosen = self._plane_is_wanted = False
        self._judged: tuple[Embeddings, AnalogyShown, bool] | None = None

    def restore_method(self, method: str) -> None:
        """Set the method of a state; "": that of the settings."""
        self.choose_method(method or self.flat_method)
        self._before = self.method
        self._plane_is_chosen = self._plane_is_wanted = method == PLANE

    def _remember_plane(self) -> None:
        """Save whether a person prefers the plane of an analogy. The map may show it already,
        because the analogy is answered well; it then stays for those that aren't.
        """
        self._plane_is_chosen, self._plane_is_wanted = self.method == PLANE, False
        if self.method in (PLANE, UMAP):
            self._session.settings[MAP_PLANE] = self._plane_is_chosen

    def save_method(self) -> None:
        """Save the method in the settings."""
        if self.method != self._before:
            self._remember_plane()
        self._before = self.method
        if self.method != PLANE:
            self._session.settings[MAP_METHOD] = self.method

    @property
    def method(self) -> str:
        return self._ui.bar.chosen_method

    def choose_method(self, method: str) -> None:
        """Set another layout method for the current words without a signal."""
        self._ui.bar.choose_method(method)

    def choose_plane(self, seen: SeenModel) -> None:
        """Show the plane of an analogy that is answered well in place of UMAP, which would distort
        it; leave the plane if the model lacks a word of the analogy, or, unless a person chose the
        plane, answers it badly.
        """
        if seen.is_live or seen.embeddings is None:
            return
        analogy, settings = self.plane_analogy(seen.embeddings), self._session.settings
        asked = self._session.selection.analogy is not None
        if self._plane_is_wanted and analogy is not None:
            self.choose_method(PLANE)
            self._plane_is_wanted = False
        elif self.method == UMAP and settings[MAP_PLANE] and analogy is not None and asked:
            if self._is_answered_well(seen.embeddings, analogy):
                self.choose_method(PLANE)
                self._plane_is_chosen = False
        elif self.method == PLANE and (
            analogy is None
            or not (self._plane_is_chosen or self._is_answered_well(seen.embeddings, analogy))
        ):
            self.choose_method(self.flat_method)
        self._before = self.method

    def _is_answered_well(self, embeddings: Embeddings, analogy: AnalogyShown) -> bool:
        """Whether the words of an analogy are among those of the map, and the model answers it in
        both directions.
        """
        words = (analogy.a, analogy.b, analogy.c, analogy.answer)
        known = self._judged
        if known is None or known[0] is not embeddings or known[1] != analogy:
            try:
                well = is_mutual(embeddings, *words)
            except UserError:
                well = False
            known = self._judged = (embeddings, analogy, well)
        limit = self._ui.bar.chosen_limit or len(embeddings)
        return known[2] and all(embeddings.row(word) < limit for word in words)

    @property
    def flat_method(self) -> str:
        """The method for all words, to which the view switches from the plane of an analogy."""
        method = self._session.settings[MAP_METHOD]
        if method == PLANE:
            return UMAP
        return method

    def plane_analogy(self, embeddings: Embeddings | None) -> AnalogyShown | None:
        """The analogy whose plane can be shown: the last one, while another is being typed."""
        if embeddings is None:
            return None
        analogy = self._known_analogy(embeddings, self._session.selection.analogy)
        self._analogy = analogy or self._analogy
        return self._known_analogy(embeddings, self._analogy)

    def show_rows(self, seen: SeenModel, axis_coloured: bool) -> None:
        """Show the rows of controls that the choices need, including word axes if they colour the
        points.
        """
        method, embeddings, sets = self.method, seen.embeddings, self._sets
        self.left_out = ""
        with_axes = method == AXES or axis_coloured
        if with_axes and embeddings is not None:
            self._ui.axes.fill_with_anchors(embeddings)
            self.left_out = self._left_out(embeddings)
        self._ui.show_rows(
            axes=with_axes and not seen.is_live,
            compare=method == PAIR and not seen.is_live,
            isolation=sets.isolated is not None and not seen.is_live,
        )
        if sets.isolated is not None and embeddings is not None:
            self._ui.isolation.label.put(sets.describe(len(sets.isolated_rows(embeddings) or ())))

    def request(self, seen: SeenModel) -> LayoutRequest | None:
        """Layout request for the choices, None without vectors.

        PCA replaces a layout without its analogy, words of an axis or second model. During
        training, PCA lays out the first words of the model.
        """
        self.problem, self.note = None, ""
        embeddings, record = seen.embeddings, seen.record
        if embeddings is None or record is None:
            return None
        bar = self._ui.bar
        method = PCA if seen.is_live else self.method
        analogy = self.plane_analogy(embeddings)
        rows = None if seen.is_live else self._sets.isolated_rows(embeddings)
        if rows is not None and len(rows) < 2:
            self.note = tr(
                "Too few of the filtered words are in this model, so all words are shown"
            )
            rows = None
        dead = 0
        if method != PAIR and not seen.is_live:
            rows, dead = _rows_with_vector(embeddings, rows, bar.chosen_limit)
        axes = self._known_axes(embeddings) if method == AXES else None
        other = self._second_model() if method == PAIR else None
        if (
            (method == PLANE and analogy is None)
            or (method == AXES and axes is None)
            or (method == PAIR and not other)
        ):
            method = PCA
        groups = None
        if Need.GROUPS in METHODS[method].projection.needs:
            groups = self._colours.groups
            if groups is None:
                method = PCA
        projection = METHODS[method].projection
        if method == PAIR and other is not None:
            projection = PAIRS[other[2]]
        kept = kept_modes(embeddings)
        which = record.identifier
        if kept is not None:
            which = f"{which} {kept[0]}"
        return LayoutRequest(
            which,
            embeddings,
            method,
            bar.chosen_limit,
            bar.params_of(projection.params_type or UmapParams),
            analogy,
            seen.is_live,
            rows,
            axes,
            other,
            dead,
            groups,
        )

    def _known_axes(self, embeddings: Embeddings) -> MapAxes | None:
        """The axes of the pairs that the model knows; None if neither axis has such pairs."""
        bar = self._ui.axes
        bar.mark_unknown(embeddings)
        across, up = (bar.known_axis(direction, embeddings) for direction in DIRECTIONS)
        for known in (across, up):
            if known.axis is None and known.unknown:
                self.problem = UserError(
                    tr("“{word}” is not in the vocabulary.", word=known.unknown[0]),
                    suggestion(embeddings.words, known.unknown[0])
                    or tr("Choose another word for the axis."),
                )
            elif known.axis is None and known.without_vector:
                self.problem = UserError(
                    tr("The vector of “{word}” is zero.", word=known.without_vector[0]),
                    tr("Choose another word for the axis."),
                )
        if across.axis is None and up.axis is None:
            return None
        return across.axis, up.axis

    def _left_out(self, embeddings: Embeddings) -> str:
        bar = self._ui.axes
        parts = []
        for direction, name in ((ACROSS, tr("Across")), (UP, tr("Up"))):
            typed, known = bar.typed_axis(direction), bar.known_axis(direction, embeddings)
            alone = bar.pairs[direction].alone
            if typed is not None and known.axis is not None and (known.left_out or alone):
                parts.append(left_out_pairs(name, typed, known, alone))
        return " · ".join(parts)

    def _known_analogy(
        self, embeddings: Embeddings, analogy: AnalogyShown | None
    ) -> AnalogyShown | None:
        """The analogy, if the model contains all its words."""
        known = analogy is not None and all(
            word in embeddings for word in (analogy.a, analogy.b, analogy.c, analogy.answer)
        )
        if known:
            return analogy
        return None

    def _second_model(self) -> tuple[str, Embeddings, str] | None:
        vectors, second = self._second.embeddings, self._second.record
        if vectors is not None and second is not None:
            return second.identifier, vectors, str(self._ui.compare.method.currentData())
        if self._second.problem:
            self.problem = UserError(self._second.problem, tr("Choose another model."))
        return None


def _rows_with_vector(
    embeddings: Embeddings, rows: tuple[int, ...] | None, limit: int
) -> tuple[tuple[int, ...] | None, int]:
    """The chosen rows (None: the first ``limit``, 0 for all) without words whose vector is zero,
    and the number of these words. All are kept if fewer than two have a vector.
    """
    shown = np.arange(len(embeddings))[: limit or None] if rows is None else np.array(rows)
    live = shown[embeddings.has_vector[shown]]
    if len(live) == len(shown) or len(live) < 2:
        return rows, 0
    return tuple(live.tolist()), len(shown) - len(live)
