"""Columns of a corpus, beside a plain reading of the same rows."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.corpus import columns
from workbench.corpus.columns import column_names, column_values
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")

_WORDS = ["sun", "moon.", "Tea,", "well-\nknown", "is", "the", "New", "York", "“so”", "it's", "né"]


def _rows(seed: int, number: int = 300) -> list[dict[str, str]]:
    draw = random.Random(seed)
    return [
        {
            "id": f"r{row}",
            "year": str(1990 + row // 10) if draw.random() < 0.9 else "",
            "speaker": draw.choice(["Ann", "Bob", "Zoë"]),
            "text": " ".join(draw.choices(_WORDS, k=draw.randrange(12))),
            "url": "x" * 300,
        }
        for row in range(number)
    ]


def _table(rows: list[dict[str, str]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def _lines(rows: list[dict[str, str]]) -> bytes:
    return "\n".join(
        json.dumps(
            {
                "text": row["text"],
                "meta": {"year": int(row["year"] or 0) or None, "speaker": row["speaker"]},
                "id": row["id"],
                "url": row["url"],
            }
        )
        for row in rows
    ).encode()


def _by_value(corpus: Corpus, name: str) -> dict[str, list[str]]:
    """The words of each value, by its spans."""
    column = column_values(corpus, name)
    found = {
        value: [
            corpus.words[number]
            for begin, end in column.spans(value)
            for number in corpus.ids[begin:end]
        ]
        for value in column.values
    }
    assert [len(found[value]) for value in column.values] == column.tokens().tolist()
    assert column.begins[-1] == corpus.tokens
    assert (np.diff(column.begins) >= 0).all()
    return found


def _expected(rows: list[dict[str, str]], name: str, place: Path, options: CorpusOptions) -> object:
    """Each row as a text of its own, by an independent reading."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row["text"] and row[name]:
            found.setdefault(row[name], [])
            path = place / "row.txt"
            path.write_text(row["text"])
            try:
                own = open_corpus([path], options)
            except UserError:  # without words
                continue
            found[row[name]] += [own.words[number] for number in own.ids]
    return found


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
@pytest.mark.parametrize(
    "options",
    [
        CorpusOptions(),
        CorpusOptions(sentences="punctuation"),
        CorpusOptions(sentences="none", unicode_form="NFKC"),
        CorpusOptions(sentences="auto", stop_words="the is", min_length=3),
        CorpusOptions(tokeniser="regex", pattern=r"\w+"),
        CorpusOptions(tokeniser="whitespace", sentences="paragraphs"),
    ],
)
def test_every_token_has_the_values_of_its_row(
    tmp_path: Path, kind: str, options: CorpusOptions
) -> None:
    rows = _rows(1, 30)
    data = {
        "csv": _table,
        "jsonl": _lines,
        "json": lambda rows: b"[" + _lines(rows).replace(b"\n", b",") + b"]",
    }
    path = tmp_path / f"table.{kind}"
    path.write_bytes(data[kind](rows))
    corpus = open_corpus([path], options.replace(column="text"))
    prefix = "" if kind == "csv" else "meta."
    assert set(column_names(corpus)) == {"id", f"{prefix}year", f"{prefix}speaker"}
    for name in ("year", "speaker"):
        assert _by_value(corpus, prefix + name) == _expected(rows, name, tmp_path, options)
    told = " ".join(list_warnings(corpus))
    assert f"{prefix}speaker (3 values)" in told
    assert "left out: url." in told


def test_columns_are_those_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("plain words\n\x01before\n")
    (tmp_path / "b.csv").write_text("year,text\n1990,one two three\n1991,four five six\n")
    (tmp_path / "c.txt").write_text("more words\n")
    (tmp_path / "d.csv").write_text("place,year,text\nYork,1990,seven eight nine\n")
    (tmp_path / "e.xml").write_text(
        "<TEI><teiHeader><fileDesc><titleStmt><title>Letters</title><author>A. One</author>"
        "<author>B. Two</author></titleStmt><publicationStmt><date>2020</date></publicationStmt>"
        "<sourceDesc><bibl><date when='1837-05'>May</date></bibl></sourceDesc></fileDesc>"
        "</teiHeader><text><p>Dear friend</p></text></TEI>"
    )
    for _ in range(2):  # read, then from the cache
        corpus = open_corpus([tmp_path])
        assert column_names(corpus) == ("year", "place", "title", "author", "date")
        assert _by_value(corpus, "year") == {
            "1990": ["one", "two", "three", "seven", "eight", "nine"],
            "1991": ["four", "five", "six"],
        }
        assert _by_value(corpus, "PLACE") == {"York": ["seven", "eight", "nine"]}
        assert _by_value(corpus, "author") == {"A. One; B. Two": ["dear", "friend"]}
        assert _by_value(corpus, "date") == {"1837-05": ["dear", "friend"]}


def test_the_same_words_in_other_years(tmp_path: Path) -> None:
    """Columns belong to the files, even if two texts are equal."""
    found = []
    for year in (1990, 2000):
        path = tmp_path / f"{year}.csv"
        path.write_text(f"year,text\n{year},one two three four\n")
        found.append(open_corpus([path]))
    assert found[0].digest == found[1].digest
    assert [column_values(corpus, "year").values for corpus in found] == [("1990",), ("2000",)]


def test_phrases_keep_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "\n".join(f"{1990 + row % 2},we saw new york today" for row in range(40))
    path.write_text(f"year,text\n{rows}\n")
    options = CorpusOptions(phrases=1, phrase_threshold=0.001, phrase_min_count=1)
    corpus = open_corpus([path], options)
    assert any("_" in word for word in corpus.words)
    whole = [corpus.words[number] for number in corpus.ids]
    assert _by_value(corpus, "year") == {"1990": whole[: len(whole) // 2]} | {
        "1991": whole[: len(whole) // 2]
    }


def test_moments_are_days(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "at,text\n2020-01-05T10:11:12Z,one two three four\n2020-01-05 11:00,five six seven eight\n"
    )
    assert column_values(open_corpus([path]), "at").values == ("2020-01-05",)


def test_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_VALUES", 20)
    monkeypatch.setattr(columns, "_CHUNK", 16)
    path = tmp_path / "t.csv"
    rows = _rows(2, 60)
    path.write_bytes(_table(rows))
    corpus = open_corpus([path], CorpusOptions(column="text"))
    assert set(column_names(corpus)) == {"year", "speaker"}
    assert _by_value(corpus, "year") == _expected(rows, "year", tmp_path, CorpusOptions())


def test_columns_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("year,text\n1990,one two three four\n")
    corpus = open_corpus([path])
    with pytest.raises(UserError, match=r"has no column “place”\. Choose one of: year\."):
        column_values(corpus, "place")
    assert corpus.folder is not None
    (corpus.folder / str(corpus.metadata["columns"]["folder"]) / "begins").unlink()
    with pytest.raises(UserError, match="no longer in the cache"):
        column_values(corpus, "year")


def test_numbers_of_rows_may_lack_a_title(tmp_path: Path) -> None:
    # As pandas 2.3 writes a data frame by default.
    path = tmp_path / "rows.csv"
    path.write_text(",text,year\n0,hello world again,1990\n1,so it goes,1991\n", "utf-8")
    corpus = open_corpus([path], CorpusOptions())
    assert sorted(corpus.words) == ["again", "goes", "hello", "it", "so", "world"]
    assert column_names(corpus) == ("1", "year")
