"""The word walk of the page, whose rules are those of the program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser
from session.handout.handout_run import page_of
from session.handout.test_page import model

from workbench.analysis.walk.word_walk import WalkWords, draw, heat, ranks
from workbench.session.export import ExportSource
from workbench.session.export.handout_page.quantised import quantise
from workbench.vectors.embeddings import Embeddings

Write = Callable[[str], Path]
PHONE = (360, 740)
WORDS = 600


@pytest.fixture(scope="module")
def vectors() -> Embeddings:
    return model(WORDS)


@pytest.fixture(scope="module")
def page_text(vectors: Embeddings) -> str:
    return page_of(ExportSource("m", vectors), None)


def test_puzzles_distances_and_walks_are_those_of_the_program(
    vectors: Embeddings, page_text: str, browser: Browser, shown: Write
) -> None:
    game = WalkWords.of(vectors)
    page = browser.open(shown(page_text))
    page.value(
        "graph = new handout.walk.WalkGraph("
        "handout.section('walk').arrays.near, handout.section('walk').data.words)"
    )
    assert page.value("graph.size") == len(game.words) == WORDS - 1
    for word in (0, 7, WORDS - 2):
        assert page.value(f"graph.offered({word})") == game.graph.near[word].tolist()
    for target in (3, 44, 401):
        mine = page.value(f"[...graph.stepsTo({target})]")
        assert mine == game.graph.steps_to(target).tolist()
        assert page.value(f"graph.shortest(90, {target})") == list(game.graph.shortest(90, target))
    drawn = page.value(
        "[1, 2, 3, 77, 9999].map((n) => [0, 1, 99].map((a) => handout.walk.draw(n, a, 1999)))"
    )
    assert drawn == [[draw(n, a, 1999) for a in (0, 1, 99)] for n in (1, 2, 3, 77, 9999)]
    for number in (1, 2, 3, 4, 50, 9_999):
        puzzle = game.graph.puzzle(number)
        assert puzzle is not None
        assert page.value(f"graph.puzzle({number})") == vars(puzzle)


def test_ranks_and_heat_are_those_of_the_quantised_vectors(
    vectors: Embeddings, page_text: str, browser: Browser, shown: Write
) -> None:
    game = WalkWords.of(vectors)
    page = browser.open(shown(page_text))
    stored = quantise(np.asarray(vectors.unit[game.rows], dtype=np.float32))
    whole, scales = stored.values.astype(np.float64), stored.scales.astype(np.float64)
    size = len(game.words)
    for target in (3, 17, 100):
        # Whole numbers have exact sums, so that the page computes the same numbers to the bit.
        expected = ranks((whole @ whole[target]) * scales * scales[target], target)
        mine = page.value(
            f"[...Array({size}).keys()].map((word) => handout.walk.rank(word, {target}, {size}))"
        )
        assert mine == expected.tolist()
        # The program's own ranks differ only where cosines are closer than the quantisation.
        cosines = game.unit @ game.unit[target]
        own = game.ranks(target)
        for word in np.flatnonzero(own != expected).tolist():
            near = np.abs(np.delete(cosines, target) - cosines[word]) <= 2 * stored.bound
            assert abs(own[word] - expected[word]) < near.sum()
    kinds = page.value("[0, 1, 5, 6, 29, 30, 31, 200].map((rank) => handout.walk.heat(rank, 599))")
    assert kinds == [heat(rank, 599) for rank in (0, 1, 5, 6, 29, 30, 31, 200)]


def test_a_game_by_touch_on_a_small_phone(page_text: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(page_text), PHONE, touch=True)
    page.touch([page.middle("document.getElementById('tab-walk')")])
    page.wait("document.getElementById('view-walk').classList.contains('shown')")
    path = page.value(
        "(() => { const p = handout.walk.game().puzzle; "
        "return handout.walk.game().graph.shortest(p.start, p.target); })()"
    )
    assert len(path) == 4
    for word in path[1:]:
        name = page.value(f"handout.words[{word}]")
        buttons = "[...document.querySelectorAll('.steps button')]"
        page.touch([page.middle(f"{buttons}.find((b) => b.innerText === {json.dumps(name)})")])
        page.wait(f"handout.walk.game().here === {word}")
    assert page.value("document.querySelector('.answer').textContent") == (
        "3 moves: nobody can do better."
    )
    assert page.value("document.querySelector('.heat').textContent") == "You are there!"
    assert page.value("document.querySelectorAll('.steps button').length") == 0
    assert page.value("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_game_by_keys(page_text: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(page_text))
    page.value("handout.open('walk')")
    page.value("document.querySelector('#walk-number').focus()")
    page.value("document.activeElement.select()")
    page.type("2")
    page.key("Enter", 13, "\r")
    assert page.value("handout.walk.game().puzzle.number") == 2
    page.key("Tab", 9)
    first = page.value("document.activeElement.textContent")
    page.key("Enter", 13, "\r")
    game = "handout.walk.game()"
    assert page.value(f"handout.words[{game}.here]") == first
    # The focus stays among the words, so that the next step needs no Tab.
    assert page.value("document.activeElement.closest('.steps') !== null")
    page.key("Enter", 13, "\r")
    assert page.value(f"{game}.moves") == 2
    page.value("[...document.querySelectorAll('#view-walk .quiet')][0].focus()")
    assert page.value("document.activeElement.textContent") == "Go back"
    page.key("Enter", 13, "\r")
    assert page.value(f"[{game}.moves, {game}.path.length]") == [3, 2]
    # The language changes the texts, not the game.
    before: Any = page.value(f"{game}.path")
    page.value("document.querySelector('.language').click()")
    assert page.value(f"{game}.path") == before
    assert page.problems() == []


def test_words_that_are_all_near_have_no_game(browser: Browser, shown: Write) -> None:
    few = Embeddings(
        list("abcdefghi"), np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
    )
    page = browser.open(shown(page_of(ExportSource("m", few), None)))
    assert "walk" not in page.value("handout.views.map((view) => view.key)")
