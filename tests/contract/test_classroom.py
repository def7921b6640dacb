"""Promise to classes: on the bundled corpus, the preset “classroom” answers the analogies."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.analogy.solver import evaluate
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.samples import SAMPLES, open_sample
from workbench.models.base import MODELS, preset_params


@pytest.fixture(scope="module")
def small_world() -> Corpus:
    return open_sample("small-world")


def accuracy(corpus: Corpus, key: str) -> float:
    kind = MODELS[key]
    vectors = kind(preset_params(kind, "classroom")).fit(corpus, JobControl())
    questions = SAMPLES["small-world"].questions
    assert isinstance(questions, Path)
    return evaluate(vectors, load_questions(questions), restrict=0).all


def test_predicting_and_counting_both_answer_the_analogies(small_world: Corpus) -> None:
    sgns_accuracy = accuracy(small_world, "sgns")
    assert sgns_accuracy >= 0.9
    for key in ("ppmi", "svd"):
        assert accuracy(small_world, key) >= sgns_accuracy - 0.15
