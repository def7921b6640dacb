"""Collections as they are distributed: Bibles, crawled pages, treebanks with columns of their own,
references of Web of Science, labelled messages, answers of surveys and tables in JSON objects. What
describes a text never becomes words.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.columns import column_names
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")


def _read(path: Path, text: str | bytes, column: str = "") -> tuple[str, str, str]:
    """The kind, the words with a space for each line end, and the notes."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (source,) = gather([path])
    with path.open("rb") as file:
        (read,) = texts(source, file, CorpusOptions(column=column))
        content = b"".join(read.blocks).decode()
    if read.findings.failure is not None:
        raise read.findings.failure
    return read.kind, " ".join(content.split()), " ".join(read.findings.notes)


def test_bibles_in_usfm(tmp_path: Path) -> None:
    kind, read, notes = _read(
        tmp_path / "01GENeng.SFM",
        "\\id GEN - A Bible\n\\h Genesis\n\\mt1 The first book\n\\c 1\n\\p\n"
        "\\v 1 In the beginning \\nd God\\nd* made the heavens.\\f + \\ft A note.\\f*\n"
        '\\v 2-3 And the earth \\w was|strong="H1961"\\w* empty.\\x - \\xo 1.2 \\xt John 1.\\x*\n'
        "\\q1 It was~night,\n\\q2 //no light.\n"
        '\\v 4\\f + \\ft note\\f*and \\zaln-s |x-lemma="a" \\*\\w one|x-n="1"\\w*'
        "\\zaln-e\\* end.\n",
    )
    assert (kind, read) == (
        "usfm",
        "The first book In the beginning God made the heavens. And the earth was empty. "
        "It was night, no light. and one end.",
    )
    assert "verses" in notes


def _archive(*pages: str, kind: str = "conversion") -> bytes:
    about = "Software-Info: a crawler\r\n"
    found = (
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\n"
        f"Content-Length: {len(about)}\r\n\r\n{about}\r\n\r\n"
    )
    for number, page in enumerate(pages):
        found += (
            f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/{number}\r\n"
            "WARC-Date: 2024-05-01T10:00:00Z\r\nContent-Type: text/plain\r\n"
            f"Content-Length: {len(page.encode())}\r\n\r\n{page}\r\n\r\n"
        )
    return found.encode()


def test_texts_of_crawled_pages(tmp_path: Path) -> None:
    archive = _archive("The café was full.\n", "Dogs bark.\nWARC/1.0\nin the text\n")
    kind, read, notes = _read(tmp_path / "a.warc.wet", archive)
    assert (kind, read) == (
        "web_archive",
        "The café was full. Dogs bark. WARC/1.0 in the text",
    )
    assert notes == ""
    # As Common Crawl compresses them: a member for each record.
    members = gzip.compress(archive[:300]) + gzip.compress(archive[300:])
    assert _read(tmp_path / "b.warc.wet.gz", members)[1] == read
    assert "truncated" in _read(tmp_path / "c.warc.wet", archive[:-30])[2]
    with pytest.raises(UserError, match="as they were sent"):
        _read(tmp_path / "d.warc", _archive("<p>text</p>", kind="response"))


def test_addresses_of_pages_are_columns(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    path.write_text(
        "CURRENT URL http://a.example/x\nIl gatto dorme .\n"
        "CURRENT URL http://b.example/y\nIl cane abbaia .\n"
    )
    corpus = open_corpus(path, CorpusOptions())
    assert sorted(corpus.words) == ["abbaia", "cane", "dorme", "gatto", "il"]
    assert column_names(corpus) == ("address",)


_ROWS = (
    ("He", "he", "PRON"),
    ("took", "take", "VERB"),
    ("a", "a", "DET"),
    ("walk", "walk", "NOUN"),
)


def test_treebanks_name_their_columns(tmp_path: Path) -> None:
    plus = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
    plus += "# text = He took a walk\n" + "".join(
        f"{at}\t{form}\t{lemma}\t{part}\t_\t_\t0\troot\t_\t_\t*\n"
        for at, (form, lemma, part) in enumerate(_ROWS, 1)
    )
    few = "# global.columns = UPOS FORM LEMMA\n" + "".join(
        f"{part}\t{form}\t{lemma}\n" for form, lemma, part in _ROWS
    )
    for name, text in (("a.cupt", plus), ("a.conllup", plus), ("b.txt", few)):
        assert _read(tmp_path / name, f"{text}\n")[:2] == ("conllu", "He took a walk")
        assert _read(tmp_path / name, f"{text}\n", "lemma")[1] == "he take a walk"


def test_references_of_web_of_science(tmp_path: Path) -> None:
    kind, read, _ = _read(
        tmp_path / "savedrecs.txt",
        "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Smith, J\n   Jones, A\n"
        "TI A study of cats\n   and dogs\nSO JOURNAL OF PETS\nAB Cats sleep. Dogs bark\n"
        "   at night.\nPY 2010\nER\n\nPT J\nAU Lee, K\nTI Birds\nAB Birds sing in trees.\n"
        "ER\n\nEF\n",
    )
    assert (kind, read) == (
        "web_of_science",
        "Cats sleep. Dogs bark at night. Birds sing in trees.",
    )


_MESSAGES = (
    ("ham", "Go until the point, crazy."),
    ("ham", "Joking with you"),
    ("spam", "Free entry to win"),
    ("ham", "So early then"),
)
_SAID = " ".join(text for _, text in _MESSAGES)


def test_labels_beside_texts_are_columns(tmp_path: Path) -> None:
    for name, order in (("SMSSpamCollection", 1), ("b.txt", -1)):
        rows = "".join("\t".join(row[::order]) + "\n" for row in _MESSAGES)
        assert _read(tmp_path / name, rows * 3)[:2] == ("table", " ".join([_SAID] * 3))


def test_the_licence_of_each_sentence_is_no_text(tmp_path: Path) -> None:
    rows = "".join(
        f"Go {word}.\tGeh {word}.\tCC-BY 2.0 (France) Attribution: tatoeba.org #{at} (Ann Lee)\n"
        for at, word in enumerate("in out up down there here now then".split())
    )
    assert "Attribution" not in _read(tmp_path / "deu.txt", rows)[1]


def test_tables_of_r_have_spaces_between_quoted_cells(tmp_path: Path) -> None:
    kind, read, _ = _read(
        tmp_path / "r.txt",
        '"doc_id" "text"\n"1" "a" "The cat \\"sat\\" down here"\n"2" "b" "Dogs bark at night"\n'
        '"3" "c" "Birds sing in trees"\n',
    )
    assert (kind, read) == (
        "table",
        'The cat "sat" down here Dogs bark at night Birds sing in trees',
    )
    prose = '"Hello" "world"\n"What is this" said Ann\nand then she left\n'
    assert _read(tmp_path / "p.txt", prose)[:2] == ("plain", " ".join(prose.split()))


def test_rows_that_describe_the_columns_of_a_survey(tmp_path: Path) -> None:
    _, read, notes = _read(
        tmp_path / "q.csv",
        "StartDate,ResponseId,Q1\nStart Date,Response ID,What do you like about it?\n"
        '"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1""}"\n'
        "2020-01-01,R_1,I like the cats\n2020-01-02,R_2,The people here\n",
    )
    assert read == "I like the cats The people here"
    assert "2" in notes


_SENTENCES = (
    "The cat, who sat, left.\nDogs bark, too.\nBirds, they sing.\nA house is nice.\n"
    "We went there, and came back, tired.\nIt was late, so we slept.\nRain fell.\n"
)


def test_sentences_with_commas_in_a_csv_file_are_whole(tmp_path: Path) -> None:
    wanted = " ".join(_SENTENCES.split())
    assert _read(tmp_path / "a.csv", _SENTENCES)[1] == wanted
    assert _read(tmp_path / "b.csv", f"text\n{_SENTENCES}")[1] == wanted


_TABLE = {
    "columns": {"year": {"0": 1999, "1": 2000}, "text": {"0": "old snow", "1": "new rain"}},
    "index": {"0": {"year": 1999, "text": "old snow"}, "1": {"year": 2000, "text": "new rain"}},
    "names": {"a7": {"year": 1999, "text": "old snow"}, "b8": {"year": 2000, "text": "new rain"}},
    "split": {
        "columns": ["year", "text", "who"],
        "index": [0, 1],
        "data": [[1999, "old snow", "Ann"], [2000, "new rain", "Bob"]],
    },
}


@pytest.mark.parametrize("orient", list(_TABLE))
def test_tables_in_a_json_object(tmp_path: Path, orient: str) -> None:
    path = tmp_path / "a.json"
    kind, read, notes = _read(path, json.dumps(_TABLE[orient]))
    assert (kind, read) == ("json", "old snow new rain")
    assert "“text”" in notes
    corpus = open_corpus(path, CorpusOptions())
    assert "year" in column_names(corpus)
    assert _read(path, json.dumps(_TABLE[orient]), "text")[1] == "old snow new rain"


def test_an_object_of_parts_is_one_text(tmp_path: Path) -> None:
    parts = {"title": {"text": "Snow"}, "body": {"text": "it snows on the roof"}}
    assert _read(tmp_path / "a.json", json.dumps(parts))[1] == "it snows on the roof"


def test_texts_in_lists_below_their_titles(tmp_path: Path) -> None:
    def article(title: str, text: str) -> dict[str, object]:
        return {"title": title, "paragraphs": [{"context": text, "qas": []}]}

    data = [
        article("Cats", "Cats purr often and sleep all the day in the sun."),
        article("Dogs", "Dogs bark a lot at night when they hear a noise."),
    ]
    _, read, _ = _read(tmp_path / "a.json", json.dumps({"version": "1", "data": data}))
    assert read.startswith("Cats purr often")
    assert read.endswith("hear a noise.")
    post = {"text": "snow", "comments": [{"text": "it was a very long day for all of us there"}]}
    assert _read(tmp_path / "b.json", json.dumps([post, post]))[1] == "snow snow"


def test_halves_of_words_of_other_pages(tmp_path: Path) -> None:
    def line(*words: tuple[str, str, str]) -> str:
        return "<TextLine>{}</TextLine>".format(
            "<SP/>".join(
                f'<String CONTENT="{word}" SUBS_TYPE="{kind}" SUBS_CONTENT="{whole}"/>'
                if whole
                else f'<String CONTENT="{word}"/>'
                for word, kind, whole in words
            )
        )

    page = (
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><PrintSpace>'
        "<TextBlock>{}{}</TextBlock><TextBlock>{}</TextBlock></PrintSpace></Page></Layout></alto>"
    ).format(
        line(("par", "", ""), ("Fon-", "HypPart1", "Fontanes")),
        line(("tanes", "HypPart2", "Fontanes"), ("dit", "", "")),
        line(("Hugo", "HypPart2", "Victor-Hugo"), ("vit", "", "")),
    )
    assert _read(tmp_path / "a.xml", page)[1] == "par Fontanes dit Victor-Hugo vit"


def test_a_list_of_counts_says_so(tmp_path: Path) -> None:
    words = "the of and one in a to zero nine two".split()
    counted = "".join(f"{word} {1000 - 90 * at}\n" for at, word in enumerate(words))
    assert "list of counts" in _read(tmp_path / "vocab.txt", counted)[2]
    scores = "".join(f"{word} {at}\n" for at, word in enumerate(words))
    assert not _read(tmp_path / "b.txt", scores)[2]


def test_french_in_latin_9(tmp_path: Path) -> None:
    text = "L'été dernier, l'élève a trouvé l'œuvre et le cœur d'un bœuf à la forêt de Noël.\n" * 6
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode("iso8859-15"))
    assert {"l'œuvre", "cœur", "bœuf"} <= set(open_corpus(path, CorpusOptions()).words)
    halves = "À Orléans, il a mangé 1½kg de blé et ½ pâté, très bon, à côté de la forêt.\n" * 6
    other = tmp_path / "b.txt"
    other.write_bytes(halves.encode("cp1252"))
    assert "1½kg" in open_corpus(other, CorpusOptions()).words


def test_places_beside_verses_are_a_column(tmp_path: Path) -> None:
    days = "light water land sun fish beasts man rest".split()
    verses = [f"And it was {day} and it was good ." for day in days]
    about = "# language_name: English\n# year_short: 1611\n\n"
    for place, above in (("0100100{}", about), ("Gen 1:{}", ""), ("1.{}", "")):
        rows = "".join(f"{place.format(at)}\t{verse}\n" for at, verse in enumerate(verses, 1))
        assert _read(tmp_path / "a.txt", above + rows)[:2] == ("table", " ".join(verses))


def test_pictures_in_notes_are_no_text(tmp_path: Path) -> None:
    text = "See ![[egg.png|200]] and [[Hens|the hens]] and ![[Other note]].\n"
    assert _read(tmp_path / "a.md", text)[1] == "See and the hens and Other note."


def test_catalogues_of_translations_are_refused_by_name(tmp_path: Path) -> None:
    text = (
        '# German\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "Open file"\nmsgstr "Datei öffnen"\n'
    )
    with pytest.raises(UserError, match="gettext"):
        _read(tmp_path / "de.po", text)
