"""Nonsensical settings, for example from an edited file or a foreign session: every panel and page
is built anyway.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from settings_found import declared_settings
from ui.toy import look_at, open_corpus, toy_corpus, toy_model

from workbench.core.paths import settings_folder
from workbench.session.settings.settings_migrations import VERSION
from workbench.ui.base.panel import PanelContext
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.window import Window

WRONG: list[Any] = [
    10**30,
    -1,
    1e308,
    [["a"]],
    [{"name": 5, "words": "x"}],
    {"a": {"b": 1}},
    "\udcff" * 500,
    True,
]


@pytest.fixture(autouse=True, params=WRONG, ids=[str(number) for number in range(len(WRONG))])
def _wrong(request: pytest.FixtureRequest, home: Path) -> None:
    """Write this value to the settings file for every setting."""
    wrong = {setting.key: request.param for setting in declared_settings()}
    (settings_folder() / "settings.json").write_text(json.dumps({"version": VERSION, **wrong}))


@pytest.mark.usefixtures("_wrong", "gate")
def test_the_window_is_made_of_any_settings(context: PanelContext, qtbot: QtBot) -> None:
    window = Window(context)
    window.show()
    qtbot.waitExposed(window)
    try:
        look_at(context.session, toy_model())
        open_corpus(context.session, toy_corpus())
        # Panels are built here, not in an event, so that an exception is raised here.
        for dock in window.docks.values():
            dock.raise_()
            assert dock.panel is not None
        dialog = window.open_preferences()
        assert isinstance(dialog, PreferencesDialog)
        for key in dialog.pages:
            dialog.show_page(key)
        dialog.close()
        qtbot.waitUntil(lambda: not context.session.jobs.active)
    finally:
        window.close()
        window.deleteLater()
