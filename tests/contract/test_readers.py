"""Contract of every kind of document (see workbench/corpus/readers/base.py)."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from archives import tar_archive, zip_archive
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import reader_of, texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.readers import READERS, Document, Reader, known_suffixes
from workbench.corpus.readers import base as readers_base

_CONTAINER = b'<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>'
_PACKAGE = b"""<package><manifest><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="a%20one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/></spine></package>"""
BOOK = zip_archive(
    {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "in/book.opf": _PACKAGE,
        "in/a one.xhtml": "<html><body><p>Erstes größeres</p></body></html>".encode(),
        "in/b.xhtml": b"<html><body><p>second chapter</p></body></html>",
    }
)
_PAGE = "<page><title>T</title><ns>{}</ns>{}<revision><text>{}</text></revision></page>"
DUMP = (
    "<mediawiki>"
    + _PAGE.format(0, "", "Erstes '''größeres'''")
    + _PAGE.format(1, "", "talk")
    + _PAGE.format(0, '<redirect title="x"/>', "elsewhere")
    + _PAGE.format(0, "", "second [[x|chapter]]")
    + "</mediawiki>"
)
_CONLLU = "{}\t{}\t{}\t{}\t_\t_\t0\troot\t_\t_\n"
TREEBANK = (
    "# newpar\n"
    + _CONLLU.format(1, "Erstes", "erst", "ADJ")
    + _CONLLU.format(2, "größeres", "groß", "ADJ")
    + "\n# newpar\n"
    + _CONLLU.format(1, "second", "second", "ADJ")
    + _CONLLU.format(2, "chapter", "chapter", "NOUN")
)
_WORD = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>Erstes größeres</w:t></w:r></w:p><w:p><w:r><w:t>second chapter</w:t></w:r>"
    "</w:p></w:body></w:document>"
)
_OPEN = (
    '<o:document-content xmlns:o="o" xmlns:t="t"><o:body><o:text><t:p>Erstes größeres</t:p>'
    "<t:h>second chapter</t:h></o:text></o:body></o:document-content>"
)
_CUE = "{}\n00:00:{:02},000 --> 00:00:{:02},500\n{}\n\n"
PARAGRAPHS = ["Erstes größeres", "second chapter"]


def _chat(about: dict[str, object], *messages: dict[str, object]) -> bytes:
    return json.dumps({**about, "messages": messages}, indent=1, ensure_ascii=False).encode()


# For each kind, a document that contains these two paragraphs.
DOCUMENTS: dict[str, tuple[str, bytes]] = {
    "plain": ("a.txt", "Erstes größeres\n\nsecond chapter\n".encode()),
    "csv": ("a.csv", "id,text\n1,Erstes größeres\n2,second chapter\n".encode()),
    "tsv": ("a.tsv", "id\ttext\n1\tErstes größeres\n2\tsecond chapter\n".encode()),
    "table": ("table.txt", "id\ttext\n1\tErstes größeres\n2\tsecond chapter\n".encode()),
    "jsonl": (
        "a.jsonl",
        "".join(
            json.dumps({"id": 1, "text": part}, ensure_ascii=False) + "\n" for part in PARAGRAPHS
        ).encode(),
    ),
    "json": (
        "a.json",
        json.dumps([{"id": 1, "text": part} for part in PARAGRAPHS], indent=1).encode(),
    ),
    "html": (
        "a.html",
        "<html><body><p>Erstes gr&ouml;ßeres<p>second chapter<script>no</script></html>".encode(),
    ),
    "epub": ("a.epub", BOOK),
    "mediawiki": ("a.xml", DUMP.encode()),
    "conllu": ("a.conllu", TREEBANK.encode()),
    "vertical": (
        "a.vert",
        "<doc>\n<s>\nErstes\tADJ\ngrößeres\tADJ\n</s>\n</doc>\n<doc>\n<s>\nsecond\tADJ\n"
        "chapter\tNOUN\n</s>\n</doc>\n".encode(),
    ),
    "subtitles": (
        "a.srt",
        (
            _CUE.format(1, 1, 2, "Erstes größeres") + _CUE.format(2, 30, 31, "second chapter")
        ).encode(),
    ),
    "latex": (
        "a.tex",
        rb"\documentclass{book}\begin{document}" + "Erstes größeres\n\nsecond chapter\n".encode(),
    ),
    "gutenberg": (
        "pg1.txt",
        "*** START OF THE PROJECT GUTENBERG EBOOK A ***\nErstes größeres\n\nsecond chapter\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK A ***\nlicence\n".encode(),
    ),
    "usfm": (
        "01GEN.usfm",
        "\\id GEN no\n\\c 1\n\\p\n\\v 1 Erstes größeres\\f + \\ft no\\f*\n\\p\n"
        "\\v 2 second chapter\n".encode(),
    ),
    "web_archive": (
        "a.warc.wet",
        "".join(
            f"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\n"
            f"Content-Length: {len(part.encode())}\r\n\r\n{part}\r\n\r\n"
            for part in PARAGRAPHS
        ).encode(),
    ),
    "current_url": (
        "itwac.txt",
        "".join(f"CURRENT URL http://a.example/no\n{part}\n" for part in PARAGRAPHS).encode(),
    ),
    "web_of_science": (
        "savedrecs.txt",
        "FN no\nVR 1.0\n{}EF\n".format(
            "".join(f"PT J\nTI no\nAB {part}\nER\n\n" for part in PARAGRAPHS)
        ).encode(),
    ),
    "aozora": (
        "kokoro.txt",
        "Erstes ｜größeres《よみ》［＃改］\n\nsecond ｜chapter《しょう》\n\n底本：\n".encode(),
    ),
    "word_pieces": (
        "pieces.txt",
        "Erst@@ es größ@@ er@@ es\n\nsec@@ ond chap@@ ter\n".encode(),
    ),
    "wiki_page": (
        "page.wiki",
        "{{Short|no}}\n\n'''Erstes''' [[big|größeres]]\n\n== second chapter ==\n".encode(),
    ),
    "sgml": (
        "reut2-000.sgm",
        "<DOC>\n<DOCNO> no </DOCNO>\n<TEXT>\nErstes größeres\n</TEXT>\n</DOC>\n<DOC>\n"
        "<DOCNO> no </DOCNO>\n<TEXT>\nsecond chapter\n</TEXT>\n</DOC>\n".encode(),
    ),
    "lines_of_speech": (
        "meeting_saved_chat.txt",
        "10:01:22\t From Ann to Everyone : Erstes größeres\n"
        "10:02:30\t From Bob to Everyone : second chapter\n".encode(),
    ),
    "wiki_extractor": (
        "wiki_00",
        '<doc id="1" url="u" title="T">\nErstes größeres\n</doc>\n<doc id="2" url="u" title="T">\n'
        "second chapter\n</doc>\n".encode(),
    ),
    "tei": (
        "tei.xml",
        "<TEI><teiHeader><p>about</p></teiHeader><text><body><p>Erstes größeres</p>"
        "<p>second chapter</p></body></text></TEI>".encode(),
    ),
    "xml_words": (
        "folia.xml",
        '<FoLiA><metadata/><text><p><s><w><t>Erstes</t><lemma class="erst"/></w><w><t>größeres</t>'
        "</w></s></p><p><s><t>second chapter</t></s></p></text></FoLiA>".encode(),
    ),
    "page_layout": (
        "page.xml",
        '<alto><TextBlock><TextLine><String CONTENT="Erstes"/><SP/><String CONTENT="größeres"/>'
        '</TextLine></TextBlock><TextBlock><TextLine><String CONTENT="second"/><SP/>'
        '<String CONTENT="chapter"/></TextLine></TextBlock></alto>'.encode(),
    ),
    "chat": (
        "a.cha",
        "@UTF8\n@Begin\n*CHI:\tErstes größeres\n%mor:\tno\n*MOT:\tsecond [/] second\n"
        "\tchapter\n@End\n".encode(),
    ),
    "textgrid": (
        "a.TextGrid",
        'File type = "ooTextFile"\nObject class = "TextGrid"\n0 9 <exists> 1 "IntervalTier" "words"'
        ' 0 9 3 0 2 "Erstes größeres" 2 7 "" 7 9 "second chapter"\n'.encode(),
    ),
    "elan": (
        "a.eaf",
        '<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="0"/>'
        '<TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="900"/><TIME_SLOT TIME_SLOT_ID="c" '
        'TIME_VALUE="2100"/></TIME_ORDER><TIER TIER_ID="K" LINGUISTIC_TYPE_REF="u"><ANNOTATION>'
        '<ALIGNABLE_ANNOTATION ANNOTATION_ID="1" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b">'
        "<ANNOTATION_VALUE>Erstes größeres</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        '</TIER><TIER TIER_ID="L" LINGUISTIC_TYPE_REF="u"><ANNOTATION><ALIGNABLE_ANNOTATION '
        'TIME_SLOT_REF1="c"><ANNOTATION_VALUE>second chapter</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>".encode(),
    ),
    "ttml": (
        "a.ttml",
        '<tt xmlns="http://www.w3.org/ns/ttml"><head><metadata>no</metadata></head><body><div>'
        '<p begin="00:00:01.000" end="00:00:02.000">Erstes<br/><span>größeres</span></p>'
        '<p begin="30s" end="31s">second chapter</p></div></body></tt>'.encode(),
    ),
    "stack_exchange": (
        "Posts.xml",
        '<?xml version="1.0" encoding="utf-8"?><posts><row Id="1" CreationDate="2010-01-02" '
        'Body="&lt;p&gt;Erstes &lt;b&gt;größeres&lt;/b&gt;&lt;pre&gt;code&lt;/pre&gt;"/>'
        '<row Id="2" Title="second chapter" Body=""/></posts>'.encode(),
    ),
    "mime_message": (
        "a.eml",
        b"From: a@b.example\r\nMIME-Version: 1.0\r\nSubject: no\r\nContent-Type: text/plain; "
        b"charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"Erstes gr=C3=B6=C3=9Fer=\r\nes\r\n\r\nsecond chapter\r\n",
    ),
    "fiction_book": (
        "a.fb2",
        "<FictionBook><description><p>no</p></description><body><section><p>Erstes größeres"
        '<a type="note">1</a></p><p>second chapter</p></section></body><binary>AA</binary>'
        "</FictionBook>".encode(),
    ),
    "journal_article": (
        "a.nxml",
        "<article><front><article-meta><title-group><article-title>Erstes größeres</article-title>"
        "</title-group></article-meta></front><body><p>second chapter<xref ref-type='bibr'>1</xref>"
        "</p></body><back><ref-list><ref>no</ref></ref-list></back></article>".encode(),
    ),
    "numbered_sentences": (
        "deu_news_2020_10K-sentences.txt",
        "7\tErstes größeres\n8\tsecond chapter\n".encode(),
    ),
    "markdown": (
        "a.md",
        "---\ntitle: no\n---\nErstes [größeres](https://a.example/b_(c).html)\n\n```sh\nno\n```\n"
        "\nsecond chapter[^1]\n".encode(),
    ),
    "conll2003": (
        "train",
        "-DOCSTART- -X- -X- O\n\nErstes ADJ I-NP O\ngrößeres ADJ I-NP O\n\n-DOCSTART- -X- -X- O\n"
        "\nsecond ADJ I-NP O\nchapter NN I-NP O\n".encode(),
    ),
    "conll2012": (
        "a.gold_conll",
        (
            "#begin document (a); part 000\n"
            + "".join(
                f"a 0 {at} {word} NN (S* - - - - * -\n" + "\n" * (at % 2)
                for at, word in enumerate(("Erstes", "größeres", "second", "chapter"))
            ).replace("\n\na", "\n#end document\na", 1)
            + "#end document\n"
        ).encode(),
    ),
    "brackets": (
        "a.mrg",
        "( (NP (JJ Erstes) (JJ größeres)) )\n\n( (NP (JJ second) (NN chapter)) )\n".encode(),
    ),
    "slashes": (
        "c01.pos",
        "Erstes/AT größeres/JJ\n\nsecond/AP chapter/NN\n".encode(),
    ),
    "bibtex": (
        "a.bib",
        b'@article{a, title={T}, abstract={Erstes gr{\\"o}{\\ss}eres}, year=2001}\n\n@book{b,\n'
        b'abstract = "second\nchapter",\n}\n',
    ),
    "ris": (
        "a.ris",
        "TY  - JOUR\nTI  - T\nAB  - Erstes größeres\nER  - \n\nTY  - BOOK\nAB  - second\nchapter\n"
        "ER  - \n".encode(),
    ),
    "whatsapp": (
        "chat.txt",
        "[12.03.24, 18:22:01] Anna: Erstes größeres\n[12.03.24, 18:23:01] Ben: second\nchapter\n"
        "\u200e[12.03.24, 18:24:01] Ben: \u200eBild weggelassen\n".encode(),
    ),
    "telegram": (
        "result.json",
        _chat(
            {"name": "Anna"},
            {"type": "message", "date_unixtime": "1", "from": "Anna", "text": PARAGRAPHS[0]},
            {"type": "message", "text": ["second ", {"type": "bold", "text": "chapter"}]},
        ),
    ),
    "discord": (
        "discord.json",
        _chat(
            {"guild": {"name": "S"}, "channel": {"name": "c"}},
            *({"type": "Default", "content": part, "author": {"name": "a"}} for part in PARAGRAPHS),
        ),
    ),
    "slack": (
        "2024-03-12.json",
        json.dumps(
            [{"type": "message", "text": part, "ts": "1.5"} for part in PARAGRAPHS]
        ).encode(),
    ),
    "messenger": (
        "message_1.json",
        _chat(
            {"participants": []},
            *({"sender_name": "a", "timestamp_ms": 1, "content": part} for part in PARAGRAPHS),
        ),
    ),
    "assistants": (
        "conversations.json",
        json.dumps(
            [{"messages": [{"role": "user", "content": part} for part in PARAGRAPHS]}]
        ).encode(),
    ),
    "irc": (
        "a.log",
        "[12:03] <anna> Erstes größeres\n[12:04] *** Joins: ben (b@c)\n[12:04] <ben> anna: second "
        "chapter\n".encode(),
    ),
    "docx": ("a.docx", zip_archive({"word/document.xml": _WORD.encode()})),
    "odt": (
        "a.odt",
        zip_archive(
            {"mimetype": b"m", "content.xml": _OPEN.encode(), "META-INF/manifest.xml": b""}
        ),
    ),
}
each = pytest.mark.parametrize("kind", list(READERS), ids=lambda kind: kind.key)


def document(name: str, data: bytes, options: CorpusOptions | None = None) -> Document:
    return Document(
        name,
        name,
        len(data),
        data[: 1 << 16],
        io.BytesIO(data[1 << 16 :]),
        options or CorpusOptions(),
    )


def paragraphs(data: bytes) -> list[str]:
    return [" ".join(part.split()) for part in data.decode().split("\n\n") if part.strip()]


def read(path: Path) -> list[str]:
    (source,) = gather([path])
    with path.open("rb") as file:
        return [part for text in texts(source, file) for part in paragraphs(b"".join(text.blocks))]


@each
def test_it_is_known_and_read(kind: type[Reader]) -> None:
    name, data = DOCUMENTS[kind.key]
    assert kind.title
    assert reader_of(document(name, data)) is kind
    assert paragraphs(b"".join(kind.read(document(name, data)))) == PARAGRAPHS
    assert (kind.preview(document(name, data)) is not None) == kind.columns


@each
@pytest.mark.parametrize("size", [1, 7])
def test_blocks_may_be_cut_anywhere(
    kind: type[Reader], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers_base, "BLOCK", size)
    assert paragraphs(b"".join(kind.read(document(*DOCUMENTS[kind.key])))) == PARAGRAPHS


PACKED: list[tuple[str, Callable[[str, bytes], bytes]]] = [
    (".gz", lambda name, data: gzip.compress(data)),
    (".bz2", lambda name, data: bz2.compress(data[:9]) + bz2.compress(data[9:])),
    (".xz", lambda name, data: lzma.compress(data)),
    (".zip", lambda name, data: zip_archive({f"deep/in/{name}": data})),
    (".tar.gz", lambda name, data: gzip.compress(tar_archive({name: data}))),
]


@each
@pytest.mark.parametrize(
    ("suffix", "pack"), PACKED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_it_is_read_inside_of_archives(
    kind: type[Reader], suffix: str, pack: Callable[[str, bytes], bytes], tmp_path: Path
) -> None:
    name, data = DOCUMENTS[kind.key]
    path = tmp_path / f"{name}{suffix}"
    path.write_bytes(pack(name, data))
    assert read(path) == PARAGRAPHS


def test_folders_take_every_kind(tmp_path: Path) -> None:
    for name, data in DOCUMENTS.values():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "settings.xml").write_text("<settings/>")
    (tmp_path / "settings.json").write_text('{"a": 1}')
    (tmp_path / "numbers.json").write_text("[1, 2, [3, 4], {}]")
    found = {}
    for source in gather([tmp_path]):
        with source.path.open("rb") as file:
            for text in texts(source, file):
                if text.findings.failure is not None:
                    assert Path(text.path).stem in ("settings", "numbers")
                    continue
                found[text.kind] = paragraphs(b"".join(text.blocks))
    assert found == {kind.key: PARAGRAPHS for kind in READERS}
    suffixes = [suffix for kind in READERS for suffix in kind.suffixes]
    assert len(set(suffixes)) == len(suffixes) == len(known_suffixes())


@each
@settings(max_examples=60)
@given(data=st.data())
def test_damaged_ones_are_read_or_refused(kind: type[Reader], data: st.DataObject) -> None:
    name, whole = DOCUMENTS[kind.key]
    buffer = bytearray(whole)
    for at, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=12)
    ):
        buffer[at] = byte
    begin, end = sorted(
        (data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, len(whole))))
    )
    again = data.draw(st.integers(0, 3))
    content = bytes(buffer[:begin] + buffer[begin:end] * again + buffer[end:])
    _read_or_refuse(kind, name, content)


@each
@settings(max_examples=40)
@given(
    data=st.one_of(
        st.binary(max_size=300),
        st.text(max_size=200).map(lambda text: text.encode(errors="replace")),
    )
)
def test_anything_is_read_or_refused(kind: type[Reader], data: bytes) -> None:
    _read_or_refuse(kind, DOCUMENTS[kind.key][0], data)


def _read_or_refuse(kind: type[Reader], name: str, data: bytes) -> None:
    with suppress(UserError):
        text = b"".join(kind.read(document(name, data)))
        text.decode()
        assert len(text) <= 4 * len(data) + 16 * 1024
    if kind.columns and data:
        kind.preview(document(name, data))
