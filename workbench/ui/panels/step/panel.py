"""The Step panel: one training step at a time on the open corpus."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
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
from workbench.session.jobs import Job
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Notice, Panel, PanelContext
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import count
from workbench.ui.base.theme import LIGHT, SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.export.export_actions import Export, ExportButton, csv
from workbench.ui.panels.step import StepKind
from workbench.ui.panels.step.controls import StepControls
from workbench.ui.panels.step.figure import StepFigure, figure_of, paint_saved, saved_size
from workbench.ui.panels.step.view import StepView
from workbench.ui.plots.paint_kit import LEFT, draw_text, fixed_decimals, small_font
from workbench.vectors.embeddings import Embeddings

_TEXT = 262
# Number of steps for the mean: losses of single steps depend on their pairs.
_RECENT = 100
_MANY = 100
# Shorter waits show no message, in seconds: for the first step, and for further ones.
_PATIENCE, _STEPPING = 0.3, 1.0


class StepPanel(StepKind, Panel):
    """The window, the random numbers, σ and gradients, and the vectors before and after; with steps
    forward and back.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._stepper: Stepper | None = None
        self._job: Job[Any] | None = None
        self._work_began = 0.0
        self._quiet = False
        self._stale = True
        self._seen_embeddings: Embeddings | None = None
        self._shown_fraction: float | None = None
        self._titles = {key: kind.title for key, kind in steppable_algorithms().items()}
        self.controls = StepControls(self._titles)
        self.view = StepView(self.theme)
        self.losses = StepLosses(self.theme)
        self.notice = Notice(f"{self.key}.here")
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
        self._restart = action(tr("Restart the training steps"), self._start_stepping)
        self._to_word = action(tr("Take a training step at the selected word"), self.go_to_word)
        self._cancel = action(tr("Cancel"), self._stop_work)
        self._again = action(tr("Restart"), self._start_stepping)
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
        self._inner = kit.PageStack(self.scrolled, self.notice)
        column = (one, kit.stretch(self._inner), self.losses)
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
        one.algorithm.currentIndexChanged.connect(lambda _: self._choose_algorithm())
        one.start.currentIndexChanged.connect(lambda _: self._refresh())
        one.rate.valueChanged.connect(self._set_rate)
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
        self.on_tick(self._tick)

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
        self.controls.choose(algorithm or self._algorithm_key, bool(algorithm))
        self._refresh()

    def _choose_algorithm(self) -> None:
        self.controls.choose(
            self._algorithm_key, steps_of(self.session.active.trained) == self._algorithm_key
        )
        self._refresh()

    def _refresh(self) -> None:
        self._discard_stepper()
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
        self._stale = True
        self._start_if_visible()

    def _discard_stepper(self) -> None:
        self.session.jobs.drop(self.key)
        self._job = None
        self._stepper = None
        self._stale = False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._start_if_visible()

    def _start_if_visible(self) -> None:
        ready = self.session.corpora.text is not None and bool(self._titles)
        if self._stale and self.isVisible() and ready:
            self._start_stepping()

    def _start_stepping(self) -> None:
        """Start at the first word with the initial vectors, in a job."""
        corpus, embeddings, key = (
            self.session.corpora.text,
            self.session.active.trained,
            self._algorithm_key,
        )
        if corpus is None:
            return
        self._discard_stepper()
        if self.controls.from_run:
            settings, start = StepSettings(key), embeddings
        else:
            settings, start = StepSettings(key, fresh_params(key, corpus, embeddings)), None

        def work(run: JobControl) -> Stepper:
            stepper = open_stepper(corpus, settings, start, run)
            stepper.forward(1, run)
            return stepper

        self._start_job(tr("Preparing training steps"), work, self._show_stepper, quiet=False)

    def _show_stepper(self, stepper: Stepper) -> None:
        self._job = None
        self._stepper = stepper
        self.controls.put_range(stepper.rate, stepper.place_count, stepper.place_unit)
        self._show_step(stepper.current)

    # -- steps

    def go_forward(self, steps: int = 1) -> None:
        """Make the next steps."""
        if (stepper := self._stepper) is not None:
            self._start_move(tr("Making training steps"), lambda run: stepper.forward(steps, run))

    def go_back(self) -> None:
        """Undo the last step."""
        if (stepper := self._stepper) is not None:
            self._start_move(tr("Taking a step back"), lambda run: stepper.back())

    def go_to_word(self) -> None:
        """Step to the next occurrence of the selected word."""
        word = self.session.selection.focus
        if (stepper := self._stepper) is not None and word is not None:
            self._start_move(
                tr("Looking for “{word}”", word=word), lambda run: stepper.go_to_word(word, run)
            )

    def _go_to_place(self, place: int) -> None:
        stepper, step = self._stepper, self._shown_step
        if stepper is not None and step is not None and place != step.position + 1:
            self._start_move(
                tr("Taking a training step"), lambda run: stepper.go_to(place - 1, run)
            )

    def _set_rate(self, rate: float) -> None:
        if self._stepper is not None:
            self._stepper.rate = rate

    def _start_move(self, title: str, work: Callable[[JobControl], TrainingStep | None]) -> None:
        if self._job is None:
            self._start_job(title, work, self._move_finished, quiet=True)

    def _move_finished(self, step: TrainingStep | None) -> None:
        self._job = None
        self._show_step(step or self._shown_step)

    def _start_job(
        self,
        title: str,
        work: Callable[[JobControl], object],
        done: Callable[..., None],
        *,
        quiet: bool,
    ) -> None:
        self._work_began = time.monotonic()
        self._job = self.session.jobs.start(
            title,
            work,
            done,
            self._work_failed,
            key=self.key,
            quiet=quiet,
            cancelled=self._work_cancelled,
        )
        self._shown_fraction = -1.0
        self._quiet = quiet
        if self._shown_step is None:
            self._show_message(f"{title} …", busy=True, action=self._cancel)

    def _work_failed(self, error: UserError) -> None:
        self._job = None
        if self._stepper is not None and self._shown_step is not None:
            # The view stays: only the step to another position failed.
            self._show_step(self._shown_step)
            self.session.message.emit(error.message, error.hint, True)
            return
        self.view.put(None)
        action = self._fresh if self.controls.from_run else self._again
        self._show_message(error.message, error.hint, is_error=True, action=action)

    def _work_cancelled(self) -> None:
        self._job = None
        if self._stepper is not None and self._stepper.current is not None:
            self._show_step(self._stepper.current)
        else:
            self.view.put(None)
            self._show_message(
                tr("No step was taken"), tr("The step was cancelled."), action=self._again
            )

    def _stop_work(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _tick(self) -> None:
        job = self._job
        patience = _STEPPING if self._quiet else _PATIENCE
        if job is None or not self.isVisible() or time.monotonic() - self._work_began < patience:
            return
        progress = job.run.progress
        if progress.fraction != self._shown_fraction:
            self._shown_fraction = progress.fraction
            self._show_message(
                f"{job.title} …",
                progress.note,
                fraction=progress.fraction,
                busy=True,
                action=self._cancel,
            )

    def _show_message(self, title: str, hint: str = "", **how: Any) -> None:
        """Show a message in place of the step."""
        self.notice.set_content(title, hint, **how)
        self._inner.setCurrentWidget(self.notice)

    # -- display

    def _show_step(self, step: TrainingStep | None) -> None:
        if step is None or self._stepper is None:
            return
        self.view.put(step)
        self.controls.put_place(step.position + 1)
        self.losses.put(step.number, self._stepper.losses, self._stepper.term)
        self._enable_controls()
        self._inner.setCurrentWidget(self.scrolled)

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
