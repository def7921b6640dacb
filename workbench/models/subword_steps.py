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
from workbench.models.gather import add_to_rows, gather_rows, sum_rows
from workbench.models.noise import draw_noise
from workbench.models.streaming import Stream, draw_radius, read_piece
from workbench.models.tiles import (
    TILE_COLUMNS,
    TILE_ROWS,
    Rows,
    add_scaled_rows,
    aligned_rows,
    dot_tiles,
    logistic,
    prefetch_row,
    score_columns,
)


class Scratch(NamedTuple):
    """One thread's working memory.

    rows : int32[...], the input rows of this step
    outputs : int32[2, 1 + shares·k], the noise words from 1 on, for this centre and the next
    shares : int32[1]
    positives : int32[2L], the observed words
    hidden : float32[2, d], of which one row counts; gradient : float32[1, d], the step of that
    seen, noise : rows of observed and of noise words; seen_scores, noise_scores : scores, then coefficients
    seen_signs : float32[2L + 1, ...], −1 for as many columns as the row's number
    noise_signs : float32[shares + 1, ...], +1 for the noise of as many shares
    one : float32[1, 1]
    """

    rows: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    shares: npt.NDArray[np.int32]
    positives: npt.NDArray[np.int32]
    hidden: Rows
    gradient: Rows
    seen: Rows
    noise: Rows
    seen_scores: Rows
    noise_scores: Rows
    seen_signs: Rows
    noise_signs: Rows
    one: Rows


def make_scratch(window: int, negative: int, dim: int, most_rows: int, shares: int) -> Scratch:
    """``most_rows``: the input rows of the word that has most; ``shares``: for how many contexts of a
    centre ``negative`` noise words each are drawn.
    """
    most = 2 * window
    seen_signs = np.zeros((most + 1, score_columns(most)), dtype=np.float32)
    for count in range(most + 1):
        seen_signs[count, :count] = -1.0
    drawn = shares * negative
    noise_signs = np.zeros((shares + 1, score_columns(drawn)), dtype=np.float32)
    for count in range(shares + 1):
        noise_signs[count, : count * negative] = 1.0
    return Scratch(
        np.zeros(most * most_rows, dtype=np.int32),
        np.zeros((2, 1 + drawn), dtype=np.int32),
        np.array([shares], dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        aligned_rows(TILE_ROWS, dim),
        aligned_rows(1, dim),
        aligned_rows(-(-most // TILE_COLUMNS) * TILE_COLUMNS, dim),
        aligned_rows(-(-drawn // TILE_COLUMNS) * TILE_COLUMNS, dim),
        aligned_rows(TILE_ROWS, score_columns(most)),
        aligned_rows(TILE_ROWS, score_columns(drawn)),
        seen_signs,
        noise_signs,
        np.ones((1, 1), dtype=np.float32),
    )


@kernel(fast=True)
def make_step(
    W: Rows,
    C: Rows,
    scratch: Scratch,
    count: int,
    m: int,
    noise: npt.NDArray[np.int32],
    rate: float,
) -> float:
    """One step of ``count`` input rows against ``m`` observed words and the noise. Returns the loss."""
    rows, _, shares, positives, hidden, gradient, seen, unseen, scores, noise_scores, signs, noise_signs, one = scratch
    share = min(m, shares[0])
    k = (len(noise) - 1) // shares[0] * share
    weight = m / share
    unseen_words = noise[1:]
    sum_rows(hidden, 0, W, rows, count, 1.0 / count)
    gather_rows(seen, C, positives, m)
    gather_rows(unseen, C, unseen_words, k)
    dot_tiles(hidden, 1, seen, m, scores)
    dot_tiles(hidden, 1, unseen, k, noise_scores)
    loss = logistic(scores, 1, signs[m], rate)
    loss += weight * logistic(noise_scores, 1, noise_signs[share], rate * weight)
    add_to_rows(C, positives, m, hidden, 0, scores, 0, 1)
    add_to_rows(C, unseen_words, k, hidden, 0, noise_scores, 0, 1)
    if count == 1:
        add_scaled_rows(W, rows[0], seen, m, scores, 0, 0, 0)
        add_scaled_rows(W, rows[0], unseen, k, noise_scores, 0, 0, 0)
    else:
        gradient[0] = 0.0
        add_scaled_rows(gradient, 0, seen, m, scores, 0, 0, 0)
        add_scaled_rows(gradient, 0, unseen, k, noise_scores, 0, 0, 0)
        add_to_rows(W, rows, count, gradient, 0, one, 0, 0)
    return float(loss)


@kernel(fast=True)
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
    rows, outputs, positives = scratch.rows, scratch.outputs, scratch.positives
    offsets, inputs = table.offsets, table.rows
    begin = cursor[0] - (cursor[3] - cursor[2])
    reach = len(stream.reach)
    side = 0
    draw_noise(noise, state, outputs, side, C)
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
            draw_noise(noise, state, outputs, 1 - side, C)
            ahead = i + reach + 1 if bag else i + 1
            if ahead < length:
                word = piece[ahead]
                for r in range(offsets[word], offsets[word + 1]):
                    prefetch_row(W, inputs[r])
            ahead = i + 1 if bag else i + reach + 1
            if ahead < length:
                prefetch_row(C, piece[ahead])
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
                totals[0] += make_step(W, C, scratch, count, m, outputs[side], now)
                totals[1] += m
            side = 1 - side
        cursor[2] = last


@kernel(fast=True)
def compose(table: SubwordTable, W: Rows, first: int, out: Rows) -> None:
    """out[i] = the mean of the input rows of word ``first`` + i."""
    for i in range(len(out)):
        start, stop = table.offsets[first + i], table.offsets[first + i + 1]
        sum_rows(out, i, W, table.rows[start:stop], stop - start, 1.0 / (stop - start))
