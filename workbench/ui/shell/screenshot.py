"""Picture of the window as a PNG, taken once nothing in it changes any more."""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.atomic import prove_writable, replacing
from workbench.core.errors import UserError
from workbench.core.json_text import json_text
from workbench.core.language import tr
from workbench.models.base import MODELS, preset_params
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.screenshot_options import ScreenshotOptions
from workbench.ui.shell.window import Window

_SECONDS = 120.0
# Number of consecutive checks at which everything must be idle: a panel's result may start work in
# another.
_CALM = 12
_PRESET = "classroom"


class Screenshot(QObject):
    """Opens, trains and shows what was requested, then saves the window and ends the application.

    Afterwards, ``error`` is the error or None.
    """

    def __init__(self, window: Window, context: PanelContext, options: ScreenshotOptions) -> None:
        super().__init__(window)
        self.error: UserError | None = None
        self._window = window
        self._context = context
        self._session = context.session
        self._options = options
        self._record: RunRecord | None = None
        self._raised = False
        self._calm = 0
        self._deadline = time.monotonic() + _SECONDS
        self._ended = False

    def begin(self) -> None:
        """Show the window at its size, regardless of the window manager, and wait."""
        desk = self._context.desk
        if desk.notices is not None:
            # How long tasks take on this machine doesn't belong in a picture.
            desk.notices.release()
            desk.notices = None
        if QApplication.platformName() == "xcb":
            self._window.setWindowFlag(Qt.WindowType.BypassWindowManagerHint)
        self._window.setFixedSize(QSize(*self._options.size))
        self._window.show()
        self._context.bridge.tick.connect(self._check_ready)

    def _check_ready(self) -> None:
        if self._ended:
            return
        try:
            self._step()
        except UserError as error:
            self._end(error)

    def _step(self) -> None:
        session, options = self._session, self._options
        if not self._raised:
            self._raised = True
            prove_writable(options.path)
            if options.train:
                MODELS[options.train]
            if options.panel:
                PANELS[options.panel]
        if time.monotonic() > self._deadline:
            raise UserError(
                tr("The window wasn’t ready after {seconds:.0f} s.", seconds=_SECONDS),
                tr("Try it with a smaller corpus."),
            )
        if session.corpora.opening is not None:
            return
        if session.corpora.error is not None:
            raise session.corpora.error
        if options.train and self._record is None:
            self._record = self._start_training()
        if self._record is not None:
            if self._record.error is not None:
                raise self._record.error
            if not self._record.state.over:
                return
            if self._record.state is State.CANCELLED:
                raise UserError(tr("The training was cancelled."), tr("Start the training again."))
        if options.panel and self._calm == 0:
            self._window.raise_panel(options.panel)
        if (
            self._record is not None
            and session.selection.analogy is not None
            and not session.selection.words
        ):
            # Fill all panels: select the answer of the analogy, with its neighbours.
            session.selection.select([session.selection.analogy.answer])
        busy = not self._window.idle or any(not job.quiet for job in session.jobs.active)
        if busy:
            self._calm = 0
        else:
            self._calm = self._calm + 1
        if self._calm >= _CALM:
            self._save()

    def _start_training(self) -> RunRecord:
        kind = MODELS[self._options.train]
        has_preset = any(preset.name == _PRESET for preset in kind.presets)
        values = preset_params(kind, _PRESET) if has_preset else kind.params_type()
        return self._session.training.start(
            TrainingSpec(
                kind.key, adapt_values(self._session.corpora.current, kind, values.to_dict())
            )
        )

    def _save(self) -> None:
        path, widgets = self._options.path, self._options.widgets
        image = self._window.grab()
        with replacing(path) as part:
            if not image.save(str(part), "PNG"):
                raise UserError(
                    tr("Couldn’t write {path}.", path=path), tr("Choose another folder or name.")
                )
        if widgets is not None:
            with replacing(widgets) as part:
                part.write_text(json_text(widget_boxes(self._window), indent=1), encoding="utf-8")
        self._end(None)

    def _end(self, error: UserError | None) -> None:
        self._ended = True
        self.error = error
        self._window.close()
        QApplication.exit(0 if error is None else 2)


def widget_boxes(window: QWidget) -> dict[str, object]:
    """The size of a window, and the boxes of the named visible widgets in it, in pixels from its
    upper left corner. A widget hidden by others, such as behind a tab, isn't visible; of several
    with the same name, the largest is included.
    """
    boxes: dict[str, dict[str, int]] = {}
    for widget in window.findChildren(QWidget):
        name = widget.objectName()
        if not name or name.startswith("qt_") or not widget.isVisible():
            continue
        if widget.visibleRegion().isEmpty():
            continue
        corner = widget.mapTo(window, QPoint(0, 0))
        box = {
            "x": corner.x(),
            "y": corner.y(),
            "width": widget.width(),
            "height": widget.height(),
        }
        known = boxes.get(name)
        if known is None or _area(known) < _area(box):
            boxes[name] = box
    return {
        "window": {"width": window.width(), "height": window.height()},
        "widgets": dict(sorted(boxes.items())),
    }


def _area(box: Mapping[str, int]) -> int:
    return box["width"] * box["height"]
