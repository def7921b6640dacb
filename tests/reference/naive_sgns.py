"""Skip-gram with negative sampling, written out: Python integers, float64, numeric gradients.

Shares no code with the workbench. The random numbers are splitmix64’s, drawn in the order that the
trainer documents, so that one pass can be compared number by number.
"""

import math

import numpy as np

MASK = (1 << 64) - 1


class SplitMix:
    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def window_loss(W, C, centre, contexts, noise):
    """Objective of one window: each context word predicts the centre against negative samples."""
    total = 0.0
    for word in contexts:
        total += math.log1p(math.exp(-float(W[word] @ C[centre])))
        for noise_word in noise:
            total += math.log1p(math.exp(float(W[word] @ C[noise_word])))
    return total


def numeric_gradient(matrix, loss):
    """d loss / d matrix by central differences; ``loss`` reads ``matrix`` in place."""
    gradient = np.zeros_like(matrix)
    step = 1e-5
    for place in np.ndindex(matrix.shape):
        value = matrix[place]
        matrix[place] = value + step
        up = loss()
        matrix[place] = value - step
        down = loss()
        matrix[place] = value
        gradient[place] = (up - down) / (2 * step)
    return gradient


def draw_noise(random, threshold, alias, k):
    draws = []
    for _ in range(k):
        bits = random.next()
        column = ((bits >> 32) * len(alias)) >> 32
        draws.append(column if (bits & 0xFFFFFFFF) < int(threshold[column]) else int(alias[column]))
    return draws


def train(sentences, V, W, C, keep, reach, threshold, alias, k, seed, rate, fall):
    """One pass in plain steps. Sentences of ids are at most 1,000 long. Returns (loss, pairs)."""
    random = SplitMix(seed)
    loss, pairs, tokens_read = 0.0, 0, 0
    noise = draw_noise(random, threshold, alias, k)
    for sentence in sentences:
        now = rate - fall * tokens_read
        piece = []
        for word in sentence:
            tokens_read += 1
            if word >= V:
                continue
            if keep[word] < 0xFFFFFFFF and (random.next() >> 32) > keep[word]:
                continue
            piece.append(word)
        for i, centre in enumerate(piece):
            draw = random.next() >> 32
            radius = max(
                1, sum(1 for place, limit in enumerate(reach) if place == 0 or draw <= limit)
            )
            contexts = [
                piece[j]
                for j in range(i - radius, i + radius + 1)
                if 0 <= j < len(piece) and j != i
            ]
            here, noise = noise, draw_noise(random, threshold, alias, k)
            if not contexts:
                continue

            def objective(centre=centre, contexts=contexts, here=here, W=W, C=C):
                return window_loss(W, C, centre, contexts, here)

            loss += objective()
            pairs += len(contexts)
            down_w, down_c = numeric_gradient(W, objective), numeric_gradient(C, objective)
            W -= now * down_w
            C -= now * down_c
    return loss, pairs
