"""Annotated corpora, editions, recognised pages, subtitles, LaTeX and office documents: the words
that a person would read there.
"""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from archives import zip_archive

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import reader_of, texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.readers import READERS, Document
from workbench.corpus.tokenise.text_repairs import LINE_END


def document(name: str, data: bytes | str, **options: Any) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    head, rest = raw[: 1 << 16], io.BytesIO(raw[1 << 16 :])
    return Document(name, name, len(raw), head, rest, CorpusOptions(**options))


def read(name: str, data: bytes | str, **options: Any) -> list[str]:
    """The paragraphs of a document, read by the reader that recognises it."""
    source = document(name, data, **options)
    text = b"".join(reader_of(source).read(source)).decode()
    return [part.strip("\n") for part in text.split("\n\n") if part.strip()]


TREEBANK = """# newdoc id = farm
# sent_id = 1
1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
1\tca\tcan\tAUX\tMD\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tsleep\tsleep\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
3.1\tslept\tsleep\tVERB\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

1\tCows\tcow\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tgraze\t_\tVERB\tVBP\t_\t0\troot\t_\t_
"""


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ["can't sleep .\nCows graze"]),
        ({"column": "lemma"}, ["can not sleep .\ncow graze"]),
        ({"column": "lemma", "parts_of_speech": "noun, VERB"}, ["sleep\ncow graze"]),
        ({"parts_of_speech": "VERB"}, ["sleep\ngraze"]),
        ({"column": "5"}, ["MD RB VB .\nNNS VBP"]),
        (
            {"column": "lemma_upos", "tokeniser": "whitespace", "parts_of_speech": "NOUN"},
            ["cow_NOUN"],
        ),
    ],
)
def test_treebanks(options: dict[str, Any], wanted: list[str]) -> None:
    assert read("a.conllu", TREEBANK, **options) == wanted
    # A name without a known suffix is enough, because the content decides.
    assert read("farm.txt", TREEBANK, **options) == wanted


def test_tokens_of_a_script_without_spaces_stay_apart() -> None:
    rows = "".join(
        f"{at}\t{word}\t{word}\tX\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        for at, word in enumerate("我 用 刀 切 菜".split(), 1)
    )
    assert read("a.conllu", rows + "\n") == ["我 用 刀 切 菜"]


def test_a_column_that_the_tokeniser_would_split_is_refused() -> None:
    with pytest.raises(UserError, match="joins words and tags by an underscore"):
        read("a.conllu", TREEBANK, column="lemma_upos")
    with pytest.raises(UserError, match="has no column “stem”"):
        read("a.conllu", TREEBANK, column="stem")


VERTICAL = """<doc id="a">
<s>
Two\tCD\ttwo
oxen\tNNS\tox
<g/>
.\tSENT\t.
</s>
<s>
Oxen\tNNS\tox
pulled\tVVD\tpull
</s>
</doc>
<doc id="b">
<s>
Rain\tNN\train
</s>
</doc>
"""


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ["Two oxen .\nOxen pulled", "Rain"]),
        ({"column": "lemma"}, ["two ox .\nox pull", "rain"]),
        ({"column": "lemma", "parts_of_speech": "NNS"}, ["ox\nox"]),
        (
            {"column": "lemma_tag", "tokeniser": "whitespace"},
            ["two_CD ox_NNS ._SENT\nox_NNS pull_VVD", "rain_NN"],
        ),
    ],
)
def test_vertical_files(options: dict[str, Any], wanted: list[str]) -> None:
    assert read("a.vert", VERTICAL, **options) == wanted
    assert read("a.txt", VERTICAL, **options) == wanted


LEMPOS = """<s>
The\tDT\tthe-x
Cats\tNNS\tcat-n
well-fed\tJJ\twell-fed-j
slept\tVVD\tsleep-v
</s>
"""


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, "The Cats well-fed slept"),
        ({"column": "lemma"}, "the cat well-fed sleep"),
        ({"column": "lemma", "parts_of_speech": "N, v"}, "cat sleep"),
        ({"column": "lemma", "parts_of_speech": "nns"}, "cat"),
        ({"column": "lempos", "tokeniser": "whitespace"}, "the-x cat-n well-fed-j sleep-v"),
        (
            {"column": "lemma_tag", "tokeniser": "whitespace"},
            "the_DT cat_NNS well-fed_JJ sleep_VVD",
        ),
    ],
)
def test_lemmas_with_their_parts_of_speech(options: dict[str, Any], wanted: str) -> None:
    """Lempos of Sketch Engine, beside a tag, with a lemma of its own, and alone."""
    assert read("a.vert", LEMPOS, **options) == [wanted]
    with_lemma = LEMPOS.replace("cat-n", "cat-n\tcat").replace("the-x", "the-x\tthe")
    with_lemma = with_lemma.replace("sleep-v", "sleep-v\tsleep").replace("-j", "-j\twell-fed")
    assert read("a.vert", with_lemma, **options) == [wanted]
    alone = "\n".join(re.sub(r"\t[A-Z]+", "", row) for row in LEMPOS.split("\n"))
    if "tag" not in options.get("column", "") and options.get("parts_of_speech") != "nns":
        assert read("a.vert", alone, **options) == [wanted]


@pytest.mark.parametrize(("name", "text"), [("a.conllu", TREEBANK), ("a.vert", VERTICAL)])
def test_a_part_of_speech_that_does_not_occur(name: str, text: str) -> None:
    source = document(name, text, parts_of_speech="NOUNS, nn")
    list(reader_of(source).read(source))
    note = source.findings.notes[0]
    assert "“NOUNS”" in note
    assert "“nn”" in note or name == "a.vert"
    assert ("AUX" if name == "a.conllu" else "NNS") in note
    source = document(name, text, parts_of_speech="nns")
    list(reader_of(source).read(source))
    assert source.findings.notes == []


def test_subtitles_are_what_a_viewer_reads() -> None:
    srt = (
        "\ufeff1\n00:00:01,000 --> 00:00:03,500\n<i>Who rang\nthe bell?</i>\n\n"
        "2\n00:00:04,000 --> 00:00:06,000 X1:100 Y1:20\n- Nobody.\n- {\\an8}Nobody?\n\n"
        "3\n00:01:07,000 --> 00:01:09,000\n[a dog barks] Fish &amp; chips\n"
    )
    assert read("a.srt", srt) == [
        "Who rang the bell?\nNobody.\nNobody?",
        "[a dog barks] Fish & chips",
    ]
    vtt = (
        "WEBVTT - A film\n\nNOTE\nnot spoken\n\nSTYLE\n::cue { color: red }\n\n"
        "first\n00:01.000 --> 00:03.000 line:0\n<v Ann>Come <00:02.000><c.loud>in</c>!\n"
    )
    assert read("a.vtt", vtt.replace("\n", "\r\n")) == ["Come in!"]


def test_captions_that_roll_up_are_read_once() -> None:
    """YouTube’s captions: a line grows, is repeated alone, then above the next one."""
    lines = ["hello everyone", "welcome to the", "garden of hens"]
    cues = []
    before = " "
    for at, line in enumerate(lines):
        first, *others = line.split()
        timed = first + "".join(f"<00:00:0{at}.500><c> {word}</c>" for word in others)
        place = "align:start position:0%"
        cues += [
            f"00:00:0{at}.000 --> 00:00:0{at}.990 {place}\n{before}\n{timed}\n",
            f"00:00:0{at}.990 --> 00:00:0{at + 1}.000 {place}\n{line}\n \n",
        ]
        before = line
    vtt = "WEBVTT\nKind: captions\nLanguage: en\n\n" + "\n".join(cues)
    vtt += "\n00:01:00.000 --> 00:01:01.000\ngarden of hens\n"
    source = document("a.en.vtt", vtt)
    assert read("a.en.vtt", vtt) == [" ".join(lines), "garden of hens"]
    list(reader_of(source).read(source))
    assert source.findings.notes == ["Each line is shown several times; it was read once."]
    # Repeated words stay repeated.
    said = "".join(
        f"{at}\n00:00:{at:02},000 --> 00:00:{at:02},900\n{text}\n\n"
        for at, text in enumerate(("No.", "No.", "Why?", "Because.", "No.", "Who?", "Me."), 1)
    )
    assert read("a.srt", said) == ["No.\nNo.\nWhy?\nBecause.\nNo.\nWho?\nMe."]


def test_conditions_and_short_forms_of_latex() -> None:
    source = r"""\usepackage[ngerman]{babel}
\begin{document}
One \iffalse gone \ifx a b \else c \fi gone
gone too
\else two\fi{} three \iftrue four\else gone\fi.
The back\discretionary{k-}{}{}er, Dru\discretionary{k-}{k}{ck}er.
Stra"se, "Ubung, Wort"-trennung, bergauf"=bergab, Auf"|lage, ba"cken, "`ja"'.
\begin{comment}
\iffalse
\end{comment}
End.
\end{document}
"""
    assert read("a.tex", source) == [
        "One two three four. The backer, Drucker. Straße, Übung, Worttrennung, bergauf-bergab, "
        "Auflage, backen, „ja“. End."
    ]


def test_latex_is_what_the_page_prints() -> None:
    source = r"""\documentclass{book} % a class
\newcommand{\x}{hidden}
\title{Hidden}
\begin{document}
\chapter[short]{The na\"ive Stra{\ss}e}
A hy\-phen~and \emph{one}two, see \cite[p.~3]{key} ``so'' --- fi\/ne. % remark
50\% of \'{\i}le \& {\o}re, \v{c}aj \textcolor{red}{red} \href{http://a.example}{link}
Rome\footnote{A \textit{note}.} fell$x^2$.
\begin{equation}
  y = \mathrm{hidden}
\end{equation}

\begin{itemize}
  \item apple
\end{itemize}
\verb|code| \[ z \] end\ldots
\end{document}
hidden"""
    assert read("a.tex", source) == [
        "The naïve Straße",
        "A hyphen and onetwo, see “so” — fine. 50% of íle & øre, čaj red link Rome fell .",
        "A note.",
        "apple",
        "code end…",
    ]
    assert "A note." not in read("a.tex", source, notes=False)


def test_commands_of_latex_separate_words() -> None:
    source = (
        r"\documentclass{book}\begin{document}rain\newline mill\\[2pt]boat\hfill cup\quad jar"
        r"\hspace{1cm}lid \multicolumn{2}{c}{cell} 5\,m\par snow\item one\item two\end{document}"
    )
    assert read("a.tex", source) == ["rain mill boat cup jar lid cell 5 m", "snow", "one", "two"]


def test_books_of_project_gutenberg_are_read_without_the_licence() -> None:
    text = (
        "The Project Gutenberg eBook\n\n*** START OF THIS PROJECT GUTENBERG EBOOK EGGS ***\n\n"
        "An egg.\n\n*** END OF THE PROJECT GUTENBERG EBOOK EGGS ***\nlicence\n"
    )
    source = document("pg9.txt", text)
    assert read("pg9.txt", text) == ["An egg."]
    list(reader_of(source).read(source))
    assert source.findings.notes == [
        "The licence of Project Gutenberg around the text was left out."
    ]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (
            "***START OF THE PROJECT GUTENBERG EBOOK EGGS***",
            "End of Project Gutenberg's Eggs, by A",
        ),
        (
            "*** START OF THIS PROJECT GUTENBERG EBOOK EGGS ***",
            "End of the Project Gutenberg EBook",
        ),
        (
            "***START**THE SMALL PRINT!**START***\nsmall print\n"
            "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
            "End of The Project Gutenberg Etext of Eggs",
        ),
        (
            "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.10/04/01*END*",
            "Ende dieses Projekt Gutenberg Etextes Eggs",
        ),
    ],
)
def test_every_frame_of_project_gutenberg(start: str, end: str) -> None:
    text = f"The Project Gutenberg Etext\n\n{start}\n\nAn egg.\n\n{end}\n\nmore words\n"
    assert read("eggs.txt", text) == ["An egg."]


def test_articles_of_wikiextractor() -> None:
    text = (
        '<doc id="7" url="https://w.example/?curid=7" title="Egg">\nEgg\n\nAn [[egg|eggs]] '
        "{{convert|3|m}}&quot;hatch&quot;.&lt;ref&gt;Who&lt;/ref&gt;\n</doc>\n"
        '<doc id="8" url="https://w.example/?curid=8" title="Hen">\nA hen.\n</doc>\n'
    )
    assert read("wiki_00", text) == ["Egg", 'An eggs "hatch".', "A hen."]


TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>hidden</title></teiHeader>
<text><body><head>Of <hi>Hens</hi></head>
<p>Th<choice><sic>ee</sic><corr>e</corr></choice> <choice><orig>olde</orig><reg>old</reg></choice>
hen-<lb/>
house, barn- <lb/>and the tow<lb break="no"/>er,<pb n="2"/> <fw>running head</fw>Anglo-<lb/>
Saxon<note>A remark.</note> eggs<del>gone</del>, see<ref target="#n1">1</ref>
<ref target="#c">chapter two</ref>.</p>
<lg><l>First verse</l><l>second verse</l></lg>
<app><lem>kept</lem><rdg>other</rdg></app></body></text></TEI>"""


def test_an_edition_is_read_as_it_is_meant() -> None:
    assert read("a.xml", TEI) == [
        "Of Hens",
        f"The old hen-{LINE_END}house, barn- and the tower, Anglo-{LINE_END}Saxon eggs, "
        "see chapter two.",
        "A remark.",
        "First verse\nsecond verse",
        "kept",
    ]
    assert "A remark." not in read("a.xml", TEI, notes=False)


def test_named_characters_of_an_edition() -> None:
    source = document(
        "a.xml",
        '<!DOCTYPE TEI.2 SYSTEM "teixlite.dtd"><TEI.2><text><p>caf&eacute; &longs;ong na&iuml;ve '
        "a&amp;b one&mdash;two &nosuch;</p></text></TEI.2>",
    )
    assert (
        b"".join(READERS["tei"].read(source)).decode() == "café ſong naïve a&b one—two \ufffd\n\n"
    )
    assert source.findings.notes == ["1 character with an unknown name became U+FFFD."]


def test_texts_of_the_british_national_corpus() -> None:
    body = (
        '<wtext type="NONAC"><div level="1"><head><s n="1"><w c5="NN2">HENS </w></s></head><p>'
        '<s n="2"><w c5="PNP">They </w><w c5="VDB">do</w><w c5="XX0">n\'t </w><w c5="VVI">lie</w>'
        '<c c5="PUN">.</c></s></p></div></wtext>'
    )
    text = f"<bncDoc><teiHeader><p>no</p></teiHeader>{body}</bncDoc>"
    assert read("A00.xml", text) == ["HENS", "They don't lie."]


def test_parts_of_a_word_of_an_edition() -> None:
    body = (
        '<p><w>The</w> <w part="I">gar</w>\n<lb/>\n<w part="F">den</w> <w>is</w> '
        '<w part="I">un-</w>'
        '<fw>12</fw><pb/><w part="M">know</w><lb/><w part="F">able</w> <w>now</w><pc>.</pc></p>'
    )
    assert read("a.xml", f"<TEI><text><body>{body}</body></text></TEI>") == [
        "The garden is unknowable now."
    ]


def test_entities_that_an_edition_declares() -> None:
    subset = (
        '<!ENTITY % TEI.prose "INCLUDE"><!ENTITY hellip "...">\n<!ENTITY Kg \'König &#38; Co\'>'
        '<!ENTITY map SYSTEM "map.png" NDATA png><!ENTITY a-b "&#x2665;">'
        '<!ENTITY more SYSTEM "more.xml">'
    )
    start = f'<!DOCTYPE TEI.2 SYSTEM "tei2.dtd" [{subset}]>'
    body = "<p>So&hellip; the &Kg; said &a-b; &amp; &eacute;.</p>"
    text = f"{start}<TEI.2><text><body>{body}</body></text></TEI.2>"
    assert read("a.xml", text) == ["So... the König & Co said ♥ & é."]
    with pytest.raises(UserError, match=r"Couldn’t read a\.xml.*includes another one by .*“more”"):
        read("a.xml", text.replace("&hellip;", "&more;"))
    for value in ("&hellip;&hellip;", "<hi>x</hi>", "x" * 200):
        with pytest.raises(UserError, match="declares the entity “Kg”, which contains"):
            read("a.xml", text.replace("'König &#38; Co'", f"'{value}'"))


def test_a_long_remark_before_the_root() -> None:
    remark = "<!-- " + "about " * 1500 + "-->"
    assert read("a.xml", f"<?xml version='1.0'?>{remark}<TEI><text><p>word</p></text></TEI>") == [
        "word"
    ]


@pytest.mark.parametrize(
    "encoding", ["gb18030", "big5", "shift_jis", "euc-jp", "utf-16", "windows-1252"]
)
def test_xml_is_decoded_by_the_program(encoding: str) -> None:
    words = "漢字 一二三" if encoding != "windows-1252" else "größer été"
    body = f"<TEI><text><p>{words}</p></text></TEI>"
    data = f'<?xml version="1.0" encoding="{encoding}"?>{body}'.encode(encoding)
    assert read("a.xml", data) == [words]
    package = f'<?xml version="1.0" encoding="{encoding}"?><mediawiki><page><text>{words}</text>'
    assert read("b.xml", f"{package}</page></mediawiki>".encode(encoding)) == [words]


def test_recognised_pages() -> None:
    alto = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><TextBlock>
<TextLine><String CONTENT="The"/><SP/><String CONTENT="gar" SUBS_TYPE="HypPart1"
SUBS_CONTENT="garden"/><HYP CONTENT="-"/></TextLine>
<TextLine><String CONTENT="den" SUBS_TYPE="HypPart2" SUBS_CONTENT="garden"/>
<String CONTENT="gate"/></TextLine></TextBlock></Layout></alto>"""
    assert read("a.xml", alto) == ["The garden gate"]
    page = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page>
<TextRegion><TextLine><Word><TextEquiv><Unicode>The</Unicode></TextEquiv></Word>
<TextEquiv index="0"><Unicode>The gar¬</Unicode></TextEquiv>
<TextEquiv index="1"><Unicode>She gar</Unicode></TextEquiv></TextLine>
<TextLine><TextEquiv><Unicode>den gate</Unicode></TextEquiv></TextLine>
<TextEquiv><Unicode>The garden gate</Unicode></TextEquiv></TextRegion>
<TextRegion><TextEquiv><Unicode>Only whole</Unicode></TextEquiv></TextRegion></Page></PcGts>"""
    assert read("a.xml", page) == ["The garden gate", "Only whole"]
    # The lowest index is the reading that is meant.
    readings = "".join(
        f"<TextEquiv{index}><Unicode>{text}</Unicode></TextEquiv>"
        for index, text in ((' index="2"', "worst"), (' index="1"', "best"), (' index="3"', "bad"))
    )
    kinds = "".join(
        f"<TextRegion {kind}><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextRegion>"
        for kind, text in (
            ('type="page-number"', "12"),
            ('custom="readingOrder {index:0;} structure {type:header;}"', "Running head"),
            ('type="footnote"', "A note."),
        )
    )
    page = f"<PcGts><Page><TextRegion><TextLine>{readings}</TextLine></TextRegion>{kinds}</Page>"
    source = document("a.xml", f"{page}</PcGts>")
    assert b"".join(READERS["page_layout"].read(source)).decode() == "best\n\nA note.\n\n"
    assert source.findings.notes == [
        "2 regions, such as running heads and page numbers, were left out."
    ]
    assert read("a.xml", f"{page}</PcGts>", notes=False) == ["best"]
    words = """<PcGts><Page><TextRegion><TextLine>
<Word><TextEquiv><Unicode>Only</Unicode></TextEquiv></Word>
<Word><TextEquiv><Unicode>words</Unicode></TextEquiv></Word><TextEquiv><Unicode/></TextEquiv>
</TextLine></TextRegion></Page></PcGts>"""
    assert read("a.xml", words) == ["Only words"]


def test_recognised_lines_with_hyphens() -> None:
    def line(*words: str) -> str:
        parts = "".join(f'<String CONTENT="{word}"/>' for word in words)
        return f"<TextLine>{parts}</TextLine>".replace('<String CONTENT="HYP"/>', "<HYP/>")

    body = (
        f"<TopMargin><TextBlock>{line('Running', 'head')}</TextBlock></TopMargin><PrintSpace>"
        f"<TextBlock>{line('The', 'gar', 'HYP')}{line('den', 'hen-')}"
        f"{line('house', 'is', 'old')}</TextBlock>"
        f'<TextBlock TAGREFS="B1">{line("12")}</TextBlock></PrintSpace>'
    )
    tags = '<Tags><OtherTag ID="B1" LABEL="NumberingZone"/></Tags>'
    source = document("a.xml", f"<alto>{tags}<Layout><Page>{body}</Page></Layout></alto>")
    text = b"".join(READERS["page_layout"].read(source)).decode()
    assert text == f"The garden hen-{LINE_END}house is old\n\n"
    assert source.findings.notes == [
        "2 regions, such as running heads and page numbers, were left out."
    ]


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word_document(body: str, notes: str = "", styles: str = "") -> bytes:
    space = f'xmlns:w="{W}" xmlns:mc="m"'
    members = {
        "[Content_Types].xml": b"<Types/>",
        "word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>".encode(),
    }
    if notes:
        members["word/footnotes.xml"] = f"<w:footnotes {space}>{notes}</w:footnotes>".encode()
    if styles:
        members["word/styles.xml"] = f"<w:styles {space}>{styles}</w:styles>".encode()
    return zip_archive(members)


def test_word_documents() -> None:
    def run(text: str) -> str:
        return f"<w:r><w:t>{text}</w:t></w:r>"

    body = (
        f"<w:p>{run('one ')}<w:ins>{run('new ')}</w:ins><w:del><w:r><w:delText>old</w:delText>"
        f"</w:r></w:del><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r></w:p>"
        f"<w:moveFrom><w:p>{run('moved')}</w:p></w:moveFrom><w:moveTo><w:p>{run('moved')}</w:p>"
        f"</w:moveTo><w:sdt><w:p>{run('field')}</w:p></w:sdt>"
        f"<mc:AlternateContent><mc:Choice><w:p>{run('frame')}</w:p></mc:Choice><mc:Fallback>"
        f"<w:p>{run('frame')}</w:p></mc:Fallback></mc:AlternateContent>"
    )
    notes = (
        f'<w:footnote w:type="separator"><w:p>{run("line")}</w:p></w:footnote>'
        f'<w:footnote w:id="1"><w:p>{run("A note.")}</w:p></w:footnote>'
    )
    paragraphs = ["one new co-op", "moved", "field", "frame", "A note."]
    assert read("a.docx", word_document(body, notes)) == paragraphs
    assert read("a.docx", word_document(body, notes), notes=False) == paragraphs[:-1]


FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'


def test_word_documents_without_what_is_not_text() -> None:
    def run(text: str, properties: str = "") -> str:
        return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"

    def field(code: str, result: str) -> str:
        return (
            f"{FIELD.format('begin')}<w:r><w:instrText> {code} </w:instrText></w:r>"
            f"{FIELD.format('separate')}{result}{FIELD.format('end')}"
        )

    entry = f"{run('Chapter one')}{field('PAGEREF _T', run('7'))}"
    contents = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
        f"</w:sdtPr><w:sdtContent><w:p>{run('Contents')}</w:p></w:sdtContent></w:sdt>"
        f"<w:p>{FIELD.format('begin')}<w:r><w:instrText>TOC \\o</w:instrText></w:r>"
        f"{FIELD.format('separate')}{entry}</w:p><w:p>{entry}</w:p><w:p>{FIELD.format('end')}</w:p>"
        f"<w:p><w:pPr><w:pStyle w:val='TOC2'/></w:pPr>{run('Section')}</w:p>"
    )
    body = (
        f"{contents}<w:p>{run('The gar-')}<w:r><w:br/></w:r>{run('den')}</w:p>"
        f"<w:p>{run('See ')}{field('REF x', run('below'))}"
        f"""{run(" secret", "<w:vanish/>")}{run(" and", "<w:vanish w:val='0'/>")}"""
        f"""{run(" styled", "<w:rStyle w:val='Low'/>")}"""
        f"<w:fldSimple w:instr=' PAGE '>{run('12')}</w:fldSimple>{run(' on.')}"
        "<w:oMath><w:r><w:t>x</w:t></w:r></w:oMath></w:p>"
    )
    styles = (
        '<w:style w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Low"><w:basedOn w:val="Hid"/></w:style>'
    )
    data = word_document(body, styles=styles)
    assert read("a.docx", data) == [f"The gar-{LINE_END}den", "See below and on."]


def test_open_documents_without_what_is_not_text() -> None:
    body = (
        "<t:table-of-content><t:table-of-content-source><t:index-title-template>Contents"
        "</t:index-title-template></t:table-of-content-source><t:index-body><t:p>One</t:p>"
        "</t:index-body></t:table-of-content>"
        "<t:section t:display='none'><t:p>gone</t:p></t:section>"
        "<t:p>The gate<d:frame><d:image/><v:title>Photo</v:title><v:desc>A gate.</v:desc></d:frame>"
        " on page <t:page-number>3</t:page-number>, <t:span t:style-name='T1'>secret</t:span> is "
        "<t:title>Old Gates</t:title>.<t:hidden-text t:is-hidden='true'>no</t:hidden-text>"
        "<t:span t:style-name='T2'> Yes.</t:span></t:p>"
    )
    styles = (
        "<s:style s:name='T1' s:parent-style-name='Hidden'/><s:style s:name='T2'>"
        "<s:text-properties t:display='true'/></s:style>"
    )
    space = 'xmlns:o="o" xmlns:t="t" xmlns:d="d" xmlns:v="v" xmlns:s="s"'
    content = (
        f"<o:document-content {space}><o:automatic-styles>{styles}</o:automatic-styles>"
        f"<o:body>{body}</o:body></o:document-content>"
    )
    named = (
        f"<o:document-styles {space}><s:style s:name='Hidden'>"
        "<s:text-properties t:display='none'/></s:style></o:document-styles>"
    )
    members = {
        "mimetype": b"m",
        "content.xml": content.encode(),
        "styles.xml": named.encode(),
        "META-INF/manifest.xml": b"",
    }
    assert read("a.odt", zip_archive(members)) == ["The gate on page , is Old Gates. Yes."]


def test_open_documents() -> None:
    body = (
        "<t:tracked-changes><t:p>old</t:p></t:tracked-changes><t:p>The gate<t:note>"
        "<t:note-citation>1</t:note-citation><t:note-body><t:p>A note.</t:p></t:note-body>"
        '</t:note> was<t:s t:c="2"/>old<o:annotation><t:p>remark</t:p></o:annotation>'
        "<t:line-break/>.</t:p>"
        "<t:table-of-content><t:index-body><t:p>Contents</t:p></t:index-body></t:table-of-content>"
    )
    content = (
        f'<o:document-content xmlns:o="o" xmlns:t="t"><o:automatic-styles/><o:body>{body}</o:body>'
        "</o:document-content>"
    )
    members = {"mimetype": b"m", "content.xml": content.encode(), "META-INF/manifest.xml": b""}
    data = zip_archive(members)
    assert read("a.odt", data) == ["The gate was old .", "A note."]
    assert read("a.odt", data, notes=False) == ["The gate was old ."]


def test_a_document_is_known_by_its_content(tmp_path: Any) -> None:
    path = tmp_path / "letter"
    path.write_bytes(word_document("<w:p><w:r><w:t>Dear all</w:t></w:r></w:p>"))
    (source,) = gather([path])
    with path.open("rb") as file:
        assert [b"".join(text.blocks) for text in texts(source, file)] == [b"Dear all\n\n"]


def test_placeholders_at_the_start_are_no_xml(tmp_path: Any) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<s> one line\n<s> another\n")
    (source,) = gather([path])
    with path.open("rb") as file:
        assert len(list(texts(source, file))) == 1


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (
            '<p>gate<a epub:type="noteref" href="#n1">1</a>, tree<sup><a href="#m">12</a></sup> '
            'hill<a href="n.xhtml#x"><sup>*</sup></a> m<sup>2</sup> H<sub>2</sub>O '
            'chapter <a href="#c">12</a></p>',
            "gate, tree hill m2 H2O chapter 12",
        ),
        ("<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>は</p>", "東京は"),
        ("<p><ruby>漢字<rp>(</rp><rt>かんじ<rp>)</rp></ruby>の本</p>", "漢字の本"),
        ("<p>an <del>old</del><ins>new</ins> one<math>x</math>two</p>", "an new one two"),
        ('<nav epub:type="toc"><ol><li>One</li></ol></nav><p>Two</p>', "Two"),
        ('<p>one<span class="pagenum">[Pg <span>12</span>]</span>two</p>', "onetwo"),
        ("<p>five<![CDATA[ & six]]> end</p>", "five & six end"),
        ("<p>a<button>Press</button>b<textarea>typed</textarea></p>", "a b"),
    ],
)
def test_pages_contain_only_what_is_read(page: str, wanted: str) -> None:
    assert read("a.html", f"<html><body>{page}</body></html>") == [wanted]
