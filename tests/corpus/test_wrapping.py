"""Detection of texts wrapped at a fixed width, and of texts whose line breaks have a meaning."""

from __future__ import annotations

import os
import random
import textwrap
import zipfile
from pathlib import Path

import pytest

from workbench.__main__ import main
from workbench.core.job_control import JobControl
from workbench.corpus import loader
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.preview import preview
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.ingest.text_sample import take_sample, unwrap_options
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.wrapped_lines import Wrapping, is_wrapped
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
    assert unwrap_options(gather([book], plain), plain) == plain.replace(sentences="auto")
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


@pytest.fixture
def shelf(tmp_path: Path, draw: random.Random, prose: list[str]) -> tuple[Path, int]:
    """A folder with two wrapped texts, one with a paragraph on each line and one with a sentence on
    each, and the number of their sentences.
    """
    folder = tmp_path / "shelf"
    folder.mkdir()
    lines = [sentence(draw, lengths(draw)) for _ in range(800)]
    (folder / "a.txt").write_text("\n\n".join(prose))
    for name, width in (("b", 72), ("d", 60)):
        (folder / f"{name}.txt").write_text(
            "\n\n".join(textwrap.fill(part, width) for part in prose)
        )
    (folder / "c.txt").write_text("\n".join(line.lower() for line in lines))
    stops = sum(part.count(".") for part in prose)
    return folder, len(prose) + 2 * stops + len(lines)


def _zipped(folder: Path) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return path


@pytest.mark.parametrize("zipped", [False, True])
def test_each_file_of_a_folder_is_read_by_its_own_lines(
    shelf: tuple[Path, int], zipped: bool
) -> None:
    folder, sentences = shelf
    place = _zipped(folder) if zipped else folder
    corpus = read_corpus([place], unwrap=True)
    assert len(corpus.sentences) - 1 == sentences
    assert corpus.options == CorpusOptions(sentences="auto")
    assert list_warnings(corpus)[0].startswith(
        "2 of 4 files have lines of a fixed width and are read by punctuation, the rest by lines."
    )
    # From the cache, and by the options that a session keeps.
    again = read_corpus([place], unwrap=True)
    assert (again.digest, list_warnings(again)) == (corpus.digest, list_warnings(corpus))
    kept = CorpusOptions.from_mapping(corpus.options.to_dict())
    assert read_corpus([place], kept).digest == corpus.digest
    by_line = read_corpus([place], CorpusOptions())
    assert by_line.digest != corpus.digest
    assert list_warnings(by_line) == []


def test_a_rule_that_all_files_share_is_the_rule_of_the_corpus(
    shelf: tuple[Path, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = shelf
    rules = []
    for names in ("ac", "bd"):
        files = [folder / f"{name}.txt" for name in names]
        corpus = open_corpus(files, unwrap=True)
        rules.append(corpus.options.sentences)
        # The text isn’t read again by the rule that the corpus has.
        with monkeypatch.context() as patch:
            patch.setattr(loader, "_read", None)
            other = open_corpus(files, corpus.options)
        assert other.digest == corpus.digest
        assert list_warnings(other) == []
    assert rules == ["lines", "punctuation"]


def test_texts_too_short_to_judge_are_judged_together(tmp_path: Path, prose: list[str]) -> None:
    letters = tmp_path / "letters"
    letters.mkdir()
    for number, part in enumerate(prose):
        (letters / f"{number:03}.txt").write_text(textwrap.fill(part, 60))
    corpus = read_corpus([letters], unwrap=True)
    assert corpus.options.sentences == "punctuation"
    assert len(corpus.sentences) - 1 == sum(part.count(".") for part in prose)


@pytest.mark.parametrize("tokeniser", ["words", "regex"])
@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_blocks_do_not_matter(shelf: tuple[Path, int], tokeniser: str, size: int) -> None:
    folder, sentences = shelf
    numbering = Numbering(CorpusOptions(sentences="auto", tokeniser=tokeniser))
    ends: list[int] = []
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        for at in range(0, len(data), size):
            for _, found in numbering.feed(data[at : at + size]):
                ends += found.tolist()
        for _, found in numbering.feed(b"", final=True):
            ends += found.tolist()
    assert (len(ends), numbering.wrapped) == (sentences, 2)


def test_a_long_text_is_judged_by_its_beginning(prose: list[str]) -> None:
    wrapping = Wrapping()
    text = "\n\n".join(textwrap.fill(part, 70) for part in prose * 20).encode()
    block = text[: len(text) // 7]
    taken = b"".join(
        wrapping.feed(text[at : at + len(block)], False) for at in range(0, len(text), len(block))
    )
    assert taken == text
    assert (wrapping.wrapped, wrapping.texts) == (True, 1)
    assert wrapping.feed(b"", True) == b""
    assert wrapping.feed(b"a line\n", True) == b"a line\n"
    assert (wrapping.wrapped, wrapping.texts) == (False, 1)


def test_the_preview_marks_ends_by_the_lines_of_the_text(book: Path) -> None:
    options = CorpusOptions(sentences="auto")
    shown = preview(take_sample([book], options), options, options).lines
    assert all(line.text.rstrip().endswith(".") for line in shown)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_judged_while_it_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    plain = CorpusOptions()
    assert unwrap_options(gather([tmp_path / "pipe"], plain), plain).sentences == "auto"


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
