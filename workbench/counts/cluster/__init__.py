"""Counting a corpus on a Dask cluster: text that is too much for one machine, into shards that are read on any.

Parts of the text are read twice: once for the words, once for what stands together. What a part comes to is split by
ranges of rows and written down, then every range is added up by one worker, so that none ever holds the whole matrix.
Tasks are functions of their arguments, files are written whole under names that follow from their part, and one piece
of every part is added up: a task that is done twice, because its worker was lost, counts once.
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
    """A connection to the scheduler that is named, or to workers started here; to be closed. Raises UserError."""
    return Cluster(params)
