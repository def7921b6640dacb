"""A Dask cluster of processes on this machine, in a process of its own, which is begun as
``python -m workbench.counts.cluster.local_cluster``.

Scheduler and workers listen on the loopback interface alone, where all users of a machine are: they
talk by TLS, and with nobody who has not the key that is made for this one cluster. The first line
on stdout is JSON: the ``address`` of the scheduler and ``keys``, PEM texts of its ``cert`` and
``key``, or the ``error`` for which there is none. The cluster ends when stdin does: with whoever
started it, however that ends. The scheduler's work thus never holds up the window.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

from workbench.counts.cluster.optional_deps import load_distributed

LOOPBACK = "127.0.0.1"
# Workers that may be lost while they do a task before the task is held to blame.
_LOSSES = 20
# A worker that is lost is started again, which may take a busy computer far longer than the 15 s
# after which Dask gives it up by default.
_GIVEN_UP_AFTER = "2 minutes"
# Between two looks for workers that were given up.
_LOOK_SECONDS = 1.0


def serve(workers: int, memory: int, folder: str) -> None:
    """Start ``workers`` processes of one thread with ``memory`` bytes each and scratch files in
    ``folder``; wait.
    """
    import dask

    # Dask has workers give freed memory back at once, and the system clear it before the next task
    # gets it again: a third of the time that counting takes. Here they keep up to half of what they
    # may have, in one heap.
    spawn = "distributed.nanny.pre-spawn-environ"
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _LOSSES,
            "distributed.deploy.lost-worker-timeout": _GIVEN_UP_AFTER,
            # Nobody looks at profiles of tasks that are a compiled loop each; a hundred samples a
            # second take part of a core.
            "distributed.worker.profile.enabled": False,
            # Each of five processes else asks the system twice a second for figures that are shown
            # once.
            "distributed.admin.system-monitor.interval": "2s",
            "distributed.admin.system-monitor.disk": False,
            # Dask's pages know no key, so that there are none: what they would tell is shown by who
            # started this.
            "distributed.scheduler.http.routes": [],
            "distributed.worker.http.routes": [],
            f"{spawn}.MALLOC_TRIM_THRESHOLD_": str(memory // 2),
            f"{spawn}.MALLOC_MMAP_THRESHOLD_": str(memory // 2),
            f"{spawn}.MALLOC_ARENA_MAX": "1",
        }
    )
    distributed = load_distributed()
    # Kept in memory; OpenSSL reads it from a file that stands for a moment in a folder of this
    # user's alone.
    keys = distributed.Security.temporary()
    cluster = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host=LOOPBACK,
        dashboard_address=f"{LOOPBACK}:0",
        scheduler_kwargs={"dashboard": False},
        security=keys,
        memory_limit=memory,
        local_directory=folder,
        silence_logs=logging.CRITICAL,
    )
    with cluster:
        cluster.loop.add_callback(keep_workers, cluster, workers)
        reply = {"cert": keys.tls_client_cert, "key": keys.tls_client_key}
        print(json.dumps({"address": cluster.scheduler_address, "keys": reply}), flush=True)
        sys.stdin.read()


async def keep_workers(cluster: Any, workers: int) -> None:
    """Replace those of the ``workers`` of a LocalCluster that Dask gave up, as long as it runs:
    Dask itself would go on with fewer. To be run by the cluster's event loop.
    """
    while cluster.status.name == "running":
        for name, worker in list(cluster.workers.items()):
            if worker.status.name in ("closed", "failed"):
                del cluster.workers[name]
        cluster.scale(workers)
        await asyncio.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    try:
        serve(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        print(json.dumps({"error": str(error) or type(error).__name__}), flush=True)
