"""Colour menu of the map, and the jobs that compute the colours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.projection.word_attributes import WordAttribute, load_column
from workbench.analysis.projection.word_axes import WordAxis
from workbench.analysis.projection.word_groups import WordGroups, groups_of
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import loader
from workbench.session.session import Session
from workbench.session.settings.session_settings import MAP_AXES_COLOUR, MAP_COLOUR, MAP_COLUMN
from workbench.session.training.seeds import siblings
from workbench.ui.base.action import set_action_key
from workbench.ui.base.file_dialogs import WORD_FILES, ask_open
from workbench.ui.base.plain_text import menu_text
from workbench.ui.panels.map.colour_modes import (
    shade_by_axis,
    shade_by_cluster,
    shade_by_column,
    shade_by_frequency,
    shade_by_layout_values,
    shade_by_section,
    shade_by_trustworthiness,
)
from workbench.ui.panels.map.layout import AXES, BORROWING, PAIR, PLANE, MapLayout
from workbench.ui.panels.map.regions import (
    LayoutRegions,
    SpaceRegions,
    describe_regions,
    find_layout_regions,
    find_space_regions,
    shade_by_region,
)
from workbench.ui.panels.map.texts import axis_text
from workbench.ui.panels.map.word_axes import ACROSS, DIRECTIONS, UP, AxesBar
from workbench.ui.widgets.layout.transient_menu import clear_menu
from workbench.ui.widgets.map.colour_scheme import DISTINCT, Shading
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.regions import RegionShading
from workbench.vectors.embeddings import Embeddings

REGIONS, PLAIN, FREQUENCY, AXIS, CLUSTERS, SECTION, COLUMN, TRUST = (
    "regions",
    "plain",
    "frequency",
    "axis",
    "clusters",
    "section",
    "column",
    "trustworthiness",
)
# Numbers of clusters offered in addition; only the largest clusters are coloured.
_MANY = (10, 15, 20, 30)
_TITLES = {
    REGIONS: tr("Regions"),
    PLAIN: tr("Plain"),
    FREQUENCY: tr("Frequency"),
    AXIS: tr("Word axis"),
    CLUSTERS: tr("Clusters"),
    SECTION: tr("Sections"),
    COLUMN: tr("Own column"),
    TRUST: tr("Trust"),
}
_KEY, _NAMING, _READING = "map.colour", "map.regions", "map.column"
# Number of layouts whose communities are kept.
_KNOWN = 4
# Maximum number of runs with other seeds, and maximum size of their vectors in numbers.
_SEEDS, _LARGEST = 5, 50_000_000
# File whose sections colour the map.
MAP_QUESTIONS = Setting("map.questions", str, "")


def _find_and_shade(
    layout: MapLayout, space: SpaceRegions | None, corpus: Corpus | None, run: JobControl
) -> tuple[LayoutRegions, RegionShading]:
    """``space`` is what is known of the same words."""
    found = find_layout_regions(layout, space or find_space_regions(layout, corpus, run))
    return found, shade_by_region(found)


def _is_same(one: tuple[str, object], other: tuple[str, object]) -> bool:
    """Whether two colourings have the same choice and source. Arrays are compared by identity."""
    if one[0] != other[0]:
        return False
    if isinstance(one[1], tuple):
        return one[1] == other[1]
    return one[1] is other[1]


class MapColours(QObject):
    """Colours of the points as chosen in the menu. The view of word axes has its own choice. Emits
    ``chosen()`` when the choice changes, ``judged()`` when it is known whether the text is large
    enough for regions, ``failed(UserError)`` on failure.
    """

    chosen = Signal()
    judged = Signal()
    failed = Signal(object)

    def __init__(
        self,
        session: Session,
        view: PointMap,
        button: QToolButton,
        axes: AxesBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._view = view
        self._button = button
        self._axes = axes
        self._setting = MAP_COLOUR
        self._layout: MapLayout | None = None
        self._final = False
        self._mapped: MapLayout | None = None
        self._done: tuple[str, object] | None = None
        self._is_plain = True
        self._shading: Shading | None = None
        self._regions: LayoutRegions | None = None
        self._spaces: list[SpaceRegions] = []  # the newest first
        # Colours of another layout’s regions, the layout that has them now, and as that draws them.
        self._borrowed: tuple[RegionShading, MapLayout, RegionShading] | None = None
        self._seeds: list[RunRecord] | None = None
        self._column: WordAttribute | None = None
        self._questions: Questions | None = None
        self._questions_from: Path | None = None
        self.choice = self._saved_choice
        self.menu = QMenu(button)
        set_action_key(self.menu, "map.colour")
        self.menu.setObjectName("map.colour.menu")
        self.menu.aboutToShow.connect(self._fill_menu)
        button.setMenu(self.menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill_menu()
        self._describe_choice()

    @property
    def _saved_choice(self) -> str:
        kept = self._session.settings[self._setting]
        if kept.partition(":")[0] in _TITLES:
            return kept
        return self._setting.default

    def reload(self) -> None:
        """Colour by the choice in the settings; files are read when needed."""
        self._column = self._questions = self._questions_from = None
        self.choose(self._saved_choice)

    @property
    def kind(self) -> str:
        return self.choice.partition(":")[0]

    @property
    def chosen_axis(self) -> str | None:
        """The word axis that colours the points; None for another colour mode."""
        kind, _, detail = self.choice.partition(":")
        if kind == AXIS and detail in DIRECTIONS:
            return detail
        return None

    @property
    def groups(self) -> WordGroups | None:
        """Groups of words that colour the points: categories of the column, or sections."""
        kind, _, detail = self.choice.partition(":")
        source = {COLUMN: self._column, SECTION: self._questions}.get(kind)
        return None if source is None else groups_of(source, detail)

    @property
    def busy(self) -> bool:
        return any(self._session.jobs.busy(key) for key in (_KEY, _NAMING, _READING))

    def set_layout(self, layout: MapLayout, final: bool, mapped: MapLayout | None = None) -> None:
        """Colour another layout or new positions.

        final : the points no longer move; mapped : the layout whose regions colour the words of an
        analogy's plane, once known
        """
        other = self._layout is None or list(self._layout.words) != list(layout.words)
        self._layout, self._final, self._mapped = layout, final, mapped
        if other:
            self._done = self._shading = None
        self._follow_view(layout)
        embeddings = layout.request.embeddings
        regional = self._regional_layout
        moving = self.kind in (TRUST, REGIONS) and not final
        moving |= self.kind == REGIONS and regional is None
        if moving or (self.kind == CLUSTERS and layout.request.live):
            for key in (_KEY, _NAMING):
                self._session.jobs.drop(key)
            self._done = self._regions = None
            if not self._is_plain or self._view.shading is not self._drawn_shading:
                self._set_shading(None)
            return
        # Inputs of the colours: for some modes the words alone, which stay the same while a model
        # learns.
        source: object = {
            REGIONS: regional.positions if regional is not None else None,
            TRUST: layout.positions,
            CLUSTERS: embeddings,
            FREQUENCY: embeddings.counts,
        }.get(self.kind)
        if self.chosen_axis is not None:
            source = (embeddings, self._known_axis(embeddings))
        if self._done is None or not _is_same((self.choice, source), self._done):
            self._done = (self.choice, source)
            self._start_job()
        elif self._shading is not None and self._view.shading is not self._drawn_shading:
            self._draw_shading()

    @property
    def _regional_layout(self) -> MapLayout | None:
        """The layout whose regions are coloured: words in the plane of an analogy, in 3D and of two
        models keep the colours of the map.
        """
        if self._layout is not None and self._layout.method in (*BORROWING, PAIR):
            return self._mapped
        return self._layout

    @property
    def _drawn_shading(self) -> Shading | None:
        """The shading as the view draws it: in the plane of an analogy and of two models with the
        colours of the map without its names, in 3D with both.
        """
        layout, mapped, shading = self._layout, self._mapped, self._shading
        if layout is None or layout.method not in (*BORROWING, PAIR):
            return shading
        if not isinstance(shading, RegionShading):
            return shading
        if layout.method == PLANE:
            return shading.hues
        known = self._borrowed
        if known is None or known[0] is not shading or known[1] is not layout:
            if layout.method == PAIR and mapped is not None:
                drawn = shading.hues_of(mapped.words, layout.words)
            else:
                drawn = shading.turned_solid(layout.positions)
            known = self._borrowed = (shading, layout, drawn)
        return known[2]

    def _draw_shading(self) -> None:
        shading = self._drawn_shading
        if shading is not None:
            self._view.set_shading(shading)

    def choose(self, choice: str) -> None:
        """Choose a colour mode, optionally followed by ":" and a number of clusters or a
        section.
        """
        self.choice = choice
        self._session.settings[self._setting] = choice
        self._describe_choice()
        self._done = None
        self.chosen.emit()
        if self._layout is not None:
            self.set_layout(self._layout, self._final, self._mapped)

    def _follow_view(self, layout: MapLayout) -> None:
        """Use the choice of the view of word axes, or that of all other views."""
        setting = MAP_AXES_COLOUR if layout.method == AXES else MAP_COLOUR
        if setting is not self._setting:
            self._setting = setting
            self.choice = self._saved_choice
            self._describe_choice()
            self._done = None
            self.chosen.emit()

    def _known_axis(self, embeddings: Embeddings) -> WordAxis | None:
        """The axis of the chosen colour, with the pairs that the model knows."""
        chosen = self.chosen_axis
        if chosen is None:
            return None
        axis = self._axes.known_axis(chosen, embeddings).axis
        if axis is None and self._setting is MAP_AXES_COLOUR:
            # A view with one axis is coloured by that.
            axis = self._axes.known_axis(UP if chosen == ACROSS else ACROSS, embeddings).axis
        return axis

    # -- jobs

    def _start_job(self) -> None:
        layout = self._layout
        assert layout is not None
        self._session.jobs.drop(_NAMING)
        self._regions = None
        regional = self._regional_layout
        if self.kind == REGIONS and regional is not None:
            self._start_regions(regional)
            return
        work = self._colouring_task(layout)
        if work is None:
            self._session.jobs.drop(_KEY)
            self._set_shading(None)
            self._done = None
            return
        self._session.jobs.start(
            tr("Colouring the map"),
            work,
            lambda shading: self._handle_shading(layout, shading),
            self._handle_failure,
            key=_KEY,
            quiet=self.kind not in (CLUSTERS, TRUST),
        )

    def _start_regions(self, layout: MapLayout) -> None:
        """Find the regions and show them by their central words, then name them by contexts,
        too.
        """
        if not len(layout.words):
            self._session.jobs.drop(_KEY)
            self._set_shading(None)
            return
        corpus = self._text_of_layout()
        known = [one for one in self._spaces if one.belongs_to(layout, corpus)]
        space = known[0] if known else None
        self._session.jobs.start(
            tr("Finding regions"),
            lambda run: _find_and_shade(layout, space, corpus, run),
            lambda found: self._handle_regions(*found),
            self._handle_failure,
            key=_KEY,
            quiet=True,
        )

    def _handle_regions(self, found: LayoutRegions, shading: RegionShading) -> None:
        rest = [one for one in self._spaces if one is not found.space]
        self._spaces = [found.space, *rest][:_KNOWN]
        self._handle_shading(found.layout, shading)
        self._start_naming(found)
        self.judged.emit()

    @property
    def unsupported(self) -> LayoutRegions | None:
        """The regions of the layout that is shown, if its text is too small for any."""
        found = self._regions
        if self.kind != REGIONS or found is None or found.space.supported:
            return None
        return found

    def runs_changed(self) -> None:
        """Compare the regions again if there are new runs with other seeds."""
        found = self._regions
        if found is not None and self._shading is not None and self._seed_runs() != self._seeds:
            self._start_naming(found)

    def _start_naming(self, found: LayoutRegions) -> None:
        self._regions, self._seeds = found, self._seed_runs()
        seeds = None
        if self._seeds is not None:
            seeds = [loader(self._session.store, record) for record in self._seeds]
        self._session.jobs.start(
            tr("Naming regions"),
            lambda run: describe_regions(found, seeds, run),
            lambda better: self._handle_shading(found.layout, better),
            lambda error: None,
            key=_NAMING,
            quiet=True,
        )

    def _seed_runs(self) -> list[RunRecord] | None:
        """The newest runs that differ from the shown one only in their seed; None if the algorithm
        has no seed, or the vectors are too large to be loaded for this.
        """
        record, layout = self._session.active.run, self._layout
        if record is None or layout is None or record.identifier != layout.request.identifier:
            return None
        shape = layout.request.embeddings.vectors.shape
        if "seed" not in record.parameters or shape[0] * shape[1] > _LARGEST:
            return None
        others = siblings(self._session.runs, record)
        return [one for one in others if one is not record and one.has_vectors][-_SEEDS:]

    def _text_of_layout(self) -> Corpus | None:
        """The open text, if the model on the map was trained on it."""
        record, corpus = self._session.active.run, self._session.corpora.current
        if record is not None and corpus is not None and bond(record, corpus) is Bond.SAME:
            return corpus
        return None

    def _colouring_task(self, layout: MapLayout) -> Callable[[JobControl], Shading] | None:
        kind, _, detail = self.choice.partition(":")
        questions, column = self._questions, self._column
        if layout.method == PAIR and kind == TRUST:
            return None  # two layouts have no common answer
        if kind == FREQUENCY:
            return lambda run: shade_by_frequency(layout)
        if kind == AXIS:
            axis = self._known_axis(layout.request.embeddings)
            if axis is None:
                return None
            return lambda run: shade_by_axis(layout, axis)
        if kind == CLUSTERS:
            return lambda run: shade_by_cluster(layout, int(detail or 0), run)
        if kind == TRUST:
            return lambda run: shade_by_trustworthiness(layout, run)
        if kind == SECTION:
            if questions is None:
                self._read_questions()
                return None
            return lambda run: shade_by_section(layout, questions, detail)
        if kind == COLUMN:
            if column is None:
                self._read_column()
                return None
            return lambda run: shade_by_column(layout, column)
        return None

    def _handle_shading(self, layout: MapLayout, shading: Shading) -> None:
        wanted = self._regional_layout if isinstance(shading, RegionShading) else self._layout
        if wanted is not None and list(wanted.words) == list(layout.words):
            self._set_shading(shading)

    def _set_shading(self, shading: Shading | None) -> None:
        """Colour the points, plainly if there is no shading."""
        if self._layout is not None:
            self._is_plain = shading is None
            self._shading = shading or shade_by_layout_values(self._layout)
            self._draw_shading()

    def _handle_failure(self, error: UserError) -> None:
        self._set_shading(None)
        self.failed.emit(error)

    # -- files

    def _read_column(self) -> None:
        path = self._session.settings[MAP_COLUMN]
        if path:
            self.open_column(Path(path))
        else:
            self.choose(PLAIN)

    def open_column(self, path: Path) -> None:
        """Read a table of words and values and colour by it."""

        def take(column: WordAttribute) -> None:
            self._column = column
            self._session.settings[MAP_COLUMN] = str(path)
            self.choose(COLUMN)

        self._session.jobs.start(
            tr("Reading a column"),
            lambda run: load_column(path),
            take,
            self._report_unreadable,
            key=_READING,
        )

    def open_questions(self, path: Path) -> None:
        """Read a question file and colour by its sections."""

        def take(questions: Questions) -> None:
            self._questions, self._questions_from = questions, path
            self._session.settings[MAP_QUESTIONS] = str(path)
            if self.kind == SECTION:
                self.choose(self.choice)
            else:
                self.choose(SECTION)

        self._session.jobs.start(
            tr("Reading questions"),
            lambda run: load_questions(path),
            take,
            self._report_unreadable,
            key=_READING,
        )

    def _read_questions(self) -> None:
        """Read the file chosen last, or the one that belongs to the corpus."""
        kept = self._session.settings[MAP_QUESTIONS]
        path = Path(kept) if kept else self._session.corpora.questions_path
        if path is not None:
            self.open_questions(path)

    def _report_unreadable(self, error: UserError) -> None:
        """Report the error; the previous choice stays."""
        without_column = self.kind == COLUMN and self._column is None
        without_questions = self.kind == SECTION and self._questions is None
        if without_column or without_questions:
            self.choose(PLAIN)
        self.failed.emit(error)

    # -- the menu

    def _describe_choice(self) -> None:
        if self.kind != PLAIN:
            self._button.setText(_TITLES[self.kind])
        else:
            self._button.setText(tr("Colour"))
        self._button.setAccessibleDescription(tr("Coloured by: {value}", value=_TITLES[self.kind]))

    def _fill_menu(self) -> None:
        menu = clear_menu(self.menu)
        group = QActionGroup(menu)
        self._add_choice(menu, group, tr("Regions, by name"), REGIONS)
        self._add_choice(menu, group, tr("Plain, darker for frequent words"), PLAIN)
        self._add_choice(menu, group, tr("Frequency"), FREQUENCY)
        axes = menu.addMenu(tr("Word axis"))
        for direction, name in zip(DIRECTIONS, (tr("Across"), tr("Up")), strict=True):
            axis = self._axes.typed_axis(direction)
            text = f"{name}: {axis_text(axis)}" if axis is not None else name
            self._add_choice(axes, group, text, f"{AXIS}:{direction}")
        clusters = menu.addMenu(tr("Clusters"))
        self._add_choice(clusters, group, tr("Best number of clusters (silhouette)"), CLUSTERS)
        for k in (*range(2, DISTINCT + 1), *_MANY):
            self._add_choice(clusters, group, tr("{k} clusters", k=k), f"{CLUSTERS}:{k}")
        sections = menu.addMenu(tr("Question section"))
        self._add_choice(sections, group, tr("All sections"), SECTION, self._has_questions)
        if self._questions is not None:
            sections.addSeparator()
            for name in self._questions.sections:
                self._add_choice(sections, group, name, f"{SECTION}:{name}")
        sections.addSeparator()
        self._add_action(
            sections, tr("Choose a question file…"), self._ask_questions, "map.colour.questions"
        )
        self._add_choice(menu, group, tr("Local trustworthiness"), TRUST)
        own = menu.addMenu(tr("Own column"))
        if self._column is not None:
            self._add_choice(own, group, self._column.name, COLUMN)
        self._add_action(
            own,
            tr("Choose a table of words and values (TSV)…"),
            self._ask_column,
            "map.colour.file",
        )

    def _has_questions(self) -> None:
        if (
            self._questions is None
            and self._session.corpora.questions_path is None
            and not self._session.settings[MAP_QUESTIONS]
        ):
            self._ask_questions()
        else:
            self.choose(SECTION)

    def _add_choice(
        self,
        menu: QMenu,
        group: QActionGroup,
        text: str,
        choice: str,
        slot: Callable[[], None] | None = None,
    ) -> None:
        action = menu.addAction(menu_text(text))
        action.setObjectName(f"map.colour.{choice}")
        action.setCheckable(True)
        action.setChecked(choice == self.choice)
        action.triggered.connect(slot or partial(self.choose, choice))
        group.addAction(action)

    def _add_action(self, menu: QMenu, text: str, slot: Callable[[], None], name: str) -> QAction:
        action = menu.addAction(menu_text(text))
        action.setObjectName(name)
        action.triggered.connect(lambda _=False: slot())
        return action

    def _ask_column(self) -> None:
        title = tr("Open a table of words and values")
        path = self._ask_file(title, tr("Tables (*.tsv *.txt);;All files (*)"))
        if path is not None:
            self.open_column(path)

    def _ask_questions(self) -> None:
        path = self._ask_file(tr("Open question file"), tr("Text (*.txt);;All files (*)"))
        if path is not None:
            self.open_questions(path)

    def _ask_file(self, title: str, kinds: str) -> Path | None:
        return ask_open(self._button, self._session.settings, WORD_FILES, title, kinds)
