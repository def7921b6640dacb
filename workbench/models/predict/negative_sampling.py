"""Hyperparameters and noise distribution shared by algorithms with negative sampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel
from workbench.core.params import param
from workbench.counts.sampling import AliasTable, draw_word
from workbench.models.kernels.gemm import Rows, prefetch_row
from workbench.models.predict.stream_trainer import StreamParams, random64


@dataclass(frozen=True)
class NoiseParams(StreamParams):
    """Hyperparameters of every algorithm with negative sampling."""

    negative: int = param(
        5,
        "Noise words drawn for each observed pair.",
        symbol="k",
        low=1,
        high=64,
        grows="the factorised matrix shifts down by log k; slower",
        source="word2vec.c -negative 5",
        basic=True,
    )
    ns_exponent: float = param(
        0.75,
        "Noise words are drawn in proportion to their count to this power.",
        symbol="α",
        low=-2.0,
        high=2.0,
        grows="more frequent words as noise",
        source="Mikolov et al. 2013b, section 2.2: 3/4",
    )


@kernel(inline=True)
def draw_noise(
    noise: AliasTable,
    state: npt.NDArray[np.uint64],
    words: npt.NDArray[np.int32],
    first: int,
    C: Rows,
) -> None:
    """Draw words[first:], the noise of a centre to come, and ask for their rows."""
    for j in range(first, len(words)):
        word = draw_word(noise, random64(state))
        words[j] = word
        prefetch_row(C, word)
