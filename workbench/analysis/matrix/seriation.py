"""Seriation: an order that puts similar words next to each other, by optimal leaf ordering of a
cluster tree.

Average linkage by nearest-neighbour chains (Murtagh 1983), then the order of the leaves that
minimises the sum of the distances between neighbours among all orders that the tree allows
(Bar-Joseph, Gifford & Jaakkola 2001, Fast optimal leaf ordering for hierarchical clustering). scipy
has both, but its ordering holds the GIL for seconds (2 s at 1,000 words) and misses the optimum of
some trees (1.17: one of nine random trees of 5 to 8 leaves); here each step is an operation on
whole rows, so that other threads continue, it can be cancelled, and 2,000 words take 2 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl

# With more words, the tree's own order is used: the time grows with the third power of their
# number, the memory with the second.
OPTIMAL_UP_TO = 2500


@dataclass(frozen=True, eq=False)
class Seriation:
    """An order. order : int64[n], a permutation; optimal : whether no other order of the tree is
    shorter; length : sum of the distances between neighbours
    """

    order: Ints
    optimal: bool
    length: float


def cosine_distances(rows: npt.NDArray[np.floating]) -> Doubles:
    """float64[n, n], 1 − cosine of the rows [n, d]; NaN counts as 0, and a row of zeros has
    distance 1 from every other row.
    """
    table = np.nan_to_num(np.asarray(rows, dtype=np.float64), nan=0.0)
    lengths = np.sqrt(np.einsum("ij,ij->i", table, table))
    table = table / np.where(lengths > 0, lengths, 1.0)[:, None]
    distances = np.clip(1.0 - table @ table.T, 0.0, 2.0)
    np.fill_diagonal(distances, 0.0)
    return np.asarray(np.minimum(distances, distances.T))


def seriate(
    distances: Doubles, run: JobControl | None = None, *, optimal_up_to: int = OPTIMAL_UP_TO
) -> Seriation:
    """Order n items by their distances float64[n, n], symmetric with a diagonal of 0.

    Item 0 is in the first half of the order. Advances ``run`` and raises Cancelled.
    """
    size = len(distances)
    if size < 3:
        order = np.arange(size, dtype=np.int64)
        return Seriation(order, True, _length(distances, order))
    children = average_tree(distances, run)
    optimal = size <= optimal_up_to
    order = _best_leaves(distances, children, run) if optimal else _leaf_arrays(children, size)[-1]
    if int(np.flatnonzero(order == 0)[0]) >= (size + 1) // 2:
        order = order[::-1].copy()
    return Seriation(order, optimal, _length(distances, order))


def _length(distances: Doubles, order: Ints) -> float:
    return float(distances[order[:-1], order[1:]].sum())


def average_tree(distances: Doubles, run: JobControl | None = None) -> list[tuple[int, int]]:
    """Children of the n − 1 inner nodes, numbered as in scipy: node n + i has the i-th pair, leaves
    are 0 … n − 1.

    Children come before their parents; heights need not increase from one node to the next.
    """
    size = len(distances)
    far = distances.copy()
    np.fill_diagonal(far, np.inf)
    node = list(range(size))  # node of each row that is still in use
    weight = np.ones(size)
    children: list[tuple[int, int]] = []
    chain: list[int] = []
    alive = np.ones(size, dtype=bool)
    while len(children) < size - 1:
        if run is not None:
            run.check()
        if not chain:
            chain.append(int(np.argmax(alive)))
        while True:
            here = chain[-1]
            nearest = int(np.argmin(far[here]))
            # Prefer the previous row among equals, or the chain would never end.
            if len(chain) > 1 and far[here, chain[-2]] <= far[here, nearest]:
                nearest = chain[-2]
                break
            chain.append(nearest)
        del chain[-2:]
        children.append((node[nearest], node[here]))
        total = weight[nearest] + weight[here]
        merged = (weight[nearest] * far[nearest] + weight[here] * far[here]) / total
        merged[[nearest, here]] = np.inf
        far[nearest], far[:, nearest] = merged, merged
        far[here], far[:, here] = np.inf, np.inf
        weight[nearest], node[nearest] = total, size + len(children) - 1
        alive[here] = False
    return children


def _leaf_arrays(children: list[tuple[int, int]], size: int) -> list[Ints]:
    """The leaves below every node, from left to right."""
    leaves: list[Ints] = [np.array([leaf], dtype=np.int64) for leaf in range(size)]
    for left, right in children:
        leaves.append(np.concatenate([leaves[left], leaves[right]]))
    return leaves


def _best_leaves(
    distances: Doubles, children: list[tuple[int, int]], run: JobControl | None
) -> Ints:
    """``cost[u, w]``: the minimum length of an order of a node's leaves from u at one end to w at
    the other, for every u of its left child and w of its right one (eq. 3). ``_walk_down`` finds
    the leaves in between.
    """
    size = len(distances)
    leaves = _leaf_arrays(children, size)
    cost = np.zeros_like(distances)
    work = [_steps(node, children, leaves, size) for node in range(size, 2 * size - 1)]
    total, done = float(sum(work)) or 1.0, 0.0
    for (left, right), steps in zip(children, work, strict=True):
        found = np.empty((len(leaves[left]), len(leaves[right])))
        through = np.full(found.shape, np.inf)
        at = {int(leaf): row for row, leaf in enumerate(leaves[left].tolist())}
        for ends, turned in _sides(left, children, leaves, size):
            rows = np.array([at[leaf] for leaf in ends.tolist()])
            through[rows] = _min_plus(
                cost[np.ix_(ends, turned)], distances[np.ix_(turned, leaves[right])], run
            )
        across = {int(leaf): column for column, leaf in enumerate(leaves[right].tolist())}
        for ends, turned in _sides(right, children, leaves, size):
            to = np.array([across[leaf] for leaf in ends.tolist()])
            via = np.array([across[leaf] for leaf in turned.tolist()])
            found[:, to] = _min_plus(through[:, via], cost[np.ix_(turned, ends)], run)
        cost[np.ix_(leaves[left], leaves[right])] = found
        cost[np.ix_(leaves[right], leaves[left])] = found.T
        done += steps
        if run is not None:
            run.advance(done / total)
    return _walk_down(distances, cost, children, leaves)


def _sides(
    node: int, children: list[tuple[int, int]], leaves: list[Ints], size: int
) -> tuple[tuple[Ints, Ints], ...]:
    """(ends, others): with one of ``ends`` at the outer end of a node, one of ``others`` is at its
    inner end.
    """
    if node < size:
        return ((leaves[node], leaves[node]),)
    left, right = children[node - size]
    return (leaves[left], leaves[right]), (leaves[right], leaves[left])


def _steps(node: int, children: list[tuple[int, int]], leaves: list[Ints], size: int) -> float:
    """Approximate number of additions for a node."""
    left, right = children[node - size]
    first = sum(len(ends) * len(turned) for ends, turned in _sides(left, children, leaves, size))
    second = sum(len(ends) * len(turned) for ends, turned in _sides(right, children, leaves, size))
    return float(first * len(leaves[right]) + second * len(leaves[left]))


def _min_plus(a: Doubles, b: Doubles, run: JobControl | None) -> Doubles:
    """min over k of a[i, k] + b[k, j]: float64[i, j]."""
    rows, inner = a.shape
    columns = b.shape[1]
    if inner == 1:
        return a + b
    if inner <= rows:
        found = a[:, :1] + b[:1]
        room = np.empty_like(found)
        for k in range(1, inner):
            if run is not None and k % 8 == 0:
                run.check()
            np.add(a[:, k : k + 1], b[k], out=room)
            np.minimum(found, room, out=found)
        return found
    found, room = np.empty((rows, columns)), np.empty_like(b)
    for i in range(rows):
        if run is not None and i % 8 == 0:
            run.check()
        np.add(a[i, :, None], b, out=room)
        np.min(room, axis=0, out=found[i])
    return found


def _walk_down(
    distances: Doubles, cost: Doubles, children: list[tuple[int, int]], leaves: list[Ints]
) -> Ints:
    """The order itself, found from the inner ends with the minimum length at each node."""
    size = len(distances)
    left, right = children[-1]
    ends = np.unravel_index(
        int(np.argmin(cost[np.ix_(leaves[left], leaves[right])])),
        (len(leaves[left]), len(leaves[right])),
    )
    order: list[int] = []
    # (node, its first leaf, its last leaf)
    waiting = [(2 * size - 2, int(leaves[left][ends[0]]), int(leaves[right][ends[1]]))]
    while waiting:
        node, first, last = waiting.pop()
        if node < size:
            order.append(node)
            continue
        one, other = children[node - size]
        if first not in leaves[one]:
            one, other = other, one
        inner = _opposite(one, first, children, leaves, size)
        outer = _opposite(other, last, children, leaves, size)
        sums = (
            cost[first, inner][:, None] + distances[np.ix_(inner, outer)] + cost[outer, last][None]
        )
        m, k = np.unravel_index(int(np.argmin(sums)), sums.shape)
        waiting.append((other, int(outer[k]), last))
        waiting.append((one, first, int(inner[m])))
    return np.array(order, dtype=np.int64)


def _opposite(
    node: int, end: int, children: list[tuple[int, int]], leaves: list[Ints], size: int
) -> Ints:
    """The leaves that may be at the other end of a node."""
    return next(others for ends, others in _sides(node, children, leaves, size) if end in ends)
