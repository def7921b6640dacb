"""Principal component analysis of the unit vectors."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.placing import place_on_axes
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.arrays import Singles
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class Pca(Projection):
    key = "pca"
    title = "PCA"
    help = tr("The directions in which the unit-length vectors vary most. Lines stay straight.")
    order = 20
    dims = (2, 3)

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        positions = pca(space.unit, space.dims)
        return Projected(positions, _explained_variance(space.unit, positions))

    @classmethod
    def place(
        cls,
        unit: Singles | sp.csr_matrix,
        positions: Singles,
        new: Singles,
        params: UmapParams,
        run: JobControl,
    ) -> Singles:
        return place_on_axes(unit, positions, new)


def _explained_variance(unit: Singles | sp.csr_matrix, positions: Singles) -> float:
    """Share of the vectors’ variance that the positions keep."""
    mean = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    squares = (
        float((unit**2).sum()) if isinstance(unit, np.ndarray) else float(unit.multiply(unit).sum())
    )
    total = squares - unit.shape[0] * float(mean @ mean)
    if total > 0:
        return float((positions.astype(np.float64) ** 2).sum() / total)
    return 1.0
