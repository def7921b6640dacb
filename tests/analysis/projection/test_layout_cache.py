from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection import layout_cache
from workbench.analysis.projection.layout_cache import cached_layout
from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.arrays import Singles
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

PARAMS = UmapParams.from_mapping({"n_neighbors": 4})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(layout_cache, "cache_folder", lambda *_: tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def unit() -> Singles:
    vectors = np.random.default_rng(1).normal(size=(40, 6)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Layouts:
    """Layouts with a count of the computations."""

    def __init__(self) -> None:
        self.computed = 0

    def prepare(self, run: JobControl) -> None:
        self.computed += 1

    def __call__(
        self, unit: Singles, params: UmapParams = PARAMS, run: JobControl | None = None
    ) -> Singles:
        return self.lay_out(unit, pca(unit), params, run)

    def lay_out(
        self,
        unit: Singles | sp.csr_matrix,
        start: Singles,
        params: UmapParams = PARAMS,
        run: JobControl | None = None,
    ) -> Singles:
        words = [f"w{row}" for row in range(unit.shape[0])]
        space = Space(Embeddings(words, unit), dims=start.shape[1], start=start)
        return cached_layout(PROJECTIONS["umap"], space, params, run or JobControl(), self.prepare)


def test_a_layout_is_computed_once(unit: Singles) -> None:
    layouts = Layouts()
    first = layouts(unit)
    np.testing.assert_array_equal(layouts(unit.copy()), first)
    assert layouts.computed == 1


def test_a_start_in_three_dimensions_gives_a_layout_in_three(unit: Singles) -> None:
    layouts = Layouts()
    for _ in range(2):
        solid = layouts.lay_out(unit, pca(unit, 3))
        assert solid.shape == (40, 3)
        assert np.isfinite(solid).all()
        assert (solid.std(axis=0) > 0).all()
    assert layouts.computed == 1


def test_other_vectors_settings_and_starts_are_other_layouts(unit: Singles) -> None:
    layouts = Layouts()
    layouts(unit)
    other = unit.copy()
    other[0] = -other[0]
    layouts(other)
    layouts(unit, UmapParams.from_mapping({"n_neighbors": 5}))
    other_start = -pca(unit)
    layouts.lay_out(unit, other_start)
    assert layouts.computed == 4


def test_a_layout_that_was_stopped_is_not_kept(unit: Singles) -> None:
    layouts, run = Layouts(), JobControl()
    run.stop()
    layouts(unit, run=run)
    layouts(unit)
    assert layouts.computed == 2


@pytest.mark.parametrize("damage", [b"", b"\x93NUMPY", b"not an array at all" * 50])
def test_a_damaged_file_is_computed_again(unit: Singles, folder: Path, damage: bytes) -> None:
    layouts = Layouts()
    first = layouts(unit)
    (file,) = folder.glob("*.npy")
    file.write_bytes(damage)
    np.testing.assert_array_equal(layouts(unit), first)
    np.testing.assert_array_equal(layouts(unit), first)
    assert layouts.computed == 2


def test_an_array_of_another_kind_is_not_taken(unit: Singles, folder: Path) -> None:
    layouts = Layouts()
    first = layouts(unit)
    (file,) = folder.glob("*.npy")
    for wrong in (first[:5], first.astype(np.float64), np.full_like(first, np.nan)):
        np.save(file, wrong)
        np.testing.assert_array_equal(layouts(unit), first)
    assert layouts.computed == 4


def test_the_layouts_unused_for_longest_go_first(
    unit: Singles, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_cache, "_MOST_FILES", 2)
    layouts = Layouts()
    kinds = [UmapParams.from_mapping({"n_neighbors": size}) for size in (3, 4, 5)]
    for age, params in enumerate(kinds[:2]):
        before = set(folder.glob("*.npy"))
        layouts(unit, params)
        (file,) = set(folder.glob("*.npy")) - before
        os.utime(file, (1000 + age, 1000 + age))
    layouts(unit, kinds[0])
    layouts(unit, kinds[2])
    assert len(list(folder.glob("*.npy"))) == 2
    assert layouts.computed == 3
    layouts(unit, kinds[0])
    assert layouts.computed == 3


def test_large_and_sparse_vectors_are_not_kept(
    unit: Singles, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_cache, "_MOST_WORDS", 10)
    layouts = Layouts()
    layouts(unit)
    monkeypatch.undo()
    layouts.lay_out(sp.csr_matrix(unit), pca(unit))
    assert (layouts.computed, list(folder.glob("*.npy"))) == (2, [])


def test_a_folder_that_cannot_be_written_costs_only_time(
    unit: Singles, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_cache, "cache_folder", lambda *_: folder / "gone")
    layouts = Layouts()
    assert len(layouts(unit)) == len(layouts(unit)) == 40
    assert layouts.computed == 2
