"""The Time panel: the states of a training, with map, neighbours, fit and the rank of an analogy's
answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QElapsedTimer
from PySide6.QtGui import QHideEvent, QPainter, QShowEvent

from workbench.analysis.history.replay import ALL, SHOWN, Film, FilmRequest, film_of
from workbench.analysis.history.trajectory import TrainingFrame, Turner
from workbench.analysis.projection.umap_learn import prepare
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import TIME_STRETCHED
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.scaling import set_text_role
from workbench.ui.base.text import count, plural, quality_text
from workbench.ui.base.theme import (
    SPACE_1,
    SPACE_3,
    TYPE_BODY,
)
from workbench.ui.export.export_actions import (
    Export,
    ManyExportsButton,
    csv,
)
from workbench.ui.panels.time import TimeKind
from workbench.ui.panels.time.alignment import TimeAlignment
from workbench.ui.panels.time.controls import TimeControls
from workbench.ui.panels.time.film_figure import SIZE, draw_film
from workbench.ui.panels.time.fit_history import TimeFits
from workbench.ui.panels.time.map import TimeMap
from workbench.ui.panels.time.near import TimeNear
from workbench.ui.panels.time.painting import strips_description
from workbench.ui.panels.time.run_source import followed_run, why_no_states
from workbench.ui.panels.time.timeline_data import TrainingAxis, positions_csv, reel_of, states_csv
from workbench.ui.panels.time.timeline_view import TimeStrips
from workbench.ui.panels.time.tracked_analogy import TimeQuestion
from workbench.ui.widgets.inputs.watch_link import WatchLink
from workbench.ui.widgets.layout.result_view import Request, ResultJob

# The choice of AlignedUMAP instead of a plane.
ALIGNED = "aligned"
# Minimum interval, in milliseconds, between updates of the states while a run trains.
_CALM_MS = 250


@dataclass(frozen=True)
class TimeState(PanelState):
    """snapshot : the one shown, -1 for the last
    plane : layout of the map; stretched : whether the start has more room
    answers : the words of analogies and the answers typed for them, four by four
    """

    snapshot: int = choice(-1, low=-1)
    plane: str = choice(SHOWN, allowed=(SHOWN, ALL, ALIGNED))
    stretched: bool = choice(setting=TIME_STRETCHED)
    answers: tuple[str, ...] = choice(())


class TimePanel(TimeKind, Panel):
    """The run in training, live, or else the active run; its states are those kept by the
    session.
    """

    state_kind = TimeState
    view_state: TimeState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._record: RunRecord | None = None
        self._film: Film | None = None
        self._filming = ResultJob(self.session.jobs, f"{self.key}.film")
        self._filming.on_failed(self._handle_failure)
        # The snapshots whose film failed.
        self._unfilmed: tuple[TrainingFrame, ...] = ()
        self._turner = Turner()
        self._state = 0
        self._since_request = QElapsedTimer()
        self.fits = TimeFits(self.session, self.key, self._draw_strips)
        self.controls = TimeControls(self, self.theme)
        self.strips = self.named(
            TimeStrips(self.theme),
            "strips",
            tr("Loss, fit and rank over the training"),
            tr("Drag the marker, or use the arrow keys"),
        )
        self.map = self.named(TimeMap(), "map", tr("Map of words in this snapshot"))
        self.map.motion = self.theme.motion
        self.map.set_colours(self.theme.palette)
        self.near = TimeNear(self)
        self.question = TimeQuestion(self)
        self.note = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.note")
        planes = {
            SHOWN: tr("Plane: chosen"),
            ALL: tr("Plane: all words"),
            ALIGNED: "AlignedUMAP",
        }
        self.plane = self.named(
            kit.ChoiceBox.of(planes, letters=12),
            "plane",
            tr("Layout of the map"),
            tr(
                "The plane of the words asked about or of all words in the last snapshot, or "
                "AlignedUMAP: words move only as far as their neighbours change"
            ),
        )
        self.alignment = TimeAlignment(self)
        self.stretched = self.named(
            kit.text_button(tr("log x"), role="quiet", checkable=True),
            "stretched",
            tr("Stretch the start"),
            tr("Give more room to the start, where most changes happen"),
        )
        self._make_exports()
        self._build()
        self._connect()
        self._refresh()

    def _make_exports(self) -> None:
        self._export = Export(
            self,
            self.session,
            tr("Training over time"),
            "time",
            lambda: SIZE,
            self._draw_figure,
            csv(self.states_table),
            ready=lambda: bool(self.strips.reel.states),
        )
        words = Export(
            self, self.session, tr("Words over time"), "time-map", texts=csv(self.positions_table)
        )
        self.strips.export = self._export
        self._exports = {tr("the snapshots"): self._export, tr("the map"): words}

    def _build(self) -> None:
        self.plane.highlighted.connect(self._prepare_plane)
        export = self.named(
            ManyExportsButton(self._exports), "export", tr("Export figure and data")
        )
        kit.add(self.controls.row, WatchLink(self), self.stretched, export)
        set_text_role(self.controls.readout, TYPE_BODY, tabular=True)
        splitter = kit.split_into(
            kit.TurningSplitter(),
            self.strips,
            self.map,
            self.near,
            shares=(2, 3),
            sizes=(320, 315, 215),
        )
        parts = self.named(splitter, "view", tr("Training over time"))
        foot = kit.bar(kit.stretch(self.question), self.alignment, self.plane)
        column = (self.controls, kit.stretch(parts), foot, self.note)
        kit.fill(self.body, kit.column(*column, gap=SPACE_1, margins=(SPACE_3, SPACE_1)))

    def _connect(self) -> None:
        self.bind_controls(plane=self.plane, stretched=self.stretched)
        question, controls = self.question, self.controls
        self.bound.bind_to(
            "answers",
            question.answer,
            lambda: question.answers,
            question.put_answers,
            question.changed,
        )
        self.bound.bind_to(
            "snapshot",
            controls.slider,
            lambda: controls.snapshot,
            controls.show_snapshot,
            controls.moved,
        )
        self.controls.held.connect(self.controls.halt)
        self.strips.moved.connect(self._go_to_state)
        self.strips.held.connect(self.controls.halt)
        self.near.picked.connect(lambda word: self.session.selection.select([word]))
        self.near.activated.connect(self.session.requests.analogy_word.emit)
        self.map.selected.connect(self.session.selection.select)
        self.map.activated.connect(self.session.requests.analogy_word.emit)
        self.alignment.changed.connect(self._request_film)
        self.alignment.given_up.connect(self._leave_alignment)
        for event in (
            self.session.active.changed,
            self.session.training.watched.changed,
            self.session.runs.changed,
            self.session.corpora.changed,
        ):
            self.follow(event, self._refresh)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.follow(self.session.selection.analogy_changed, self._request_film)
        self.on_tick(self._tick)
        self.theme.changed.connect(self._retheme)

    def state_changed(self, before: TimeState, after: TimeState) -> None:
        if after.snapshot != before.snapshot:
            self._show_other_state()
        if after.stretched != before.stretched:
            self._draw_strips()
        if after.plane != before.plane and after.plane != ALIGNED:
            self.alignment.drop()
        self._request_film()

    def _retheme(self) -> None:
        self.map.motion = self.theme.motion
        self.map.set_colours(self.theme.palette)

    # -- run

    def _refresh(self) -> None:
        """Show what fits the run that is in training or active."""
        record = followed_run(self.session)
        if record is not self._record:
            self._record, self._film = record, None
            with self.bound.showing():
                self.view_state = self.view_state.replace(snapshot=-1)
            self.controls.halt()
            self._filming.forget()
            self.alignment.drop()
            self.fits.drop()
        self.fits.retry_refused()
        if record is None or len(record.history.frames) < 2:
            self._film = None
            self._filming.forget()
            self._say_why_empty(record)
            return
        self.show_body()
        self._request_film()

    def _say_why_empty(self, record: RunRecord | None) -> None:
        if record is None:
            self.show_untrained(
                tr("No training to replay yet"),
                tr("Snapshots are saved during training so that you can replay it."),
            )
            return
        soon, title, hint = why_no_states(record)
        if soon:
            self.show_busy(title, hint)
        else:
            self.show_empty(title, hint)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.controls.halt()

    def _tick(self) -> None:
        record = self._record
        if record is None or not self.isVisible():
            return
        frames = record.history.frames
        if self.state != "body":
            if len(frames) > 1:
                self._refresh()
            return
        if self.alignment.isVisible():
            self.alignment.tick()
            self._show_note()
        grown = self._film is None or frames is not self._film.frames
        if (
            grown
            and frames is not self._unfilmed
            and not self._filming.busy
            and self._may_ask_again
        ):
            self._request_film()

    @property
    def _may_ask_again(self) -> bool:
        return not self._since_request.isValid() or self._since_request.elapsed() >= _CALM_MS

    # -- requests

    def _selection_changed(self) -> None:
        self.map.set_selection(self.session.selection.words)
        self._request_film()

    def _handle_failure(self, error: UserError) -> None:
        if self._record is not None:
            self._unfilmed = self._record.history.frames
        self.session.message.report(error)

    def _request_film(self) -> None:
        """Compute the states again if the request has changed and the panel is visible."""
        record = self._record
        if record is None or not self.isVisible() or self.state != "body":
            return
        frames = record.history.frames
        if len(frames) < 2:
            self._refresh()
            return
        analogy = self.question.of(self.session.selection.answered_analogy, frames)
        fixed = self.question.is_typed(analogy)
        focus = self.session.selection.focus or ""
        resting = record.run is None or record.run.progress.phase.over
        plane, aligned = self.view_state.plane, None
        if plane == ALIGNED:
            plane = ALL
            aligned = self.alignment.states(frames)
            # Every new snapshot of a training would begin the layout again.
            if resting:
                self.alignment.ask(frames)
        request = FilmRequest(
            frames, focus, analogy, fixed, plane=plane, aligned=aligned, judged=resting
        )
        key = (frames, focus, analogy, fixed, plane, aligned, resting)
        title = tr("Preparing the snapshots")
        work = partial(film_of, request, self._turner)
        if self._filming.ask(Request(key, title, work, self._show_film, quiet=True)):
            self._since_request.start()
        else:
            self.fits.ask(record, frames)

    def _prepare_plane(self, index: int) -> None:
        if self.plane.itemData(index) == ALIGNED:
            prepare()

    def _leave_alignment(self) -> None:
        """Show the plane of all words, which the layout started from."""
        self.view_state = self.view_state.replace(plane=ALL)

    def _show_film(self, film: Film) -> None:
        before, self._film = self._film, film
        last, chosen = len(film.frames) - 1, self.view_state.snapshot
        if not 0 <= chosen < last:
            self._state = last
        elif before is None:
            self._state = chosen
        elif before.frames is not film.frames:
            # The marker keeps its position in the training, even if states were added or thinned
            # out.
            here = before.frames[self._state].progress
            self._state = min(range(last + 1), key=lambda at: abs(film.frames[at].progress - here))
            with self.bound.showing():
                self.view_state = self.view_state.replace(snapshot=self._state)
        self.map.put(film, self._state)
        self.map.set_selection(self.session.selection.words)
        self.question.put(film)
        self._draw_strips()
        self._show_state()
        if self._record is not None:
            self.fits.ask(self._record, film.frames)

    # -- drawing

    def exporters(self) -> Sequence[Exporter]:
        return tuple(self._exports.values())

    def drawn_runs(self) -> tuple[RunRecord, ...]:
        return tuple(filter(None, [self._record]))

    @property
    def film(self) -> Film | None:
        """The states shown."""
        return self._film

    @property
    def current(self) -> int:
        """The index of the state shown, from 0."""
        return self._state

    @property
    def training_axis(self) -> TrainingAxis | None:
        record, corpus = self._record, self.session.corpora.current
        if record is None:
            return None
        if corpus is None or corpus.digest != record.corpus_digest:
            return TrainingAxis.of(record)
        return TrainingAxis.of(record, corpus.tokens)

    def _draw_strips(self) -> None:
        film, record, way = self._film, self._record, self.training_axis
        if film is None or record is None or way is None:
            return
        self.strips.put(
            reel_of(record, film, self.fits, way, self.view_state.stretched), self._state
        )
        self._show_note()
        self._describe()

    def _show_note(self) -> None:
        film = self._film
        if film is None:
            return
        last, aligned = film.frames[-1], film.request.aligned
        kept = len(last.embeddings)
        if aligned is not None:
            kept = len(film.words)
        words = tr("the first {kept} of {total} words", kept=count(kept), total=count(last.total))
        if kept == last.total:
            words = tr("all {words}", words=plural(kept, "word"))
        states = plural(len(film.frames), "snapshot")
        note = tr("{states} of {words}, each rotated onto the next", states=states, words=words)
        if aligned is not None:
            note = tr(
                "{states} of {words}, {number} of them laid out by AlignedUMAP",
                states=states,
                words=words,
                number=len(aligned.laid_out),
            )
        parts = [note]
        trust, continuity = film.quality[self._state].tolist()
        if trust == trust:
            parts.append(quality_text(trust, continuity))
        if self.fits.top:
            parts.append(
                tr(
                    "{fit} over the pairs of the first {number}",
                    fit=self.fits.title,
                    number=count(min(self.fits.top, len(last.embeddings))),
                )
            )
        if self.alignment.busy:
            parts.insert(0, self.alignment.note)
        elif self.view_state.plane == ALIGNED and aligned is None:
            parts.insert(0, tr("AlignedUMAP starts after the training"))
        self.note.put(" · ".join(parts))

    def _go_to_state(self, state: int) -> None:
        """Show another state."""
        if self._film is not None and 0 <= state < len(self._film.frames):
            self.controls.slider.setValue(state)

    def _show_other_state(self) -> None:
        """Show the chosen state in all parts of the panel."""
        if self._film is None:
            return
        last, chosen = len(self._film.frames) - 1, self.view_state.snapshot
        state = chosen if 0 <= chosen < last else last
        if state == self._state:
            return
        self._state = state
        self.map.show_state(state)
        self._show_state()
        self._show_note()
        self._describe()

    def _show_state(self) -> None:
        film, way = self._film, self.training_axis
        if film is None or way is None:
            return
        state, frame = self._state, film.frames[self._state]
        self.controls.set_states(len(film.frames), state)
        self.strips.set_current(state)
        self.controls.readout.put(
            tr(
                "{state} of {number} · {text}",
                state=state + 1,
                number=len(film.frames),
                text=way.frame_text(frame),
            )
        )
        self.question.tell(film, state)
        self.near.put(film, state, self.session.selection.focus or "")

    def _describe(self) -> None:
        reel = self.strips.reel
        if reel.states:
            description = f"{self.controls.readout.whole}. {strips_description(reel, self._state)}"
            self.strips.setAccessibleDescription(description)

    # -- export

    def states_table(self) -> str:
        """Progress, loss, fit and rank of every state, as CSV."""
        film, record, way = self._film, self._record, self.training_axis
        if film is None or record is None or way is None:
            return ""
        return states_csv(film, record.trace, self.fits.figures(film.frames), way)

    def positions_table(self) -> str:
        """The position of every word in every state, as CSV."""
        if self._film is None:
            return ""
        return positions_csv(self._film)

    def _draw_figure(self, painter: QPainter) -> None:
        if self._film is not None and self._record is not None:
            title = tr(
                "{name}, snapshot {state}",
                name=self._record.name,
                state=self.controls.readout.whole,
            )
            if self._film.request.aligned is not None:
                title = f"{title} · AlignedUMAP"
            chosen = self.session.selection.words
            draw_film(painter, self._film, self.strips, chosen, title)
