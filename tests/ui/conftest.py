"""A session, the timer and the theme for tests of panels; widgets left open fail a test.

Qt is imported inside the fixtures: this file is read even where Qt cannot start.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench.session.session import Session

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from workbench.ui.panel import Context


@pytest.fixture(autouse=True)
def _no_window_left(qapp: QApplication) -> Iterator[None]:
    """A window that a test opens is given to ``qtbot.addWidget``, which closes it, or closed by the test."""
    yield
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    names = [widget.objectName() or type(widget).__name__ for widget in left]
    for widget in left:
        widget.close()
    assert names == [], "windows left open"


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session on an empty store, closed at the end."""
    made = Session()
    yield made
    made.close()


@pytest.fixture
def context(qapp: QApplication, session: Session) -> Iterator[Context]:
    """What a panel is made with; the timer pumps the session as in the window."""
    from workbench.ui.bridge import Bridge
    from workbench.ui.panel import Context
    from workbench.ui.theme import Theme

    bridge = Bridge(session)
    yield Context(session, bridge, Theme(qapp, "light"))
    bridge.stop()
