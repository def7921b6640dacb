"""An analogy in the counts: each context’s PMI with the answer, against the other three words.

If a : a* :: b : b* holds for the meanings, then PMI(b*, c) = PMI(a*, c) − PMI(a, c) + PMI(b, c) for
every context c, up to errors (Allen & Hospedales 2019, section 6). Beside it, the same for another
answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.language import tr

_FEWEST = 3


@dataclass(frozen=True, eq=False)
class AnalogyInCounts:
    """Contexts that co-occur with all four words, those with the largest counts first.

    contexts : their words; across, up : float64[n], both sides of the equation in nats
    counts : float64[n], the smallest of the four counts
    """

    answer: str
    contexts: tuple[str, ...]
    across: Doubles
    up: Doubles
    counts: Doubles

    @property
    def error(self) -> float:
        """Root mean square of the difference, weighted by counts."""
        return float(np.sqrt(np.average((self.up - self.across) ** 2, weights=self.counts)))

    @property
    def correlation(self) -> float:
        """Pearson’s, weighted by counts."""
        x = self.across - np.average(self.across, weights=self.counts)
        y = self.up - np.average(self.up, weights=self.counts)
        both, own = (self.counts * x) @ y, ((self.counts * x) @ x) * ((self.counts * y) @ y)
        return float(both / np.sqrt(own)) if own > 0 else float("nan")


def analogy_in_counts(
    pairs: PairCounts, a: str, a_star: str, b: str, answer: str
) -> AnalogyInCounts:
    """Compare a* − a + b with ``answer``, context by context. Raises UnknownWord, and UserError if
    fewer than three contexts co-occur with all four words.
    """
    rows = [pairs.row(word) for word in (a, a_star, b, answer)]
    counts = np.array([pairs.cells[[row]].toarray()[0] for row in rows])
    seen = np.flatnonzero((counts > 0).all(axis=0))
    if len(seen) < _FEWEST:
        raise UserError(
            tr("Fewer than three contexts co-occur with all four words."),
            tr("Choose more frequent words, or a longer text."),
        )
    totals = pairs.row_sums[pairs.ids[rows]]
    columns = pairs.column_sums[pairs.ids[seen]]
    with np.errstate(divide="ignore"):
        pmi = np.log(counts[:, seen]) + np.log(pairs.total)
        pmi -= np.log(totals)[:, None] + np.log(columns)
    smallest = counts[:, seen].min(axis=0)
    order = np.argsort(-smallest, kind="stable")
    across = pmi[1] - pmi[0] + pmi[2]
    words = tuple(pairs.words[seen[at]] for at in order.tolist())
    found = pairs.words[rows[3]]
    return AnalogyInCounts(found, words, across[order], pmi[3][order], smallest[order])
