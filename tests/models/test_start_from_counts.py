"""The start from counts, compared with slow and obvious factorisations and sums."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import digamma

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence, window_weights
from workbench.counts.cooccurrence_kernel import Finished, pass_rows
from workbench.counts.expected_counts import effective_counts, target
from workbench.counts.huffman import huffman_tree
from workbench.counts.sampling import noise_distribution
from workbench.counts.temp_arrays import create_temp_array
from workbench.models import start_from_counts as start
from workbench.models import text_reading
from workbench.models.base import MODELS
from workbench.models.frequent_association import Association, expected_logarithm
from workbench.models.predict.cbow import CBOW, CBOWParams
from workbench.models.predict.hierarchical_softmax import node_start
from workbench.models.predict.sgns import SGNS, SGNSParams, SgnsTrainer
from workbench.models.randomised_svd import Factors, Parts, factorise
from workbench.models.text_reading import (
    count_frequent,
    draw_pairs,
    read_text,
    readings_of,
    word_sums,
)
from workbench.vectors.embeddings import Embeddings

SETTINGS: dict[str, Any] = {
    "dim": 24,
    "window": 3,
    "min_count": 1,
    "sample": 1e-2,
    "ns_exponent": 0.6,
    "negative": 3,
    "threads": 1,
    "start": "counts",
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Words of 30 topics, some words far rarer than others, in sentences of 12."""
    draws = np.random.default_rng(5)
    size, topics = 400, 30
    weight = 1 / np.arange(1, size + 1)
    rows = []
    for topic in draws.integers(topics, size=3000):
        chance = weight * np.where(np.arange(size) % topics == topic, 20.0, 1.0)
        rows.append(draws.choice(size, 12, p=chance / chance.sum()))
    tokens = np.concatenate(rows)
    found, ids, counts = np.unique(tokens, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    words = tuple(f"w{found[number]}" for number in order)
    sentences = np.arange(0, len(tokens) + 1, 12)
    return Corpus("topics", place[ids].astype(np.int32), sentences, words, counts[order], "topics")


def reading_of(corpus: Corpus, params: SGNSParams) -> tuple[Corpus, np.ndarray]:
    """The reading that the start of a training makes, and its counts, dense."""
    draws, vocabulary = np.random.default_rng([params.seed, 1]), corpus.vocabulary()
    text = read_text(corpus, vocabulary, params, draws, JobControl())
    weighting = params.window_weighting
    return text, cooccurrence(text, vocabulary, params.window, weighting, threads=1).toarray()


def dense_association(corpus: Corpus, params: SGNSParams, frequent: int = 400) -> np.ndarray:
    counts = reading_of(corpus, params)[1]
    noise = noise_distribution(corpus.counts, params.ns_exponent)
    # A text as short as this one is read four times.
    weights, divisor = window_weights(params.window, params.window_weighting)
    unit = weights.mean() / divisor * (4 if params.sample else 1)
    with np.errstate(divide="ignore"):
        logarithms = np.log(counts)
        both = np.ix_(range(frequent), range(frequent))
        seen = counts[both] > 0
        logarithms[both] = np.where(
            seen, digamma(np.where(seen, counts[both], 1) / unit) + np.log(unit), -np.inf
        )
        pmi = logarithms - np.log(counts.sum(axis=1, keepdims=True)) - np.log(noise)
    return np.maximum(pmi, 0)


def parts_of(dense: np.ndarray, frequent: int) -> Parts:
    first = slice(frequent)
    others = slice(frequent, None)
    return Parts(
        *(
            sp.csr_matrix(part.astype(np.float32))
            for part in (
                dense[first, first],
                dense[first, first].T,
                dense[others, first],
                dense[first, others].T,
            )
        )
    )


def fit(corpus: Corpus, **changes: Any) -> Embeddings:
    params = SGNSParams(**{**SETTINGS, **changes})
    return SGNS(params).fit(corpus, JobControl())


def started(corpus: Corpus, **changes: Any) -> Embeddings:
    """Vectors before the first step: a training with learning rate 0 doesn't move them."""
    return fit(corpus, learning_rate=0.0, epochs=1, **changes)


def count_in_blocks(monkeypatch: pytest.MonkeyPatch, tokens: int) -> None:
    """Let texts be counted in blocks of so many tokens, and in stretches of few rows."""
    monkeypatch.setattr(text_reading, "_PIECE", 4000)
    monkeypatch.setattr(text_reading, "block_count", lambda text: -(-text.tokens // tokens))
    monkeypatch.setattr(text_reading, "pass_rows", partial(pass_rows, block_tokens=tokens))


@pytest.mark.parametrize("sample", [0.0, 1e-2])
@pytest.mark.parametrize("weighting", ["dynamic", "harmonic"])
@pytest.mark.parametrize(("frequent", "blocks"), [(90, 1), (400, 1), (90, 3)])
def test_the_matrix_is_the_association_in_a_reading(
    corpus: Corpus,
    sample: float,
    weighting: str,
    frequent: int,
    blocks: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    params = SGNSParams(**{**SETTINGS, "sample": sample, "window_weighting": weighting})
    vocabulary, run = corpus.vocabulary(), JobControl()
    text, dense = reading_of(corpus, params)
    sums = word_sums(text, vocabulary, params, run)
    np.testing.assert_allclose(sums, dense.sum(axis=1))
    noise = noise_distribution(vocabulary.counts, params.ns_exponent)
    weights, divisor = window_weights(params.window, weighting)
    unit = readings_of(corpus, params) * weights.mean()
    counted = Association(sums, noise, frequent, unit, divisor)
    if blocks > 1:
        count_in_blocks(monkeypatch, -(-text.tokens // blocks))
    firsts: list[int] = []

    def take(rows: Finished) -> None:
        cells = np.repeat(np.arange(len(rows.sizes)), rows.sizes)
        found = sp.csr_matrix((rows.values, (cells, rows.columns)), (len(rows.sizes), len(dense)))
        np.testing.assert_allclose(
            found.toarray()[: frequent - rows.first] / divisor,
            np.where(np.diff(found.indptr)[:, None] > 0, dense[rows.first :][: len(rows.sizes)], 0)[
                : frequent - rows.first
            ],
        )
        firsts.extend((rows.first + np.flatnonzero(rows.sizes)).tolist())
        counted.take(rows)

    count_frequent(text, vocabulary, frequent, params, take, run, threads=2)
    assert sorted(firsts) == [row for row in range(frequent) if dense[row].any()]
    parts = counted.parts()
    wanted = parts_of(dense_association(corpus, params, frequent), frequent)
    for part, other in zip(parts, wanted, strict=True):
        np.testing.assert_allclose(part.toarray(), other.toarray(), atol=1e-5)


@pytest.mark.parametrize("unit", [0.25, 1.0, 3.0])
def test_expected_logarithms_are_the_digamma_function(unit: float) -> None:
    for value in (0.05, 0.3, 1.0, 2.0, 17.5, 4096.0, 1e9):
        found = expected_logarithm(value, unit)
        np.testing.assert_allclose(found, digamma(value / unit) + np.log(unit), atol=2e-9)


def test_the_matrix_is_the_target_of_the_objective_without_subsampling(corpus: Corpus) -> None:
    params = SGNSParams(**{**SETTINGS, "sample": 0.0})
    vocabulary = corpus.vocabulary()
    counts = effective_counts(corpus, vocabulary, params, threads=1)
    shifted = target(counts, vocabulary, params.negative, params.ns_exponent).tocoo()
    dense = np.zeros(counts.shape)
    dense[shifted.row, shifted.col] = np.maximum(shifted.data + np.log(params.negative), 0)
    np.testing.assert_allclose(dense_association(corpus, params, 0), dense, atol=1e-9)


def test_readings_have_the_expected_counts(corpus: Corpus) -> None:
    params = SGNSParams(**SETTINGS)
    vocabulary, draws = corpus.vocabulary(), np.random.default_rng(3)
    expected = effective_counts(corpus, vocabulary, params, threads=1).toarray()
    total = np.zeros_like(expected)
    for _ in range(10):
        text = read_text(corpus, vocabulary, params, draws, JobControl())
        total += cooccurrence(text, vocabulary, params.window, threads=1).toarray()
    # A short text is read four times at once.
    total /= 40
    often = expected > 20
    assert often.sum() > 500
    error = (total[often] - expected[often]) / expected[often]
    assert abs(error.mean()) < 0.003
    assert np.abs(error).max() < 0.2


def test_a_reading_without_subsampling_is_the_text(corpus: Corpus) -> None:
    params = SGNSParams(**{**SETTINGS, "sample": 0.0})
    # Sentences 0 and 2 have no words of this vocabulary.
    small = replace(
        corpus,
        ids=np.array([7, 9, 0, 7, 2, 8, 1], np.int32),
        sentences=np.array([0, 2, 5, 6, 7]),
    )
    draws = np.random.default_rng(1)
    text = read_text(small, small.vocabulary(1, 5), params, draws, JobControl())
    assert text.ids.tolist() == [0, 2, 1]
    assert text.sentences.tolist() == [0, 2, 3]
    whole = read_text(corpus, corpus.vocabulary(), params, draws, JobControl())
    np.testing.assert_array_equal(whole.ids, corpus.ids)
    np.testing.assert_array_equal(whole.sentences, corpus.sentences)


def test_pairs_are_drawn_from_the_windows(corpus: Corpus) -> None:
    params = SGNSParams(**SETTINGS)
    text, dense = reading_of(corpus, params)
    noise = noise_distribution(corpus.counts, params.ns_exponent)
    pairs = draw_pairs(text, params, noise, np.random.default_rng(2))
    size = len(pairs.words)
    assert size > 10_000
    assert (dense[pairs.words, pairs.contexts] > 0).all()
    words = np.bincount(pairs.words, minlength=400) / size
    shares = dense.sum(axis=1) / dense.sum()
    np.testing.assert_allclose(words[:20], shares[:20], rtol=0.15)
    drawn = np.bincount(pairs.noise.ravel(), minlength=400) / pairs.noise.size
    np.testing.assert_allclose(drawn[:20], noise[:20], rtol=0.15)


def test_the_start_is_a_truncated_singular_value_decomposition(corpus: Corpus) -> None:
    params = SGNSParams(**SETTINGS)
    rank = params.dim - 1
    dense = dense_association(corpus, params)
    U, values, Vt = np.linalg.svd(dense)
    best = (U[:, :rank] * values[:rank]) @ Vt[:rank]
    vectors = started(corpus)
    W, C = (np.asarray(side, np.float64) for side in (vectors.inputs, vectors.contexts))
    # The sum of squares left over by the best product of this rank, and by this one.
    error, least = (np.linalg.norm(dense - product) for product in (W[:, :-1] @ C[:, :-1].T, best))
    assert least <= error < 1.01 * least
    np.testing.assert_allclose(np.linalg.norm(W[:, 0]), np.linalg.norm(C[:, 0]), rtol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(W[:, 0]) ** 2, values[0], rtol=1e-4)
    # The largest direction, which no other one is close to, is that of LAPACK, up to sign.
    shared = abs(float(U[:, 0] @ W[:, 0])) / np.linalg.norm(W[:, 0])
    np.testing.assert_allclose(shared, 1, atol=1e-5)


def test_a_matrix_of_low_rank_is_found_exactly() -> None:
    draws = np.random.default_rng(1)
    dense = np.abs(draws.standard_normal((60, 4))) @ np.abs(draws.standard_normal((4, 60)))
    found = factorise(parts_of(dense, 40), 10, draws, 1, JobControl())
    assert found.W.shape == (60, 4)
    # Pairs of words that are both folded in follow from the others.
    np.testing.assert_allclose(found.W @ found.C.T, dense, rtol=1e-3)


def test_other_words_are_least_squares_solutions(corpus: Corpus) -> None:
    dense = dense_association(corpus, SGNSParams(**SETTINGS))
    frequent = 90
    W, C = factorise(parts_of(dense, frequent), 20, np.random.default_rng(1), 2, JobControl())
    same = factorise(parts_of(dense, frequent), 20, np.random.default_rng(1), 1, JobControl())
    assert W.tobytes() + C.tobytes() == same.W.tobytes() + same.C.tobytes()
    rows = np.linalg.lstsq(C[:frequent], dense[frequent:, :frequent].T, rcond=None)[0].T
    columns = np.linalg.lstsq(W[:frequent], dense[:frequent, frequent:], rcond=None)[0].T
    np.testing.assert_allclose(W[frequent:], rows, atol=2e-3)
    np.testing.assert_allclose(C[frequent:], columns, atol=2e-3)


def test_the_constant_minimises_the_objective_over_all_cells(corpus: Corpus) -> None:
    params = SGNSParams(**SETTINGS)
    vocabulary = corpus.vocabulary()
    A = reading_of(corpus, params)[1]
    noise = noise_distribution(vocabulary.counts, params.ns_exponent)
    B = params.negative * A.sum(axis=1, keepdims=True) * noise
    vectors = started(corpus)
    W, C = (np.asarray(side, np.float64) for side in (vectors.inputs, vectors.contexts))
    product = W[:, :-1] @ C[:, :-1].T
    tried = np.linspace(-4, 1, 501)
    losses = [
        (A * np.logaddexp(0, -product - f) + B * np.logaddexp(0, product + f)).sum() for f in tried
    ]
    constant = W[:, -1] * C[:, -1]
    np.testing.assert_allclose(constant, constant[0], rtol=1e-5)
    assert abs(constant[0] - tried[int(np.argmin(losses))]) < 0.05


@pytest.mark.parametrize("rate", [0.01, 0.025, 0.1])
def test_contexts_take_as_much_of_the_constant_as_the_rate_permits(rate: float) -> None:
    found = Factors(np.ones((3, 2), np.float32), np.ones((3, 2), np.float32))
    W, C = np.zeros((2, 3, 4), np.float32)
    start.place(found, -2.0, SGNSParams(dim=4, learning_rate=rate), W, C)
    np.testing.assert_allclose(rate * C[:, 3] ** 2, 1, rtol=1e-6)
    np.testing.assert_allclose(W[:, 3] * C[:, 3], -2, rtol=1e-6)
    assert (W[:, 2] == 0).all()


def test_training_starts_below_the_loss_of_guessing(corpus: Corpus) -> None:
    def loss(**changes: Any) -> float:
        run = JobControl()
        SGNS(SGNSParams(**{**SETTINGS, "epochs": 1, **changes})).fit(corpus, run)
        assert run.final is not None
        return run.final.value

    still = loss(learning_rate=0.0)
    assert loss() < still < 0.8 * loss(start="random", learning_rate=0.0)


def test_equal_seeds_give_equal_bytes(corpus: Corpus) -> None:
    one, same, other = fit(corpus), fit(corpus), fit(corpus, seed=2)
    assert one.vectors.tobytes() == same.vectors.tobytes()
    assert one.vectors.tobytes() != other.vectors.tobytes()


def test_a_long_reading_is_on_disk(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    held = fit(corpus)
    sizes: list[int] = []

    def on_disk(size: int, dtype: Any) -> np.ndarray:
        sizes.append(size)
        return create_temp_array(size, dtype)

    monkeypatch.setattr(start, "create_temp_array", on_disk)
    monkeypatch.setattr(start, "_LONG", corpus.tokens - 1)
    count_in_blocks(monkeypatch, corpus.tokens)
    assert fit(corpus).vectors.tobytes() == held.vectors.tobytes()
    # A text that is as short as this is read four times.
    assert sizes == [4 * corpus.tokens]


def test_random_vectors_are_those_without_a_start(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = fit(corpus, start="random")
    monkeypatch.setattr(SgnsTrainer, "set_start", lambda *_: None)
    assert fit(corpus).vectors.tobytes() == random.vectors.tobytes()


def test_threads_dont_change_the_start(corpus: Corpus) -> None:
    one, three = started(corpus), started(corpus, threads=3)
    assert one.vectors.tobytes() == three.vectors.tobytes()


def test_continued_training_doesnt_start_again(corpus: Corpus) -> None:
    first = fit(corpus, epochs=1)
    params = SGNSParams(**{**SETTINGS, "learning_rate": 0.0, "epochs": 1})
    further = SGNS(params, first).fit(corpus, JobControl())
    np.testing.assert_array_equal(further.inputs, first.inputs)


def test_dimensions_beyond_the_rank_stay_random(corpus: Corpus) -> None:
    small = replace(
        corpus, ids=np.array([0, 1, 2, 0, 1, 2], np.int32), sentences=np.array([0, 3, 6])
    )
    small = replace(small, words=("a", "b", "c"), counts=np.array([2, 2, 2]))
    random = started(small, start="random", sample=0.0)
    counted = started(small, sample=0.0)
    np.testing.assert_array_equal(counted.inputs[:, 5:-1], random.inputs[:, 5:-1])
    assert np.isfinite(counted.inputs).all()


@pytest.mark.parametrize("hidden", ["mean", "sum"])
def test_cbow_starts_below_the_loss_of_guessing(corpus: Corpus, hidden: str) -> None:
    def loss(start: str) -> float:
        values = {**SETTINGS, "hidden": hidden, "start": start, "learning_rate": 0.0, "epochs": 1}
        run = JobControl()
        CBOW(CBOWParams(**values)).fit(corpus, run)
        assert run.final is not None
        return run.final.value

    assert loss("counts") < 0.8 * loss("random")


def test_a_sum_starts_with_the_products_of_a_mean(corpus: Corpus) -> None:
    values = {**SETTINGS, "window_weighting": "fixed", "learning_rate": 0.0, "epochs": 1}
    mean, sum_ = (
        CBOW(CBOWParams(**values, hidden=hidden)).fit(corpus, JobControl())
        for hidden in ("mean", "sum")
    )
    np.testing.assert_allclose(2 * 3 * np.asarray(sum_.inputs), mean.inputs, rtol=1e-5)
    np.testing.assert_array_equal(sum_.contexts, mean.contexts)


def test_a_node_is_the_difference_of_the_means_below_it() -> None:
    draws = np.random.default_rng(3)
    counts = np.sort(draws.integers(1, 500, 40))[::-1].copy()
    contexts = draws.standard_normal((40, 5)).astype(np.float32)
    tree = huffman_tree(counts)
    found = node_start(tree, counts, contexts)
    for node in range(tree.inner):
        below: list[list[int]] = [[], []]
        for word in range(40):
            nodes, codes = tree.path(word)
            for code in codes[nodes == node]:
                below[code].append(word)
        one, other = (np.average(contexts[words], axis=0, weights=counts[words]) for words in below)
        np.testing.assert_allclose(found[node], one - other, atol=1e-5)


@pytest.mark.parametrize("key", ["skipgram-hs", "cbow-hs"])
def test_a_tree_starts_below_the_loss_of_guessing(corpus: Corpus, key: str) -> None:
    kind = MODELS[key]

    def loss(start: str) -> float:
        known = {spec.name for spec in kind.params_type.specs()}
        values = {**SETTINGS, "start": start, "learning_rate": 0.0, "epochs": 1}
        run = JobControl()
        params = kind.params_type.from_mapping({n: v for n, v in values.items() if n in known})
        kind(params).fit(corpus, run)
        assert run.final is not None
        return run.final.value

    assert loss("counts") < 0.99 * loss("random")


@pytest.mark.parametrize("dim", [1, 2])
def test_few_dimensions(corpus: Corpus, dim: int) -> None:
    assert np.isfinite(fit(corpus, dim=dim, epochs=1).vectors).all()


def test_it_can_be_cancelled(corpus: Corpus) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        SGNS(SGNSParams(**SETTINGS)).fit(corpus, run)


@pytest.mark.parametrize("kind", [SGNS, CBOW], ids=lambda kind: kind.key)
def test_presets_of_the_programs_start_at_random(kind: type[SGNS] | type[CBOW]) -> None:
    for preset in kind.presets:
        if preset.name != "classroom":
            assert preset.values.get("start", "random") == "random"
    assert kind.params_type().to_dict()["start"] == "random"


def test_its_cost_is_part_of_the_estimate(corpus: Corpus) -> None:
    def estimate(**changes: Any) -> tuple[float, int]:
        found = SGNS(SGNSParams(**{**SETTINGS, **changes})).estimate(corpus)
        assert found.seconds is not None
        return found.seconds, found.memory_bytes

    seconds, size = estimate()
    plain_seconds, plain_size = estimate(start="random")
    assert seconds > plain_seconds
    assert size >= plain_size


def test_only_algorithms_that_have_it_are_asked(corpus: Corpus) -> None:
    having = {
        kind.key
        for kind in MODELS
        if any(spec.name == "start" for spec in kind.params_type.specs())
    }
    assert having == {
        *("sgns", "cbow", "skipgram-hs", "cbow-hs"),
        *("glove", "swivel", "smf", "pmi-mf"),
    }
