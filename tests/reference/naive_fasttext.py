"""fastText written out: n-grams from strings, plain steps, float64, numeric gradients of the hidden
vector.

Shares no code with the workbench; random numbers are drawn as in :mod:`reference.naive_sgns`.
"""

import math
from typing import Any

import numpy as np
from reference.naive_sgns import SplitMix, draw_noise, numeric_gradient


def grams(word, low, high):
    """N-grams in the order of their starts, shorter ones first; a lone boundary mark isn’t one."""
    marked_word = "<" + word + ">"
    pieces = []
    for begin in range(len(marked_word)):
        for end in range(begin + 1, len(marked_word) + 1):
            piece = marked_word[begin:end]
            if low <= len(piece) <= high and not (
                len(piece) == 1 and (begin == 0 or end == len(marked_word))
            ):
                pieces.append(piece)
    return pieces


def hash_text(text, size):
    """FNV-1a with every byte sign-extended to 32 bits, modulo ``size``."""
    value = 2166136261
    for byte in np.frombuffer(text.encode(), dtype=np.int8).tolist():
        value = ((value ^ (byte % 2**32)) * 16777619) % 2**32
    return value % size


def row_lists(words, low, high, buckets):
    """Names of the input rows of each word: the word itself, then (bucket,) for each n-gram."""
    return [
        [word, *((hash_text(gram, buckets),) for gram in grams(word, low, high))] for word in words
    ]


def attraction(h, C, words):
    """−Σ log σ(h·c) over observed words."""
    return sum(math.log1p(math.exp(-float(h @ C[word]))) for word in words)


def repulsion(h, C, words):
    """−Σ log σ(−h·c) over negative samples."""
    return sum(math.log1p(math.exp(float(h @ C[word]))) for word in words)


def windows(sentences, size, keep, reach, random):
    """(centre, the words around it) for every kept token; draws numbers in reading order."""
    for sentence in sentences:
        piece = []
        for word in sentence:
            if word >= size:
                continue
            if keep[word] < 0xFFFFFFFF and (random.next() >> 32) > keep[word]:
                continue
            piece.append(word)
        for i, centre in enumerate(piece):
            draw = random.next() >> 32
            radius = max(
                1, sum(1 for place, limit in enumerate(reach) if place == 0 or draw <= limit)
            )
            yield (
                centre,
                [
                    piece[j]
                    for j in range(i - radius, i + radius + 1)
                    if 0 <= j < len(piece) and j != i
                ],
            )


def train_bag(sentences, lists, Z, C, keep, reach, threshold, alias, k, seed, rate):
    """CBOW: one pass in plain steps. Z : row name → float64[d]. Returns (loss, terms)."""
    random = SplitMix(seed)
    loss, terms = 0.0, 0
    noise = draw_noise(random, threshold, alias, k)
    for centre, around in windows(sentences, len(lists), keep, reach, random):
        here, noise = noise, draw_noise(random, threshold, alias, k)
        if not around:
            continue
        rows = [row for word in around for row in lists[word]]
        h = np.mean([Z[row] for row in rows], axis=0)

        def now(h=h, C=C, centre=centre, here=here):
            return attraction(h, C, [centre]) + repulsion(h, C, here)

        loss += now()
        terms += 1
        down_h, down_c = numeric_gradient(h, now), numeric_gradient(C, now)
        for row in rows:
            Z[row] = Z[row] - rate * down_h
        C -= rate * down_c
    return loss, terms


def train_blocks(
    sentences, lists, Z, C, keep, reach, threshold, alias, k, seed, rate, shares, block
):
    """Skip-gram: ``block`` centres share one draw of ``shares``·k negative samples, which count
    m/shares times for a centre with m observed words. A centre is trained on its window at once,
    and on the negative samples after the last centre of its block. Returns (loss, terms).
    """
    random = SplitMix(seed)
    loss, terms = 0.0, 0
    noise = draw_noise(random, threshold, alias, shares * k)
    here: list[Any] = []
    waiting: list[Any] = []

    def meet():
        total = 0.0
        steps = []
        push = np.zeros_like(C)
        for centre, h, m, down_h in waiting:
            weight = m / shares

            def now(h=h, weight=weight):
                return weight * repulsion(h, C, here)

            total += now()
            steps.append((centre, down_h + numeric_gradient(h, now)))
            push += numeric_gradient(C, now)
        np.subtract(C, rate * push, out=C)
        for centre, down in steps:
            for row in lists[centre]:
                Z[row] = Z[row] - rate * down
        waiting.clear()
        return total

    for centre, around in windows(sentences, len(lists), keep, reach, random):
        if not around:
            continue
        if not waiting:
            here, noise = noise, draw_noise(random, threshold, alias, shares * k)
        h = np.mean([Z[row] for row in lists[centre]], axis=0)

        def now(h=h, C=C, around=around):
            return attraction(h, C, around)

        loss += now()
        terms += len(around)
        down_h, down_c = numeric_gradient(h, now), numeric_gradient(C, now)
        C -= rate * down_c
        waiting.append((centre, h, len(around), down_h))
        if len(waiting) == block:
            loss += meet()
    return loss + meet(), terms
