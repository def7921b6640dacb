"""Splitting text into sentences at punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.sentence_splitter import Sentences
from workbench.corpus.tokenise.token_encoder import Numbering


def sentences(text: str, size: int = 1 << 20) -> list[str]:
    stage = Sentences()
    output = "".join(
        stage.feed(text[at : at + size]) for at in range(0, len(text), size)
    ) + stage.feed("", final=True)
    return [" ".join(line.split()) for line in output.split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four… five", ["One.", "Two!", "Three?", "Four… five"]),
        ("It broke\nthe line. And went\non", ["It broke the line.", "And went on"]),
        ("A heading\n\nThe text\n \nmore", ["A heading", "The text", "more"]),
        (
            "He said “Why?” and left. “Go!” She went.",
            ["He said “Why?” and left.", "“Go!”", "She went."],
        ),
        ("Mr. Smith met Dr. Who at St. Pancras.", ["Mr. Smith met Dr. Who at St. Pancras."]),
        ("J. R. R. Tolkien wrote. He did.", ["J. R. R. Tolkien wrote.", "He did."]),
        (
            "It is 3.14 or 1,000.5. Then v2.0.1 came.",
            ["It is 3.14 or 1,000.5.", "Then v2.0.1 came."],
        ),
        ("See www.example.org. It is there.", ["See www.example.org.", "It is there."]),
        ("Cats, e.g. tigers, i.e. big ones.", ["Cats, e.g. tigers, i.e. big ones."]),
        (
            "The U.S. Army came. No. 5 is alive. No. He",
            ["The U.S. Army came.", "No. 5 is alive.", "No.", "He"],
        ),
        ("Wait... what? Wait... No.", ["Wait... what?", "Wait...", "No."]),
        ("(It ended.) So it did.", ["(It ended.)", "So it did."]),
        ("我来了。你好！「是吗？」好", ["我来了。", "你好！", "「是吗？」", "好"]),
        ("はい。いいえ。", ["はい。", "いいえ。"]),
        ("यह है। वह है॥ ठीक", ["यह है।", "वह है॥", "ठीक"]),
        ("هل؟ نعم.", ["هل؟", "نعم."]),
        ("¿Qué? ¡No! Sí.", ["¿Qué?", "¡No!", "Sí."]),
        ("one\r\ntwo.\r\rThree.\r\n\r\nFour", ["one two.", "Three.", "Four"]),
        ("", []),
        (" \n\n . \n", ["."]),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected
    for size in range(1, 8):
        assert sentences(text, size) == expected


@given(
    text=st.text(st.sampled_from('aB1.!?。” (\n\r"Mr,é日 '), max_size=80), size=st.integers(1, 12)
)
@settings(max_examples=300)
def test_blocks_may_be_cut_anywhere_and_nothing_is_lost(text: str, size: int) -> None:
    result = sentences(text, size)
    assert result == sentences(text)
    assert "".join("".join(result).split()) == "".join(text.split())


def test_the_kernel_reads_a_sentence_a_line() -> None:
    numbering = Numbering(CorpusOptions(sentences="punctuation"))
    bounds = [
        end
        for _, ends in numbering.feed(b"It is so. Mr. X\nknew it. Yes", final=True)
        for end in ends.tolist()
    ]
    assert bounds == [3, 7, 8]
    assert numbering.words() == ["it", "is", "so", "mr", "x", "knew", "yes"]


def test_text_without_a_place_to_cut_needs_no_more_memory() -> None:
    stage = Sentences()
    for _ in range(8):
        stage.feed("." * 50_000)
        assert len(stage._carry) <= 1 << 17
