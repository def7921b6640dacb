"""The whole way in a real window, with mouse and keys: from a file to a solved analogy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop import App
from window.people import write_corpus


def test_from_a_file_to_an_analogy_answered(launch: Callable[..., App], tmp_path: Path) -> None:
    corpus, other = tmp_path / "people.txt", tmp_path / "rhyme.txt"
    write_corpus(corpus)
    other.write_text("the mouse ran up the clock\n" * 20)
    with launch(other) as app:
        app.wait_for("window.corpus", lambda widget: "rhyme" in widget.text)

        app.key("ctrl+o")
        app.choose_file(corpus)
        app.wait_for("window.corpus", lambda widget: "people" in widget.text)

        app.click("window.train")
        # the first start compiles kernels, and says so
        app.wait_for("analogy.a")
        for field, word in (("analogy.a", "queen"), ("analogy.b", "woman"), ("analogy.c", "man")):
            app.fill(field, word)
            app.key("Return")
        answers = app.wait_for("analogy.answers", lambda widget: widget.text.startswith("king\t"))
        assert not {"queen", "woman", "man"} & set(answers.text.split("\t"))

        app.wait_for("map.view")
        app.fill("neighbours.word", "king")
        app.key("Return")
        app.wait_for("neighbours.list", lambda widget: "queen" in widget.lines)
        assert app.close_window() == 0
    assert app.log.read_text() == ""
