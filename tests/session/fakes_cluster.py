"""A fake cluster: the interface for sessions and dialogs, without processes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from corpora import markov_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster import ClusterParams, ClusterStatus, CountWindowParams
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.shards import ShardedCounts, shard_csr, write_shards


class FakeCluster:
    """A cluster without processes; ``made`` lists all, and a closed ``gate`` delays new ones."""

    made: ClassVar[list[FakeCluster]] = []
    gate: ClassVar[threading.Event] = threading.Event()
    gate.set()

    def __init__(self, params: ClusterParams, run: JobControl | None = None) -> None:
        assert self.gate.wait(20)
        if "nowhere" in params.scheduler:
            raise UserError(
                f"Couldn’t reach a Dask scheduler at {params.scheduler} (OSError).",
                "Check the address.",
            )
        self.params = params
        self.workers = params.workers or 2
        self.alive = True
        self.closed = False
        self.failure: UserError | None = None
        self.go = threading.Event()
        self.go.set()
        self.link = "http://127.0.0.1:8787/status"
        self.made.append(self)

    def check_workers(self) -> None:
        pass

    def status(self) -> ClusterStatus:
        address = self.params.scheduler or "tcp://127.0.0.1:1"
        memory = self.workers * 10**9
        local = not self.params.scheduler
        return ClusterStatus(
            address, local, self.link, self.workers, self.workers, memory, 10**8, 0
        )

    def close(self) -> None:
        self.closed = True


def fake_count(
    inputs: Sequence[str | Path],
    out: Path,
    options: CorpusOptions,
    counting: CountWindowParams,
    cluster: Any,
    run: JobControl,
) -> ShardedCounts:
    """Counts of an unrelated text, once the cluster’s ``go`` is set."""
    if cluster.failure is not None:
        raise cluster.failure
    while not cluster.go.wait(0.01):
        run.check()
    corpus = markov_corpus(3000)
    matrix = cooccurrence(corpus, corpus.vocabulary(), 3, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 6.0}
    return write_shards(out, shard_csr(matrix, 400), corpus.vocabulary(), metadata)
