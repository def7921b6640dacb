"""The panel on the page on extending passes the tests of every panel and works as described."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract import test_panels as contract
from guide.pages import install_examples
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import open_corpus, toy_corpus
from ui.windows import shown_panel

from workbench.core.registry import Registry
from workbench.session.session import Session
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS, PanelKind

PATHS = (
    "workbench/analysis/endings.py",
    "workbench/ui/panels/endings/__init__.py",
    "workbench/ui/panels/endings/panel.py",
)
CHECKS = [check for name, check in vars(contract).items() if name.startswith("test_")]


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with install_examples(tmp_path / "of the page", *PATHS):
        every = Registry[PanelKind](
            "workbench.ui.panels", PanelKind, "panel", within_packages=False
        )
        panel_type = every["endings"]
        monkeypatch.setitem(PANELS._classes, panel_type.key, panel_type)
        yield panel_type.key


@pytest.fixture
def panel(key: str, context: PanelContext, qtbot: QtBot) -> Iterator[Panel]:
    with shown_panel(key, context, qtbot) as new_panel:
        yield new_panel


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_example_panel_passes_the_tests_of_every_panel(
    check: Any, request: pytest.FixtureRequest
) -> None:
    check(**{name: request.getfixturevalue(name) for name in inspect.signature(check).parameters})


def test_the_example_panel_shows_words_with_equal_endings(
    panel: Any, session: Session, qtbot: QtBot
) -> None:
    open_corpus(session, toy_corpus())
    session.selection.select(["prince"])
    qtbot.waitUntil(lambda: panel.state == "body")
    assert panel.list.words[0] == "the"
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    assert session.selection.words == (panel.list.words[0],)
    before = panel.list.words
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.list.words != before)
    session.selection.select([])
    assert panel.state == "empty"
