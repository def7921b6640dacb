"""One training step at a time, on the real corpus."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from workbench.analysis.step.settings import GLOVE, KINDS, StepSettings, fresh_params, steps_of
from workbench.analysis.step.step import TrainingStep, step_csv
from workbench.analysis.step.stepper import Stepper, open_stepper
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.jobs import Job
from workbench.ui.action import by_qaction
from workbench.ui.panel import Notice, Panel, PanelContext
from workbench.ui.panels.step.controls import StepControls
from workbench.ui.panels.step.figure import StepFigure, figure_of, paint_saved, saved_size
from workbench.ui.panels.step.view import StepView
from workbench.ui.plain_text import menu_text
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.text import count
from workbench.ui.theme import LIGHT, SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.widgets.charts.export_actions import Export, ExportButton, csv, export_actions
from workbench.ui.widgets.charts.paint_kit import LEFT, draw_text, fixed_decimals, small_font
from workbench.vectors.embeddings import Embeddings

_TEXT = 262
# Of so many steps the mean is told: single ones differ by what they meet.
_RECENT = 100
_MANY = 100
# Shorter waits go by without a word: until the first step is there, and for further ones.
_PATIENCE, _STEPPING = 0.3, 1.0
_TERMS = {"cbow": tr("centre"), "cbow-hs": tr("centre"), GLOVE: tr("cell")}


class StepPanel(Panel):
    """The window, what was drawn, σ and gradients, and the vectors before and after; forward and back."""

    key = "step"
    title = tr("Step")
    area = "centre"
    order = 60

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._stepper: Stepper | None = None
        self._job: Job[Any] | None = None
        self._began = 0.0
        self._quiet = False
        self._stale = True
        self._seen: Embeddings | None = None
        self._told: float | None = None
        self.controls = StepControls({key: kind.title for key, kind in KINDS.items()})
        self.view = StepView(self.theme)
        self.losses = StepLosses(self.theme)
        self.notice = Notice(f"{self.key}.here")
        self._inner = QStackedWidget()
        self._export = Export(
            self, self.session, tr("A training step"), "step", self._size, self._draw, csv(self._table)
        )
        self.export = ExportButton(lambda: self._export if self._step is not None else None)
        self._actions()
        self._build()
        self._connect()
        self._model_changed()

    # -- what it is made of

    def _actions(self) -> None:
        def action(text: str, slot: Callable[[], None]) -> QAction:
            made = QAction(menu_text(text), self)
            made.triggered.connect(lambda _=False: slot())
            return made

        self._back = action(tr("Take the training step back"), self.go_back)
        self._forward = action(tr("Make the next training step"), self.go_forward)
        self._many = action(tr("Make 100 training steps"), lambda: self.go_forward(_MANY))
        self._restart = action(tr("Restart the training steps"), self._open)
        self._to_word = action(tr("Make a training step at the selected word"), self.go_to_word)
        self._cancel = action(tr("Cancel"), self._stop)
        self._again = action(tr("Begin again"), self._open)
        self._fresh = action(tr("Start from fresh vectors"), lambda: self.controls.start.setCurrentIndex(1))

    def _build(self) -> None:
        one = self.controls
        for widget, local, accessible, tip in one.names():
            self.named(widget, local, accessible, tip)
        self.named(self.view, "view", tr("The step"))
        self.named(self.losses, "losses", tr("Losses of the steps made"))
        self.named(self.export, "export", tr("Export"), tr("Save the figure, or all numbers of the step"))
        one.top.addWidget(self.export)
        QWidget.setTabOrder(one.rate, self.export)
        QWidget.setTabOrder(self.export, one.back)
        self.scrolled = self.named(QScrollArea(), "scroll", tr("The step, to scroll"))
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrolled.setWidget(self.view)
        self._inner.addWidget(self.scrolled)
        self._inner.addWidget(self.notice)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_1)
        layout.setSpacing(SPACE_2)
        layout.addWidget(one)
        layout.addWidget(self._inner, 1)
        layout.addWidget(self.losses)

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
        one.place.valueChanged.connect(self._go_to)
        view.forward.connect(self.go_forward)
        view.back.connect(self.go_back)
        view.picked.connect(lambda word: self.session.select([word]))
        view.moved.connect(lambda area: self.scrolled.ensureVisible(area.center().x(), area.center().y(), 20, 60))
        self.follow(self.session.corpus_changed, self._refresh)
        self.follow(self.session.shown_changed, self._model_changed)
        self.follow(self.session.selection_changed, self._enable)
        self.on_tick(self._tick)

    commands = (
        *(
            by_qaction(f"step.{name}", text, told, find, keys, place)
            for name, text, told, find, keys, place in (
                ("forward", tr("Make the next training step"), tr("Draw the next example and make its update."),
                 lambda panel: panel._forward, "Alt+Right", 10),
                ("back", tr("Take the training step back"), tr("Go back to the vectors before the last step."),
                 lambda panel: panel._back, "Alt+Left", 11),
                ("many", tr("Make 100 training steps"), tr("Make a hundred updates at once."),
                 lambda panel: panel._many, "Alt+Shift+Right", 12),
                ("restart", tr("Restart the training steps"), tr("Begin again at the first step."),
                 lambda panel: panel._restart, "Alt+Home", 13),
                ("to_word", tr("Make a training step at the selected word"),
                 tr("Go to the next place of the text where the selected word is the centre."),
                 lambda panel: panel._to_word, "", 14),
            )
        ),
        *export_actions(key, tr("the training step"), lambda panel: panel._export),
    )  # fmt: skip

    # -- what is stepped through

    @property
    def _step(self) -> TrainingStep | None:
        return self.view.step

    @property
    def _key(self) -> str:
        return self.controls.key

    def _model_changed(self) -> None:
        """Another run is looked at: its algorithm, from its vectors, where it can be stepped."""
        embeddings = self.session.embeddings
        if embeddings is self._seen and embeddings is not None:
            return
        self._seen = embeddings
        algorithm = steps_of(embeddings)
        self.controls.choose(algorithm or self._key, bool(algorithm))
        self._refresh()

    def _choose_algorithm(self) -> None:
        self.controls.choose(self._key, steps_of(self.session.embeddings) == self._key)
        self._refresh()

    def _refresh(self) -> None:
        self._forget()
        if self.lacks_text():
            return
        corpus = self.session.text
        if corpus is None:
            if self.session.opening is not None:
                self.show_busy(tr("Opening the corpus …"))
            else:
                self.show_empty(
                    tr("No text to step through"),
                    tr("Open a text: its windows are then trained on one by one, with every number shown."),
                    self.window_action("file.open", tr("Open files…")),
                )
            return
        self.show_body()
        self._stale = True
        self._open_if_seen()

    def _forget(self) -> None:
        self.session.jobs.drop(self.key)
        self._job = None
        self._stepper = None
        self._stale = False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._open_if_seen()

    def _open_if_seen(self) -> None:
        if self._stale and self.isVisible() and self.session.text is not None:
            self._open()

    def _open(self) -> None:
        """Begin from the first vectors and the first word, in a job."""
        corpus, embeddings, key = self.session.text, self.session.embeddings, self._key
        if corpus is None:
            return
        self._forget()
        if self.controls.from_run:
            settings, start = StepSettings(key), embeddings
        else:
            settings, start = StepSettings(key, fresh_params(key, corpus, embeddings)), None

        def work(run: JobControl) -> Stepper:
            stepper = open_stepper(corpus, settings, start, run)
            stepper.forward(1, run)
            return stepper

        self._work(tr("Preparing training steps"), work, self._opened, quiet=False)

    def _opened(self, stepper: Stepper) -> None:
        self._job = None
        self._stepper = stepper
        self.controls.put_range(stepper.rate, stepper.places, tr("cell") if self._key == GLOVE else tr("token"))
        self._show_step(stepper.current)

    # -- going on and back

    def go_forward(self, steps: int = 1) -> None:
        """Make the next steps."""
        if (stepper := self._stepper) is not None:
            self._move(tr("Making training steps"), lambda run: stepper.forward(steps, run))

    def go_back(self) -> None:
        """Take the last step back."""
        if (stepper := self._stepper) is not None:
            self._move(tr("Taking a step back"), lambda run: stepper.back())

    def go_to_word(self) -> None:
        """Make a step where the selected word stands next."""
        word = self.session.focus
        if (stepper := self._stepper) is not None and word is not None:
            self._move(tr("Looking for “{word}”", word=word), lambda run: stepper.go_to_word(word, run))

    def _go_to(self, place: int) -> None:
        stepper, step = self._stepper, self._step
        if stepper is not None and step is not None and place != step.position + 1:
            self._move(tr("Making a training step"), lambda run: stepper.go_to(place - 1, run))

    def _set_rate(self, rate: float) -> None:
        if self._stepper is not None:
            self._stepper.rate = rate

    def _move(self, title: str, work: Callable[[JobControl], TrainingStep | None]) -> None:
        if self._job is None:
            self._work(title, work, self._moved, quiet=True)

    def _moved(self, step: TrainingStep | None) -> None:
        self._job = None
        self._show_step(step if step is not None else self._step)

    def _work(
        self, title: str, work: Callable[[JobControl], object], done: Callable[..., None], *, quiet: bool
    ) -> None:
        self._began = time.monotonic()
        self._job = self.session.jobs.start(
            title, work, done, self._failed, key=self.key, quiet=quiet, cancelled=self._cancelled
        )
        self._told = -1.0
        self._quiet = quiet
        if self._step is None:
            self._tell(f"{title} …", busy=True, action=self._cancel)

    def _failed(self, error: UserError) -> None:
        self._job = None
        if self._stepper is not None and self._step is not None:
            # What is shown stays: only going somewhere failed.
            self._show_step(self._step)
            self.session.message.emit(error.message, error.hint, True)
            return
        self.view.put(None)
        action = self._fresh if self.controls.from_run else self._again
        self._tell(error.message, error.hint, is_error=True, action=action)

    def _cancelled(self) -> None:
        self._job = None
        if self._stepper is not None and self._stepper.current is not None:
            self._show_step(self._stepper.current)
        else:
            self.view.put(None)
            self._tell(tr("No step was made"), tr("It was cancelled."), action=self._again)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _tick(self) -> None:
        job = self._job
        patience = _STEPPING if self._quiet else _PATIENCE
        if job is None or not self.isVisible() or time.monotonic() - self._began < patience:
            return
        progress = job.run.progress
        if progress.fraction != self._told:
            self._told = progress.fraction
            self._tell(f"{job.title} …", progress.note, fraction=progress.fraction, busy=True, action=self._cancel)

    def _tell(self, title: str, hint: str = "", **how: Any) -> None:
        """Say something in the picture's place."""
        self.notice.set_content(title, hint, **how)
        self._inner.setCurrentWidget(self.notice)

    # -- showing

    def _show_step(self, step: TrainingStep | None) -> None:
        if step is None or self._stepper is None:
            return
        self.view.put(step)
        self.controls.put_place(step.position + 1)
        self.losses.put(step.number, self._stepper.losses, _TERMS.get(step.algorithm, tr("pair")))
        self._enable()
        self._inner.setCurrentWidget(self.scrolled)

    def _enable(self) -> None:
        stepper = self._stepper
        self.controls.enable(stepper is not None, stepper is not None and stepper.can_go_back, self.session.focus)

    # -- export

    def _figure(self) -> StepFigure:
        assert self.view.step is not None
        return figure_of(self.view.step, self.view.pair, self.view.vector)

    def _size(self) -> QSize:
        return saved_size(self._figure())

    def _draw(self, painter: QPainter) -> None:
        paint_saved(painter, self._figure(), KINDS[self._key].title, LIGHT)

    def _table(self) -> str:
        return step_csv(self.view.step) if self.view.step is not None else ""


class StepLosses(QWidget):
    """A dot a step, and what was lost on the average of the latest."""

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
        """``number`` : of the last step; what : of which the loss is told, as "pair"."""
        self._losses = np.asarray(losses, dtype=np.float64)
        recent = self._losses[-_RECENT:]
        step = count(number)
        if not len(recent):
            self.text = tr("Step {step}: ", step=step)
        else:
            self.text = tr(
                "Step {step}: loss {loss} a {what}", step=step, loss=fixed_decimals(float(recent.mean())), what=what
            )
        if len(recent) > 1:
            self.text = tr("{told}, mean of {number}", told=self.text, number=len(recent))
        self.setAccessibleDescription(self.text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self._theme.palette
        draw_text(
            painter, QRectF(0, 0, scaled_length(_TEXT), self.height()), self.text, small_font(), palette.muted, LEFT
        )
        losses = self._losses
        plot = QRectF(
            scaled_length(_TEXT) + SPACE_2, 3, self.width() - scaled_length(_TEXT) - 2 * SPACE_2, self.height() - 6
        )
        if len(losses) > 1 and plot.width() > 20:
            high = float(losses.max()) or 1.0
            across = np.linspace(plot.left(), plot.right(), len(losses))
            down = plot.bottom() - plot.height() * losses / high
            points = QPolygonF([QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)])
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(plot.bottomLeft(), plot.bottomRight())
            painter.setPen(QPen(QColor(palette.accent), 1.2))
            painter.drawPolyline(points)
        painter.end()
