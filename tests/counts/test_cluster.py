"""A cluster of local processes gives the same counts as one process, even if workers are lost."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest
from counts.cluster_keys import named_by_address

from workbench.cli import main
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.processes.child_process import child_environment
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.counts.cluster import (
    Cluster,
    ClusterParams,
    ClusterStatus,
    CountWindowParams,
    connect,
    connection,
    count,
    output_folder,
    plan,
)
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.shards import ShardedCounts, is_sharded

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

pytestmark = pytest.mark.slow

MEMORY = 900


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # Parts of 20 kB: about thirty parts of the text below.
    with connect(ClusterParams(workers=2, worker_memory=MEMORY, partition=0.02)) as new_cluster:
        yield new_cluster


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """600 kB of a few thousand words by Zipf’s law, with empty lines, non-ASCII letters and rare
    words.
    """
    rng = np.random.default_rng(5)
    share = 1.0 / np.arange(2, 4002)
    words = [f"wört{number}" if number % 3 else f"λέξη{number}" for number in range(4000)]
    ends = rng.choice(["\n", "\n\n", " \r\n", ". ", " "], 60_000, p=[0.03, 0.01, 0.01, 0.05, 0.9])
    word_numbers = rng.choice(4000, 60_000, p=share / share.sum())
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(
        "".join(words[word] + end for word, end in zip(word_numbers, ends, strict=True)),
        "utf-8",
        newline="",
    )
    return path


def assert_counted(
    shards: ShardedCounts, path: Path, counting: CountWindowParams, options: CorpusOptions
) -> None:
    """Check that counts equal those of one machine, bit for bit (harmonic weights: to 1e-9)."""
    corpus = open_corpus([path], options)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    expected = cooccurrence(
        corpus, vocabulary, counting.window, counting.window_weighting, counting.symmetric
    )
    assert list(shards.vocabulary.words) == list(vocabulary.words)
    assert shards.vocabulary.counts.tolist() == vocabulary.counts.tolist()
    matrix = shards.to_csr()
    assert np.array_equal(matrix.indptr, expected.indptr)
    assert np.array_equal(matrix.indices, expected.indices)
    if counting.window_weighting == "harmonic":
        np.testing.assert_allclose(matrix.data, expected.data, rtol=1e-9)
    else:
        assert np.array_equal(matrix.data, expected.data)
    shards.verify()


def count_and_compare(
    cluster: Cluster,
    text: Path,
    out: Path,
    counting: CountWindowParams | None = None,
    options: CorpusOptions | None = None,
    run: JobControl | None = None,
) -> None:
    counting, options = counting or CountWindowParams(), options or CorpusOptions()
    shards = count([text], out, options, counting, cluster, run, shard_cells=20_000)
    assert len(shards.shards) > 5
    assert_counted(shards, text, counting, options)
    # Only the result is left in the folder.
    assert os.listdir(out.parent) == [out.name]


@pytest.mark.parametrize(
    ("weighting", "symmetric", "sentences"),
    [
        ("dynamic", True, "lines"),
        ("fixed", False, "lines"),
        ("harmonic", True, "paragraphs"),
        ("linear", False, "punctuation"),
    ],
)
def test_counts_are_those_of_one_machine(
    cluster: Cluster, text: Path, tmp_path: Path, weighting: str, symmetric: bool, sentences: str
) -> None:
    counting = CountWindowParams(
        window=4, window_weighting=weighting, symmetric=symmetric, max_vocab=1500
    )
    run = JobControl()
    count_and_compare(
        cluster, text, tmp_path / "out", counting, CorpusOptions(sentences=sentences), run
    )
    shards = ShardedCounts.open(tmp_path / "out")
    assert (shards.metadata["weighting"], shards.metadata["window"]) == (weighting, 4)
    assert shards.metadata["symmetric"] is symmetric
    assert (
        shards.metadata["corpus"]["tokens"]
        == open_corpus([text], CorpusOptions(sentences=sentences)).tokens
    )
    assert {Phase.READING.value, Phase.COUNTING.value} <= set(run.seconds)
    status = run.latest("cluster")
    assert isinstance(status, ClusterStatus)
    assert (status.workers, status.local) == (2, True)


def test_four_workers(text: Path, tmp_path: Path) -> None:
    counting = CountWindowParams(min_count=2)
    shards = count(
        [text],
        tmp_path / "out",
        None,
        counting,
        ClusterParams(workers=4, worker_memory=600, partition=0.05),
    )
    assert_counted(shards, text, counting, CorpusOptions())


# -- lost workers and connections


def workers_of(cluster: Cluster) -> list[int]:
    """Ids of the worker processes running now."""
    assert cluster._child is not None
    try:
        inner = psutil.Process(cluster._child._process.pid).children(recursive=True)
        return [each.pid for each in inner if "spawn_main" in " ".join(each.cmdline())]
    except psutil.NoSuchProcess:
        return []


def test_workers_killed_at_random_moments(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    rng = random.Random()
    run = JobControl()
    over = threading.Event()
    kills = []

    def kill() -> None:
        # One worker is killed while parts are counted and two while they are added up, at a random
        # progress rather than time, so that this works on a busy machine too; at once if that
        # progress has already passed.
        phases = [Phase.READING, Phase.COUNTING, Phase.SAVING]
        for phase, share, number in (
            (Phase.READING, rng.random(), 1),
            (Phase.COUNTING, rng.random(), 2),
        ):
            while not over.is_set():
                now = run.progress
                late = now.phase in phases[phases.index(phase) + 1 :]
                if late or (now.phase is phase and (now.fraction or 0.0) >= 0.9 * share):
                    for pid in workers_of(cluster)[:number]:
                        os.kill(pid, signal.SIGKILL)
                        kills.append(pid)
                    break
                over.wait(0.005)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        count_and_compare(cluster, text, tmp_path / "out", run=run)
    finally:
        over.set()
        killer.join()
    assert kills


def test_pieces_carried_by_dask(
    cluster: Cluster, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that share no folder with this machine give the same counts, even if one is lost."""
    monkeypatch.setattr(output_folder, "_is_shared", lambda folder, cluster: False)
    run = JobControl()
    finished = threading.Event()

    def kill() -> None:
        while not finished.wait(0.005):
            if run.progress.phase is Phase.COUNTING and (run.progress.fraction or 0.0) > 0.5:
                os.kill(workers_of(cluster)[0], signal.SIGKILL)
                return

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        count_and_compare(cluster, text, tmp_path / "out", run=run)
    finally:
        finished.set()
        killer.join()


def whole(cluster: Cluster) -> ClusterStatus:
    """Wait until both workers are running: one that an earlier test killed is started again."""
    while (status := cluster.status()).workers < 2:
        time.sleep(0.02)
    return status


def test_a_worker_that_dask_gives_up_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask gives up for good on a worker that doesn’t return in time; here, the limit is 1 ms."""
    code = (
        "import sys\n"
        "from workbench.counts.cluster import local_cluster\n"
        "local_cluster._GIVEN_UP_AFTER = '1ms'\n"
        "local_cluster.serve(*map(int, sys.argv[1:3]), sys.argv[3])\n"
    )
    monkeypatch.setattr(
        connection,
        "module_command",
        lambda module, *arguments: [sys.executable, "-c", code, *arguments],
    )
    with connect(ClusterParams(workers=1, worker_memory=MEMORY)) as given_up:
        os.kill(workers_of(given_up)[0], signal.SIGKILL)
        for number in (0, 1):
            while given_up.status().workers != number:
                time.sleep(0.02)


def test_a_scheduler_that_is_named(
    cluster: Cluster, text: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    keys = named_by_address(cluster, tmp_path_factory.mktemp("keys"))
    with connect(
        ClusterParams.from_mapping({**keys, "partition": 0.1, "spill": str(tmp_path)})
    ) as remote_cluster:
        assert not remote_cluster.local
        whole(remote_cluster)
        shards = count([text], tmp_path / "out", None, None, remote_cluster)
        assert_counted(shards, text, CountWindowParams(), CorpusOptions())
        cluster_plan = plan([text], params=remote_cluster.params, status=whole(remote_cluster))
        assert cluster_plan.workers == 2
        assert cluster_plan.offered > 0
    assert os.listdir(tmp_path) == ["out"]
    # The workers aren’t ours to stop.
    assert whole(cluster).workers == 2


def test_a_scheduler_that_ends(text: Path, tmp_path: Path) -> None:
    run = JobControl()
    with connect(ClusterParams(workers=1, worker_memory=MEMORY, partition=0.02)) as own_cluster:
        inner = [psutil.Process(pid) for pid in workers_of(own_cluster)]
        assert inner

        def kill() -> None:
            while (run.progress.fraction or 0.0) < 0.2:
                time.sleep(0.005)
            os.kill(own_cluster._child._process.pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(UserError, match="scheduler"):
            count([text], tmp_path / "out", None, None, own_cluster, run)
        killer.join()
    assert not list(tmp_path.iterdir())
    assert psutil.wait_procs(inner, 60)[1] == []


def test_workers_end_with_the_program(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom workbench.counts.cluster import ClusterParams, connect\n"
        "made = connect(ClusterParams(workers=1, worker_memory=600))\nprint('here', "
        "flush=True)\ntime.sleep(600)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=child_environment()
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"here\n"
    inner = psutil.Process(child.pid).children(recursive=True)
    assert len(inner) >= 2
    child.kill()
    child.wait()
    child.stdout.close()
    assert psutil.wait_procs(inner, 60)[1] == []


def test_servers_listen_on_loopback_only(cluster: Cluster) -> None:
    assert cluster._child is not None
    outer = psutil.Process(cluster._child._process.pid)
    listening = [
        each.laddr.ip
        for process in (outer, *outer.children(recursive=True))
        for each in process.net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 4
    assert set(listening) == {"127.0.0.1"}


def test_other_users_cannot_read_counts(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    """Temporary folders are private even in a public folder; the result has usual permissions."""
    tmp_path.chmod(0o1777)
    run, over = JobControl(), threading.Event()
    modes: set[int] = set()

    def look() -> None:
        while not over.wait(0.005):
            for folder in (*tmp_path.glob(".out.*"), *tmp_path.glob(".out.*/spill-*")):
                with suppress(OSError):
                    modes.add(folder.stat().st_mode & 0o777)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        count([text], tmp_path / "out", None, None, cluster, run)
    finally:
        over.set()
        thread.join()
    (tmp_path / "usual").mkdir()
    usual = (tmp_path / "usual").stat().st_mode
    # The last check may see the result just before it is renamed.
    assert 0o700 in modes
    assert modes <= {0o700, usual & 0o777}
    assert (tmp_path / "out").stat().st_mode == usual


# -- errors


def test_cancel_leaves_nothing(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    for phase, share in ((Phase.READING, 0.3), (Phase.COUNTING, 0.4)):
        run = JobControl()

        def cancel(run: JobControl = run, phase: Phase = phase, share: float = share) -> None:
            while not (run.progress.phase is phase and (run.progress.fraction or 0.0) > share):
                time.sleep(0.005)
            run.cancel()

        thread = threading.Thread(target=cancel)
        thread.start()
        with pytest.raises(Cancelled):
            count([text], tmp_path / "out", None, None, cluster, run, shard_cells=20_000)
        thread.join()
        assert not list(tmp_path.iterdir())
    # The cluster is still usable.
    count_and_compare(cluster, text, tmp_path / "out")


def test_old_counts_stay_until_new_ones_replace_them(
    cluster: Cluster, text: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    count_and_compare(cluster, text, out)
    before = ShardedCounts.open(out).digest
    with pytest.raises(UserError, match="min_count"):
        count([text], out, None, CountWindowParams(min_count=10**8), cluster)
    assert ShardedCounts.open(out).digest == before
    count([text], out, None, CountWindowParams(window=2), cluster)
    assert ShardedCounts.open(out).metadata["window"] == 2


def test_a_full_disk_is_reported(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    """A limit of 64 kB per file acts like a full disk."""
    small = (1 << 16, resource.RLIM_INFINITY)
    cluster.client.run(resource.setrlimit, resource.RLIMIT_FSIZE, small)
    try:
        with pytest.raises(UserError, match="Couldn’t write"):
            count([text], tmp_path / "out", None, None, cluster)
    finally:
        wide = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        cluster.client.run(resource.setrlimit, resource.RLIMIT_FSIZE, wide)
    assert not list(tmp_path.iterdir())


def test_invalid_counts_are_refused(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("x")
    empty = tmp_path / "empty.txt"
    empty.write_text("...\n")
    for path, out, message in (
        (tmp_path / "none.txt", "out", "The file or folder"),
        (empty, "out", "are left after filtering"),
        (text, "file/out", "doesn’t exist"),
        (text, "file", "Couldn’t write"),
        (text, "other", "other files"),
    ):
        with pytest.raises(UserError, match=message):
            count([path], tmp_path / out, None, None, cluster)
    with pytest.raises(UserError, match="Phrases"):
        count([text], tmp_path / "out", CorpusOptions(phrases=1), None, cluster)
    for address in ("nonsense://127.0.0.1:9", "127.0.0.1:9"):
        with pytest.raises(UserError, match="must be an address"):
            ClusterParams(scheduler=address)


def test_a_text_deleted_during_a_count(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    shutil.copy(text, copy)
    run = JobControl()
    over = threading.Event()

    def remove() -> None:
        while not over.wait(0.002):
            if run.progress.phase is Phase.COUNTING:
                copy.unlink()
                return

    thread = threading.Thread(target=remove)
    thread.start()
    try:
        with pytest.raises(UserError, match="A worker can’t find"):
            count([copy], tmp_path / "out", None, None, cluster, run)
    finally:
        over.set()
        thread.join()
    assert not list(tmp_path.iterdir())


def test_a_late_encoding_is_read_whole(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(
        b"the a b c\n" * 9000 + "Ärger über Übel, größer als größte Öfen\n".encode("cp1252") * 300
    )
    shards = count([path], tmp_path / "out", None, None, cluster)
    assert_counted(shards, path, CountWindowParams(), CorpusOptions())
    assert "größer" in shards.vocabulary.words
    assert shards.metadata["partitions"] == 1


# -- the command line


def test_the_command(
    cluster: Cluster, text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    keys = named_by_address(cluster, tmp_path)
    scheduler_options = [
        word for name, value in keys.items() for word in (f"--{name.replace('_', '-')}", value)
    ]
    assert main(["count-cluster", str(text), "--plan", *scheduler_options]) == 0
    output, beside = capsys.readouterr()
    assert beside == ""
    assert "partitions" in output
    assert "about" in output
    assert main(["count-cluster", str(text), "--plan", "--json"]) == 0
    assert '"tokens"' in capsys.readouterr().out
    out = tmp_path / "out"
    words = ["count-cluster", str(text), "--out", str(out), *scheduler_options, "--window", "2"]
    assert main(words) == 0
    assert f"{out}: " in capsys.readouterr().out
    assert is_sharded(out)
    assert_counted(ShardedCounts.open(out), text, CountWindowParams(window=2), CorpusOptions())
    for wrong, message in (
        ([str(text)], "--out"),
        ([str(text), "--json", "--out", "x"], "--plan"),
        (
            [str(text), "--out", str(tmp_path / "y"), *scheduler_options, "--workers", "2"],
            "workers",
        ),
        ([str(text), "--out", str(tmp_path / "y"), "--window", "0"], "window"),
        (["none.txt", "--out", str(tmp_path / "y")], "none.txt"),
    ):
        assert main(["count-cluster", *wrong]) == 2
        assert message in capsys.readouterr().err
