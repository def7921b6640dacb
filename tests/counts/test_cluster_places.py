"""Clusters that others started, and texts at addresses: what is said where something is not as it should be."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import UserError
from workbench.core.paths import child_environment
from workbench.core.run import Run
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.store import open_corpus
from workbench.counts.cluster import ClusterParams, WindowParams, connect, connection, count, inputs
from workbench.counts.cluster.inputs import UNKNOWN, Input, found_inputs, head_of
from workbench.counts.cluster.parts import divide, number_part
from workbench.counts.cooccurrence import cooccurrence

pytest.importorskip("distributed")
fsspec = pytest.importorskip("fsspec")

TEXT = "the old king saw the young queen\nand http://a.b/c the queen saw the king\n" * 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    (made / "sub").mkdir(parents=True)
    (made / "one.txt").write_text(TEXT)
    (made / "sub" / "two.txt").write_text("another queen\n" * 40)
    (made / "notes.md").write_text("no text of ours\n")
    with zipfile.ZipFile(tmp_path / "texts.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one.txt", "sub/two.txt"):
            archive.write(made / name, name)
    return made


def tokens(paths: list[str | Path], size: int = 1 << 20, options: CorpusOptions | None = None) -> int:
    """Read as workers read it, in parts of so many bytes."""
    options = options or CorpusOptions()
    found = 0

    def take(piece: Any) -> None:
        nonlocal found
        found += len(piece[0])

    for part in divide(found_inputs(paths, options), options, size, Run()):
        number_part(part, options, Run(), take, lambda: None)
    return found


# -- a cluster of separate programs


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a scheduler with two workers, each started as people start them."""
    folder = tmp_path_factory.mktemp("dask")
    told = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": child_environment(), "cwd": folder}
    at = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(told)]
    with ExitStack() as stack:

        def start(*words: str) -> None:
            child = stack.enter_context(subprocess.Popen([sys.executable, "-m", "dask", *words], **quiet))
            stack.callback(child.terminate)

        start("scheduler", "--port", "0", *at)
        while not told.exists() or not told.read_text():
            time.sleep(0.02)
        for _ in range(2):
            start("worker", "--nthreads", "1", "--memory-limit", "900MB", "--no-nanny", *at)
        yield str(json.loads(told.read_text())["address"])


def test_a_scheduler_and_workers_of_somebody_else(address: str, folder: Path, tmp_path: Path) -> None:
    with connect(ClusterParams(scheduler=address, partition=0.005)) as named:
        while named.status().workers < 2:
            time.sleep(0.02)
        found = count([f"zip://**/*.txt::{folder.parent / 'texts.zip'}"], tmp_path / "out", None, FEW, named)
        corpus = open_corpus([folder / "one.txt", folder / "sub" / "two.txt"])
        vocabulary = corpus.vocabulary(1)
        assert sorted(found.vocabulary.words) == sorted(vocabulary.words)
        expected = cooccurrence(corpus, vocabulary, FEW.window, FEW.window_weighting)
        assert found.total == expected.sum()
        assert found.nnz == expected.nnz


FEW = WindowParams(window=2, min_count=1)


def test_other_versions_are_told(address: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with connect(ClusterParams(scheduler=address)) as named:
        told = named.client.get_versions()
        other = json.loads(json.dumps(told))
        other["scheduler"]["packages"] |= {"python": "3.9.1.final.0", "distributed": "2024.8.2"}
        monkeypatch.setattr(named.client, "get_versions", lambda: other)
        with pytest.raises(UserError) as caught:
            count([folder], tmp_path / "out", None, FEW, named)
        own = connection._told_versions(told["client"])
        assert caught.value.message == f"The scheduler runs Python 3.9, distributed 2024.8, and this is {own}."
        assert caught.value.hint == "Install the same versions everywhere."
        other = json.loads(json.dumps(told))
        other["workers"] = {"tcp://w:1": {"packages": {**told["client"]["packages"], "python": "3.99.0.final.0"}}}
        with pytest.raises(UserError, match=r"The worker tcp://w:1 runs Python 3\.99"):
            named.check_workers()
        # A repair of either makes no difference.
        other = json.loads(json.dumps(told))
        parts = other["scheduler"]["packages"]["distributed"].split(".")
        other["scheduler"]["packages"]["distributed"] = ".".join([*parts[:2], "99"])
        named.check_workers()


@pytest.mark.parametrize(
    ("scheduler", "said"),
    [
        ("tcp://127.0.0.1:1", "No Dask scheduler answers at tcp://127.0.0.1:1"),
        ("tls://127.0.0.1:1", "tls://127.0.0.1:1 cannot be connected to (TLS expects"),
    ],
)
def test_addresses_at_which_nobody_answers(
    scheduler: str, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 0.2)
    with pytest.raises(UserError) as caught:
        connect(ClusterParams(scheduler=scheduler))
    assert caught.value.message.startswith(said)
    assert "\n" not in caught.value.message
    # Nor does what is thrown away of it say anything.
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "scheduler", ["tcp://", "tcp://host", "host:8786", "http://host:1", "tcp://host:x", "tcp://:1"]
)
def test_what_is_no_address(scheduler: str) -> None:
    with pytest.raises(UserError, match="must be an address"):
        ClusterParams(scheduler=scheduler)


# -- texts at addresses


def test_members_of_an_archive_are_found_again_by_workers(folder: Path) -> None:
    archive = folder.parent / "texts.zip"
    assert tokens([f"zip://*.txt::{archive}"]) == tokens([folder / "one.txt"])
    assert tokens([f"zip://**/*.txt::file://{archive}"]) == tokens([folder / "one.txt", folder / "sub"])
    (given,) = found_inputs([f"simplecache::zip://one.txt::{archive}"], CorpusOptions())
    assert given.path == f"simplecache::zip://one.txt::{archive}"


def test_patterns_of_local_files(folder: Path) -> None:
    assert tokens([f"{folder}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([f"file://{folder}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([folder], options=CorpusOptions(include="sub/*")) == tokens([folder / "sub" / "two.txt"])


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("{folder}/*.text", "There is nothing at {folder}/*.text."),
        ("file://{folder}/none.txt", "There is nothing at file://{folder}/none.txt."),
        ("zip://{folder}.zip", "zip://{folder}.zip does not say which archive."),
        ("zip://*.txt::{folder}/none.zip", "There is nothing at zip://*.txt::{folder}/none.zip."),
        ("zip://*.md::{folder}.zip", "There is nothing at zip://*.md::{folder}.zip."),
        ("zip://*.txt::{folder}/one.txt", "zip://*.txt::{folder}/one.txt cannot be opened ({no_zip})."),
        ("nothing://x/y", "nothing://x/y cannot be opened (Protocol not known: nothing)."),
    ],
)
def test_what_is_not_there_is_told(url: str, said: str, folder: Path) -> None:
    no_zip = "it is no zip file, or its end is missing"
    with pytest.raises(UserError) as caught:
        found_inputs([url.format(folder=folder)], CorpusOptions())
    assert caught.value.message in (
        said.format(folder=folder, no_zip=no_zip),
        said.format(folder=folder, no_zip=no_zip).replace("nothing at", "no text at"),
    )


def test_a_server_that_refuses_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems raise what they like; whoever reads is told in one sentence."""

    class Broken:
        def __enter__(self) -> Broken:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self, size: int) -> bytes:
            raise RuntimeError("the server is\ntired")

    class System:
        def open(self, path: str, mode: str) -> Broken:
            return Broken()

    monkeypatch.setattr(inputs, "_system", lambda url: (System(), url))
    given = Input("http://host/a.txt", "a.txt", 10, 0, True)
    with pytest.raises(UserError, match="a.txt cannot be read"):
        head_of(given, 5)


# -- the web


@pytest.fixture(scope="module")
def web() -> None:
    """The thread that fsspec keeps for the web as long as a process lives."""
    from fsspec.asyn import get_loop

    get_loop()


@pytest.fixture
def served(web: None, folder: Path) -> Iterator[str]:
    """The folder at an address, by a server that gives files from their beginning alone, as Python's does."""

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_text_of_the_web(served: str, folder: Path) -> None:
    """What can be read from its beginning alone is not cut; a text with addresses in it is no folder."""
    assert tokens([f"{served}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([f"{served}/sub/"]) == tokens([folder / "sub"])
    (given,) = found_inputs([f"{served}/one.txt"], CorpusOptions())
    assert given.size == UNKNOWN
    assert tokens([f"{served}/one.txt"], 5000) == tokens([folder / "one.txt"])
    with pytest.raises(UserError, match="There is nothing at"):
        found_inputs([f"{served}/none.txt"], CorpusOptions())
