from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from archives import tar_archive, write_file, zip_archive
from reference import naive_tokenise

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus import cache, loader
from workbench.corpus.cache import scratch_folder
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest import decompression, document_stream
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.read_warnings import list_warnings
from workbench.corpus.loader import load_corpus, open_corpus
from workbench.corpus.readers import base
from workbench.corpus.tokenise import kernel_tokeniser

TEXT = "The cat sat.\nThe dog, the bird:\r\nDon’t sit — Ünder the tree!\n\nA cat is a cat"
pytestmark = pytest.mark.usefixtures("own_corpora")
DATA_FOLDER = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"


def corpora_folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "corpora"


def sentences(corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[row] for row in corpus.ids.tolist()]
    return [words[a:b] for a, b in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True)]


def unzip(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def refusal(path: Path, **arguments: Any) -> str:
    with pytest.raises(UserError) as error:
        open_corpus([path], **arguments)
    assert error.value.hint.endswith(".")
    assert "\n" not in str(error.value)
    return error.value.message


# -- contents of a corpus


def test_ids_are_ranks_and_everything_fits(tmp_path: Path) -> None:
    path = write_file(tmp_path / "tale.txt", TEXT)
    corpus = open_corpus([path])
    expected = naive_tokenise.sentences(TEXT)
    assert sentences(corpus) == expected
    counts = Counter(word for sentence in expected for word in sentence)
    # Counter keeps the order of appearance for words with equal counts.
    assert list(zip(corpus.words, corpus.counts.tolist(), strict=True)) == counts.most_common()
    assert (corpus.ids.dtype, corpus.sentences.dtype, corpus.counts.dtype) == (
        np.int32,
        np.int64,
        np.int64,
    )
    assert not corpus.ids.flags.writeable
    assert corpus.name == "tale"
    assert [(file.path, file.size, file.encoding) for file in corpus.files] == [
        (str(path), len(TEXT.encode()), "UTF-8")
    ]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_ranking_in_blocks_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    whole = open_corpus([write_file(tmp_path / "a.txt", TEXT)])
    monkeypatch.setattr(cache, "_BLOCK", block)
    monkeypatch.setattr(base, "BLOCK", block)
    monkeypatch.setattr(document_stream, "HEAD", block)
    monkeypatch.setattr(decompression, "HEAD", block)
    parts = open_corpus([write_file(tmp_path / "b.txt", TEXT)])
    assert parts.digest == whole.digest
    assert sentences(parts) == sentences(whole)


def test_options_are_followed_and_kept_apart(tmp_path: Path) -> None:
    path = write_file(tmp_path / "tale.txt", TEXT)
    for tokeniser in ("words", "whitespace"):
        for rule in ("lines", "paragraphs", "none"):
            for lowercase in (True, False):
                options = CorpusOptions(tokeniser=tokeniser, sentences=rule, lowercase=lowercase)
                for _ in range(2):
                    corpus = open_corpus([path], options)
                    assert sentences(corpus) == naive_tokenise.sentences(
                        TEXT, tokeniser, rule, lowercase
                    )
                    assert corpus.options == options


def test_one_giant_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BLOCK", 1 << 12)
    words = [f"w{number % 997}" for number in range(60_000)]
    corpus = open_corpus([write_file(tmp_path / "one.txt", " ".join(words))])
    assert corpus.sentences.tolist() == [0, 60_000]
    assert [corpus.words[row] for row in corpus.ids.tolist()] == words


def test_many_types_make_the_tables_grow(tmp_path: Path) -> None:
    words = [f"type{number}" for number in range(150_000)]
    corpus = open_corpus([write_file(tmp_path / "many.txt", "\n".join(words))])
    assert list(corpus.words) == words
    assert np.array_equal(corpus.ids, np.arange(150_000))
    assert np.array_equal(corpus.sentences, np.arange(150_001))


def test_min_count_that_leaves_nothing(tmp_path: Path) -> None:
    corpus = open_corpus([write_file(tmp_path / "tale.txt", TEXT)])
    assert list(corpus.vocabulary(3).words) == ["the", "cat"]
    assert list(corpus.vocabulary(1, max_vocab=1).words) == ["the"]
    with pytest.raises(UserError, match=r"No word of tale occurs 50 times \(min_count\)\."):
        corpus.vocabulary(50)


# -- digest, cache and reopening


def test_equal_text_equal_digest(tmp_path: Path) -> None:
    first = open_corpus([write_file(tmp_path / "a.txt", TEXT)])
    second = open_corpus([write_file(tmp_path / "b.txt.gz", gzip.compress(TEXT.encode()))])
    other = open_corpus([write_file(tmp_path / "c.txt", TEXT + "s")])
    third = open_corpus(
        [write_file(tmp_path / "d.txt", TEXT.replace(".\n", ".\n\n").replace(", ", "\n"))]
    )
    assert first.digest == second.digest
    assert len({first.digest, other.digest, third.digest}) == 3
    assert len(first.digest) == 32
    assert (first.name, second.name) == ("a", "b")
    # Files and name are those of this request, not those of the equal corpus opened first.
    again = open_corpus([tmp_path / "b.txt.gz"])
    assert (again.name, again.files) == ("b", second.files)


def test_the_digest_is_of_words_sentences_and_ids(tmp_path: Path) -> None:
    corpus = open_corpus([write_file(tmp_path / "tale.txt", "To be or not\nto be")])
    parts = (
        b"to\nbe\nor\nnot",
        np.array([0, 4, 6], "<i8").tobytes(),
        np.array([0, 1, 2, 3, 0, 1], "<i4").tobytes(),
    )
    stream = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    assert corpus.digest == hashlib.blake2b(stream, digest_size=16).hexdigest()


def test_reopening_does_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(tmp_path / "tale.txt", TEXT)
    first = open_corpus([path])

    def never(*_: object) -> None:
        raise AssertionError("the text was read again")

    monkeypatch.setattr(loader, "texts", never)
    again = open_corpus([path], name="Another name")
    assert again.name == "Another name"
    assert (again.digest, again.files, again.words) == (first.digest, first.files, first.words)
    assert sentences(again) == sentences(first)
    assert sentences(load_corpus(first.digest)) == sentences(first)


def test_a_corpus_opened_often_is_mapped_once(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    first = open_corpus([path])
    again, by_digest = open_corpus([path]), load_corpus(first.digest)
    assert again.ids is first.ids
    assert by_digest.sentences is first.sentences
    # A new file isn’t mistaken for the old one, even while the old one is in use.
    expected = first.ids.tolist()
    (corpora_folder(tmp_path) / first.digest / "ids").unlink()
    corpus = open_corpus([path])
    assert corpus.ids is not first.ids
    assert corpus.ids.tolist() == first.ids.tolist() == expected


def test_a_file_of_another_size_is_read_again_at_any_time(tmp_path: Path) -> None:
    """Copies keep the time of the file they replace, and file systems’ clocks are coarse."""
    path = tmp_path / "a.txt"
    for text, tokens in (("a b", 2), ("a b c", 3)):
        path.write_text(text)
        os.utime(path, (1000.0, 1000.0))
        assert open_corpus([path]).tokens == tokens


def test_a_file_that_is_changed_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a b")
    status = path.stat()
    spill = loader._tokenise

    def changed_meanwhile(*arguments: Any, **keywords: Any) -> Any:
        path.write_text("c d")
        os.utime(path, (1000.0, 1000.0))
        return spill(*arguments, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(loader, "_tokenise", changed_meanwhile)
        assert open_corpus([path]).words == ("c", "d")
    # The original file comes back, with its time.
    path.write_text("a b")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert open_corpus([path]).words == ("a", "b")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write_file(tmp_path / "tale.txt", "one two")
    open_corpus([path])
    write_file(path, "six ten")
    os.utime(path, ns=(1, 1))
    assert sentences(open_corpus([path])) == [["six", "ten"]]


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("name", ["ids", "sentences", "words.txt", "counts", "meta.json"])
@pytest.mark.parametrize("damage", [_truncate, _flip, _empty, Path.unlink])
def test_a_damaged_entry_is_made_again(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    path = write_file(tmp_path / "tale.txt", TEXT)
    first = open_corpus([path])
    assert first.folder is not None
    expected = sentences(first)
    if name == "meta.json" and damage is _flip:
        write_file(first.folder / name, json.dumps({"version": 0}))
    else:
        damage(first.folder / name)
    with pytest.raises(UserError, match="no longer in the cache"):
        load_corpus(first.digest)
    again = open_corpus([path])
    assert sentences(again) == expected == naive_tokenise.sentences(TEXT)
    assert again.counts.sum() == again.tokens
    load_corpus(first.digest)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"digest": "../../x"}', '{"digest": 3}'])
def test_a_damaged_index_is_made_again(tmp_path: Path, content: str) -> None:
    path = write_file(tmp_path / "tale.txt", TEXT)
    open_corpus([path])
    (entry,) = (corpora_folder(tmp_path) / "index").iterdir()
    write_file(entry, content)
    assert sentences(open_corpus([path])) == naive_tokenise.sentences(TEXT)


@pytest.mark.parametrize("digest", ["", "0" * 32, "../" * 10 + "ab", "index"])
def test_a_corpus_missing_from_the_cache(digest: str) -> None:
    with pytest.raises(UserError, match="no longer in the cache"):
        load_corpus(digest)


# -- every kind of file


PACKINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("a.txt", bytes),
    ("a.txt.gz", gzip.compress),
    ("a.txt.gz", lambda data: gzip.compress(data[:20]) + gzip.compress(data[20:])),
    ("a.txt.bz2", bz2.compress),
    ("a.txt.xz", lzma.compress),
    ("a.zip", lambda data: zip_archive({"a.txt": data})),
    ("a.zip", lambda data: zip_archive({"a.txt.xz": lzma.compress(data)})),
    ("a.tar", lambda data: tar_archive({"./a.txt": data})),
    ("a.tar.gz", lambda data: gzip.compress(tar_archive({"a.txt": data}))),
    ("a.tgz", lambda data: gzip.compress(tar_archive({"a": data}))),
    ("a.tar.xz", lambda data: lzma.compress(tar_archive({"a.txt.bz2": bz2.compress(data)}))),
    ("misnamed.txt", lzma.compress),
    ("misnamed.gz", bytes),
    ("bom.txt", lambda data: b"\xef\xbb\xbf" + data),
    ("utf16.txt", lambda data: data.decode().encode("utf-16")),
    ("utf16.txt.gz", lambda data: gzip.compress(b"\xfe\xff" + data.decode().encode("utf-16-be"))),
    ("utf32.txt", lambda data: data.decode().encode("utf-32")),
    ("utf16.txt", lambda data: data.decode().encode("utf-16-le")),
    ("utf32.txt", lambda data: data.decode().encode("utf-32-be")),
]


@pytest.mark.parametrize(("name", "pack"), PACKINGS)
@pytest.mark.parametrize("block", [5, 1 << 19])
def test_every_kind_of_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    pack: Callable[[bytes], bytes],
    block: int,
) -> None:
    monkeypatch.setattr(base, "BLOCK", block)
    options = CorpusOptions(tokeniser="whitespace", lowercase=False)
    corpus = open_corpus([write_file(tmp_path / name, pack(TEXT.encode()))], options)
    assert sentences(corpus) == naive_tokenise.sentences(TEXT, "whitespace", "lines", False)
    assert corpus.files[0].encoding == {"utf16": "UTF-16", "utf32": "UTF-32"}.get(name[:5], "UTF-8")


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.xz", "a.zip", "a.tar.gz", "a.txt"])
def test_more_than_one_head(tmp_path: Path, name: str) -> None:
    text = "\n".join(f"line {number} of many" for number in range(8_000))
    pack = dict(PACKINGS)[name]
    assert sentences(
        open_corpus([write_file(tmp_path / name, pack(text.encode()))])
    ) == naive_tokenise.sentences(text)


@pytest.mark.parametrize("pack", [zip_archive, tar_archive])
def test_members_that_are_text(tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]) -> None:
    members = {
        "b.txt": b"first",
        "folder/": b"",
        "folder/a.md": b"second, unfinished",
        "__MACOSX/._b.txt": b"\0\0",
        ".hidden.txt": b"hidden",
        "picture.png": b"\x89PNG",
        "data": b"\0\1\2",
        "README": b"third",
        "empty.txt": b"",
    }
    path = write_file(
        tmp_path / "some", pack({name: data for name, data in members.items() if name != "folder/"})
    )
    corpus = open_corpus([path])
    assert sentences(corpus) == [["first"], ["second", "unfinished"], ["third"]]
    assert [file.path.removeprefix(f"{path}/") for file in corpus.files] == [
        "b.txt",
        "folder/a.md",
        "README",
        "empty.txt",
    ]


def test_folders_and_several_files(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    write_file(folder / "b.txt", "two")
    write_file(folder / "a.txt.gz", gzip.compress(b"one"))
    write_file(folder / "c" / "wiki_00", "three")
    write_file(folder / "c" / "blob", b"\0\0\0")
    write_file(folder / ".git" / "x.txt", "hidden")
    extra = write_file(tmp_path / "extra.txt", "four")
    corpus = open_corpus([folder, extra], CorpusOptions(sentences="none"))
    assert sentences(corpus) == [["one"], ["two"], ["three"], ["four"]]
    assert corpus.name == "books + 1"
    assert open_corpus([folder]).name == "books"


# -- errors


def test_older_encodings_are_found_out(tmp_path: Path) -> None:
    path = write_file(tmp_path / "letter.txt", "Un été\nau café".encode("latin-1"))
    corpus = open_corpus([path])
    assert sentences(corpus) == [["un", "été"], ["au", "café"]]
    assert (corpus.files[0].encoding, corpus.files[0].undecodable) == ("Windows-1252", 0)
    # Detected only at the first accented letter, far from the start.
    corpus = open_corpus(
        [write_file(tmp_path / "late.txt", b"word\r\n" * 150_000 + b"caf\xe9 noir \xe0 c\xf4t\xe9")]
    )
    assert sentences(corpus)[-1] == ["café", "noir", "à", "côté"]
    assert corpus.files[0].encoding == "Windows-1252"


def test_undecodable_bytes_are_replaced_counted_and_located(tmp_path: Path) -> None:
    text = (
        ("été à côté\n" * 30).encode() + b"a \xff\xfe b\nfin\r\nc\xe9\r\n" + ("où\n" * 30).encode()
    )
    corpus = open_corpus([write_file(tmp_path / "damaged.txt", text)])
    assert sentences(corpus)[30:33] == [["a", "b"], ["fin"], ["c"]]
    file = corpus.files[0]
    assert (file.encoding, file.undecodable, file.lines) == ("UTF-8", 3, (31, 33))
    again = open_corpus([tmp_path / "damaged.txt"])
    assert again.files == corpus.files
    cut = open_corpus([write_file(tmp_path / "cut.txt", "日本".encode()[:-1])]).files[0]
    assert (cut.undecodable, cut.lines) == (1, (1,))


def test_an_encoding_can_be_chosen(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.txt", "В начале".encode("koi8-r"))
    corpus = open_corpus([path], CorpusOptions(encoding="koi8-r"))
    assert sentences(corpus) == [["в", "начале"]]
    assert corpus.files[0].encoding == "KOI8-R"
    assert sentences(open_corpus([path], CorpusOptions(encoding="latin-1"))) != sentences(corpus)
    with pytest.raises(UserError, match="encoding must be auto or the name of an encoding"):
        CorpusOptions(encoding="base64")


BIG = "\n".join(f"line {number} of the text, {number * number}" for number in range(3000)).encode()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "a.txt is empty."),
        ("a.txt", b"\xef\xbb\xbf \n", "a contains no words."),
        ("a.gz", gzip.compress(b""), "a contains no words."),
        ("a.txt", b"abc \0\1\2", "a.txt isn’t text but binary data."),
        (
            "a.txt",
            b"a" * 100_000 + b"\0",
            "a.txt isn’t text but binary data (there are zero bytes).",
        ),
        ("a.txt", bytes(range(1, 128)), "a.txt isn’t text but binary data."),
        ("a.txt", b"%PDF-1.4 text", "a.txt isn’t text but a PDF document."),
        (
            "a.xlsx",
            zip_archive({"[Content_Types].xml": b""}),
            "a.xlsx isn’t text but an office document.",
        ),
        (
            "a.docx",
            zip_archive({"[Content_Types].xml": b""}),
            "Couldn’t read a.docx: “word/document.xml” is missing.",
        ),
        (
            "a.txt",
            b"\xff\xfea\x00\0\0",
            "a.txt isn’t text but binary data (there are null characters).",
        ),
        ("a.gz", gzip.compress(b"a " * 50_000_000), "a.gz expands to more than 250 times its size"),
        (
            "a.gz",
            gzip.compress(BIG)[:-20],
            "a.gz is truncated: the archive ends in the middle of a file.",
        ),
        (
            "a.xz",
            lzma.compress(BIG)[:-50],
            "a.xz is truncated: the archive ends in the middle of a file.",
        ),
        (
            "a.bz2",
            bz2.compress(BIG)[:-20],
            "a.bz2 is truncated: the archive ends in the middle of a file.",
        ),
        ("a.zip", zip_archive({"a.txt": BIG})[:-40], "a.zip is a corrupt or truncated archive"),
        ("a.tar", tar_archive({"a.txt": BIG})[:9000], "a.tar is a corrupt or truncated archive"),
        (
            "a.tar.gz",
            # Much longer than what newer versions of Python read at once.
            gzip.compress(tar_archive({"a.txt": 9 * BIG}))[:-900],
            "a.tar.gz/a.txt is truncated",
        ),
        (
            "a.gz",
            gzip.compress(BIG)[:-8] + bytes(8),
            "a.gz is a corrupt or truncated archive (its checksum",
        ),
        ("a.bz2", bz2.compress(BIG)[:-4] + b"????", "a.bz2 is a corrupt archive ("),
        (
            "a.xz",
            lzma.compress(BIG)[:400] + b"?" + lzma.compress(BIG)[401:],
            "a.xz is a corrupt or truncated archive",
        ),
        ("a.zip", zip_archive({"a.png": b""}), "The archive a.zip contains no text files"),
        ("a.tar", tar_archive({"a.png": b"x"}), "The archive a.tar contains no text files"),
        (
            "a.zip",
            zip_archive({"b.zip": zip_archive({"c.txt": b"x"})}),
            "a.zip contains another archive, b.zip.",
        ),
        ("a.zip", zip_archive({"b.txt": b"\0"}), "a.zip/b.txt isn’t text but binary data."),
    ],
)
def test_invalid_inputs_are_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    assert refusal(write_file(tmp_path / name, data)).startswith(message)
    assert [path.name for path in corpora_folder(tmp_path).iterdir()] == ["index"]


def test_encrypted_zip(tmp_path: Path) -> None:
    data = bytearray(zip_archive({"a.txt": b"secret"}))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    assert refusal(write_file(tmp_path / "a.zip", bytes(data))) == "a.zip is encrypted (a.txt)."


def test_packed_in_an_unknown_way(tmp_path: Path) -> None:
    data = bytearray(zip_archive({"a.txt": b"text"}))
    for signature, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(signature) + method] = 97
    assert refusal(write_file(tmp_path / "a.zip", bytes(data))).startswith(
        "a.zip/a.txt uses an unsupported compression"
    )


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(tmp_path / "a.txt", TEXT)

    original_open = Path.open

    def deny(self: Path, *arguments: Any, **more: Any) -> Any:
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return original_open(self, *arguments, **more)

    monkeypatch.setattr(Path, "open", deny)
    assert refusal(path) == "Couldn’t open a.txt: Permission denied."


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_rank_ids", full)
    assert "Couldn’t write" in refusal(write_file(tmp_path / "a.txt", TEXT))
    assert [path.name for path in corpora_folder(tmp_path).iterdir()] == ["index"]


# -- progress and cancelling


class Watched(JobControl):
    """Records its messages and cancels itself at the n-th check."""

    def __init__(self, cancel_at: int = -1) -> None:
        super().__init__()
        self.reports: list[tuple[Phase, float | None, str]] = []
        self.checks = 0
        self._cancel_at = cancel_at

    def advance(self, fraction: float | None, note: str = "", **details: Any) -> None:
        super().advance(fraction, note, **details)
        self.reports.append((self.progress.phase, self.progress.fraction, self.progress.note))

    def check(self) -> None:
        self.checks += 1
        if self.checks == self._cancel_at:
            self.cancel()
        super().check()


@pytest.mark.parametrize("name", ["a.txt", "a.txt.xz", "a.zip"])
def test_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(base, "BLOCK", 1 << 13)
    path = write_file(tmp_path / name, dict(PACKINGS)[name](BIG * 5))
    run = Watched()
    corpus = open_corpus([path], run=run)
    fractions = [fraction for _, fraction, _ in run.reports if fraction is not None]
    assert fractions == sorted(fractions)
    assert len(fractions) > 10
    assert fractions[-1] == 1.0
    assert {(phase, note) for phase, fraction, note in run.reports if fraction is not None} == {
        (Phase.READING, f"Reading {name}")
    }
    assert corpus.tokens == 5 * len(BIG.split()) - 4


def test_cancel_at_any_check_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "BLOCK", 1 << 15)
    monkeypatch.setattr(cache, "_BLOCK", 1 << 13)
    path = write_file(tmp_path / "a.txt", BIG)
    last = 0
    for cancel_at in range(1, 1000):
        run = Watched(cancel_at)
        try:
            open_corpus([path], run=run)
        except Cancelled:
            last = cancel_at
            assert [path.name for path in corpora_folder(tmp_path).iterdir()] == ["index"]
            assert not list((corpora_folder(tmp_path) / "index").iterdir())
        else:
            break
    assert last >= 10
    assert run.checks == last


def test_first_start_says_that_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phases: list[Phase] = []

    class Phases(JobControl):
        def enter(self, phase: Phase, note: str = "") -> None:
            phases.append(phase)
            super().enter(phase, note)

    monkeypatch.setattr("workbench.corpus.loader.kernel_tokeniser.is_compiled", lambda: False)
    open_corpus([write_file(tmp_path / "a.txt", TEXT)], run=Phases())
    assert phases == [Phase.COMPILING, Phase.READING]
    monkeypatch.undo()
    open_corpus([write_file(tmp_path / "b.txt", TEXT)], run=Phases())
    assert kernel_tokeniser.is_compiled()
    assert phases[2:] == [Phase.READING]


@pytest.mark.skipif(os.name != "posix", reason="what is written cannot be locked elsewhere")
def test_leftovers_of_killed_readings_are_removed_and_live_readings_stay(tmp_path: Path) -> None:
    corpora = corpora_folder(tmp_path)
    leftover = corpora / ".reading.abcdefgh.new.part"
    write_file(leftover / "ids", "x")
    with scratch_folder() as reading:
        assert reading.parent == corpora
        os.utime(reading, (0, 0))
        open_corpus([write_file(tmp_path / "a.txt", TEXT)])
        assert not leftover.exists()
        assert reading.exists()
    assert not reading.exists()


# -- real text


@pytest.mark.parametrize(
    ("name", "unpack"), [("five-novels.zip", unzip), ("text8-head.txt.gz", gzip.decompress)]
)
def test_real_text(name: str, unpack: Callable[[bytes], bytes]) -> None:
    path = DATA_FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    text = unpack(path.read_bytes()).decode().lower().replace("’", "'")
    word = r"[^\W_]+(?:'[^\W_]+)*"
    known = set(re.findall(word, text))

    def joined(cut: re.Match[str]) -> str:
        return cut[1] + cut[2] if cut[1] + cut[2] in known else cut[0]

    # A hyphen at a line end cuts a word if its parts occur as one.
    cuts = r"(?<![^\W\d_])(?<!-)([^\W\d_]+)-[ \t\r]{0,3}\n[ \t]*([^\W\d_]+)"
    words = re.findall(word, re.sub(cuts, joined, text))
    corpus = open_corpus([path])
    assert [corpus.words[row] for row in corpus.ids.tolist()] == words
    assert dict(zip(corpus.words, corpus.counts.tolist(), strict=True)) == Counter(words)


def test_corpora_of_earlier_versions_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_file(tmp_path / "a.txt", b"one two\n")
    sources = gather([path])
    before = loader._key(sources, CorpusOptions())
    assert loader._key(sources, CorpusOptions()) == before
    monkeypatch.setattr(loader, "_RULES", loader._RULES + 1)
    assert loader._key(sources, CorpusOptions()) != before


def test_words_in_two_spellings_are_counted_in_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    # é and ü in two ways; ñ always in one, and o with two marks in two unusual ones.
    words = ["caf\u00e9", "cafe\u0301", "\u00fcber", "u\u0308ber", "an\u0303o", "oso"]
    path.write_text(" ".join([*words, "o\u0302\u0301", "\u00f4\u0301"]))
    (warning,) = list_warnings(open_corpus([path]))
    assert warning.startswith("3 words occur with two spellings")
    assert "to NFC" in warning
    composed = open_corpus([path], CorpusOptions(unicode_form="NFC"))
    assert (composed.types, list_warnings(composed)) == (5, [])
