"""Plain English in every text that people read: no telltale patterns of translated English.

The tests read the texts of the window (which the catalogues of translations contain), errors and
help of the command line, exports, the English lessons, README, the guide, and the documents beside
the guide. ``GENUINE`` lists the few correct uses.
"""

from __future__ import annotations

import ast
import gc
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tools.translations import texts

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "workbench"
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guide").rglob("*.md")),
    *sorted((ROOT / "resources" / "lessons").glob("*.md")),
]
# Share of all texts that may match a pattern without being in GENUINE.
MOST = 0.005
# Calls whose texts appear on the command line, and the keywords of these calls that are checked.
_CALLS = ("UserError", "ParameterError", "add_argument", "add_parser", "ArgumentParser", "Command")
_READ_WORDS = ("help", "description", "epilog", "title", "summary", "hint", "doc")
PATTERNS = {
    "is no …, for “isn’t a …”": r"(?<!here )\b(is|are|was|were) no\b(?! (longer|more)\b)",
    "or none": r"\b(or none|of which none)\b",
    "told, for shown or reported": r"\btold\b",
    "somebody, for someone": r"\bsomebody\b",
    "anew, for again": r"\banew\b",
    "gone on, for continued": r"\b(gone|go|goes|going) on with\b|\bgone on\b",
    "met, for co-occurred": r"\bmet\b",
    "blank, for a space": r"\bblanks?\b",
    "least and greatest, for bounds": (
        r"\b[Gg]reatest\b|(?<![Aa]t )\b[Ll]east\b|\bat least(?=[.,;:)]|$)"
    ),
    "stands, for is or appears": r"\bstands?\b(?! for\b)",
    "lies, of files": r"\bl(ies?|ay|ain)\b (?=in |at |beside |there\b|outside )",
    "noise words, for negative samples": r"\b[Nn]oise words?\b",
    "mend and shall": r"\b(mends?|mended|shall)\b",
    "What…, Whatever…, Whoever… as a noun": r"^(What|Whatever|Whoever)\b(?!’s new).*[^?…]$",
}
# Parts of texts that match a pattern but are correct, each with its reason.
GENUINE = {
    "least squares": "the name of a method",
}
# A text that starts with an imperative and a pronoun, without the noun that the pronoun means.
_NOUNLESS = re.compile(r"^(?!Do |Try )[A-Z][a-z]+( or [a-z]+)? (it|them)\b")
# More patterns that docstrings and comments avoid.
_IN_CODE = re.compile(
    r"\b(somebody|anew|gone on|goes on|noise words?|thrown away|brought back|com(es?|ing) along"
    r"|held against|nobody knows|is looked at by|whom nobody)\b|^(Whatever|Whoever)\b"
)
_COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
_CODE = re.compile(r"^(`{3,}).*?^\1$|^    .*$|^\|.*$|<!--.*?-->", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}|\n(?=[-*#] )")
_INLINE_CODE = re.compile(r"`[^`]*`|\{[^}]*\}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_MARKS = re.compile(r"^[-*#>\s]+|\*+")
_COMMANDS = re.compile(r"^```(do|claims)$.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class ReadText:
    """A text with the file that it is in."""

    place: str
    text: str


def sentences(text: str) -> list[str]:
    return [_MARKS.sub("", each).strip() for each in _SENTENCE.split(text)]


def problems(text: str) -> list[str]:
    """Names of the patterns that a text matches."""
    plain = _INLINE_CODE.sub("§", text)
    for genuine in GENUINE:
        plain = plain.replace(genuine, "")
    return [
        name
        for name, pattern in _COMPILED.items()
        if any(pattern.search(sentence) for sentence in sentences(plain))
    ]


@cache
def window_texts() -> tuple[ReadText, ...]:
    return tuple(
        ReadText(path.relative_to(ROOT).as_posix(), one)
        for path in sorted(SOURCE.rglob("*.py"))
        if path.name != "language.py"
        for text in texts(path)
        for one in filter(None, (text.one, text.more))
    )


@cache
def nodes_of(path: Path) -> tuple[str, list[ast.AST]]:
    """Name of a module, and all nodes of its code."""
    return path.relative_to(ROOT).as_posix(), list(ast.walk(ast.parse(path.read_text("utf-8"))))


def call_texts() -> Iterator[ReadText]:
    """Texts of errors and of the command line that aren’t translated, with {} for values."""
    for path in sorted(SOURCE.rglob("*.py")):
        name, nodes = nodes_of(path)
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if function not in _CALLS:
                continue
            keywords = [word.value for word in node.keywords if word.arg in _READ_WORDS]
            for value in (*node.args, *keywords):
                text = written_text(value)
                if " " in text:
                    yield ReadText(name, text)


def written_text(node: ast.expr) -> str:
    """A literal, or an f-string with {} for its values; "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return ""


def literal_texts() -> Iterator[ReadText]:
    """All other literals of four words or more, such as those of exports and reports."""
    for path in sorted(SOURCE.rglob("*.py")):
        name, nodes = nodes_of(path)
        # Not docstrings, which have their own tests, and not the parts of f-strings.
        parts = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        parts |= {
            id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in nodes:
            if isinstance(node, ast.expr) and id(node) not in parts:
                text = " ".join(written_text(node).split())
                if len(_WORD.findall(text)) >= 4:
                    yield ReadText(name, text)


def page_texts() -> Iterator[ReadText]:
    """Each paragraph of the pages, without code and generated tables."""
    for path in PAGES:
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text("utf-8")
        if path.parent.name == "lessons":
            text = _COMMANDS.sub("", text)
            text = re.sub(r"^```\w*$|^(source|name|level|minutes|order):.*$", "", text, flags=re.M)
        else:
            text = _CODE.sub("", text)
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*+] )|\n(?=\w+: )", text):
            line = " ".join(paragraph.split())
            if line and not line.startswith("#"):
                yield ReadText(name, line)


@pytest.fixture(scope="module", autouse=True)
def _parsed_once() -> Iterator[None]:
    """Keep garbage collection from looking at millions of nodes, now and in later tests."""
    gc.disable()
    yield
    nodes_of.cache_clear()
    gc.enable()


@cache
def all_texts() -> tuple[ReadText, ...]:
    return tuple(dict.fromkeys((*window_texts(), *call_texts(), *literal_texts(), *page_texts())))


def test_plain_english() -> None:
    every = all_texts()
    findings = [(each, problems(each.text)) for each in every]
    wrong = [(each, names) for each, names in findings if names]
    listing = "\n".join(f"{each.place}: {names[0]}: {each.text}" for each, names in wrong)
    assert len(every) > 5000
    assert len(wrong) <= MOST * len(every), f"{len(wrong)} of {len(every)} texts:\n{listing}"


def test_no_text_begins_with_a_pronoun_without_its_noun() -> None:
    """Hints are read aloud and translated alone: “Train the run again.”, never “Train it again.”"""
    text_list = (*window_texts(), *call_texts())
    assert [f"{each.place}: {each.text}" for each in text_list if _NOUNLESS.search(each.text)] == []


def test_code_in_texts_can_be_copied() -> None:
    """Python shown in a hint has straight quotation marks: curly ones are a syntax error."""
    text_list = (*window_texts(), *call_texts())
    assert [each for each in text_list if re.search(r"\w\(“|”, \w+=|=“", each.text)] == []


def code_files() -> list[Path]:
    """Modules of the package and of the tests, without this one, which contains the patterns."""
    paths = (*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"))
    return sorted(path for path in paths if path != Path(__file__).resolve())


def docstrings() -> Iterator[ReadText]:
    for path in code_files():
        name, nodes = nodes_of(path)
        for node in nodes:
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield ReadText(name, ast.get_docstring(node) or "")


def comments() -> Iterator[ReadText]:
    for path in code_files():
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text("utf-8")
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield ReadText(name, token.string.lstrip("# "))


def test_docstrings_and_comments() -> None:
    wrong = [each for each in (*docstrings(), *comments()) if _IN_CODE.search(each.text)]
    assert [f"{each.place}: {each.text[:120]}" for each in wrong] == []


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    """“Size of the file.”, never “Of the file.” under a name."""
    start = re.compile(r"(Of|As|Those|Its|It|By|Back|Behind|Whatever) ")
    wrong = [each for each in docstrings() if start.match(each.text)]
    assert [f"{each.place}: {each.text[:80]}" for each in wrong] == []


def test_patterns_match_what_they_name() -> None:
    assert problems("{name} is no JSON file.")
    assert problems("A model, or none.")
    assert problems("Pairs that were never met.")
    assert problems("Words are separated by blanks.")
    assert problems("Least number of words.")
    assert problems("Two answers at least.")
    assert problems("The file lies in the folder.")
    assert problems("Right. What is selected is shown here.")
    assert not problems("What is a cosine?")
    assert not problems("It is no longer there.")
    assert not problems("At least 5 words, by least squares.")
    assert not problems("D stands for the pairs.")


def test_exceptions_are_used() -> None:
    every = [each.text for each in all_texts()]
    assert [each for each in GENUINE if not any(each in text for text in every)] == []
