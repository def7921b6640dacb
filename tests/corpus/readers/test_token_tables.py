"""Tables with a token per row: the tokens of a sentence are a sentence, and lists of words, answers
and keywords stay apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.columns import column_names
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")


def _read(path: Path, text: str, column: str = "") -> tuple[list[str], str]:
    """The paragraphs, and the notes."""
    path.write_text(text, encoding="utf-8")
    (source,) = gather([path])
    with path.open("rb") as file:
        (read,) = texts(source, file, CorpusOptions(column=column))
        content = b"".join(read.blocks).decode()
    assert read.findings.failure is None
    return [part for part in content.split("\n\n") if part], " ".join(read.findings.notes)


_TOKENS = "Rain falls . The old roof leaks .".split()
_SENTENCES = [1, 1, 1, 2, 2, 2, 2, 2]


def _rows(*columns: Sequence[object], mark: str = ",") -> str:
    return "".join(mark.join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def test_sentences_by_their_numbers(tmp_path: Path) -> None:
    numbers: list[object] = [1, 2, 3, 1, 2, 3, 4, 5]
    lemmas = [token.lower() for token in _TOKENS]
    text = "doc_id,sentence_id,token_id,token,lemma,pos\n" + "".join(
        _rows([name] * 8, list(_SENTENCES), numbers, list(_TOKENS), list(lemmas), ["X"] * 8)
        for name in ("text1", "text2")
    )
    wanted = 2 * ["Rain falls .", "The old roof leaks ."]
    read, notes = _read(tmp_path / "a.csv", text)
    assert read == wanted
    assert "doc_id, sentence_id" in notes
    read, _ = _read(tmp_path / "b.csv", text, "lemma")
    assert read == [sentence.lower() for sentence in wanted]
    # Values of a token, such as its lemma, are none of the sentence.
    corpus = open_corpus([tmp_path / "a.csv"])
    assert (len(corpus.sentences) - 1, corpus.tokens) == (4, 12)
    assert column_names(corpus) == ("doc_id", "sentence_id", "pos")


def test_a_repeated_sentence_is_read_once(tmp_path: Path) -> None:
    """Data frames of udpipe have the sentence beside each of its tokens."""
    sentences: list[str] = ["Rain falls."] * 3 + ["The old roof leaks."] * 5
    text = "doc_id,sentence_id,sentence,token,upos\n" + _rows(
        ["d"] * 8, list(_SENTENCES), sentences, list(_TOKENS), ["X"] * 8
    )
    assert _read(tmp_path / "a.csv", text)[0] == ["Rain falls .", "The old roof leaks ."]
    chosen, _ = _read(tmp_path / "b.csv", text, "sentence")
    assert chosen == ["Rain falls.", "The old roof leaks."]


def test_sentences_by_empty_lines_and_by_restarts(tmp_path: Path) -> None:
    rows = [f"{at}\t{token}\tTAG\n" for at, token in enumerate(_TOKENS[:3], 1)]
    others = [f"{at}\t{token}\tTAG\n" for at, token in enumerate(_TOKENS[3:], 1)]
    wanted = 3 * ["Rain falls .", "The old roof leaks ."]
    with_gaps = "\n".join(("".join(rows), "".join(others)) * 3)
    assert _read(tmp_path / "a.tsv", with_gaps)[0] == wanted
    assert _read(tmp_path / "b.tsv", "".join([*rows, *others] * 3))[0] == wanted
    apart = "\n".join(part.replace("1\t", "x\t") for part in ("".join(rows), "".join(others)) * 3)
    read, notes = _read(tmp_path / "c.tsv", apart)
    assert read == wanted
    assert "empty lines" in notes


def test_tokens_without_sentences_run_on(tmp_path: Path) -> None:
    text = "word,lemma,pos\n" + _rows(_TOKENS * 3, [t.lower() for t in _TOKENS] * 3, ["X"] * 24)
    read, notes = _read(tmp_path / "a.csv", text)
    assert read == [" ".join(_TOKENS * 3)]
    assert "run on" in notes


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        # A list of frequencies, one-word answers, labels, and posts beside the names of users.
        ("word,count", [f"word{letter},{at}" for at, letter in enumerate("abcdefghijkl")]),
        ("id,answer", [f"{at},{'yes' if at % 3 else 'no'}" for at in range(24)]),
        ("cue,response", [f"sea,{word}" for word in "blue wave fish salt boat blue".split() * 3]),
        ("doc_id,text", [f"{at // 4},rain falls on roof {at}" for at in range(16)]),
        # A glossary: each word beside an example of its own.
        ("word,sentence", [f"word{c},The word{c} is an example" for c in "abcdefghijkl"]),
    ],
)
def test_other_tables_stay_rows(tmp_path: Path, header: str, rows: list[str]) -> None:
    read, notes = _read(tmp_path / "a.csv", "\n".join([header, *rows, ""]))
    assert len(read) == len(rows)
    assert "token" not in notes


def test_an_unknown_column_of_tokens(tmp_path: Path) -> None:
    text = "sentence_id,token\n" + _rows(list(_SENTENCES), list(_TOKENS))
    with pytest.raises(UserError, match="no column"):
        _read(tmp_path / "a.csv", text, "lemma")


@pytest.mark.parametrize(("name", "frame"), [("a.jsonl", "{}\n"), ("a.json", "[{},\n{}]")])
def test_lists_of_tokens_are_sentences(tmp_path: Path, name: str, frame: str) -> None:
    rows = [
        '{"id": "0", "tokens": ["Rain", "falls", "."], "ner_tags": [0, 0, 0]}',
        '{"id": "1", "tokens": ["Old", "roofs", "leak"], "ner_tags": [0, 0, 0]}',
    ]
    text = frame.format(*rows) if "," in frame else "".join(map(frame.format, rows))
    read, notes = _read(tmp_path / name, text)
    assert read == ["Rain falls .", "Old roofs leak"]
    assert "lists of tokens" in notes


def test_lists_of_texts_stay_lines(tmp_path: Path) -> None:
    text = '{"paragraphs": ["Rain falls.", "Old roofs leak."]}\n' * 2
    read, notes = _read(tmp_path / "a.jsonl", text)
    assert read == 2 * ["Rain falls.\nOld roofs leak."]
    assert not notes
