from __future__ import annotations

import itertools

import numpy as np
import pytest
from corpora import make_corpus

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus import context_iterator
from workbench.corpus.context_iterator import outwards, places_of
from workbench.corpus.corpus import Corpus


def chance_corpus(seed: int = 3) -> tuple[Corpus, list[list[int]]]:
    """A random corpus of 300 short sentences over 12 words, and the ids of each sentence."""
    random = np.random.default_rng(seed)
    corpus = make_corpus(
        [
            [f"w{n}" for n in random.zipf(1.5, random.integers(1, 12)).clip(1, 12)]
            for _ in range(300)
        ]
    )
    borders = corpus.sentences.tolist()
    return corpus, [corpus.ids[a:b].tolist() for a, b in itertools.pairwise(borders)]


@pytest.mark.parametrize("size", [0, 4])
def test_every_token_of_the_window_is_visited_once(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, sentences = chance_corpus()
    monkeypatch.setattr(context_iterator, "_SCAN", 100)
    monkeypatch.setattr(context_iterator, "_PLACES", 7)
    places = places_of(corpus, 2)
    visits = sorted(
        (int(places[which]), int(place), int(token), int(distance) * step.side)
        for step in outwards(corpus, places, 3, size)
        for which, place, token, distance in zip(
            step.which, step.places, step.ids, step.distance, strict=True
        )
    )
    expected = []
    start = 0
    for sentence in sentences:
        for at, word in enumerate(sentence):
            if word != 2:
                continue
            for side in (-1, 1):
                near = sentence[:at][::-1] if side < 0 else sentence[at + 1 :]
                kept_ids = [
                    (i, token) for i, token in enumerate(near, start=1) if not size or token < size
                ][:3]
                expected += [
                    (start + at, start + at + side * i, token, side * (number + 1))
                    for number, (i, token) in enumerate(kept_ids)
                ]
        start += len(sentence)
    assert visits == sorted(expected)


def test_it_can_be_cancelled() -> None:
    corpus, _ = chance_corpus()
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        places_of(corpus, 0, run)
    with pytest.raises(Cancelled):
        list(outwards(corpus, np.array([5]), 3, run=run))
