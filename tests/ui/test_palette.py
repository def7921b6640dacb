"""The palette with keys alone: entries are found by letters, run with Return, or explained."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.commands.palette_entries import Offer, match, rank_offers, window_offers
from workbench.ui.shell.window import Window

CTRL = Qt.KeyboardModifier.ControlModifier


def open_palette(window: Window, qtbot: QtBot, text: str) -> None:
    widget = QApplication.focusWidget() or window
    qtbot.keyClick(widget, Qt.Key.Key_K, CTRL)
    qtbot.waitUntil(window.palette_box.field.hasFocus)
    qtbot.keyClicks(window.palette_box.field, text)


def press(window: Window, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(window.palette_box.field, key)


def test_a_panel_is_gone_to_by_some_letters(window: Window, qtbot: QtBot) -> None:
    _ = window.panels
    open_palette(window, qtbot, "go corp")
    current = window.palette_box.current
    assert current is not None
    assert current.text == "Go to Corpus"
    press(window, qtbot, Qt.Key.Key_Return)
    assert not window.palette_box.isVisible()
    qtbot.waitUntil(lambda: not window.docks["corpus"].visibleRegion().isEmpty())


def test_pages_of_panels_that_nobody_has_seen_are_found(window: Window, qtbot: QtBot) -> None:
    assert not window.docks["evaluate"].is_made
    open_palette(window, qtbot, "leaderboard")
    current = window.palette_box.current
    assert current is not None
    assert current.key == "view.page:evaluate.leaderboard"


def test_an_algorithm_is_trained(window: Window, qtbot: QtBot) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    open_palette(window, qtbot, "train with tab")
    press(window, qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(run.algorithm == "table" for run in window.session.runs))
    qtbot.waitUntil(lambda: all(run.state.over for run in window.session.runs))


def test_what_cannot_be_done_says_why_and_stays(window: Window, qtbot: QtBot) -> None:
    open_palette(window, qtbot, "stop and keep")
    current = window.palette_box.current
    assert current is not None
    assert current.why_not == "Nothing is being trained."
    press(window, qtbot, Qt.Key.Key_Return)
    assert window.palette_box.isVisible()
    press(window, qtbot, Qt.Key.Key_Escape)
    assert not window.palette_box.isVisible()


def test_a_defect_of_one_action_leaves_the_others(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    why_not, reported = window.commands.why_not, list[type[BaseException]]()

    def fail_once(key: str) -> str:
        if key == "file.open":
            raise KeyError(key)
        return why_not(key)

    monkeypatch.setattr(window.commands, "why_not", fail_once)
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: reported.append(kind))
    keys = [offer.key for offer in window_offers(window.commands)]
    assert "file.open" not in keys
    assert "view.panel:corpus" in keys
    assert reported == [KeyError]


def test_words_are_selected(window: Window, qtbot: QtBot) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    window.top.make_index()
    qtbot.waitUntil(lambda: window.top.search.index is not None)
    open_palette(window, qtbot, "dog")
    current = window.palette_box.current
    assert current is not None
    assert current.key == "word:dog"
    press(window, qtbot, Qt.Key.Key_Return)
    assert window.session.selection.words == ("dog",)


def test_actions_that_begin_with_a_word_come_before_it() -> None:
    every, words = (
        [offer("Fit the map"), offer("About the window")],
        [offer("about"), offer("aboutface")],
    )
    assert [one.text for one in rank_offers("about", every, {}, words)] == [
        "About the window",
        "about",
        "aboutface",
    ]


def test_arrows_walk_and_the_focus_comes_back(window: Window, qtbot: QtBot) -> None:
    window.top.search.setFocus()
    open_palette(window, qtbot, "tab")
    box = window.palette_box
    first = box.current
    press(window, qtbot, Qt.Key.Key_Down)
    assert box.current is not first
    press(window, qtbot, Qt.Key.Key_Up)
    assert box.current is first
    press(window, qtbot, Qt.Key.Key_Up)
    assert box.list.currentIndex().row() == box.list.table.rowCount() - 1
    press(window, qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.top.search.hasFocus)


def test_nothing_found_is_told_in_a_sentence(window: Window, qtbot: QtBot) -> None:
    open_palette(window, qtbot, "xyzzyq")
    assert window.palette_box.list.table.rowCount() == 0
    assert window.palette_box._none.isVisible()
    press(window, qtbot, Qt.Key.Key_Escape)


def test_a_sign_in_the_search_for_words_leads_to_actions(window: Window, qtbot: QtBot) -> None:
    window.top.search.setFocus()
    qtbot.keyClicks(window.top.search, ">")
    qtbot.waitUntil(window.palette_box.field.hasFocus)
    assert window.top.search.text() == ""


def test_a_pasted_text_is_cut_to_what_an_action_can_be_called(window: Window, qtbot: QtBot) -> None:
    open_palette(window, qtbot, "")
    palette = window.palette_box
    QApplication.clipboard().setText("a long text about many things " * 500)
    qtbot.keyClick(palette.field, Qt.Key.Key_V, CTRL)
    assert len(palette.field.text()) == 100
    assert not palette.list.offers


def test_what_is_used_often_comes_first(window: Window, qtbot: QtBot) -> None:
    for _ in range(3):
        window.commands.run("window.reset_layout")
    open_palette(window, qtbot, "")
    current = window.palette_box.current
    assert current is not None
    assert current.key == "window.reset_layout"


def offer(text: str, key: str = "", description: str = "", why_not: str = "") -> Offer:
    return Offer(key or text, text, "", description, lambda: None, "", why_not)


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("sav", "Save session", "Autosave"),
        ("rl", "Reset layout", "Curl"),
        ("open", "Open files", "Reopen"),
        ("laysave", None, "Save layout"),
    ],
)
def test_beginnings_of_words_fit_best(query: str, better: str | None, worse: str) -> None:
    found = match(query, worse)
    if better is None:
        assert found is None
        return
    good = match(query, better)
    assert good is not None
    assert found is None or good.score > found.score


def test_places_are_those_of_the_letters() -> None:
    found = match("lay sa", "Save layout as…")
    assert found is not None
    assert "".join("Save layout as…"[place] for place in found.places) == "Salay"


def test_descriptions_are_searched_after_names() -> None:
    every = [offer("Fit", description="Show every word."), offer("Word list")]
    assert [one.text for one in rank_offers("word", every, {})] == ["Word list", "Fit"]


@pytest.mark.parametrize("query", ["sesion", "sessoin", "seesion", "sssion", "sessn"])
def test_a_mistyped_word_is_found_after_all_others(query: str) -> None:
    every = [
        offer("Save session"),
        offer("Fit", description=f"About {query}."),
        offer("Reset layout"),
    ]
    assert [one.text for one in rank_offers(query, every, {})] == ["Fit", "Save session"]
    assert [one.text for one in rank_offers(f"{query} save", every, {})] == ["Save session"]
    found = match(query, "Save session", mistyped=True)
    assert found is not None
    assert "".join("Save session"[place] for place in found.places).startswith("s")
    assert min(found.places) == len("Save ")


def test_uses_and_reasons_weigh() -> None:
    every = [offer("Save a"), offer("Save b"), offer("Save c", why_not="No.")]
    assert [one.text for one in rank_offers("save", every, {"Save b": 5.0})] == [
        "Save b",
        "Save a",
        "Save c",
    ]


def _named_synonyms(window: Window) -> list[tuple[str, str]]:
    """Each declared synonym, with the key of its entry."""
    offers = window_offers(window.commands)
    return [
        (synonym.strip(), one.key)
        for one in offers
        for synonym in one.synonyms.split(",")
        if synonym.strip()
    ]


def _first_hit(window: Window, query: str) -> str:
    return rank_offers(query, window_offers(window.commands), {})[0].key


def test_each_synonym_finds_what_it_stands_for_first(window: Window, qtbot: QtBot) -> None:
    _ = window.panels
    every = window_offers(window.commands)
    synonyms = _named_synonyms(window)
    assert len(synonyms) > 70
    with_synonyms = {key for _, key in synonyms}
    assert {f"view.panel:{key}" for key in window.docks} <= with_synonyms
    wrong = [
        (synonym, key, found)
        for synonym, key in synonyms
        # Several entries may share a synonym.
        if (synonym, found := rank_offers(synonym, every, {})[0].key) not in synonyms
    ]
    assert wrong == []


def test_pages_come_before_their_exports(window: Window) -> None:
    _ = window.panels
    first = {
        "heatmap": "view.panel:matrix",
        "ppmi": "view.panel:matrix",
        "embedding projector": "view.panel:map",
        "similar words": "view.panel:neighbours",
        "vocabulary": "view.panel:corpus",
        "leaderboard": "view.page:evaluate.leaderboard",
        "runs": "view.panel:runs",
        "analogies": "view.page:evaluate.analogies",
        "guide": "help.guide",
        "help": "help.guide",
    }
    assert {query: _first_hit(window, query) for query in first} == first


# What people type, and the entry that they mean.
SEARCHES = [
    ("stop words", "corpus.option:stop_words"),
    ("leave out", "corpus.option:stop_words"),
    ("neighbours csv", "neighbours.save_data"),
    ("vocabulary csv", "corpus.save_data"),
    ("map png", "map.save_png"),
    ("dark", "view.theme:dark"),
    ("t-sne", "view.panel:map"),
    ("language", "edit.preferences"),
    ("undo", "edit.undo"),
    ("picture", "file.picture"),
    ("grid results", "view.page:runs.results"),
    ("open folder", "file.folder"),
]


def test_what_is_typed_finds_what_is_meant(window: Window) -> None:
    _ = window.panels
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    found = {query: _first_hit(window, query) for query, _ in SEARCHES}
    assert found == dict(SEARCHES)


def test_a_reading_option_is_gone_to(window: Window, qtbot: QtBot) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    _ = window.panels
    open_palette(window, qtbot, "stop words")
    press(window, qtbot, Qt.Key.Key_Return)
    editor = window.docks["corpus"].panel.reading.options.fields["stop_words"].editor
    qtbot.waitUntil(editor.hasFocus)
    assert editor.isVisible()


def test_headings_of_menus_are_no_entries(window: Window) -> None:
    session = window.session
    session.corpora.current = small_corpus()
    for number, corpus in enumerate(("one text", "another text")):
        session.runs.append(
            RunRecord(
                str(number),
                f"run {number}",
                "",
                {},
                corpus,
                corpus,
                "",
                state=State.DONE,
                stored=True,
            )
        )
    session.runs.changed.emit()
    texts = [one.text for one in window_offers(window.commands) if one.key.startswith("view.run:")]
    assert sorted(texts) == ["Show run run 0", "Show run run 1"]


def test_an_action_named_by_the_word_comes_before_the_word() -> None:
    every = [offer("Corpus from a picture…"), offer("Picturesque"), offer("Unpictured")]
    words = [offer("picture"), offer("pictured")]
    assert [one.text for one in rank_offers("picture", every, {}, words)] == [
        "Corpus from a picture…",
        "picture",
        "Picturesque",
        "Unpictured",
        "pictured",
    ]
    assert [one.text for one in rank_offers("pict", every, {}, words)][:2] == [
        "Picturesque",
        "Corpus from a picture…",
    ]


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("stop training", ["train.stop", "run.cancel"]),
        ("cancel training", ["run.cancel"]),
    ],
)
def test_ways_to_end_a_training_come_first(window: Window, query: str, keys: list[str]) -> None:
    _ = window.panels
    found = [one.key for one in rank_offers(query, window_offers(window.commands), {})]
    assert found[: len(keys)] == keys


def test_a_synonym_and_return_open_the_panel(window: Window, qtbot: QtBot) -> None:
    open_palette(window, qtbot, "heatmap")
    press(window, qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.docks["matrix"].visibleRegion().isEmpty())


def test_german_synonyms_find_the_same(home: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("synonyms_aloud.py"))],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
        env={**os.environ, "WORKBENCH_LANGUAGE": "de"},
    )
    found = json.loads(process.stdout.splitlines()[-1])
    assert ["Wärmebild", "view.panel:matrix", "view.panel:matrix"] in found
    # Several entries may share a synonym.
    shared = {(synonym.casefold(), key) for synonym, key, _ in found}
    assert [each for each in found if (each[0].casefold(), each[2]) not in shared] == []
    # English names are known from papers and from other windows.
    assert ["theme dark", "view.theme:dark", "view.theme:dark"] in found
