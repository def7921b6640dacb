"""Marks of other programs in plain text, which are removed where they are evident."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from workbench.corpus.columns import column_values
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import reader_of
from workbench.corpus.loader import open_corpus
from workbench.corpus.readers import Document

pytestmark = pytest.mark.usefixtures("own_corpora")


def _read(text: str, name: str = "a.txt", encoding: str = "utf-8") -> tuple[str, str, list[str]]:
    """The reader's key, the text and the notes of a document."""
    raw = text.encode(encoding)
    head, rest = raw[: 1 << 16], io.BytesIO(raw[1 << 16 :])
    document = Document(name, name, len(raw), head, rest, CorpusOptions())
    kind = reader_of(document)
    return kind.key, b"".join(kind.read(document)).decode(), document.findings.notes


_FRAME = (
    f"{'-' * 55}\n【テキスト中に現れる記号について】\n\n《》：ルビ\n（例）山《やま》\n{'-' * 55}\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_a_book_of_aozora_bunko(encoding: str) -> None:
    text = (
        f"山と川\n誰か\n\n{_FRAME}\n　山《やま》の｜小さな《ちいさな》川。［＃改ページ］\n"
        "　※［＃「木＋世」、第3水準1-85-56］と※［＃「口＋世」、U+546D、123-4］。\n\n"
        "底本：「山」\n入力：人\n"
    )
    kind, read, notes = _read(text, encoding=encoding)
    assert kind == "aozora"
    assert read == "山と川\n誰か\n\n\n　山の小さな川。\n　枻と呭。\n\n"
    assert notes == [
        "Readings in 《》, notes in ［＃］ and the frame of Aozora Bunko were left out."
    ]


def test_other_brackets_of_this_form_stay() -> None:
    text = "他读《红楼梦》和《水浒传》。\n" * 5 + "「日《ひ》」\n"
    assert _read(text) == ("plain", text, [])


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ("the bo@@ at is re@@ d , 10@@ ,@@ 000 .\n", "the boat is red , 10,000 .\n"),
        ("the bo ##at is re ##d .\n", "the boat is red .\n"),
        ("▁the ▁bo at ▁is ▁re d .\n", "the boat is red.\n"),
        ("the Ġbo at Ġis Ġre d .\n", "the boat is red.\n"),
    ],
)
def test_pieces_of_words_are_joined(cut: str, whole: str) -> None:
    kind, read, notes = _read(5 * cut)
    assert (kind, read) == ("word_pieces", 5 * whole)
    assert notes == ["The words were cut into pieces, which were joined."]


@pytest.mark.parametrize("text", ["## A title\n\nmail me @@ home\n", "@@4000 <p> The boat @ @ @\n"])
def test_marks_of_other_kinds_join_nothing(text: str) -> None:
    kind, read, _ = _read(5 * text)
    assert kind != "word_pieces"
    assert "boat" not in text or "The boat" in read


_ZOOM = (
    "10:01:22\t From Ann B to Everyone : good day\n"
    "10:02:22\t From Bob to Ann B(Direct Message) : old\n"
)
_NEW_ZOOM = (
    "2023-02-03 10:01:22 From Ann B to Everyone:\n\tgood day\n"
    "2023-02-04 10:02:22 From Bob to Everyone:\n\told\n"
)
_LINE = (
    "[LINE] Chat history with Ann\nSaved on: 2023/02/09 10:00\n\n2023/02/03(Fri)\n"
    "10:01\tAnn B\tgood\nday\n10:03\tBob\t[Sticker]\n\n2023/02/04(Sat)\n10:02\tBob\told\n"
)
_KAKAO = (
    "\ufeffAnn 님과 카카오톡 대화\n저장한 날짜 : 2023-02-09 10:00:00\n\n"
    "--------------- 2023년 2월 3일 금요일 ---------------\n[Ann B] [오전 10:01] good day\n"
    "--------------- 2023년 2월 4일 토요일 ---------------\n[Bob] [오후 1:02] old\n"
)
_SIGNAL = (
    "From: Ann B (+49123)\nType: incoming\nSent: Mon, 02 Jan 2023 10:00:00 +0000\n"
    "Received: Mon\n\ngood day\n\n"
    "From: Bob\nType: outgoing\nSent: Tue, 03 Jan 2023 10:00:00 +0000\n\nold\n\n"
)
_OTTER = "Ann B  0:01  \ngood day\n\nBob  1:00:12  \nold\n\nTranscribed by https://otter.ai\n"
_STM = ";; a comment\nt7 A Ann 0.1 2.5 <o,f0,male> good day\nt7 A Bob 2.6 4.5 <o,f0,male> old\n"
_LIBRI = "84-121123-0000 GOOD DAY\n85-121123-0001 OLD\n"
_MOVIE = "L7 +++$+++ u0 +++$+++ m0 +++$+++ {} +++$+++ {}\n"


@pytest.mark.parametrize(
    ("text", "title", "speakers", "dates"),
    [
        (_ZOOM, "Zoom chat", ["Ann B", "Bob"], [""]),
        (_NEW_ZOOM, "Zoom chat", ["Ann B", "Bob"], ["2023-02-03", "2023-02-04"]),
        (_LINE, "LINE chat", ["Ann B", "Bob"], ["2023-02-03", "2023-02-04"]),
        (_KAKAO, "KakaoTalk chat", ["Ann B", "Bob"], ["2023-02-03", "2023-02-04"]),
        (_SIGNAL, "Signal chat", ["Ann B", "Bob"], ["2023-01-02", "2023-01-03"]),
        (_OTTER, "Otter transcript", ["Ann B", "Bob"], [""]),
        (_STM, "STM transcript", ["Ann", "Bob"], [""]),
        (_LIBRI, "LibriSpeech transcript", ["84", "85"], [""]),
        (
            _MOVIE.format("ANN", "Good day.") + _MOVIE.format("BOB", "Old?"),
            "Cornell movie dialogues",
            ["ANN", "BOB"],
            [""],
        ),
    ],
)
def test_lines_of_speech(
    tmp_path: Path, text: str, title: str, speakers: list[str], dates: list[str]
) -> None:
    kind, _, notes = _read(text)
    assert kind == "lines_of_speech"
    assert notes[0] == f"{title}: names and times are columns, not words."
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    corpus = open_corpus([path])
    assert [corpus.words[number] for number in corpus.ids] == ["good", "day", "old"]
    spoken = column_values(corpus, "speaker")
    assert dict(zip(spoken.values, spoken.tokens().tolist(), strict=True)) == dict(
        zip(speakers, (2, 1), strict=True)
    )
    if dates != [""]:
        assert list(column_values(corpus, "date").values) == dates


@pytest.mark.parametrize(
    "text",
    [
        "From: the farm\n\nOld hens.\n\nFrom: the sea\n\nNew boats.\n",
        "Act 1: 10:01 From here to there : a way\nThe end.\n",
        "Lunch  12:30\n",
        "hen 0 1 0.5 1 0 1\negg 1 0 1.5 1 0 0\nfox 1 1 0 1 0 1\n",
    ],
)
def test_prose_has_no_speakers(text: str) -> None:
    assert _read(text)[0] == "plain"


_REUTERS = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" NEWID="1">
<DATE>26-FEB-1987</DATE>
<TOPICS><D>cocoa</D></TOPICS>
<UNKNOWN>
&#5;&#5;C T
 reute</UNKNOWN>
<TEXT>&#2;
<TITLE>OLD &amp; NEW</TITLE>
<DATELINE>    ROME, Feb 26 - </DATELINE><BODY>Rain fell
in town.
&#3;</BODY></TEXT>
</REUTERS>
"""
_TREC = "<DOC>\n<DOCNO> AP-1 </DOCNO>\n<TEXT>\nRain <b>fell</b>.\n</TEXT>\n</DOC>\n"
_GIGAWORD = (
    '<DOC id="A_1" type="story" >\n<HEADLINE>\nOld\n</HEADLINE>\n<TEXT>\n<P>\nRain\n</P>\n'
    "</TEXT>\n</DOC>\n"
)
_EUROPARL = '<CHAPTER ID=1>\nOld\n<SPEAKER ID=1 NAME="Ann">\nRain fell.\n<P>\nThank you.\n'
_COHA = "@@4000 <p> Rain fell . <p> It did n't @ @ @ @ @ @ @ @ @ @ stop .\n"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (_REUTERS * 2, "sgml", "OLD & NEW Rain fell in town. " * 2),
        (_TREC * 2, "sgml", "Rain fell . " * 2),
        (_GIGAWORD * 2, "sgml", "Old Rain " * 2),
        (_EUROPARL, "sgml", "Old Rain fell. Thank you."),
        (_COHA * 2, "sgml", "Rain fell . It did n't stop . " * 2),
        ("<p>Rain &amp; <b>so</b>me</p>\n" * 3, "html", "Rain & some " * 3),
        (
            "{{Short|no}}\n'''Rain''' is [[water|wet]].\n\n== Use ==\n{{main|No}}\n" * 2,
            "wiki_page",
            "Rain is wet. Use " * 2,
        ),
        ("The \\emph{old} hen~is red \\cite{a}. $x^2$\n" * 3, "latex", "The old hen is red . " * 3),
        (
            "<?xml version='1.0'?>\n<corpus>\n<s>\nThe\tDT\tthe\nhens\tNNS\then\n</s>\n</corpus>\n",
            "vertical",
            "The hens",
        ),
        (
            "<?xml version='1.0'?><!DOCTYPE html><html><body><p>Old hens</p></body></html>",
            "html",
            "Old hens",
        ),
    ],
)
def test_markup_without_a_telling_name(text: str, kind: str, words: str) -> None:
    key, read, _ = _read(text)
    assert (key, read.split()) == (kind, words.split())


@pytest.mark.parametrize(
    "text",
    [
        "See [[a list]] of lists.\nNothing more.\nAnd no more.\n",
        "The command \\emph{x} is explained.\nIt has a name.\n",
        "The tag <p> begins a paragraph.\nThe tag </p> ends it.\n",
        "## 4000 things <p> to do\n",
    ],
)
def test_prose_about_markup_stays(text: str) -> None:
    assert _read(text)[:2] == ("plain", text)


def test_both_sides_of_a_parallel_corpus_are_read_in_a_folder(tmp_path: Path) -> None:
    for name in ("ep-v7.de-en.de", "ep-v7.de-en.en", "picture.de", "note.en"):
        (tmp_path / name).write_text(f"word{len(name)}{name[-2:]}\n")
    corpus = open_corpus([tmp_path])
    assert sorted(Path(file.path).name for file in corpus.files) == [
        "ep-v7.de-en.de",
        "ep-v7.de-en.en",
    ]
