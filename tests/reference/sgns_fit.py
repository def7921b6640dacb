"""Fit of a trained SGNS model to its optimum x* (LG14), as a check of the trainers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class IdentityReport:
    """Fit of w·c to x* over all pairs with enough counts.

    pearson : correlation; slope : of the least-squares line of w·c on x*
    mean_difference, mean_absolute_difference : of w·c − x*, nats
    pairs : number of pairs
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
    """Compare w·c with x*(w, c) = log #(w, c) − log(k · #(w) · P_n(c)) (LG14, section 3.1).

    embeddings : V words with contexts, in the order of ``counts``
    effective : CSR float64[V, V], #(w, c) expected under subsampling and window; #(w) is a row’s
    sum
    counts : int64[V], raw frequencies, from which P_n is computed with ``ns_exponent``
    min_expected : minimum expected count of a pair
    """
    assert embeddings.contexts is not None
    inputs = embeddings.inputs
    if sp.issparse(inputs):
        inputs = inputs.toarray()
    products = inputs.astype(np.float64) @ embeddings.contexts.astype(np.float64).T
    table = effective.toarray()
    noise = counts.astype(np.float64) ** ns_exponent
    noise /= noise.sum()
    kept = table >= min_expected
    with np.errstate(divide="ignore"):
        optimum = np.log(table) - np.log(negative * table.sum(axis=1)[:, None] * noise)
    x, y = optimum[kept], products[kept]
    difference = y - x
    return IdentityReport(
        pearson=float(np.corrcoef(x, y)[0, 1]),
        slope=float(np.polyfit(x, y, 1)[0]),
        mean_difference=float(difference.mean()),
        mean_absolute_difference=float(np.abs(difference).mean()),
        pairs=len(x),
    )
