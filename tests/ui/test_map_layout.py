"""Positions of a model’s words, and the differences between two layouts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA as Reference
from ui.map_fakes import vectors

from workbench.analysis.projection.space import frequency_values
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_axes import WordAxis
from workbench.session.selection.words import AnalogyShown
from workbench.ui.panels.map.layout import (
    AXES,
    PCA,
    PCA_3D,
    PLANE,
    UMAP,
    UMAP_3D,
    LayoutRequest,
    project_words,
)

ANALOGY = AnalogyShown("man", "woman", "poor", "rich")


def request(**changes: object) -> LayoutRequest:
    return replace(LayoutRequest("a", vectors(), PCA, 50, UmapParams()), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("method", "dims"), [(PCA, 2), (UMAP, 2), (UMAP_3D, 3)])
def test_pca_keeps_what_a_reference_keeps(method: str, dims: int) -> None:
    layout_request = request(method=method)
    layout = project_words(layout_request, None)
    unit = np.asarray(layout_request.unit_vectors, dtype=np.float64)
    reference = Reference(dims).fit(unit)
    assert layout.method == (PCA if dims == 2 else PCA_3D)
    assert list(layout.words) == list(layout_request.embeddings.words[:50])
    assert layout.shown == pytest.approx(reference.explained_variance_ratio_.sum(), rel=1e-4)
    spread = np.var(layout.positions, axis=0, ddof=1)
    np.testing.assert_allclose(spread, reference.explained_variance_, rtol=1e-3)


def test_a_layout_is_turned_towards_the_one_before() -> None:
    first = project_words(request(), None)
    quarter = np.ascontiguousarray(first.positions[:, ::-1] * np.array([1, -1], dtype=np.float32))
    np.testing.assert_allclose(project_words(request(), quarter).positions, quarter, atol=1e-4)


def test_only_some_words_in_planes_that_words_name() -> None:
    rows = (5, 6, 7, 8, 20)
    plane = project_words(request(method=PLANE, analogy=ANALOGY, rows=rows), None)
    assert plane.method == PLANE
    assert list(plane.words) == ["man", "woman", "poor", "rich", "word20"]
    assert plane.target is not None
    assert len(plane.positions) == len(plane.values) == 5
    axes = (WordAxis("man", "woman"), WordAxis("poor", "rich"))
    across = project_words(request(method=AXES, axes=axes, rows=rows), None)
    assert across.method == AXES
    # Each axis runs from its first word to its second.
    assert across.positions[0, 0] < across.positions[1, 0]
    assert across.positions[2, 1] < across.positions[3, 1]


def test_values_go_from_the_rarest_to_the_most_frequent() -> None:
    model = vectors()
    rows = np.arange(50)
    values = frequency_values(model, rows)
    assert (values[0], values[-1]) == (1.0, 0.0)
    assert (np.diff(values) <= 0).all()
    uncounted = frequency_values(replace(model, counts=None), rows)
    np.testing.assert_allclose(uncounted, 1 - np.log(rows + 1) / np.log(50), atol=1e-6)
    assert frequency_values(model, rows[:1]).tolist() == [0.5]


def test_what_a_method_does_not_see_makes_no_other_layout() -> None:
    plain, other = request(), request(umap=UmapParams(n_neighbors=8), analogy=ANALOGY)
    assert plain.key(PCA) == other.key(PCA)
    assert plain.key(UMAP) != other.key(UMAP)
    assert plain.key(PLANE) != other.key(PLANE)
    assert request(limit=0).key(PCA) == request(limit=10_000).key(PCA)
    assert request(rows=(1, 2)).key(PCA) != plain.key(PCA)
