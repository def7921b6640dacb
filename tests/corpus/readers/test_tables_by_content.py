"""Tables in files of any name, and tables below titles and comments: names of columns, numbers and
other cells are no words; prose with tabs, commas and bars stays prose.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.readers.tabular import quoted_rows


def _read(
    path: Path, text: str, encoding: str = "utf-8", column: str = ""
) -> tuple[str, list[str], str]:
    """The kind, the paragraphs, and the notes."""
    path.write_bytes(text.encode(encoding))
    (source,) = gather([path])
    with path.open("rb") as file:
        (read,) = texts(source, file, CorpusOptions(column=column))
        content = b"".join(read.blocks).decode()
    assert read.findings.failure is None
    notes = " ".join(read.findings.notes)
    return read.kind, [part for part in content.split("\n\n") if part.strip()], notes


_POSTS = ["snow falls, and stays", "rain follows", "the roof leaks"]


def _table(mark: str, header: str) -> str:
    rows = [mark.join((str(at), "2021-03-04", post)) for at, post in enumerate(_POSTS, 1)]
    return "\n".join([header.replace(" ", mark), *rows, ""])


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (_table("\t", "id date tweet"), "utf-8"),
        (_table("\t", "id Datum Kommentar").replace("\n", "\r\n"), "utf-16"),
        (_table("|", "id date text"), "utf-8"),
        (_table(";", "id date text"), "utf-8-sig"),
    ],
)
def test_a_table_in_a_text_file(tmp_path: Path, text: str, encoding: str) -> None:
    kind, read, notes = _read(tmp_path / "a.txt", text, encoding)
    assert (kind, read) == ("table", _POSTS)
    assert "contains a table" in notes


def test_numbers_beside_verses(tmp_path: Path) -> None:
    rows = [
        f"Snow\t{at // 4 + 1}\t{at % 4 + 1}\tverse {at} tells of snow and rain" for at in range(8)
    ]
    kind, read, _ = _read(tmp_path / "a.txt", "\n".join(rows))
    assert (kind, read) == ("table", [row.rpartition("\t")[2] for row in rows])


def test_tokens_of_any_name(tmp_path: Path) -> None:
    tokens = "Snow falls . The roof leaks .".split()
    rows = [f"{1 + (at > 2)}\t{at}\t{token}\tX\n" for at, token in enumerate(tokens)]
    text = "sentence_ID\ttoken_ID\tword\tevent\n" + "".join(rows)
    assert _read(tmp_path / "a.tokens", text)[1] == ["Snow falls .", "The roof leaks ."]


@pytest.mark.parametrize(
    "text",
    [
        # Verse, a play, a recipe, a list, a contents page, prose with bars, and indented lines.
        "Snow, rain,\nwind, sun,\nroof, door,\nall, gone.\n" * 3,
        "ANN\tThe snow falls on the roof.\nBOB\tIt rains on the door.\n" * 4,
        "200 g\tflour\n3\teggs\n1 l\tmilk\n1\tapple\n2\tpears\n",
        "2\tcups\tflour\n1\tcup\tsugar\n3\tlarge\teggs\n1\tpinch\tsalt\n2\tcups\tmilk\n",
        "title, author, year and place\nwere on the label, in red, all small,\nand I read, "
        "slowly, the rest,\nas it was, there, again,\n",
        "Snow\t1\nRain\t12\nWind\t30\nSun\t41\nFog\t50\nHail\t60\n",
        "text|image|sound\nare three media\n\nof the museum\n",
        "\tSnow falls on the roof.\n\tRain follows in the evening.\n" * 5,
    ],
)
def test_prose_is_no_table(tmp_path: Path, text: str) -> None:
    kind, _, notes = _read(tmp_path / "a.txt", text)
    assert kind == "plain"
    assert not notes


@pytest.mark.parametrize(
    ("name", "above", "mark"),
    [
        ("a.csv", "# exported 2023-01-01\n", ";"),
        ("b.csv", "# exported 2023\n# by Ann\n", "|"),
        ("c.csv", "sep=;\n", ";"),
        ("d.csv", "Survey 2023;;\n;;\n", ";"),
        ("e.csv", "Survey of the year 2023\n\n", ";"),
        ("f.tsv", "Survey of the year 2023\n", "\t"),
    ],
)
def test_lines_above_the_names_of_columns(tmp_path: Path, name: str, above: str, mark: str) -> None:
    text = above + _table(mark, "id date answer")
    _, read, notes = _read(tmp_path / name, text)
    assert read == _POSTS
    assert f"left out: {above.count(chr(10))}." in notes
    assert _read(tmp_path / name, text, column="date")[1] == 3 * ["2021-03-04"]


@pytest.mark.parametrize(
    "text",
    [
        "#,text\n1,snow falls\n2,rain follows\n",
        "text,\nsnow falls on the roof,\nrain follows,\n",
        "text\nsnow falls on the roof\nrain follows\n",
    ],
)
def test_tables_with_nothing_above_them(tmp_path: Path, text: str) -> None:
    _, read, notes = _read(tmp_path / "a.csv", text)
    assert [row.split()[0] for row in read] == ["snow", "rain"]
    assert "left out" not in notes


_OPEN = "Their lines were read as rows"
_MAYBE = "may be rows of their own"


@pytest.mark.parametrize(
    ("text", "rows", "note"),
    [
        # Never closed.
        (
            'id,text\n1,"snow falls\n2,rain follows\n3,wind\n',
            ['"snow falls', "rain follows", "wind"],
            f"aren’t closed: 1, the first in line 2. {_OPEN}",
        ),
        # Closed by a mark that begins another cell, which text follows, or that is a cell.
        (
            'id,text\n1,rain\n2,"snow falls\n3,rain\n4,"wind blows\n5,sun\n',
            ["rain", '"snow falls', "rain", '"wind blows', "sun"],
            f"aren’t closed: 2, the first in line 3. {_OPEN}",
        ),
        ('id,text\n1,"\n2,rain\n3,"\n4,sun\n', ['"', "rain", '"', "sun"], _OPEN),
        # A quoted cell after an open mark is one.
        ('id,text\n1,"snow\n2,"rain, wind"\n3,sun\n', ['"snow', "rain, wind", "sun"], _OPEN),
        # Cells over several lines.
        ('id,text\n1,"snow\nfalls"\n2,"a ""b"""\n', ["snow\nfalls", 'a "b"'], ""),
        ('id,text\n1,"snow, she said\nand, ice"\n2,sun\n', ["snow, she said\nand, ice", "sun"], ""),
        ('id,text\n1,"a list:\n2,b"\n2,sun\n', ["a list:\n2,b", "sun"], _MAYBE),
        # Without numbers, nothing says whether these lines are rows.
        ('text,name\nsnow falls,"\nrain,"\nsun shines,Bob\n', ["snow falls", "sun shines"], _MAYBE),
        # An open mark in a row with other quoted cells.
        ('text,name\n"a, b","\n"c, d",e\n', ["a, b"], "line 2 isn’t closed"),
    ],
)
def test_open_quotation_marks_swallow_no_rows(
    tmp_path: Path, text: str, rows: list[str], note: str
) -> None:
    _, read, notes = _read(tmp_path / "a.csv", text)
    assert read == rows
    assert note in notes
    assert bool(note) == bool(notes)


def test_a_long_table_after_an_open_quotation_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quoted_rows, "LONGEST", 4000)
    rows = [f"{at},row {at}" for at in range(1000)]
    rows[10] = '10,"row 10'
    _, read, notes = _read(tmp_path / "a.csv", "\n".join(["id,text", *rows, ""]))
    assert [row.strip('"') for row in read] == [f"row {at}" for at in range(1000)]
    assert "the first in line 12" in notes
