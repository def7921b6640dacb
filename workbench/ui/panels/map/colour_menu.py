"""The menu that says what the colours of the map mean, and the jobs that find them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.projection.word_attributes import WordAttribute, load_column
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.action import set_action_key
from workbench.ui.panels.map.colour_modes import (
    as_frequent,
    by_cluster,
    by_column,
    by_frequency,
    by_section,
    by_trustworthiness,
)
from workbench.ui.panels.map.layout import PAIR, MapLayout
from workbench.ui.plain_text import menu_text
from workbench.ui.widgets.layout.transient_menu import clear_menu
from workbench.ui.widgets.map.colour_scheme import DISTINCT, Shading
from workbench.ui.widgets.map.point_map import PointMap

PLAIN, FREQUENCY, CLUSTERS, SECTION, COLUMN, TRUST = (
    "plain",
    "frequency",
    "clusters",
    "section",
    "column",
    "trustworthiness",
)
# So many clusters can be asked for, too; the largest ones are coloured.
_MANY = (10, 15, 20, 30)
_TITLES = {
    PLAIN: tr("Plain"),
    FREQUENCY: tr("Frequency"),
    CLUSTERS: tr("Clusters"),
    SECTION: tr("Sections"),
    COLUMN: tr("Own column"),
    TRUST: tr("Trust"),
}
_KEY, _READING = "map.colour", "map.column"
_CHOICE, _COLUMN, _QUESTIONS = "map.colour", "map.column", "map.questions"


class MapColours(QObject):
    """Colours the points of a view as was chosen. ``failed(UserError)`` where that cannot be done."""

    failed = Signal(object)

    def __init__(self, session: Session, view: PointMap, button: QToolButton, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._view = view
        self._button = button
        self._layout: MapLayout | None = None
        self._final = False
        self._done: tuple[str, object] | None = None
        self._is_plain = True
        self._shading: Shading | None = None
        self._column: WordAttribute | None = None
        self._questions: Questions | None = None
        self._questions_from: Path | None = None
        self.choice = self._remembered
        self.menu = QMenu(button)
        set_action_key(self.menu, "map.colour")
        self.menu.setObjectName("map.colour.menu")
        self.menu.aboutToShow.connect(self._fill)
        button.setMenu(self.menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill()
        self._say()

    @property
    def _remembered(self) -> str:
        kept = self._session.settings.get(_CHOICE, PLAIN)
        return kept if isinstance(kept, str) and kept.partition(":")[0] in _TITLES else PLAIN

    def reload(self) -> None:
        """Colour as the settings say now; files are read when they are needed."""
        self._column = self._questions = self._questions_from = None
        self.choose(self._remembered)

    @property
    def kind(self) -> str:
        return self.choice.partition(":")[0]

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(_KEY) or self._session.jobs.busy(_READING)

    def lay(self, layout: MapLayout, final: bool) -> None:
        """Another layout is shown, or the same words elsewhere; ``final`` where the points have come to rest."""
        other = self._layout is None or list(self._layout.words) != list(layout.words)
        self._layout, self._final = layout, final
        if other:
            self._done = self._shading = None
        embeddings = layout.request.embeddings
        if (self.kind == TRUST and not final) or (self.kind == CLUSTERS and layout.request.live):
            self._done = None
            if not self._is_plain or self._view.shading is not self._shading:
                self._put(None)
            return
        # What the colours are found from: words alone stay what they are while a model learns.
        source = {TRUST: layout.positions, CLUSTERS: embeddings, FREQUENCY: embeddings.counts}.get(self.kind)
        if self._done is None or self._done[0] != self.choice or self._done[1] is not source:
            self._done = (self.choice, source)
            self._start()
        elif self._view.shading is not self._shading and self._shading is not None:
            self._put(self._shading)

    def choose(self, choice: str) -> None:
        """Colour otherwise: a kind, with ":" and a number of clusters or a section behind it."""
        self.choice = choice
        self._session.settings.set(_CHOICE, choice)
        self._say()
        self._done = None
        if self._layout is not None:
            self.lay(self._layout, self._final)

    # -- the work

    def _start(self) -> None:
        layout = self._layout
        assert layout is not None
        work = self._work(layout)
        if work is None:
            self._session.jobs.drop(_KEY)
            self._put(None)
            self._done = None
            return
        self._session.jobs.start(
            tr("Colouring the map"),
            work,
            lambda shading: self._take(layout, shading),
            self._fail,
            key=_KEY,
            quiet=self.kind not in (CLUSTERS, TRUST),
        )

    def _work(self, layout: MapLayout) -> Callable[[JobControl], Shading] | None:
        kind, _, detail = self.choice.partition(":")
        questions, column = self._questions, self._column
        if layout.method == PAIR and kind == TRUST:
            return None  # two layouts have no one answer
        if kind == FREQUENCY:
            return lambda run: by_frequency(layout)
        if kind == CLUSTERS:
            return lambda run: by_cluster(layout, int(detail or 0), run)
        if kind == TRUST:
            return lambda run: by_trustworthiness(layout, run)
        if kind == SECTION:
            if questions is None:
                self._read_questions()
                return None
            return lambda run: by_section(layout, questions, detail)
        if kind == COLUMN:
            if column is None:
                self._read_column()
                return None
            return lambda run: by_column(layout, column)
        return None

    def _take(self, layout: MapLayout, shading: Shading) -> None:
        if self._layout is not None and list(self._layout.words) == list(layout.words):
            self._put(shading)

    def _put(self, shading: Shading | None) -> None:
        """Colour the points; plainly where nothing else is known."""
        if self._layout is not None:
            self._is_plain = shading is None
            self._shading = shading or as_frequent(self._layout)
            self._view.set_shading(self._shading)

    def _fail(self, error: UserError) -> None:
        self._put(None)
        self.failed.emit(error)

    # -- files

    def _read_column(self) -> None:
        path = self._session.settings.get(_COLUMN, "")
        if isinstance(path, str) and path:
            self.open_column(Path(path))
        else:
            self.choose(PLAIN)

    def open_column(self, path: Path) -> None:
        """Read a table of words and values and colour by it."""

        def take(column: WordAttribute) -> None:
            self._column = column
            self._session.settings.set(_COLUMN, str(path))
            self.choose(COLUMN)

        self._session.jobs.start(
            tr("Reading a column"), lambda run: load_column(path), take, self._refuse, key=_READING
        )

    def open_questions(self, path: Path) -> None:
        """Read a question file and colour by its sections."""

        def take(questions: Questions) -> None:
            self._questions, self._questions_from = questions, path
            self._session.settings.set(_QUESTIONS, str(path))
            self.choose(self.choice if self.kind == SECTION else SECTION)

        self._session.jobs.start(
            tr("Reading questions"), lambda run: load_questions(path), take, self._refuse, key=_READING
        )

    def _read_questions(self) -> None:
        """The file chosen last, else the one that belongs to the corpus."""
        kept = self._session.settings.get(_QUESTIONS, "")
        path = Path(kept) if isinstance(kept, str) and kept else self._session.questions_path
        if path is not None:
            self.open_questions(path)

    def _refuse(self, error: UserError) -> None:
        """What was chosen before stays in force."""
        if self.kind in (COLUMN, SECTION) and (
            self._column is None if self.kind == COLUMN else self._questions is None
        ):
            self.choose(PLAIN)
        self.failed.emit(error)

    # -- the menu

    def _say(self) -> None:
        self._button.setText(_TITLES[self.kind] if self.kind != PLAIN else tr("Colour"))
        self._button.setAccessibleDescription(tr("Coloured by: {value}", value=_TITLES[self.kind]))

    def _fill(self) -> None:
        menu = clear_menu(self.menu)
        group = QActionGroup(menu)
        self._entry(menu, group, tr("Plain, darker where frequent"), PLAIN)
        self._entry(menu, group, tr("Frequency"), FREQUENCY)
        clusters = menu.addMenu(tr("Clusters"))
        self._entry(clusters, group, tr("As many as fit best (silhouette)"), CLUSTERS)
        for k in (*range(2, DISTINCT + 1), *_MANY):
            self._entry(clusters, group, tr("{k} clusters", k=k), f"{CLUSTERS}:{k}")
        sections = menu.addMenu(tr("Question section"))
        self._entry(sections, group, tr("All sections"), SECTION, self._have_questions)
        if self._questions is not None:
            sections.addSeparator()
            for name in self._questions.sections:
                self._entry(sections, group, name, f"{SECTION}:{name}")
        sections.addSeparator()
        self._plain(sections, tr("Choose a question file…"), self._ask_questions, "map.colour.questions")
        self._entry(menu, group, tr("Local trustworthiness"), TRUST)
        own = menu.addMenu(tr("Own column"))
        if self._column is not None:
            self._entry(own, group, self._column.name, COLUMN)
        self._plain(own, tr("Choose a table of words and values (TSV)…"), self._ask_column, "map.colour.file")

    def _have_questions(self) -> None:
        if (
            self._questions is None
            and self._session.questions_path is None
            and not self._session.settings.get(_QUESTIONS)
        ):
            self._ask_questions()
        else:
            self.choose(SECTION)

    def _entry(
        self, menu: QMenu, group: QActionGroup, text: str, choice: str, slot: Callable[[], None] | None = None
    ) -> None:
        action = menu.addAction(menu_text(text))
        action.setObjectName(f"map.colour.{choice}")
        action.setCheckable(True)
        action.setChecked(choice == self.choice)
        action.triggered.connect(slot or partial(self.choose, choice))
        group.addAction(action)

    def _plain(self, menu: QMenu, text: str, slot: Callable[[], None], name: str) -> QAction:
        action = menu.addAction(menu_text(text))
        action.setObjectName(name)
        action.triggered.connect(lambda _=False: slot())
        return action

    def _ask_column(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._button, tr("A table of words and values"), "", tr("Tables (*.tsv *.txt);;All files (*)")
        )
        if name:
            self.open_column(Path(name))

    def _ask_questions(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._button, tr("A question file"), "", tr("Text (*.txt);;All files (*)")
        )
        if name:
            self.open_questions(Path(name))
