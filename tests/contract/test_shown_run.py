"""Every panel shows the active run: once another run is shown, nothing is left of the first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, open_corpus, toy_corpus, until
from ui.windows import shown_panel

from workbench.session.runs.run_record import RunRecord, State
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.vectors.embeddings import Embeddings

# Panels of a corpus, of files, of two chosen runs, and of their own training: they don’t depend on
# the active run.
ALIKE = {"collocations", "compare", "corpus", "documents", "groups", "learn", "lessons", "step"}
# Pages that don’t depend on the active run, either, or that need a file, other words or another
# algorithm.
SAME = {
    "evaluate.analogies",
    "evaluate.associations",
    "evaluate.odd",
    "evaluate.leaderboard",
    "inside.ngrams",
    "influence.",
    "relations.apart",
    "relations.dots",
    "relations.many",
    "runs.queue",
    "runs.grid",
    "runs.results",
    "teach.",
    "weights.biases",
    "weights.entropy",
    "weights.cost",
}
# Estimates of trainings change from time to time.
MEASURED = {"train.estimate", "runs.grid.fact", "runs.grid.plan"}


def other_model(turn: int) -> Embeddings:
    """The words of the toy model, each with another word’s vector."""
    vectors = np.roll(np.array(list(WORDS.values()), dtype=np.float32), turn, axis=0)
    counts = np.arange(100 * len(WORDS), 0, -100, dtype=np.int64) + turn
    return Embeddings(
        list(WORDS),
        vectors,
        counts,
        contexts=np.roll(vectors, 2 * turn + 1, axis=1) / 4,
        metadata={
            "algorithm": "sgns",
            "parameters": {"min_count": 1, "window": 2, "negative": 2 + turn},
            "corpus": {"digest": "toy"},
        },
    )


def record_of(session: Session, number: int) -> RunRecord:
    record = RunRecord(
        f"run-{number}",
        f"model {number}",
        "sgns",
        {"window": 2, "min_count": 1, "negative": 2 + number},
        "toy",
        "toy",
        f"2026-01-0{number + 1}",
        colour=number,
        state=State.DONE,
        embeddings=other_model(number),
    )
    session.runs.append(record)
    return record


@pytest.fixture
def records(session: Session) -> list[RunRecord]:
    open_corpus(session, toy_corpus())
    new_records = [record_of(session, number) for number in range(2)]
    session.runs.changed.emit()
    return new_records


def settle(panel: Panel, qtbot: QtBot) -> None:
    until(qtbot, lambda: panel.idle and not panel.session.jobs.active)
    qtbot.wait(1)
    until(qtbot, lambda: panel.idle and not panel.session.jobs.active)


def cell_texts(view: QAbstractItemView) -> Iterator[object]:
    model = view.model()
    top = QModelIndex()
    if model is None:
        return
    across = 1 if isinstance(model, QAbstractListModel) else model.columnCount(top)
    for row in range(min(model.rowCount(top), 30)):
        for column in range(min(across, 12)):
            index = model.index(row, column, top)
            yield from (
                index.data(role)
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            )


def texts(panel: Panel) -> dict[str, list[object]]:
    """Texts in a panel, by the names of its widgets."""
    found: dict[str, list[object]] = {}
    for kind in (QLabel, QLineEdit, QAbstractItemView):
        for widget in panel.findChildren(kind):
            if not widget.isVisibleTo(panel) or widget.objectName() in {"", *MEASURED}:
                continue
            if isinstance(widget, QAbstractItemView):
                lines = list(cell_texts(widget))
            else:
                lines = [widget.whole if isinstance(widget, ElidedLabel) else widget.text()]
            found[widget.objectName()] = lines
    return found


def pages(panel: Panel, qtbot: QtBot) -> dict[str, tuple[dict[str, list[object]], QImage]]:
    """Texts and appearance of each page of a panel."""
    found = {}
    for key in [page.key for page in panel.offered_pages()] or [""]:
        if key:
            panel.show_page(key)
        settle(panel, qtbot)
        found[key] = texts(panel), panel.grab().toImage()
    return found


def texts_of(
    contents: dict[str, tuple[dict[str, list[object]], QImage]],
) -> dict[str, dict[str, list[object]]]:
    return {key: words for key, (words, _) in contents.items()}


@pytest.mark.parametrize("key", sorted(set(PANELS.keys()) - ALIKE))
def test_after_another_run_is_shown_it_is_what_the_panel_shows(
    key: str, context: PanelContext, session: Session, records: list[RunRecord], qtbot: QtBot
) -> None:
    first, second = records
    session.active.show(first)
    session.selection.select(["king"])
    session.selection.show_analogy(AnalogyShown("king", "man", "woman", "queen"))
    with shown_panel(key, context, qtbot) as panel:
        settle(panel, qtbot)
        before = pages(panel, qtbot)
        session.active.show(second)
        after = pages(panel, qtbot)
        assert after.keys() == before.keys()
        same_pages = [
            page for page in after if after[page] == before[page] and f"{key}.{page}" not in SAME
        ]
        assert same_pages == [], "nothing tells of the second run"
        with shown_panel(key, context, qtbot) as fresh:
            settle(fresh, qtbot)
            # The fresh panel has shown only the second run.
            assert texts_of(after) == texts_of(pages(fresh, qtbot))
        # The run can also change while the panel is hidden.
        panel.hide()
        session.active.show(first)
        panel.show()
        assert texts_of(pages(panel, qtbot)) == texts_of(before)
