"""Texts of drawn documents: refits equal trainings on the drawn text, numbers equal plain loops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus, planted_corpus

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.evaluation.similarity import WordPairs
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.resampling.intervals import quantile_interval, spread_interval
from workbench.analysis.resampling.neighbour_intervals import neighbour_intervals
from workbench.analysis.resampling.split_half import split_half
from workbench.analysis.resampling.statistics import (
    accuracy_of,
    association_of,
    cosine_of,
    neighbours_of,
    pmi_of,
    similarity_of,
)
from workbench.analysis.resampling.texts_drawn import (
    Refit,
    ResampleParams,
    TextDraws,
    draws_of,
    resample,
)
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.documents import DocumentParams, documents_of, draw_text, with_ranks
from workbench.counts.association import associate
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import MODELS
from workbench.vectors.embeddings import Embeddings

FILES = ResampleParams(documents="files")


def params_of(algorithm: str, **settings: object) -> object:
    values = {"min_count": 1, "threads": 1, **settings}
    return MODELS[algorithm].params_type.from_mapping(values)


def draws(algorithm: str = "ppmi", drawn: ResampleParams = FILES, **settings: object) -> TextDraws:
    corpus = planted_corpus(groups=3, documents=5, sentences=12)
    return TextDraws(corpus, algorithm, params_of(algorithm, **settings), drawn)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [("ppmi", {}), ("svd", {"dim": 8}), ("ppmi", {"sample": 0.01}), ("svd", {"dim": 8, "eig": 0})],
)
def test_a_refit_is_the_training_on_the_drawn_text(
    algorithm: str, settings: dict[str, object]
) -> None:
    corpus = planted_corpus(groups=3, documents=5, sentences=12)
    mine = draws(algorithm, **settings)
    model = MODELS[algorithm](params_of(algorithm, **settings))  # type: ignore[arg-type]
    whole = mine.whole()
    plain = model.fit(corpus, JobControl())
    assert whole.embeddings.words == plain.words
    assert np.abs(whole.embeddings.vectors - plain.vectors).max() < 1e-6
    if "sample" in settings:
        return
    text = draw_text(corpus, documents_of(corpus, DocumentParams("files")), mine.times(3))
    found, expected = mine.refit(3).embeddings, model.fit(with_ranks(text), JobControl())
    # The trained text has its own order of words, and lacks those that weren’t drawn.
    rows = [found.index[word] for word in expected.words]
    left, right = found.vectors[rows], expected.vectors
    if algorithm == "ppmi":
        right = right[:, [expected.index.get(word, 0) for word in found.words]]
        left, right = left.toarray(), right.toarray()
        missing = [at for at, word in enumerate(found.words) if word not in expected.index]
        right[:, missing] = 0.0
        assert np.abs(left - right).max() < 1e-6
    else:
        assert np.abs(left @ left.T - right @ right.T).max() < 1e-4


def test_an_algorithm_that_reads_text_is_trained_on_each_drawn_text() -> None:
    mine = draws("sgns", dim=5, epochs=1)
    found = mine.refit(0)
    assert found.counts is None
    assert np.array_equal(found.embeddings.vectors, mine.refit(0).embeddings.vectors)
    counts = dict(zip(found.embeddings.words, found.embeddings.counts.tolist(), strict=True))
    whole = planted_corpus(groups=3, documents=5, sentences=12)
    assert sum(counts.values()) == whole.tokens
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    values = resample(mine, pmi_of([("a0", "a1")]), 2).values
    assert np.isnan(values).all()


def test_draws_depend_on_seed_and_number_only() -> None:
    mine = draws()
    assert mine.times(2).sum() == mine.documents == 15
    assert np.array_equal(mine.times(2), draws().times(2))
    assert not np.array_equal(mine.times(2), mine.times(1))
    other = draws(drawn=ResampleParams(documents="files", draw_seed=2))
    assert not np.array_equal(mine.times(2), other.times(2))


def test_progress_and_cancelling() -> None:
    run = JobControl()
    seen = []

    def statistic(refit: Refit) -> np.ndarray:
        seen.append(run.progress.fraction)
        if len(seen) == 4:
            run.cancel()
        return np.zeros(1)

    with pytest.raises(Cancelled):
        resample(draws(), statistic, 10, run)
    assert run.latest("resampled") == 3
    assert run.progress.phase is Phase.COUNTING
    assert seen[1:] == sorted(seen[1:])


def test_cosines_pmi_and_effects_beside_loops() -> None:
    mine = draws()
    refit = mine.whole()
    table = refit.embeddings.vectors.toarray().astype(float)
    index = refit.embeddings.index

    def cosine(first: str, second: str) -> float:
        a, b = table[index[first]], table[index[second]]
        return float(a @ b / math.sqrt((a @ a) * (b @ b)))

    pairs = [("a0", "a1"), ("mover", "b3"), ("a0", "nothing")]
    found = cosine_of(pairs)(refit)
    assert found[:2] == pytest.approx([cosine(*pair) for pair in pairs[:2]], abs=1e-6)
    assert math.isnan(found[2])
    assert refit.counts is not None
    counts = refit.counts.toarray()
    row, column = index["a0"], index["a1"]
    expected = math.log(
        counts[row, column] * counts.sum() / (counts[row].sum() * counts[:, column].sum())
    )
    assert pmi_of([("a0", "a1")])(refit)[0] == pytest.approx(expected)
    first, second, third, fourth = (["a0", "a1", "a2"], ["b0", "b1"], ["a5", "a6"], ["b5", "b6"])

    def lean(word: str) -> float:
        return float(
            np.mean([cosine(word, other) for other in third])
            - np.mean([cosine(word, other) for other in fourth])
        )

    leans = [lean(word) for word in (*first, *second)]
    spread = math.sqrt(sum((one - sum(leans) / 5) ** 2 for one in leans) / 5)
    effect = (sum(leans[:3]) / 3 - sum(leans[3:]) / 2) / spread
    statistic = association_of((first, [*second, "unknown"]), (third, fourth))
    assert statistic(refit)[0] == pytest.approx(effect, abs=1e-5)
    assert math.isnan(association_of((["unknown"], second), (third, fourth))(refit)[0])


def test_ranks_beside_sorting() -> None:
    refit = draws("svd", dim=6).whole()
    words = [one.word for one in nearest(refit.embeddings, "mover", 30)]
    found = neighbours_of("mover", [words[0], words[11], words[29], "nothing"])(refit)
    assert found[4:7].tolist() == [1, 12, 30]
    assert found[0] > found[1] > found[2]
    assert np.isnan(found[[3, 7]]).all()
    assert np.isnan(neighbours_of("nothing", words)(refit)).all()


def test_accuracy_and_similarity_of_each_text() -> None:
    questions = Questions("q", (("a0", "a1", "b0", "b1"), ("a0", "a2", "c0", "c2")), (0, 0), ("s",))
    pairs = WordPairs(
        "p", tuple((f"a{at}", f"b{at}") for at in range(5)), (1.0, 2.0, 3.0, 4.0, 5.0)
    )
    mine = draws()
    accuracy = resample(mine, accuracy_of(questions), 5)
    assert set(accuracy.values.ravel().tolist()) <= {0.0, 0.5, 1.0}
    agreement = resample(mine, similarity_of(pairs), 5)
    assert agreement.values.shape == (5, 1)
    assert np.isfinite(agreement.values).all()


def test_neighbours_with_intervals() -> None:
    mine = draws()
    found = neighbour_intervals(mine, "a0", 6, 30)
    again = neighbour_intervals(draws(), "a0", 6, 30)
    assert found.neighbours == again.neighbours
    assert (found.unit, found.documents, found.texts) == ("files", 15, 30)
    assert [one.rank for one in found.neighbours] == list(range(1, 7))
    ranks = resample(mine, neighbours_of("a0", [one.word for one in found.neighbours]), 30)
    for at, one in enumerate(found.neighbours):
        assert one.cosines.low < one.cosine < one.cosines.high
        assert one.stays == np.mean(ranks.values[:, 6 + at] <= 6)
    assert np.mean([one.stays for one in found.neighbours]) > 0.5


def test_vectors_and_text_must_belong_together() -> None:
    corpus = planted_corpus(groups=2, documents=3, sentences=5)
    unknown = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    with pytest.raises(UserError, match="training settings are unknown"):
        draws_of(unknown, corpus, FILES)
    known = {"algorithm": "ppmi", "parameters": {"min_count": 1}, "corpus": {"digest": "other"}}
    with pytest.raises(UserError, match="trained on another text than planted"):
        draws_of(replace(unknown, metadata=known), corpus, FILES)
    right = {**known, "corpus": {"digest": corpus.digest}}
    assert draws_of(replace(unknown, metadata=right), corpus, FILES).documents == 6


def test_intervals_beside_plain_formulas() -> None:
    values = np.array([0.1, 0.3, np.nan, 0.2, 0.4])
    low, high = spread_interval(0.25, values)
    # The 97.5th percentile of Student’s distribution with 3 degrees of freedom.
    reach = 3.182446 * np.std([0.1, 0.3, 0.2, 0.4], ddof=1)
    assert (low, high) == (pytest.approx(0.25 - reach), pytest.approx(0.25 + reach))
    assert spread_interval(0.25, values, -1.0, 0.5).high == 0.5
    assert math.isnan(spread_interval(math.nan, values).low)
    assert math.isnan(spread_interval(0.2, np.array([0.1])).low)
    assert quantile_interval(np.arange(41.0)) == pytest.approx((1.0, 39.0))
    assert math.isnan(quantile_interval(np.array([np.nan, 1.0])).low)


# -- the ceiling of a fit


def test_halves_beside_counts_of_two_texts() -> None:
    corpus = planted_corpus(groups=2, documents=4, sentences=25)
    size = corpus.types
    tables = []
    edges = corpus.sentences
    for parity in (0, 1):
        lines = [
            [corpus.words[row] for row in corpus.ids[edges[at] : edges[at + 1]]]
            for at in range(parity, 200, 2)
        ]
        half = make_corpus(lines)
        pmi = associate(cooccurrence(half, half.vocabulary()), "pmi").tocoo()
        tables.append(
            {
                (half.words[row], half.words[column]): value
                for row, column, value in zip(pmi.row, pmi.col, pmi.data, strict=True)
            }
        )
    counts = cooccurrence(corpus, corpus.vocabulary())
    whole = associate(counts, "pmi")
    index = {word: row for row, word in enumerate(corpus.words)}
    shared = sorted(set(tables[0]) & set(tables[1]))
    t1, t2 = ([table[pair] for pair in shared] for table in tables)
    t = [whole[index[a], index[b]] for a, b in shared]
    f = [counts[index[a], index[b]] for a, b in shared]
    found = split_half(corpus, size, splits=4).lines
    assert (found.pairs, found.of_pairs) == (len(shared), whole.nnz)
    difference = np.subtract(t1, t2)
    noise = np.cov(difference, aweights=f, ddof=0) / 4
    assert found.ceiling == pytest.approx(1 - noise / np.cov(t, aweights=f, ddof=0))
    matrix = np.cov(t1, t2, aweights=f, ddof=0)
    assert found.pearson == pytest.approx(matrix[0, 1] / math.sqrt(matrix[0, 0] * matrix[1, 1]))


def test_the_ceiling_is_what_the_true_pmi_reaches() -> None:
    """For text whose PMI is known, the R² of the true PMI is near the ceiling."""
    random = np.random.default_rng(3)
    theta = random.dirichlet(np.full(20, 0.8), 4) * 0.8 + 0.01
    theta /= theta.sum(axis=1, keepdims=True)
    lines = [
        [f"w{word}" for word in random.choice(20, 8, p=theta[topic])]
        for topic in random.integers(0, 4, 1500)
    ]
    corpus = make_corpus(lines)
    together = np.einsum("ka,kb->ab", theta, theta) / 4
    alone = together.sum(axis=1)
    order = [int(word[1:]) for word in corpus.words]
    true = np.log(together / np.outer(alone, alone))[np.ix_(order, order)]
    counts = cooccurrence(corpus, corpus.vocabulary()).tocoo()
    pmi = associate(counts.tocsr(), "pmi").tocoo()
    away = pmi.data - true[pmi.row, pmi.col]
    mean = np.average(pmi.data, weights=counts.data)
    reached = 1 - np.average(away**2, weights=counts.data) / np.average(
        (pmi.data - mean) ** 2, weights=counts.data
    )
    found = split_half(corpus, 20, splits=10)
    assert found.lines.ceiling == pytest.approx(reached, abs=0.03)
    assert found.ceilings.low <= reached + 0.03
    assert found.ceilings.high >= reached - 0.03


def test_a_text_without_halves_is_explained() -> None:
    with pytest.raises(UserError, match="is only one sentence"):
        split_half(make_corpus([["a", "b"]]), 2)
    with pytest.raises(UserError, match="No pair of words is in both halves"):
        split_half(make_corpus([["a", "b"], ["c", "d"]]), 4)
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        split_half(markov_corpus(2000), 40, run=run)
