"""Program that writes, as JSON, the clipped parts of the header and the clipped tabs in the
language of its process: a window of 1280 × 800 at two text sizes, idle and during a training.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget
from session.fakes import scripted, small_corpus

from workbench.models.base import MODELS
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme
from workbench.ui.shell.application import make_application
from workbench.ui.shell.window import Window
from workbench.ui.shell.workspaces import WORKSPACES

HEADER = ("workspaces", "corpus", "run", "sparkline", "train", "search")


def cut_in_header(window: Window) -> list[str]:
    """Parts of the header that overlap or are too narrow for their texts."""
    cut, right = [], 0
    for name in HEADER:
        widget = window.findChild(QWidget, f"window.{name}")
        assert widget is not None
        if not widget.isVisible():
            continue
        left = widget.mapTo(window, widget.rect().topLeft()).x()
        if left < right:
            cut.append(f"{name} covers another")
        if name != "search" and widget.width() < widget.sizeHint().width():
            cut.append(f"{name} is narrow")
        right = left + widget.width()
    if right > window.width():
        cut.append("it leaves the window")
    hint = window.top.search.fontMetrics().horizontalAdvance(window.top.search.placeholderText())
    if hint > window.top.search.width() - 44:
        cut.append("the hint of the search")
    buttons: list[QAbstractButton] = [*window.top.workspaces.buttons.values()]
    cut += [one.text() for one in buttons if one.width() < one.sizeHint().width()]
    return cut


def cut_tabs(window: Window) -> list[str]:
    cut = []
    for workspace in WORKSPACES:
        window.layouts.show_workspace(workspace.key)
        turn(window, lambda: True, 0.1)
        for bar in window.findChildren(QTabBar):
            is_visible = bar.isVisible() and bar.count() and not bar.visibleRegion().isEmpty()
            if is_visible and bar.tabRect(bar.count() - 1).right() > bar.width():
                cut.append(f"{workspace.key}: {bar.tabText(bar.count() - 1)}")
    window.layouts.show_workspace("explore")
    return cut


def turn(window: Window, condition: Callable[[], object], least: float = 0.0) -> None:
    """Process events until a condition holds, for at least this many seconds."""
    start = time.monotonic()
    while not condition() or time.monotonic() < start + least:
        QApplication.processEvents()
        time.sleep(0.005)


def main() -> None:
    application = make_application()
    with pytest.MonkeyPatch.context() as patch:
        gate = scripted(patch)
        session = Session()
        context = PanelContext(session, Bridge(session), Theme(application, "light"))
        window = Window(context, remembering=False)
        window.resize(1280, 800)
        window.show()
        session.corpora.current = small_corpus()
        session.corpora.changed.emit()
        spec = TrainingSpec("step", MODELS["step"].params_type(min_count=1))
        first = session.training.start(spec)
        turn(window, lambda: first.has_vectors)
        cut: dict[str, list[str]] = {}
        for size in (100, 150):
            context.theme.choose_text_size(size)
            turn(window, lambda: window.idle, 0.2)
            cut[f"tabs at {size} %"] = cut_tabs(window)
            cut[f"header at {size} %"] = cut_in_header(window)
            gate.opened.clear()
            record = session.training.start(spec)
            turn(window, window.top.training.sparkline.isVisible, 0.2)
            cut[f"header at {size} % in training"] = cut_in_header(window)
            gate.opened.set()
            turn(window, lambda record=record: record.state.over)
        assert window.width() == 1280
        session.close()
        window.close()
    print(json.dumps({name: parts for name, parts in cut.items() if parts}))


if __name__ == "__main__":
    main()
