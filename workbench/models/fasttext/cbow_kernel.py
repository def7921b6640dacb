"""The steps of fastText's CBOW: the rows of a window, averaged, against its centre and noise. See
``subword_model``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel
from workbench.counts.sampling import AliasTable
from workbench.counts.subword_rows import MergedRows
from workbench.models.fasttext.kernel_steps import ask_for_rows, ask_for_table
from workbench.models.kernels.gather_scatter import add_to_rows, sum_rows
from workbench.models.kernels.gemm import (
    Rows,
    aligned_rows,
    dot_one,
    own_zeros,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import sum_chosen_rows
from workbench.models.kernels.sigmoid_loss import logistic_columns
from workbench.models.predict.negative_sampling import draw_noise
from workbench.models.predict.stream_trainer import TokenStream, draw_radius, read_piece


class SubwordCbowScratch(NamedTuple):
    """One thread's working memory.

    rows : int32[...], the merged rows of this window; sizes : float32[1, ...], of how many rows
    each is the sum
    outputs, ahead : int32[1 + k], the centre and its noise; of the next centre the noise alone
    hidden : float32[2, d], the hidden vector and its step
    scores : of the outputs, then coefficients; signs : −1 for the centre, +1 for noise, 0 for
    padding
    """

    rows: npt.NDArray[np.int32]
    sizes: Rows
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    hidden: Rows
    scores: Rows
    signs: Rows


def make_scratch(window: int, negative: int, dim: int, most_rows: int) -> SubwordCbowScratch:
    """``most_rows``: the merged rows of the word that has most."""
    n = 1 + negative
    signs = own_zeros(score_columns(n), np.float32)
    signs[0] = -1.0
    signs[1:n] = 1.0
    return SubwordCbowScratch(
        own_zeros(2 * window * most_rows, np.int32),
        own_zeros(2 * window * most_rows, np.float32)[None],
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(2, dim),
        aligned_rows(1, score_columns(n)),
        signs,
    )


@kernel
def train_chunk(
    stream: TokenStream,
    made: MergedRows,
    noise: AliasTable,
    W: Rows,
    C: Rows,
    scratch: SubwordCbowScratch,
    piece: npt.NDArray[np.int32],
    cursor: npt.NDArray[np.int64],
    stop: int,
    windows: int,
    state: npt.NDArray[np.uint64],
    rate: float,
    fall: float,
    least: float,
    totals: npt.NDArray[np.float64],
) -> None:
    """Make one step for each of the next ``windows`` windows, or until ``stop`` is reached.

    cursor : int64[4], see Worker; a piece begun is gone on with, pieces are read until ``stop``
    rate : learning rate at the first token, falling by ``fall`` a token to ``least``
    totals : totals[0] gains the loss before each step, in nats; totals[1] the centres
    """
    listed, made_of, sizes_of, lengths = made
    rows, sizes, outputs, ahead, hidden, scores, signs = scratch
    n = len(outputs)
    begin = cursor[0] - (cursor[3] - cursor[2])
    reach = len(stream.reach)
    draw_noise(noise, state, ahead, 1, C)
    while windows > 0:
        if cursor[2] >= cursor[3]:
            if cursor[0] >= stop:
                break
            cursor[3] = read_piece(stream, cursor, stop, state, piece)
            cursor[2] = 0
        length = cursor[3]
        now = max(rate - fall * (cursor[0] - (length - cursor[2]) - begin), least)
        last = min(length, cursor[2] + windows)
        windows -= last - cursor[2]
        for i in range(cursor[2], last):
            radius = draw_radius(state, stream.reach)
            for j in range(1, n):
                outputs[j] = ahead[j]
            draw_noise(noise, state, ahead, 1, C)
            later = i + reach + 1
            if later + 2 < length:
                ask_for_table(
                    listed, made_of, sizes_of, lengths, piece[later + 1], piece[later + 2]
                )
            if later < length:
                ask_for_rows(listed, made_of, W, piece[later])
            if i + 1 < length:
                prefetch_row(C, piece[i + 1])
            count = 0
            parts = 0
            for j in range(max(0, i - radius), min(length, i + radius + 1)):
                if j != i:
                    word = piece[j]
                    parts += lengths[word]
                    for r in range(listed[word], listed[word + 1]):
                        rows[count] = made_of[r]
                        sizes[0, count] = sizes_of[0, r]
                        count += 1
            if parts:
                outputs[0] = piece[i]
                sum_rows(hidden, 0, W, rows, 0, count, 1.0 / parts)
                dot_one(hidden, 0, C, outputs, n, scores)
                totals[0] += logistic_columns(scores, 0, 1, n, signs, now)
                totals[1] += 1
                sum_chosen_rows(hidden, 1, C, outputs, n, scores)
                add_to_rows(W, rows, 0, count, hidden, 1, sizes, 0, 1)
                add_to_rows(C, outputs, 0, n, hidden, 0, scores, 0, 1)
        cursor[2] = last
