"""Detection of texts wrapped at a fixed width, and of texts whose line breaks have a meaning."""

from __future__ import annotations

import os
import random
import textwrap
from pathlib import Path

import pytest

from workbench.__main__ import main
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.ingest.text_sample import is_wrapped, unwrap_options
from workbench.session.corpus.opening import open_files
from workbench.session.corpus.reading import read_corpus

TEXT = (
    "the a of king queen house river stone walked slowly through evening and then because nothing "
    "remained upon table "
    "she he they were said little great old woman man children garden window remember"
)
WORDS = TEXT.split()


@pytest.fixture(scope="module")
def draw() -> random.Random:
    return random.Random(7)


def sentence(draw: random.Random, words: int) -> str:
    text = " ".join(draw.choice(WORDS) for _ in range(words))
    return f"{text[0].upper()}{text[1:]}."


def lengths(draw: random.Random) -> int:
    return max(3, int(draw.gauss(15, 7)))


@pytest.fixture(scope="module")
def prose(draw: random.Random) -> list[str]:
    """Paragraphs of one to seven sentences."""
    return [
        " ".join(sentence(draw, lengths(draw)) for _ in range(draw.randint(1, 7)))
        for _ in range(120)
    ]


@pytest.mark.parametrize("width", [50, 60, 65, 70, 72, 76, 80, 100, 120])
def test_prose_of_every_width(prose: list[str], width: int) -> None:
    for separator in ("\n\n", "\n"):
        assert is_wrapped(separator.join(textwrap.fill(part, width) for part in prose))
    assert is_wrapped("\n".join(textwrap.fill(part, width, initial_indent="   ") for part in prose))
    assert is_wrapped(textwrap.fill(" ".join(prose), width))
    short = "\n".join(textwrap.fill(part[:190], width, initial_indent="    ") for part in prose * 2)
    assert is_wrapped(short) or width > 80
    whole = "\r\n\r\n".join(textwrap.fill(part, width).replace("\n", "\r\n") for part in prose)
    assert is_wrapped(whole)
    assert is_wrapped(whole.lower())
    # A table of contents and a long line before the text make no difference.
    assert is_wrapped(
        "\n".join(f"Chapter {number}" for number in range(20)) + "\n" + "x " * 300 + "\n\n" + whole
    )


def test_texts_that_are_not_wrapped(draw: random.Random, prose: list[str]) -> None:
    varied_lines = [sentence(draw, lengths(draw)) for _ in range(800)]
    even = [sentence(draw, 12) for _ in range(800)]
    verses = [" ".join(draw.choice(WORDS) for _ in range(7)) for _ in range(800)]
    others = {
        "a paragraph a line": prose,
        "sentences": varied_lines,
        "sentences in small letters": [line.lower().strip(".") for line in varied_lines],
        "sentences of one length": even,
        "the same in small letters": [line.lower().strip(".") for line in even],
        "verses": [line.capitalize() for line in verses],
        "verses in small letters": verses,
        "log": [
            f"2024-01-01 12:{n % 60:02d}:00 INFO worker heartbeat ok number {n % 1000:03d}"
            for n in range(800)
        ],
        "entries": [
            f"info worker heartbeat ok number {n % 1000:03d} on host alpha beta gamma"
            for n in range(800)
        ],
        "verses that fill a line": [
            f"{line[0].upper()}{line[1:].rstrip('.')}"
            for line in textwrap.fill(" ".join(prose), 60).split("\n")
        ],
        "dialogue": [
            f"{draw.choice(['JANE', 'PIP'])}: {sentence(draw, lengths(draw))}" for _ in range(800)
        ],
        "words": [draw.choice(WORDS) for _ in range(800)],
        "without blanks": ["吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ"] * 800,
        "short": textwrap.fill(" ".join(prose), 70).split("\n")[:30],
        "nothing": [],
    }
    for name, lines in others.items():
        assert not is_wrapped("\n".join(lines)), name
        assert not is_wrapped("\n\n".join(lines)), name


@pytest.fixture
def book(tmp_path: Path, prose: list[str]) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("\n\n".join(textwrap.fill(part, 70) for part in prose))
    return path


def test_only_default_sentence_rules_are_changed(book: Path) -> None:
    plain = CorpusOptions()
    assert unwrap_options(gather([book], plain), plain) == plain.replace(sentences="punctuation")
    for sentences in ("paragraphs", "none", "punctuation"):
        options = plain.replace(sentences=sentences)
        assert unwrap_options(gather([book], plain), options) == options
    by_line = read_corpus([book], plain)
    assert by_line.options.sentences == "lines"
    assert list_warnings(by_line) == []


def test_a_wrapped_text_is_read_by_punctuation_and_says_so(book: Path, prose: list[str]) -> None:
    corpus = read_corpus([book], unwrap=True)
    assert corpus.options == CorpusOptions(sentences="punctuation")
    assert len(corpus.sentences) - 1 == sum(part.count(".") for part in prose)
    assert list_warnings(corpus)[0].startswith(
        "The lines of this text have a fixed width, so sentences end at punctuation."
    )
    # There is no warning if sentences were set to end at punctuation.
    other = read_corpus([book], CorpusOptions(sentences="punctuation"))
    assert other.digest == corpus.digest
    assert list_warnings(other) == []


def test_opened_files_are_checked_unless_the_rule_is_chosen(book: Path) -> None:
    first = open_files([str(book)], None, JobControl()).corpus
    again = open_files([str(book)], CorpusOptions(), JobControl()).corpus
    assert first is not None
    assert again is not None
    assert (first.options.sentences, again.options.sentences) == ("punctuation", "lines")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_read_before_it_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    plain = CorpusOptions()
    assert unwrap_options(gather([tmp_path / "pipe"], plain), plain) == plain


@pytest.mark.parametrize("command", ["text", "counts", "train", "grid"])
def test_commands_report_wrapped_texts_and_take_a_rule(
    command: str, book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = (
        "The lines of this text have a fixed width, so sentences end at punctuation. Set "
        "--sentences to"
    )
    rest = {
        "text": ["--output", str(tmp_path / "o.txt")],
        "counts": ["--output", str(tmp_path / "o.npz")],
        "train": ["--algorithm", "ppmi", "--output", str(tmp_path / "o.npz"), "--min-count", "1"],
        "grid": ["--algorithm", "ppmi", "--plan", "--min-count", "1"],
    }[command]
    assert main([command, str(book), *rest]) == 0
    assert note in capsys.readouterr().err
    assert main([command, str(book), *rest, "--sentences", "lines"]) == 0
    assert note not in capsys.readouterr().err
