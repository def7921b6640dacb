"""A Dask cluster of processes on this machine, in a separate process, which is started as
``python -m workbench.counts.cluster.local_cluster``.

Scheduler and workers listen only on the loopback interface. Because all users of the machine can
reach it, they use TLS, and accept only connections with the key that is made for this one cluster.
The first line on stdout is JSON: the ``address`` of the scheduler and ``keys``, PEM texts of its
``cert`` and ``key``, or an ``error``. The cluster ends when stdin is closed, so it ends with the
process that started it, however that ends. In a separate process, the scheduler never delays the
window.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

from workbench.counts.cluster.optional_deps import load_distributed

LOOPBACK = "127.0.0.1"
# Number of workers that may be lost during a task before the task counts as the cause.
_LOSSES = 20
# Restarting a lost worker may take a busy computer far longer than the 15 s after which Dask gives
# it up by default.
_GIVEN_UP_AFTER = "2 minutes"
# Seconds between checks for workers that were given up.
_LOOK_SECONDS = 1.0


def serve(workers: int, memory: int, folder: str) -> None:
    """Start ``workers`` processes of one thread with ``memory`` bytes each and scratch files in
    ``folder``, and wait until stdin is closed.
    """
    import dask

    # By default, Dask makes workers return freed memory at once, and the system clears it before
    # the next task: a third of the time of counting. Here, workers keep up to half of their memory
    # limit, in one heap.
    spawn = "distributed.nanny.pre-spawn-environ"
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _LOSSES,
            "distributed.deploy.lost-worker-timeout": _GIVEN_UP_AFTER,
            # Profiles of tasks that are compiled loops are useless, and a hundred samples per
            # second take part of a core.
            "distributed.worker.profile.enabled": False,
            # Otherwise each of five processes asks the system twice a second for figures that are
            # shown once.
            "distributed.admin.system-monitor.interval": "2s",
            "distributed.admin.system-monitor.disk": False,
            # Dask’s pages can’t require a key, so they are disabled; the process that started the
            # cluster shows its status.
            "distributed.scheduler.http.routes": [],
            "distributed.worker.http.routes": [],
            f"{spawn}.MALLOC_TRIM_THRESHOLD_": str(memory // 2),
            f"{spawn}.MALLOC_MMAP_THRESHOLD_": str(memory // 2),
            f"{spawn}.MALLOC_ARENA_MAX": "1",
        }
    )
    distributed = load_distributed()
    # Kept in memory; OpenSSL reads them from a file that exists for a moment in a private
    # folder of this user.
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
    """Replace workers of a LocalCluster that Dask gave up, so that there are always ``workers`` of
    them; Dask itself would continue with fewer. Runs in the cluster's event loop.
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
