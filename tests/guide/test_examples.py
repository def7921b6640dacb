"""The examples of the page on extending: each passes what its kind promises."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract import test_formats as formats
from contract import test_models as models
from guide.pages import GUIDE, examples, installed

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.analogy.solver import evaluate
from workbench.core.job_control import JobControl
from workbench.core.registry import Registry
from workbench.corpus.samples import SAMPLES, open_sample
from workbench.models.base import Model, preset_params
from workbench.session.lessons.parser import read_lesson
from workbench.session.lessons.runner import Bench
from workbench.vectors.formats import FORMATS, Format

MODEL = "workbench/models/count/random_indexing.py"
FORMAT = "workbench/vectors/formats/json_rows.py"
LESSON = "resources/lessons/rare-words.md"


def checks(module: Any, *known: str) -> list[Any]:
    """The tests of a contract that need nothing but the kind itself and ``known``, parametrised by
    nothing else.
    """
    every = [test for name, test in vars(module).items() if name.startswith("test_")]
    return [
        test
        for test in every
        if "kind" in (names := inspect.signature(test).parameters) and set(names) <= {*known}
    ]


def iterative(check: Any) -> bool:
    """Whether a test of the contract is one of algorithms with iterations."""
    return any(
        mark.args[1] is models.ITERATIVE for mark in check.pytestmark if mark.name == "parametrize"
    )


OF_MODELS = [check for check in checks(models, "kind", "tiny_corpus") if not iterative(check)]
OF_FORMATS = checks(formats, "kind", "tmp_path")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[type[Model]]:
    with installed(tmp_path_factory.mktemp("model"), MODEL):
        # A registry that looks anew, as the next start of the program does.
        yield Registry[Model]("workbench.models", Model, "algorithm")["random-indexing"]


@pytest.fixture
def format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Format]]:
    with installed(tmp_path / "of the page", FORMAT):
        found = Registry[Format]("workbench.vectors.formats", Format, "format")["json-rows"]
        monkeypatch.setitem(FORMATS._classes, found.key, found)
        yield found


@pytest.mark.parametrize("check", OF_MODELS, ids=lambda check: check.__name__)
def test_the_algorithm_promises_what_all_do(
    check: Any, model: type[Model], request: pytest.FixtureRequest
) -> None:
    names = [name for name in inspect.signature(check).parameters if name != "kind"]
    check(model, **{name: request.getfixturevalue(name) for name in names})


def test_the_algorithm_answers_analogies(model: type[Model]) -> None:
    questions = SAMPLES["small-world"].questions
    assert questions is not None
    vectors = model(preset_params(model, "classroom")).fit(open_sample("small-world"), JobControl())
    assert evaluate(vectors, load_questions(questions), restrict=0).all > 0.5


@pytest.mark.parametrize("check", OF_FORMATS, ids=lambda check: check.__name__)
def test_the_format_promises_what_all_do(check: Any, format: type[Format], tmp_path: Path) -> None:
    place = tmp_path / "files"
    place.mkdir()
    check(format, tmp_path=place)


def test_the_format_gives_everything_back(format: type[Format], tmp_path: Path) -> None:
    place = tmp_path / "files"
    place.mkdir()
    formats.test_what_is_written_is_read_back_exactly(format, format.suffixes[0], place)


@pytest.mark.parametrize(
    "word", ["", " a", "a b", "a\nb", "\0", "\ufeff", "\ud800", "1 2 3", '“quoted"']
)
def test_the_format_takes_strange_words_or_refuses_them(
    format: type[Format], word: str, tmp_path: Path
) -> None:
    place = tmp_path / "files"
    place.mkdir()
    formats.test_a_strange_word_comes_back_or_is_refused(format, word, 0, place)


def test_the_python_of_the_command_line_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (GUIDE / "command-line.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for text in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        # A class waits for ten epochs, a test does not.
        exec(text.replace("epochs=10", "epochs=1, threads=1").replace("passes=5", "passes=1"), {})
    assert "Neighbour(" in capsys.readouterr().out
    assert (tmp_path / "longer.npz").exists()


def test_the_lesson_is_true(tmp_path: Path) -> None:
    file = tmp_path / Path(LESSON).name
    file.write_text(examples()[LESSON], "utf-8")
    bench = Bench()
    try:
        outcomes = list(bench.play(read_lesson(file)))
    finally:
        bench.close()
    assert outcomes
    assert [
        one.claim.text for outcome in outcomes for one in outcome.measured if one.true is False
    ] == []
