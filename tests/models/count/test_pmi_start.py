"""Starts of factorisations from their counts, compared with dense singular value decompositions.
GloVe, whose biases start from the counts, too, is in ``test_glove_start.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cell_source import Held
from workbench.counts.expected_counts import effective_counts
from workbench.models.base import MODELS
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState
from workbench.models.count import swivel
from workbench.models.count.cell_trainer import CellModel
from workbench.models.params import FactorParams
from workbench.session.kernel_compiler import kernels_of
from workbench.vectors.embeddings import Embeddings

SETTINGS: dict[str, Any] = {
    "dim": 12,
    "window": 3,
    "min_count": 1,
    "threads": 1,
    "epochs": 2,
    "start": "counts",
}
ALGORITHMS = ("swivel", "smf", "pmi-mf")
# Settings, and shift and smoothing of the matrix that is factorised.
MATRICES: tuple[tuple[str, dict[str, Any], float, float], ...] = (
    ("swivel", {"submatrix": 64}, 1.0, 1.0),
    ("smf", {}, 1.0, 0.75),
    ("smf", {"shift": 3.0, "context_smoothing": 0.5}, 3.0, 0.5),
    ("pmi-mf", {}, 1.0, 1.0),
    ("pmi-mf", {"context_smoothing": 0.75}, 1.0, 0.75),
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(20_000, words=300)


def settings(key: str, **changes: Any) -> FactorParams:
    made = MODELS[key].params_type.from_mapping({**SETTINGS, **changes})
    assert isinstance(made, FactorParams)
    return made


def fit(key: str, corpus: Corpus, earlier: Embeddings | None = None, **changes: Any) -> Embeddings:
    return MODELS[key](settings(key, **changes), earlier).fit(corpus, JobControl())


def count(key: str, corpus: Corpus, **changes: Any) -> np.ndarray:
    params = settings(key, **changes)
    dense = effective_counts(corpus, corpus.vocabulary(), params, threads=1).toarray()
    return np.asarray(dense)


def positive_pmi(counts: np.ndarray, shift: float, smoothing: float) -> np.ndarray:
    chances = counts.sum(axis=0) ** smoothing
    chances /= chances.sum()
    with np.errstate(divide="ignore"):
        pmi = np.log(counts / np.outer(counts.sum(axis=1), chances))
    return np.maximum(pmi - np.log(shift), 0)


def first_tables(key: str, corpus: Corpus, **changes: Any) -> tuple[np.ndarray, ...]:
    """W, C, and biases of both if there are any, before the first step."""
    params, vocabulary, run = settings(key, **changes), corpus.vocabulary(), JobControl()
    counts = Held(effective_counts(corpus, vocabulary, params, threads=1))
    if isinstance(params, swivel.SwivelParams):
        training = swivel._Training(counts, vocabulary, params, run)
        return tuple(training.by_rank(side) for side in training.sides)
    model = MODELS[key](params)
    assert isinstance(model, CellModel)
    trainer = model.trainer(vocabulary, ResumeState())
    trainer.prepare(counts, run)
    names = (WORDS, CONTEXTS, "word_bias", "context_bias")
    return tuple(trainer.tables[name] for name in names if name in trainer.tables)


@pytest.mark.parametrize(("key", "changes", "shift", "smoothing"), MATRICES)
def test_the_start_is_a_truncated_singular_value_decomposition(
    corpus: Corpus, key: str, changes: dict[str, Any], shift: float, smoothing: float
) -> None:
    dense = positive_pmi(count(key, corpus, **changes), shift, smoothing)
    W, C = (np.asarray(table, np.float64) for table in first_tables(key, corpus, **changes)[:2])
    U, values, Vt = np.linalg.svd(dense)
    best = (U[:, :12] * values[:12]) @ Vt[:12]
    error, least = (np.linalg.norm(dense - product) for product in (W @ C.T, best))
    assert least <= error < 1.01 * least
    for side in (W, C):
        np.testing.assert_allclose(np.linalg.norm(side[:, 0]) ** 2, values[0], rtol=1e-4)


@pytest.mark.parametrize("shift", [5.0, 0.2])
def test_the_shift_of_pmi_is_a_constant(corpus: Corpus, shift: float) -> None:
    whole = first_tables("pmi-mf", corpus, dim=11)
    W, C = first_tables("pmi-mf", corpus, shift=shift)[:2]
    products = W @ C.T - whole[0] @ whole[1].T
    np.testing.assert_allclose(products, -np.log(shift), rtol=1e-4)
    W, C, b, c = first_tables("pmi-mf", corpus, dim=11, shift=shift, biases=True)
    np.testing.assert_array_equal(W, whole[0])
    np.testing.assert_array_equal(C, whole[1])
    np.testing.assert_allclose(b[:, :1] + c[:, 0], -np.log(shift), rtol=1e-5)


@pytest.mark.parametrize("key", ALGORITHMS)
def test_an_epoch_from_the_counts_ends_below_one_from_random_vectors(
    corpus: Corpus, key: str
) -> None:
    ends = []
    for start in ("counts", "random"):
        run = JobControl()
        MODELS[key](settings(key, start=start, epochs=1)).fit(corpus, run)
        assert run.final is not None
        ends.append(run.final.value)
    assert ends[0] < 0.95 * ends[1]


@pytest.mark.parametrize("key", ALGORITHMS)
def test_equal_seeds_give_equal_bytes(corpus: Corpus, key: str) -> None:
    vectors = fit(key, corpus).vectors.tobytes()
    assert vectors == fit(key, corpus).vectors.tobytes()
    assert vectors != fit(key, corpus, seed=2).vectors.tobytes()


@pytest.mark.parametrize("key", ["swivel", "pmi-mf"])
def test_continued_training_equals_an_uninterrupted_one(corpus: Corpus, key: str) -> None:
    further = fit(key, corpus, fit(key, corpus, epochs=1), epochs=1)
    assert further.vectors.tobytes() == fit(key, corpus).vectors.tobytes()


@pytest.mark.parametrize("key", ALGORITHMS)
@pytest.mark.parametrize("dim", [1, 2, 12])
def test_few_words_and_dimensions(key: str, dim: int) -> None:
    assert np.isfinite(fit(key, make_corpus(["abacab"]), dim=dim).vectors).all()


@pytest.mark.parametrize("key", ALGORITHMS)
def test_its_cost_is_part_of_the_estimate(corpus: Corpus, key: str) -> None:
    counted, random = (
        MODELS[key](settings(key, start=start)).estimate(corpus).seconds
        for start in ("counts", "random")
    )
    assert counted is not None
    assert random is not None
    assert counted > random


@pytest.mark.parametrize("key", ALGORITHMS)
def test_its_kernels_are_compiled_before_training(key: str) -> None:
    assert kernels_of(key, settings(key)) == (key, "cell-start")


@pytest.mark.parametrize("key", ALGORITHMS)
def test_presets_start_at_random(key: str) -> None:
    assert settings(key, start="random") == settings(key, start=MODELS[key].params_type().start)
    for preset in MODELS[key].presets:
        assert preset.values.get("start", "random") == "random"


@pytest.mark.parametrize("biases", [True, False])
def test_sums_of_pmi_are_those_of_a_pass_without_steps(corpus: Corpus, biases: bool) -> None:
    params, vocabulary = settings("pmi-mf", biases=biases, weighting="count"), corpus.vocabulary()
    counts = effective_counts(corpus, vocabulary, params, threads=1)
    model = MODELS["pmi-mf"](params)
    assert isinstance(model, CellModel)
    trainer = model.trainer(vocabulary, ResumeState())
    trainer.prepare(Held(counts), JobControl())
    X = counts.toarray()
    W, C = (trainer.tables[name].astype(np.float64) for name in (WORDS, CONTEXTS))
    with np.errstate(divide="ignore", invalid="ignore"):
        target = np.log(X * X.sum() / np.outer(X.sum(axis=1), X.sum(axis=0)))
        errors = np.where(X > 0, W @ C.T - target, 0)
    pulls = (X / X[X > 0].mean() * errors) ** 2
    np.testing.assert_allclose(trainer.tables["word_sums"], pulls @ C**2, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(trainer.tables["context_sums"], pulls.T @ W**2, rtol=1e-3, atol=1e-6)
    wanted = pulls.sum(axis=1) if biases else 0.0
    np.testing.assert_allclose(trainer.tables["word_bias"][:, 1], wanted, rtol=1e-3, atol=1e-6)
