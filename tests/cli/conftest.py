from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, StepModel

from workbench.models.base import Preset
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the test, with a home beside it."""
    new_folder = tmp_path / "work"
    new_folder.mkdir()
    monkeypatch.chdir(new_folder)
    return new_folder


@pytest.fixture
def gate(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Give the first of the two algorithms a preset."""
    presets = (Preset("quick", {"steps": 30, "dim": 7}, "nobody"),)
    monkeypatch.setattr(StepModel, "presets", presets)
    return gate


@pytest.fixture
def text(folder: Path) -> Path:
    path = folder / "text.txt"
    path.write_text("the cat saw the dog and the dog saw the cat\n" * 10)
    return path


@pytest.fixture
def vectors(folder: Path) -> Path:
    """Vectors of five words, with man − woman exactly equal to king − queen."""
    rows = np.array([[1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1], [-1, -1, 0]], dtype=np.float32)
    path = folder / "v.vec"
    save_vectors(Embeddings(["man", "woman", "king", "queen", "frog"], rows), path)
    return path
