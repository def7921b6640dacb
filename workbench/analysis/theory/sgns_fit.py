"""Fit of an SGNS model to its optimum x* (LG14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.sampling import noise_distribution
from workbench.vectors.embeddings import Embeddings

_CELLS = 50_000


@dataclass(frozen=True)
class IdentityReport:
    """Fit of w·c to x* over the well attested pairs.

    pearson : correlation; slope : of the least-squares line of w·c on x*
    mean_difference, mean_absolute_difference : of w·c − x*, nats
    pairs : how many
    """

    pearson: float
    slope: float
    mean_difference: float
    mean_absolute_difference: float
    pairs: int


def compare(
    embeddings: Embeddings,
    effective: sp.csr_matrix,
    counts: npt.NDArray[np.int64],
    negative: int,
    ns_exponent: float,
    min_expected: float = 10.0,
) -> IdentityReport:
    """w·c against x*(w, c) = log #(w, c) − log(k · #(w) · P_n(c)) (LG14, section 3.1).

    embeddings : V words with contexts, in the order of ``counts``
    effective : CSR float64[V, V], #(w, c) expected under subsampling and window; #(w) is a row's
    sum
    counts : int64[V], raw frequencies, of which P_n is made with ``ns_exponent``
    min_expected : pairs counted less often are left out

    Raises UserError without contexts, or where fewer than three pairs are left.
    """
    if embeddings.contexts is None:
        raise UserError(
            tr("These vectors come without context vectors."),
            tr("Train sgns, or open an .npz with “contexts”."),
        )
    table = effective.tocoo()
    keep = table.data >= min_expected
    rows, columns, observed = table.row[keep], table.col[keep], table.data[keep]
    if len(observed) < 3:
        raise UserError(
            tr(
                "Only {number} pairs are expected {min_expected:g} times.",
                number=len(observed),
                min_expected=min_expected,
            ),
            tr("Take a longer corpus, or lower the bound."),
        )
    totals = np.asarray(effective.sum(axis=1)).ravel()
    noise = noise_distribution(counts, ns_exponent)
    target = np.log(observed) - np.log(negative * totals[rows] * noise[columns])
    products = np.empty(len(target))
    for at in range(0, len(target), _CELLS):
        part = slice(at, at + _CELLS)
        left = dense_rows(embeddings.inputs, rows[part]).astype(np.float64)
        products[part] = (left * embeddings.contexts[columns[part]]).sum(axis=1)
    x, y = target - target.mean(), products - products.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    difference = products - target
    return IdentityReport(
        pearson=float(x @ y) / spread if spread else float("nan"),
        slope=float(x @ y) / float(x @ x) if x.any() else float("nan"),
        mean_difference=float(difference.mean()),
        mean_absolute_difference=float(np.abs(difference).mean()),
        pairs=len(target),
    )
