"""The steps of fastText's skip-gram, eight centres at a time. See ``fasttext_base``.

Each centre is first trained against the words of its window; the shared negative samples follow
after the last centre, as one product of eight hidden vectors with the samples' rows, held in
registers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.counts.sampling import AliasTable
from workbench.counts.subword_rows import MergedRows
from workbench.models.fasttext.kernel_steps import ask_for_rows, ask_for_table, write_signs
from workbench.models.kernels.gather_scatter import add_to_rows, gather_rows, sum_rows
from workbench.models.kernels.gemm import (
    TILE_COLUMNS,
    TILE_ROWS,
    aligned_rows,
    dot_one,
    dot_rows,
    own_zeros,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import (
    add_chosen_products,
    add_products,
    sum_chosen_rows,
)
from workbench.models.kernels.sigmoid_loss import logistic_columns
from workbench.models.predict.negative_sampling import NoiseParams, draw_noise
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    draw_radius,
    next_token,
    next_windows,
    rate_at,
)


class SubwordScratch(NamedTuple):
    """One thread's working memory; B centres are a block.

    centres : int32[B]; weights : float64[B], the weight of each negative sample for a centre
    order : int32[B], 0, 1, …; positives : int32[2L], the words of a window
    unseen, ahead : int32[n], the negative samples of this block and of the next
    hidden, steps : float32[B, d], hidden vectors, and their changes
    noise_rows : float32[n in whole tiles, d]; scores, unseen_scores : scores of a window's words
    and of negative samples, then coefficients; signs, unseen_signs : −1 and +1, one for each word
    shares : number of words of a window for which negative samples were drawn
    """

    centres: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    order: npt.NDArray[np.int32]
    positives: npt.NDArray[np.int32]
    unseen: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    hidden: Singles
    steps: Singles
    noise_rows: Singles
    scores: Singles
    unseen_scores: Singles
    signs: Singles
    unseen_signs: Singles
    shares: int


def make_scratch(params: NoiseParams, shares: int, block: int) -> SubwordScratch:
    """Working memory for ``block`` centres, against the negative samples of ``shares`` words of a
    window.
    """
    window, dim, drawn = params.window, params.dim, shares * params.negative
    order = own_zeros(block, np.int32)
    order[:] = np.arange(block)
    unseen_signs = own_zeros(score_columns(drawn), np.float32)
    unseen_signs[:drawn] = 1.0
    return SubwordScratch(
        own_zeros(block, np.int32),
        own_zeros(block, np.float64),
        order,
        own_zeros(2 * window, np.int32),
        own_zeros(drawn, np.int32),
        own_zeros(drawn, np.int32),
        aligned_rows(block, dim),
        aligned_rows(block, dim),
        aligned_rows(-(-drawn // TILE_COLUMNS) * TILE_COLUMNS, dim),
        aligned_rows(1, score_columns(2 * window)),
        aligned_rows(-(-block // TILE_ROWS) * TILE_ROWS, score_columns(drawn)),
        own_zeros(score_columns(2 * window), np.float32),
        unseen_signs,
        shares,
    )


@kernel(inline=True)
def meet_noise(
    merged: MergedRows, W: Singles, C: Singles, scratch: SubwordScratch, count: int, rate: float
) -> float:
    """Train ``count`` centres against the negative samples, and update the rows of both. Return the
    loss before.
    """
    centres, weights, order, unseen = (
        scratch.centres,
        scratch.weights,
        scratch.order,
        scratch.unseen,
    )
    hidden, steps, noise_rows = scratch.hidden, scratch.steps, scratch.noise_rows
    scores, signs = scratch.unseen_scores, scratch.unseen_signs
    n = len(unseen)
    loss = 0.0
    gather_rows(noise_rows, C, unseen, n)
    dot_rows(hidden, order, count, noise_rows, n, scores)
    for b in range(count):
        loss += weights[b] * logistic_columns(scores, b, 1, n, signs, rate * weights[b])
    add_products(steps, order, count, noise_rows, n, scores)
    add_chosen_products(C, unseen, n, hidden, order, count, scores)
    offsets, rows, sizes = merged.offsets, merged.rows, merged.sizes
    for b in range(count):
        first = offsets[centres[b]]
        add_to_rows(W, rows, first, offsets[centres[b] + 1] - first, steps, b, sizes, 0, 1)
    return loss


@kernel
def train_chunk(
    chunk: WindowChunk,
    merged: MergedRows,
    noise: AliasTable,
    W: Singles,
    C: Singles,
    scratch: SubwordScratch,
) -> None:
    """Make one step for each window of the chunk; the terms of the loss are observed pairs."""
    offsets, rows, sizes, lengths = merged
    centres, weights, positives = scratch.centres, scratch.weights, scratch.positives
    unseen, ahead = scratch.unseen, scratch.ahead
    hidden, steps, scores, signs = scratch.hidden, scratch.steps, scratch.scores, scratch.signs
    shares = scratch.shares
    stream, windows = chunk.stream, chunk.windows
    pieces, cursor, state, totals = chunk.pieces, chunk.cursor, chunk.state, chunk.totals
    words = pieces.words
    begin = next_token(cursor)
    reach = len(stream.reach)
    draw_noise(noise, state, ahead, 0, C)
    count = 0
    now = chunk.rate
    while windows > 0:
        last = next_windows(chunk, windows)
        if last < 0:
            break
        windows -= last - cursor[2]
        length, now = cursor[3], rate_at(chunk, begin)
        for i in range(cursor[2], last):
            radius = draw_radius(state, stream.reach)
            if i + 3 < length:
                ask_for_table(offsets, rows, sizes, lengths, words[i + 2], words[i + 3])
            if i + 1 < length:
                ask_for_rows(offsets, rows, W, words[i + 1])
                if i + reach + 1 < length:
                    prefetch_row(C, words[i + reach + 1])
            m = 0
            for j in range(max(pieces.starts[i], i - radius), min(pieces.ends[i], i + radius + 1)):
                if j != i:
                    positives[m] = words[j]
                    m += 1
            if m:
                if count == 0:
                    for j in range(len(unseen)):
                        unseen[j] = ahead[j]
                    draw_noise(noise, state, ahead, 0, C)
                word = words[i]
                centres[count] = word
                weights[count] = m / shares
                first = offsets[word]
                sum_rows(
                    hidden, count, W, rows, first, offsets[word + 1] - first, 1.0 / lengths[word]
                )
                write_signs(signs, m, -1.0)
                dot_one(hidden, count, C, positives, m, scores)
                totals[0] += logistic_columns(scores, 0, 1, m, signs, now)
                totals[1] += m
                sum_chosen_rows(steps, count, C, positives, m, scores)
                add_to_rows(C, positives, 0, m, hidden, count, scores, 0, 1)
                count += 1
                if count == len(centres):
                    totals[0] += meet_noise(merged, W, C, scratch, count, now)
                    count = 0
        cursor[2] = last
    if count:
        totals[0] += meet_noise(merged, W, C, scratch, count, now)
