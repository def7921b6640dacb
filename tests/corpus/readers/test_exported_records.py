"""Tables and JSON objects as services, shops, surveys and people export them: the text of each row
is read, and nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.text_sample import columns


def _read(path: Path, data: str, column: str = "") -> tuple[list[str], str, list[str]]:
    """The paragraphs, the chosen column and the notes."""
    path.write_text(data)
    (source,) = gather([path])
    with path.open("rb") as file:
        (text,) = texts(source, file, CorpusOptions(column=column))
        content = b"".join(text.blocks).decode()
    found = text.findings
    return [part for part in content.split("\n\n") if part.strip()], found.column, found.notes


_TOOT = {
    "id": "112",
    "url": "https://social.example/@anna/112",
    "account": {"username": "anna", "note": "<p>I write very long things about all and more</p>"},
    "content": '<p>Hello <span class="h-card"><a href="https://x.example/@ben" '
    'class="u-url">@<span>'
    "ben</span></a></span>, it&#39;s &amp; rains</p><p>More</p>",
}
_POST = {
    "slug": "hello-world",
    "guid": {"rendered": "https://blog.example/?p=1"},
    "title": {"rendered": "Hello big wide world of mine"},
    "content": {"rendered": "\n<p>Hi all.</p>\n"},
    "head": "<!-- made --><title>Hello big wide world of mine and all</title>",
}
_HTML = "Texts with HTML, read without their tags: {}."


@pytest.mark.parametrize(
    ("name", "data", "column", "wanted", "pages"),
    [
        ("toots.json", json.dumps([_TOOT]), "content", ["Hello @ben, it's & rains", "More"], 1),
        ("posts.json", json.dumps([_POST]), "content.rendered", ["Hi all."], 1),
        (
            "questions.csv",
            "Id,Title,Body,Tags\n"
            '1,How do I sort a long list?,"<p>I want:</p>\n'
            "\n"
            "<pre><code>sorted(x)"
            '</code></pre>",<python><list>\n2,How do I count all of them?,"<p>Why?</p>",<c>\n',
            "Body",
            ["I want:", "sorted(x)", "Why?"],
            2,
        ),
        (
            "products.csv",
            "Handle,Title,Body (HTML),Vendor\n"
            'a-b,Red shirt,"<ul><li>Soft</li><li>Warm</li></ul>",Acme'
            "\nc-d,Blue,Nice<br>one,Acme\n",
            "Body (HTML)",
            ["Soft", "Warm", "Nice\none"],
            2,
        ),
        (
            "reviews.csv",
            "review,sentiment\n"
            '"Great.<br /><br />Loved it",positive\n'
            "if a<b and c>d use <title> now,"
            "negative\n",
            "review",
            ["Great.\nLoved it", "if a<b and c>d use <title> now"],
            1,
        ),
        (
            "escaped.jsonl",
            json.dumps({"text": "Use &lt;div&gt; here.<p>And <i>there</i> the <select> too"}),
            "text",
            ["Use <div> here.", "And there the too"],
            1,
        ),
        ("twice.jsonl", json.dumps({"text": "&lt;p&gt;one &amp;amp; two&lt;/p&gt;"}), "text", 0, 1),
    ],
)
def test_html_in_cells(
    tmp_path: Path, name: str, data: str, column: str, wanted: list[str], pages: int
) -> None:
    paragraphs, chosen, notes = _read(tmp_path / name, data)
    assert paragraphs == (wanted or ["one & two"])
    assert chosen == column
    assert notes == [_HTML.format(pages)]


@pytest.mark.parametrize(
    ("data", "column"),
    [
        ("user,code,review\nLi Wei Zhang,a1,很好吃，下次再来\nWang Fang Li,a2,不错\n", "review"),
        ("who,what\nAnna Schmidt,很好吃下次再来\nBen Miller,不错的地方\n", "what"),
        ("who,ความเห็น\nสมชาย ใจดี,อาหารอร่อยมากครับร้านนี้\nมานี มีนา,แย่มากบริการไม่ดีเลย\n", "ความเห็น"),
        ("name,post\nAnna Schmidt,यह बहुत अच्छा है\nBen Miller,नहीं\n", "post"),
        ("hash,msg\ndGhlcXVpY2tiYWJjZGVm,ok\nZZhlcXVpY2tiYWJjZGVm,yes fine\n", "msg"),
        (
            "url,Name,Comment\n"
            "https://a.example/b/c,Anna Maria Lang,Good!\n"
            "https://b.example,Ben Joe Hill,No\n",
            "Comment",
        ),
        (
            "review/userId,review/profileName,review/summary,review/text\n"
            "A1,John Smith Junior,Nice thing for all of us,Good\n"
            "A2,Mary Lou Hill,Bad thing for all of us,Ok then\n",
            "review/text",
        ),
        (
            "comment_author,comment_date,comment\n"
            "Anna Maria Lang,2024-01-02,ok\n"
            "Ben Joe Hill,2024-01-03,no\n",
            "comment",
        ),
        (
            "title,abstract\n"
            "On the long history of some small words,We count.\n"
            "On more of these words and things,They agree.\n",
            "abstract",
        ),
        (
            "section,answer_given\n"
            "Home and kitchen and garden,good\n"
            "Home and kitchen and garden,bad\n"
            "Home and kitchen and garden,so so\n"
            "Home and kitchen and garden,fine\n"
            "Home and kitchen and garden,no\n",
            "answer_given",
        ),
    ],
)
def test_the_column_of_the_text(tmp_path: Path, data: str, column: str) -> None:
    path = tmp_path / "a.csv"
    assert _read(path, data)[1] == column
    preview = columns(path)
    assert preview is not None
    assert preview.names[preview.text_column] == column


def test_a_field_of_few_objects_is_not_the_text(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"note": f"some words {n}", "id": n} for n in range(20)]
    rows[3]["quoted"] = {"note": "a very long quotation of somebody else in one object only"}
    assert _read(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))[1] == "note"


@pytest.mark.parametrize(
    ("data", "names", "wanted"),
    [
        (
            '"Timestamp","What did you like best about the course this term?"\n'
            '"2024/03/12 6:22:01 PM '
            'GMT+1","The tea"\n"2024/03/12 6:23:01 PM GMT+1","All"\n',
            ("Timestamp", "What did you like best about the course this term?"),
            ["The tea", "All"],
        ),
        ("What did you like?,Why?\nTea,Hot\nMilk,Cold\n", ("What did you like?", "Why?"), None),
        ("word,category\ncat,animal\ndog,animal\n", ("word", "category"), ["cat", "dog"]),
        ("Text\nhi\nyo\n", ("Text",), ["hi", "yo"]),
        (
            "id,comment,comment\n1,one two,x\n2,three four,y\n",
            ("id", "comment", "comment (2)"),
            ["one two", "three four"],
        ),
        (
            'v1,v2,,,\nham,"Go there, now",,,\nspam,Free entry in 2 wkly,,,\n',
            ("v1", "v2", "3", "4", "5"),
            ["Go there, now", "Free entry in 2 wkly"],
        ),
        (
            "Wort,Tiername\n" + "".join(f"w{chr(97 + n)},Tier\n" for n in range(9)),
            ("Wort", "Tiername"),
            None,
        ),
        ("good,I liked it\nbad,I did not like it at all\ngood,Fine\n", ("1", "2"), None),
        ("We saw it there.,x\nAnd this is a longer one,y\n", ("1", "2"), None),
        (
            '"text","label"\n"1","hello there","pos"\n"2","go away","neg"\n',
            ("1", "text", "label"),
            None,
        ),
        (
            "id,text\n1,hello there\nid,text\n2,go away\n",
            ("id", "text"),
            ["hello there", "go away"],
        ),
    ],
)
def test_titles(
    tmp_path: Path, data: str, names: tuple[str, ...], wanted: list[str] | None
) -> None:
    path = tmp_path / "a.csv"
    paragraphs, _, notes = _read(path, data)
    assert wanted is None or paragraphs == wanted
    assert notes == (["Repeated headers, left out: 1."] if data.count("id,text") > 1 else [])
    preview = columns(path)
    assert preview is not None
    assert preview.names == names


@pytest.mark.parametrize(
    ("data", "wanted", "long"),
    [
        (
            "id,text,label\n1,Hello, how are you,pos\n2,Fine,neg\n3,No, no,neg\n",
            ["Hello, how are you", "Fine", "No, no"],
            2,
        ),
        (
            "label,text\npos,I like it, really\nneg,no\nneg,well, no, so\n",
            ["I like it, really", "no", "well, no, so"],
            2,
        ),
        ("id;text\n1;so; and so\n2;there\n", ["so; and so", "there"], 1),
        ("id,text\n1,one,,\n2,two,,\n3,three\n", ["one", "two", "three"], 0),
        (
            "The cat, who was black, sat.\nHello there\nWell, no, so.\nOf course, dear.\n",
            ["The cat, who was black, sat.", "Hello there", "Well, no, so.", "Of course, dear."],
            0,
        ),
        (
            "text\nThe cat, who was black, sat.\nHello there\nWell, no.\n",
            ["The cat, who was black, sat.", "Hello there", "Well, no."],
            0,
        ),
    ],
)
def test_separators_that_nobody_quoted(
    tmp_path: Path, data: str, wanted: list[str], long: int
) -> None:
    paragraphs, _, notes = _read(tmp_path / "a.csv", data)
    assert paragraphs == wanted
    assert notes == (
        [
            f"Rows with more cells than columns: {long}. The extra cells were read as part of the "
            "column “text”."
        ]
        if long
        else []
    )
    if "label" in data:
        labels = _read(tmp_path / "a.csv", data, "label")[0]
        assert {*labels} == {"pos", "neg"}


def test_cells_that_stand_for_nothing(tmp_path: Path) -> None:
    table = "id,text\n1,some words\n2,NA\n3,NULL\n4,nan\n5,\n6,NA is a country code\n7,[deleted]\n"
    paragraphs, _, notes = _read(tmp_path / "a.csv", table)
    assert paragraphs == ["some words", "NA is a country code"]
    assert notes == ["Cells such as NA, which aren’t text, left out: 4."]


def test_addresses_of_links_in_posts(tmp_path: Path) -> None:
    data = json.dumps(
        {"body": "See [this page](https://a.example/b_c) and ![](/x.png) f[i](j) now"}
    )
    assert _read(tmp_path / "a.jsonl", data)[0] == ["See this page and  f[i](j) now"]
