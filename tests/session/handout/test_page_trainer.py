"""The trainer in the page against the program: random numbers to the bit, loss and products."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser

from workbench import train
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.tally import fair_order
from workbench.session.classes.page_trainer import PageTraining, page_training, trainer_section
from workbench.session.export import ExportSource
from workbench.session.export.handout_page.document import write_page
from workbench.session.export.handout_page.page_texts import SHARED
from workbench.session.export.handout_page.vectors import vectors_section
from workbench.session.export.handout_page.words import PageWords
from workbench.session.runs import final_loss
from workbench.vectors.embeddings import Embeddings

Write = Callable[[str], Path]

_TRAIN = """
(() => {
  const {data, arrays} = handout.section("trainer");
  const trainer = handout.makeTrainer(%d);
  while (trainer.step());
  return {loss: trainer.meanLoss, W: [...trainer.W], C: [...trainer.C], pairs: trainer.terms
    .reduce((sum, value) => sum + value, 0)};
})()
"""


def page_with(training: PageTraining, trained: Embeddings) -> str:
    page = PageWords(ExportSource("m", trained), trained.rows_with_vector())
    sections = [vectors_section(page), trainer_section(training, trained, JobControl())]
    return write_page("m", {"words": page.display_texts, "start": 0}, sections, SHARED)


def trained_by(training: PageTraining, seed: int = 1) -> Embeddings:
    values: dict[str, Any] = training.params.to_dict() | {"seed": seed}
    return train(training.corpus, "sgns", **values)


@pytest.mark.parametrize("seed", [0, 1, 12_345, 2**31, 2**40 + 3])
def test_generators_are_numpys(seed: int, browser: Browser, shown: Write, corpus: Corpus) -> None:
    training = page_training(corpus, "sgns", {"dim": 4, "min_count": 1})
    assert training is not None
    page = browser.open(shown(page_with(training, trained_by(training))))
    page.value(f"sequence = new handout.random.SeedSequence({seed}); null")
    children = np.random.SeedSequence([seed]).spawn(3)
    for at, child in enumerate(children):
        found = page.value(f"new handout.random.SeedSequence({seed}, [{at}]).state(2).map(String)")
        assert found == [str(number) for number in child.generate_state(2, np.uint64)]
    random = np.random.default_rng(seed)
    mine = page.value(
        "pcg = new handout.random.Pcg64(sequence); [...Array(9)].map(() => pcg.float())"
    )
    assert mine == random.random(9, dtype=np.float32).tolist()
    random = np.random.default_rng(children[1])
    order = page.value(
        f"handout.sgns.fairOrder(187, new handout.random.Pcg64("
        f"new handout.random.SeedSequence({seed}, [1])))"
    )
    assert order == fair_order(187, random).tolist()


def test_splitmix_is_the_programs(browser: Browser, shown: Write, corpus: Corpus) -> None:
    """Against whole numbers of Python."""
    training = page_training(corpus, "sgns", {"dim": 4, "min_count": 1})
    assert training is not None
    page = browser.open(shown(page_with(training, trained_by(training))))
    for start in (0, 1, 2**64 - 1, 0x123456789ABCDEF0):
        found = page.value(
            f"mix = new handout.random.SplitMix({start}n); "
            "[...Array(200)].map(() => { mix.next(); return [mix.high, mix.low]; })"
        )
        state, mask, expected = start, 2**64 - 1, []
        for _ in range(200):
            state = state + 0x9E3779B97F4A7C15 & mask
            z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
            z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
            z ^= z >> 31
            expected.append([z >> 32, z & 0xFFFFFFFF])
        assert found == expected


@pytest.mark.parametrize(
    ("values", "seed"),
    [
        ({"dim": 8, "epochs": 2, "min_count": 1}, 1),
        ({"dim": 5, "epochs": 3, "min_count": 150, "window": 2, "negative": 2}, 7),
        ({"dim": 6, "epochs": 1, "min_count": 1, "sample": 0, "window_weighting": "fixed"}, 3),
        ({"dim": 6, "epochs": 2, "min_count": 1, "window_weighting": "harmonic"}, 3),
    ],
)
def test_loss_and_products_are_those_of_the_program(
    values: dict[str, Any], seed: int, corpus: Corpus, browser: Browser, shown: Write
) -> None:
    training = page_training(corpus, "sgns", values | {"seed": seed, "learning_rate": 0.05})
    assert training is not None
    trained = trained_by(training, seed)
    page = browser.open(shown(page_with(training, trained)))
    found = page.value(_TRAIN % seed)
    W = np.array(found["W"]).reshape(len(trained.words), -1)
    C = np.array(found["C"]).reshape(len(trained.words), -1)
    own = np.asarray(trained.inputs, dtype=np.float64)
    contexts = np.asarray(trained.contexts, dtype=np.float64)
    final = final_loss.read(trained.metadata)
    assert final is not None
    dim = own.shape[1]
    # Every update rounds each number to float32, by a standard deviation of at most u times its
    # size; these errors add up like a random walk over the updates of a word, which are at most
    # all decisions. A product adds 2d numbers, each with a factor of at most the largest number.
    updates = found["pairs"] * (1 + training.params.negative)
    largest = max(np.abs(own).max(), np.abs(contexts).max())
    error = 6 * 2.0**-24 * largest**2 * np.sqrt(2 * dim * updates)
    assert error < 0.02
    np.testing.assert_allclose(W @ C.T, own @ contexts.T, atol=error)
    # The slope of a pair's loss by its products is at most 1 for each of them.
    assert abs(found["loss"] - final.value) <= (1 + training.params.negative) * error
    assert found["loss"] == pytest.approx(final.value, rel=1e-6)
