"""Files made to exhaust memory or run for ever are refused in one sentence, or cost little."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest import decompression
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.loader import open_corpus
from workbench.corpus.readers import mediawiki, records
from workbench.corpus.readers.tabular import quoted_rows
from workbench.corpus.readers.wikitext import plain_text
from workbench.counts.shards import is_sharded

_BLOCK = 512


def read(path: Path, column: str = "") -> str:
    """Return all text of a file, and check that reading takes less than 48 MB of memory."""
    tracemalloc.start()
    try:
        blocks = []
        for source in gather([path]):
            with source.path.open("rb") as file:
                for text in texts(source, file, CorpusOptions(column=column)):
                    blocks += list(text.blocks)
        assert tracemalloc.get_traced_memory()[1] < 48 << 20
    finally:
        tracemalloc.stop()
    return b"".join(blocks).decode()


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as error:
        read(path)
    assert error.value.hint
    assert path.name in error.value.message
    return error.value.message


def pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _BLOCK)


def header(kind: bytes, size: int, name: str = "x") -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


TEXT = header(b"0", 9, "a.txt") + pad(b"the king\n")
END = b"\0" * 1024


# -- tar


@pytest.mark.parametrize("kind", [b"L", b"K", b"x", b"g", b"X", b"S"])
@pytest.mark.parametrize("is_compressed", [False, True])
def test_headers_of_a_tar_are_not_believed(
    tmp_path: Path, kind: bytes, is_compressed: bool
) -> None:
    path = tmp_path / ("long.tar.gz" if is_compressed else "long.tar")
    if is_compressed:
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(header(kind, 90 << 20))
            for _ in range(90):
                file.write(bytes(1 << 20))
    else:
        # A sparse file, which takes a few kilobytes on disk.
        with path.open("wb") as file:
            file.write(header(kind, 3 << 30))
            file.truncate((3 << 30) + 20480)
    assert "too long" in refusal(path)


def test_many_headers_of_a_tar_are_one_long_one(tmp_path: Path) -> None:
    path = tmp_path / "chain.tar"
    path.write_bytes((header(b"L", 60_000) + pad(b"n" * 60_000)) * 30 + TEXT + END)
    assert "too long" in refusal(path)


def test_facts_for_all_members_do_not_gather(tmp_path: Path) -> None:
    def facts(first: int) -> bytes:
        lines = (f"K{first + number}={'v' * 20}" for number in range(300))
        data = "".join(f"{len(line) + 4} {line}\n" for line in lines).encode()
        return header(b"g", len(data)) + pad(data)

    path = tmp_path / "facts.tar"
    path.write_bytes(b"".join(facts(10_000 + 300 * number) + TEXT for number in range(6)) + END)
    assert "too long" in refusal(path)


def test_a_map_of_holes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "holes.tar"
    line = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
    path.write_bytes(
        header(b"x", len(line))
        + pad(line.encode())
        + header(b"0", 1 << 20)
        + b"9\n" * (1 << 19)
        + END
    )
    assert "too long" in refusal(path)


def test_long_names_of_a_tar_are_read(tmp_path: Path) -> None:
    path = tmp_path / "named.tar"
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        with tarfile.open(path, "w", format=form) as archive:
            for number in range(40):
                info = tarfile.TarInfo(f"{'folder/' * 300}{number}é.txt")
                info.size = 5
                archive.addfile(info, io.BytesIO(b"king\n"))
        assert read(path) == "king\n" * 40


def test_facts_are_those_of_one_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression, "_MOST_FACTS", 3000)
    path = tmp_path / "named.tar"
    path.write_bytes((header(b"L", 900) + pad(b"n" * 895 + b".txt\0") + TEXT) * 20 + END)
    assert read(path) == "the king\n" * 20


def test_a_negative_size_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "negative.tar"
    for kind in (b"0", b"L"):
        path.write_bytes(TEXT + header(kind, -512) + TEXT + END)
        assert "is a corrupt or truncated archive" in refusal(path)


# -- zip


@pytest.mark.parametrize("name", ["many.zip", "book.epub"])
def test_a_zip_that_promises_one_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for module in ("workbench.corpus.ingest.document_stream", "workbench.corpus.readers.zipped"):
        monkeypatch.setattr(f"{module}.MEMBERS", 100)
    monkeypatch.setattr(decompression, "MEMBERS", 100)
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        for number in range(101):
            archive.writestr(f"{number}.txt", "king\n")
    data = bytearray(path.read_bytes())
    assert data[-22:-18] == b"PK\x05\x06"
    data[-14:-10] = (1).to_bytes(2, "little") * 2
    path.write_bytes(data)
    assert "more than 100 files" in refusal(path)
    # The same with a comment, and searched in small pieces.
    path.write_bytes(bytes(data[:-2]) + b"\3\0PK\x05")
    assert "more than 100 files" in refusal(path)
    monkeypatch.setattr(decompression, "HEAD", 61)
    with path.open("rb") as file:
        assert decompression.zip_members(file) == 102


def test_a_64_bit_zip_that_promises_one_member(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(30):
            archive.writestr(f"{number}.txt", "king\n")
    data = path.read_bytes()
    at = len(data) - 22
    length, begin = struct.unpack("<II", data[at + 12 : at + 20])
    wide = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, length, begin)
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(data[:at] + wide + where + end)
    assert len(zipfile.ZipFile(path).namelist()) == 30
    with path.open("rb") as file:
        assert decompression.zip_members(file) == 30


def test_a_directory_of_a_zip_has_a_bound_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(20):
            info = zipfile.ZipInfo(f"{number}.txt")
            info.comment = b"c" * 60_000
            archive.writestr(info, "king\n")
    assert read(path) == "king\n" * 20
    monkeypatch.setattr(decompression, "_LARGEST_DIRECTORY", 1 << 20)
    assert "more than" in refusal(path)


# -- tables and JSON


@pytest.mark.parametrize("cell", ['ab","\n', '","', "ab,", '""\n'])
def test_a_row_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str) -> None:
    monkeypatch.setattr(quoted_rows, "LONGEST", 1 << 16)
    monkeypatch.setattr(records, "LONGEST", 1 << 16)
    path = tmp_path / "grow.csv"
    path.write_text('id,text\n1,the king\n2,"' + cell * 60_000)
    assert "Line 3 of grow.csv" in refusal(path)


def test_a_row_has_so_many_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("id,text\n1,the king\n2,the queen" + "," * 300_000 + "\n")
    assert "Line 3 of wide.csv" in refusal(path)
    # The limit applies to one row, not to many rows together.
    monkeypatch.setattr(quoted_rows, "_MOST_CELLS", 10)
    monkeypatch.setattr(quoted_rows, "LONGEST", 100)
    path.write_text("id,text\n" + "1,the king\n" * 30)
    assert read(path).split("\n\n")[:-1] == ["the king"] * 30


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [1, 2, 3, 1 << 19])
def test_rows_end_in_every_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, block: int
) -> None:
    monkeypatch.setattr("workbench.corpus.readers.base.BLOCK", block)
    path = tmp_path / "ends.csv"
    rows = ["id,text", "1,the king and queen", '2,"a man', 'and a ""dog"""', "", "3,a house"]
    path.write_bytes(end.join([*rows, ""]).encode())
    assert read(path) == 'the king and queen\n\na man\nand a "dog"\n\na house\n\n'
    lines = tmp_path / "ends.jsonl"
    lines.write_bytes(end.join(['{"text": "the king"}', '{"text": "a man"}', ""]).encode())
    assert read(lines) == "the king\n\na man\n\n"


def test_json_that_nests_without_end(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 300_000)
    assert "nested too deeply" in refusal(path)
    lines = tmp_path / "deep.jsonl"
    lines.write_text('{"text": "the king"}\n' + "[" * 30_000 + "\n")
    assert read(lines) == "the king\n\n"


# -- markup


def dump(text: str, before: str = "") -> str:
    return (
        f"<mediawiki>{before}<page><ns>0</ns><revision><text>the king "
        f"{text}</text></revision></page></mediawiki>"
    )


@pytest.mark.parametrize(
    "before",
    [
        f'<a x="{"a" * 3_000_000}"/>',
        f"<!--{'a' * 3_000_000}-->",
        f"<?a {'a' * 3_000_000}?>",
        "<a>" * 100_000,
        "".join(f"<a{number}/>" for number in range(20_000)),
        "".join(f'<a b{number}=""/>' for number in range(20_000)),
        "".join(f'<a xmlns:b{number}="c"/>' for number in range(20_000)),
    ],
    ids=["attribute", "comment", "instruction", "depth", "names", "attributes", "prefixes"],
)
def test_xml_that_no_text_has(tmp_path: Path, before: str) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(dump("queen", before))
    assert "Couldn’t read" in refusal(path)


def test_xml_within_the_bounds(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(
        dump("queen", f"<a x='{'a' * 300_000}'/><!--{'b' * 300_000}-->{'<a>' * 900}{'</a>' * 900}")
    )
    assert read(path) == "the king queen\n\n"
    path.write_text(dump("queen", "".join("<a></a>" for _ in range(5000))))
    assert read(path) == "the king queen\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "[[" * 200_000 + "text" + "]]" * 200_000,
        "[[a|" * 200_000 + "text" + "]]" * 200_000,
        "[//" + "a" * 400_000,
        "[mailto:" + "a" * 400_000,
        "(" + "\n" * 400_000 + "x",
        "{{" * 200_000 + "x",
        "{|\n{{" * 100_000 + "|}\n" * 100_000,
        "<ref " * 100_000,
        "<ref>" * 100_000 + "</ref" * 100_000,
        "<!--" * 100_000,
        "<a" * 200_000,
        "__" + "A" * 400_000,
        "[[aa" + "-aa" * 200_000 + ":x]]",
    ],
    ids=lambda text: text[:6].strip(),
)
def test_brackets_without_end_take_time_in_proportion(text: str) -> None:
    # In quadratic time, this would take minutes, and the suite’s time limit would stop the test.
    assert len(plain_text("the king " + text)) <= len(text) + 9


def test_links_in_links_in_links_keep_their_labels() -> None:
    markup = "[[File:a.png|thumb|a [[b|c [[d]] e]] f]] the [[x|king [[of|of [[y]]]]]]"
    assert plain_text(markup) == "the king of y"
    # Brackets nested deeper than in any real text are removed.
    assert plain_text("[[" * 30 + "king" + "]]" * 30 + " and [[a|queen]]") == "king and queen"


def test_a_dump_names_so_many_namespaces(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    spaces = "".join(f'<namespace key="6">Datei{number}</namespace>' for number in range(150))
    path.write_text(dump("[[Datei0:x]] [[datei99:x]] [[Datei149:queen]]", spaces))
    assert mediawiki._MOST_DROPPED == 100
    assert "queen" in read(path)
    assert "Datei0:" not in read(path)


@pytest.mark.parametrize(
    "body",
    [
        "<svg>" * 20_000 + "</script>" * 20_000,
        "<!--" + "a" * 3_000_000,
        '<p x="' + "a" * 3_000_000,
        "<a " + "b " * 500_000,
        "<!-" * 300_000,
        "<a b='" * 300_000,
    ],
    ids=["elements", "comment", "attribute", "attributes", "declarations", "quotes"],
)
def test_pages_that_never_end(tmp_path: Path, body: str) -> None:
    path = tmp_path / "page.html"
    path.write_text("<html><body><p>the king</p>" + body)
    assert read(path).startswith("the king\n")


def test_open_markup_in_a_skipped_element_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<html><body><svg><object><select>no</svg><p>the king</p></select><p>and queen</p>"
    )
    assert read(path).split("\n") == ["the king", "", "and queen", "", ""]


def test_a_book_lists_so_many_chapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.corpus.readers.safe_xml._MOST_ELEMENTS", 1000)
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml", "<container><rootfile full-path='o'/></container>"
        )
        archive.writestr("o", "<package>" + "<item/>" * 1001 + "</package>")
    assert "nested too deeply, or" in refusal(path)


# -- JSON files that aren’t text


@pytest.mark.parametrize("data", [b"[" * 200_000, b"\xff\xfe", b'{"format": NaN', b""])
def test_other_manifests_are_not_of_counts(tmp_path: Path, data: bytes) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(data)
    assert not is_sharded(tmp_path)
    assert not is_sharded(manifest)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_manifest_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "manifest.json")
    assert not is_sharded(tmp_path)


def test_a_folder_of_text_with_a_manifest_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[" * 20_000 + "]" * 20_000)
    (tmp_path / "a.txt").write_text("the king\n")
    assert not is_sharded(tmp_path)
    # The manifest contains no text and is skipped.
    assert read(tmp_path) == "the king\n"


def test_a_tar_of_blocks_of_facts_one_after_another_is_refused_by_its_name(tmp_path: Path) -> None:
    facts = tarfile.TarInfo("facts")
    facts.type, facts.size = tarfile.XHDTYPE, _BLOCK
    block = facts.tobuf(tarfile.USTAR_FORMAT) + (b"11 a=bbbbb\n" * 46).ljust(_BLOCK, b"\0")
    (tmp_path / "chain.tar").write_bytes(block * 2000)
    with pytest.raises(
        UserError,
        match=r"chain\.tar contains a sparse file, or file names or attributes that are too",
    ):
        read(tmp_path / "chain.tar")


PADDING = bytes(3_000_000)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b"one two\n") + PADDING + gzip.compress(b"three\n") + PADDING,
        gzip.compress(b"one two\n") + 5000 * gzip.compress(b"") + gzip.compress(b"three\n"),
        bz2.compress(b"one two\n") + 5000 * bz2.compress(b"") + bz2.compress(b"three\n"),
        lzma.compress(b"one two\n") + 5000 * lzma.compress(b"") + lzma.compress(b"three\n"),
    ],
    ids=["zeros", "gzip", "bzip2", "xz"],
)
def test_padding_in_compressed_texts(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "padded"
    path.write_bytes(content)
    assert list(open_corpus([path]).words) == ["one", "two", "three"]


@pytest.mark.parametrize("packed", ["padding", "other members"])
def test_reading_without_text_can_be_cancelled(packed: str, tmp_path: Path) -> None:
    """Each read asks, however little of what was read is text."""
    path = tmp_path / "a.gz"
    content = gzip.compress(b"one\n") + PADDING
    if packed == "other members":
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            picture = tarfile.TarInfo("picture.png")
            picture.size = len(PADDING)
            archive.addfile(picture, io.BytesIO(PADDING))
        content = gzip.compress(buffer.getvalue())
    path.write_bytes(content)
    (source,) = gather([path])
    asked = 0

    def cancel() -> None:
        nonlocal asked
        asked += 1
        if asked == 20:
            raise Cancelled

    with path.open("rb") as file, pytest.raises(Cancelled):
        for text in texts(source, file, watch=cancel):
            for _ in text.blocks:
                pass
