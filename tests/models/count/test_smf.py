"""Stochastic matrix factorisation, compared with plain steps with numeric gradients, and what it
converges to.
"""

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_smf
from reference.naive_association import naive_association
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Vocabulary
from workbench.counts.association import associate
from workbench.counts.cell_source import Held
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.sampling import alias_table, noise_distribution
from workbench.models.checkpointing import ResumeState
from workbench.models.count import smf
from workbench.models.count.cell_layout import arrange_cells
from workbench.models.count.cell_trainer import visit_of
from workbench.models.count.smf import (
    SMF,
    Draws,
    SMFParams,
    Steps,
    Zeros,
    first_tables,
    visit_chunks,
)


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(60_000)


def params(**values):
    return SMFParams.from_mapping(
        {"min_count": 1, "threads": 1, "window": 2, "context_smoothing": 1.0, **values}
    )


def fit(corpus, **values):
    run = JobControl()
    return SMF(params(**values)).fit(corpus, run), run


def weighing(counts, **values):
    """The function that gives weights and targets of cells of the matrix for these counts."""
    vocabulary = Vocabulary([""] * counts.shape[0], np.ones(counts.shape[0], np.int64))
    trainer = SMF(params(**values)).trainer(vocabulary, ResumeState())
    trainer.measure(Held(counts))
    return trainer.weight_and_target


def tables(corpus, shift=1.0, alpha=1.0):
    counts = cooccurrence(corpus, corpus.vocabulary(1), 2, "dynamic", threads=1).toarray()
    return counts, naive_association(counts, "sppmi", shift, alpha)


@pytest.mark.parametrize(("negative", "l2", "dim"), [(0, 0.0, 3), (3, 0.1, 5), (6, 0.02, 18)])
def test_one_pass_equals_plain_steps_with_numeric_gradients(negative, l2, dim):
    corpus = markov_corpus(600, words=15)
    vocabulary = corpus.vocabulary(1)
    counts = cooccurrence(corpus, vocabulary, 2, "dynamic", threads=1)
    matrix = associate(counts, "sppmi")
    cells = arrange_cells(Held(matrix), weighing(counts, x_max=20.0), 6, 7, 1, JobControl()).cells
    noise = alias_table(noise_distribution(vocabulary.counts, 0.75))
    zeros = Zeros(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), noise)
    W, C = first_tables(len(vocabulary), dim, 5)
    naive_w, naive_c = W[:, :dim].astype(np.float64), C[:, :dim].astype(np.float64)
    order = np.random.default_rng(4).permutation(len(cells.chunks) - 1)
    visit, draws = visit_of(order), Draws(np.full(8, 77, np.uint64), np.zeros(6, np.int32))
    visit_chunks(cells, visit, zeros, W, C, Steps(negative, l2, 0.1), draws)
    cell_list = [
        (
            int(cells.rows[i]),
            int(cells.columns[i]),
            float(cells.weights[i]),
            float(cells.targets[i]),
        )
        for number in order
        for i in range(cells.chunks[number], cells.chunks[number + 1])
    ]
    loss, steps = naive_smf.train(
        cell_list,
        matrix.toarray(),
        naive_w,
        naive_c,
        noise.threshold,
        noise.alias,
        negative,
        l2,
        0.1,
        77,
    )
    assert visit.terms.sum() == steps
    assert (steps > matrix.nnz) == (negative > 0)
    assert steps < matrix.nnz * (1 + negative) or negative == 0
    assert visit.losses.sum() == pytest.approx(loss, rel=1e-5)
    np.testing.assert_allclose(W[:, :dim], naive_w, atol=2e-5)
    np.testing.assert_allclose(C[:, :dim], naive_c, atol=2e-5)


def test_weights_and_targets_are_those_of_the_counts(chain):
    counts, sppmi = tables(chain, 2.0, 0.75)
    sparse = cooccurrence(chain, chain.vocabulary(1), 2, "dynamic", threads=1)
    weigh = weighing(sparse, shift=2.0, context_smoothing=0.75, x_max=50.0, alpha=0.5)
    matrix = associate(sparse, "sppmi", 2.0, 0.75)
    cells = arrange_cells(Held(matrix), weigh, 9, 100, 1, JobControl()).cells
    assert len(cells.rows) == (sppmi > 0).sum()
    np.testing.assert_allclose(cells.targets, sppmi[cells.rows, cells.columns], rtol=1e-5)
    weights = np.minimum(1, np.sqrt(counts[cells.rows, cells.columns] / 50))
    np.testing.assert_allclose(cells.weights, weights, rtol=1e-4)


@pytest.mark.parametrize("weighting", ["constant", "glove"])
def test_at_full_rank_it_reproduces_the_matrix(chain, weighting):
    embeddings, run = fit(
        chain,
        dim=48,
        weighting=weighting,
        negative=3,
        ns_exponent=0.0,
        l2=0.0,
        epochs=400,
        shift=1.5,
        learning_rate=0.4,
    )
    _, sppmi = tables(chain, 1.5)
    product = embeddings.vectors @ embeddings.contexts.T
    assert 0.1 < (sppmi > 0).mean() < 0.9
    assert np.abs(product - sppmi).mean() < 0.01
    assert run.trace.loss[-1] < 1e-3


def test_negative_cells_pull_products_to_0(chain):
    _, sppmi = tables(chain)
    sizes = []
    for negative in (0, 5):
        embeddings, _ = fit(chain, dim=6, negative=negative, epochs=200, ns_exponent=0.0)
        sizes.append(np.abs(embeddings.vectors @ embeddings.contexts.T)[sppmi == 0].mean())
    assert sizes[1] < 0.5 * sizes[0]


def test_l2_shortens_vectors(chain):
    lengths = [
        np.linalg.norm(fit(chain, dim=6, l2=l2, epochs=100)[0].vectors) for l2 in (0.0, 0.02, 0.2)
    ]
    assert lengths[0] > lengths[1] > lengths[2]


def test_two_threads_reach_the_same_loss(chain):
    _, one = fit(chain, dim=8, epochs=200)
    _, two = fit(chain, dim=8, epochs=200, threads=2)
    assert two.trace.loss[-20:].mean() == pytest.approx(one.trace.loss[-20:].mean(), rel=0.1)


def test_divergence_is_one_sentence(chain):
    with pytest.raises(UserError, match="diverged") as error:
        fit(chain, dim=20, learning_rate=50.0, epochs=50)
    assert "learning_rate" in error.value.hint


def test_no_pair_above_chance():
    with pytest.raises(UserError, match="chance"):
        fit(make_corpus([["a", "a", "a"]]))


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 6, "window": 2, "epochs": 3, "negative": 2, "sample": 0.1}
    here = assert_same_uncompiled("smf", values, tmp_path, 1e-5)
    assert np.abs(here[1]).max() > 0


def test_continued_training_draws_other_cells(monkeypatch):
    corpus, draws = markov_corpus(600, words=15), []

    def spy(*arguments):
        # State of the thread’s random numbers; evaluations of the loss draw from it, too.
        draws.append(int(arguments[6].state[0]))
        return visit_chunks(*arguments)

    SMF.warm()
    monkeypatch.setattr(SMF, "warm", lambda _: None)
    monkeypatch.setattr(smf, "visit_chunks", spy)

    def first_draw(start=None, seed=1):
        draws.clear()
        embeddings = SMF(params(dim=3, epochs=1, seed=seed), start).fit(corpus, JobControl())
        return draws[0], embeddings

    one, embeddings = first_draw()
    again, _ = first_draw()
    two, further = first_draw(embeddings)
    three, _ = first_draw(further)
    other, _ = first_draw(seed=2)
    assert one == again
    assert len({one, two, three, other}) == 4
