"""Train from shards in a process that may use less memory than the matrix takes.

    python capped.py FOLDER BYTES

RLIMIT_DATA limits the memory that is a process’s own, touched or not; pages of mapped files belong
to the system. The whole matrix must not fit, or the limit would prove nothing. Prints JSON.
"""

import json
import resource
import sys
from pathlib import Path

import numpy as np
import threadpoolctl

from workbench.core.job_control import JobControl
from workbench.counts.counts_corpus import open_counts
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import params_for

SETTINGS = {
    "glove": {"dim": 8, "epochs": 2, "threads": 2},
    "svd": {"dim": 4, "threads": 2, "shift": 1.0},
}


def own() -> int:
    """Bytes that count towards RLIMIT_DATA."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(
        next(line for line in status.splitlines() if line.startswith("VmData")).split()[1]
    )


def main(folder: str, size: int) -> None:
    for key in SETTINGS:
        MODELS[key].warm()
    # Memory that libraries allocate at their first computation, so that it doesn’t count.
    np.linalg.qr(np.ones((2000, 32)) + np.eye(2000, 32))
    threadpoolctl.threadpool_info()
    corpus = open_counts(folder)
    limit = own() + size
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    report = {"matrix": 12 * corpus.shards.nnz, "bound": size, "whole": True}
    try:
        corpus.shards.to_csr()
    except MemoryError:
        report["whole"] = False
    for key, values in SETTINGS.items():
        run = JobControl()
        model = MODELS[key](params_for(corpus, MODELS[key], values))
        embeddings = model.fit(corpus, run)
        report[key] = {
            "estimate": model.estimate(corpus).memory_bytes,
            "loss": run.trace.loss.tolist(),
            "values": embeddings.metadata.get("singular_values"),
            "norm": float(np.linalg.norm(embeddings.vectors)),
        }
    print(json.dumps(report))


main(sys.argv[1], int(sys.argv[2]))
