"""Files of folders and archives that can't be read are passed over and named."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.preview import preview
from workbench.corpus.ingest.read_warnings import list_warnings, passed_over
from workbench.corpus.ingest.text_sample import take_sample
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")

_BROKEN = "<TEI><text><p>early words</p><p>and then</q></text></TEI>"
_UNKNOWN = '<?xml version="1.0" encoding="x-klingon"?><TEI><text><p>hidden</p></text></TEI>'


def _words(corpus: Corpus) -> list[str]:
    return [corpus.words[number] for number in corpus.ids]


def _folder(place: Path) -> Path:
    folder = place / "folder"
    (folder / "sub").mkdir(parents=True)
    for name, content in {
        "a.txt": "one two",
        "broken.xml": _BROKEN,
        "klingon.xml": _UNKNOWN,
        "other.xml": "<ANNOTATION><x>aa</x></ANNOTATION>",
        "picture.png": "PNG",
        "sub/z.txt": "three",
        ".hidden.png": "PNG",
    }.items():
        (folder / name).write_text(content)
    (folder / "sub" / "zeros.txt").write_bytes(b"\0\1\2\3" * 100)
    return folder


def test_a_folder_is_read_without_what_cannot_be_read(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    for _ in range(2):  # read, then loaded from the cache
        corpus = open_corpus([folder])
        assert _words(corpus) == ["one", "two", "three"]
        assert [Path(file.path).name for file in corpus.files] == ["a.txt", "z.txt"]
        passed = {Path(file.path).name: file.note for file in passed_over(corpus)}
        assert list(passed) == [
            "broken.xml",
            "klingon.xml",
            "other.xml",
            "picture.png",
            "zeros.txt",
        ]
        assert "isn’t well-formed XML" in passed["broken.xml"]
        assert "x-klingon" in passed["klingon.xml"]
        assert "binary data" in passed["zeros.txt"]
        assert "name" in passed["picture.png"]
        told = " ".join(list_warnings(corpus))
        assert "1 file was passed over, because its name" in told
        assert "picture.png" in told
        assert "Passed over: folder/broken.xml isn’t well-formed XML" in told
        assert "1 more file couldn’t be read" in told


def test_a_file_in_the_way_of_another_changes_nothing_else(tmp_path: Path) -> None:
    """What was read of a file before its fault leaves no trace."""
    folder = _folder(tmp_path)
    clean = tmp_path / "clean"
    (clean / "sub").mkdir(parents=True)
    for name in ("a.txt", "sub/z.txt"):
        (clean / name).write_bytes((folder / name).read_bytes())
    assert open_corpus([folder]).digest == open_corpus([clean]).digest


def test_reading_stops_on_request(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    with pytest.raises(UserError, match=r"broken\.xml isn’t well-formed XML"):
        open_corpus([folder], CorpusOptions(unreadable="stop"))


def test_a_file_that_was_chosen_by_name_is_never_passed_over(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    with pytest.raises(UserError, match=r"broken\.xml isn’t well-formed XML"):
        open_corpus([folder / "a.txt", folder / "broken.xml"])


def test_nothing_but_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "broken.xml").write_text(_BROKEN)
    with pytest.raises(UserError, match=r"^only/broken\.xml isn’t well-formed"):
        open_corpus([tmp_path / "only"])
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_text("PNG")
    with pytest.raises(UserError, match=r"no text files\. It contains other files: a\.png"):
        open_corpus([tmp_path / "pictures"])


def test_copies_that_editors_keep_are_no_texts_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("good.txt", "good.txt~", "#good.txt#", "~$letter.docx", "notes~"):
        (folder / name).write_text("old words")
    corpus = open_corpus([folder])
    assert [Path(file.path).name for file in corpus.files] == ["good.txt"]
    assert "4 files were passed over" in " ".join(list_warnings(corpus))
    assert open_corpus([folder / "good.txt~"]).tokens == 2
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("good.txt", "sub/good.txt~"):
            archive.writestr(name, "old words")
    assert open_corpus([tmp_path / "a.zip"]).tokens == 2


def _packed(kind: str) -> bytes:
    members = {"a.txt": "one two", "broken.xml": _BROKEN, "p.png": "PNG", "z.txt": "three"}
    buffer = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, text in members.items():
                archive.writestr(name, text)
        return buffer.getvalue()
    with tarfile.open(fileobj=buffer, mode="w:gz" if kind == "tar.gz" else "w") as tar:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_members_of_an_archive(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"texts.{kind}"
    path.write_bytes(_packed(kind))
    corpus = open_corpus([path])
    assert _words(corpus) == ["one", "two", "three"]
    assert [Path(file.path).name for file in passed_over(corpus)] == ["broken.xml", "p.png"]


def test_a_damaged_archive_in_a_folder_is_passed_over_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "b.txt").write_text("kept")
    path = folder / "a.tar.gz"
    path.write_bytes(_packed("tar.gz")[:-20])
    corpus = open_corpus([folder])
    assert _words(corpus) == ["kept"]
    assert [Path(file.path).name for file in passed_over(corpus)] == ["a.tar.gz"]
    with pytest.raises(UserError, match=r"a\.tar\.gz is truncated"):
        open_corpus([path])


def test_the_preview_names_them(tmp_path: Path) -> None:
    options = CorpusOptions()
    sample = take_sample([_folder(tmp_path)], options)
    notes = " ".join(preview(sample, options, options).notes)
    assert "picture.png" in notes
    assert "broken.xml" in notes
    assert "early" not in notes
    assert b"early" not in b"".join(sample.parts)


def test_a_pointer_of_git_lfs_is_named(tmp_path: Path) -> None:
    """A pointer stands for a text that wasn't downloaded, so its lines aren't words."""
    path = tmp_path / "big.txt"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n")
    with pytest.raises(UserError, match="pointer of Git LFS") as raised:
        open_corpus([path])
    assert "git lfs pull" in raised.value.hint
    (tmp_path / "a.txt").write_text("one two")
    corpus = open_corpus([tmp_path])
    assert _words(corpus) == ["one", "two"]
    assert any("Git LFS" in sentence for sentence in list_warnings(corpus))
