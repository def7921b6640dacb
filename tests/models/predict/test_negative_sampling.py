"""Advice before a training that is too short to start from random numbers."""

import numpy as np
import pytest
from corpora import make_corpus

from workbench.core.job_control import JobControl
from workbench.corpus.samples import open_sample
from workbench.models.base import preset_params
from workbench.models.predict.cbow import CBOW
from workbench.models.predict.sgns import SGNS


@pytest.fixture(scope="module")
def topics():
    """1,200 words of 20 topics; a sentence has words of one topic."""
    random = np.random.default_rng(1)
    sentences = random.integers(0, 60, (3000, 20)) * 20 + random.integers(0, 20, (3000, 1))
    return make_corpus([[f"w{word}" for word in sentence] for sentence in sentences])


def separation(model, corpus):
    """Mean cosine within topics minus that across topics."""
    vectors = model.fit(corpus, JobControl())
    unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    topic = np.array([int(word[1:]) % 20 for word in vectors.words])
    same, cosines = topic[:, None] == topic, unit @ unit.T
    return cosines[same].mean() - cosines[~same].mean()


@pytest.mark.parametrize("kind", [SGNS, CBOW])
def test_a_short_text_is_better_started_from_the_counts(kind, topics):
    short = kind.params_type(dim=20, min_count=1, epochs=2, threads=1)
    assert "Set start to counts." in kind(short).estimate(topics).warning
    advised, longer = short.replace(start="counts"), short.replace(epochs=50)
    for params in (advised, longer):
        assert kind(params).estimate(topics).warning == ""
        assert separation(kind(params), topics) > 2 * separation(kind(short), topics)


def test_no_advice_where_random_numbers_are_enough():
    """Small World has few words; a vocabulary below 1,000 words was not measured."""
    assert SGNS(preset_params(SGNS, "classroom")).estimate(open_sample("small-world")).warning == ""
    few = make_corpus([["a", "b", "c"]] * 20)
    assert SGNS(SGNS.params_type(min_count=1, epochs=1)).estimate(few).warning == ""
