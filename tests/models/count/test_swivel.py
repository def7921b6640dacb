"""Swivel: submatrices compared with plain numeric-gradient steps, and what it converges to."""

from itertools import product

import numpy as np
import pytest
import scipy.optimize
from corpora import make_corpus, markov_corpus
from reference import naive_swivel
from reference.naive_association import naive_association
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.cell_source import Held
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.checkpointing import Checkpointer
from workbench.models.count.swivel import Swivel, SwivelParams, _Training, stripe_count
from workbench.models.kernels.gemm import aligned_rows

TEXT = "the cat saw a dog and the dog saw the cat under a tree by an old house"


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(60_000)


def params(**values):
    return SwivelParams.from_mapping({"min_count": 1, "threads": 1, "window": 1, **values})


def fit(corpus, **values):
    run = JobControl()
    return Swivel(params(**values)).fit(corpus, run), run


def test_words_are_dealt_out_by_frequency(chain):
    assert stripe_count(37_000, 1024) == 37
    assert stripe_count(3, 1024) == 3
    assert stripe_count(40, 1024) == 5
    counts = cooccurrence(chain, chain.vocabulary(1), 1, "harmonic", threads=1)
    training = _Training(
        Held(counts), chain.vocabulary(1), params(submatrix=10, epochs=100), JobControl()
    )
    parts = [
        training.order[a:b].tolist()
        for a, b in zip(training.edges[:-1], training.edges[1:], strict=True)
    ]
    assert parts == [list(range(start, 40, 5)) for start in range(5)]
    table = np.zeros((40, 40))
    for i, j in product(range(5), repeat=2):
        shard = training.shard(i, j)
        rows, columns = np.array(parts[i])[shard.rows], np.array(parts[j])[shard.columns]
        np.add.at(table, (rows, columns), np.exp(shard.logs))
    np.testing.assert_allclose(table, counts.toarray(), rtol=1e-6)


@pytest.mark.parametrize(
    ("base", "scale", "exponent", "dim"),
    [(0.1, 0.25, 0.5, 3), (0.0, 1.0, 0.5, 5), (1.0, 0.5, 1.0, 2)],
)
def test_steps_equal_plain_ones_with_numeric_gradients(base, scale, exponent, dim):
    corpus = make_corpus([TEXT.split()] * 2)
    vocabulary = corpus.vocabulary(1)
    counts = cooccurrence(corpus, vocabulary, 2, "dynamic", threads=1)
    assert counts.nnz < len(vocabulary) ** 2
    training = _Training(
        Held(counts),
        vocabulary,
        params(
            dim=dim,
            submatrix=5,
            epochs=100,
            learning_rate=0.3,
            confidence_base=base,
            confidence_scale=scale,
            confidence_exponent=exponent,
        ),
        JobControl(),
    )
    place = np.argsort(training.order)
    W, C = (side[place, :dim].astype(np.float64) for side in training.sides)
    sums_w, sums_c = np.full_like(W, 1e-4), np.full_like(C, 1e-4)
    dense = counts.toarray()
    Z = aligned_rows(5, 5)
    for i, j in [(0, 1), (1, 1), (2, 0), (0, 1)]:
        rows, columns = (
            training.order[training.edges[s] : training.edges[s + 1]].tolist() for s in (i, j)
        )

        def objective(rows=rows, columns=columns):
            return naive_swivel.loss(W, C, dense, rows, columns, base, scale, exponent)

        assert training.step(i, j, Z) == pytest.approx(objective(), rel=1e-5)
        naive_swivel.step(W, C, sums_w, sums_c, rows, columns, 0.3, objective)
    np.testing.assert_allclose(training.sides[0][place, :dim], W, atol=2e-5)
    np.testing.assert_allclose(training.sides[1][place, :dim], C, atol=2e-5)


def test_at_full_rank_seen_pairs_have_their_pmi_and_unseen_ones_less_than_one_cooccurrence():
    corpus = markov_corpus(3000)
    counts = cooccurrence(corpus, corpus.vocabulary(1), 1, "harmonic", threads=1).toarray()
    seen = counts > 0
    pmi = naive_association(counts, "pmi")
    apart = []
    for epochs in (400, 1500):
        embeddings, _ = fit(corpus, dim=48, epochs=epochs, learning_rate=0.3, result="w")
        product = embeddings.vectors @ embeddings.contexts.T
        apart.append(np.abs(product - pmi)[seen].mean())
    # What remains is due to the shrinking steps of AdaGrad.
    assert apart[1] < 0.05
    assert apart[1] < 0.6 * apart[0]
    assert np.corrcoef(product[seen], pmi[seen])[0, 1] > 0.99
    once = np.log(counts.sum() / np.outer(counts.sum(1), counts.sum(0)))
    assert (~seen).sum() > 100
    assert (product < once)[~seen].mean() > 0.98


def test_with_few_dimensions_it_is_as_good_as_l_bfgs():
    corpus = markov_corpus(3000, words=15)
    vocabulary = corpus.vocabulary(1)
    counts = cooccurrence(corpus, vocabulary, 1, "harmonic", threads=1).toarray()
    everything = range(len(vocabulary))

    def objective(flat):
        W, C = flat.reshape(2, len(vocabulary), 2)
        return naive_swivel.loss(W, C, counts, everything, everything, 0.1, 0.25, 0.5)

    embeddings, run = fit(corpus, dim=2, epochs=1000, learning_rate=0.1, result="w")
    solution = np.stack([embeddings.vectors, embeddings.contexts]).astype(np.float64)
    best = scipy.optimize.minimize(
        objective, solution.ravel(), method="L-BFGS-B", options={"maxiter": 15}
    )
    assert objective(solution.ravel()) < 1.03 * best.fun
    assert run.trace.loss[-1] * len(vocabulary) ** 2 == pytest.approx(
        objective(solution.ravel()), rel=0.01
    )


def test_results(chain):
    word, _ = fit(chain, dim=8, result="w")
    both, _ = fit(chain, dim=8)
    np.testing.assert_array_equal(both.vectors, word.vectors + word.contexts)
    np.testing.assert_array_equal(both.inputs, word.vectors)
    np.testing.assert_array_equal(both.contexts, word.contexts)


def test_two_threads_reach_the_same_loss(chain):
    _, one = fit(chain, dim=8, epochs=100, submatrix=5)
    _, two = fit(chain, dim=8, epochs=100, submatrix=5, threads=2)
    assert two.trace.loss[-20:].mean() == pytest.approx(one.trace.loss[-20:].mean(), rel=0.05)


def test_divergence_is_one_sentence(chain, monkeypatch):
    monkeypatch.setattr(_Training, "step", lambda *_, **__: np.nan)
    with pytest.raises(UserError, match="diverged") as error:
        fit(chain, dim=3, learning_rate=7.0)
    assert "now 7" in error.value.hint


def test_no_pairs_of_words():
    with pytest.raises(UserError, match="No words"):
        fit(make_corpus([["a"], ["b"]]))


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 6, "window": 2, "epochs": 3, "submatrix": 2, "result": "w"}
    here = assert_same_uncompiled("swivel", values, tmp_path, 1e-5)
    assert np.abs(here[1]).max() > 0


def test_evaluations_before_and_after_training_are_the_objective(monkeypatch):
    """Losses that are reported without a step are compared with the table cell by cell."""
    corpus = make_corpus([TEXT.split()] * 2)
    vocabulary = corpus.vocabulary(1)
    counts = cooccurrence(corpus, vocabulary, 2, "dynamic", threads=1)
    dense = counts.toarray()
    values = {
        "dim": 4,
        "window": 2,
        "submatrix": 3,
        "epochs": 2,
        "window_weighting": "dynamic",
        "result": "w",
    }
    reference = _Training(Held(counts), vocabulary, params(**values), JobControl())
    place = np.argsort(reference.order)
    W, C = (side[place, :4].astype(np.float64) for side in reference.sides)
    looks, losses = [], []
    step, begins = _Training.step, Checkpointer.set_initial_loss

    def spy(training, i, j, Z, moving=True):
        if not moving and not losses:
            looks.append((i, j))
        return step(training, i, j, Z, moving)

    def note_loss(keeper, loss, certain=False):
        losses.append(loss)
        for before, now in zip(
            (*reference.sides, *reference.sums), (*training.sides, *training.sums), strict=True
        ):
            np.testing.assert_array_equal(now, before)
        begins(keeper, loss, certain)

    monkeypatch.setattr(_Training, "step", spy)
    monkeypatch.setattr(Checkpointer, "set_initial_loss", note_loss)
    run, training = (
        JobControl(),
        _Training(Held(counts), vocabulary, params(**values), JobControl()),
    )
    embeddings = training.train(run)
    across = len(training.edges) - 1
    assert sorted(i for i, _ in looks) == sorted(j for _, j in looks) == list(range(across))
    parts = [
        training.order[a:b].tolist()
        for a, b in zip(training.edges[:-1], training.edges[1:], strict=True)
    ]
    first = sum(
        naive_swivel.loss(W, C, dense, parts[i], parts[j], 0.1, 0.25, 0.5) for i, j in looks
    )
    assert losses == [
        pytest.approx(first / sum(len(parts[i]) * len(parts[j]) for i, j in looks), rel=1e-5)
    ]
    everything = range(len(vocabulary))
    last = naive_swivel.loss(
        embeddings.vectors.astype(np.float64),
        embeddings.contexts.astype(np.float64),
        dense,
        everything,
        everything,
        0.1,
        0.25,
        0.5,
    )
    assert run.final.value == pytest.approx(last / len(vocabulary) ** 2, rel=1e-5)
    assert run.final.value < losses[0]
