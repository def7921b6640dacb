"""Cut words at line ends and placeholders, against the text as its author wrote it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.loader import open_corpus
from workbench.corpus.text_export import write_text
from workbench.corpus.tokenise.text_repairs import Repairs

NAMES = ("unk", "s", "/s", "eos", "num", "pad", "UNK", "|endoftext|")


def repaired(text: str, size: int = 1 << 20, joins: tuple[str, ...] = (), **more: Any) -> str:
    repairs = Repairs(frozenset(joins))
    data = text.encode()
    hyphens = more.get("hyphens", False)
    parts = [repairs.feed(data[at : at + size], False, hyphens) for at in range(0, len(data), size)]
    return b"".join([*parts, repairs.feed(b"", True, hyphens)]).decode()


def read(folder: Path, text: str, options: CorpusOptions) -> tuple[list[str], list[str]]:
    """The lines of the corpus, and its warnings."""
    path = folder / "text.txt"
    path.write_text(text, encoding="utf-8")
    corpus = open_corpus([path], options)
    write_text(corpus, folder / "out.txt")
    lines = (folder / "out.txt").read_text(encoding="utf-8").splitlines()
    return lines, list_warnings(corpus)


@pytest.mark.parametrize("sign", ["\u00ad", "¬", "⸗", "‐"])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n", "\n  "])
def test_signs_of_a_cut_word_join_it(sign: str, end: str) -> None:
    text = f"the lan{sign}{end}tern, and the Käse{sign}{end}kuchen burn"
    for size in (1, 7, 1000):
        assert repaired(text, size).split() == "the lantern, and the Käsekuchen burn".split()
    # Between other characters, the signs mean something else.
    for other in (f"one {sign}{end}two", f"one{sign}{end}2", f"one{sign}two", f"one{sign}"):
        assert repaired(other) == other


def test_a_joined_word_stays_in_the_line_where_it_begins(tmp_path: Path) -> None:
    lines, notes = read(tmp_path, "a lan\u00ad\ntern burns\nnow\n", CorpusOptions())
    assert lines == ["a lantern", "burns", "now"]
    assert notes == ["1 word was cut at a line end and was joined."]


@pytest.mark.parametrize("tokeniser", ["words", "regex"])
def test_an_ordinary_hyphen_needs_evidence(tmp_path: Path, tokeniser: str) -> None:
    text = (
        "The Lan-\ntern of the light-\nhouse is well-\nknown.\n\nA lantern-\nlike light. "
        "One mother-in-\nlaw, an inlaw.\n"
    )
    options = CorpusOptions(tokeniser=tokeniser, sentences="punctuation")
    lines, notes = read(tmp_path, text, options)
    assert lines == [
        "the lantern of the light house is well known",
        "a lantern like light",
        "one mother in law an inlaw",
    ]
    assert notes == [
        "1 word was cut at a line end and was joined.",
        "3 hyphens at line ends still separate two words, because they don’t occur as one.",
    ]
    # Where lines are sentences, a line end may be the author’s.
    lines, notes = read(tmp_path, text, options.replace(sentences="lines"))
    assert lines[:3] == ["the lan", "tern of the light", "house is well"]
    assert notes == []


@pytest.mark.parametrize("tokeniser", ["words", "whitespace", "regex", "characters"])
def test_placeholders_are_no_words(tmp_path: Path, tokeniser: str) -> None:
    marks = [f"<{name}>" for name in NAMES] + [f"&lt;{name}&gt;" for name in NAMES]
    marks += ["[UNK]", "[MASK]", "[pad]"]
    text = "".join(f"<s> tall {mark} trees </s>\n" for mark in marks)
    lines, notes = read(tmp_path, text, CorpusOptions(tokeniser=tokeniser))
    wanted = "t a l l t r e e s" if tokeniser == "characters" else "tall trees"
    assert lines == [wanted] * len(marks)
    assert notes == [f"{3 * len(marks)} placeholders such as <unk> aren’t words and were left out."]


@pytest.mark.parametrize(
    "text", ["a < b > c", "[Sep] 1", "<section>", "<su>", "&lt;b&gt;", "me@-@you", "a @-", "[s]"]
)
def test_other_brackets_stay(text: str) -> None:
    assert repaired(text) == text


def test_wikitext_returns_to_the_text_before_it() -> None:
    text = "a well @-@ known sum of 1 @,@ 200 @.@ 5 men @-@ at @-@ arms"
    assert repaired(text) == "a well-known sum of 1,200.5 men-at-arms"


def test_blocks_may_be_cut_anywhere() -> None:
    draw = random.Random(5)
    parts = [
        "<unk>",
        "[UNK]",
        "&lt;s&gt;",
        " @-@ ",
        "lan\u00ad\ntern",
        "lan-\ntern ",
        "été",
        " ",
        "\n",
    ]
    for _ in range(60):
        text = "".join(draw.choice([*parts, "wall ", "- "]) for _ in range(60))
        whole = repaired(text, joins=("lantern",), hyphens=True)
        assert "<unk>" not in whole
        for size in (1, 2, 5, 64):
            assert repaired(text, size, joins=("lantern",), hyphens=True) == whole
    # A line longer than a block waits only so long.
    long = "wall <unk> é " * 4_000
    assert repaired(long, 9_000) == repaired(long)
