"""The menu of bundled and downloadable corpora."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import CatalogueEntry, download
from workbench.corpus.catalogue import entry as entries
from workbench.corpus.catalogue.texts import TEXTS
from workbench.corpus.samples import SAMPLES
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.open import fill_samples


def test_public_corpora_are_offered_and_opened(
    context: PanelContext,
    session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def fake_fetch(
        entry: CatalogueEntry, run: JobControl | None = None, again: bool = False
    ) -> Path:
        path = tmp_path / "text8.txt"
        path.write_text("anarchism originated as a term of abuse\n" * 20)
        return path

    monkeypatch.setattr(entries, "cache_folder", lambda *parts: tmp_path)
    monkeypatch.setattr(download, "fetch", fake_fetch)
    menu = QMenu()
    qtbot.addWidget(menu)
    fill_samples(menu, session)
    actions = {action.text(): action for action in menu.actions()}
    assert "Small World (synthetic)" in actions
    assert "Python’s documentation" in actions
    assert "text8 (31 MB)" in actions
    assert "Licence: CC BY-SA" in actions["text8 (31 MB)"].toolTip()
    assert len(actions) == len(SAMPLES) + 1 + len(TEXTS)
    actions["text8 (31 MB)"].trigger()
    assert session.corpora.opening is not None
    qtbot.waitUntil(lambda: session.corpora.opening is None, timeout=180_000)
    assert session.corpora.current is not None
    assert (session.corpora.current.name, session.corpora.current.tokens) == ("text8", 140)
