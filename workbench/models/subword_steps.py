"""The steps of fastText: gather the rows that make a word, meet the window, and spread the gradient.

See ``subword_model``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel
from workbench.counts.sampling import AliasTable
from workbench.counts.subwords import SubwordTable
from workbench.models.gather import add_to_rows, sum_rows
from workbench.models.logistic import logistic_columns
from workbench.models.noise import draw_noise
from workbench.models.products import add_chosen_rows, sum_chosen_rows
from workbench.models.streaming import Stream, draw_radius, read_piece
from workbench.models.tiles import LANES, Rows, aligned_rows, dot_one, own_zeros, prefetch_row, score_columns


class Scratch(NamedTuple):
    """One thread's working memory.

    rows : int32[...], the input rows of this step
    unseen, ahead : int32[shares·k], the noise words of this centre and of the next
    shares : for how many contexts of a centre noise is drawn
    positives : int32[2L], the observed words
    hidden : float32[2, d], the hidden vector and its step
    scores, unseen_scores : of observed and of noise words, then coefficients
    signs, unseen_signs : −1 and +1 for as many columns as there are words
    one : float32[1, 1]
    """

    rows: npt.NDArray[np.int32]
    unseen: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    shares: int
    positives: npt.NDArray[np.int32]
    hidden: Rows
    scores: Rows
    unseen_scores: Rows
    signs: Rows
    unseen_signs: Rows
    one: Rows


def make_scratch(window: int, negative: int, dim: int, most_rows: int, shares: int) -> Scratch:
    """``most_rows``: the input rows of the word that has most; ``shares``: for how many contexts of a
    centre ``negative`` noise words each are drawn.
    """
    most, drawn = 2 * window, shares * negative
    return Scratch(
        own_zeros(most * most_rows, np.int32),
        own_zeros(drawn, np.int32),
        own_zeros(drawn, np.int32),
        shares,
        own_zeros(most, np.int32),
        aligned_rows(2, dim),
        aligned_rows(1, score_columns(most)),
        aligned_rows(1, score_columns(drawn)),
        own_zeros(score_columns(most), np.float32),
        own_zeros(score_columns(drawn), np.float32),
        np.ones((1, 1), dtype=np.float32),
    )


@kernel(inline=True)
def write_signs(signs: Rows, count: int, value: float) -> None:
    """The same sign for ``count`` columns, and zeros up to the end of the cache line."""
    for j in range(count):
        signs[j] = value
    for j in range(count, -(-count // LANES) * LANES):
        signs[j] = 0.0


@kernel(inline=True)
def make_step(W: Rows, C: Rows, scratch: Scratch, count: int, m: int, rate: float) -> float:
    """One step of ``count`` input rows against ``m`` observed words and the noise. Returns the loss."""
    rows, unseen, _, shares, positives, hidden, scores, unseen_scores, signs, unseen_signs, one = scratch
    share = min(m, shares)
    k = len(unseen) // shares * share
    weight = m / share
    write_signs(signs, m, -1.0)
    write_signs(unseen_signs, k, 1.0)
    sum_rows(hidden, 0, W, rows, count, 1.0 / count)
    dot_one(hidden, 0, C, positives, m, scores)
    dot_one(hidden, 0, C, unseen, k, unseen_scores)
    loss = logistic_columns(scores, 1, m, signs, rate)
    loss += weight * logistic_columns(unseen_scores, 1, k, unseen_signs, rate * weight)
    if count == 1:
        add_chosen_rows(W, rows[0], C, positives, m, scores)
        add_chosen_rows(W, rows[0], C, unseen, k, unseen_scores)
    else:
        sum_chosen_rows(hidden, 1, C, positives, m, scores)
        add_chosen_rows(hidden, 1, C, unseen, k, unseen_scores)
        add_to_rows(W, rows, count, hidden, 1, one, 0, 0)
    add_to_rows(C, positives, m, hidden, 0, scores, 0, 1)
    add_to_rows(C, unseen, k, hidden, 0, unseen_scores, 0, 1)
    return float(loss)


@kernel
def train_chunk(
    stream: Stream,
    table: SubwordTable,
    noise: AliasTable,
    W: Rows,
    C: Rows,
    scratch: Scratch,
    bag: bool,
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

    bag : whether the window predicts its centre (CBOW) or the centre its window (skip-gram)
    cursor : int64[4], see Worker; a piece begun is gone on with, pieces are read until ``stop``
    rate : learning rate at the first token, falling by ``fall`` a token to ``least``
    totals : totals[0] gains the loss before each step, in nats; totals[1] the observed pairs, or for
        CBOW the centres
    """
    rows, unseen, ahead, positives = scratch.rows, scratch.unseen, scratch.ahead, scratch.positives
    offsets, inputs = table.offsets, table.rows
    begin = cursor[0] - (cursor[3] - cursor[2])
    reach = len(stream.reach)
    draw_noise(noise, state, ahead, 0, C)
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
            for j in range(len(unseen)):
                unseen[j] = ahead[j]
            draw_noise(noise, state, ahead, 0, C)
            later = i + reach + 1 if bag else i + 1
            if later < length:
                word = piece[later]
                for r in range(offsets[word], offsets[word + 1]):
                    prefetch_row(W, inputs[r])
            later = i + 1 if bag else i + reach + 1
            if later < length:
                prefetch_row(C, piece[later])
            m = 0
            count = 0
            for j in range(max(0, i - radius), min(length, i + radius + 1)):
                if j != i:
                    word = piece[j]
                    if bag:
                        for r in range(offsets[word], offsets[word + 1]):
                            rows[count] = inputs[r]
                            count += 1
                    else:
                        positives[m] = word
                    m += 1
            if m:
                word = piece[i]
                if bag:
                    positives[0] = word
                    m = 1
                else:
                    for r in range(offsets[word], offsets[word + 1]):
                        rows[count] = inputs[r]
                        count += 1
                totals[0] += make_step(W, C, scratch, count, m, now)
                totals[1] += m
        cursor[2] = last


@kernel
def compose(table: SubwordTable, W: Rows, first: int, out: Rows) -> None:
    """out[i] = the mean of the input rows of word ``first`` + i."""
    for i in range(len(out)):
        start, stop = table.offsets[first + i], table.offsets[first + i + 1]
        sum_rows(out, i, W, table.rows[start:stop], stop - start, 1.0 / (stop - start))
