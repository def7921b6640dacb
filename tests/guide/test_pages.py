"""Statements in the documentation agree with the program: declarations, links, commands, menus,
keys.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from guide.pages import GUIDE, PAGES, ROOT, examples

from workbench.cli import VERBS
from workbench.cli.manual import parts
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.text.markdown import escape_text, fill_parts, format_table, part_names
from workbench.models.base import MODELS
from workbench.session.lessons.actions import DIRECTIVES
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.workspaces import ANY, WORKSPACES

ACTIONS = (ROOT / "docs" / "actions.md").read_text("utf-8")
COMMAND = "run: python tests/tools/manual.py"
# Pages whose commands are checked, because they are for users of the program.
PAGES_WITH_COMMANDS = [
    ROOT / "README.md",
    ROOT / "docs" / "lessons.md",
    *sorted(GUIDE.rglob("*.md")),
]

# Pages that refer to modules by path.
MODULE_PAGES = [
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(GUIDE.rglob("*.md")),
]

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def plain(page: Path) -> str:
    """A page without its code blocks."""
    return re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def module_paths(text: str) -> set[str]:
    """Paths in backquotes that end in .py."""
    return set(re.findall(r"`([\w./-]+\.py)`", text))


# -- generated parts


def test_generated_parts_are_up_to_date() -> None:
    contents = parts()
    for page in sorted(GUIDE.rglob("*.md")):
        text = page.read_text("utf-8")
        assert text == fill_parts(text, contents), f"{page.name} is out of date; {COMMAND}"
        assert set(part_names(text)) <= set(contents), f"{page.name} has a mark that nothing fills"


def test_every_part_is_in_a_page() -> None:
    names = {name for page in GUIDE.rglob("*.md") for name in part_names(page.read_text("utf-8"))}
    assert names == set(parts())


def test_a_part_is_put_between_its_marks() -> None:
    page = "a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\n<!-- end -->\n"
    assert (
        fill_parts(page, {"one": "new"})
        == "a\n<!-- one -->\n\nnew\n\n<!-- end -->\nb\n<!-- two -->\n<!-- end -->\n"
    )
    assert part_names(page) == ["one", "two"]
    assert (
        format_table(("x", "y"), [("1|2", "a\nb")]) == "| x | y |\n| --- | --- |\n| 1\\|2 | a b |"
    )
    assert escape_text("*.txt <num> \\w `x`") == "\\*.txt \\<num> \\\\w \\`x\\`"


def test_every_algorithm_has_a_page_with_its_formula_and_use() -> None:
    assert {page.stem for page in (GUIDE / "algorithms").glob("*.md")} == {
        kind.key for kind in MODELS
    }
    for kind in MODELS:
        text = (GUIDE / "algorithms" / f"{kind.key}.md").read_text("utf-8")
        assert text.startswith(f"# {kind.title}\n")
        own, mark, _ = text.partition(f"<!-- {kind.key} -->")
        assert mark, kind.key
        assert re.search(r"^ {4}\S.*[=·ΣσM]", own, re.MULTILINE), f"{kind.key}: no formula"
        assert "Use it " in own, f"{kind.key}: when to use it"


def test_each_parameter_is_explained_once() -> None:
    page = (GUIDE / "parameters.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| <a id=")]
    specs = {kind.key: kind.params_type.specs() for kind in MODELS}
    texts = {(spec.name, spec.doc) for own in specs.values() for spec in own}
    for name, doc in texts:
        explanations = [
            row for row in rows if f"`{name}` |" in row and f" {escape_text(doc)} |" in row
        ]
        units = {
            (spec.unit, spec.describe_range(), spec.symbol)
            for own in specs.values()
            for spec in own
            if (spec.name, spec.doc) == (name, doc)
        }
        assert len(explanations) == len(units), name
    # Each default is shown, either in the algorithm’s own table or in the shared one.
    for key, own in specs.items():
        facts = (GUIDE / "algorithms" / f"{key}.md").read_text("utf-8")
        for spec in own:
            place = re.search(rf"\[`{spec.name}`\]\(\.\./parameters\.md#(.*?)\)", facts)
            assert place is not None, (key, spec.name)
            row = next(row for row in rows if f'<a id="{place[1]}">' in row)
            default = row.split("|")[3].strip().strip("`").replace(",", "")
            words = {"on": True, "off": False, "empty": ""}
            assert words.get(default, type(spec.default)(default)) == spec.default, (key, spec.name)


WORDS_OF_A_PAGE = 800


@pytest.mark.parametrize(
    "page", sorted(GUIDE.rglob("*.md")), ids=lambda page: str(page.relative_to(GUIDE))
)
def test_a_page_of_the_guide_is_short(page: Path) -> None:
    """Generated tables, code, and commands with their output don’t count."""
    text = re.sub(r"^<!-- (?!end)\S+ -->$.*?^<!-- end -->$", "", plain(page), flags=re.M | re.S)
    assert len(re.findall(r"\w[^\s|]*", text)) <= WORDS_OF_A_PAGE


def test_every_panel_has_a_page_with_a_worked_example() -> None:
    titles = {workspace.key: workspace.title for workspace in WORKSPACES} | {ANY: "beside any"}
    order = list(titles)
    expected = {}
    for kind in PANELS:
        serves = sorted(kind.workspaces, key=order.index)
        expected[kind.key] = (kind.title, ", ".join(titles[key] for key in serves))
    page = (GUIDE / "panels.md").read_text("utf-8")
    pattern = r"^\| \[(.*?)\]\(panels/(.*?)\.md\) \| `(.*?)` \| (.*?) \|"
    rows = re.findall(pattern, page, re.MULTILINE)
    assert {key: (title, workspaces) for title, _, key, workspaces in rows} == expected
    assert all(name == key for _, name, key, _ in rows)
    for key, (title, _) in expected.items():
        own = (GUIDE / "panels" / f"{key}.md").read_text("utf-8")
        assert own.startswith(f"# {title}\n")
        assert "\n## Try this\n" in own, key


# Half the former length of the page: a fact about a single module belongs in its docstring.
WORDS_OF_ARCHITECTURE = 1_950
WORDS_OF_A_PARAGRAPH = 120


def test_the_architecture_has_a_section_for_each_layer_and_is_short() -> None:
    page = ROOT / "docs" / "architecture.md"
    text = page.read_text("utf-8")
    layers = re.search(r"^ {4}(core .*)$", text, re.MULTILINE)
    assert layers is not None
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[: headings.index("Three walks")] == ["Layers", *re.findall(r"\w+", layers[1])]
    assert len(text.split()) <= WORDS_OF_ARCHITECTURE
    for paragraph in re.split(r"\n\n|\n(?=- |\d\. )", text):
        assert len(paragraph.split()) <= WORDS_OF_A_PARAGRAPH, paragraph


# -- references


def anchors(page: Path) -> set[str]:
    ids = set(re.findall(r'<a id="(.*?)">', plain(page)))
    for heading in re.findall(r"^#+ (.*)$", plain(page), re.MULTILINE):
        letters = (letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
        ids.add("".join(letters).replace(" ", "-"))
    return ids


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", plain(page)):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


@each_page
def test_files_that_are_named_are_there(page: Path) -> None:
    """Paths in backquotes that start in the project exist, except those of examples."""
    own = r"`((?:workbench|tests|resources|docs)/[\w./-]+)`"
    for path in re.findall(own, plain(page)):
        assert (ROOT / path).exists() or path in examples(), path


@pytest.mark.parametrize("page", MODULE_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_that_are_named_exist(page: Path) -> None:
    """Paths are relative to the project, package or tests; files of examples needn’t exist."""
    for path in module_paths(plain(page)) - set(examples()):
        assert any((ROOT / folder / path).is_file() for folder in ("", "workbench", "tests")), path


def test_walks_count_their_modules() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walks = re.findall(r"^### [^\n]*: (\d+) modules$(.*?)(?=^#)", page, re.MULTILINE | re.DOTALL)
    assert len(walks) == 3
    for number, walk in walks:
        assert int(number) == len(module_paths(walk)), walk


@pytest.mark.parametrize("page", sorted(GUIDE.rglob("*.md")), ids=lambda page: page.name)
def test_menus_and_keys_are_those_of_the_program(page: Path) -> None:
    text = plain(page)
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in ACTIONS.splitlines()
        if line.startswith("| ")
    ]
    menus = {(row[2], row[0].removesuffix(" ▸")) for row in rows if len(row) == 4}
    for menu, item in re.findall(r"\*\*(\w+) ▸ ([^*]+)\*\*", text):
        assert (menu, item) in menus, f"{menu} ▸ {item}"
    for keys in re.findall(r"`((?:Ctrl|Alt|Shift)\+[\w,+.]+|F\d+)`", text):
        # Mouse actions with a key, and keys of views, are described with these views.
        if not keys.endswith(("+Up", "+Down")):
            assert re.search(rf"(?<![\w+]){re.escape(keys)}(?![\w+])", ACTIONS), keys


class _Read(Exception):
    """Raised when the arguments have been parsed."""


class _Reading(Parser):
    def parse_known_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        _, rest = super().parse_known_intermixed_args(args, namespace)
        if rest:
            raise UserError(f"unknown: {rest}")
        raise _Read


def commands() -> list[tuple[str, str]]:
    """Every command of the program on the pages, as (page, line)."""
    result = []
    for page in PAGES_WITH_COMMANDS:
        text = page.read_text("utf-8")
        for line in re.findall(r"^ *(?:\$ )?workbench (.*)$", text, re.MULTILINE):
            line = re.split(r"  +[#a-z]", line.partition(" #")[0])[0]
            if line.split()[0] in VERBS:
                result.append((page.name, line.strip()))
        result += [
            (page.name, line)
            for line in re.findall(r"`workbench ([^`]*)`", page.read_text("utf-8"))
            if line.split()[0] in VERBS and "COMMAND" not in line
        ]
    return result


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())), ids=str)
def test_commands_are_understood(page: str, line: str) -> None:
    name, *arguments = shlex.split(line)
    verb = VERBS[name]
    execute = getattr(
        import_module(f"workbench.cli.{verb.module}"), f"{name.replace('-', '_')}_command"
    )
    arguments = [word for word in arguments if word != "--help"]
    if "--continue" in arguments:
        # The options depend on the algorithm in the file, which doesn’t exist here.
        at = arguments.index("--continue")
        del arguments[at : at + 2]
    try:
        if arguments:
            execute(_Reading(prog=name), arguments)
    except _Read:
        pass
    except UserError as error:
        # Text may mention a command without its required arguments.
        if not re.search("required|expected one argument", str(error)):
            pytest.fail(f"{page}: {line}: {error}")


def test_some_commands_were_found() -> None:
    assert len(commands()) > 40


# -- examples


def test_examples_are_whole_and_in_their_place() -> None:
    example_texts = examples()
    assert {Path(path).parts[0] for path in example_texts} == {"workbench", "resources"}
    for path, text in example_texts.items():
        # A panel has its own package.
        place = (ROOT / path).parents[1] if "/panels/" in path else (ROOT / path).parent
        assert place.is_dir()
        assert not (ROOT / path).exists(), f"{path} is in the project itself"
        assert len(text.splitlines()) > 20
    assert "train" in DIRECTIVES


def words_in(pages: Sequence[Path]) -> str:
    return "\n".join(page.read_text("utf-8") for page in pages)


def test_no_place_of_one_machine_is_named() -> None:
    assert not re.findall(r"/(?:home|root|opt|work|Users)/\w+", words_in(PAGES))
