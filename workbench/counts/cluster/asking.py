"""What is asked of a count on a cluster: how words are counted, and on what."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.params import Params, param
from workbench.counts.cooccurrence import WEIGHTINGS

# How schedulers are reached.
_PROTOCOLS = ("tcp", "tls", "ws", "wss", "ucx")


@dataclass(frozen=True)
class WindowParams(Params):
    """Which words are counted, and what counts as standing together."""

    min_count: int = param(
        5,
        "Words seen less often than this are left out before anything else is done.",
        low=1,
        high=1_000_000_000,
        unit="occurrences",
        grows="fewer, better attested words; less memory",
        source="word2vec.c -min-count 5",
        basic=True,
    )
    max_vocab: int = param(
        0,
        "Keep at most this many of the most frequent words; 0 keeps all.",
        low=0,
        high=100_000_000,
        unit="words",
        grows="more rare words; more memory",
        source="0: no limit",
        basic=True,
    )
    window: int = param(
        5,
        "Words on each side that count as context.",
        symbol="L",
        low=1,
        high=1000,
        source="word2vec.c -window 5",
        basic=True,
    )
    window_weighting: str = param(
        "dynamic",
        "What a context at distance δ counts: (L − δ + 1)/L, 1, 1/δ, or L − δ + 1.",
        choices=WEIGHTINGS,
        source="word2vec.c",
        basic=True,
    )
    symmetric: bool = param(True, "Count contexts on both sides; else only the words after a word.", basic=True)


@dataclass(frozen=True)
class ClusterParams(Params):
    """Where it is counted, and in what portions."""

    scheduler: str = param(
        "",
        "Address of a Dask scheduler, as in tcp://host:8786. Empty starts worker processes on this machine, which "
        "listen on its loopback interface alone.",
        source="none: this machine",
        basic=True,
    )
    workers: int = param(
        0, "Worker processes on this machine; 0 takes the usable cores, at most 8.", low=0, high=256, basic=True
    )
    worker_memory: int = param(
        0,
        "Memory of a worker, in MB; 0 takes what the scheduler says, or shares out what is free here. Counts beyond "
        "a part of it are written to disk.",
        low=0,
        high=1 << 24,
        unit="MB",
        basic=True,
    )
    partition: float = param(
        64.0,
        "Text that is read at a time, in MB; cut where lines end. Compressed files are not cut.",
        low=0.0,
        low_open=True,
        high=65536.0,
        unit="MB",
        grows="less to exchange and to add up; more memory",
    )
    spill: str = param(
        "",
        "A folder that all workers see under this path, for counts not added up yet. Empty takes one beside the "
        "result if all see it; else Dask keeps them on the disks of the workers and exchanges them itself.",
        source="beside the result",
    )

    def conflicts(self) -> dict[str, str]:
        if self.scheduler and self.workers:
            return {"workers": tr("workers are started on this machine only; leave it out where a scheduler is named.")}
        if self.scheduler and self.scheduler.split("://")[0] not in _PROTOCOLS:
            return {
                "scheduler": tr(
                    "scheduler must be an address such as tcp://host:8786, not {scheduler!r}.", scheduler=self.scheduler
                )
            }
        return {}
