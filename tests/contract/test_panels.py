"""Contract of every panel."""

from __future__ import annotations

import ast
import gc
import inspect
import subprocess
import sys
import textwrap
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import StepModel, TableModel, small_corpus
from ui.windows import shown_panel

from workbench.session.requests import PanelRequests
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel

AREAS = ("left", "centre", "right", "bottom")
INTERACTIVE = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)


@pytest.fixture(params=PANELS.keys())
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def panel(key: str, context: PanelContext, qtbot: QtBot) -> Iterator[Panel]:
    with shown_panel(key, context, qtbot) as new_panel:
        yield new_panel


def interactive(panel: Panel) -> list[QWidget]:
    """Widgets that people click on or type into, without the inner parts of other widgets."""
    found = []
    for widget in panel.findChildren(QWidget):
        owner = widget.parent()
        inner = isinstance(
            owner, (QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView, QTabBar)
        )
        inner = inner or widget.objectName().startswith("qt_") or isinstance(widget, QScrollBar)
        # Header views, and the list behind a combo box or a completer.
        inner = inner or type(widget).__name__ in (
            "QHeaderView",
            "QComboBoxListView",
            "QTableCornerButton",
        )
        if isinstance(widget, INTERACTIVE) and not inner and widget.window() is panel.window():
            found.append(widget)
    return found


def test_it_says_what_it_is(key: str) -> None:
    kind = PANELS[key]
    assert kind.title
    assert kind.area in AREAS


def test_it_begins_with_a_designed_state_and_at_rest(panel: Panel, qtbot: QtBot) -> None:
    assert panel.state in ("empty", "body")
    qtbot.waitUntil(lambda: panel.idle)


def test_everything_one_can_use_has_a_stable_name_and_an_accessible_one(panel: Panel) -> None:
    for widget in interactive(panel):
        name = widget.objectName()
        assert name.startswith(f"{panel.key}."), f"{type(widget).__name__} is named “{name}”"
        assert widget.accessibleName() or getattr(widget, "text", str)(), (
            f"{name} has no accessible name"
        )
    names = [widget.objectName() for widget in interactive(panel)]
    assert len(names) == len(set(names)), "two widgets of one name"


def test_it_is_painted_in_both_themes(panel: Panel, context: PanelContext) -> None:
    for choice in ("light", "dark"):
        context.theme.choose(choice)
        image = panel.grab().toImage()
        assert not image.isNull()
    context.theme.choose("light")


def test_it_survives_whatever_happens_in_the_session(
    panel: Panel, session: Session, qtbot: QtBot
) -> None:
    session.corpora.current = small_corpus()
    session.corpora.changed.emit()
    record = session.training.start(TrainingSpec("step", StepModel.params_type(min_count=1)))
    qtbot.waitUntil(lambda: record.state.over and session.active.run is record)
    session.selection.select(["cat", "dog"])
    session.selection.select(["unheard"])
    session.selection.select([])
    qtbot.waitUntil(lambda: panel.idle, timeout=180_000)
    second = session.training.start(TrainingSpec("table", TableModel.params_type(min_count=1)))
    qtbot.waitUntil(lambda: second.state.over and session.active.run is second)
    session.runs.rename(record, "another name")
    session.active.show(record)
    session.runs.delete(record)
    session.runs.delete(second)
    session.runs.undelete()
    session.active.show(None)
    session.corpora.current = None
    session.corpora.changed.emit()
    qtbot.waitUntil(lambda: panel.idle, timeout=180_000)
    assert panel.state in ("empty", "body", "error")


def test_a_model_without_contexts_or_counts_is_looked_at(
    panel: Panel, session: Session, qtbot: QtBot
) -> None:
    from workbench.session.runs.run_record import RunRecord, State
    from workbench.vectors.embeddings import Embeddings

    words = [f"word{number}" for number in range(12)]
    vectors = np.random.default_rng(1).normal(size=(12, 5)).astype(np.float32)
    embeddings = Embeddings(words, vectors)
    record = RunRecord(
        "x", "bare", "", {}, "", "", "2026-01-01", state=State.DONE, embeddings=embeddings
    )
    session.runs.append(record)
    session.runs.changed.emit()
    session.active.show(record)
    session.selection.select(["word3"])
    qtbot.waitUntil(lambda: panel.idle, timeout=180_000)
    assert panel.state in ("empty", "body")


def test_it_goes_without_a_trace(
    key: str, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    before = set(QApplication.allWidgets())
    reference = deleted_panel(key, context, qtbot)
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # The session’s signals no longer reach the panel.
    session.corpora.changed.emit()
    session.runs.changed.emit()
    session.active.changed.emit()
    session.selection.changed.emit()
    session.selection.analogy_changed.emit()
    assert reference() is None
    # This includes widgets outside any layout.
    assert set(QApplication.allWidgets()) <= before


def deleted_panel(key: str, context: PanelContext, qtbot: QtBot) -> weakref.ref[Panel]:
    """A panel that was created, shown and deleted; only a leak can still have a reference."""
    new_panel = PANELS[key].panel_class()(context)
    new_panel.show()
    qtbot.waitUntil(lambda: new_panel.idle)
    for timer in new_panel.findChildren(QTimer):
        timer.start()
    new_panel.release()
    # One that runs out before the panel is deleted would start a job for it.
    assert not any(timer.isActive() for timer in new_panel.findChildren(QTimer))
    new_panel.close()
    new_panel.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return weakref.ref(new_panel)


def test_every_request_is_carried_out_by_a_panel() -> None:
    requests = set(vars(PanelRequests()))
    panel_requests = {request for panel in PANELS for request in panel.requests}
    assert panel_requests == requests
    for panel in PANELS:
        panel_class = panel.panel_class()
        assert all(callable(getattr(panel_class, method)) for method in panel.requests.values())


def _used_of(panel: str, source: str) -> Iterator[list[str]]:
    """Chains of attributes, such as ``["view", "fit"]``, that lambdas read from ``panel``."""
    for node in ast.walk(ast.parse(source)):
        chain: list[str] = []
        while isinstance(node, ast.Attribute):
            chain.insert(0, node.attr)
            node = node.value
        if chain and isinstance(node, ast.Name) and node.id == panel:
            yield chain


def test_what_its_commands_take_of_the_panel_is_there(panel: Panel, key: str) -> None:
    source = inspect.getsource(sys.modules[PANELS[key].__module__])
    for chain in _used_of("panel", source):
        found: object = panel
        for name in chain:
            assert hasattr(found, name), f"panel.{'.'.join(chain)}"
            found = getattr(found, name)


def test_pages_that_it_always_has_are_those_that_it_offers(panel: Panel, key: str) -> None:
    pages = PANELS[key].fixed_pages
    if pages is None:
        return
    assert tuple(panel.offered_pages()) == pages
    if isinstance(panel, InstrumentPanel):
        assert [one.local for one in panel.instruments.all] == [page.key for page in pages]


def test_panels_are_imported_when_they_are_seen() -> None:
    code = """
        import sys
        from workbench.ui.commands.registry import GROUPS
        from workbench.ui.base.panel_kind import PANELS

        assert len(PANELS) > 15
        assert len(GROUPS) > 5
        assert "pyqtgraph" not in sys.modules
        panels = {f"workbench.ui.panels.{panel.key}.panel" for panel in PANELS}
        print(sorted(panels & set(sys.modules)))
    """
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"
