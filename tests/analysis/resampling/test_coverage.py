"""How often intervals contain the true number, in simulated texts of known distribution.

A document has its own mixture of topics, so its words depend on each other; a sentence has one
topic, whose words are independent. So the PMI of any pair is known. For cosines and effects, the
true number is their mean over texts of the same length: an interval says how much a number depends
on which documents there are, not what a longer text would give, whose PPMI has less noise to cut
off at 0.
"""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.resampling.intervals import spread_interval
from workbench.analysis.resampling.statistics import association_of, cosine_of, pmi_of
from workbench.analysis.resampling.texts_drawn import ResampleParams, TextDraws, resample
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.corpus.documents import with_ranks
from workbench.models.count.svd import SVDParams

WORDS, TOPICS, SENTENCES, LENGTH = 24, 4, 30, 8
DOCUMENTS, TEXTS, DRAWN = 40, 60, 25
PAIRS = [(f"w{a}", f"w{b}") for a in range(6) for b in range(6, 9)]
SETS = [[f"w{word}" for word in range(first, first + 6)] for first in (0, 6, 12, 18)]


def topics() -> np.ndarray:
    random = np.random.default_rng(0)
    found = random.dirichlet(np.ones(WORDS), TOPICS) * 0.8 + 0.2 / WORDS
    return found / found.sum(axis=1, keepdims=True)


def simulated(seed: int) -> Corpus:
    random = np.random.default_rng([7, seed])
    cumulative = np.cumsum(topics(), axis=1)
    mixtures = random.dirichlet(np.full(TOPICS, 2.0), DOCUMENTS)
    ids = np.concatenate(
        [
            np.searchsorted(cumulative[topic], random.random(LENGTH)).clip(max=WORDS - 1)
            for mixture in mixtures
            for topic in random.choice(TOPICS, SENTENCES, p=mixture)
        ]
    ).astype(np.int32)
    size = SENTENCES * LENGTH
    corpus = Corpus(
        "simulated",
        ids,
        np.arange(0, len(ids) + 1, LENGTH),
        [f"w{word}" for word in range(WORDS)],
        np.bincount(ids, minlength=WORDS),
        "",
    )
    files = tuple(SourceFile(f"/{at}.txt", 1, "", size) for at in range(DOCUMENTS))
    return Corpus(**{**with_ranks(corpus).__dict__, "files": files})


@pytest.fixture(scope="module")
def simulation() -> tuple[np.ndarray, np.ndarray]:
    """Estimates and half widths of intervals, float64[TEXTS, numbers]."""
    params = SVDParams(
        dim=TOPICS, min_count=1, shift=1.0, context_smoothing=1.0, window=5, threads=1
    )
    statistics = (
        cosine_of(PAIRS),
        pmi_of(PAIRS),
        association_of((SETS[0], SETS[1]), (SETS[2], SETS[3])),
    )
    estimates, reaches = [], []
    for seed in range(TEXTS):
        drawn = ResampleParams(documents="files", draw_seed=seed)
        found = resample(
            TextDraws(simulated(seed), "svd", params, drawn),
            lambda refit: np.concatenate([one(refit) for one in statistics]),
            DRAWN,
        )
        estimates.append(found.estimate)
        intervals = [
            spread_interval(float(one), values)
            for one, values in zip(found.estimate, found.values.T, strict=True)
        ]
        reaches.append([(one.high - one.low) / 2 for one in intervals])
    return np.array(estimates), np.array(reaches)


def covered(simulation: tuple[np.ndarray, np.ndarray], part: slice, true: np.ndarray) -> float:
    estimates, reaches = simulation
    return float((np.abs(estimates[:, part] - true) <= reaches[:, part]).mean())


def test_intervals_of_pmi_contain_the_true_pmi(
    simulation: tuple[np.ndarray, np.ndarray],
) -> None:
    theta = topics()
    together = np.einsum("ka,kb->ab", theta, theta) / TOPICS
    alone = together.sum(axis=1)
    pmi = np.log(together / np.outer(alone, alone))
    true = np.array([pmi[int(a[1:]), int(b[1:])] for a, b in PAIRS])
    part = slice(len(PAIRS), 2 * len(PAIRS))
    assert 0.90 <= covered(simulation, part, true) <= 0.99


@pytest.mark.parametrize("part", [slice(0, len(PAIRS)), slice(2 * len(PAIRS), None)])
def test_intervals_of_cosines_and_effects_contain_their_mean(
    simulation: tuple[np.ndarray, np.ndarray], part: slice
) -> None:
    mean = simulation[0][:, part].mean(axis=0)
    assert 0.90 <= covered(simulation, part, mean) <= 0.99
