"""Documents as points: UMAP of some of them, among which others, and searches, are placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.documents.document_space import DocumentSpace
from workbench.analysis.projection.placing import place_between
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.umap import UmapParams, umap
from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.job_control import JobControl

# Maximum number of documents that are laid out: a map of more takes long, and shows no more.
MOST = 3000
# UMAP needs as many points.
_FEWEST = 4
_NEIGHBOURS = 15


@dataclass(frozen=True, eq=False)
class DocumentMap:
    """Positions of documents.

    rows : int64[m], numbers of the documents that were laid out, ascending
    positions : float32[m, 2]
    """

    space: DocumentSpace
    rows: Ints
    positions: Singles

    def places(self, numbers: Sequence[int]) -> Singles:
        """float32[n, 2], where documents are; those that weren't laid out are between their
        neighbours.
        """
        return self.place(np.asarray(self.space.documents.vectors)[list(numbers)], numbers)

    def place(self, vectors: Singles | Doubles, numbers: Sequence[int] = ()) -> Singles:
        """float32[n, 2], places of vectors float[n, d] between their neighbours; ``numbers`` : of
        the documents that they are, which may have a place already.
        """
        wide = np.asarray(vectors, dtype=np.float64)
        unit = (wide / np.linalg.norm(wide, axis=1, keepdims=True)).astype(np.float32)
        around = self.space.documents.unit_of(self.rows)
        found = place_between(around, self.positions, unit, _NEIGHBOURS)
        if len(numbers):
            at = np.minimum(np.searchsorted(self.rows, numbers), len(self.rows) - 1)
            known = self.rows[at] == np.asarray(numbers)
            found[known] = self.positions[at[known]]
        return found


def map_documents(
    space: DocumentSpace, most: int = MOST, run: JobControl | None = None
) -> DocumentMap:
    """Lay out at most ``most`` documents, evenly spaced over the text. Those without a vector are
    left out. Raises UserError and Cancelled.
    """
    known = space.documents.rows_with_vector()
    chosen = np.unique(np.linspace(0, len(known) - 1, min(most, len(known))).astype(np.int64))
    rows = known[chosen].astype(np.int64)
    unit = space.documents.unit_of(rows)
    if len(rows) < _FEWEST:
        return DocumentMap(space, rows, pca(unit))
    return DocumentMap(space, rows, umap(unit, UmapParams(n_neighbors=_NEIGHBOURS), run))
