"""Lists of tokens in JSON are sentences, wherever they are."""

from __future__ import annotations

import json

import pytest
from contract.test_readers import document, paragraphs

from workbench.corpus.readers import READERS
from workbench.corpus.readers.base import Reader

SENTENCES = [["The", "cat", "sat"], ["A", "dog", "ran"]]
JOINED = ["The cat sat", "A dog ran"]
_NOTE = "The texts are lists of tokens; each list was read as a sentence."


def _reader(name: str, text: str) -> type[Reader]:
    kinds = sorted(READERS, key=lambda kind: kind.order)
    return next(kind for kind in kinds if kind.detect(document(name, text.encode())))


def _read(name: str, text: str) -> tuple[list[str], list[str]]:
    source = document(name, text.encode())
    data = b"".join(_reader(name, text).read(source)).decode()
    return [line for line in data.split("\n") if line.strip()], source.findings.notes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", json.dumps({"sentences": SENTENCES})),
        ("a.json", json.dumps({"title": "T", "sentences": SENTENCES})),
        ("a.json", json.dumps(SENTENCES)),
        ("a.json", json.dumps([{"id": 1, "sentences": SENTENCES}])),
        ("a.json", json.dumps([{"id": 1, "text": [SENTENCES]}])),
        (
            "a.jsonl",
            json.dumps(
                {"doc_key": "nw/wsj/00", "ner": [[[0, 1, "PER"]]]} | {"sentences": SENTENCES}
            )
            + "\n",
        ),
        ("a.jsonl", "".join(json.dumps({"tokens": each}) + "\n" for each in SENTENCES)),
        ("a.jsonl", "".join(json.dumps(each) + "\n" for each in SENTENCES)),
    ],
)
def test_each_list_is_a_sentence(name: str, text: str) -> None:
    lines, notes = _read(name, text)
    assert lines == JOINED
    assert (_NOTE in notes) == (not text.startswith('["The"'))


def test_lists_of_texts_stay_lines() -> None:
    text = json.dumps([["The cat sat.", "It slept."], ["A dog ran."]])
    assert _read("a.json", text)[0] == ["The cat sat.", "It slept.", "A dog ran."]
    assert _read("a.jsonl", '"The cat sat."\n["A dog.", "It ran."]\n')[0] == [
        "The cat sat.",
        "A dog.",
        "It ran.",
    ]


def test_lists_of_names_and_numbers_are_not_the_text() -> None:
    pairs = {"pairs": [["Paris", "France"], ["Rome", "Italy"]], "text": "a long text of words"}
    assert _read("a.json", json.dumps([pairs, pairs]))[0] == 2 * ["a long text of words"]
    ner = {"ner": [[0, 1, "PER"], [2, 3, "LOC"]], "text": "a text"}
    assert _read("a.jsonl", 2 * (json.dumps(ner) + "\n"))[0] == 2 * ["a text"]
    assert paragraphs(b"a b\n\nc") == ["a b", "c"]
