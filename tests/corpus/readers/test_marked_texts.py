"""Texts with tags after their words, and lists of references: the marks are no words."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.corpus.columns import column_values
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")


def _read(path: Path, text: str, options: CorpusOptions | None = None) -> tuple[str, str]:
    """The kind and the text, with a space for each line end."""
    path.write_text(text, encoding="utf-8")
    (source,) = gather([path])
    with path.open("rb") as file:
        (found,) = texts(source, file, options)
        return found.kind, b"".join(found.blocks).decode()


_BROWN = (
    "The/at jury/nn said/vbd Friday/nr an/at inquiry/nn of/in Atlanta's/np$ was/bedz ``/`` ./.\n"
)
_STANFORD = "The_DT big_JJ dogs_NNS bark_VBP ._.\n"
_PENN = (
    "[ Pierre/NNP Vinken/NNP ]\n,/, \n[ 61/CD years/NNS ]\nold/JJ will/MD join/VB \n{}\n\n".format(
        "=" * 38
    )
)


@pytest.mark.parametrize(
    ("name", "text", "wanted", "nouns"),
    [
        (
            "ca01",
            _BROWN * 3,
            3 * ["The jury said Friday an inquiry of Atlanta's was `` ."],
            ("nn", 3 * ["jury inquiry"]),
        ),
        ("a.txt", _STANFORD * 8, 8 * ["The big dogs bark ."], ("NNS", 8 * ["dogs"])),
        (
            "wsj_0001.pos",
            _PENN * 2,
            2 * ["Pierre Vinken , 61 years old will join"],
            ("nns", 2 * ["years"]),
        ),
    ],
)
def test_words_with_tags(
    tmp_path: Path, name: str, text: str, wanted: list[str], nouns: tuple[str, list[str]]
) -> None:
    kind, read = _read(tmp_path / name, text)
    assert (kind, read.split("\n")[:-1]) == ("slashes", wanted)
    part, kept = nouns
    assert _read(tmp_path / name, text, CorpusOptions(parts_of_speech=part))[1].split("\n")[
        :-1
    ] == (kept)


def test_other_texts_with_slashes_and_underscores_are_plain(tmp_path: Path) -> None:
    for text in (
        "and/or he/she either/or\n" * 20,
        "new_york is a big_city\n" * 20,
        "http://a.example/b c/d\n" * 20,
    ):
        assert _read(tmp_path / "a.txt", text) == ("plain", text)


@pytest.mark.parametrize(
    "text",
    [
        "EU B-ORG\nrejects O\nGerman B-MISC\ncall O\n\nPeter B-PER\n",
        "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\nGerman JJ B-NP B-MISC\ncall NN I-NP O\n\n"
        "Peter NNP B-NP B-PER\n",
        "# id 1f domain=train\nEU _ _ B-ORG\nrejects _ _ O\nGerman _ _ B-MISC\ncall _ _ O\n\n"
        "# id 2f domain=train\nPeter _ _ B-PER\n",
        "EU\tB-ORG\nrejects\tO\nGerman\tB-MISC\ncall\tO\n\nPeter\tB-PER\n",
    ],
)
def test_named_entities_without_a_first_line(tmp_path: Path, text: str) -> None:
    assert _read(tmp_path / "train.txt", text) == ("conll2003", "EU rejects German call\nPeter\n\n")
    options = CorpusOptions(column="entity")
    assert _read(tmp_path / "train.txt", text, options)[1].split() == (
        ["B-ORG", "O", "B-MISC", "O", "B-PER"]
    )


def test_letters_in_columns_are_no_entities(tmp_path: Path) -> None:
    assert _read(tmp_path / "a.txt", "we met O\n" * 9)[0] == "plain"


_BIBTEX = r"""% A comment
@string{acl = "ACL"}
@comment{nothing here, abstract = {no}}
@article{key1,
  title    = {{BERT}: Pre-training of {D}eep things},
  abstract = {We introduce \emph{M\"uller} and {\'e}t\'{e} = Stra{\ss}e for $x_1$
              of 5\% gain, ``so''.},
  author   = "J{\"o}rg M and A B", year = 2019, journal = acl
}

@book{b, title = "No abstract, here", year = {2001}}
@misc(c, abstract = {They agree.}, year = 2001)
"""


def test_bibtex(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    kind, read = _read(path, _BIBTEX)
    assert kind == "bibtex"
    assert read.split("\n\n")[:-1] == [
        "We introduce Müller and été = Straße for of 5% gain, “so”.",
        "They agree.",
    ]
    titles = _read(path, _BIBTEX, CorpusOptions(column="title"))[1]
    assert titles.split("\n\n")[:-1] == ["BERT: Pre-training of Deep things", "No abstract, here"]
    corpus = open_corpus([path])
    assert column_values(corpus, "year").values == ("2019", "2001")
    assert column_values(corpus, "author").values == ("Jörg M and A B",)
    assert "References without text in this field: 1." in corpus.files[0].note


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "refs.ris",
            "TY  - JOUR\n"
            "AU  - Smith, J\n"
            "AU  - Doe, A\n"
            "TI  - On words\n"
            "AB  - We count words\n"
            "and more."
            "\nPY  - 2019/03/12\nER  - \n\nTY  - JOUR\nTI  - Other\nN2  - They agree.\nY1  - 2001\n"
            "ER  - \n",
        ),
        (
            "pubmed.txt",
            "PMID- 123\nTI  - On words\nAB  - We count words\n      and more.\nDP  - 2019 Mar\n"
            "FAU - Smith, J\n"
            "FAU - Doe, A\n"
            "\n"
            "PMID- 124\n"
            "TI  - Other\n"
            "AB  - They agree.\n"
            "DP  - 2001\n",
        ),
    ],
)
def test_ris(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    assert _read(path, text) == ("ris", "We count words and more.\n\nThey agree.\n\n")
    assert _read(path, text, CorpusOptions(column="title"))[1] == "On words\n\nOther\n\n"
    corpus = open_corpus([path])
    assert column_values(corpus, "year").values == ("2019", "2001")
    assert column_values(corpus, "author").values == ("Smith, J; Doe, A",)


def test_frames_per_second_are_no_words(tmp_path: Path) -> None:
    frames = (
        "{1}{1}23.976\n{100}{150}{y:i}Hello there|- and you\n{160}{200}Fine\n{300}{350}/Later\n"
    )
    kind, read = _read(tmp_path / "a.txt", frames)
    assert (kind, read.split("\n")[:4]) == (
        "subtitles",
        ["Hello there", "and you", "Fine", "Later"],
    )
