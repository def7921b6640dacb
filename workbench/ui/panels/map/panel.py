"""Map panel: words of a model in two or three dimensions, also while the model trains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.projection.methods import Need
from workbench.analysis.projection.methods.base import GROUPS_LACK
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.core.job_control import Progress
from workbench.core.language import tr
from workbench.session.requests import TaughtPlace
from workbench.session.runs.groups import has_runs_of
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui import kit
from workbench.ui.base.action import set_action_key
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import count
from workbench.ui.base.theme import set_property
from workbench.ui.panels.map import MapKind
from workbench.ui.panels.map.body import MapBody
from workbench.ui.panels.map.colour_menu import MapColours
from workbench.ui.panels.map.compare import SecondModel
from workbench.ui.panels.map.export import FORMATS, MapExports, ask_and_save
from workbench.ui.panels.map.layout import (
    AXES,
    METHODS,
    PAIR,
    PLANE,
    LayoutRequest,
    MapLayout,
    is_glide,
)
from workbench.ui.panels.map.layout_jobs import MapLayouts
from workbench.ui.panels.map.layout_request import MapChoices
from workbench.ui.panels.map.model import SeenModel
from workbench.ui.panels.map.neighbour_lines import MapLinks
from workbench.ui.panels.map.placing import MapPlacing
from workbench.ui.panels.map.quality import MapQuality
from workbench.ui.panels.map.regions import enough_words
from workbench.ui.panels.map.search import MapSearch
from workbench.ui.panels.map.state import COLOURS, MapState, bind_map
from workbench.ui.panels.map.texts import (
    analogy_marks,
    caption_of,
    lacking_text,
    missing_word,
)
from workbench.ui.panels.map.word_sets import MapSets
from workbench.ui.widgets.inputs.watch_link import WatchLink
from workbench.ui.widgets.map.backdrop import AxesBackdrop

if TYPE_CHECKING:
    from workbench.analysis.groups.trail import Trail

# Share of the time for frames of the map while a model trains: training needs the processors more.
_LIVE_SHARE = 0.2
# With this number of selected words or more, a map of their own is offered.
_MANY = 8


class MapPanel(MapKind, Panel):
    """Shows the active run, or the watched training.

    During training, snapshots are laid out by PCA, each aligned with the one before.
    """

    state_kind = MapState
    view_state: MapState

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._layout: MapLayout | None = None
        self._problem: UserError | None = None
        self._said = ""  # shown until the next event
        self._training = self.session.training.current
        self.seen = SeenModel(self.session)
        self.layouts = MapLayouts(self.session, self)
        self._build()
        self.links = MapLinks(self.session, self.view, self)
        self.quality = MapQuality(self.session, self)
        self.colours = MapColours(self.session, self.view, self.bar.colour, self.axes, self)
        self.sets = MapSets(self.session, self.bar.words, (self._lasso, self._place), self)
        self.placing = MapPlacing(
            self.session, self.ui.placing, self.view, self._show_message, self
        )
        self.finder = MapSearch(
            self.session, self.ui, lambda: self.seen.embeddings, self._show_message, self
        )
        self.second = SecondModel(self.session, self.compare, self._refresh)
        self.choices = MapChoices(self.session, self.ui, self.sets, self.second, self.colours)
        bind_map(self.bound, self.ui, self.choices, self.colours)
        self._connect()
        self.follow(self.session.active.changed, self._shown_changed)
        self.follow(self.session.runs.changed, self._runs_changed)
        self.follow(self.session.training.watched.changed, self._runs_changed)
        self.follow(self.session.corpora.changed, self._corpus_changed)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.follow(self.session.selection.analogy_changed, self._analogy_changed)
        self.on_tick(self._poll_model)
        self.theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._runs_changed()
        self._refresh()

    def _build(self) -> None:
        self.ui = MapBody(self.named, self.theme)
        self.bar, self.view, self.footer = self.ui.bar, self.ui.view, self.ui.footer
        self.axes, self.compare, self.isolation = self.ui.axes, self.ui.compare, self.ui.isolation
        self.method, self.limit, self.parameters, self.search = (
            self.bar.method,
            self.bar.limit,
            self.bar.parameters,
            self.bar.search,
        )
        self.fit, self.stop = self.bar.fit, self.footer.stop
        self._lasso = self._add_tool_action(
            tr("Select by lasso  (L)"), lambda: self.view.take_lasso(not self.view.lassoing)
        )
        self._lasso.setCheckable(True)
        set_action_key(self._lasso, "map.lasso")
        self._place: QAction = self._add_tool_action(
            tr("Place words…"), lambda: self.placing.open()
        )
        set_action_key(self._place, "map.place")
        self._exports = [self._export_action(suffix) for suffix in FORMATS]
        for action in self._exports:
            self.bar.add_export(action)
        self.footer.row.insertWidget(1, WatchLink(self))
        kit.fill(self.body, self.ui)

    def drawn_runs(self) -> list[RunRecord]:
        second = self.second.record if self.choices.method == PAIR else None
        return [record for record in (self.seen.record, second) if record is not None]

    def saved_results(self) -> dict[str, Any]:
        """The positions of the words, and the placed words."""
        return {"layouts": self.layouts.saved_layouts(), "placed": self.placing.saved_words()}

    def restore_results(self, kept: Mapping[str, Any]) -> None:
        self.sets.reload_sets()
        self.colours.reload()
        self.choices.restore_method("")
        self.bound.take("method")
        self.layouts.restore_layouts(kept.get("layouts"))
        self.placing.restore_words(kept.get("placed"))
        self._refresh()

    def state_changed(self, before: MapState, after: MapState) -> None:
        names = MapState.fields()
        changed = {name for name in names if getattr(after, name) != getattr(before, name)}
        if changed and changed <= {"place_words", "place_source", *COLOURS}:
            return
        self.bar.show_parameters()
        if changed and changed <= {"axes", "pairs"}:
            self._show_axes()
        elif changed and changed <= {"other", "other_method", "params"}:
            self._refresh()
        else:
            self._choices_changed()

    def _connect(self) -> None:
        self.bar.changed.connect(self._choice_made)
        self.bar.umap_asked.connect(self._run_umap)
        self.bar.fit.clicked.connect(self.view.fit)
        self.bar.lasso.clicked.connect(self.view.take_lasso)
        self.view.lasso_changed.connect(self.bar.lasso.setChecked)
        self.view.lasso_changed.connect(self._lasso.setChecked)
        self.stop.clicked.connect(self._stop_layout)
        self.view.selected.connect(self._select_words)
        self.view.activated.connect(self.session.requests.analogy_word.emit)
        self.view.walk_ended.connect(self._tell_walk_end)
        self.axes.changed.connect(self._axes_changed)
        self.compare.changed.connect(self._compare_changed)
        self.compare.share_changed.connect(self._move_words)
        self.isolation.left.connect(lambda: self.sets.isolate_words(None))
        self.sets.isolated_changed.connect(self._isolated_changed)
        self.sets.message.connect(self._show_message)
        self.colours.chosen.connect(self._colour_chosen)
        self.colours.judged.connect(self._describe_map)
        self.colours.failed.connect(lambda error: self._show_message(str(error)))
        self.quality.changed.connect(self._describe_map)
        self.placing.changed.connect(self._describe_map)
        self.layouts.arrived.connect(self._layout_arrived)
        self.layouts.failed.connect(self._layout_failed)
        self.layouts.state_changed.connect(self._judge_and_colour)

    def _add_tool_action(self, text: str, slot: object) -> QAction:
        action = QAction(menu_text(text), self)
        action.triggered.connect(lambda _=False: slot())  # type: ignore[operator]
        return action

    def _export_action(self, suffix: str) -> QAction:
        action = self._add_tool_action(FORMATS[suffix][1], partial(self.save_map, suffix))
        set_action_key(action, f"map.save_{suffix[1:]}")
        return action

    def exporters(self) -> Sequence[Exporter]:
        return (MapExports(self, self.save_map),)

    def save_map(self, suffix: str) -> None:
        """Ask for a file of this type, and save the map as shown."""
        ask_and_save(self, self.session, self.view, self._layout, suffix)

    @property
    def idle(self) -> bool:
        waiting = self.layouts.busy or self.layouts.postponed or self.compare.playing
        waiting = waiting or self.view.moving or self.view.hurried
        waiting = waiting or self.quality.busy or self.colours.busy or self.placing.busy
        return not (waiting or self.second.loading)

    @property
    def _progress(self) -> Progress | None:
        """Progress of the layout, or of placing words."""
        return self.layouts.progress or self.placing.progress

    # -- model

    def _runs_changed(self) -> None:
        training = self.session.training.current
        if self.seen.runs_changed():
            if self.seen.is_live:
                self.quality.clear_quality()
            else:
                self._refresh()
        elif training is not self._training:
            self._judge_and_colour()
        self._training = training
        if self.second.list_runs(self.session.active.run) and self.choices.method == PAIR:
            self._refresh()
        self.colours.runs_changed()
        self.placing.list_runs()
        self._refresh_notice()
        self._describe_map()

    def _corpus_changed(self) -> None:
        self.second.list_runs(self.session.active.run)
        self._refresh_notice()
        self._judge_and_colour()

    def _shown_changed(self) -> None:
        self.seen.runs_changed()
        self.finder.forget_missing()
        self.second.list_runs(self.session.active.run)
        self._refresh()

    def _refresh(self) -> None:
        """Request the layout for the current choices."""
        self._allow_plane()
        self.choices.choose_plane(self.seen)
        self._show_rows()
        request = self.choices.request(self.seen)
        self._problem = self.choices.problem
        if request is None:
            self._refresh_notice()
            return
        self._said = self.choices.note or self._said
        near = self._layout
        learned = (
            near is not None and near.request.live and near.request.identifier == request.identifier
        )
        if learned:
            self.layouts.request(request, near)
        else:
            self.layouts.request(request, None)
        self._describe_map()

    def _show_rows(self) -> None:
        self.choices.show_rows(self.seen, self.colours.chosen_axis is not None)

    def _refresh_notice(self) -> None:
        """Show an empty state while there is nothing to draw."""
        shown, training = self.session.active.run, self.session.training.current
        if self._problem is not None and self._layout is None:
            self.show_error(self._problem.message, self._problem.hint)
        elif self.seen.embeddings is not None or (
            self._layout is not None and (shown is not None or training is not None)
        ):
            self.show_body()
        elif training is not None and training.run is not None:
            progress = training.run.progress
            note = progress.note or tr("The map appears when the first words are trained.")
            self.show_busy(tr("Training {name}", name=training.name), note, progress.fraction)
        elif shown is not None and shown.error is not None:
            self.show_error(shown.error.message, shown.error.hint)
        elif shown is not None:
            self.show_busy(tr("Loading {name}", name=shown.name))
        else:
            self._layout = None
            title = tr("No model yet")
            if has_runs_of(self.session.corpora.current, self.session.runs):
                title = tr("No model chosen")
            self.show_untrained(title, tr("Then watch the words move while the model trains."))

    def _poll_model(self) -> None:
        if not self.isVisible():
            return
        self.layouts.poll_umap()
        if self._progress is not None:
            self._describe_map()
        if self.seen.is_live and self._layout is None and self.state == "busy":
            self._refresh_notice()
        if self.seen.poll_snapshot(ready=not self.layouts.busy):
            self._refresh()

    # -- layouts

    def _layout_arrived(self, layout: MapLayout) -> None:
        before = self._layout
        self._layout = layout
        same = before is not None and (
            before.words is layout.words or list(before.words) == list(layout.words)
        )
        alike = before is not None and before.positions.shape == layout.positions.shape
        if before is None or before.method != layout.method or not same:
            # Coordinates of one layout have no meaning in another.
            self.view.follow_all()
        axes = layout.request.axes
        if layout.method == AXES and axes is not None:
            self.view.set_backdrop(AxesBackdrop(*axes))
        else:
            self.view.set_backdrop(None)
        self.view.frame_share = 1.0
        if layout.request.live:
            self.view.frame_share = _LIVE_SHARE
        around = self._plane_words(layout)
        if same and alike and is_glide(before, layout, self.layouts.moving):
            self.view.glide_to(layout.positions, around)
        elif same and alike:
            self.view.set_positions(layout.positions)
        else:
            self.view.set_points(
                layout.words, layout.positions, layout.values, 0.8 + 0.5 * layout.values
            )
            if around:
                self.view.fit_words(around)
        if layout.pair is not None:
            self._move_words(self.compare.share)
        elif before is not None and before.pair is not None:
            self.view.set_presence(None)
        self._draw_analogy()
        self.view.set_selection(self.session.selection.words)
        if layout.request.live:
            self.links.set_embeddings(None)
        else:
            self.links.set_embeddings(self.seen.embeddings)
        self.show_body()
        self._judge_and_colour()

    def _plane_words(self, layout: MapLayout) -> tuple[str, ...]:
        """The words of an analogy's plane, which the view moves to."""
        analogy = layout.request.analogy
        if layout.method != PLANE or analogy is None:
            return ()
        return (analogy.a, analogy.b, analogy.c, analogy.answer)

    def _judge_and_colour(self) -> None:
        """Measure and colour the layout once the points no longer move."""
        layout = self._layout
        if layout is not None:
            resting = not self.layouts.moving and not layout.request.live
            # Measuring takes long beside a training.
            if resting and self.session.training.current is None:
                self.quality.measure_layout(layout)
            else:
                self.quality.clear_quality()
            self.colours.set_layout(layout, resting, self.layouts.map_of(layout.request))
            self.placing.set_layout(layout, resting)
        self._describe_map()

    def _move_words(self, share: float) -> None:
        """Move the words between two models: 0 is the first, 1 the second."""
        pair = None if self._layout is None else self._layout.pair
        if pair is not None:
            self.view.set_positions(pair.positions_at(share), animate=False)
            self.view.set_presence(pair.fade_shares(share))
        self.compare.play.show_icon("pause" if self.compare.playing else "play")

    def _layout_failed(self, error: UserError, request: LayoutRequest) -> None:
        self._problem = error
        self._refresh_notice()
        self._describe_map()

    def _choices_changed(self) -> None:
        self._said = ""
        self.choices.save_method()
        self.compare.reset_slider()
        self._refresh()

    def _choice_made(self, field: str) -> None:
        if not self.bound.take(field):
            self._choices_changed()

    def _compare_changed(self, field: str) -> None:
        if not self.bound.take(field):
            self._refresh()

    def _axes_changed(self) -> None:
        if not self.bound.take("axes", "pairs"):
            self._show_axes()

    def _show_axes(self) -> None:
        if self.choices.method == AXES:
            self._refresh()
        else:
            self._show_rows()
            self._judge_and_colour()

    def _colour_chosen(self) -> None:
        self._said = ""
        self.bound.take_over(*COLOURS)
        self.bound.take(*COLOURS)
        if Need.GROUPS in METHODS[self.choices.method].projection.needs:
            self._refresh()
        self._show_rows()
        self._describe_map()

    def _isolated_changed(self) -> None:
        self._said = ""
        self.view.follow_all()
        self._refresh()

    def _run_umap(self, params: UmapParams) -> None:
        if self._layout is not None:
            self.layouts.forget_layout(self._layout.request.identifier, self.choices.method)
        if not self.bound.take("params"):
            self._refresh()

    def _show_trail(self, trail: Trail) -> None:
        """Place a word of several groups on the flat map."""
        if METHODS[self.choices.method].dims != 2 or self.choices.method == PLANE:
            self._show_plane(False)
        self.raise_requested.emit()
        self.placing.place_trail(trail)

    def _show_taught(self, taught: TaughtPlace | None) -> None:
        self.placing.show_taught(taught)

    def _stop_layout(self) -> None:
        self.layouts.stop_umap()
        self.placing.stop()
        self.view.setFocus()

    def _show_plane(self, plane: bool = True) -> None:
        """Glide to the plane of the analogy, or back to the map of all words."""
        method = PLANE if plane else self.choices.flat_method
        self.choices.choose_method(method)
        self._choice_made("method")

    def _switch_plane(self) -> None:
        if self.bar.plane_allowed:
            self._show_plane(self.choices.method != PLANE)

    def _show_message(self, text: str) -> None:
        self._said = text
        self._describe_map()

    def _describe_map(self) -> None:
        """Update the line below the map."""
        layout, footer, progress = self._layout, self.footer, self._progress
        if progress is not None:
            footer.show_progress(progress.fraction, progress is not None)
            footer.set_quality("", self.quality.tip)
        else:
            footer.show_progress(None, progress is not None)
            footer.set_quality(self.quality.text, self.quality.tip)
        if layout is None:
            footer.caption.put("")
            footer.set_notice("")
            footer.set_link()
            return
        footer.caption.put(" · ".join([*self._drawn_names(layout), caption_of(layout)]))
        text, role, offer = self._pressing_notice(layout)
        footer.set_notice(text, role)
        footer.set_link(*(offer or ()))

    def _drawn_names(self, layout: MapLayout) -> list[str]:
        """The name of the run that is drawn, or of both; that may not be the active one."""
        names = {record.identifier: record.name for record in self.session.runs}
        known = [names[identifier] for identifier in layout.runs if identifier in names]
        return [" → ".join(known)] if known else []

    def _pressing_notice(
        self, layout: MapLayout
    ) -> tuple[str, str, tuple[str, Callable[[], None]] | None]:
        """Most urgent notice, its role, and an action for it."""
        progress, chosen = self._progress, self.choices.method
        analogy, selection = self.session.selection.analogy, self.session.selection.words
        if self._problem is not None:
            return str(self._problem), "error", None
        if progress is not None:
            return progress.note, "small", None
        if self.layouts.postponed:
            now = (tr("Lay out now"), self.layouts.start_postponed)
            return tr("UMAP waits for the training to finish"), "small", now
        if self._said:
            return self._said, "small", None
        if not self.seen.is_live and chosen == AXES and layout.method != AXES:
            return tr("Choose two words for an axis"), "warning", None
        if not self.seen.is_live and chosen == PAIR and self.second.record is None:
            return tr("Train or open a second model for the comparison"), "warning", None
        needs = METHODS[chosen].projection.needs
        if not self.seen.is_live and Need.GROUPS in needs and layout.request.groups is None:
            return GROUPS_LACK, "warning", None
        if self.choices.left_out:
            return self.choices.left_out, "warning", None
        analogy_words = []
        if analogy is not None:
            analogy_words = [analogy.a, analogy.b, analogy.c, analogy.answer]
        # The analogy may be an older one, whose words aren’t asked for here.
        for words, role in ((selection[-1:], "warning"), (analogy_words, "small")):
            lacking, row = missing_word(layout, words, self.view.shows)
            if lacking:
                return lacking, role, self._more_words(row)
        if len(selection) >= _MANY and self.sets.isolated is None:
            return (
                tr("{number} words selected", number=count(len(selection))),
                "small",
                (tr("Show only these"), self.sets.isolate_selection),
            )
        unsupported = self.colours.unsupported
        if unsupported is not None:
            fewer = enough_words(layout, self.bar.limits)
            offer = None
            if fewer is not None:
                show_fewer = partial(self.bar.choose_limit, fewer)
                offer = (tr("Show {number} words", number=count(fewer)), show_fewer)
            return lacking_text(unsupported.space.alike and fewer is None), "small", offer
        if self.view.arrows and METHODS[layout.method].projection.moves:
            return tr("UMAP distorts directions"), "warning", None
        return "", "small", None

    def _more_words(self, row: int | None) -> tuple[str, Callable[[], None]] | None:
        """Offer to show enough words to include this one."""
        if row is None:
            return None
        limit = self.bar.limit_with(row)
        text = tr("Show {number} words", number=count(limit)) if limit else tr("Show all words")
        return text, partial(self.bar.choose_limit, limit)

    # -- selection, analogy

    def _select_words(self, words: list[str], add: bool) -> None:
        self.session.selection.select(words, add)

    def _tell_walk_end(self, word: str) -> None:
        self._show_message(tr("No word in this direction from “{word}”", word=word))

    def _selection_changed(self) -> None:
        self._said = ""
        self.view.set_selection(self.session.selection.words)
        if self.session.selection.focus is not None and len(self.session.selection.words) < _MANY:
            self.view.reveal(self.session.selection.focus)
        self.links.draw_lines()
        self._describe_map()

    def _analogy_changed(self) -> None:
        self._allow_plane()
        before = self.choices.method
        self.choices.choose_plane(self.seen)
        if PLANE in (before, self.choices.method):
            self._refresh()
        self._draw_analogy()
        self._describe_map()

    def _allow_plane(self) -> None:
        self.bar.allow_plane(self.choices.plane_analogy(self.seen.embeddings) is not None)

    def _draw_analogy(self) -> None:
        arrows, ghost = analogy_marks(self.session.selection.analogy, self._layout)
        self.view.set_arrows(arrows)
        self.view.set_ghost(ghost)

    # -- the rest

    def keyPressEvent(self, event: QKeyEvent) -> None:
        training = self.session.training.current
        if event.key() == Qt.Key.Key_P and not event.modifiers():
            self._switch_plane()
        elif event.key() == Qt.Key.Key_Space and training is not None:
            if training.state is State.PAUSED:
                (self.session.training.resume)(training)
            else:
                (self.session.training.pause)(training)
        else:
            super().keyPressEvent(event)

    def _apply_theme(self) -> None:
        self.view.motion = self.theme.motion
        self.view.set_colours(self.theme.palette)
        set_property(self.body, "role", "bar")
