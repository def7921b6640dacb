"""A session for tests of panels; widgets left open fail a test.

Qt is not imported: this file is read even where Qt cannot start.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from umaps import keep_start

from workbench.core.param_labels import By, name_params_by
from workbench.session.session import Session

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot
    from session.fakes import Gate

    from workbench.ui.base.panel import PanelContext
    from workbench.ui.shell.window import Window


@pytest.fixture(autouse=True)
def _no_window_left(qapp: QApplication) -> Iterator[None]:
    """Check that no window is left open: a test passes its windows to ``qtbot.addWidget``, which
    closes them, or closes them itself.
    """
    yield
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    names = [widget.objectName() or type(widget).__name__ for widget in left]
    for widget in left:
        widget.close()
    assert names == [], "windows left open"


@pytest.fixture(autouse=True)
def _called_by_labels() -> Iterator[None]:
    """Errors name hyperparameters by the labels of the window."""
    with name_params_by(By.LABEL):
        yield


@pytest.fixture
def starting_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let maps stay where they start: their methods have tests of their own, and umap-learn
    compiles itself for a minute.
    """
    monkeypatch.setattr("workbench.ui.panels.map.layout_jobs.cached_layout", keep_start)
    for module in ("history", "projection.methods"):
        monkeypatch.setattr(
            f"workbench.analysis.{module}.aligned.lay_out_aligned",
            lambda layers, starts, *_: list(starts),
        )


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session on an empty store, closed at the end."""
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture
def window(gate: Gate, context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    """A window with the two algorithms of ``gate``."""
    from ui.windows import shown_window

    with shown_window(context, qtbot) as new_window:
        yield new_window
        gate.opened.set()
