"""With fixed vectors, all points of a loss curve estimate the same number, within their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import make_corpus

from workbench.core.job_control import OBJECTIVE, JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import MODELS
from workbench.models.count import glove
from workbench.models.count.adagrad import glove_steps
from workbench.models.tally import LossTally

SEEDS = 4
# Values for speed, by algorithm, in addition to the common ones.
MORE: dict[str, dict[str, Any]] = {
    "fasttext": {"buckets": 500, "max_n": 3},
    "fasttext-cbow": {"buckets": 500, "max_n": 3},
    "skipgram-softmax": {"batch": 8},
    "swivel": {"submatrix": 40},
    "smf": {"negative": 2},
    "cbow-softmax": {"batch": 32},
}
CELLS = ("glove", "pmi-mf", "smf", "swivel", "skipgram-softmax")
STREAMS = ("sgns", "cbow", "skipgram-hs", "cbow-hs", "fasttext", "fasttext-cbow", "cbow-softmax")


@pytest.fixture(scope="module")
def topics() -> Corpus:
    """30,000 tokens in chapters, each with a topic of its own besides common words."""
    random = np.random.default_rng(3)
    common = 1 / np.arange(1, 41)
    sentences = []
    for chapter in range(60):
        subject = random.integers(0, 8)
        for _ in range(50):
            own = random.random(10) < 0.2 + 0.5 * (chapter % 3) / 2
            words = random.choice(40, 10, p=common / common.sum())
            words[own] = 40 + 20 * subject + random.integers(0, 20, own.sum())
            sentences.append([f"w{word}" for word in words])
    return make_corpus(sentences)


def frozen_runs(key: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> list[JobControl]:
    """Continue a training for two epochs at learning rate 0, once for each seed."""
    kind = MODELS[key]
    names = {spec.name for spec in kind.params_type.specs()}
    values = {
        "dim": 8,
        "min_count": 1,
        "threads": 1,
        "epochs": 2,
        "sample": 0.01,
        **MORE.get(key, {}),
    }
    values = {name: value for name, value in values.items() if name in names}
    first = kind(kind.params_type.from_mapping(values)).fit(corpus, JobControl())
    if key == "glove":
        # The learning rate doesn’t apply to the biases, so their rate is set to 0 here.
        monkeypatch.setattr(
            glove, "glove_steps", lambda rate: glove_steps(0.0)._replace(inner_bias=0.0)
        )
    runs = []
    for seed in range(1, SEEDS + 1):
        run = JobControl()
        params = kind.params_type.from_mapping({**values, "learning_rate": 0.0, "seed": seed})
        last = kind(params, first).fit(corpus, run)
        np.testing.assert_allclose(last.inputs, first.inputs, atol=1e-6)
        runs.append(run)
    return runs


@pytest.mark.parametrize("key", [*CELLS, *STREAMS])
def test_points_differ_as_far_as_their_errors_say(
    key: str, topics: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = frozen_runs(key, topics, monkeypatch)
    finals = [run.final for run in runs]
    values = np.array([final.value for final in finals if final is not None])
    errors = np.array([final.error for final in finals if final is not None])
    truth = values.mean()
    inside, distances = [], []
    for run in runs:
        trace = run.trace
        assert len(trace) >= 20
        assert (trace.error > 0).all()
        inside += (np.abs(trace.loss - truth) <= 1.96 * trace.error).tolist()
        distances += ((trace.loss - truth) / trace.error).tolist()
    # There are 80 to 320 points; the nominal share is 95%.
    assert np.mean(inside) >= 0.87
    # Submatrices along a diagonal are more alike than others, so the error of Swivel’s loss is too
    # large.
    assert (0.3 if key == "swivel" else 0.6) < np.std(distances) < 1.35
    assert abs(np.mean(distances)) < 0.35
    if key in ("glove", "pmi-mf", "swivel", "skipgram-softmax"):
        # All cells without random draws, so the number is the same each time.
        assert {final.kind for final in finals if final is not None} == {OBJECTIVE}
        np.testing.assert_allclose(values, truth, rtol=1e-6)
        assert not errors.any()
    else:
        assert (errors > 0).all()
        assert (np.abs(values - truth) < 4 * errors).all()


@pytest.mark.parametrize("key", ["sgns", "skipgram-hs", "cbow", "cbow-softmax"])
def test_the_error_of_a_single_pass_is_that_of_its_draws(key: str, topics: Corpus) -> None:
    kind = MODELS[key]
    values = {"dim": 8, "min_count": 1, "threads": 1, "sample": 0.01, **MORE.get(key, {})}
    first = kind(kind.params_type.from_mapping({**values, "epochs": 2})).fit(topics, JobControl())
    finals = []
    for seed in range(1, 13):
        run = JobControl()
        more = {**values, "epochs": 1, "learning_rate": 0.0, "seed": seed}
        kind(kind.params_type.from_mapping(more), first).fit(topics, run)
        assert run.final is not None
        finals.append((run.final.value, run.final.error))
    losses, errors = np.array(finals).T
    # With 12 losses, the standard deviation itself is uncertain by a fifth.
    assert 0.5 < losses.std(ddof=1) / np.median(errors) < 1.6


def test_a_single_pass_without_draws_is_exact(topics: Corpus) -> None:
    values = {"dim": 8, "min_count": 1, "threads": 1, "sample": 0.0, "window_weighting": "fixed"}
    kind, run = MODELS["cbow-softmax"], JobControl()
    params = {**values, **MORE["cbow-softmax"], "epochs": 1, "learning_rate": 0.0}
    kind(kind.params_type.from_mapping(params)).fit(topics, run)
    assert run.final is not None
    assert run.final.error < 1e-6 * run.final.value


@pytest.mark.parametrize("key", STREAMS)
def test_measuring_the_error_leaves_the_vectors_as_they_are(
    key: str, topics: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = MODELS[key]
    values = {"dim": 8, "min_count": 1, "threads": 1, "epochs": 1, **MORE.get(key, {})}
    measured = kind(kind.params_type.from_mapping(values)).fit(topics, JobControl())
    monkeypatch.setattr(LossTally, "knows_draws", True)
    plain = kind(kind.params_type.from_mapping(values)).fit(topics, JobControl())
    np.testing.assert_array_equal(measured.inputs, plain.inputs)


def test_the_final_loss_of_glove_is_its_objective(topics: Corpus) -> None:
    objectives = []
    for seed, threads in ((1, 1), (2, 1), (2, 2)):
        params = glove.GloVeParams(
            dim=10, min_count=1, window=5, epochs=8, threads=threads, seed=seed, result="w"
        )
        run = JobControl()
        embeddings = glove.GloVe(params).fit(topics, run)
        X = cooccurrence(topics, topics.vocabulary(1), 5, "harmonic", threads=1).toarray()
        assert embeddings.biases is not None
        assert embeddings.contexts is not None
        assert embeddings.context_biases is not None
        W, C = embeddings.inputs.astype(np.float64), embeddings.contexts.astype(np.float64)
        model = W @ C.T + embeddings.biases.astype(np.float64)[:, None] + embeddings.context_biases
        seen = X > 0
        exact = 0.5 * np.minimum(1, (X[seen] / 100) ** 0.75) * (model[seen] - np.log(X[seen])) ** 2
        assert run.final is not None
        assert run.final.kind == OBJECTIVE
        assert run.final.value == pytest.approx(exact.mean(), rel=1e-5)
        objectives.append(run.final.value)
    assert max(objectives) / min(objectives) < 1.1


@pytest.mark.parametrize("key", ["glove", "swivel"])
def test_passes_of_two_trainings_are_those_of_one_in_any_number_of_chunks(
    key: str, topics: Corpus
) -> None:
    """Holds however few cells there are."""
    kind = MODELS[key]
    values = {"dim": 6, "min_count": 1, "threads": 1, "learning_rate": 0.05}

    def after(epochs: int, start: Any = None) -> Any:
        return kind(kind.params_type.from_mapping({**values, "epochs": epochs}), start).fit(
            topics, JobControl()
        )

    assert after(2, after(3)).inputs.tobytes() == after(5).inputs.tobytes()
