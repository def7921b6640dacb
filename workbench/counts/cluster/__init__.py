"""Counting of a corpus on a Dask cluster, into shards on disk, for text that is too large for one
machine.

Workers read each part of the text twice: for the vocabulary, then for the pairs. They split the
counts of a part by ranges of rows, and one worker adds up each range, so no worker has the whole
matrix. Tasks are functions of their arguments and write complete files named after their part, so a
task that is repeated after the loss of a worker counts only once.
"""

from __future__ import annotations

from workbench.counts.cluster.connection import Cluster, ClusterStatus
from workbench.counts.cluster.estimate import ClusterEstimate, plan
from workbench.counts.cluster.params import ClusterParams
from workbench.counts.cluster.pipeline import count
from workbench.counts.params import CountWindowParams

__all__ = [
    "Cluster",
    "ClusterEstimate",
    "ClusterParams",
    "ClusterStatus",
    "CountWindowParams",
    "connect",
    "count",
    "plan",
]


def connect(params: ClusterParams | None = None) -> Cluster:
    """Connect to the named scheduler, or to workers started on this machine; the caller closes the
    connection. Raises UserError.
    """
    return Cluster(params)
