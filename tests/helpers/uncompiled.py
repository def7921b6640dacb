"""Training in a separate process, with kernels as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from corpora import make_corpus
from surroundings import python_path

from workbench.core.job_control import JobControl
from workbench.models.base import MODELS

SENTENCES = [["a", "b", "c", "a"], ["b", "a", "d", "c", "b"]] * 6


def fit_here(
    key: str, values: dict[str, object], sentences: list[list[str]] = SENTENCES
) -> list[npt.NDArray[np.float32]]:
    """Word vectors float32[V, d] of a tiny training, then context and n-gram vectors, if any."""
    kind = MODELS[key]
    embeddings = kind(kind.params_type.from_mapping({"min_count": 1, "threads": 1, **values})).fit(
        make_corpus(sentences), JobControl()
    )
    parts = (embeddings.vectors, embeddings.contexts, embeddings.ngram_vectors)
    return [np.asarray(part) for part in parts if part is not None]


def fit_uncompiled(
    key: str, values: dict[str, object], folder: Path, sentences: list[list[str]] = SENTENCES
) -> list[npt.NDArray[np.float32]]:
    """Result of :func:`fit_here` in a process with ``NUMBA_DISABLE_JIT=1``."""
    path = folder / "vectors.npz"
    code = (
        "import json, numpy, uncompiled; numpy.seterr(over='ignore'); "
        f"numpy.savez({str(path)!r}, *uncompiled.fit_here({key!r}, "
        f"*json.loads({json.dumps([values, sentences])!r})))"
    )
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": python_path(Path(__file__).parent),
        "PYTHONWARNINGS": "ignore",
    }
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    with np.load(path) as archive:
        return list(archive.values())


def assert_same_uncompiled(
    key: str,
    values: dict[str, object],
    folder: Path,
    tolerance: float,
    sentences: list[list[str]] = SENTENCES,
) -> list[npt.NDArray[np.float32]]:
    """Check that a tiny training gives the same tables, within ``tolerance``, compiled or not.
    Returns those of :func:`fit_here`.
    """
    here = fit_here(key, values, sentences)
    for result, plain in zip(here, fit_uncompiled(key, values, folder, sentences), strict=True):
        np.testing.assert_allclose(result, plain, atol=tolerance)
    return here
