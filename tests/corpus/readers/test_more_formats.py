"""Transcripts, annotated texts, subtitles and pages of kinds that share a suffix with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.columns import column_values
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.text_sample import columns
from workbench.corpus.loader import open_corpus
from workbench.corpus.readers.books.markdown import plain_line
from workbench.corpus.readers.conversations.chat import plain_speech

pytestmark = pytest.mark.usefixtures("own_corpora")


def _read(path: Path, options: CorpusOptions | None = None) -> str:
    (source,) = gather([path])
    with path.open("rb") as file:
        (text,) = texts(source, file, options)
        return b"".join(text.blocks).decode()


def _paragraphs(path: Path, options: CorpusOptions | None = None) -> list[str]:
    return [part for part in _read(path, options).split("\n\n") if part.strip()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I want <a cookie> [//] two cookies .", "I want two cookies ."),
        ("gonna [: going to] eat [*] it ?", "going to eat it ?"),
        ("&-um &+ba (be)cause (.) (1.5) xxx &=laughs no:: +...", "because no ."),
        ("that's <my dad> [>] 0is ice+cream@c .", "that's my dad ice+cream ."),
        ("you know \x1512_3456\x15", "you know"),
        ("xxx .", ""),
        ("+< and then +/.", "and then ."),
    ],
)
def test_words_of_a_transcript(line: str, words: str) -> None:
    assert plain_speech(line) == words


def test_speakers_of_a_transcript(tmp_path: Path) -> None:
    path = tmp_path / "talk.cha"
    path.write_text(
        "\ufeff@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tCHI Eve Target_Child, MOT Mother\n"
        "*CHI:\tmore cookie .\n%mor:\tqn|more n|cookie .\n*MOT:\tyou want\n\tmore cookies ?\n"
        "%com:\tlong\n\tcomment\n*CHI:\tyes .\n@End\n"
    )
    corpus = open_corpus([path])
    assert [corpus.words[number] for number in corpus.ids] == (
        ["more", "cookie", "you", "want", "more", "cookies", "yes"]
    )
    column = column_values(corpus, "speaker")
    assert dict(zip(column.values, column.tokens().tolist(), strict=True)) == {"CHI": 3, "MOT": 4}


_LONG_GRID = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 3
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "phones"
        xmin = 0
        xmax = 3
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1
            text = "d"
        intervals [2]:
            xmin = 1
            xmax = 3
            text = "O"
    item [2]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 3
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1
            text = "the"
        intervals [2]:
            xmin = 1
            xmax = 2
            text = "so-called ""dog"" here"
        intervals [3]:
            xmin = 2
            xmax = 3
            text = "barks"
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_tiers(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.TextGrid"
    path.write_text(_LONG_GRID, encoding=encoding)
    assert _paragraphs(path) == ['the\nso-called "dog" here\nbarks']
    assert _paragraphs(path, CorpusOptions(column="phones")) == ["d O"]
    found = columns(path)
    assert found is not None
    assert found.names == ("phones", "words")
    assert found.text_column == 1
    with pytest.raises(UserError, match=r"has no tier “x”\. Choose one of: phones, words\."):
        _read(path, CorpusOptions(column="x"))


def test_named_entities(tmp_path: Path) -> None:
    path = tmp_path / "eng.testa"
    path.write_text(
        "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\nPeter NNP I-NP I-PER\n\n"
        "-DOCSTART- -X- O O\n\nBonn NNP I-NP I-LOC\n"
    )
    assert _read(path).lstrip() == "EU rejects\nPeter\n\nBonn\n\n"
    assert _read(path, CorpusOptions(parts_of_speech="VBZ")).split() == ["rejects"]
    assert _read(path, CorpusOptions(column="entity")).split() == ["I-ORG", "O", "I-PER", "I-LOC"]


def test_conll_x(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(
        "1\tDogs\tdog\tN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tV\tVBP\t_\t0\troot\t_\t_\n"
    )
    assert _paragraphs(path) == ["Dogs bark\n"[:-1]]
    assert _paragraphs(path, CorpusOptions(column="lemma")) == ["dog bark"]


def test_the_output_of_tree_tagger(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    rows = "The\tDT\tthe\ndogs\tNNS\tdog\nbark\tVVP\tbark\n.\tSENT\t.\n" * 5
    path.write_text(rows.replace("dogs\tNNS\tdog", "zorgs\tNNS\t<unknown>", 1))
    assert _read(path).split()[:4] == ["The", "zorgs", "bark", "."]
    assert _read(path, CorpusOptions(column="lemma")).split()[4:8] == ["the", "dog", "bark", "."]
    # Three columns of a list aren't tags and lemmas.
    path.write_text("\n".join(f"name{number}\tvalue{number}\tsomething" for number in range(30)))
    assert "value3" in _read(path)


def test_substation_alpha(tmp_path: Path) -> None:
    path = tmp_path / "a.ass"
    path.write_text(
        "\ufeff[Script Info]\nTitle: T\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: D,Arial\n"
        "\n[Events]\nFormat: Layer, Start, End, Style, Name, L, R, V, Effect, Text\n"
        "Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,a comment\n"
        "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,{\\i1}Well,{\\i0} come\\Nin.\n"
        "Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,- One.\\N- Two.\n"
        "Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}\n"
        "Dialogue: 0,0:01:00.00,0:01:01.00,Default,,0,0,0,,Later.\n",
        encoding="utf-8",
    )
    assert _paragraphs(path) == ["Well, come in.\nOne.\nTwo.", "Later."]


def test_a_mailbox_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(
        "From ann@example.org Sat Jan  3 01:05:34 1996\nFrom: Ann\nSubject: Tea\n\nCome at five.\n"
    )
    with pytest.raises(UserError, match="mailbox"):
        open_corpus([path])
    path.write_text("From here to 1996 is a long way.\nAnn said: no.\n")
    assert open_corpus([path]).tokens == 11


WEB_PAGE = """<html><head><title>Hen</title></head><body>
<a class="mw-jump-link" href="#b">Jump to content</a><nav><ul><li>Main page</li></ul></nav>
<div style="display: none">Donate</div><div class="toc" role="navigation">Contents</div>
<h2>Eggs<span class="mw-editsection">[<a href="/e">edit</a>]</span></h2>
<p>A hen<sup class="noprint">[<a href="/c">citation needed</a>]</sup> lays
<span class="katex-html" aria-hidden="true">x2</span>eggs.</p><table class="navbox"><tr><td>Birds
</table></body></html>"""


def test_the_furniture_of_web_pages_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(WEB_PAGE)
    assert _paragraphs(path) == ["Eggs", "A hen lays eggs."]
    path.write_text(
        "<html><body><header>Shop now</header><main><p>Only this.</p></main><div>Cookies?</div>"
        "<footer>Privacy</footer></body></html>"
    )
    corpus = open_corpus([path])
    assert [corpus.words[number] for number in corpus.ids] == ["only", "this"]
    assert corpus.files[0].note.startswith("Only the main part of the page was read")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            'See [the *page*](https://a.example/b.html "A title"), <https://b.example>.',
            "See the *page*,  .",
        ),
        ("![A hen](hen.png) and [![badge](b.svg)](https://c.example) on", "A hen and badge on"),
        ("a [label][ref] of [[Hens|the hens]] and [[Eggs]][^2]", "a label of the hens and Eggs"),
        ("[^2]: A note <b>here</b>.", "A note here."),
        ("- [x] done [sic] a < b", "- [x] done [sic] a < b"),
    ],
)
def test_lines_of_markdown(line: str, words: str) -> None:
    assert plain_line(line) == words


def test_subtitles_of_youtube_and_cut_words(tmp_path: Path) -> None:
    path = tmp_path / "a.sbv"
    path.write_text(
        "0:00:00.599,0:00:04.160\nhello there, the gar-\nden\n\n0:00:04.160,0:00:06.770\n"
        "the garden, one, two and he wa-\nwhat\n\n"
    )
    corpus = open_corpus([path])
    assert [corpus.words[number] for number in corpus.ids] == (
        "hello there the garden the garden one two and he wa what".split()
    )


def test_books_of_project_gutenberg_in_html(tmp_path: Path) -> None:
    path = tmp_path / "pg1.html"
    path.write_text(
        '<html><body><section class="pg-boilerplate pgheader"><p>anyone anywhere</p></section>'
        '<p>An egg.</p><section class="pg-boilerplate pgfooter">licence</section></body></html>'
    )
    assert _paragraphs(path) == ["An egg."]


def test_running_heads_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\f".join(f"{at} THE HENS\n\nText number {at}.\n" for at in range(9)))
    assert open_corpus([path]).files[0].note.startswith("Many pages begin with the line “THE HENS”")
    path.write_text("\f".join(f"Page {word}\n\nText.\n" for word in "a b c d e f g".split()))
    assert open_corpus([path]).files[0].note == ""


def test_hyphens_of_recognised_pages_in_html(tmp_path: Path) -> None:
    lines = [("The", "gar-"), ("den", "and", "hen-"), ("house", "garden")]
    spans = "\n".join(
        "<span class='ocr_line'>"
        + " ".join(f"<span class='ocrx_word'>{word}</span>" for word in line)
        + "</span>"
        for line in lines
    )
    path = tmp_path / "page.hocr.html"
    path.write_text(f"<html><body><p class='ocr_par'>{spans}</p></body></html>")
    corpus = open_corpus([path])
    assert [corpus.words[number] for number in corpus.ids] == (
        ["the", "garden", "and", "hen", "house", "garden"]
    )


def test_a_web_page_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "page.mhtml"
    path.write_bytes(
        b"From: <Saved by Blink>\nSubject: Hens\nMIME-Version: 1.0\nContent-Type: "
        b'multipart/related;\n\ttype="text/html";\n\tboundary="--b--"\n\n\n----b--\n'
        b"Content-Type: text/html\n"
        b"Content-Transfer-Encoding: quoted-printable\n\n<html><body><p>The hen=\ns in caf=C3=A9s."
        b"</p></body></html>\n----b--\nContent-Type: image/png\n"
        b"Content-Transfer-Encoding: base64\n\niVBORw0KGgo=\n----b----\n"
    )
    assert _paragraphs(path) == ["The hens in cafés."]
    path = tmp_path / "mail.txt"
    path.write_bytes(
        b"Received: from x\n by y\nSubject: Tea\nMIME-Version: 1.0\nContent-Type: "
        b'multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=latin-1\n\n'
        b"Come to the caf\xe9.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\n"
        b"attached\n--b--\n"
    )
    assert _paragraphs(path) == ["Come to the café."]


def test_numbers_before_sentences(tmp_path: Path) -> None:
    path = tmp_path / "deu_news_2020_10K-sentences.txt"
    path.write_text("".join(f"{at}\tA hen lays {at} eggs.\n" for at in range(5, 2000)))
    assert _paragraphs(path)[:2] == ["A hen lays 5 eggs.", "A hen lays 6 eggs."]
    # Frequencies aren’t numbers of lines.
    path.write_text("90\tthe\n89\tof\n88\tand\n")
    assert open_corpus([path]).tokens == 6


@pytest.mark.parametrize(
    "text",
    [
        "[ar:Hens]\n[00:12.00]One egg\n[00:17.20][00:40.20]two eggs\n[01:02]three\n\n",
        "{1}{25}{y:i}One egg\n{26}{50}two|eggs\n{60}{}three\n",
        "[1][25]/One egg\n[26][50]two|eggs\n[60][]three\n",
    ],
)
def test_lyrics_and_frames(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.sub"
    path.write_text(text)
    assert _read(path).split("\n") == ["One egg", "two eggs", "three", "", ""]


def test_posts_of_newsgroups(tmp_path: Path) -> None:
    path = tmp_path / "51060"
    path.write_text("From: ann@b.example (Ann)\nSubject: Re: hens\nLines: 2\n\nHens lay: eggs.\n")
    assert _paragraphs(path) == ["Hens lay: eggs.\n"]
    path.write_text("Title: Hens\nAuthor: Ann\nDate: 1996\n\nHens lay: eggs.\n")
    assert open_corpus([path]).tokens == 9


def test_names_of_speakers_in_captions(tmp_path: Path) -> None:
    path = tmp_path / "call.vtt"
    speeches = ["Ann Lee: Hello.", "Bob: Hi.", "Ann Lee: Eggs: good.", "Bob: Yes.", "and more"]
    path.write_text(
        "WEBVTT\n\n"
        + "".join(
            f"{at}\n00:00:0{at}.000 --> 00:00:0{at}.900\n{speech}\n\n"
            for at, speech in enumerate(speeches, 1)
        )
    )
    assert _paragraphs(path) == ["Hello.\nHi.\nEggs: good.\nYes.\nand more"]


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("It&#39;s a hen &amp; an egg.", "HTML entities"),
        ("Le café à côté.".encode().decode("cp1252"), "encoded in UTF-8 twice"),
        ("Größe Ãhnlich", ""),
    ],
)
def test_texts_that_look_wrong_say_so(tmp_path: Path, line: str, note: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{line}\n" * 5, encoding="utf-8")
    found = open_corpus([path]).files[0].note
    assert note in found if note else found == ""


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "an older office document"),
        ("a.mobi", b"Eggs".ljust(60, b"\0") + b"BOOKMOBI" + bytes(99), "a Kindle book"),
        ("a.djvu", b"AT&TFORM" + bytes(99), "a DjVu document"),
        ("a.arrow", b"\xff\xff\xff\xff\xd0" + bytes(99), "a file of Arrow"),
        ("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(99), "a file of HDF5"),
    ],
)
def test_other_books_are_refused_by_their_names(
    tmp_path: Path, name: str, data: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match=kind):
        open_corpus([tmp_path / name])


def test_elan_tiers_of_one_type(tmp_path: Path) -> None:
    def tier(name: str, kind: str, *labels: tuple[str, str, str]) -> str:
        notes = "".join(
            f"<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1='{begin}' TIME_SLOT_REF2='{end}'>"
            f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            for begin, end, text in labels
        )
        return f"<TIER TIER_ID='{name}' LINGUISTIC_TYPE_REF='{kind}'>{notes}</TIER>"

    slots = "".join(f"<TIME_SLOT TIME_SLOT_ID='{at}' TIME_VALUE='{at * 500}'/>" for at in range(9))
    path = tmp_path / "talk.eaf"
    path.write_text(
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>"
        + tier("ann", "speech", ("0", "1", "Where are the hens?"), ("2", "3", "And the eggs?"))
        + tier("bob", "speech", ("1", "2", "In the garden."))
        + tier("gesture", "gestures", ("1", "2", "points"))
        + "</ANNOTATION_DOCUMENT>"
    )
    assert _paragraphs(path) == ["Where are the hens?\nIn the garden.\nAnd the eggs?"]
    assert _paragraphs(path, CorpusOptions(column="gesture")) == ["points"]
    found = columns(path)
    assert found is not None
    assert found.names == ("ann", "bob", "gesture")
    with pytest.raises(UserError, match="has no tier “x”"):
        _read(path, CorpusOptions(column="x"))


_REGION = (
    '<TextRegion id="{0}"><TextLine><TextEquiv><Unicode>{1}</Unicode></TextEquiv></TextLine>'
    "</TextRegion>"
)


def test_pages_are_read_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "page.xml"
    order = (
        '<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="2" regionRef="a"/>'
        '<OrderedGroupIndexed index="1" regionRef="h" id="k">'
        '<RegionRefIndexed index="1" regionRef="c"/><RegionRefIndexed index="0" regionRef="b"/>'
        '</OrderedGroupIndexed><RegionRefIndexed index="0" regionRef="d"/></OrderedGroup>'
        "</ReadingOrder>"
    )
    regions = "".join(
        _REGION.format(name, text)
        for name, text in {"x": "loose", "a": "last", "b": "two", "c": "three", "d": "one"}.items()
    )
    path.write_text(f"<PcGts><Page>{order}{regions}</Page><Page>{regions}</Page></PcGts>")
    assert _paragraphs(path) == (
        ["one", "two", "three", "last", "loose", "loose", "last", "two", "three", "one"]
    )


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>the gate<sup>4</sup> was old.<sup>12</sup> So", "the gate was old. So"),
        (
            "<p>the gate<sup><a href='#n'>4</a></sup>, the tree<a href='#f2'>[2]</a> stood",
            "the gate, the tree stood",
        ),
        (
            "<p>5 km<sup>2</sup>, 9 miles<sup>2</sup>, 10<sup>4</sup>, x<sup>2</sup>, 1<sup>st",
            "5 km2, 9 miles2, 104, x2, 1st",
        ),
        ("<p>see <a href='#s'>section 2</a> and <a href='#e'>(2)</a>", "see section 2 and (2)"),
        (
            "<p hidden>no<p>yes<div hidden>no<div>no</div></div><span hidden>no</span> more"
            "<img hidden> and <br hidden>on",
            "yes\n\nmore and\non",
        ),
    ],
)
def test_notes_and_hidden_parts_of_web_pages(tmp_path: Path, page: str, text: str) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<html><body>{page}</body></html>")
    assert _read(path).strip() == text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8", "mac-roman"])
@pytest.mark.parametrize("ending", ["\r", "\r\n", "\n"])
def test_line_ends_of_every_system(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / "a.txt"
    lines = ["one two three", "four five, so they said", "six"] * 4
    path.write_bytes(ending.join(lines).encode(encoding))
    corpus = open_corpus([path])
    assert corpus.tokens == 36
    assert len(corpus.sentences) - 1 == 12
