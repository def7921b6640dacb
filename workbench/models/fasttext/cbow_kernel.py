"""The steps of fastText's CBOW: the mean of a window's rows against the centre and its negative
samples. See ``fasttext_base``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.counts.sampling import AliasTable
from workbench.counts.subword_rows import MergedRows
from workbench.models.fasttext.kernel_steps import ask_for_rows, ask_for_table
from workbench.models.kernels.gather_scatter import add_to_rows, sum_rows
from workbench.models.kernels.gemm import (
    aligned_rows,
    dot_one,
    own_zeros,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import sum_chosen_rows
from workbench.models.kernels.sigmoid_loss import logistic_columns
from workbench.models.predict.negative_sampling import NoiseParams, draw_noise, noise_signs
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    draw_radius,
    next_token,
    next_windows,
    rate_at,
)


class SubwordCbowScratch(NamedTuple):
    """One thread's working memory.

    rows : int32[...], the merged rows of this window; sizes : float32[1, ...], number of rows that
    each is the sum of
    outputs, ahead : int32[1 + k], the centre and its negative samples; those of the next centre
    hidden : float32[2, d], the hidden vector and its step
    scores : scores of the outputs, then coefficients; signs : −1 for the centre, +1 for negative
    samples, 0 for padding
    """

    rows: npt.NDArray[np.int32]
    sizes: Singles
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    hidden: Singles
    scores: Singles
    signs: Singles


def make_scratch(params: NoiseParams, most_rows: int) -> SubwordCbowScratch:
    """Working memory of a thread. ``most_rows``: maximum number of merged rows of a word."""
    n = 1 + params.negative
    rows = 2 * params.window * most_rows
    return SubwordCbowScratch(
        own_zeros(rows, np.int32),
        own_zeros(rows, np.float32)[None],
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(2, params.dim),
        aligned_rows(1, score_columns(n)),
        noise_signs(params.negative),
    )


@kernel
def train_chunk(
    chunk: WindowChunk,
    merged: MergedRows,
    noise: AliasTable,
    W: Singles,
    C: Singles,
    scratch: SubwordCbowScratch,
) -> None:
    """Make one step for each window of the chunk; the terms of the loss are centres."""
    listed, made_of, sizes_of, lengths = merged
    rows, sizes, outputs, ahead, hidden, scores, signs = scratch
    n = len(outputs)
    stream, windows = chunk.stream, chunk.windows
    pieces, cursor, state, totals = chunk.pieces, chunk.cursor, chunk.state, chunk.totals
    words = pieces.words
    begin = next_token(cursor)
    reach = len(stream.reach)
    draw_noise(noise, state, ahead, 1, C)
    while windows > 0:
        last = next_windows(chunk, windows)
        if last < 0:
            break
        windows -= last - cursor[2]
        length, now = cursor[3], rate_at(chunk, begin)
        for i in range(cursor[2], last):
            radius = draw_radius(state, stream.reach)
            for j in range(1, n):
                outputs[j] = ahead[j]
            draw_noise(noise, state, ahead, 1, C)
            later = i + reach + 1
            if later + 2 < length:
                ask_for_table(
                    listed, made_of, sizes_of, lengths, words[later + 1], words[later + 2]
                )
            if later < length:
                ask_for_rows(listed, made_of, W, words[later])
            if i + 1 < length:
                prefetch_row(C, words[i + 1])
            count = 0
            parts = 0
            for j in range(max(pieces.starts[i], i - radius), min(pieces.ends[i], i + radius + 1)):
                if j != i:
                    word = words[j]
                    parts += lengths[word]
                    for r in range(listed[word], listed[word + 1]):
                        rows[count] = made_of[r]
                        sizes[0, count] = sizes_of[0, r]
                        count += 1
            if parts:
                outputs[0] = words[i]
                sum_rows(hidden, 0, W, rows, 0, count, 1.0 / parts)
                dot_one(hidden, 0, C, outputs, n, scores)
                totals[0] += logistic_columns(scores, 0, 1, n, signs, now)
                totals[1] += 1
                sum_chosen_rows(hidden, 1, C, outputs, n, scores)
                add_to_rows(W, rows, 0, count, hidden, 1, sizes, 0, 1)
                add_to_rows(C, outputs, 0, n, hidden, 0, scores, 0, 1)
        cursor[2] = last
