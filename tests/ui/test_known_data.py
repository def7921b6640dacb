"""The dialog of known data: what it lists, and what it opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import DATA, CatalogueEntry, Kind, unpack
from workbench.session.corpus import opening
from workbench.session.corpus.known_vectors import VectorChoice
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.known_data import KnownDataDialog
from workbench.ui.widgets.inputs.evaluation_sets import offered_sets
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def dialog(qtbot: QtBot, session: Session, context: PanelContext) -> Iterator[KnownDataDialog]:
    new_dialog = KnownDataDialog(session, context.theme, None)
    new_dialog.show()
    qtbot.waitExposed(new_dialog)
    yield new_dialog
    if shiboken6.isValid(new_dialog):
        new_dialog.close()


def shown(dialog: KnownDataDialog) -> list[str]:
    return list(dialog.list.table.columns[0].values)


def test_kinds_and_search_choose_what_is_listed(dialog: KnownDataDialog, qtbot: QtBot) -> None:
    assert len(shown(dialog)) == len(DATA)
    assert not dialog.words.isVisible()
    dialog.kind.setCurrentIndex(dialog.kind.findData(Kind.VECTORS))
    assert len(shown(dialog)) == sum(entry.kind == Kind.VECTORS for entry in DATA.values())
    assert dialog.words.isVisible()
    assert "PDDL" in dialog.about.text()
    assert "list.json" in dialog.about.text()
    qtbot.keyClicks(dialog.search, "google")
    assert shown(dialog) == [DATA["word2vec-google-news-300"].title]
    assert "Licence: not stated" in dialog.about.text()
    qtbot.keyClicks(dialog.search, "xyz")
    assert shown(dialog) == []
    assert not dialog.get.isEnabled()
    dialog.search.clear()
    dialog.kind.setCurrentIndex(0)
    qtbot.keyClicks(dialog.search, "de")
    assert DATA["leipzig-deu-10k"].title in shown(dialog)


def test_the_chosen_part_of_vectors_is_opened(
    dialog: KnownDataDialog, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[VectorChoice | None] = []

    def open_known(
        entry: CatalogueEntry, choice: VectorChoice | None, run: JobControl
    ) -> Embeddings:
        asked.append(choice)
        import numpy as np

        return Embeddings(["a", "b"], np.eye(2, dtype=np.float32))

    monkeypatch.setattr(opening, "open_known", open_known)
    dialog.search.setText("fasttext-de")
    dialog.words.setValue(200_000)
    dialog.half.setChecked(True)
    qtbot.mouseClick(dialog.get, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.corpora.opening is None and bool(asked))
    assert asked == [VectorChoice(200_000, True)]
    qtbot.waitUntil(lambda: any(run.name == DATA["fasttext-de"].title for run in session.runs))


def test_a_test_set_joins_the_sets_of_evaluate(
    dialog: KnownDataDialog,
    session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def fail(entry: CatalogueEntry, run: JobControl) -> Path:
        raise UserError("Couldn’t download it.", "Try again.")

    monkeypatch.setattr(unpack, "unpacked_set", fail)
    dialog.search.setText("mturk")
    qtbot.mouseClick(dialog.get, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Couldn’t download it. Try again." in dialog.note.text())
    assert dialog.get.isEnabled()
    path = tmp_path / "mturk-771.csv"
    path.write_text("a,b,1\nc,d,2\ne,f,3\n")
    monkeypatch.setattr(unpack, "unpacked_set", lambda entry, run: path)
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.get, Qt.MouseButton.LeftButton)
    assert "mturk-771" in [one.title for one in offered_sets(session)]
