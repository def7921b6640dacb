"""The company of a word in the window: table, network, second order and bad input."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpora import make_corpus
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import open_corpus, until

from workbench.analysis.collocations.collocates import CollocationParams, collocation_network
from workbench.analysis.collocations.network_layout import INNER, OUTER, lay_out
from workbench.corpus.corpus import Corpus
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.collocations.panel import CollocationsPanel

LINES = [["king", "wears", "crown"], ["queen", "wears", "dress"], ["dog", "eats", "bone"]] * 30
LINES += [["crown", "of", "gold"], ["gold", "of", "mine"]] * 20


def text() -> Corpus:
    return make_corpus(LINES, "court")


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[CollocationsPanel]:
    new_panel = CollocationsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 560)
    new_panel.show()
    new_panel.activateWindow()
    open_corpus(new_panel.session, text())
    yield new_panel
    new_panel.release()


def ask(panel: CollocationsPanel, word: str, qtbot: QtBot) -> None:
    panel.word.setText(word)
    qtbot.keyClick(panel.word, Qt.Key.Key_Return)
    until(qtbot, lambda: not panel.result.busy)


def test_it_asks_for_a_word(panel: CollocationsPanel) -> None:
    assert panel.notice.title == "Which word?"


def test_its_company_is_that_of_the_text(panel: CollocationsPanel, qtbot: QtBot) -> None:
    ask(panel, "king", qtbot)
    expected = collocation_network(text(), "king", CollocationParams())
    found = panel.found
    assert found is not None
    assert found.first == expected.first
    words = list(panel.table.table.columns[0].values)
    assert words == [edge.other for edge in expected.first]
    assert "30 occurrences" in panel.fact.text()


def test_the_second_order_lies_on_the_outer_circle(panel: CollocationsPanel, qtbot: QtBot) -> None:
    panel.second.setValue(2)
    ask(panel, "king", qtbot)
    found = panel.found
    assert found is not None
    assert found.second
    layout = lay_out(found)
    for word, (x, y) in layout.places.items():
        radius = 0.0 if word == "king" else OUTER if word in layout.outside else INNER
        assert x * x + y * y == pytest.approx(radius**2)
    rows = list(csv.DictReader(io.StringIO(panel.edges_table())))
    assert {row["order"] for row in rows} == {"1", "2"}


def test_a_picked_word_is_selected_and_the_network_stays(
    panel: CollocationsPanel, qtbot: QtBot
) -> None:
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.found is not None)
    panel.network.click(panel.network.place_of("crown"))
    assert panel.session.selection.focus == "crown"
    until(qtbot, lambda: not panel.result.busy)
    assert panel.found is not None
    assert panel.found.word == "king"
    panel.table.opened.emit("crown")
    until(qtbot, lambda: panel.found is not None and panel.found.word == "crown")
    assert panel.word.text() == "crown"


@pytest.mark.parametrize(
    ("word", "least", "said"),
    [("nobody", 5, "“nobody”"), ("king", 900, "“king” has no collocates.")],
)
def test_bad_input_ends_in_a_sentence(
    panel: CollocationsPanel, word: str, least: int, said: str, qtbot: QtBot
) -> None:
    panel.least.setValue(least)
    ask(panel, word, qtbot)
    assert panel.notice.kind == "error"
    assert said in panel.notice.title


def test_its_files_are_written(panel: CollocationsPanel, qtbot: QtBot, tmp_path: Path) -> None:
    ask(panel, "king", qtbot)
    assert panel.network.export is not None
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        panel.network.export.save(tmp_path / f"network{suffix}")
        assert (tmp_path / f"network{suffix}").stat().st_size
