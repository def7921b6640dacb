"""Start of the scripts in ``peers``, with the packages in the folder that ``WORKBENCH_INTEROP``
names, or else with those of this environment.

The packages have a folder of their own, because they need other versions of the libraries of this
program. A test whose package is missing is skipped.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors
from workbench.vectors.subwords import compose

_HERE = Path(__file__).parent
_PACKAGES = os.environ.get("WORKBENCH_INTEROP", "")


class Said(NamedTuple):
    """What a package says that a file contains."""

    words: list[str]
    vectors: npt.NDArray[np.float32]
    counts: list[int] | None
    unseen: npt.NDArray[np.float32] | None


def prove_installed(*packages: str) -> None:
    """Skip the test if a package is missing."""
    for package in packages:
        if _PACKAGES:
            found = PathFinder.find_spec(package, [_PACKAGES])
        else:
            found = importlib.util.find_spec(package)
        if found is None:
            pytest.skip(
                f"{package} isn’t installed: see the group “interop” in pyproject.toml",
                allow_module_level=True,
            )


def run_peer(name: str, task: str, folder: Path) -> None:
    """Run a task of a script in its folder."""
    path = [str(_HERE), *([_PACKAGES] if _PACKAGES else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "HF_HUB_OFFLINE": "1"}
    process = subprocess.run(
        [sys.executable, str(_HERE / "peers" / f"{name}_peer.py"), task, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-3000:]


def said(folder: Path, name: str) -> Said:
    with np.load(folder / f"{name}.peer.npz") as parts:
        counts = parts["counts"].tolist() if "counts" in parts else None
        return Said(parts["words"].tolist(), parts["vectors"], counts, parts.get("unseen"))


def prove_same(found: Embeddings | Said, expected: Embeddings | Said) -> None:
    """Words, their order and every bit of the numbers are the same."""
    assert list(found.words) == list(expected.words)
    ours, theirs = (np.ascontiguousarray(each.vectors, "<f4") for each in (found, expected))
    np.testing.assert_array_equal(ours.view("<u4"), theirs.view("<u4"))


def prove_same_model(path: Path, expected: Said, unseen: list[str]) -> None:
    """A fastText model has the same words and counts; sums of n-grams differ in the last bits,
    because their order does.
    """
    model = load_vectors(path)
    assert list(model.words) == expected.words
    assert model.counts is not None
    assert model.counts.tolist() == expected.counts
    scale = float(np.abs(expected.vectors).max())
    np.testing.assert_allclose(model.vectors, expected.vectors, rtol=0, atol=3e-7 * scale)
    assert expected.unseen is not None
    if model.ngram_vectors is None:
        # Unseen words are zeros there, and refused here.
        assert not expected.unseen.any()
        return
    for word, vector in zip(unseen, expected.unseen, strict=True):
        known = compose(model, word)
        np.testing.assert_allclose(known.vector, vector, rtol=0, atol=3e-7 * scale, err_msg=word)
