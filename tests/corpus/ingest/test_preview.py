"""Effects of options, shown on the start of a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.preview import preview
from workbench.corpus.ingest.text_sample import LONGEST, TextSample, take_sample
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.tokenisers import TOKENISERS

TEXT = "The Café opened in 1984, they say.\n\nDon’t go to the cafe! It\nis “closed”.\n"
PLAIN = CorpusOptions()


def sample(text: str = TEXT) -> TextSample:
    return TextSample((text.encode(),), "text", True)


@pytest.mark.parametrize(
    "options",
    [
        PLAIN,
        CorpusOptions(tokeniser="whitespace", sentences="paragraphs"),
        CorpusOptions(
            sentences="punctuation", strip_accents=True, numbers="token", stop_words="the to"
        ),
        CorpusOptions(tokeniser="characters", sentences="none", min_length=1, keep_words="a b c"),
    ],
)
def test_a_preview_matches_the_corpus(options: CorpusOptions, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    corpus = open_corpus([path], options)
    result = preview(take_sample([path], options), PLAIN, options)
    assert dict(result.after.words) == dict(zip(corpus.words, corpus.counts.tolist(), strict=True))
    assert (result.after.types, result.after.tokens) == (corpus.types, corpus.tokens)
    assert (result.size, result.whole) == (len(TEXT.encode()), True)
    words = [mark.word for line in result.lines for mark in line.marks if not mark.why]
    assert words == [corpus.words[number] for number in corpus.ids.tolist()]
    ends = sum(line.ends and any(not mark.why for mark in line.marks) for line in result.lines)
    assert ends == (0 if options.sentences == "none" else len(corpus.sentences) - 1)


def test_marks_have_a_line_and_a_reason() -> None:
    options = CorpusOptions(numbers="drop", stop_words="the", strip_accents=True)
    line = preview(sample(), PLAIN, options).lines[0]
    assert [(line.text[mark.begin : mark.end], mark.word, mark.why) for mark in line.marks][:5] == [
        ("The", "the", "stop word"),
        ("Café", "cafe", ""),
        ("opened", "opened", ""),
        ("in", "in", ""),
        ("1984", "1984", "number"),
    ]


def test_gained_and_lost_words_are_sorted_by_count() -> None:
    result = preview(
        sample(), PLAIN, CorpusOptions(strip_accents=True, numbers="token", stop_words="the")
    )
    assert result.gained == (("<num>", 1),)
    assert result.lost == (("the", 2), ("café", 1), ("1984", 1))
    same = preview(sample(), PLAIN, CorpusOptions(phrases=2))
    assert (same.gained, same.lost) == ((), ())
    assert same.before is same.after


def test_it_reads_a_part_of_a_large_corpus(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("é word of many\n" * 1000)
    text_sample = take_sample([tmp_path], PLAIN, size=20_001)
    assert [len(part) for part in text_sample.parts] == [16_000, 4001 - 1]
    assert not text_sample.whole
    assert text_sample.shown == f"{tmp_path.name}/a.txt" or text_sample.shown.endswith("a.txt")
    result = preview(text_sample, PLAIN, CorpusOptions(tokeniser="whitespace"))
    assert len(result.lines) == 40
    assert not result.whole


@pytest.mark.parametrize("end", ["\n", " ", "\t"])
def test_no_word_is_cut_at_the_end_of_a_part(end: str, tmp_path: Path) -> None:
    """A cut word would be a different word, so a part could have words that the text lacks."""
    path = tmp_path / "text.txt"
    path.write_text(f"water{end}" * 100)
    for size in range(300, 312):
        result = preview(take_sample([path], PLAIN, size=size), PLAIN, PLAIN)
        assert dict(result.after.words) == {"water": size // 6}
    path.write_text("日本語" * 1000)
    assert [part.decode() for part in take_sample([path], PLAIN, size=301).parts] == [
        "日本語" * 33 + "日"
    ]


def test_a_line_without_end_is_shown_in_part() -> None:
    result = preview(sample("word " * 100_000), PLAIN, CorpusOptions(sentences="none"))
    (line,) = result.lines
    assert LONGEST - 10 < len(line.text) < LONGEST
    assert line.text.endswith(" word")
    assert (line.cut, line.ends) == (True, False)
    wide = preview(sample("日本語" * 1000), PLAIN, CorpusOptions(tokeniser="characters"))
    assert [(len(line.text), line.cut, line.ends) for line in wide.lines] == [
        (LONGEST, True, False)
    ]


def test_a_preview_reports_unusable_files(monkeypatch: pytest.MonkeyPatch) -> None:
    if TOKENISERS["regex"].missing() is not None:
        pytest.skip("regex is not installed")
    monkeypatch.setattr("workbench.corpus.tokenise.tokenisers.pattern.SECONDS", 0.05)
    slow = CorpusOptions(tokeniser="regex", pattern=r"(?:\w|\w\w|\w\w\w)+(?=!)")
    with pytest.raises(UserError, match="took more than 0.05 s at line 2 of text"):
        preview(sample("fine!\n" + "a" * 60), PLAIN, slow)


def test_an_empty_text_shows_nothing() -> None:
    for text in ("", " \n\n"):
        result = preview(sample(text), PLAIN, CorpusOptions(sentences="punctuation"))
        assert result.lines == ()
        assert result.after.tokens == 0


def test_words_cut_at_line_ends_are_those_of_the_corpus(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt"
    path.write_text("The vege-\ntables and the well-\nknown vegetables are\nknown well.\n" * 5)
    options = CorpusOptions(sentences="punctuation")
    found = preview(take_sample([path], options), options, options)
    corpus = open_corpus([path], options)
    assert found.after.words == dict(zip(corpus.words, corpus.counts.tolist(), strict=True))
    assert found.after.words["vegetables"] == 10
    assert any(mark.word == "vegetables" for line in found.lines[:1] for mark in line.marks)
