"""Models whose contexts have a vocabulary of their own, against dense formulas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.pair_files import open_pairs
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import params_for
from workbench.session.training.train_api import train_on, train_run
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

SHAPES = {"wide": (7, 19), "tall": (19, 7), "square": (9, 9)}


def some_pairs(folder: Path, rows: int, columns: int) -> CountedCorpus:
    """Counts of pairs in a file, some of which are 0."""
    random = np.random.default_rng(rows)
    table = random.poisson(2.0, (rows, columns))
    table[:, 0] += 1
    table[0] += 1
    path = folder / "pairs.tsv"
    lines = [f"w{row}\tc{column}/obj\t{count}\n" for (row, column), count in np.ndenumerate(table)]
    path.write_text("".join(lines), "utf-8")
    return open_pairs(path)


def dense(corpus: CountedCorpus) -> np.ndarray:
    return np.asarray(corpus.shards.to_csr().toarray())


def trained(corpus: CountedCorpus, algorithm: str, **values: Any) -> Embeddings:
    kind = MODELS[algorithm]
    params = params_for(corpus, kind, {"min_count": 1, "threads": 1, **values})
    return train_run(corpus, algorithm, params, JobControl())


def smoothed_pmi(counts: np.ndarray, power: float, shift: float) -> np.ndarray:
    chance = counts.sum(axis=0) ** power
    chance = chance / chance.sum()
    share = counts / counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(share / chance) - np.log(shift), 0.0)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_ppmi_is_the_dense_formula(shape: tuple[int, int], tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, *shape)

    found = trained(corpus, "ppmi", context_smoothing=0.75, shift=1.2)

    assert found.own_contexts is not None
    assert found.contexts is None
    assert list(found.own_contexts.words) == list(corpus.own_contexts or ())
    wanted = smoothed_pmi(dense(corpus), 0.75, 1.2)
    np.testing.assert_allclose(found.vectors.toarray(), wanted, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_svd_is_the_best_approximation(shape: tuple[int, int], tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, *shape)

    found = trained(corpus, "svd", dim=4, eig=0.3, shift=1.0, context_smoothing=1.0)

    assert found.own_contexts is not None
    assert found.own_contexts.vectors is not None
    left, values, right = np.linalg.svd(smoothed_pmi(dense(corpus), 1.0, 1.0))
    wanted = (left[:, :4] * values[:4]) @ right[:4]
    product = found.inputs @ found.own_contexts.vectors.T
    np.testing.assert_allclose(product, wanted, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=0), values[:4] ** 0.3, rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_glove_reproduces_the_logarithms(shape: tuple[int, int], tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, *shape)

    found = trained(corpus, "glove", dim=20, epochs=600, learning_rate=0.5, x_max=1.0)

    own = found.own_contexts
    assert own is not None
    assert own.vectors is not None
    assert own.biases is not None
    assert found.biases is not None
    assert found.context_biases is None
    product = found.inputs @ own.vectors.T + found.biases[:, None] + own.biases
    counts = dense(corpus)
    np.testing.assert_allclose(product[counts > 0], np.log(counts[counts > 0]), atol=0.1)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("dim", [3, 20])
def test_sgns_reaches_the_minimum_over_all_pairs(
    shape: tuple[int, int], dim: int, tmp_path: Path
) -> None:
    corpus = some_pairs(tmp_path, *shape)
    counts = dense(corpus)
    rows, columns = counts.shape
    noise = counts.sum(axis=0) ** 0.75
    chance = 2 * np.outer(counts.sum(axis=1), noise / noise.sum())

    def loss(W: np.ndarray, C: np.ndarray) -> float:
        x = W @ C.T
        return float((counts * np.logaddexp(0, -x) + chance * np.logaddexp(0, x)).sum())

    def both(flat: np.ndarray) -> tuple[float, np.ndarray]:
        W, C = flat[: rows * dim].reshape(rows, dim), flat[rows * dim :].reshape(columns, dim)
        slope = (counts + chance) * expit(W @ C.T) - counts
        return loss(W, C), np.concatenate(((slope @ C).ravel(), (slope.T @ W).ravel()))

    found = trained(
        corpus,
        "sgns-mf",
        dim=dim,
        negative=2,
        ns_exponent=0.75,
        l2=0.0,
        tolerance=1e-9,
        iterations=120,
    )

    assert found.own_contexts is not None
    assert found.own_contexts.vectors is not None
    assert found.own_contexts.vectors.shape == (columns, dim)
    starts = np.random.default_rng(1).normal(0, 0.3, (3, (rows + columns) * dim))
    least = min(
        optimize.minimize(both, start, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).fun
        for start in starts
    )
    reached = loss(np.asarray(found.inputs, float), found.own_contexts.vectors.astype(float))
    assert reached <= least * 1.01


@pytest.mark.parametrize("algorithm", ["glove", "sgns-mf"])
def test_a_training_continues(algorithm: str, tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, 7, 19)
    more = {"iterations": 20, "optimiser": "Adam"} if algorithm == "sgns-mf" else {"epochs": 4}
    path = tmp_path / "run.npz"
    save_vectors(trained(corpus, algorithm, dim=3, **more), path)

    found = train_on(load_vectors(path), corpus, 20)

    assert found.own_contexts is not None
    assert len(found.own_contexts) == 19


def test_a_training_continues_only_with_its_contexts(tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, 7, 19)
    found = trained(corpus, "glove", dim=3, epochs=2)
    other = tmp_path / "other.tsv"
    text = (tmp_path / "pairs.tsv").read_text("utf-8").replace("/obj", "/subj")
    other.write_text(text, "utf-8")
    kind = MODELS["glove"]

    with pytest.raises(UserError, match="contexts"):
        kind(kind.params_type.from_mapping({"dim": 3, "min_count": 1, "result": "w"}), found).fit(
            open_pairs(other), JobControl()
        )


@pytest.mark.parametrize("algorithm", ["ppmi", "svd", "glove"])
def test_contexts_come_back_from_a_file(algorithm: str, tmp_path: Path) -> None:
    found = trained(
        some_pairs(tmp_path, 7, 19), algorithm, **({} if algorithm == "ppmi" else {"dim": 3})
    )
    path = tmp_path / "run.npz"

    save_vectors(found, path)
    again = load_vectors(path)

    assert found.own_contexts is not None
    assert again.own_contexts is not None
    assert list(again.own_contexts.words) == list(found.own_contexts.words)
    for name in ("vectors", "biases"):
        before, after = (getattr(each.own_contexts, name) for each in (found, again))
        if before is None:
            assert after is None
        else:
            np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("algorithm", ["swivel", "smf", "pmi-mf", "sgns"])
def test_other_algorithms_say_what_they_need(algorithm: str, tmp_path: Path) -> None:
    corpus = some_pairs(tmp_path, 7, 19)

    with pytest.raises(UserError, match="words with words|text itself"):
        params_for(corpus, MODELS[algorithm], {})


@pytest.mark.parametrize(
    ("algorithm", "values", "wrong"),
    [
        ("svd", {"sample": 1e-3}, "sample"),
        ("svd", {"result": "w+c"}, "result"),
        ("glove", {"result": "w", "symmetric": False}, "symmetric"),
        ("glove", {"result": "w", "start": "counts"}, "start"),
        ("glove", {}, "result"),
        ("sgns-mf", {}, "sample"),
    ],
)
def test_settings_that_exclude_sides(algorithm: str, values: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ParameterError) as caught:
        MODELS[algorithm].params_type.from_mapping({"contexts": "side", **values})

    assert wrong in caught.value.errors
