"""Objective of SGNS, summed over all pairs one by one (Levy & Goldberg 2014, section 3.1)."""

import math

import numpy as np


def log_sigmoid(x):
    return -math.log1p(math.exp(-x)) if x > 0 else x - math.log1p(math.exp(x))


def objective(W, C, counts, frequencies, k, alpha, l2):
    """−Σ A log σ(x) + B log σ(−x) + λ/2 (‖W‖² + ‖C‖²)."""
    noise = np.asarray(frequencies, dtype=float) ** alpha
    noise /= noise.sum()
    value = 0.5 * l2 * ((W**2).sum() + (C**2).sum())
    for w in range(len(W)):
        for c in range(len(C)):
            x = float(W[w] @ C[c])
            value -= counts[w, c] * log_sigmoid(x) + k * counts[w].sum() * noise[c] * log_sigmoid(
                -x
            )
    return value
