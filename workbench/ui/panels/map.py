"""Map: the words of a model as a landscape that moves as it is learned and laid out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from workbench.analysis.neighbours import nearest
from workbench.analysis.projection import UmapParams
from workbench.core.errors import UserError
from workbench.core.run import Phase
from workbench.session.records import RunRecord, State
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count
from workbench.ui.theme import set_property
from workbench.ui.widgets.map_bar import MapBar, MapFooter
from workbench.ui.widgets.map_export import save_map
from workbench.ui.widgets.map_layouts import PCA, PLANE, UMAP, Layout, MapLayouts, Request
from workbench.ui.widgets.map_marks import Arrow, Ghost
from workbench.ui.widgets.point_map import PointMap
from workbench.ui.widgets.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

_NEIGHBOURS = 8
_DWELL_MS = 140
_SNAPSHOT_MS = 1000
_METHOD, _LIMIT = "map.method", "map.limit"
_TITLES = {PCA: "PCA", UMAP: "UMAP", PLANE: "Analogy plane"}


class MapPanel(Panel):
    """Shows the run that is looked at, or the one that is learning if that is newer.

    While a run learns, its snapshots are laid out by PCA, each turned towards the one before.
    """

    key = "map"
    title = "Map"
    area = "centre"
    order = 10

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._layout: Layout | None = None
        self._live: RunRecord | None = None  # the learning run that is followed
        self._training: RunRecord | None = None
        self._snapshot: Embeddings | None = None
        self._asked = QElapsedTimer()
        self._near: dict[str, tuple[tuple[str, float], ...]] = {}
        self._index_of: Embeddings | None = None
        self._problem: UserError | None = None
        self.layouts = MapLayouts(self.session, self)
        self._build()
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(_DWELL_MS)
        self._dwell.timeout.connect(self._find_neighbours)
        self.layouts.arrived.connect(self._arrived)
        self.layouts.failed.connect(self._failed)
        self.layouts.state_changed.connect(self._describe)
        self.follow(self.session.shown_changed, self._shown_changed)
        self.follow(self.session.runs_changed, self._runs_changed)
        self.follow(self.session.corpus_changed, self._refresh_notice)
        self.follow(self.session.selection_changed, self._selection_changed)
        self.follow(self.session.analogy_changed, self._analogy_changed)
        context.bridge.tick.connect(self._tick)
        self.theme.changed.connect(self._retheme)
        self._retheme()
        self._runs_changed()
        self._refresh()

    def _build(self) -> None:
        self.bar = MapBar()
        limit = self.session.settings.get(_LIMIT, 2000)
        self.bar.choose(str(self.session.settings.get(_METHOD, UMAP)), limit if isinstance(limit, int) else 2000)
        if self.bar.chosen_method == PLANE:
            self.bar.choose(UMAP, self.bar.chosen_limit)
        self.view = self.named(PointMap(), "view", "Map of words")
        self.footer = MapFooter()
        self.method = self.named(self.bar.method, "method", "Method", "How the words are laid out in the plane")
        self.limit = self.named(self.bar.limit, "limit", "Number of words", "How many words, the most frequent first")
        self.parameters = self.named(
            self.bar.parameters, "parameters", "UMAP settings", "UMAP's neighbours, distance and seed"
        )
        self.search = self.named(self.bar.search, "search", "Find a word", "Type a word; Return goes to it")
        self.fit = self.named(self.bar.fit, "fit", "Show all words", "Show all words (Home)")
        self.export = self.named(self.bar.export, "export", "Export the map", "Save the picture or the positions")
        self.stop = self.named(self.footer.stop, "stop", "Stop laying out", "Stop; the points stay where they are")
        self.stop.setIconSize(QSize(14, 14))
        self.named(self.footer.progress, "progress", "Progress of the layout")
        self.named(self.footer.caption, "caption", "What the map shows")
        self.named(self.footer.notice, "notice", "Notice")
        self.named(self.footer.link, "plane", "Show the analogy plane", "Lay out all words on the analogy's plane")
        self._fit = self._action("Show all words", self._fit_view)
        self._png = self._action("Export the map as PNG…", lambda: self._ask_and_save("PNG image (*.png)", ".png"))
        self._csv = self._action("Export positions as CSV…", lambda: self._ask_and_save("CSV table (*.csv)", ".csv"))
        self.bar.add_export(self._png)
        self.bar.add_export(self._csv)
        self.bar.changed.connect(self._chosen)
        self.bar.umap_asked.connect(self._run_umap)
        self.bar.fit.clicked.connect(self._fit_view)
        self.search.picked.connect(self._found)
        self.search.wanted.connect(self._make_index)
        self.search.left.connect(self.view.setFocus)
        self.footer.link.clicked.connect(self._show_plane)
        self.stop.clicked.connect(self._stop)
        self.view.selected.connect(self._select)
        self.view.activated.connect(self.session.word_activated.emit)
        self.view.hovered.connect(lambda _: self._dwell.start())
        hairline = QFrame()
        hairline.setFixedHeight(1)
        hairline.setProperty("role", "hairline")
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        column.addWidget(hairline)
        column.addWidget(self.footer)

    def _action(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _=False: slot())  # type: ignore[operator]
        return action

    def panel_actions(self) -> list[QAction]:
        return [self._fit, self._png, self._csv]

    @property
    def idle(self) -> bool:
        return not self.layouts.busy and not self.layouts.postponed and not self.view.moving

    # -- which model is seen

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors that the map shows, or is about to show."""
        if self._live is not None:
            return self._snapshot
        return self.session.shown.embeddings if self.session.shown is not None else None

    def _runs_changed(self) -> None:
        training = self.session.training
        if training is not self._training:
            self._training = training
            # A training that begins is followed from its first snapshot on.
            self._live = training
            self._snapshot = None
            if training is None:
                self._refresh()
        self._refresh_notice()
        self._describe()

    def _shown_changed(self) -> None:
        if self._live is not None and self.session.shown is not self._live:
            # Somebody looks at another model while this one learns.
            self._live, self._snapshot = None, None
        elif self._live is None and self.session.shown is self._training:
            self._live = self._training
        self._near.clear()
        self._refresh()

    def _refresh(self) -> None:
        """Ask for the layout that the choices call for."""
        self._problem = None
        embeddings = self.embeddings
        record = self._live or self.session.shown
        if embeddings is None or record is None:
            self._refresh_notice()
            return
        live = self._live is not None
        analogy = self.session.analogy
        if analogy is not None and not all(
            word in embeddings for word in (analogy.a, analogy.b, analogy.c, analogy.answer)
        ):
            analogy = None
        method = self.bar.chosen_method
        if live or (method == PLANE and analogy is None):
            method = PCA
        request = Request(record.identifier, embeddings, method, self.bar.chosen_limit, self.bar.umap, analogy, live)
        near = self._layout
        learned = near is not None and near.request.live and near.request.identifier == record.identifier
        self.layouts.request(request, near if learned else None)

    def _refresh_notice(self) -> None:
        """One of the designed states where there is nothing to draw yet."""
        shown, training = self.session.shown, self.session.training
        if self._problem is not None and self._layout is None:
            self.show_error(self._problem.message, self._problem.hint)
        elif self.embeddings is not None or (self._layout is not None and (shown is not None or training is not None)):
            self.show_body()
        elif training is not None and training.run is not None:
            progress = training.run.progress
            note = progress.note or "The map appears with the first words learned."
            self.show_busy(f"{training.name} is under way", note, progress.fraction)
        elif shown is not None and shown.error is not None:
            self.show_error(shown.error.message, shown.error.hint)
        elif shown is not None:
            self.show_busy(f"Loading {shown.name}")
        else:
            self._layout = None
            if any(record.has_vectors for record in self.session.runs):
                self.show_empty("No model chosen", "Click a run to see its words here, or press Train.")
                return
            here = "Press Train" if self.session.corpus is not None else "Open a corpus, then press Train"
            self.show_empty("No model yet", f"{here}: the words settle here while the model learns.")

    def _tick(self) -> None:
        if not self.isVisible():
            return
        self.layouts.poll()
        if self.layouts.progress is not None:
            self._describe()
        record = self._live
        if record is None or record.run is None:
            return
        if self._layout is None and self.state == "busy":
            self._refresh_notice()
        if record.run.progress.phase is not Phase.TRAINING:
            return
        snapshot = record.run.latest("embeddings")
        if isinstance(snapshot, Embeddings) and snapshot is not self._snapshot and not self.layouts.busy:
            self._snapshot = snapshot
            self._near.clear()
            self._refresh()
        if not self._asked.isValid() or self._asked.elapsed() >= _SNAPSHOT_MS:
            self._asked.restart()
            record.run.request_snapshot()

    # -- layouts

    def _arrived(self, layout: Layout) -> None:
        before = self._layout
        self._layout = layout
        same = before is not None and (before.words is layout.words or list(before.words) == list(layout.words))
        if before is None or before.method != layout.method or not same:
            # Coordinates of one layout mean nothing in another.
            self.view.follow_all()
        if same:
            self.view.set_positions(layout.positions)
        else:
            self.view.set_points(layout.words, layout.positions, layout.values, 0.8 + 0.5 * layout.values)
        self._draw_analogy()
        if layout.method == PLANE and layout.request.analogy is not None:
            analogy = layout.request.analogy
            self.view.fit_words((analogy.a, analogy.b, analogy.c, analogy.answer), 0.24)
        self.view.set_selection(self.session.selection)
        self._link(self.session.focus)
        self.show_body()
        self._describe()

    def _failed(self, error: UserError, request: Request) -> None:
        self._problem = error
        self._refresh_notice()
        self._describe()

    def _chosen(self) -> None:
        self.session.settings.set(_METHOD, self.bar.chosen_method)
        self.session.settings.set(_LIMIT, self.bar.chosen_limit)
        self._refresh()
        self._describe()

    def _run_umap(self, params: UmapParams) -> None:
        if self._layout is not None:
            self.layouts.forget(self._layout.request.identifier, UMAP)
        self._refresh()

    def _stop(self) -> None:
        self.layouts.stop()
        self.view.setFocus()

    def _show_plane(self) -> None:
        self.bar.choose(PLANE, self.bar.chosen_limit)
        self._refresh()
        self._describe()

    def _describe(self) -> None:
        """The line under the map."""
        layout = self._layout
        progress = self.layouts.progress
        self.footer.show_progress(progress.fraction if progress is not None else None, progress is not None)
        self.footer.link.hide()
        if layout is None:
            self.footer.caption.setText("")
            self.footer.say("")
            return
        self.footer.caption.setText(_caption(layout))
        if self._problem is not None:
            self.footer.say(str(self._problem), "error")
        elif progress is not None:
            self.footer.say(progress.note)
        elif self.layouts.postponed:
            self.footer.say("UMAP waits until the training has ended")
        elif missing := self._missing():
            self.footer.say(missing, "warning")
        elif self.view.arrows and layout.method == UMAP:
            self.footer.say("UMAP bends directions", "warning")
            self.footer.link.show()
        else:
            self.footer.say("")

    def _missing(self) -> str:
        """A word that is selected or asked for but lies beyond the number of words shown."""
        embeddings, layout = self.embeddings, self._layout
        if embeddings is None or layout is None:
            return ""
        analogy = self.session.analogy
        asked = [] if analogy is None else [analogy.a, analogy.b, analogy.c, analogy.answer]
        for word in [*asked, *([self.session.focus] if self.session.focus else [])]:
            row = embeddings.index.get(word)
            if row is None:
                continue
            if row >= len(layout.words):
                return f"“{word}” is word {count(row + 1)}: show more words to see it"
        return ""

    # -- selection, neighbours, analogy

    def _select(self, words: list[str], add: bool) -> None:
        self.session.select(words, add)

    def _selection_changed(self) -> None:
        self.view.set_selection(self.session.selection)
        if self.session.focus is not None:
            self.view.reveal(self.session.focus)
        self._link(self.session.focus)
        self._describe()

    def _find_neighbours(self) -> None:
        self._link(self.view.hovered_word or self.session.focus)

    def _link(self, word: str | None) -> None:
        """Lines to the true nearest neighbours, in all dimensions, of a word."""
        embeddings = self.embeddings
        if word is None or embeddings is None or word not in embeddings.index or self._live is not None:
            self.view.set_links("")
            return
        found = self._near.get(word)
        if found is not None:
            self.view.set_links(word, found)
            return

        def arrived(links: tuple[tuple[str, float], ...]) -> None:
            if embeddings is self.embeddings:
                self._near[word] = links
                if word == (self.view.hovered_word or self.session.focus):
                    self.view.set_links(word, links)

        self.session.jobs.start(
            "Finding neighbours",
            lambda run: tuple((found.word, found.cosine) for found in nearest(embeddings, word, _NEIGHBOURS)),
            arrived,
            lambda error: self.view.set_links(""),
            key="map.neighbours",
            quiet=True,
        )

    def _analogy_changed(self) -> None:
        self.bar.allow_plane(self.session.analogy is not None)
        if self.bar.chosen_method == PLANE:
            if self.session.analogy is None:
                self.bar.choose(UMAP, self.bar.chosen_limit)
            self._refresh()
        self._draw_analogy()
        self._describe()

    def _draw_analogy(self) -> None:
        analogy, layout = self.session.analogy, self._layout
        if analogy is None or layout is None:
            self.view.set_arrows(())
            self.view.set_ghost(None)
            return
        self.view.set_arrows((Arrow(analogy.b, analogy.a), Arrow(analogy.c, analogy.answer)))
        matches = layout.target is not None and layout.request.analogy == analogy
        text = f"{analogy.a} − {analogy.b} + {analogy.c}"
        self.view.set_ghost(Ghost(*layout.target, text) if matches and layout.target is not None else None)

    # -- search

    def _make_index(self) -> None:
        embeddings = self.embeddings
        if embeddings is None or embeddings is self._index_of:
            return
        self._index_of = embeddings
        self.search.set_index(None)
        self.session.jobs.start(
            "Sorting the words",
            lambda run: WordIndex(embeddings.words),
            self.search.set_index,
            key="map.index",
            quiet=True,
        )

    def _found(self, words: list[str]) -> None:
        embeddings = self.embeddings
        if embeddings is None:
            return
        known = [word for word in words if word in embeddings.index]
        if not known:
            self.footer.say(f"“{words[0]}” is not in the vocabulary", "warning")
            return
        self.session.select(known)
        self.view.centre_on(known[-1])
        self.view.setFocus()

    # -- export

    def _ask_and_save(self, kind: str, suffix: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export the map", f"map{suffix}", kind)
        if not name:
            return
        path = Path(name)
        path = path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
        try:
            if self._layout is not None:
                save_map(path, self.view, self._layout)
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
        else:
            self.session.message.emit(f"Saved {path.name}.", "", False)

    # -- the rest

    def _fit_view(self) -> None:
        self.view.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        training = self.session.training
        if event.key() == Qt.Key.Key_Space and training is not None:
            (self.session.resume if training.state is State.PAUSED else self.session.pause)(training)
        else:
            super().keyPressEvent(event)

    def _retheme(self) -> None:
        self.view.set_colours(self.theme.palette)
        self.stop.setIcon(self.theme.icon("stop", "muted"))
        set_property(self.body, "role", "bar")


def _caption(layout: Layout) -> str:
    total = len(layout.request.embeddings)
    words = count(len(layout.words)) if len(layout.words) == total else f"{count(len(layout.words))} of {count(total)}"
    parts = [_TITLES[layout.method] + (" while learning" if layout.request.live else ""), f"{words} words"]
    if layout.shown is not None:
        what = "of the variance" if layout.method == PCA else "of the four words’ differences"
        parts.append(f"{layout.shown:.0%} {what}")
    return " · ".join(parts)
