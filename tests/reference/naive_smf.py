"""Stochastic matrix factorisation in plain steps with numeric gradients."""

import numpy as np
from reference.naive_sgns import SplitMix, draw_noise


def train(cells, M, W, C, threshold, alias, negative, l2, rate, seed):
    """One step per cell (row, column, weight, target), then per drawn context where M is 0, in
    place.

    Returns the sum of the objective before each step, and the number of steps.
    """
    random = SplitMix(seed)
    total, steps = 0.0, 0
    for row, column, weight, target in cells:
        draws = draw_noise(random, threshold, alias, negative)
        todo = [(column, weight, target)] + [
            (other, 1.0, 0.0) for other in draws if M[row, other] == 0
        ]
        for context, share, wanted in todo:

            def objective(row=row, context=context, share=share, wanted=wanted):
                lengths = (W[row] ** 2).sum() + (C[context] ** 2).sum()
                return 0.5 * share * (W[row] @ C[context] - wanted) ** 2 + 0.5 * l2 * lengths

            total += objective()
            steps += 1
            downs = []
            for values, place in ((W, row), (C, context)):
                down = np.zeros(W.shape[1])
                for t in range(W.shape[1]):
                    original = values[place, t]
                    values[place, t] = original + 1e-5
                    up = objective()
                    values[place, t] = original - 1e-5
                    down[t] = (up - objective()) / 2e-5
                    values[place, t] = original
                downs.append(down)
            W[row] -= rate * downs[0]
            C[context] -= rate * downs[1]
    return total, steps
