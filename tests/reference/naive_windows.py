"""CBOW and hierarchical softmax written out: Python integers, float64, numeric gradients, a heap.

Shares no code with the workbench. Random numbers are drawn in the order that the trainers document.
"""

import heapq
import math

import numpy as np
from reference.naive_sgns import SplitMix, draw_noise, numeric_gradient


def softplus(x):
    return math.log1p(math.exp(-abs(x))) + max(x, 0.0)


def huffman_cost(counts):
    """Σ count × path length of any Huffman tree, by a heap."""
    heap = [int(count) for count in counts]
    heapq.heapify(heap)
    cost = 0
    while len(heap) > 1:
        weight = heapq.heappop(heap) + heapq.heappop(heap)
        cost += weight
        heapq.heappush(heap, weight)
    return cost


def word2vec_paths(counts):
    """The tree, found by searching the lightest two of all remaining entries for every join: for
    each word, [(node, code), ...] from the root, with nodes numbered in the order of their
    creation.

    Among equals, nodes come before words, older nodes before younger ones, later words before
    earlier.
    """
    size = len(counts)
    alive = [(int(count), 1, -word, ("word", word)) for word, count in enumerate(counts)]
    above = {}
    for inner_node in range(size - 1):
        alive.sort()
        (first, *_, one), (second, *_, two) = alive[:2]
        above[one], above[two] = (inner_node, 0), (inner_node, 1)
        alive = [*alive[2:], (first + second, 0, inner_node, ("node", inner_node))]
    paths = []
    for word in range(size):
        path, entry = [], ("word", word)
        while entry in above:
            node, code = above[entry]
            path.append((node, code))
            entry = ("node", node)
        paths.append(path[::-1])
    return paths


def hidden_of(W, contexts, mean):
    total = sum(W[word] for word in contexts)
    return total / len(contexts) if mean else total


def noise_loss(h, C, centre, noise):
    return softplus(-float(h @ C[centre])) + sum(
        softplus(float(h @ C[noise_word])) for noise_word in noise
    )


def path_loss(h, U, path):
    return sum(softplus(float(h @ U[node]) * (1 if code else -1)) for node, code in path)


def train(
    sentences,
    V,
    W,
    C,
    keep,
    reach,
    seed,
    rate,
    *,
    cbow,
    mean=True,
    full=True,
    noise=None,
    paths=None,
):
    """One pass in plain steps; sentences of ids are at most 1,000 long. Returns (loss, terms).

    noise : (threshold, alias, k) for negative sampling; otherwise, ``paths`` gives the tree
    full : each word of a mean gets the whole gradient of the mean, not only its share
    """
    random = SplitMix(seed)
    loss, terms = 0.0, 0
    draws = draw_noise(random, *noise) if noise else []
    for sentence in sentences:
        piece = []
        for word in sentence:
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
            here = draws
            if noise:
                draws = draw_noise(random, *noise)
            if not contexts:
                continue

            def objective(centre=centre, contexts=contexts, here=here, W=W, C=C):
                inputs = [hidden_of(W, contexts, mean)] if cbow else [W[word] for word in contexts]
                if noise:
                    return sum(noise_loss(h, C, centre, here) for h in inputs)
                return sum(path_loss(h, C, paths[centre]) for h in inputs)

            loss += objective()
            terms += 1 if cbow else len(contexts)
            down_w, down_c = numeric_gradient(W, objective), numeric_gradient(C, objective)
            if cbow and mean and full:
                down_w = down_w * len(contexts)
            W -= rate * down_w
            C -= rate * down_c
    return loss, terms


def leaf_probabilities(h, U, paths):
    return np.array([math.exp(-path_loss(h, U, path)) for path in paths])
