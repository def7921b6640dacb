"""Tables, JSON lines, HTML, EPUB and dumps, compared with other programs and results by hand."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any, TypeGuard
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.text_sample import ask_for, columns
from workbench.corpus.loader import open_corpus
from workbench.corpus.readers import READERS, Document, base
from workbench.corpus.readers.records import LONGEST


def document(name: str, data: bytes | str, column: str = "") -> Document:
    raw = data.encode() if isinstance(data, str) else data
    head, rest = raw[: 1 << 16], io.BytesIO(raw[1 << 16 :])
    return Document(name, name, len(raw), head, rest, CorpusOptions(column=column))


def read(key: str, name: str, data: bytes | str, column: str = "") -> tuple[list[str], Document]:
    source = document(name, data, column)
    text = b"".join(READERS[key].read(source)).decode()
    return [part.strip("\n") for part in text.split("\n\n") if part.strip()], source


CELL = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20).map(str.strip)


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=20),
    delimiter=st.sampled_from(",;|"),
)
def test_tables_are_read_as_the_standard_library_writes_them(
    rows: list[tuple[str, str, str]], delimiter: str
) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(("id", "a text", "more"))
    # Enough rows to show how the table is split; the other rows contain anything.
    writer.writerows([("1", "some words here", "x")] * 30)
    writer.writerows(("7", f'{a}\n{b}, "{c}"', c) for a, b, c in rows)
    texts, source = read("csv", "a.csv", buffer.getvalue(), "a text")
    wanted = ["some words here"] * 30 + [f'{a}\n{b}, "{c}"' for a, b, c in rows]
    assert "\n\n".join(texts).split() == "\n\n".join(wanted).split()
    assert source.findings.column == "a text"


@pytest.mark.parametrize(
    ("name", "text", "column", "wanted"),
    [
        ("a.csv", 'id,text\r\n1,"The cat, ""Tom"","\r\n2,b\r\n', "", ['The cat, "Tom",', "b"]),
        ("a.csv", "1,The cat sat\n2,The dog\n", "", ["The cat sat", "The dog"]),
        ("a.csv", "1,The cat sat\n2,The dog\n", "1", ["1", "2"]),
        (
            "a.csv",
            "The cat sat on a mat\nThe dog ran off\n",
            "",
            ["The cat sat on a mat", "The dog ran off"],
        ),
        ("a.csv", "url,name\nhttp://long.example/a/b/c/d/e/f,two words\n", "", ["two words"]),
        ("a.csv", "ID,Text\n1,x y\n", "text", ["x y"]),
        ("a.csv", "\ufeffid;text\n1;ä b\n", "text", ["ä b"]),
        ("a.tsv", 'id\ttext\n1\tHe said "hi\n2\tand left\n', "", ['He said "hi', "and left"]),
        ("a.tsv", 'id\ttext\n1\t"one\ttwo"\n2\t"three four"\n', "", ["one\ttwo", "three four"]),
        ("a.csv", "", "", []),
    ],
)
def test_tables_by_hand(name: str, text: str, column: str, wanted: list[str]) -> None:
    assert read(name[2:], name, text, column)[0] == wanted


def test_tables_that_do_not_fit() -> None:
    with pytest.raises(
        UserError, match=r"a\.csv has no column “colour”\. Choose one of: id, text\."
    ):
        read("csv", "a.csv", "id,text\n1,x y\n", "colour")
    texts, source = read("csv", "a.csv", "id,text\n1,x y\n2\n3,z\n", "text")
    assert texts == ["x y", "z"]
    assert source.findings.notes == ["Rows too short for this column: 1."]
    # An unclosed quotation mark, and a line without an end, are kept in memory only up to a limit.
    for data in (
        'id,text\n1,"' + "x y\n" * (LONGEST // 4 + 10),
        "id,text\n1," + "x" * (LONGEST + 10),
    ):
        with pytest.raises(
            UserError, match="Line 2 of a.csv, or a quotation that begins there, is longer than"
        ):
            read("csv", "a.csv", data, "text")
    with pytest.raises(UserError, match="Line 1 of a.jsonl"):
        read("jsonl", "a.jsonl", '{"text": "' + "x" * (LONGEST + 10))


def test_json_lines() -> None:
    rows = [
        {"id": "a", "meta": {"body": "A long enough text.", "tags": ["x", "y z"]}},
        {"id": "b", "meta": {"body": "Line one.\nLine two. \ud800 \0 end"}},
        {"id": "c"},
    ]
    data = "\n".join(json.dumps(row) for row in rows) + "\n{damaged\n[1]\n" + "[" * 100_000 + "\n"
    texts, source = read("jsonl", "a.jsonl", data)
    assert texts == ["A long enough text.", "Line one.\nLine two. ?   end"]
    assert source.findings.column == "meta.body"
    assert source.findings.notes == [
        "Lines that aren’t JSON objects, left out: 3, the first in line 4.",
        "Lines without text in this field: 1.",
    ]
    assert read("jsonl", "a.jsonl", data, "meta.tags")[0] == ["x\ny z"]
    assert read("jsonl", "a.jsonl", data, "meta.tags.1")[0] == ["y z"]
    with pytest.raises(
        UserError, match=r"has no field “nope”\. Choose one of: id, meta\.body, meta\.tags\."
    ):
        read("jsonl", "a.jsonl", data, "nope")


def test_the_text_of_a_post_is_read_not_the_longer_words_about_its_author() -> None:
    author = {"name": "Ann", "description": "I paint long fences and write about all their boards"}
    posts = [
        {
            "id": 1,
            "user": author,
            "full_text": "the &quot;barn&quot; burns &amp; falls",
            "lang": "en",
        },
        {"id": 2, "user": author, "full_text": "write &amp; for an & in a page", "lang": "en"},
    ]
    wanted = ['the "barn" burns & falls', "write &amp; for an & in a page"]
    for key, data in (
        ("jsonl", "\n".join(map(json.dumps, posts))),
        ("json", json.dumps(posts)),
    ):
        texts, source = read(key, f"a.{key}", data)
        assert texts == wanted
        assert source.findings.column == "full_text"
    table = "user_description,text,lang\n" + "".join(
        f"{author['description']},{post['full_text']},en\n" for post in posts
    )
    assert read("csv", "a.csv", table)[0] == wanted
    # A status of one word isn't the text of an article, whatever its name is.
    articles = [{"message": "ok", "story": "The barn burned down last night, says the town."}]
    assert read("jsonl", "a.jsonl", json.dumps(articles[0]))[1].findings.column == "story"


def test_numbers_are_columns_but_not_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [
        {
            "text": f"A long enough text {at}.",
            "who": "ann",
            "meta": {"year": 1850 + at, "v": [1, 2]},
        }
        for at in range(3)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = ask_for([str(path)], CorpusOptions())
    assert found is not None
    assert found.names == ("text", "who", "meta.year")
    assert found.preview.rows[1] == ("A long enough text 1.", "ann", "1851")
    assert found.text_column == 0
    assert read("jsonl", "a.jsonl", path.read_text())[0][0] == "A long enough text 0."
    with pytest.raises(UserError, match=r"“meta\.year” of .* contains numbers, not text"):
        read("jsonl", "a.jsonl", path.read_text(), "meta.year")
    # Without a second column of text there is nothing to ask.
    path.write_text("\n".join(json.dumps({**row, "who": 4}) for row in rows))
    assert ask_for([str(path)], CorpusOptions()) is None


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text('ab é\\"\n\ud83d😀,]}', max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("at.", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def holds_lists_of_texts(value: object) -> TypeGuard[list[object]]:
    """Whether something is a list of texts, or consists of such lists and empty ones."""
    if not isinstance(value, list):
        return False
    parts = [part for part in value if part != []]
    texts = bool(value) and all(isinstance(part, str) for part in value)
    return texts or (bool(parts) and all(map(holds_lists_of_texts, parts)))


def texts_of(value: object) -> list[str]:
    """A text, the texts of a list, or all texts of lists of lists."""
    if holds_lists_of_texts(value):
        return [text for part in value for text in texts_of(part)]
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, str)]


@settings(max_examples=150)
@example(elements=[[["one two"], ["three"]], ["four", ["five"]]], indent=None, plain=True, size=7)
@given(
    elements=st.lists(
        VALUES | st.fixed_dictionaries({"text": st.text('xy é"\n', max_size=9)}), max_size=12
    ),
    indent=st.sampled_from([None, 0, 2]),
    plain=st.booleans(),
    size=st.integers(1, 60),
)
def test_arrays_are_read_as_the_standard_library_reads_them(
    elements: list[object], indent: int | None, plain: bool, size: int
) -> None:
    elements = [{"text": "The first one."}, *elements]
    data = json.dumps(elements, indent=indent, ensure_ascii=plain).encode(errors="replace")
    wanted = []
    for element in json.loads(data):
        wanted += texts_of(element.get("text") if isinstance(element, dict) else element)
    with pytest.MonkeyPatch.context() as patch:
        # Cut at any byte, because long texts are read in blocks.
        patch.setattr(base, "BLOCK", size)
        documents, _ = read("json", "a.json", data, "text")
    assert (
        "\n".join(documents).split() == "\n".join(wanted).encode(errors="replace").decode().split()
    )


def test_arrays_of_texts_and_objects() -> None:
    rows = [
        {"id": "a", "meta": {"body": "A long enough text.", "tags": ["x", "y z"]}},
        {"id": "b"},
        17,
        "A text.",
    ]
    texts, source = read("json", "a.json", json.dumps(rows))
    assert texts == ["A long enough text.", "A text."]
    assert source.findings.column == "meta.body"
    assert source.findings.notes == ["Elements without text in this field: 2."]
    assert read("json", "a.json", json.dumps(rows), "meta.tags")[0] == ["x\ny z", "A text."]
    sample = READERS["json"].preview(document("a.json", json.dumps(rows)))
    assert sample is not None
    assert (sample.names, sample.names[sample.text_column]) == (
        ("id", "meta.body", "meta.tags"),
        "meta.body",
    )
    with pytest.raises(
        UserError,
        match=r"a\.json has no field “nope”\. Choose one of: id, meta\.body, meta\.tags\.",
    ):
        read("json", "a.json", json.dumps(rows), "nope")
    assert read("json", "a.json", '\ufeff["one two",\n["three", "four"], ]\n')[0] == [
        "one two",
        "three four",
    ]
    assert read("json", "a.json", '["one two", ["three four", null, "five six"]]')[0] == [
        "one two",
        "three four\nfive six",
    ]
    # The first element alone is longer than the part that is examined.
    long: dict[str, Any] = {"title": "T", "body": "some words here " * 9000, "n": 1}
    for kind, name, data in (
        ("json", "a.json", json.dumps([long])),
        ("jsonl", "a.jsonl", json.dumps(long)),
    ):
        texts, source = read(kind, name, data)
        assert (texts[0].split(), source.findings.column) == (long["body"].split(), "body")
    # A number with more digits than Python converts, and a tab, which JSON strings must escape.
    assert read("json", "a.json", '[{"n": %s, "text": "a\tb"}]' % ("9" * 5000))[0] == ["a\tb"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ('{"a": 1}', "a.json is a JSON object that contains no text. Open an array"),
        ("[1, 2.5, null, [3], {}]", "a.json is an array that contains no text. Open an array"),
        ('["a b"] ["c"]', "a.json has content after the end of its array, in line 1."),
        ('["a b",\n{"a": }, "some text more than enough"]', "Line 2 of a.json isn’t valid JSON"),
        ('["a b"\n\n"c"]', "Line 3 of a.json isn’t valid JSON"),
        (
            '["a b", ' + "[" * 100_000 + "]" * 100_000 + "]",
            "Line 1 of a.json isn’t valid JSON, or is nested too deeply",
        ),
        (
            '["a b",\n"' + "x" * (LONGEST + 10),
            "The element in line 2 of a.json is longer than 16,777,216 characters",
        ),
    ],
    ids=lambda value: value[:12],
)
def test_invalid_arrays_of_json(data: str, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        read("json", "a.json", data)
    assert sentence in str(error.value)


def test_an_array_that_is_still_being_written() -> None:
    for data in (
        '["one two", "three fo',
        '["one two",',
        '["one two"',
        '[{"text": "one two"}, {"text": nul',
    ):
        texts, source = read("json", "a.json", data)
        assert texts == ["one two"]
        assert source.findings.notes == ["The file is truncated; all complete elements were read."]


PAGE = """<!doctype html><html><head><title>T</title><meta charset="utf-8"><style>p {}</style>
<script>if (a < b) document.write("<p>no</p>");</script></head><body>
<h1>Heads &amp; tails</h1><p>One<br>two <b>bo</b>ld</p><ul><li>first<li>second</ul>
a &lt; b &#x41;<!-- not this --><pre>line 1
line 2</pre><table><tr><td>cell<td>next</table><img alt="x" src="data:%s"> after
<svg><text>drawn</text></svg> 5 < 6 end</body></html>"""


def test_html() -> None:
    texts, _ = read("html", "a.html", PAGE % ("A" * 200_000))
    assert texts == [
        "Heads & tails",
        "One\ntwo bold",
        "first",
        "second",
        "a < b A",
        "line 1\nline 2",
        "cell next",
        "after 5 < 6 end",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<!--" * 60_000,
        "<a " * 60_000,
        "<script>" + "x" * 300_000,
        "<" * 200_000,
        "&" * 200_000,
        "<p" + " a='" * 60_000,
    ],
    ids=lambda page: page[:8],
)
def test_html_that_never_closes(page: str) -> None:
    assert len(b"".join(READERS["html"].read(document("a.html", page)))) <= len(page) + 10


def test_html_says_its_encoding() -> None:
    data = '<html><head><meta charset="iso-8859-2"></head><body>Łódź</body></html>'.encode(
        "iso-8859-2"
    )
    texts, source = read("html", "a.html", data)
    assert (texts, source.findings.encoding) == (["Łódź"], "ISO-8859-2")


def book(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


_ROOT = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'


def test_books_that_cannot_be_read() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><package>&b;</package>'
    for data, message in [
        (book(mimetype="application/epub+zip"), "Couldn’t read a.epub"),
        (book(**{"META-INF/container.xml": "<container"}), "The file isn’t well-formed XML"),
        (book(**{"META-INF/container.xml": _ROOT}), "“b.opf” is missing"),
        (book(**{"META-INF/container.xml": _ROOT, "b.opf": bomb}), "declares the entity “b”"),
    ]:
        with pytest.raises(UserError, match=message):
            read("epub", "a.epub", data)


def test_a_book_without_its_table_of_contents() -> None:
    names = ["toc", "one", "two", "three", "notes"]
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in names
    )
    order = "".join(
        f'<itemref idref="{name}"{" linear=" + repr("no") if name == "notes" else ""}/>'
        for name in names
    )
    links = "".join(
        f'<p>{number}. <a href="{name}.xhtml">The {name} gate</a></p>'
        for number, name in enumerate(names[1:4], 1)
    )
    members = {
        "META-INF/container.xml": _ROOT,
        "b.opf": f"<package><manifest>{items}</manifest><spine>{order}</spine></package>",
        "toc.xhtml": f"<html><body><h2>Contents of the book</h2>{links}</body></html>",
        **{f"{name}.xhtml": f"<body><p>Text of {name}.</p></body>" for name in names[1:]},
        # A chapter that only refers to others is text.
        "two.xhtml": f"<body><p>Where the road ends, the gates are to be seen, says </p>{links}"
        "<p>and nobody else, and nothing remains of it.</p></body>",
    }
    texts, source = read("epub", "a.epub", book(**members))
    assert texts[0] == "Text of one."
    assert texts[-2:] == ["Text of three.", "Text of notes."]
    assert "1. The one gate" in texts
    assert source.findings.notes == [
        "1 page is a table of contents and was left out.",
        "1 page outside the order of reading, such as notes, was read.",
    ]
    source = document("a.epub", book(**members))
    source.options = CorpusOptions(notes=False)
    assert b"Text of notes" not in b"".join(READERS["epub"].read(source))
    assert source.findings.notes[1].endswith("was left out.")


def test_dumps_against_a_parser_of_the_whole() -> None:
    pages = [
        ("0", "", "One [[link|label]]s &amp;amp; more."),
        ("4", "", "project"),
        ("0", "<redirect title='x'/>", "gone"),
        ("0", "", "#REDIRECT [[old way]]"),
        ("0", "", "Last &lt;ref&gt;note&lt;/ref&gt; one."),
    ]
    dump = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">' + "".join(
        f"<page><title>t</title><ns>{ns}</ns>{redirect}<revision><text "
        f"xml:space='preserve'>{text}</text></revision>"
        "</page>"
        for ns, redirect, text in pages
    )
    texts, source = read("mediawiki", "a.xml", dump + "</mediawiki>")
    tree = ElementTree.fromstring(dump + "</mediawiki>")
    space = "{http://www.mediawiki.org/xml/export-0.11/}"
    articles = [
        page.findtext(f".//{space}text", "")
        for page in tree
        if page.findtext(f"{space}ns") == "0" and page.find(f"{space}redirect") is None
    ]
    assert len(articles) == 3
    assert texts == ["One labels & more.", "Last one."]
    assert source.findings.notes == []
    # Truncated, like the first gigabyte of a dump.
    texts, source = read("mediawiki", "a.xml", dump[:-90])
    assert texts == ["One labels & more."]
    assert source.findings.notes == ["The file is truncated; what comes before its end was read."]
    nested = '<!DOCTYPE m [<!ENTITY a "bb"><!ENTITY c "&a;&a;">]><mediawiki>&c;</mediawiki>'
    with pytest.raises(UserError, match="declares the entity “c”"):
        read("mediawiki", "a.xml", nested)
    with pytest.raises(UserError, match="isn’t well-formed XML"):
        read("mediawiki", "a.xml", "<mediawiki><page></mediawiki>")


def test_columns_are_known_before_opening(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("id,text,more\n1,a b c,x\n2,d e f,y\n")
    table_columns = columns(table)
    assert table_columns is not None
    assert (table_columns.names, table_columns.text_column, table_columns.preview.rows[1]) == (
        ("id", "text", "more"),
        1,
        ("2", "d e f", "y"),
    )
    plain = tmp_path / "a.txt"
    plain.write_text("no table")
    assert columns(plain) is None
    assert columns(tmp_path) is None
    assert ask_for([str(plain), str(table)], CorpusOptions()) == table_columns
    assert ask_for([str(table)], CorpusOptions(column="text")) is None


@pytest.mark.parametrize(
    ("name", "shown", "letters"),
    [
        ("gb18030", "GB18030", "北京 𠮷"),
        ("big5", "Big5", "臺北"),
        ("Shift_JIS", "Shift JIS", "東京"),
        ("euc-jp", "EUC-JP", "東京"),
        ("EUC-KR", "EUC-KR", "서울"),
        ("koi8-r", "KOI8-R", "Москва"),
        ("windows-1251", "Windows-1251", "Москва"),
        ("utf-16", "UTF-16", "Łódź"),
        ("utf-32", "UTF-32", "Łódź"),
        # Converted to UTF-8, but with the old declaration.
        ("iso-8859-2", "UTF-8", "Łódź"),
    ],
)
def test_dumps_and_books_in_encodings_that_expat_does_not_know(
    name: str, shown: str, letters: str
) -> None:
    codec = "utf-8" if shown == "UTF-8" else name
    start = f'<?xml version="1.0" encoding="{name}"?>\n'
    page = f"<page><ns>0</ns><revision><text>{letters}</text></revision></page>"
    dump = f"{start}<mediawiki>{page}</mediawiki>".encode(codec)
    texts, source = read("mediawiki", "a.xml", dump)
    assert texts == [letters]
    assert (source.findings.encoding, source.findings.undecodable) == (shown, 0)
    package = (
        f'{start}<package><manifest><item id="a" href="{letters}.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
        "</package>"
    )
    members: dict[str, bytes] = {
        "META-INF/container.xml": _ROOT.encode(),
        "b.opf": package.encode(codec),
        f"{letters}.xhtml": f"<html><body>{letters}</body></html>".encode(),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in members.items():
            archive.writestr(path, content)
    assert read("epub", "a.epub", buffer.getvalue())[0] == [letters]


def test_an_unknown_encoding_is_named_with_its_file() -> None:
    start = '<?xml version="1.0" encoding="klingon"?>'
    dump = f"{start}<mediawiki><page><text>tlhIngan Hol</text></page></mediawiki>"
    with pytest.raises(UserError) as error:
        read("mediawiki", "a.xml", dump)
    assert error.value.message == (
        "Couldn’t read a.xml. The file declares the unknown encoding “klingon”."
    )
    assert "encoding" in error.value.hint.lower()
    chosen = document("a.xml", dump)
    chosen.options = CorpusOptions(encoding="ascii")
    assert b"".join(READERS["mediawiki"].read(chosen)).split() == [b"tlhIngan", b"Hol"]
    with pytest.raises(UserError) as error:
        read("epub", "a.epub", book(**{"META-INF/container.xml": start + _ROOT}))
    assert "a.epub" in error.value.message
    assert "the unknown encoding “klingon”" in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ('<?xml version="1.0"?><letter xmlns="urn:x"><p>words', "letter"),
        ("<!-- note -->\n<book><p>words</p></book>\n", "book"),
        ("  <rss><item>words</item></rss>", "rss"),
        ("<set>" + "<item n='1'>words</item>" * 5000, "set"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_xml_that_no_reader_knows_is_refused_by_its_root(
    text: str, root: str, codec: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(text.encode(codec))
    with pytest.raises(UserError) as error:
        open_corpus([path], CorpusOptions())
    assert error.value.message == (
        f"a.xml isn’t text but an XML document with the root element “{root}”."
    )


@pytest.mark.parametrize(
    "text",
    [
        "<3 is a heart",
        "<s> the cat </s>\n<s> the dog </s>",
        "<title>Moby Dick</title>\nCall me Ishmael.",
        "<unk> the <unk> cat\n" * 5000,
        "<doc id='1'>\none & two\n</doc>",
        "<!-- note -->\nwords",
    ],
)
def test_texts_with_tags_remain_texts(text: str) -> None:
    assert b"".join(READERS["plain"].read(document("a.txt", text))).decode() == text


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize("header", ["text", "id,text", "id\ttext", "user name,review text\n"])
def test_a_header_alone_is_no_text(name: str, header: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(header)
    with pytest.raises(UserError) as error:
        open_corpus([path], CorpusOptions())
    assert error.value.message == "a contains no words. The table contains only a header."
