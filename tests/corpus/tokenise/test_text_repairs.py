"""Cut words at line ends and placeholders, against the text as its author wrote it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.loader import open_corpus
from workbench.corpus.text_export import write_text
from workbench.corpus.tokenise.text_repairs import Repairs

NAMES = ("unk", "s", "/s", "eos", "num", "pad", "UNK", "|endoftext|")


def repaired(text: str, size: int = 1 << 20, joins: tuple[str, ...] = ()) -> str:
    repairs = Repairs(frozenset(joins))
    data = text.encode()
    parts = [repairs.feed(data[at : at + size], False) for at in range(0, len(data), size)]
    return b"".join([*parts, repairs.feed(b"", True)]).decode()


def read(folder: Path, text: str, options: CorpusOptions) -> tuple[list[str], list[str]]:
    """The lines of the corpus, and its warnings."""
    path = folder / "text.txt"
    path.write_text(text, encoding="utf-8")
    corpus = open_corpus([path], options)
    write_text(corpus, folder / "out.txt")
    lines = (folder / "out.txt").read_text(encoding="utf-8").splitlines()
    return lines, list_warnings(corpus)


@pytest.mark.parametrize("sign", ["\u00ad", "¬", "⸗", "‐", "\x02", "\ufffe"])
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


def test_the_hyphen_of_fraktur_needs_evidence(tmp_path: Path) -> None:
    text = "Die Gär=\nten ſind ſchön. Viele Gärten blü=\nhen. Die\n= Gärten =\nx = y=\n2\n"
    options = CorpusOptions(sentences="punctuation")
    lines, notes = read(tmp_path, text, options)
    assert " ".join(lines).split() == (
        "die gärten ſind ſchön viele gärten blü hen die gärten x y 2".split()
    )
    assert notes[0] == "1 word was cut at a line end and was joined."
    assert notes[1].startswith("1 hyphen at a line end still separates")
    for size in (1, 5, 1000):
        assert repaired(text, size, ("gärten",)) == text.replace("Gär=\nten ", "Gärten\n ")


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
    # The same evidence counts where lines are sentences.
    lines, again = read(tmp_path, text, options.replace(sentences="lines"))
    assert lines[:3] == ["the lantern", "of the light", "house is well"]
    assert again == notes


@pytest.mark.parametrize("form", ["none", "NFC", "NFKC"])
def test_evidence_may_be_written_in_other_ways(tmp_path: Path, form: str) -> None:
    options = CorpusOptions(unicode_form=form, lowercase=False)
    text = (
        "Old Mc-\nDonald lives in BERLIN-\nER STREET, eats Ka\u0308se-\nkuchen, and Rolls-\n"
        "Royce drives by. McDonald! Berliner Käsekuchen.\n"
    )
    lines, notes = read(tmp_path, text, options)
    words = " ".join(lines).split()
    assert {"McDonald", "BERLINER", "Rolls", "Royce"} <= set(words)
    assert "kuchen" not in words
    assert notes[0].startswith("3 words were cut")
    assert notes[1].startswith("1 hyphen at a line end still separates")


def test_printed_line_ends_of_editions_need_the_same_evidence(tmp_path: Path) -> None:
    path = tmp_path / "edition.xml"
    path.write_text(
        "<TEI><text><body><p>The hen-<lb/>house is well-<lb/>known. A henhouse.</p>"
        "<p>Old Mc-<pb/><lb/>Donald, McDonald.</p></body></text></TEI>"
    )
    corpus = open_corpus([path], CorpusOptions(tokeniser="regex"))
    write_text(corpus, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text().splitlines() == [
        "the henhouse is well known a henhouse",
        "old mcdonald mcdonald",
    ]
    assert [note.split()[0] for note in list_warnings(corpus)] == ["2", "1"]


@pytest.mark.parametrize("tokeniser", ["words", "whitespace", "regex", "characters"])
def test_placeholders_are_no_words(tmp_path: Path, tokeniser: str) -> None:
    marks = [f"<{name}>" for name in NAMES] + [f"&lt;{name}&gt;" for name in NAMES]
    marks += ["[UNK]", "[MASK]", "[pad]", "<extra_id_0>", "<|im_start|>", "<url>", "<USER>"]
    marks += ["[REDACTED]", "[NAME_1]", "[**Known lastname 18**]", "$NUM$", "$URL$", "@user"]
    marks += ["__label__good", "__eou__", "</hashtag>", "<PERSON>", "[/INST]"]
    text = "".join(f"<s> tall {mark} trees </s>\n" for mark in marks)
    lines, notes = read(tmp_path, text, CorpusOptions(tokeniser=tokeniser))
    wanted = "t a l l t r e e s" if tokeniser == "characters" else "tall trees"
    assert lines == [wanted] * len(marks)
    assert notes == [f"{3 * len(marks)} placeholders such as <unk> aren’t words and were left out."]


@pytest.mark.parametrize(
    "text",
    [
        "a < b > c",
        "[Sep] 1",
        "<section>",
        "<su>",
        "&lt;b&gt;",
        "me@-@you",
        "a @-",
        "[s]",
        "$5 and $6",
        "$DNA$",
        "me@user",
        "@users",
        "@user.name",
        "__init__",
        "a__b",
        "[Name]",
        "<a>",
    ],
)
def test_other_brackets_stay(text: str) -> None:
    assert repaired(text) == text


def test_ligatures_are_letters(tmp_path: Path) -> None:
    lines, notes = read(tmp_path, "The ﬁrst oﬃce, a ﬂower and the gentleﬅ.\n", CorpusOptions())
    assert lines == ["the first office a flower and the gentlest"]
    assert notes == ["4 ligatures such as ﬁ were read as letters."]
    for size in (1, 2, 5):
        assert repaired("oﬃce ﬁne", size) == "office fine"


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
        "$NUM$",
        "__eou__",
        " @user ",
        "lan\u00ad\ntern",
        "lan-\ntern ",
        "lan-\x03tern ",
        "été",
        " ",
        "\n",
    ]
    for _ in range(60):
        text = "".join(draw.choice([*parts, "wall ", "- "]) for _ in range(60))
        whole = repaired(text, joins=("lantern",))
        assert "<unk>" not in whole
        for size in (1, 2, 5, 64):
            assert repaired(text, size, joins=("lantern",)) == whole
    # A line longer than a block waits only so long.
    long = "wall <unk> é " * 4_000
    assert repaired(long, 9_000) == repaired(long)
