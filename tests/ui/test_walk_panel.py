"""The word walk, with clicks, against the rules of the analysis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model
from ui.windows import shown_panel

from workbench.analysis.walk.word_walk import WalkWords
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.walk.panel import WalkPanel
from workbench.ui.shell.hidden_controls import controls_of
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


def model(words: int = 400) -> Embeddings:
    table = np.random.default_rng(2).normal(size=(words, 12)).astype(np.float32)
    return Embeddings([f"w{row}&" for row in range(words)], table)


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[WalkPanel]:
    look_at(context.session, model())
    with shown_panel("walk", context, qtbot) as shown:
        assert isinstance(shown, WalkPanel)
        qtbot.waitUntil(lambda: shown.idle and shown.walk is not None, timeout=60_000)
        yield shown


def offered(panel: WalkPanel) -> list[str]:
    return [button.word for button in panel.options]


def go(panel: WalkPanel, qtbot: QtBot, word: str) -> None:
    qtbot.mouseClick(panel.options[offered(panel).index(word)], LEFT)


def test_a_whole_game(panel: WalkPanel, qtbot: QtBot) -> None:
    game = WalkWords.of(model())
    puzzle = game.graph.puzzle(1)
    assert puzzle is not None
    path = game.graph.shortest(puzzle.start, puzzle.target)
    first, last = game.words[puzzle.start], game.words[puzzle.target]
    assert panel.question.text() == f"{first} → {last}"
    assert offered(panel) == [game.words[row] for row in game.graph.near[puzzle.start]]
    assert not panel.back.isEnabled()
    rank = int(game.ranks(puzzle.target)[puzzle.start])
    assert f"number {rank} of 400" in panel.place.text()

    # A detour: two moves more.
    go(panel, qtbot, offered(panel)[-1])
    qtbot.mouseClick(panel.back, LEFT)
    assert "2 moves." in panel.moves.text()
    for row in path[1:]:
        go(panel, qtbot, game.words[row])
        assert panel.session.selection.focus == game.words[row]
    assert panel.heat.text() == "You are there!"
    assert panel.moves.text() == "5 moves. The shortest walk has 3 steps."
    assert panel.path.text() == " → ".join(game.words[row] for row in path)
    assert not any(button.isEnabled() for button in panel.options)
    assert panel.why_not_back()

    qtbot.mouseClick(panel.next, LEFT)
    assert panel.number.value() == 2
    after = game.graph.puzzle(2)
    assert after is not None
    assert panel.question.text() == f"{game.words[after.start]} → {game.words[after.target]}"
    assert "0 moves." in panel.moves.text()
    qtbot.mouseClick(panel.shortest, LEFT)
    way = " → ".join(game.words[row] for row in game.graph.shortest(after.start, after.target))
    assert panel.moves.text().endswith(f"A shortest walk: {way}")


def test_the_shortest_walk_is_praised(panel: WalkPanel, qtbot: QtBot) -> None:
    assert panel.words is not None
    assert panel.walk is not None
    words, puzzle = panel.words, panel.walk.puzzle
    for row in words.graph.shortest(puzzle.start, puzzle.target)[1:]:
        go(panel, qtbot, words.words[row])
    assert panel.moves.text() == "3 moves. Nobody can do better."
    assert panel.thermometer.share == 1.0


def test_heat_is_no_error_and_the_thermometer_is_described(panel: WalkPanel, qtbot: QtBot) -> None:
    assert panel.words is not None
    words = panel.words
    roles: dict[str, str] = {}
    for _ in range(12):
        assert panel.walk is not None
        puzzle = panel.walk.puzzle
        for row in words.graph.shortest(puzzle.start, puzzle.target)[1:]:
            roles[panel.heat.text()] = panel.heat.property("role")
            assert panel.thermometer.accessibleDescription() == panel.place.text() != ""
            go(panel, qtbot, words.words[row])
        assert panel.thermometer.accessibleDescription() == "You are there!"
        panel.next_puzzle()
    assert {"Hot", "Warm", "Cool", "Cold"} == set(roles)
    assert "error" not in roles.values()


def test_words_stay_when_the_panel_is_presented(panel: WalkPanel) -> None:
    hidden = controls_of(panel)
    assert panel.next in hidden
    assert not set(panel.options) & set(hidden)


def test_another_run_begins_again_and_none_says_so(panel: WalkPanel, qtbot: QtBot) -> None:
    session = panel.session
    look_at(session, toy_model(), "few")
    qtbot.waitUntil(lambda: panel.idle)
    if panel.walk is None:
        assert panel.lack == "Too few words for a walk"
        assert panel.why_not_play()
    look_at(session, Embeddings(list("abcde"), np.eye(5, dtype=np.float32)), "five")
    qtbot.waitUntil(lambda: panel.idle and panel.walk is None)
    assert panel.notice.title == "Too few words for a walk"
    look_at(session, model(), "again")
    qtbot.waitUntil(lambda: panel.idle and panel.walk is not None)
    assert panel.walk is not None
    assert panel.walk.moves == 0


def test_without_a_model(context: PanelContext, qtbot: QtBot) -> None:
    with shown_panel("walk", context, qtbot) as shown:
        assert isinstance(shown, WalkPanel)
        assert shown.notice.title == "No model to walk in yet" or shown.lack
        assert shown.why_not_play() == "Train or choose a model first."
