"""An installed package adds an algorithm, a format, a reader and a panel. A broken one is left out,
with a sentence that says why.
"""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from guide.pages import GUIDE, examples
from plug_in_package import Environment, build_wheel

from workbench.core import plug_ins
from workbench.core.registry import Registry

READER = '''"""Lines after an exclamation mark."""

from collections.abc import Iterator

from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import blocks, lines


class Shouting(Reader):
    key = "shouting"
    title = "Shouted lines"
    suffixes = (".shout",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.head.startswith(b"!!!")

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        yield from blocks(line.strip("!") for _, line in lines(document))
'''
MEASURE = '''"""Lengths of words."""

from workbench.session.lessons.measure_registry import MeasureScene, Word, measure


@measure("the number of letters of *{word}*", digits=0)
def letters(scene: MeasureScene, word: Word) -> float:
    return len(word)
'''
ENTRIES = """[workbench.models]
random-indexing = indexing.model:RandomIndexing

[workbench.formats]
json-rows = indexing.json_rows:JSONRows

[workbench.readers]
shouting = indexing.shouting:Shouting

[workbench.measures]
lengths = indexing.lengths

[workbench.panels]
endings = indexing.endings:EndingsKind
"""
BROKEN = """[workbench.models]
absent = broken.nothing_here:Model
crashes = broken.crashes:Model
no-model = broken.models:Plain
taken = broken.models:Taken
unfinished = broken.models:Unfinished

[workbench.measures]
twice = broken.measures

[workbench.modells]
typo = broken.models:Taken

[workbench.panels]
fails = broken.fails:FailsKind
nowhere = broken.nowhere:NowhereKind
"""
BROKEN_FILES = {
    "broken/__init__.py": "",
    "broken/crashes.py": "raise SystemExit('no licence')\n",
    "broken/models.py": """from workbench.models.base import Model
from workbench.models.predict.sgns import SGNS


class Plain:
    key = "plain"


class Taken(SGNS):
    key = "glove"


class Unfinished(Model):
    key = "unfinished"
""",
    "broken/measures.py": """from workbench.session.lessons.measure_registry import measure


@measure("half")
def halves(scene) -> float:
    return 0.5


@measure("a cosine")
def cosine(scene) -> float:
    return 1.0
""",
    "broken/nowhere.py": """from workbench.ui.base.panel_kind import PanelKind


class NowhereKind(PanelKind):
    key = "nowhere"
    area = "ceiling"
""",
    "broken/fails/__init__.py": """from workbench.ui.base.panel_kind import PanelKind


class FailsKind(PanelKind):
    key = "fails"
    title = "Fails"
    area = "right"
""",
    "broken/fails/panel.py": "1 / 0\n",
}


def package_files() -> dict[str, str]:
    """The examples of the guide's page as the modules of one package, and a reader."""
    names = {
        "workbench/models/count/random_indexing.py": "indexing/model.py",
        "workbench/vectors/formats/json_rows.py": "indexing/json_rows.py",
        "workbench/analysis/endings.py": "indexing/analysis.py",
        "workbench/ui/panels/endings/__init__.py": "indexing/endings/__init__.py",
        "workbench/ui/panels/endings/panel.py": "indexing/endings/panel.py",
    }
    files = {
        "indexing/__init__.py": "",
        "indexing/lengths.py": MEASURE,
        "indexing/shouting.py": READER,
    }
    for source, place in names.items():
        text = examples()[source]
        text = text.replace("workbench.analysis.endings", "indexing.analysis")
        files[place] = text.replace("workbench.ui.panels.endings", "indexing.endings")
    return files


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("plug-ins")
    created = Environment.create(folder / "environment", folder / "home")
    created.install(build_wheel(folder / "wheels", "indexing", package_files(), ENTRIES))
    return created


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("broken")
    created = Environment.create(folder / "environment", folder / "home")
    created.install(build_wheel(folder / "wheels", "broken", BROKEN_FILES, BROKEN))
    return created


def test_an_installed_package_adds_an_algorithm_a_format_and_a_reader(
    environment: Environment, tmp_path: Path
) -> None:
    listed = json.loads(environment.workbench("list", "--json").stdout)
    algorithms = {kind["key"]: kind["title"] for kind in listed["algorithms"]}
    assert algorithms["random-indexing"] == "Random indexing of PPMI"
    assert len(algorithms) > 10
    assert "json-rows" in {kind["key"] for kind in listed["formats"]}
    text, vectors = tmp_path / "words.shout", tmp_path / "words.vjson"
    text.write_text("!!!\n" + "!the king and the queen!\n" * 50, "utf-8")
    words = ("--algorithm", "random-indexing", "--min-count", "1", "--dim", "8")
    environment.workbench("train", str(text), *words, "--output", str(vectors))
    lines = [json.loads(line) for line in vectors.read_text("utf-8").splitlines()]
    assert lines[0] == {"words": 4, "dim": 8}
    assert {line["word"] for line in lines[1:]} == {"the", "king", "and", "queen"}
    near = environment.workbench("neighbours", str(vectors), "king").stdout
    assert "queen" in near


@pytest.mark.gui
def test_the_guide_names_every_group() -> None:
    import_module("workbench.analysis.projection.methods")
    import_module("workbench.counts.formats")
    import_module("workbench.session.export")
    import_module("workbench.ui.shell.window")
    import_module("workbench.vectors.formats.read_only")
    page = (GUIDE / "extend.md").read_text("utf-8").partition("## Publish it")[2]
    named = set(re.findall(r"\bworkbench\.([a-z-]+)", page))
    assert named == set(plug_ins.KINDS)
    declared = {group.removeprefix(plug_ins.PREFIX) for group in Registry.by_group}
    assert declared | {"measures"} == set(plug_ins.KINDS)


def test_self_check_names_the_packages_and_what_is_left_out(
    environment: Environment, broken: Environment
) -> None:
    check = "from workbench.cli import self_check; self_check._run_check('plug-ins', {})"
    line = environment.run("-c", check.format("self_check._plug_ins")).stdout
    assert line.startswith("ok       plug-ins: indexing 1.0 (")
    line = broken.run("-c", check.format("self_check._plug_ins")).stdout
    assert line.startswith("FAILED   plug-ins: Left out “typo” of the package broken 1.0: ")


def test_lessons_use_its_measure_and_keep_their_own(
    environment: Environment, broken: Environment
) -> None:
    listed = environment.workbench("lesson", "--measures").stdout
    assert "letters" in listed
    ended = broken.workbench("lesson", "--measures")
    assert "halves" not in ended.stdout
    assert "already has the measure “cosine”." in ended.stderr


@pytest.mark.gui
def test_the_window_shows_the_panel_and_trains_the_algorithm(
    environment: Environment, tmp_path: Path
) -> None:
    widgets = tmp_path / "widgets.json"
    picture = ("--screenshot", str(tmp_path / "window.png"), "--widgets", str(widgets))
    environment.workbench(
        *picture,
        *("--train", "random-indexing", "--panel", "endings"),
        QT_QPA_PLATFORM="offscreen",
    )
    shown = json.loads(widgets.read_text("utf-8"))
    assert "panel.endings" in json.dumps(shown)


def test_a_broken_package_is_left_out_with_a_sentence_each(broken: Environment) -> None:
    ended = broken.workbench("list", "--json")
    keys = {kind["key"] for kind in json.loads(ended.stdout)["algorithms"]}
    assert {"sgns", "glove"} <= keys
    assert keys & {"absent", "plain", "unfinished"} == set()
    left_out = "plug-in: Left out “{}” of the package broken 1.0: {}"
    expected = [
        left_out.format("typo", "workbench.modells isn’t one of workbench.actions, "),
        left_out.format("absent", "ModuleNotFoundError: No module named 'broken.nothing_here'."),
        left_out.format("crashes", "SystemExit: no licence."),
        left_out.format("no-model", "it isn’t a subclass of Model."),
        left_out.format("taken", "workbench.models.count.glove already has the algorithm “glove”."),
        left_out.format("unfinished", "Unfinished doesn’t define estimate, fit, warm."),
    ]
    lines = ended.stderr.splitlines()
    assert len(lines) == len(expected), ended.stderr
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(start)


@pytest.mark.gui
def test_a_broken_package_leaves_the_window_alone(broken: Environment, tmp_path: Path) -> None:
    widgets = tmp_path / "widgets.json"
    picture = ("--screenshot", str(tmp_path / "window.png"), "--widgets", str(widgets))
    ended = broken.workbench(*picture, "--panel", "fails", QT_QPA_PLATFORM="offscreen")
    assert "“nowhere” of the package broken 1.0: its area must be one of left" in ended.stderr
    shown = widgets.read_text("utf-8")
    assert "panel.fails" in shown
    assert "activity.message" in shown


OUTER = """from workbench.core.jit import kernel
from kernels.inner import FACTOR, inner


@kernel
def outer(value):
    return FACTOR * inner(value)


print(outer(1.0), outer.dispatcher.stats.cache_hits[outer.dispatcher.signatures[0]])
"""
INNER = """from workbench.core.jit import kernel

FACTOR = {factor}


@kernel
def inner(value):
    return value + {more}
"""


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_kernels_of_a_package_are_cached_until_any_of_its_files_changes(tmp_path: Path) -> None:
    """numba's own cache would keep a kernel whose file stays the same."""
    created = Environment.create(tmp_path / "environment", tmp_path / "home")
    files = {
        "kernels/__init__.py": "",
        "kernels/outer.py": OUTER,
        "kernels/inner.py": INNER.format(factor="2.0", more="1.0"),
    }
    entries = "[workbench.models]\nnone = kernels.outer:outer\n"
    created.install(build_wheel(tmp_path / "wheels", "kernels", files, entries))

    def outcome() -> list[str]:
        return created.run("-c", "import kernels.outer").stdout.split()

    assert outcome() == ["4.0", "0"]
    assert outcome() == ["4.0", "1"]
    inner = created.packages / "kernels" / "inner.py"
    inner.write_text(INNER.format(factor="3.0", more="1.0"), "utf-8")
    assert outcome() == ["6.0", "0"]
    inner.write_text(INNER.format(factor="3.0", more="4.0"), "utf-8")
    assert outcome() == ["15.0", "0"]


def test_kernels_of_a_package_without_entry_points_are_not_cached(tmp_path: Path) -> None:
    created = Environment.create(tmp_path / "environment", tmp_path / "home")
    files = {
        "kernels/__init__.py": "",
        "kernels/outer.py": OUTER,
        "kernels/inner.py": INNER.format(factor="2.0", more="1.0"),
    }
    created.install(build_wheel(tmp_path / "wheels", "kernels", files, ""))
    for _ in range(2):
        ended = created.run("-c", "import kernels.outer")
        assert ended.stdout.split() == ["4.0", "0"]
