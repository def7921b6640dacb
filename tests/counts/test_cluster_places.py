"""Clusters started by others and texts at addresses, and the messages when something is wrong."""

from __future__ import annotations

import gc
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.processes.child_process import child_environment
from workbench.core.version import __version__
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.counts.cluster import (
    Cluster,
    ClusterParams,
    CountWindowParams,
    client,
    connect,
    connection,
    count,
    inputs,
)
from workbench.counts.cluster.inputs import UNKNOWN, Input, found_inputs, head_of
from workbench.counts.cluster.splits import divide, number_part
from workbench.counts.cooccurrence import cooccurrence

pytest.importorskip("distributed")

pytestmark = pytest.mark.slow
fsspec = pytest.importorskip("fsspec")

TEXT = "the old king saw the young queen\nand http://a.b/c the queen saw the king\n" * 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "texts"
    (root / "sub").mkdir(parents=True)
    (root / "one.txt").write_text(TEXT)
    (root / "sub" / "two.txt").write_text("another queen\n" * 40)
    (root / "notes.md").write_text("no text of ours\n")
    with zipfile.ZipFile(tmp_path / "texts.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one.txt", "sub/two.txt"):
            archive.write(root / name, name)
    return root


def tokens(
    paths: list[str | Path], size: int = 1 << 20, options: CorpusOptions | None = None
) -> int:
    """Number of tokens, read as workers read texts, in parts of ``size`` bytes."""
    options = options or CorpusOptions()
    total = 0

    def take(piece: Any) -> None:
        nonlocal total
        total += len(piece[0])

    for part in divide(found_inputs(paths, options), options, size, JobControl()):
        number_part(part, options, JobControl(), take, lambda: None)
    return total


# -- a cluster of separate programs


# Dask’s own programs, in a process where the workbench can’t be imported.
WITHOUT = "import sys; sys.modules['workbench'] = None; from dask.__main__ import main; main()"


class Programs:
    """A scheduler and workers, each started from the command line; ``without``: without the
    workbench installed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._told = folder, folder / "scheduler.json"
        self._stack = ExitStack()

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start(self, *words: str, without: bool) -> subprocess.Popen[bytes]:
        command = [sys.executable, *(("-c", WITHOUT) if without else ("-m", "dask")), *words]
        at = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self._told)]
        child = self._stack.enter_context(
            subprocess.Popen(
                [*command, *at],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=child_environment(),
                cwd=self._folder,
            )
        )
        # A process that is stopped (SIGSTOP) reacts to no other signal.
        self._stack.callback(child.kill)
        return child

    def scheduler(self, *, without: bool = False) -> subprocess.Popen[bytes]:
        child = self._start("scheduler", "--port", "0", without=without)
        while not self._told.exists() or not self._told.read_text():
            time.sleep(0.02)
        return child

    def worker(self, *, without: bool = False) -> subprocess.Popen[bytes]:
        return self._start(
            "worker", "--nthreads", "1", "--memory-limit", "900MB", "--no-nanny", without=without
        )

    @property
    def address(self) -> str:
        return str(json.loads(self._told.read_text())["address"])


def wait_for_workers(cluster: Cluster, number: int) -> None:
    while cluster.status().workers < number:
        time.sleep(0.02)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a scheduler with two workers."""
    with Programs(tmp_path_factory.mktemp("dask")) as programs:
        programs.scheduler()
        for _ in range(2):
            programs.worker()
        yield programs.address


def test_a_cluster_started_by_others(address: str, folder: Path, tmp_path: Path) -> None:
    with connect(ClusterParams(scheduler=address, partition=0.005)) as remote_cluster:
        wait_for_workers(remote_cluster, 2)
        shards = count(
            [f"zip://**/*.txt::{folder.parent / 'texts.zip'}"],
            tmp_path / "out",
            None,
            FEW,
            remote_cluster,
        )
        corpus = open_corpus([folder / "one.txt", folder / "sub" / "two.txt"])
        vocabulary = corpus.vocabulary(1)
        assert sorted(shards.vocabulary.words) == sorted(vocabulary.words)
        expected = cooccurrence(corpus, vocabulary, FEW.window, FEW.window_weighting)
        assert shards.total == expected.sum()
        assert shards.nnz == expected.nnz


FEW = CountWindowParams(window=2, min_count=1)


def test_other_versions_are_reported(
    address: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(ClusterParams(scheduler=address)) as remote_cluster:
        versions = remote_cluster.client.get_versions()
        other = json.loads(json.dumps(versions))
        other["scheduler"]["packages"] |= {"python": "3.9.1.final.0", "distributed": "2024.8.2"}
        monkeypatch.setattr(remote_cluster.client, "get_versions", lambda: other)
        with pytest.raises(UserError) as error:
            count([folder], tmp_path / "out", None, FEW, remote_cluster)
        own = connection._told_versions(versions["client"])
        assert (
            error.value.message
            == f"The scheduler runs Python 3.9, distributed 2024.8, but this machine runs {own}."
        )
        assert error.value.hint == "Install the same versions everywhere."
        other = json.loads(json.dumps(versions))
        other["workers"] = {
            "tcp://w:1": {
                "packages": {**versions["client"]["packages"], "python": "3.99.0.final.0"}
            }
        }
        with pytest.raises(UserError, match=r"Worker tcp://w:1 runs Python 3\.99"):
            remote_cluster.check_workers()
        # A different patch version is accepted.
        other = json.loads(json.dumps(versions))
        parts = other["scheduler"]["packages"]["distributed"].split(".")
        other["scheduler"]["packages"]["distributed"] = ".".join([*parts[:2], "99"])
        remote_cluster.check_workers()


@pytest.mark.parametrize(
    ("scheduler", "message"),
    [
        (
            "tcp://127.0.0.1:1",
            r"Couldn’t reach a Dask scheduler at tcp://127.0.0.1:1 \((Connection refused|Timed "
            r"out .*)\)\.",
        ),
        ("tls://127.0.0.1:1", r"tls://127.0.0.1:1 needs certificates, but you haven’t given any\."),
    ],
)
def test_addresses_at_which_nobody_answers(
    scheduler: str, message: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.2)
    with pytest.raises(UserError) as error:
        connect(ClusterParams(scheduler=scheduler))
    assert re.fullmatch(message, error.value.message)
    # Nor does the discarded connection print anything.
    assert capfd.readouterr().err == ""


NONSENSE = {
    "silence": None,
    "the end": b"",
    "a shell": b"SSH-2.0-OpenSSH_9.2p1\r\n",
    "the web": b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    "zeros": bytes(1 << 20),
    "a long message": (5 << 30).to_bytes(8, "little"),
    "noise": bytes(range(256)) * 64,
}


@pytest.mark.parametrize("reply", NONSENSE.values(), ids=NONSENSE.keys())
def test_another_program_answers(
    reply: bytes | None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(client, "_CLOSE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        at = f"tcp://127.0.0.1:{listening.getsockname()[1]}"

        def answer() -> None:
            with suppress(OSError):
                while True:
                    peer, _ = listening.accept()
                    if reply is None:
                        stack.enter_context(peer)
                        continue
                    with peer, suppress(OSError):
                        peer.sendall(reply)
                        # Wait until the other side has read enough.
                        while reply and peer.recv(1 << 16):
                            pass

        thread = threading.Thread(target=answer)
        thread.start()
        stack.callback(thread.join)
        stack.callback(listening.shutdown, socket.SHUT_RDWR)
        with pytest.raises(
            UserError,
            match=f"Couldn’t reach a Dask scheduler at {at}|{at} isn’t the address of a Dask",
        ) as error:
            connect(ClusterParams(scheduler=at))
        assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""


def test_another_version_of_the_workbench_is_reported(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(ClusterParams(scheduler=address)) as remote_cluster:
        wait_for_workers(remote_cluster, 2)
        remote_cluster.check_workers()
        own = __version__
        monkeypatch.setattr(connection, "__version__", "99.0")
        with pytest.raises(
            UserError,
            match=f"^The scheduler has version {own} of embedding-workbench, "
            "but this machine has 99.0",
        ):
            remote_cluster.check_workers()
        monkeypatch.setattr(remote_cluster, "_version_of_scheduler", lambda: "99.0")
        with pytest.raises(
            UserError,
            match=rf"^Worker tcp://127.0.0.1:\d+ has version {own} of embedding-workbench",
        ):
            remote_cluster.check_workers()


def test_dask_has_no_way_to_the_terminal() -> None:
    """A separate process, because Dask doesn’t write to the terminal if pytest captures logs."""
    code = (
        "import logging\nfrom workbench.counts.cluster.optional_deps import "
        "load_distributed\nload_distributed()\n"
        "for name in ('distributed', 'distributed.client', 'distributed.core'): "
        "logging.getLogger(name).error('lost')\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        env=child_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stderr == ""


def test_nonsense_from_a_scheduler_is_an_error(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(ClusterParams(scheduler=address)) as remote_cluster:
        for info in (
            {"workers": 7},
            {"workers": {"tcp://w:1": {"nthreads": "x"}}},
            {"workers": {"tcp://w:1": None}},
            None,
        ):
            monkeypatch.setattr(
                remote_cluster.client, "scheduler_info", lambda n_workers, info=info: info
            )
            with pytest.raises(UserError, match="Couldn’t understand the scheduler’s answer"):
                remote_cluster.status()
        monkeypatch.setattr(
            remote_cluster.client,
            "get_versions",
            lambda: {"client": {}, "scheduler": None, "workers": {}},
        )
        with pytest.raises(UserError, match="Couldn’t understand the scheduler’s answer"):
            remote_cluster.check_workers()


@pytest.mark.parametrize(
    "scheduler", ["tcp://", "tcp://host", "host:8786", "http://host:1", "tcp://host:x", "tcp://:1"]
)
def test_invalid_addresses(scheduler: str) -> None:
    with pytest.raises(UserError, match="must be an address"):
        ClusterParams(scheduler=scheduler)


def test_without_workers_without_the_package_and_without_an_answer(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with Programs(tmp_path) as programs:
        scheduler = programs.scheduler()
        at = programs.address
        words = [
            "count-cluster",
            str(folder),
            "--out",
            str(out),
            "--scheduler",
            at,
            "--worker-wait",
            "1",
        ]
        assert main(words) == 2
        notice, message = capfd.readouterr().err.splitlines()
        assert f"{at} isn’t encrypted" in notice
        assert message == (
            f"The scheduler at {at} had no workers for 1 s. "
            "Start workers that have embedding-workbench installed, for example with: "
            f"dask worker {at}."
        )
        programs.worker(without=True)
        with connect(ClusterParams(scheduler=at)) as remote_cluster:
            wait_for_workers(remote_cluster, 1)
            with pytest.raises(
                UserError,
                match=r"^embedding-workbench isn’t installed on worker tcp://127.0.0.1:\d+",
            ):
                remote_cluster.check_workers()
            monkeypatch.setattr(client, "ANSWER_SECONDS", 0.2)
            monkeypatch.setattr(connection, "_END_SECONDS", 0.2)
            scheduler.send_signal(signal.SIGSTOP)
            for ask in (remote_cluster.status, remote_cluster.check_workers):
                with pytest.raises(UserError, match="no longer responds"):
                    ask()
    assert not out.exists()
    assert capfd.readouterr().err == ""


def test_a_scheduler_without_the_package(tmp_path: Path) -> None:
    with Programs(tmp_path) as programs:
        programs.scheduler(without=True)
        remote_cluster = connect(ClusterParams(scheduler=programs.address))
        with (
            remote_cluster,
            pytest.raises(
                UserError, match=r"^embedding-workbench isn’t installed on the scheduler"
            ),
        ):
            remote_cluster.check_workers()


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("worker", "had no workers for 1 s"),
        ("scheduler", "The scheduler of the cluster stopped or"),
    ],
)
def test_programs_that_end_during_a_count(
    ending: str, message: str, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A worker or scheduler that stops meanwhile gives one sentence, and no output from Dask."""
    run = JobControl()
    with Programs(tmp_path) as programs:
        children = {"scheduler": programs.scheduler(), "worker": programs.worker()}
        with connect(
            ClusterParams(scheduler=programs.address, partition=0.0005, worker_wait=1)
        ) as remote_cluster:
            wait_for_workers(remote_cluster, 1)

            def end() -> None:
                while not (run.progress.fraction or 0.0):
                    time.sleep(0.002)
                children[ending].kill()

            thread = threading.Thread(target=end)
            thread.start()
            with pytest.raises(UserError, match=message):
                count([folder], tmp_path / "out", None, FEW, remote_cluster, run)
            thread.join()
    assert not (tmp_path / "out").exists()
    assert capfd.readouterr().err == ""


# -- texts at addresses


def test_members_of_an_archive_are_found_again_by_workers(folder: Path) -> None:
    archive = folder.parent / "texts.zip"
    assert tokens([f"zip://*.txt::{archive}"]) == tokens([folder / "one.txt"])
    assert tokens([f"zip://**/*.txt::file://{archive}"]) == tokens(
        [folder / "one.txt", folder / "sub"]
    )
    (item,) = found_inputs([f"simplecache::zip://one.txt::{archive}"], CorpusOptions())
    assert item.path == f"simplecache::zip://one.txt::{archive}"
    # fsspec removes its copy with the last reference to its file system.
    fsspec.get_filesystem_class("simplecache").clear_instance_cache()
    gc.collect()


def test_patterns_of_local_files(folder: Path) -> None:
    assert tokens([f"{folder}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([f"file://{folder}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([folder], options=CorpusOptions(include="sub/*")) == tokens(
        [folder / "sub" / "two.txt"]
    )


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("{folder}/*.text", "Nothing was found at {folder}/*.text."),
        ("file://{folder}/none.txt", "Nothing was found at file://{folder}/none.txt."),
        ("zip://{folder}.zip", "zip://{folder}.zip doesn’t name an archive."),
        ("zip://*.txt::{folder}/none.zip", "Nothing was found at zip://*.txt::{folder}/none.zip."),
        ("zip://*.md::{folder}.zip", "Nothing was found at zip://*.md::{folder}.zip."),
        (
            "zip://*.txt::{folder}/one.txt",
            "Couldn’t open zip://*.txt::{folder}/one.txt: {no_zip}.",
        ),
        ("nothing://x/y", "Couldn’t open nothing://x/y: Protocol not known: nothing."),
    ],
)
def test_missing_files_are_reported(url: str, message: str, folder: Path) -> None:
    no_zip = "it isn’t a zip file, or it is truncated"
    with pytest.raises(UserError) as error:
        found_inputs([url.format(folder=folder)], CorpusOptions())
    assert error.value.message in (
        message.format(folder=folder, no_zip=no_zip),
        message.format(folder=folder, no_zip=no_zip).replace("Nothing was", "No text was"),
    )


def test_a_server_that_refuses_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems raise various errors; the user gets one sentence."""

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
    item = Input("http://host/a.txt", "a.txt", 10, 0, True)
    with pytest.raises(UserError, match="Couldn’t read a.txt"):
        head_of(item, 5)


# -- the web


@pytest.fixture(scope="module")
def web() -> None:
    """Start the thread that fsspec keeps for the web for the rest of the process."""
    from fsspec.asyn import get_loop

    get_loop()


@pytest.fixture
def base_address(web: None, folder: Path) -> Iterator[str]:
    """Serve the folder at an address, by a server that can’t start in the middle of a file, such as
    Python’s.
    """

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


def test_a_text_of_the_web(base_address: str, folder: Path) -> None:
    """A file that can be read only from its start isn’t cut; a text that contains addresses isn’t
    taken for a folder.
    """
    assert tokens([f"{base_address}/*.txt"]) == tokens([folder / "one.txt"])
    assert tokens([f"{base_address}/sub/"]) == tokens([folder / "sub"])
    (item,) = found_inputs([f"{base_address}/one.txt"], CorpusOptions())
    assert item.size == UNKNOWN
    assert tokens([f"{base_address}/one.txt"], 5000) == tokens([folder / "one.txt"])
    with pytest.raises(UserError, match="Nothing was found at"):
        found_inputs([f"{base_address}/none.txt"], CorpusOptions())
