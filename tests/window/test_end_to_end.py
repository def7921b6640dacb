"""The whole path in a real window, by mouse and keys: from a file to an analogy answered."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from desktop import App

KINDS = {"male": ["he", "his", "him", "sir", "beard"], "female": ["she", "her", "hers", "lady", "gown"]}
ROLES = {
    "royal": ["throne", "crown", "palace", "reign", "sceptre"],
    "common": ["street", "work", "farm", "market", "tool"],
    "young": ["toy", "school", "play", "small", "cradle"],
}
NAMES = {
    ("male", "royal"): "king",
    ("female", "royal"): "queen",
    ("male", "common"): "man",
    ("female", "common"): "woman",
    ("male", "young"): "boy",
    ("female", "young"): "girl",
}


def write_corpus(path: Path) -> None:
    """Every name stands among words of its kind and of its role, and nothing else tells names apart."""
    choose = random.Random(1)
    with path.open("w") as file:
        for _ in range(8000):
            kind, role = choose.choice(list(KINDS)), choose.choice(list(ROLES))
            words = [NAMES[kind, role], *choose.sample(KINDS[kind], 3), *choose.sample(ROLES[role], 3)]
            choose.shuffle(words)
            print(*words, file=file)


def test_from_a_file_to_an_analogy_answered(launch: Callable[..., App], tmp_path: Path) -> None:
    corpus, other = tmp_path / "people.txt", tmp_path / "rhyme.txt"
    write_corpus(corpus)
    other.write_text("the mouse ran up the clock\n" * 20)
    with launch(other) as app:
        app.wait_for("window.corpus", lambda widget: "rhyme" in widget.text)

        app.key("ctrl+o")
        app.choose_file(corpus)
        app.wait_for("window.corpus", lambda widget: "people" in widget.text)

        app.click("train.start")
        # the first start compiles, and says so
        app.wait_for("analogy.a")
        for field, word in (("analogy.a", "queen"), ("analogy.b", "woman"), ("analogy.c", "man")):
            app.fill(field, word)
            app.key("Return")
        answers = app.wait_for("analogy.answers", lambda widget: widget.lines[:1] == ("king",))
        assert not {"queen", "woman", "man"} & set(answers.lines)

        app.wait_for("map.view")
        app.fill("neighbours.word", "king")
        app.key("Return")
        app.wait_for("neighbours.list", lambda widget: "queen" in widget.lines)
        assert app.close_window() == 0
    assert app.log.read_text() == ""
