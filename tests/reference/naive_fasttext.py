"""fastText written out: n-grams from strings, plain steps, float64, numeric gradients of the hidden vector.

Shares no code with the workbench; random numbers are drawn as in :mod:`reference.naive_sgns`.
"""

import math

import numpy as np
from reference.naive_sgns import SplitMix, draw_noise, numeric_gradient


def grams(word, low, high):
    """In the order in which they begin, shorter ones first; a boundary alone is none."""
    marked = "<" + word + ">"
    found = []
    for begin in range(len(marked)):
        for end in range(begin + 1, len(marked) + 1):
            piece = marked[begin:end]
            if low <= len(piece) <= high and not (len(piece) == 1 and (begin == 0 or end == len(marked))):
                found.append(piece)
    return found


def hashed(text, size):
    """FNV-1a with every byte extended by its sign to 32 bits."""
    value = 2166136261
    for signed in np.frombuffer(text.encode(), dtype=np.int8).tolist():
        value = ((value ^ (signed % 2**32)) * 16777619) % 2**32
    return value % size


def row_lists(words, low, high, buckets):
    """Input rows of each word by name: itself, then a (bucket,) for each n-gram."""
    return [[word, *((hashed(gram, buckets),) for gram in grams(word, low, high))] for word in words]


def objective(h, C, positives, noise, k):
    """Observed words against noise that counts as k words for each of them."""
    weight = len(positives) * k / len(noise)
    total = sum(math.log1p(math.exp(-float(h @ C[word]))) for word in positives)
    return total + weight * sum(math.log1p(math.exp(float(h @ C[word]))) for word in noise)


def train(sentences, lists, Z, C, keep, reach, threshold, alias, k, seed, rate, bag, shares):
    """One pass in plain steps. Z : name of a row → float64[d]. Returns (loss, terms).

    shares : noise for so many contexts is drawn for each centre
    """
    random = SplitMix(seed)
    loss, terms = 0.0, 0
    noise = draw_noise(random, threshold, alias, shares * k)
    for sentence in sentences:
        piece = []
        for word in sentence:
            if word >= len(lists):
                continue
            if keep[word] < 0xFFFFFFFF and (random.next() >> 32) > keep[word]:
                continue
            piece.append(word)
        for i, centre in enumerate(piece):
            draw = random.next() >> 32
            radius = max(1, sum(1 for place, limit in enumerate(reach) if place == 0 or draw <= limit))
            around = [piece[j] for j in range(i - radius, i + radius + 1) if 0 <= j < len(piece) and j != i]
            here, noise = noise, draw_noise(random, threshold, alias, shares * k)
            if not around:
                continue
            positives = [centre] if bag else around
            here = here[: min(len(positives), shares) * k]
            rows = [row for word in (around if bag else [centre]) for row in lists[word]]
            h = np.mean([Z[row] for row in rows], axis=0)

            def now(h=h, C=C, positives=positives, here=here):
                return objective(h, C, positives, here, k)

            loss += now()
            terms += len(positives)
            down_h, down_c = numeric_gradient(h, now), numeric_gradient(C, now)
            for row in rows:
                Z[row] = Z[row] - rate * down_h
            C -= rate * down_c
    return loss, terms
