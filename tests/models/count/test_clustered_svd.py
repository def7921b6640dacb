"""The SVD of a matrix spread over workers finds LAPACK’s space, even if a worker is lost."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
import scipy.linalg
from corpora import make_corpus, markov_corpus
from counts.cluster_keys import named_by_address

from workbench.cli import main
from workbench.core.errors import Cancelled, ParameterError, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.counts.association import associate
from workbench.counts.cluster import Cluster, ClusterParams, connect
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.count import clustered_svd
from workbench.models.count.svd import SVD
from workbench.session.corpus.counts_params import params_for
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

dask = pytest.importorskip("dask")

pytestmark = pytest.mark.slow

SETTINGS = {"dim": 12, "eig": 0.0, "min_count": 1, "shift": 1.5, "seed": 3, "threads": 2}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A local cluster to use by its address, with its certificates in Dask’s configuration."""
    with connect(ClusterParams(workers=2, worker_memory=900)) as new_cluster:
        keys = named_by_address(new_cluster, tmp_path_factory.mktemp("keys"))
        own = {
            f"distributed.comm.tls.client.{kind}": keys[f"tls_{kind}"] for kind in ("cert", "key")
        }
        with dask.config.set({"distributed.comm.tls.ca-file": keys["tls_ca"], **own}):
            yield new_cluster


@pytest.fixture(scope="module")
def counted_corpus(tmp_path_factory: pytest.TempPathFactory) -> CountedCorpus:
    """700 words, too many for the LAPACK path, in more than five shards."""
    corpus = markov_corpus(30_000, words=700)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed", threads=1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    shards = write_shards(
        tmp_path_factory.mktemp("counts") / "c", shard_csr(matrix, 9000), vocabulary, counting
    )
    assert len(shards.shards) > 5
    return open_counts(shards.folder)


def fit(
    counted_corpus: CountedCorpus, cluster: Cluster, run: JobControl | None = None, **values: object
) -> Embeddings:
    params = params_for(
        counted_corpus, SVD, {**SETTINGS, "scheduler": cluster.status().address, **values}
    )
    return SVD(params).fit(counted_corpus, run or JobControl())


def assert_space(embeddings: Embeddings, counted_corpus: CountedCorpus, size: int) -> None:
    """Compare with LAPACK’s singular vectors of a matrix that is built by another function."""
    counts = counted_corpus.shards.to_csr()[:size, :size].tocsr()
    matrix = associate(counts, "sppmi", 1.5, 0.75)
    left, values, right = np.linalg.svd(matrix.toarray())
    np.testing.assert_allclose(embeddings.metadata["singular_values"], values[:12], rtol=1e-6)
    # Vectors are float32, hence the tolerance.
    assert (
        scipy.linalg.subspace_angles(embeddings.vectors.astype(np.float64), left[:, :12]).max()
        < 1e-4
    )
    np.testing.assert_allclose(
        np.abs(np.sum(embeddings.contexts / values[:12] * right[:12].T, axis=0)),
        np.ones(12),
        atol=1e-4,
    )
    assert embeddings.metadata["residual"] < 1e-6
    assert embeddings.metadata["cells"] == matrix.nnz


@pytest.mark.parametrize("size", [700, 650])
def test_it_is_lapacks_space(counted_corpus: CountedCorpus, cluster: Cluster, size: int) -> None:
    assert_space(fit(counted_corpus, cluster, max_vocab=size), counted_corpus, size)


def test_vectors_that_go_in_many_messages(
    counted_corpus: CountedCorpus, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors are sent in groups, and blocks of a few rows are added up in two steps."""
    monkeypatch.setattr(clustered_svd, "_MESSAGE", 1)
    monkeypatch.setattr(clustered_svd, "_FEWEST_CELLS", 3000)
    monkeypatch.setattr(clustered_svd, "task_memory", lambda params, status: 4 * 12 * 3000)
    assert_space(fit(counted_corpus, cluster), counted_corpus, 700)


def test_the_same_from_memory_for_any_number_of_workers(
    counted_corpus: CountedCorpus, cluster: Cluster
) -> None:
    here = SVD(params_for(counted_corpus, SVD, SETTINGS)).fit(counted_corpus, JobControl())
    for scheduler, threads in ((cluster.status().address, 2), ("local", 1)):
        there = fit(counted_corpus, cluster, scheduler=scheduler, threads=threads)
        np.testing.assert_allclose(there.vectors, here.vectors, atol=1e-5)
        np.testing.assert_allclose(there.contexts, here.contexts, atol=1e-4)


def test_few_words_are_fetched(cluster: Cluster, tmp_path: Path) -> None:
    corpus = markov_corpus(3000, words=60)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed", threads=1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    small = open_counts(
        write_shards(tmp_path / "c", shard_csr(matrix, 500), vocabulary, counting).folder
    )
    assert_space(fit(small, cluster), small, 60)


def test_a_worker_lost_meanwhile(counted_corpus: CountedCorpus, cluster: Cluster) -> None:
    """Rows of a lost worker are read again, and its products are computed again."""
    run = JobControl()
    kills: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.002):
            if run.progress.phase is Phase.TRAINING and (run.progress.fraction or 0.0) > 0.1:
                assert cluster._child is not None
                inner = psutil.Process(cluster._child._process.pid).children(recursive=True)
                workers = [each.pid for each in inner if "spawn_main" in " ".join(each.cmdline())]
                os.kill(workers[0], signal.SIGKILL)
                kills.append(workers[0])
                return

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        embeddings = fit(counted_corpus, cluster, run)
    finally:
        over.set()
        killer.join()
    assert kills
    assert_space(embeddings, counted_corpus, 700)
    while cluster.status().workers < 2:
        time.sleep(0.02)


def test_cancel_leaves_nothing_on_the_workers(
    counted_corpus: CountedCorpus, cluster: Cluster
) -> None:
    run = JobControl()

    def cancel() -> None:
        while run.progress.phase is not Phase.TRAINING:
            time.sleep(0.002)
        run.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(Cancelled):
        fit(counted_corpus, cluster, run)
    thread.join()
    while any(cluster.client.has_what().values()):
        time.sleep(0.05)


def test_unsupported_requests_are_refused(
    counted_corpus: CountedCorpus, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ParameterError, match="must be local or an address such as tcp"):
        SVD.params_type.from_mapping({"scheduler": "127.0.0.1:8786"})
    params = SVD.params_type.from_mapping({"scheduler": "local"})
    text = markov_corpus(2000, words=40)
    for call in (SVD(params).estimate, lambda corpus: SVD(params).fit(corpus, JobControl())):
        with pytest.raises(UserError, match="factorise counts in a folder"):
            call(text)
    with pytest.raises(UserError, match="Couldn’t reach a Dask scheduler"):
        monkeypatch.setattr("workbench.counts.cluster.client.CONNECT_SECONDS", 0.2)
        fit(counted_corpus, cluster, scheduler="tcp://127.0.0.1:9")
    estimate = SVD(params_for(counted_corpus, SVD, {**SETTINGS, "scheduler": "local"})).estimate(
        counted_corpus
    )
    assert estimate.seconds is None
    # Counts removed after they were opened, like counts in a folder that workers can’t see.
    shutil.copytree(counted_corpus.shards.folder, tmp_path / "copy")
    missing_counts = open_counts(tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy")
    with pytest.raises(UserError, match="Some workers can’t read the counts"):
        fit(missing_counts, cluster)


def test_counts_in_which_nothing_is_above_chance(cluster: Cluster, tmp_path: Path) -> None:
    corpus = make_corpus([["a", "b"], ["b", "a"]] * 3)
    vocabulary = corpus.vocabulary(1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed", threads=1)
    folder = write_shards(tmp_path / "c", shard_csr(matrix), vocabulary, counting).folder
    with pytest.raises(UserError, match="more often than by chance"):
        fit(open_counts(folder), cluster, shift=100.0)


def test_the_command(
    counted_corpus: CountedCorpus,
    cluster: Cluster,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    home: Path,
) -> None:
    out = tmp_path / "v.npz"
    command = [
        "train",
        "--counts",
        str(counted_corpus.shards.folder),
        "--algorithm",
        "svd",
        "--output",
        str(out),
    ]
    options = ["--dim", "12", "--eig", "0", "--min-count", "1", "--shift", "1.5"]
    assert main([*command, *options, "--scheduler", cluster.status().address]) == 0
    assert "700 words" in capsys.readouterr().out
    assert_space(load_vectors(out), counted_corpus, 700)
    assert main([*command, "--scheduler", "nowhere"]) == 2
    assert "must be local or an address" in capsys.readouterr().err
