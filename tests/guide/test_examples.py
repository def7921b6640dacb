"""The examples on the page on extending pass the contract tests of their kind."""

from __future__ import annotations

import inspect
import re
from collections import ChainMap
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from contract import test_formats as formats
from contract import test_models as models
from guide.pages import GUIDE, examples, install_examples

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


def marks_of(check: Any) -> list[Any]:
    """The parametrisations of a contract test."""
    return [mark for mark in getattr(check, "pytestmark", ()) if mark.name == "parametrize"]


def names_of(mark: Any) -> tuple[str, ...]:
    """Names of the arguments that a parametrisation sets."""
    names = mark.args[0]
    return tuple(re.split(r"\s*,\s*", names)) if isinstance(names, str) else tuple(names)


def rows_of(mark: Any) -> list[dict[str, Any]]:
    """Sets of values of a parametrisation, each by argument."""
    names = names_of(mark)
    rows = mark.args[1]
    if len(names) == 1:
        rows = [(value,) for value in rows]
    return [dict(zip(names, row, strict=True)) for row in rows]


def checks(module: Any, **own: Any) -> list[Any]:
    """Every contract test of a kind, with every combination of its other parameters.

    own : this kind’s value for a parameter that the contract takes from the registered kinds
    """
    cases = []
    for name, check in vars(module).items():
        if not name.startswith("test_") or "kind" not in inspect.signature(check).parameters:
            continue
        about_kind = [mark for mark in marks_of(check) if "kind" in names_of(mark)]
        others = [mark for mark in marks_of(check) if mark not in about_kind]
        constants = {key: own[key] for mark in about_kind for key in names_of(mark) if key in own}
        for rows in product(*map(rows_of, others)):
            row_values = dict(ChainMap(*rows))
            tag = "-".join([name, *map(repr, row_values.values())])
            cases.append(pytest.param(check, constants | row_values, id=tag))
    return cases


def run_check(
    check: Any, kind: Any, arguments: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    """Run one case of a contract; all other arguments are fixtures."""
    rest = [
        name
        for name in inspect.signature(check).parameters
        if name != "kind" and name not in arguments
    ]
    check(kind, **arguments, **{name: request.getfixturevalue(name) for name in rest})


def iterative(check: Any) -> bool:
    """Whether a contract test applies only to algorithms with iterations, or with windows."""
    lists = (models.ITERATIVE, models.SCANNING)
    return any(mark.args[1] is rows for mark in marks_of(check) for rows in lists)


OF_MODELS = [case for case in checks(models) if not iterative(case.values[0])]
OF_FORMATS = checks(formats, suffix=".vjson")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[type[Model]]:
    with install_examples(tmp_path_factory.mktemp("model"), MODEL):
        # A new registry, which searches again like the next start of the program.
        yield Registry[Model]("workbench.models", Model, "algorithm")["random-indexing"]


@pytest.fixture
def format(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[Format]]:
    with install_examples(tmp_path_factory.mktemp("format"), FORMAT):
        found = Registry[Format]("workbench.vectors.formats", Format, "format")["json-rows"]
        monkeypatch.setitem(FORMATS._classes, found.key, found)
        yield found


@pytest.mark.parametrize(("check", "arguments"), OF_MODELS)
def test_the_algorithm_passes_the_tests_of_every_algorithm(
    check: Any, arguments: dict[str, Any], model: type[Model], request: pytest.FixtureRequest
) -> None:
    run_check(check, model, arguments, request)


def test_the_algorithm_answers_analogies(model: type[Model]) -> None:
    questions = SAMPLES["small-world"].questions
    assert questions is not None
    vectors = model(preset_params(model, "classroom")).fit(open_sample("small-world"), JobControl())
    assert evaluate(vectors, load_questions(questions), restrict=0).all > 0.5


@pytest.mark.parametrize(("check", "arguments"), OF_FORMATS)
def test_the_format_passes_the_tests_of_every_format(
    check: Any, arguments: dict[str, Any], format: type[Format], request: pytest.FixtureRequest
) -> None:
    run_check(check, format, arguments, request)


def test_the_python_of_its_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (GUIDE / "python.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for text in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        # Students can wait for ten epochs, but a test can’t.
        exec(text.replace("epochs=10", "epochs=1, threads=1").replace("passes=5", "passes=1"), {})
    assert "Neighbour(" in capsys.readouterr().out
    assert (tmp_path / "longer.npz").exists()


def test_the_lesson_is_true(tmp_path: Path) -> None:
    file = tmp_path / Path(LESSON).name
    file.write_text(examples()[LESSON], "utf-8")
    bench = Bench()
    outcomes = list(bench.play(read_lesson(file)))
    assert outcomes
    assert [
        one.claim.text for outcome in outcomes for one in outcome.measured if one.true is False
    ] == []
