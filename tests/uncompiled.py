"""Training where kernels run as plain Python, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from corpora import make_corpus

from workbench.core.run import Run
from workbench.models.base import MODELS

SENTENCES = [["a", "b", "c", "a"], ["b", "a", "d", "c", "b"]] * 6


def fit_here(key: str, values: dict[str, object]) -> npt.NDArray[np.float32]:
    """Word vectors, and context vectors where there are some, of a tiny training: float32[1 or 2, V, d]."""
    kind = MODELS[key]
    made = kind(kind.params_type.from_mapping({"min_count": 1, "threads": 1, **values})).fit(
        make_corpus(SENTENCES), Run()
    )
    sides = [np.asarray(made.vectors)] + ([] if made.contexts is None else [made.contexts])
    return np.stack(sides)


def fit_uncompiled(key: str, values: dict[str, object], folder: Path) -> npt.NDArray[np.float32]:
    """The same from a process with ``NUMBA_DISABLE_JIT=1``."""
    tests = Path(__file__).parent
    path = folder / "vectors.npy"
    code = (
        "import json, numpy, uncompiled; numpy.seterr(over='ignore'); "
        f"numpy.save({str(path)!r}, uncompiled.fit_here({key!r}, json.loads({json.dumps(values)!r})))"
    )
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": f"{tests}{os.pathsep}{tests.parent}",
        "PYTHONWARNINGS": "ignore",
    }
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    return np.load(path)
