"""Training on cells, written out: float64, numeric gradients, one cell after the other."""

import math

import numpy as np


def squared_error(w, c, bias_w, bias_c, weight, target):
    """½ f Δ² of one cell."""
    difference = (
        sum(float(a) * float(b) for a, b in zip(w, c, strict=True)) + bias_w + bias_c - target
    )
    return 0.5 * weight * difference * difference


def slope(function, values, place):
    """d function / d values[place] by central differences."""
    step = 1e-5
    value = values[place]
    values[place] = value + step
    up = function()
    values[place] = value - step
    down = function()
    values[place] = value
    return (up - down) / (2 * step)


def adagrad(cells, W, C, bias_w, bias_c, *, glove, rate, clip=math.inf, biased=True):
    """One step per cell, as in GloVe’s program (``glove``) or in AdaGrad’s publication.

    cells are (row, column, weight, target). Changes the four arrays in place. Returns the sum of
    the losses before each step.
    """
    sums = {
        id(values): np.full_like(values, 1.0 if glove else 1e-12)
        for values in (W, C, bias_w, bias_c)
    }
    total = 0.0
    for row, column, weight, target in cells:

        def loss(row=row, column=column, weight=weight, target=target):
            return squared_error(W[row], C[column], bias_w[row], bias_c[column], weight, target)

        total += loss()
        places = [(W, (row, t)) for t in range(W.shape[1])] + [
            (C, (column, t)) for t in range(C.shape[1])
        ]
        slopes = [
            (values, place, max(-clip, min(clip, slope(loss, values, place))))
            for values, place in places
        ]
        if biased:
            slopes += [
                (values, place, slope(loss, values, place))
                for values, place in ((bias_w, row), (bias_c, column))
            ]
        for values, place, gradient in slopes:
            squares = sums[id(values)]
            if glove:
                step = gradient if values.ndim == 1 else rate * gradient
                values[place] -= step / math.sqrt(squares[place])
                squares[place] += step**2
            else:
                squares[place] += gradient**2
                values[place] -= rate * gradient / math.sqrt(squares[place])
    return total
