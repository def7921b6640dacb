"""The Step panel: one training step at a time on the open corpus."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.analysis.step.settings import (
    StepSettings,
    fresh_params,
    steppable_algorithms,
    steps_of,
)
from workbench.analysis.step.step import TrainingStep, step_csv
from workbench.analysis.step.stepper import Stepper, open_stepper
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.notice import NoticeText
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import count
from workbench.ui.base.theme import LIGHT, SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.export.export_actions import Export, ExportButton, csv
from workbench.ui.panels.step import StepKind
from workbench.ui.panels.step.controls import HIGHEST_RATE, StepControls
from workbench.ui.panels.step.figure import StepFigure, figure_of, paint_saved, saved_size
from workbench.ui.panels.step.view import StepView
from workbench.ui.plots.paint_kit import LEFT, draw_text, fixed_decimals, small_font
from workbench.ui.widgets.layout.result_view import PATIENCE, Request, ResultView
from workbench.vectors.embeddings import Embeddings

T = TypeVar("T")
_TEXT = 262
# Number of steps for the mean: losses of single steps depend on their pairs.
_RECENT = 100
_MANY = 100
# Seconds of a step until a message takes its place.
_STEPPING = 1.0


@dataclass(frozen=True)
class StepState(PanelState):
    """algorithm : "" for the first
    start : whether from the vectors of the active run, or from new ones
    rate : learning rate; -1 for that of the algorithm
    """

    algorithm: str = choice("")
    start: bool = choice(True)
    rate: float = choice(-1.0, low=-1.0, high=HIGHEST_RATE)


class StepPanel(StepKind, Panel):
    """The window, the random numbers, σ and gradients, and the vectors before and after; with steps
    forward and back.
    """

    state_kind = StepState
    view_state: StepState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._stepper: Stepper | None = None
        # A job that was cancelled may still be in a step when the next one starts.
        self._stepping = threading.Lock()
        self._seen_embeddings: Embeddings | None = None
        self._titles = {key: kind.title for key, kind in steppable_algorithms().items()}
        self.controls = StepControls(self._titles)
        self.view = StepView(self.theme)
        self.losses = StepLosses(self.theme)
        self._export = Export(
            self,
            self.session,
            tr("A training step"),
            "step",
            self._figure_size,
            self._draw_figure,
            csv(self._step_table),
            ready=lambda: self._shown_step is not None,
        )
        self.export = ExportButton(self._current_export)
        self._create_actions()
        self._build()
        self._connect()
        self._model_changed()

    # -- building

    def _create_actions(self) -> None:
        def action(text: str, slot: Callable[[], None]) -> QAction:
            created = QAction(menu_text(text), self)
            created.triggered.connect(lambda _=False: slot())
            return created

        self._back = action(tr("Undo training step"), self.go_back)
        self._forward = action(tr("Take the next training step"), self.go_forward)
        self._many = action(tr("Take 100 training steps"), lambda: self.go_forward(_MANY))
        self._restart = action(tr("Restart the training steps"), self._start_again)
        self._to_word = action(tr("Take a training step at the selected word"), self.go_to_word)
        self._again = action(tr("Restart"), self._start_again)
        self._fresh = action(
            tr("Start from fresh vectors"), lambda: self.controls.start.setCurrentIndex(1)
        )

    def _build(self) -> None:
        one = self.controls
        for widget, local, accessible, tip in one.names():
            self.named(widget, local, accessible, tip)
        self.named(self.view, "view", tr("The step"))
        self.named(self.losses, "losses", tr("Losses of the steps so far"))
        self.named(
            self.export, "export", tr("Export"), tr("Save the figure, or all numbers of the step")
        )
        kit.add(one.top, self.export)
        QWidget.setTabOrder(one.rate, self.export)
        QWidget.setTabOrder(self.export, one.back)
        scrolled = kit.ScrollFrame(self.view)
        self.scrolled = self.named(scrolled, "scroll", tr("Scrollable text of the step"))
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.result = ResultView(self, self.key, f"{self.key}.here", self.scrolled)
        self.result.on_failed(self._work_failed)
        self.result.on_cancelled(self._work_cancelled)
        self.notice = self.result.notice
        column = (one, kit.stretch(self.result), self.losses)
        kit.fill(self.body, kit.column(*column, margins=(SPACE_3, SPACE_2, SPACE_3, SPACE_1)))

    def _connect(self) -> None:
        one, view = self.controls, self.view
        for button, shown in (
            (one.back, self._back),
            (one.forward, self._forward),
            (one.many, self._many),
            (one.restart, self._restart),
            (one.to_word, self._to_word),
        ):
            button.clicked.connect(shown.trigger)
        self.bind_controls(algorithm=one.algorithm, start=one.start)
        self.bound.bind_to("rate", one.rate, one.rate.value, one.put_rate, one.rate.valueChanged)
        one.place.valueChanged.connect(self._go_to_place)
        view.forward.connect(self.go_forward)
        view.back.connect(self.go_back)
        view.picked.connect(lambda word: self.session.selection.select([word]))
        view.moved.connect(
            lambda area: self.scrolled.ensureVisible(area.center().x(), area.center().y(), 20, 60)
        )
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.active.changed, self._model_changed)
        self.follow(self.session.selection.changed, self._enable_controls)

    def state_changed(self, before: StepState, after: StepState) -> None:
        if after.rate != before.rate and after.replace(rate=before.rate) == before:
            if self._stepper is not None and after.rate >= 0.0:
                self._stepper.rate = after.rate
            return
        start = after.start
        if after.algorithm != before.algorithm:
            start = steps_of(self.session.active.trained) == after.algorithm
        self._choose(after.algorithm, start)

    # -- model

    @property
    def _shown_step(self) -> TrainingStep | None:
        return self.view.step

    @property
    def _algorithm_key(self) -> str:
        return self.controls.key

    def _model_changed(self) -> None:
        """Choose the algorithm of the active run, and start from its vectors if possible."""
        embeddings = self.session.active.trained
        if embeddings is self._seen_embeddings and embeddings is not None:
            return
        self._seen_embeddings = embeddings
        algorithm = steps_of(embeddings)
        self._choose(algorithm or self._algorithm_key, bool(algorithm))

    def _choose(self, algorithm: str, start: bool) -> None:
        """Choose an algorithm and its starting vectors, with its learning rate."""
        self.controls.allow_run(steps_of(self.session.active.trained) == algorithm)
        with self.bound.showing():
            self.view_state = StepState(algorithm, start)
        self._refresh()

    def _refresh(self) -> None:
        self.result.forget()
        self._stepper = None
        if self.lacks_text():
            return
        corpus = self.session.corpora.text
        if corpus is None:
            if self.session.corpora.opening is not None:
                self.show_busy(tr("Opening the corpus…"))
            else:
                self.show_empty(
                    tr("No corpus"),
                    tr("Open a text to train on its windows one by one and see every number."),
                    self.window_action("file.open", tr("Open files…")),
                )
            return
        self.show_body()
        self._start_stepping()

    def _start_again(self) -> None:
        self._choose(self._algorithm_key, self.controls.from_run)

    def _start_stepping(self) -> None:
        """Start at the first word with the initial vectors, in a job."""
        corpus, embeddings, key = (
            self.session.corpora.text,
            self.session.active.trained,
            self._algorithm_key,
        )
        if corpus is None or not self._titles:
            return
        if self.controls.from_run:
            settings, start = StepSettings(key), embeddings
        else:
            settings, start = StepSettings(key, fresh_params(key, corpus, embeddings)), None

        def work(run: JobControl) -> Stepper:
            stepper = open_stepper(corpus, settings, start, run)
            stepper.forward(1, run)
            return stepper

        title = tr("Preparing training steps")
        self._ask(title, work, self._show_stepper, PATIENCE)

    def _show_stepper(self, stepper: Stepper) -> None:
        self._stepper = stepper
        if self.view_state.rate >= 0.0:
            stepper.rate = self.view_state.rate
        with self.bound.showing():
            self.controls.rate.setValue(stepper.rate)
        self.controls.put_range(stepper.place_count, stepper.place_unit)
        self._show_step(stepper.current)

    # -- steps

    def go_forward(self, steps: int = 1) -> None:
        """Make the next steps."""
        self._start_move(
            tr("Making training steps"), lambda stepper, run: stepper.forward(steps, run)
        )

    def go_back(self) -> None:
        """Undo the last step."""
        self._start_move(tr("Taking a step back"), lambda stepper, run: stepper.back())

    def go_to_word(self) -> None:
        """Step to the next occurrence of the selected word."""
        word = self.session.selection.focus
        if word is not None:
            self._start_move(
                tr("Looking for “{word}”", word=word),
                lambda stepper, run: stepper.go_to_word(word, run),
            )

    def _go_to_place(self, place: int) -> None:
        step = self._shown_step
        if step is not None and place != step.position + 1:
            self._start_move(
                tr("Taking a training step"), lambda stepper, run: stepper.go_to(place - 1, run)
            )

    def _start_move(
        self, title: str, work: Callable[[Stepper, JobControl], TrainingStep | None]
    ) -> None:
        stepper = self._stepper
        if stepper is None or self.result.busy:
            return

        def move(run: JobControl) -> TrainingStep | None:
            with self._stepping:
                run.check()
                return work(stepper, run)

        self._ask(title, move, self._move_finished, _STEPPING)

    def _move_finished(self, step: TrainingStep | None) -> None:
        self._show_step(step or self._shown_step)

    def _ask(
        self,
        title: str,
        work: Callable[[JobControl], T],
        show: Callable[[T], None],
        patience: float,
    ) -> None:
        quiet = patience == _STEPPING
        if self._shown_step is None:
            patience = 0.0
        # Each is a new one: steps start where the last one ended.
        key = (object(),)
        request = Request(key, title, work, show, f"{title} …", patience=patience, quiet=quiet)
        self.result.ask(request)

    def _work_failed(self, error: UserError) -> None:
        if self._stepper is not None and self._shown_step is not None:
            # The view stays: only the step to another position failed.
            self.result.show_content()
            self._show_step(self._shown_step)
            self.session.message.report(error)
            return
        self.view.put(None)
        action = self._fresh if self.controls.from_run else self._again
        self.result.show_notice(NoticeText(error.message, error.hint, action, is_error=True))

    def _work_cancelled(self) -> None:
        if self._stepper is not None:
            self._start_move(tr("Taking a training step"), lambda stepper, run: stepper.current)
        else:
            self.view.put(None)
            self.result.show_message(
                tr("No step was taken"), tr("The step was cancelled."), self._again
            )

    # -- display

    def _show_step(self, step: TrainingStep | None) -> None:
        if step is None or self._stepper is None:
            return
        self.view.put(step)
        self.controls.put_place(step.position + 1)
        self.losses.put(step.number, self._stepper.losses, self._stepper.term)
        self._enable_controls()

    def _enable_controls(self) -> None:
        stepper = self._stepper
        self.controls.enable(
            stepper is not None,
            stepper is not None and stepper.can_go_back,
            self.session.selection.focus,
        )

    # -- export

    def _saved_figure(self) -> StepFigure:
        assert self.view.step is not None
        return figure_of(self.view.step, self.view.pair, self.view.vector)

    def _figure_size(self) -> QSize:
        return saved_size(self._saved_figure())

    def _draw_figure(self, painter: QPainter) -> None:
        paint_saved(painter, self._saved_figure(), self._titles[self._algorithm_key], LIGHT)

    def _step_table(self) -> str:
        if self.view.step is None:
            return ""
        return step_csv(self.view.step)

    def exporters(self) -> Sequence[Exporter]:
        return (self._export,)

    def _current_export(self) -> Export | None:
        if self._shown_step is None:
            return None
        return self._export


class StepLosses(QWidget):
    """The curve of losses by step, and the mean of the latest losses."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._losses: np.ndarray = np.empty(0)
        self.text = ""
        set_scaled_size(self, height=34)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(400, 34)

    def put(self, number: int, losses: Sequence[float], what: str) -> None:
        """Show the losses.

        number : number of the last step; what : unit of the loss, such as "pair"
        """
        self._losses = np.asarray(losses, dtype=np.float64)
        recent = self._losses[-_RECENT:]
        step = count(number)
        if not len(recent):
            self.text = tr("Step {step}: ", step=step)
        else:
            self.text = tr(
                "Step {step}: loss {loss} per {what}",
                step=step,
                loss=fixed_decimals(float(recent.mean())),
                what=what,
            )
        if len(recent) > 1:
            self.text = tr("{text}, mean of {number}", text=self.text, number=len(recent))
        self.setAccessibleDescription(self.text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self._theme.palette
        draw_text(
            painter,
            QRectF(0, 0, scaled_length(_TEXT), self.height()),
            self.text,
            small_font(),
            palette.muted,
            LEFT,
        )
        losses = self._losses
        plot = QRectF(
            scaled_length(_TEXT) + SPACE_2,
            3,
            self.width() - scaled_length(_TEXT) - 2 * SPACE_2,
            self.height() - 6,
        )
        if len(losses) > 1 and plot.width() > 20:
            high = float(losses.max()) or 1.0
            across = np.linspace(plot.left(), plot.right(), len(losses))
            down = plot.bottom() - plot.height() * losses / high
            points = QPolygonF(
                [QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)]
            )
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(plot.bottomLeft(), plot.bottomRight())
            painter.setPen(QPen(QColor(palette.accent), 1.2))
            painter.drawPolyline(points)
        painter.end()
