"""Files that change while they are read, selection of files, and malicious archives."""

from __future__ import annotations

import gzip
import io
import os
import resource
import tarfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from archives import write_file, zip_archive

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile
from workbench.corpus.ingest import decompression, document_stream
from workbench.corpus.ingest.file_discovery import Patterns, safe_name
from workbench.corpus.ingest.read_warnings import corpus_notes, list_warnings
from workbench.corpus.loader import LEFT_OUT, open_corpus
from workbench.corpus.readers import READERS, Document
from workbench.corpus.readers import base as readers_base

pytestmark = pytest.mark.usefixtures("own_corpora")


def words(corpus: Corpus) -> str:
    return " ".join(corpus.words[row] for row in corpus.ids.tolist())


# -- changes while reading


class Meddling(JobControl):
    """Runs an action, such as changing a file, after the first block has been read."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self._act: Callable[[], object] | None = act

    def advance(self, fraction: float | None, note: str = "", **details: Any) -> None:
        super().advance(fraction, note, **details)
        act, self._act = self._act, None
        if act is not None:
            act()


def test_a_file_that_grows_is_read_to_the_size_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers_base, "BLOCK", 64)
    monkeypatch.setattr(document_stream, "HEAD", 64)
    monkeypatch.setattr(decompression, "HEAD", 64)
    path = write_file(tmp_path / "log.txt", "one two three\n" * 100)

    def grow() -> None:
        with path.open("a") as file:
            file.write("more and more\n" * 1000)

    corpus = open_corpus([path], run=Meddling(grow))
    assert corpus.tokens == 300
    assert (
        corpus.files[0].note
        == "The file grew while it was read; only its first 1,400 bytes were used."
    )
    assert list_warnings(corpus) == [f"log.txt: {corpus.files[0].note}"]
    # The content that was read differs from the present file.
    assert open_corpus([path]).tokens == 3300


def test_a_file_deleted_while_it_is_read(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.txt", "one two")
    corpus = open_corpus([path], run=Meddling(path.unlink))
    assert corpus.tokens == 2
    assert corpus.files[0].note == "The file was deleted while it was read."


def test_a_file_deleted_before_its_turn(tmp_path: Path) -> None:
    first, second = write_file(tmp_path / "a.txt", "one"), write_file(tmp_path / "b.txt", "two")
    with pytest.raises(UserError, match=r"b\.txt no longer exists\."):
        open_corpus([first, second], run=Meddling(second.unlink))


def test_a_file_that_is_changed(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.txt", "one two")
    corpus = open_corpus([path], run=Meddling(lambda: os.utime(path, ns=(1, 1))))
    assert corpus.files[0].note == "The file changed while it was read."


class _Endless:
    """A file of one very long line, generated as it is read."""

    def __init__(self, part: bytes, size: int) -> None:
        self._part, self._left = part, size

    def read(self, size: int, /) -> bytes:
        amount = min(size, self._left)
        self._left -= amount
        return (self._part * (amount // len(self._part) + 1))[:amount]


@pytest.mark.parametrize(
    ("key", "name", "beginning", "part"),
    [
        ("plain", "a.txt", b"", b"x"),
        ("plain", "a.txt", "é".encode("latin-1") * 9, b"x y "),
        ("html", "a.html", b"<p>", b"x y "),
        ("html", "a.html", b"<!--", b"x y "),
        ("mediawiki", "a.xml", b"<mediawiki><page><ns>0</ns><revision><text>", b"x y "),
        ("csv", "a.csv", b"id,text\n1,", b"x y "),
        ("jsonl", "a.jsonl", b'{"text": "', b"x y "),
    ],
)
def test_a_line_that_hardly_ends_takes_bounded_memory(
    key: str, name: str, beginning: bytes, part: bytes
) -> None:
    size = 160 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    options = CorpusOptions(column="text" if key == "csv" else "")
    document = Document(
        name, name, size, beginning.ljust(1 << 16, part[:1]), _Endless(part, size), options
    )
    longest = 0
    with suppress(UserError):
        for block in READERS[key].read(document):
            longest = max(longest, len(block))
    assert longest <= 16 << 20
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert growth < 110 * 1024  # kilobytes, on Linux


# -- selection of files


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ("", "", "a.txt b.md c.txt d.txt e.csv"),
        ("*.txt", "", "a.txt c.txt d.txt"),
        ("sub/*.txt", "", "c.txt"),
        ("sub/**", "", "c.txt d.txt e.csv"),
        ("*.log, ?.md", "", "b.md f.log"),
        ("", "sub/**; *.md", "a.txt"),
        ("**/deep/*", "*.csv", "d.txt"),
        ("*.TXT", "sub/*", "a.txt d.txt"),
    ],
)
@pytest.mark.parametrize("archive", [False, True])
def test_patterns(tmp_path: Path, include: str, exclude: str, expected: str, archive: bool) -> None:
    names = [
        "a.txt",
        "b.md",
        "f.log",
        "sub/c.txt",
        "sub/deep/d.txt",
        "sub/deep/e.csv",
        ".hidden.txt",
    ]
    texts = {name: f"text of {name}" for name in names}
    if archive:
        place = write_file(tmp_path / "all.zip", zip_archive({**texts}))
    else:
        place = tmp_path / "all"
        for name, text in texts.items():
            write_file(place / name, text)
    corpus = open_corpus([place], CorpusOptions(include=include, exclude=exclude))
    assert sorted(Path(file.path).name for file in corpus.files) == expected.split()


def test_patterns_by_hand() -> None:
    assert Patterns(("a*b",)).wants("x/aXXb")
    assert not Patterns(("a*b",)).wants("a/b")
    assert Patterns(("a+(b).txt",)).wants("a+(b).txt")
    assert Patterns(("*.txt",)).wants("a.txt.gz")
    assert not Patterns().includes("a.txt")


def test_patterns_apply_inside_archives(tmp_path: Path) -> None:
    write_file(tmp_path / "all" / "one.zip", zip_archive({"x.log": "one", "y.txt": "two"}))
    write_file(tmp_path / "all" / "two.zip", zip_archive({"y.txt": "three"}))
    assert words(open_corpus([tmp_path / "all"], CorpusOptions(include="*.log"))) == "one"
    assert words(open_corpus([tmp_path / "all"], CorpusOptions(include="two.zip"))) == "three"
    with pytest.raises(UserError, match="contains no text files"):
        open_corpus([tmp_path / "all"], CorpusOptions(include="*.none", exclude="*.zip"))


def test_files_left_out(tmp_path: Path) -> None:
    a, b = (
        write_file(tmp_path / "all" / "a.txt", "one"),
        write_file(tmp_path / "all" / "b.txt", "two"),
    )
    pack = write_file(
        tmp_path / "all" / "c.zip", zip_archive({"in/c.txt": "three", "d.txt": "four"})
    )
    whole = open_corpus([tmp_path / "all"])
    assert words(whole) == "one two three four"
    without = f"{b}\n{pack}/in/c.txt"
    corpus = open_corpus([tmp_path / "all"], CorpusOptions(without=without))
    assert words(corpus) == "one four"
    files_left_out = [SourceFile.from_json(file) for file in corpus.metadata[LEFT_OUT]]
    assert [(file.path, file.tokens) for file in files_left_out] == [
        (str(b), -1),
        (f"{pack}/in/c.txt", -1),
    ]
    # Found in the cache with the list of omitted files, also with phrases. A corpus of all files is
    # kept apart.
    again = open_corpus([tmp_path / "all"], CorpusOptions(without=without))
    assert again.metadata[LEFT_OUT] == corpus.metadata[LEFT_OUT]
    phrase_corpus = open_corpus([tmp_path / "all"], CorpusOptions(without=without, phrases=1))
    assert phrase_corpus.metadata[LEFT_OUT] == corpus.metadata[LEFT_OUT]
    assert LEFT_OUT not in open_corpus([tmp_path / "all"]).metadata
    assert words(open_corpus([a, b], CorpusOptions(without=str(a)))) == "two"
    with pytest.raises(UserError, match="contains no words"):
        open_corpus([a], CorpusOptions(without=str(a)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", '<?xml version="1.0" encoding="koi8-r"?><TEI><text><p>Москва</p></text></TEI>'),
        ("a.html", '<html><head><meta charset="koi8-r"></head><body>Москва</body></html>'),
    ],
)
def test_an_encoding_that_the_text_declares(tmp_path: Path, name: str, text: str) -> None:
    path = write_file(tmp_path / name, text.encode("koi8-r"))
    for _ in range(2):  # read, then loaded from the cache
        notes = corpus_notes(open_corpus([path]))
        assert notes[:2] == (
            "Encodings: KOI8-R.",
            "The encoding is the one that the text declares. If letters look wrong, choose another "
            "encoding with encoding.",
        )
    # A declaration that isn’t true decides nothing.
    path.write_bytes(text.replace("koi8-r", "utf-8").encode("cp1251"))
    assert "detected" in corpus_notes(open_corpus([path]))[1]


def test_notes_of_a_corpus(tmp_path: Path) -> None:
    write_file(tmp_path / "all" / "a.csv", "id,text\n1,où été à côté\n".encode("latin-1"))
    for name in "bcdef":
        write_file(tmp_path / "all" / f"{name}.txt", "été à\n".encode() * 9 + b"\xff\n")
    corpus = open_corpus([tmp_path / "all"])
    assert corpus_notes(corpus) == (
        "Encodings: UTF-8, Windows-1252 (1 file).",
        "The encoding was detected automatically. If letters look wrong, choose another encoding "
        "with encoding.",
        "Read from the column “text”.",
        "Columns kept: id (1 value).",
        "5 places couldn’t be decoded and became U+FFFD: b.txt, line 10; c.txt, line 10; d.txt, "
        "line 10; and in "
        "2 more files.",
    )
    other_corpus = open_corpus([tmp_path / "all" / "a.csv"], CorpusOptions(encoding="latin-1"))
    assert corpus_notes(other_corpus) == (
        "Encodings: ISO-8859-1.",
        "Read from the column “text”.",
        "Columns kept: id (1 value).",
    )


@pytest.mark.parametrize("tokeniser", ["whitespace", "regex"])
def test_cut_words_are_reported(tmp_path: Path, tokeniser: str) -> None:
    path = tmp_path / "links.txt"
    address = "https://example.org/" + "a" * 1200
    path.write_text(f"see {address}1 today\n" * 3 + f"see {address}2 today\n")
    corpus = open_corpus([path], CorpusOptions(tokeniser=tokeniser, pattern=r"\S+"))
    assert corpus.types == 3
    assert list_warnings(corpus) == [
        "4 words are longer than 1,000 bytes and were cut "
        "(for example “https://example.org/aaaaaaaaaaaaaaaaaaaa…”)."
    ]


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("a <b>tall</b> tree", True),
        ('<line n="3">tall trees', True),
        ("<s> a tall <unk> </s>", False),
        ("from <ann@example.org> when a < b > c", False),
    ],
)
def test_texts_with_tags_are_reported(tmp_path: Path, line: str, noted: bool) -> None:
    path = tmp_path / "tags.txt"
    path.write_text("the first line\n" + f"{line}\n" * 3 + "tall trees\n" * 100)
    found = [note for note in list_warnings(open_corpus([path])) if "tags" in note]
    assert found == (
        ["tags.txt: Many lines contain tags such as <p>, which are read as words."] if noted else []
    )
    # One tag in a long text is rare.
    path.write_text("the first line\n" + f"{line}\n" * 3 + "tall trees\n" * 200)
    assert not any("tags" in note for note in list_warnings(open_corpus([path])))


def test_japanese_between_escapes_is_found_wherever_it_begins(tmp_path: Path) -> None:
    text = "plain words\n" * 60_000 + "吾輩は猫である。名前はまだ無い。\n" * 20
    path = write_file(tmp_path / "mail.txt", text.encode("iso2022_jp"))
    corpus = open_corpus([path])
    assert words(corpus).split()[-2:] == ["吾輩は猫である", "名前はまだ無い"]
    assert corpus.files[0].encoding == "ISO-2022-JP"


def test_a_page_that_says_latin_1_is_in_its_superset(tmp_path: Path) -> None:
    page = (
        b'<html><head><meta charset="iso-8859-1"></head><body>\x93Curly\x94 \x96 caf\xe9 '
        b"\x85</body></html>"
    )
    corpus = open_corpus(
        [write_file(tmp_path / "page.html", page)], CorpusOptions(tokeniser="whitespace")
    )
    assert words(corpus) == "“curly” – café …"
    assert corpus.files[0].encoding == "Windows-1252"


# -- malicious archives


@pytest.mark.parametrize("packing", ["gz", "zip", "tar.gz"])
def test_archives_that_expand_too_much(tmp_path: Path, packing: str) -> None:
    data = b"word " * 20_000_000
    if packing == "gz":
        content = gzip.compress(data)
    elif packing == "zip":
        content = zip_archive({"a.txt": data})
    else:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            info = tarfile.TarInfo("a.txt")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        content = buffer.getvalue()
    path = write_file(tmp_path / f"bomb.{packing}", content)
    with pytest.raises(
        UserError, match=rf"bomb\.{packing} expands to more than 250 times its size"
    ):
        open_corpus([path])
    # Small archives are accepted, whatever their ratio.
    assert (
        open_corpus([write_file(tmp_path / "small.gz", gzip.compress(b"word " * 100_000))]).tokens
        == 100_000
    )


def test_dangerous_names_of_members(tmp_path: Path) -> None:
    names = ["../../etc/passwd.txt", "/root/a.txt", "C:\\b\\..\\c.txt", "d\x1b[31m\u202etxt.txt"]
    path = write_file(tmp_path / "evil.zip", zip_archive(dict.fromkeys(names, "text")))
    corpus = open_corpus([path])
    assert [file.path.removeprefix(f"{path}/") for file in corpus.files] == [
        "etc/passwd.txt",
        "root/a.txt",
        "C:/b/c.txt",
        "d\ufffd[31m\ufffdtxt.txt",
    ]
    assert safe_name("../..") == "\ufffd"


@pytest.mark.parametrize("packing", ["zip", "tar"])
def test_more_members_than_can_be_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: str
) -> None:
    monkeypatch.setattr(document_stream, "MEMBERS", 20)
    if packing == "zip":
        data = zip_archive({f"{number}.txt": "x" for number in range(21)})
    else:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for number in range(21):
                archive.addfile(tarfile.TarInfo(f"{number}.txt"))
        data = buffer.getvalue()
    with pytest.raises(UserError, match="contains more than 500,000 files"):
        open_corpus([write_file(tmp_path / f"many.{packing}", data)])


def test_members_of_a_zip_are_counted_before_it_is_read() -> None:
    data = zip_archive({f"{number}.txt": "x" for number in range(300)})
    assert decompression.zip_members(io.BytesIO(data)) == 300
    assert decompression.zip_members(io.BytesIO(b"PK\x03\x04")) == 0
    # The number of members that a directory declares is capped at what it can contain.
    lying = bytearray(data)
    at = lying.rindex(b"PK\x05\x06")
    lying[at + 10 : at + 12] = b"\xfe\xff"
    assert decompression.zip_members(io.BytesIO(bytes(lying))) <= len(data) // 46


def test_many_members(tmp_path: Path) -> None:
    path = write_file(
        tmp_path / "many.zip",
        zip_archive({f"{number}.txt": f"w{number}" for number in range(3000)}),
    )
    assert open_corpus([path]).tokens == 3000
