"""Text from pipes: the same corpus as from a file, of unknown size, cancellable at any time."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.text_sample import take_sample
from workbench.corpus.loader import open_corpus
from workbench.vectors.formats import sniff

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")

TEXT = "".join(f"the {number} cats of {number % 7}\nsaw – café –\n" for number in range(20_000))


@contextlib.contextmanager
def pipe_with(path: Path, data: bytes) -> Iterator[Path]:
    """A pipe into which another thread writes ``data``."""
    os.mkfifo(path)

    def write() -> None:
        # The reader may stop before everything is written.
        with contextlib.suppress(BrokenPipeError), path.open("wb") as file:
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield path
    finally:
        writer.join()


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "options", [CorpusOptions(), CorpusOptions(phrases=1, stop_words="the")], ids=["", "more"]
)
def test_a_pipe_makes_the_corpus_that_a_file_makes(
    tmp_path: Path, pack: Callable[[bytes], bytes], options: CorpusOptions
) -> None:
    data = pack(TEXT.encode())
    (tmp_path / "text.txt").write_bytes(TEXT.encode())
    expected = open_corpus([tmp_path / "text.txt"], options)
    run = JobControl()
    with pipe_with(tmp_path / "pipe", data) as pipe:
        corpus = open_corpus([pipe], options, run)
    assert corpus.digest == expected.digest
    assert corpus.tokens == expected.tokens
    assert corpus.files[0].size == len(data)
    # A pipe’s corpus isn’t cached under its path, because the next text may be different.
    pipe.unlink()
    with pipe_with(pipe, b"other words") as pipe:
        assert list(open_corpus([pipe]).words) == ["other", "words"]


def test_files_and_pipes_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two\n")
    with pipe_with(tmp_path / "pipe", b"three\n") as pipe:
        corpus = open_corpus([tmp_path / "a.txt", pipe])
    assert list(corpus.words) == ["one", "two", "three"]
    assert [file.tokens for file in corpus.files] == [2, 1]


def _zip_archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "words")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TEXT.encode() + b"caf\xe9 " * 10, "read only once"),
        (_zip_archive(), "zip archives can’t be read from a pipe"),
        (b"", "contains no words"),
    ],
    ids=["not UTF-8", "zip", "nothing"],
)
def test_invalid_inputs_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    with pipe_with(tmp_path / "pipe", data) as pipe, pytest.raises(UserError, match=message):
        open_corpus([pipe])


def test_waiting_for_a_writer_can_be_cancelled(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    run = JobControl()
    threading.Timer(0.1, run.cancel).start()
    with pytest.raises(Cancelled):
        open_corpus([tmp_path / "pipe"], None, run)


def test_a_check_of_a_pipe_reads_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert sniff(tmp_path / "pipe") is None
    with pytest.raises(UserError, match="only once"):
        take_sample([tmp_path / "pipe"], CorpusOptions())
