"""Swivel on a dense table, cell by cell, with numeric gradients (Shazeer et al. 2016, sections 3.1
and 3.2).
"""

import math

import numpy as np


def loss(W, C, counts, rows, columns, base, scale, exponent):
    """The objective, summed over the cells of rows × columns."""
    total = counts.sum()
    value = 0.0
    for w in rows:
        for c in columns:
            score = float(W[w] @ C[c])
            once = math.log(total / (counts[w].sum() * counts[:, c].sum()))
            if counts[w, c] > 0:
                confidence = base + scale * counts[w, c] ** exponent
                value += 0.5 * confidence * (score - (math.log(counts[w, c]) + once)) ** 2
            else:
                value += math.log(1 + math.exp(score - once))
    return value


def step(W, C, sums_w, sums_c, rows, columns, rate, objective):
    """One AdaGrad step on a submatrix, in place; its loss is divided by the root of its number of
    cells.
    """
    share = 1 / math.sqrt(len(rows) * len(columns))
    size = 1e-5
    downs = []
    for values, sums, places in ((W, sums_w, rows), (C, sums_c, columns)):
        gradient = np.zeros_like(values)
        for place in ((row, t) for row in places for t in range(values.shape[1])):
            original = values[place]
            values[place] = original + size
            up = objective()
            values[place] = original - size
            gradient[place] = share * (up - objective()) / (2 * size)
            values[place] = original
        downs.append((values, sums, gradient))
    for values, sums, gradient in downs:
        sums += gradient**2
        values -= rate * gradient / np.sqrt(sums)
