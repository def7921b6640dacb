"""An analogy decomposed into its parts, and a relation measured, with clicks and keys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QAbstractItemView, QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.analogy.decomposition import decompose_analogy
from workbench.analysis.analogy.in_the_counts import analogy_in_counts, second_best
from workbench.analysis.analogy.offsets import apply_relation, measure_relation
from workbench.analysis.analogy.pairs_away import take_pairs_away
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.core.job_control import JobControl
from workbench.core.paths import settings_folder
from workbench.session.selection.words import AnalogyShown
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import LIGHT
from workbench.ui.panels.relations import decomposition_bars
from workbench.ui.panels.relations.away_page import svd_params
from workbench.ui.panels.relations.baseline_table import verdict
from workbench.ui.panels.relations.counts_page import standing_out
from workbench.ui.panels.relations.decomposition_painting import (
    paint_header,
    paint_legend,
    paint_row,
)
from workbench.ui.panels.relations.panel import RelationsPanel

LEFT = Qt.MouseButton.LeftButton
KING = AnalogyShown("king", "man", "woman", "queen")
QUESTIONS = """: family
man woman king queen
man woman boy girl
king queen prince princess
: mixed
man king apple wool
apple pear nobody somebody
"""
FAMILY = (("man", "woman"), ("king", "queen"), ("boy", "girl"), ("prince", "princess"))


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[RelationsPanel]:
    new_panel = RelationsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(760, 460)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def apart(panel: RelationsPanel, qtbot: QtBot) -> RelationsPanel:
    """The panel with the decomposition of an analogy."""
    look_at(panel.session, toy_model())
    panel.session.selection.show_analogy(KING)
    until(qtbot, lambda: panel.anatomy.anatomy is not None)
    return panel


@pytest.fixture
def relation_panel(panel: RelationsPanel, qtbot: QtBot, tmp_path: Path) -> RelationsPanel:
    """The panel with the relation of a question file."""
    path = tmp_path / "made.txt"
    path.write_text(QUESTIONS)
    look_at(panel.session, toy_model())
    panel.choice.open_file(path)
    until(qtbot, lambda: panel.relation.relation is not None)
    return panel


@pytest.mark.parametrize("height", [260, 460, 900])
def test_the_axis_stands_over_its_bars_when_they_are_first_shown_and_later(
    height: int, context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted_widths: dict[str, float] = {}

    def header(painter: Any, width: float, *rest: Any) -> None:
        painted_widths["axis"] = width
        paint_header(painter, width, *rest)

    def row(painter: Any, area: QRectF, *rest: Any) -> None:
        painted_widths["bars"] = area.width()
        paint_row(painter, area, *rest)

    monkeypatch.setattr(decomposition_bars, "paint_header", header)
    monkeypatch.setattr(decomposition_bars, "paint_row", row)
    panel = RelationsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(760, height)
    panel.show()
    look_at(panel.session, toy_model())
    panel.session.selection.show_analogy(KING)
    bars = panel.anatomy.bars

    def in_line() -> bool:
        # The widths of the last painting; reading them must not cause a new one.
        return painted_widths.get("axis") == painted_widths.get("bars") == bars.viewport().width()

    until(qtbot, lambda: panel.anatomy.anatomy is not None and in_line())
    left = panel.anatomy._header.mapTo(panel, QPoint(0, 0)).x()
    assert left == bars.viewport().mapTo(panel, QPoint(0, 0)).x()
    for wide in (700, 701, 640):
        panel.resize(wide, height)
        until(qtbot, in_line)
    # Only the scroll bar changes, as after the first painting: nothing else repaints the rows
    # above.
    widths = set()
    for policy in (Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff) * 2:
        bars.setVerticalScrollBarPolicy(policy)
        until(qtbot, in_line)
        widths.add(painted_widths["axis"])
    assert len(widths) == 2
    panel.release()


def click(view: QAbstractItemView, row: int, qtbot: QtBot, column: int = 0) -> None:
    place = view.visualRect(view.model().index(row, column)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# -- one analogy


def test_without_a_model_or_an_analogy_it_says_what_to_do(panel: RelationsPanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "body"
    assert panel.anatomy.notice.isVisible()
    assert panel.page_export() is None


def test_the_analogy_of_the_session_is_taken_apart(apart: RelationsPanel) -> None:
    expected = decompose_analogy(toy_model(), "king", "man", "woman", n=10)
    assert apart.anatomy.bars.words == tuple(one.word for one in expected.candidates)
    assert (
        apart.anatomy.verdict.text()
        == "Only a neighbour: “queen” is the nearest word to woman anyway."
    )
    assert apart.anatomy.readout.whole.startswith(
        "score = (cos(x, king) − cos(x, man) + cos(x, woman)) / "
    )
    header = apart.anatomy._header
    assert header.accessibleName() == "Bars: near king, less near man, near woman, score"


def test_method_and_candidates_are_those_of_the_bar(apart: RelationsPanel, qtbot: QtBot) -> None:
    apart.session.selection.show_analogy(
        AnalogyShown("king", "man", "woman", "queen", "3cosmul", False, 6)
    )
    expected = decompose_analogy(toy_model(), "king", "man", "woman", "3cosmul", 10, False, 6)
    assert {one.row for one in expected.candidates} == set(range(6))
    until(qtbot, lambda: apart.anatomy.anatomy == expected)
    assert apart.anatomy.readout.whole.startswith("log score = log s(x, king)")


def test_a_row_clicked_is_selected_and_its_numbers_told(
    apart: RelationsPanel, qtbot: QtBot
) -> None:
    bars = apart.anatomy.bars
    click(bars, 1, qtbot)
    assert apart.session.selection.words == (bars.words[1],)
    one = decompose_analogy(toy_model(), "king", "man", "woman").candidates[1]
    assert apart.anatomy.readout.whole.startswith(f"{one.word}: +{one.parts[0]:.3f} king")
    assert apart.anatomy.readout.whole.endswith(f"{one.total:.3f}")
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    assert apart.session.selection.words == (bars.words[2],)
    words: list[str] = []
    apart.session.requests.analogy_word.connect(words.append)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert words == [bars.words[2]]


def test_the_selection_is_marked(apart: RelationsPanel) -> None:
    apart.session.selection.select(["princess"])
    assert apart.anatomy.bars.currentIndex().data() == "princess"
    apart.session.selection.select(["king"])
    assert not apart.anatomy.bars.currentIndex().isValid()


def test_baselines_stand_beside_and_are_picked(apart: RelationsPanel, qtbot: QtBot) -> None:
    table = apart.anatomy.baselines
    model = table.model()
    across = Qt.Orientation.Horizontal
    assert [model.headerData(column, across) for column in range(3)] == [
        "near woman",
        "near king",
        "king + woman",
    ]
    expected = decompose_analogy(toy_model(), "king", "man", "woman").baselines
    assert [model.index(0, at).data() for at in range(3)] == [
        baseline.answers[0].word for baseline in expected
    ]
    click(table, 1, qtbot, 2)
    assert apart.session.selection.words == (expected[2].answers[1].word,)
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert apart.session.selection.words == (expected[1].answers[1].word,)


@pytest.mark.parametrize(
    ("ranks", "says"),
    [
        ((4, 1, 2), "Only a neighbour: “queen” is the nearest word to king anyway."),
        (
            (12, 3, 1),
            "“queen” is nearest to king + woman even without − man; 3rd nearest to king, 12th to "
            "woman.",
        ),
        (
            (3855, 22, 101),
            "Without − man, “queen” is 101st; 22nd nearest to king, 3,855th to woman.",
        ),
    ],
)
def test_what_the_offset_does_is_said_in_a_sentence(ranks: tuple[int, int, int], says: str) -> None:
    found = decompose_analogy(toy_model(), "king", "man", "woman")
    baselines = tuple(
        replace(baseline, rank=rank) for baseline, rank in zip(found.baselines, ranks, strict=True)
    )
    assert verdict(replace(found, baselines=baselines)) == says
    assert verdict(replace(found, candidates=())) == ""


def test_another_model_is_asked_the_same(apart: RelationsPanel, qtbot: QtBot) -> None:
    before = apart.anatomy.anatomy
    model = toy_model()
    model.vectors[2] *= -1
    look_at(apart.session, model, "turned")
    until(qtbot, lambda: apart.anatomy.anatomy != before)
    apart.session.selection.show_analogy(None)
    assert apart.anatomy.notice.isVisible()


# -- a relation


def test_a_section_is_measured_outliers_first(relation_panel: RelationsPanel) -> None:
    expected = measure_relation(toy_model(), FAMILY)
    assert relation_panel.relation.relation == expected
    choice = relation_panel.choice
    assert [choice.section.itemText(at) for at in range(choice.section.count())] == [
        "family",
        "mixed",
        "Your own pairs",
    ]
    order = sorted(expected.offsets, key=lambda one: one.cosine)
    model = relation_panel.relation.pairs.model()
    texts = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert texts == [f"{one.a} → {one.b}" for one in order]
    assert relation_panel.relation.fact.whole.startswith(
        f"4 pairs · mean cosine {expected.agreement:.2f}"
    )


def test_a_section_is_chosen_by_keys(relation_panel: RelationsPanel, qtbot: QtBot) -> None:
    relation_panel.choice.section.setFocus()
    qtbot.keyClick(relation_panel.choice.section, Qt.Key.Key_Down)
    until(qtbot, lambda: relation_panel.relation.name == "mixed")
    assert relation_panel.relation.fact.whole.startswith("3 pairs (1 left out)")


@pytest.mark.parametrize("how", ["list", "keys", "picture"])
def test_a_pair_is_asked_as_an_analogy_with_the_most_typical_other(
    relation_panel: RelationsPanel, how: str, qtbot: QtBot
) -> None:
    analogies: list[tuple[str, ...]] = []
    relation_panel.session.requests.analogy.connect(lambda *words: analogies.append(words))
    relation = measure_relation(toy_model(), FAMILY)
    order = sorted(range(4), key=lambda at: relation.offsets[at].cosine)
    place = order[1]
    if how == "list":
        click(relation_panel.relation.pairs, 1, qtbot)
    elif how == "keys":
        relation_panel.relation.pairs.setFocus()
        relation_panel.relation.mark(order[0])
        qtbot.keyClick(relation_panel.relation.pairs, Qt.Key.Key_Down)
    else:
        tip = relation_panel.relation.view.tip(place).toPoint()
        port = relation_panel.relation.view.viewport()
        qtbot.mouseMove(port, tip + QPoint(1, 0))
        qtbot.mouseClick(port, LEFT, pos=tip)
        # Offsets of the toy may end at the same point: then any of their pairs may be selected.
        place = relation.pairs.index(relation_panel.session.selection.words)
    pair, typical = relation.offsets[place], relation.offsets[relation.typical(place)]
    assert analogies == [(typical.b, typical.a, pair.a)]
    assert relation_panel.session.selection.words == (pair.a, pair.b)
    assert relation_panel.relation.pairs.currentIndex().data() == f"{pair.a} → {pair.b}"


def type_pairs(panel: RelationsPanel, text: str, qtbot: QtBot) -> None:
    section = panel.choice.section
    section.setFocus()
    qtbot.keyClick(section, Qt.Key.Key_End)
    assert panel.choice.typed.isVisible()
    panel.choice.typed.clear()
    qtbot.keyClicks(panel.choice.typed, text)
    qtbot.keyClick(panel.choice.typed, Qt.Key.Key_Return)


def test_own_pairs_are_typed(relation_panel: RelationsPanel, qtbot: QtBot) -> None:
    type_pairs(relation_panel, "man king, woman queen, boy prince", qtbot)
    pairs = (("man", "king"), ("woman", "queen"), ("boy", "prince"))
    until(qtbot, lambda: relation_panel.relation.relation == measure_relation(toy_model(), pairs))
    assert relation_panel.relation.name == "Your own pairs"


def test_each_letter_of_pairs_is_saved_and_return_asks(
    relation_panel: RelationsPanel, context: PanelContext, qtbot: QtBot
) -> None:
    """A crash loses no letters; half a pair is no mistake."""
    typed = relation_panel.choice.typed
    type_pairs(relation_panel, "man king, woman queen", qtbot)
    until(qtbot, lambda: relation_panel.relation.name == "Your own pairs")
    qtbot.keyClicks(typed, ", bo")
    path = settings_folder() / "settings.json"
    until(qtbot, lambda: path.exists() and '"man king, woman queen, bo"' in path.read_text("utf-8"))
    assert typed.property("invalid") != "true"
    again = RelationsPanel(context)
    qtbot.addWidget(again)
    assert again.choice.typed.text() == typed.text()
    again.release()


def test_what_is_typed_wrongly_is_told_and_marked(
    relation_panel: RelationsPanel, qtbot: QtBot
) -> None:
    type_pairs(relation_panel, "man king, woman", qtbot)
    assert relation_panel.relation.notice.kind == "error"
    assert relation_panel.choice.typed.property("invalid") == "true"
    type_pairs(relation_panel, "man king, zebra yak", qtbot)
    until(qtbot, lambda: "Only one of 2 pairs" in relation_panel.relation.notice._title.text())
    type_pairs(relation_panel, "man king, woman queen", qtbot)
    until(qtbot, lambda: relation_panel.relation.relation is not None)
    assert relation_panel.choice.typed.property("invalid") == ""


def test_the_mean_offset_is_applied_to_a_word(relation_panel: RelationsPanel, qtbot: QtBot) -> None:
    word = relation_panel.relation.word
    word.setFocus()
    qtbot.keyClicks(word, "prince")
    qtbot.keyClick(word, Qt.Key.Key_Return)
    expected = apply_relation(toy_model(), FAMILY, "prince")
    until(qtbot, lambda: relation_panel.relation.applied == expected)
    assert relation_panel.relation.answers.words[0] == "princess"
    click(relation_panel.relation.answers, 0, qtbot)
    assert relation_panel.session.selection.words == ("princess",)
    word.selectAll()
    qtbot.keyClicks(word, "zebra")
    qtbot.keyClick(word, Qt.Key.Key_Return)
    until(qtbot, lambda: "zebra" in relation_panel.relation.problem.text())
    assert word.property("invalid") == "true"
    assert not relation_panel.relation.answers.isVisible()


def test_the_word_is_applied_to_whatever_relation_is_measured_next(
    relation_panel: RelationsPanel, qtbot: QtBot
) -> None:
    """Otherwise, the answer for the previous relation would be beside the name of this one."""
    word = relation_panel.relation.word
    word.setFocus()
    qtbot.keyClicks(word, "prince")
    qtbot.keyClick(word, Qt.Key.Key_Return)
    until(
        qtbot,
        lambda: relation_panel.relation.applied == apply_relation(toy_model(), FAMILY, "prince"),
    )
    relation_panel.choice.section.setFocus()
    qtbot.keyClick(relation_panel.choice.section, Qt.Key.Key_Down)
    until(qtbot, lambda: relation_panel.relation.name == "mixed" and relation_panel.idle)
    pairs = (("man", "king"), ("apple", "wool"), ("apple", "pear"))
    assert (
        relation_panel.relation.applied
        == apply_relation(toy_model(), pairs, "prince")
        != apply_relation(toy_model(), FAMILY, "prince")
    )
    assert relation_panel.relation.answers.words == tuple(
        one.word for one in relation_panel.relation.applied.answers
    )


def test_candidates_are_limited(
    relation_panel: RelationsPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []

    def measure(*arguments: Any, **keywords: Any) -> object:
        limits.append(arguments[2])
        return measure_relation(*arguments, **keywords)

    monkeypatch.setattr("workbench.ui.panels.relations.panel.measure_relation", measure)
    relation_panel.choice.restrict.setFocus()
    qtbot.keyClick(relation_panel.choice.restrict, Qt.Key.Key_Down)
    until(qtbot, lambda: relation_panel.idle and limits == [10_000])


def test_a_long_measurement_is_told_and_cancelled(
    relation_panel: RelationsPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object, run: JobControl) -> object:
        while True:
            run.check()
            run.advance(0.25, "Shuffling the pairs")

    monkeypatch.setattr("workbench.ui.panels.relations.panel.measure_relation", endless)
    qtbot.keyClick(relation_panel.choice.section, Qt.Key.Key_Down)
    until(
        qtbot,
        lambda: (
            relation_panel.relation.notice.isVisible()
            and relation_panel.relation.notice.kind == "busy"
        ),
    )
    button = relation_panel.relation.notice.findChild(
        QPushButton, "relations.relation.notice.action"
    )
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    assert relation_panel.relation.notice.kind == "empty"
    until(qtbot, lambda: relation_panel.idle)


def test_a_file_that_holds_no_questions(
    relation_panel: RelationsPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("one two three\n")
    relation_panel.choice.open_file(path)
    until(qtbot, lambda: relation_panel.relation.notice.kind == "error")
    assert "expected four words" in relation_panel.relation.notice._title.text()


def test_the_button_of_the_bar_comes_to_the_analogy(relation_panel: RelationsPanel) -> None:
    assert relation_panel.many.isChecked()
    relation_panel.context.bridge.wanted.emit("relations")
    assert relation_panel.one.isChecked()
    assert relation_panel.anatomy.isVisible()


def test_nothing_is_computed_while_nobody_looks(panel: RelationsPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    panel.hide()
    panel.session.selection.show_analogy(KING)
    until(qtbot, lambda: not panel.session.jobs.active)
    assert panel.anatomy.anatomy is None
    panel.show()
    until(qtbot, lambda: panel.anatomy.anatomy is not None)


def test_it_has_content_only_with_an_analogy_also_while_it_is_hidden(
    panel: RelationsPanel, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    empty = panel.anatomy.notice.title
    assert empty
    for hidden in (False, True):
        panel.setHidden(hidden)
        assert panel.lack == empty
    panel.session.selection.show_analogy(KING)
    assert panel.lack == ""
    panel.show()
    until(qtbot, lambda: panel.anatomy.anatomy is not None)
    assert panel.lack == ""
    panel.hide()
    panel.session.selection.show_analogy(None)
    assert panel.lack == empty
    panel.show()
    qtbot.mouseClick(panel.many, LEFT)
    panel.choice.typed.setFocus()
    assert panel.relation.lack == panel.lack


def test_a_model_deleted(relation_panel: RelationsPanel) -> None:
    relation_panel.session.runs.delete(relation_panel.session.runs[0])
    assert relation_panel.state == "empty"


# -- export


@pytest.mark.parametrize("page", ["one", "many"])
def test_figures_and_numbers_are_saved(
    relation_panel: RelationsPanel, page: str, qtbot: QtBot, tmp_path: Path
) -> None:
    if page == "one":
        relation_panel.session.selection.show_analogy(KING)
        qtbot.mouseClick(relation_panel.one, LEFT)
        until(qtbot, lambda: relation_panel.anatomy.anatomy is not None)
    export = relation_panel.page_export()
    assert export is not None
    for suffix, begins in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        path = tmp_path / f"figure{suffix}"
        export.save(path)
        assert path.read_bytes().startswith(begins)
    size = (
        relation_panel.anatomy.figure_size()
        if page == "one"
        else relation_panel.relation.view.file_size
    )
    assert QImage(str(tmp_path / "figure.png")).size() == size * 2
    path = tmp_path / "numbers.csv"
    export.save(path)
    table = rows(path.read_text(encoding="utf-8"))
    if page == "one":
        first = decompose_analogy(toy_model(), "king", "man", "woman").candidates[0]
        assert table[0]["word"] == first.word
        assert float(table[0]["part of man"]) == first.parts[1]
        # The answers, then three lists of the same length: all words but the three of the question.
        assert len(table) == 4 * (len(WORDS) - 3)
    else:
        assert [line["first"] for line in table] == [
            one.a
            for one in sorted(
                measure_relation(toy_model(), FAMILY).offsets, key=lambda one: one.cosine
            )
        ]
        assert float(table[0]["cosine with mean"]) == min(
            one.cosine for one in measure_relation(toy_model(), FAMILY).offsets
        )


def test_what_is_chosen_can_be_read_in_a_narrow_panel_and_longest_pairs_beside_their_numbers(
    relation_panel: RelationsPanel, qtbot: QtBot
) -> None:
    relation_panel.resize(560, 460)
    boxes = [
        relation_panel.choice.section,
        relation_panel.choice.file,
        relation_panel.choice.restrict,
    ]
    qtbot.waitUntil(lambda: relation_panel.width() == 560)
    assert all(box.width() >= box.readable_width() for box in boxes)
    right = relation_panel.export.mapTo(relation_panel, QPoint(0, 0)).x()
    right += relation_panel.export.width()
    assert right >= max(box.mapTo(relation_panel, QPoint(0, 0)).x() + box.width() for box in boxes)
    qtbot.mouseClick(relation_panel.one, LEFT)
    assert not any(box.isVisible() for box in boxes)


def test_all_that_is_chosen_of_a_relation_stands_in_one_row_of_a_small_window(
    relation_panel: RelationsPanel, qtbot: QtBot
) -> None:
    long = ": gram6-nationality-adjective\nman woman king queen\n: family\nman woman king queen\n"
    path = relation_panel.choice.file.currentData()
    other = Path(path).with_name("questions about countries.txt")
    other.write_text(long)
    relation_panel.choice.open_file(other)
    qtbot.waitUntil(lambda: relation_panel.choice.section.count() == 3)
    # The width of the panel in a window of 1280 pixels, and some room for fonts of another width.
    relation_panel.resize(680, 460)
    pages = [
        relation_panel.one,
        relation_panel.many,
        relation_panel.apart,
        relation_panel.dots,
        relation_panel.export,
    ]
    row = relation_panel.choice.controls
    qtbot.waitUntil(lambda: relation_panel.width() == 680)
    for choice in ("dark", "light"):
        relation_panel.theme.choose(choice)
        for line in (pages, row):
            assert len({one.geometry().center().y() // 4 for one in line}) == 1
        assert relation_panel.choice.file.toolTip()
    relation_panel.choice.section.setCurrentIndex(0)
    section = relation_panel.choice.section
    qtbot.waitUntil(lambda: section.width() >= section.readable_width())
    assert len({one.geometry().center().y() // 4 for one in row}) == 1


def test_parts_have_signs_where_their_names_have_no_room(apart: RelationsPanel) -> None:
    anatomy = apart.anatomy.anatomy
    assert anatomy is not None

    def ink_end(width: int) -> int:
        """Rightmost pixel that a legend of this width is painted in."""
        image = QImage(width, 22, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        paint_legend(painter, QRectF(0, 0, width, 22), anatomy, LIGHT)
        painter.end()
        white = QColor(Qt.GlobalColor.white).rgb()
        return max(x for x in range(width) for y in range(22) if image.pixel(x, y) != white)

    whole = ink_end(800)
    # Signs with their words are much shorter than the available width, which a shortened name would
    # fill up to its ellipsis.
    assert ink_end(whole - 10) < whole - 40


def test_the_pairs_of_a_relation_are_taken_away(
    relation_panel: RelationsPanel, qtbot: QtBot
) -> None:
    panel = relation_panel
    qtbot.mouseClick(panel.apart, LEFT)
    assert panel.away.notice.title == "No text"
    corpus = toy_corpus()
    open_corpus(panel.session, corpus)
    until(qtbot, lambda: panel.away.found is not None)
    pairs = [(a, b) for a, b in FAMILY if a in corpus.words and b in corpus.words]
    expected = take_pairs_away(corpus, pairs, svd_params(None), [svd_params(None).dim])
    found = panel.away.found
    assert found is not None
    assert found.pairs == expected.pairs
    assert found.deleted == expected.deleted
    assert (found.whole[-1], found.without[-1]) == (expected.whole[-1], expected.without[-1])
    table = list(csv.DictReader(io.StringIO(panel.away.table())))
    assert float(table[-1]["without the pairs"]) == expected.without[-1]
    assert panel.page_export() is panel.away.export
    # The candidates of answers mean nothing here.
    assert panel.choice.section.isVisible()
    assert not panel.choice.restrict.isVisible()
    panel.choice.section.setCurrentIndex(panel.choice.section.count() - 1)
    until(qtbot, lambda: panel.away.notice.title == "Which pairs?")
    assert panel.choice.typed.isVisible()
    assert panel.page_export() is None


def test_an_analogy_is_compared_context_by_context(apart: RelationsPanel, qtbot: QtBot) -> None:
    panel, corpus = apart, toy_corpus()
    qtbot.mouseClick(panel.dots, LEFT)
    assert panel.counts.notice.title == "No text"
    open_corpus(panel.session, corpus)
    until(qtbot, lambda: bool(panel.counts.found))
    answers = [one.counts.answer for one in panel.counts.found]
    model = toy_model()
    assert answers[0] == "queen"
    assert answers[1:] in ([], [second_best(model, "man", "king", "woman", "queen")])
    counted = count_pairs(corpus, PairCountSettings.of({}))
    expected = analogy_in_counts(counted, "man", "king", "woman", "queen", positive=True)
    found = panel.counts.found[0].counts
    assert found.contexts == expected.contexts
    assert found.up == pytest.approx(expected.up)
    table = list(csv.DictReader(io.StringIO(panel.counts.table())))
    assert table[0]["context"] == expected.contexts[0]
    chart = panel.counts.charts[0]
    assert chart.keys[2:] == list(expected.contexts)
    names = standing_out(expected)
    assert set(names) <= set(range(len(expected.contexts)))
    panel.counts.contexts.setCurrentIndex(1)
    until(
        qtbot,
        lambda: (
            not panel.counts.result.busy
            and (panel.counts.lack or not panel.counts.found[0].counts.positive)
        ),
    )
