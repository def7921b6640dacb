"""Associations in the window: bundled, typed and wrong sets, several runs, and the figure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.associations.report import evaluate_test
from workbench.analysis.associations.word_sets import typed_test
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.evaluate.association_results import RIPA, contrast_chart
from workbench.ui.panels.evaluate.associations_page import AssociationsPage
from workbench.ui.panels.evaluate.panel import EvaluatePanel

SETS = {"x": "king, prince boy", "y": "queen princess girl", "a": "man", "b": "woman"}


@pytest.fixture
def page(context: PanelContext, qtbot: QtBot) -> Iterator[AssociationsPage]:
    panel = EvaluatePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1100, 560)
    panel.show()
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, toy_model()).corpus_digest = toy_corpus().digest
    panel.show_page("associations")
    until(qtbot, lambda: panel.idle)
    yield panel.associations
    panel.release()


def type_sets(page: AssociationsPage, qtbot: QtBot, **changed: str) -> None:
    page.sets.set.setCurrentIndex(page.sets.set.findData("typed"))
    for key, text in (SETS | changed).items():
        page.sets.fields[key].setText(text)
        qtbot.keyClick(page.sets.fields[key], Qt.Key.Key_Return)
    until(qtbot, lambda: not page.busy)


def test_typed_sets_are_tested_on_all_runs(page: AssociationsPage, qtbot: QtBot) -> None:
    look_at(page.session, toy_model(), "again").corpus_digest = toy_corpus().digest
    type_sets(page, qtbot)
    assert page.state == "body"
    assert [one.record.name for one in page.found] == ["toy", "again"]
    x, y, a, b = (text.replace(",", "").split() for text in SETS.values())
    expected = evaluate_test(toy_model(), typed_test((x, y), (a, b)).tests[0], toy_corpus())
    shown = page.found[0].report
    assert shown.vectors == expected.vectors
    columns = {column.name: column.values for column in page.results.table.columns}
    assert expected.vectors is not None
    assert columns["effect"][0] == pytest.approx(expected.vectors.size)
    assert list(columns["Run"]) == ["toy", "again"]


def test_its_words_are_drawn_against_the_text(page: AssociationsPage, qtbot: QtBot) -> None:
    type_sets(page, qtbot)
    chart = page.chart.chart
    assert chart is not None
    x, y = chart.series[-2:]
    assert (x.name, y.name) == ("X", "Y")
    words = {word.word: word for word in page.found[0].report.words}
    for one in (x, y):
        for key, across, up in zip(one.keys, one.x, one.y, strict=True):
            assert (across, up) == (words[key].counts, words[key].cosine)
    page.chart.picked.emit("king")
    assert page.session.selection.focus == "king"
    qtbot.keyClick(page.view, Qt.Key.Key_Down)
    assert page.chart.chart is not None
    assert "w·c" in page.chart.chart.y_label


def test_ripa_is_drawn_by_pairs(page: AssociationsPage, qtbot: QtBot) -> None:
    type_sets(page, qtbot)
    page.sets.paired.click()
    until(qtbot, lambda: not page.busy)
    report = page.found[0].report
    chart = contrast_chart(report, RIPA)
    vectors, find = toy_model().vectors, toy_model().row
    away = vectors[find("man")] - vectors[find("woman")]
    king = float(vectors[find("king")] @ (away / np.linalg.norm(away)))
    drawn = {
        key: up for one in chart.series for key, up in zip(one.keys, one.y.tolist(), strict=True)
    }
    known = {word.word: word.ripa for word in report.words}
    assert known["king"] == pytest.approx(king, rel=1e-5)
    assert all(known[key] == up for key, up in drawn.items() if key in known)


def test_wrong_sets_end_in_a_sentence(page: AssociationsPage, qtbot: QtBot, tmp_path: Path) -> None:
    type_sets(page, qtbot, y="king queen")
    assert page.notice.kind == "error"
    assert "are in both" in page.notice.title
    type_sets(page, qtbot, y="")
    assert page.notice.title == "Which words?"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("not toml", "utf-8")
    page.sets.open_file(wrong)
    until(qtbot, lambda: not page.busy)
    assert "isn’t valid TOML" in page.notice.title
    type_sets(page, qtbot)
    assert page.state == "body"


def test_a_bundled_test_can_be_edited(page: AssociationsPage, qtbot: QtBot) -> None:
    until(qtbot, lambda: not page.busy)
    test = page.found[0].report.test
    qtbot.mouseClick(page.sets.edit, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: not page.busy)
    assert page.sets.is_typed
    assert page.sets.fields["x"].text().split() == list(test.x.words)


def test_its_files_are_written(page: AssociationsPage, qtbot: QtBot, tmp_path: Path) -> None:
    type_sets(page, qtbot)
    for export in page.exporters():
        for suffix in (".csv", ".svg"):
            if suffix == ".csv" or export.offers("figure"):
                export.save(tmp_path / f"one{suffix}")  # type: ignore[attr-defined]
                assert (tmp_path / f"one{suffix}").stat().st_size


def test_the_lines_behind_an_effect_are_asked_for(page: AssociationsPage, qtbot: QtBot) -> None:
    asked: list[tuple[str, ...]] = []
    page.session.requests.influence.connect(lambda words: asked.append(tuple(words)))
    panel = page.panel
    assert isinstance(panel, EvaluatePanel)
    look_at(page.session, toy_model(), "again").corpus_digest = toy_corpus().digest
    type_sets(page, qtbot, x="king, prince boy unheard")
    page.results.pick(0)
    page.influence.click()
    # The word without a vector is left out, and the run of the row is shown.
    assert asked == [("king, prince, boy", "queen, princess, girl", "man", "woman")]
    assert page.session.active.run is page.found[0].record
    assert page.found[0].record.name == "toy"
    assert not panel.why_not_influence()
    panel.ask_influence()
    assert asked[1:] == asked[:1]
    panel.show_page("odd")
    assert panel.why_not_influence().startswith("Choose a pair")
