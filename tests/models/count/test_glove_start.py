"""GloVe's start from its counts, compared with slow and obvious factorisations and fits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cell_source import Held
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState
from workbench.models.count import glove_start, pmi_start
from workbench.models.count.cell_trainer import Visitor, visit_of
from workbench.models.count.glove import GloVe, GloVeParams, GloVeTrainer
from workbench.models.params import glove_weight
from workbench.models.predict.sgns import SGNSParams
from workbench.session.kernel_compiler import kernels_of
from workbench.vectors.embeddings import Embeddings

SETTINGS: dict[str, Any] = {
    "dim": 12,
    "window": 3,
    "min_count": 1,
    "x_max": 20.0,
    "threads": 1,
    "start": "counts",
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(20_000, words=300)


def settings(**changes: Any) -> GloVeParams:
    return GloVeParams.from_mapping({**SETTINGS, **changes})


def counts_of(corpus: Corpus, **changes: Any) -> sp.csr_matrix:
    return GloVe(settings(**changes)).count(corpus, corpus.vocabulary(), JobControl())


def prepared(corpus: Corpus, **changes: Any) -> GloVeTrainer:
    """A training before its first step."""
    trainer = GloVe(settings(**changes)).trainer(corpus.vocabulary(), ResumeState())
    trainer.prepare(Held(counts_of(corpus, **changes)), JobControl())
    return trainer


def fit(corpus: Corpus, earlier: Embeddings | None = None, **changes: Any) -> Embeddings:
    return GloVe(settings(**{"epochs": 2, **changes}), earlier).fit(corpus, JobControl())


def loss(trainer: GloVeTrainer) -> float:
    visit = visit_of(np.arange(len(trainer.layout.cells.chunks) - 1))
    trainer.evaluate_chunks(Visitor(0), visit)
    return float(visit.losses.sum() / visit.terms.sum())


def positive_pmi(counts: sp.csr_matrix) -> np.ndarray:
    dense = counts.toarray()
    with np.errstate(divide="ignore"):
        pmi = np.log(dense * dense.sum() / np.outer(dense.sum(axis=1), dense.sum(axis=0)))
    return np.maximum(pmi, 0)


def dense_table(trainer: GloVeTrainer, name: str) -> np.ndarray:
    return np.asarray(trainer.tables[name], np.float64)


@pytest.mark.parametrize("frequent", [80, 300])
@pytest.mark.parametrize("symmetric", [True, False])
def test_the_matrix_is_positive_pmi(corpus: Corpus, frequent: int, symmetric: bool) -> None:
    counts = counts_of(corpus, symmetric=symmetric)
    dense = positive_pmi(counts)
    parts = pmi_start.association(Held(counts), frequent, JobControl())
    first, others = slice(frequent), slice(frequent, None)
    wanted = (
        dense[first, first],
        dense[first, first].T,
        dense[others, first],
        dense[first, others].T,
    )
    for part, other in zip(parts, wanted, strict=True):
        np.testing.assert_allclose(part.toarray(), other, atol=1e-5)


@pytest.mark.parametrize("symmetric", [True, False])
def test_the_start_is_a_truncated_singular_value_decomposition(
    corpus: Corpus, symmetric: bool
) -> None:
    dense = positive_pmi(counts_of(corpus, symmetric=symmetric))
    # Rows of GloVe's tables are words, and columns the words before them.
    dense = dense if symmetric else dense.T
    trainer = prepared(corpus, symmetric=symmetric)
    W, C = (dense_table(trainer, name) for name in (WORDS, CONTEXTS))
    U, values, Vt = np.linalg.svd(dense)
    rank = trainer.params.dim
    best = (U[:, :rank] * values[:rank]) @ Vt[:rank]
    error, least = (np.linalg.norm(dense - product) for product in (W @ C.T, best))
    assert least <= error < 1.01 * least
    for side in (W, C):
        np.testing.assert_allclose(np.linalg.norm(side[:, 0]) ** 2, values[0], rtol=1e-4)


def least_squares(trainer: GloVeTrainer, counts: np.ndarray) -> tuple[np.ndarray, float]:
    """Biases of words and contexts, and the mean loss, by a dense solver."""
    params, size = trainer.params, len(counts)
    rows, columns = np.nonzero(counts)
    X = counts[rows, columns]
    W, C = (dense_table(trainer, name) for name in (WORDS, CONTEXTS))
    weights = glove_weight(X, params.x_max, params.alpha)
    design = np.zeros((len(X), 2 * size))
    design[np.arange(len(X)), rows] = design[np.arange(len(X)), size + columns] = np.sqrt(weights)
    rest = np.log(X) - np.einsum("nd,nd->n", W[rows], C[columns])
    solution = np.linalg.lstsq(design, np.sqrt(weights) * rest, rcond=None)[0]
    errors = rest - solution[rows] - solution[size + columns]
    return solution, float(np.mean(weights * errors**2) / 2)


def test_biases_minimise_the_objective(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = markov_corpus(3000, words=40)
    counts = counts_of(corpus).toarray()
    solution, least = least_squares(prepared(corpus), counts)
    assert least <= loss(prepared(corpus)) < 1.01 * least
    monkeypatch.setattr(glove_start, "_TURNS", 200)
    monkeypatch.setattr(glove_start, "_CELLS", 100)
    trainer = prepared(corpus, threads=2)
    np.testing.assert_allclose(loss(trainer), least, rtol=1e-5)
    both = np.concatenate(
        [dense_table(trainer, f"{side}_bias")[:, 0] for side in ("word", "context")]
    )
    # A number can move from all biases of one side to those of the other.
    for part in (slice(40), slice(40, 80)):
        moved = both[part] - solution[part]
        np.testing.assert_allclose(moved, moved.mean(), atol=1e-3)


def test_sums_of_biases_are_those_of_a_pass_without_steps(corpus: Corpus) -> None:
    trainer = prepared(corpus)
    counts = counts_of(corpus).toarray()
    W, C = (dense_table(trainer, name) for name in (WORDS, CONTEXTS))
    (b, of_b), (c, of_c) = (dense_table(trainer, f"{side}_bias").T for side in ("word", "context"))
    with np.errstate(divide="ignore"):
        errors = np.where(counts > 0, np.log(counts) - W @ C.T - b[:, None] - c, 0)
    squares = (glove_weight(counts, 20.0, 0.75) * errors) ** 2
    np.testing.assert_allclose(of_b, 1 + squares.sum(axis=1), rtol=1e-4)
    np.testing.assert_allclose(of_c, 1 + squares.sum(axis=0), rtol=1e-4)
    for name in ("word_sums", "context_sums"):
        np.testing.assert_array_equal(trainer.tables[name], 1)


def test_training_starts_below_the_loss_of_random_vectors(corpus: Corpus) -> None:
    assert loss(prepared(corpus)) < 0.7 * loss(prepared(corpus, start="random"))


def test_equal_seeds_give_equal_bytes_with_any_number_of_threads(corpus: Corpus) -> None:
    assert fit(corpus).vectors.tobytes() == fit(corpus).vectors.tobytes()
    assert fit(corpus).vectors.tobytes() != fit(corpus, seed=2).vectors.tobytes()
    one, three = prepared(corpus), prepared(corpus, threads=3)
    for name, table in one.tables.items():
        assert table.tobytes() == three.tables[name].tobytes()


def test_random_vectors_are_those_without_a_start(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = fit(corpus, start="random")
    monkeypatch.setattr(GloVeTrainer, "set_start", lambda *_: None)
    assert fit(corpus).vectors.tobytes() == random.vectors.tobytes()


def test_continued_training_equals_an_uninterrupted_one(corpus: Corpus) -> None:
    further = fit(corpus, fit(corpus, epochs=1), epochs=1)
    assert further.vectors.tobytes() == fit(corpus).vectors.tobytes()


def test_shards_give_the_start_of_a_matrix_in_memory(corpus: Corpus, tmp_path: Path) -> None:
    counting = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 1.0}
    folder = tmp_path / "counts"
    write_shards(folder, shard_csr(counts_of(corpus), 3000), corpus.vocabulary(), counting)
    # Biases are summed in the order of cells, which differs.
    shards, held = (
        fit(text, learning_rate=0.0, epochs=1) for text in (open_counts(folder), corpus)
    )
    np.testing.assert_allclose(shards.vectors, held.vectors, atol=2e-3)


def test_dimensions_beyond_the_rank_stay_random() -> None:
    corpus = make_corpus([["a", "b", "c"]] * 2)
    counted, random = prepared(corpus), prepared(corpus, start="random")
    np.testing.assert_array_equal(counted.tables[WORDS][:, 3:], random.tables[WORDS][:, 3:])
    assert np.isfinite(fit(corpus).vectors).all()


@pytest.mark.parametrize("text", ["aaaa", "ababab"])
@pytest.mark.parametrize("dim", [1, 2, 12])
def test_few_words_and_dimensions(text: str, dim: int) -> None:
    assert np.isfinite(fit(make_corpus([text]), dim=dim).vectors).all()


def test_it_can_be_cancelled(corpus: Corpus) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        pmi_start.start_factors(Held(counts_of(corpus)), 5, settings(), run)


def test_presets_of_the_program_start_at_random() -> None:
    assert GloVeParams().start == "random"
    for preset in GloVe.presets:
        assert preset.values.get("start", "random") == "random"


def test_its_cost_is_part_of_the_estimate(corpus: Corpus) -> None:
    counted, random = (
        GloVe(settings(start=start)).estimate(corpus) for start in ("counts", "random")
    )
    assert counted.seconds is not None
    assert random.seconds is not None
    assert counted.seconds > random.seconds
    assert counted.memory_bytes >= random.memory_bytes


def test_its_kernels_are_compiled_before_training() -> None:
    assert kernels_of("glove", settings()) == ("glove", "cell-start")
    assert kernels_of("glove", settings(start="random")) == ("glove",)
    assert kernels_of("sgns", SGNSParams(start="counts")) == ("sgns", "start")
