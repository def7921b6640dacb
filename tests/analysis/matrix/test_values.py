from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.matrix import counts as matrix_counts
from workbench.analysis.matrix.values import KINDS, MatrixRequest, compute
from workbench.core.errors import UnknownWord, UserError
from workbench.corpus.corpus import Corpus
from workbench.counts import count_tables
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import effective_counts
from workbench.vectors.embeddings import Embeddings

SENTENCES = [
    ["the", "king", "rules", "the", "land"],
    ["the", "queen", "rules", "the", "land"],
    ["a", "man", "sees", "the", "king"],
    ["a", "woman", "sees", "the", "queen"],
    ["king"],
]
WORDS = ("the", "king", "queen", "land", "sees")
WINDOW = 2
# Without subsampling, effective counts equal the plain counts of the loops below.
REQUEST = MatrixRequest(words=WORDS, window=WINDOW, sample=0.0, negative=3, ns_exponent=0.75)


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    matrix_counts.KEPT.clear()


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus(SENTENCES)


def window_counts() -> Counter[tuple[str, str]]:
    """#(w, c), weighted by the dynamic window, counted in a loop over the text."""
    counts: Counter[tuple[str, str]] = Counter()
    for sentence in SENTENCES:
        for i, word in enumerate(sentence):
            for j, context in enumerate(sentence):
                if i != j and abs(i - j) <= WINDOW:
                    counts[word, context] += (WINDOW - abs(i - j) + 1) / WINDOW
    return counts


def expected(kind: str, word: str, context: str, embeddings: Embeddings) -> float:
    """Value of one cell in nats, from its definition; NaN for unobserved pairs."""
    counts = window_counts()
    n: Counter[str] = Counter(word for sentence in SENTENCES for word in sentence)
    here = counts[word, context]
    of_word = sum(value for (w, _), value in counts.items() if w == word)
    of_context = sum(value for (_, c), value in counts.items() if c == context)
    total = sum(counts.values())
    word_vector, context_vector = (
        np.asarray(table, dtype=np.float64)[embeddings.index[name]]
        for table, name in ((embeddings.vectors, word), (embeddings.contexts, context))
    )
    product = float(word_vector @ context_vector)
    if kind == "shifted":
        return product + math.log(3)
    if kind in ("model", "score"):
        return product
    if not here:
        return math.nan
    pmi = math.log(here * total / (of_word * of_context))
    noise = n[context] ** 0.75 / sum(count**0.75 for count in n.values())
    target = math.log(here) - math.log(3 * of_word * noise)
    return {
        "count": here,
        "logcount": math.log(here),
        "pmi": pmi,
        "ppmi": max(pmi, 0.0),
        "sppmi": max(pmi - math.log(3), 0.0),
        "npmi": pmi / -math.log(here / total),
        "xstar": target,
        "target": target,
        "residual": product - target,
    }[kind]


def model(corpus: Corpus, dim: int = 4) -> Embeddings:
    """Random vectors of the words of the corpus, in reverse order."""
    rng = np.random.default_rng(1)
    words = list(reversed(corpus.words))
    table = rng.normal(size=(2, len(words), dim)).astype(np.float32)
    return Embeddings(
        words,
        table[0],
        contexts=table[1],
        metadata={
            "algorithm": "sgns",
            "parameters": {"window": WINDOW, "sample": 0.0, "negative": 3, "min_count": 1},
        },
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_by_its_definition(kind: str, corpus: Corpus) -> None:
    embeddings = model(corpus)
    request = MatrixRequest(**{**REQUEST.__dict__, "kind": kind, "columns": ("land", "the", "a")})
    result = compute(corpus, request, embeddings)
    assert result.words == WORDS
    assert result.columns == ("land", "the", "a")
    assert result.kind == kind
    assert result.values.shape == (5, 3)
    assert result.values.dtype == np.float64
    wanted = [
        [expected(kind, word, context, embeddings) for context in result.columns] for word in WORDS
    ]
    np.testing.assert_allclose(result.values, wanted, rtol=1e-6, atol=1e-9)
    if "corpus" not in KINDS[kind].needs:
        assert result.counts is None
    else:
        seen = [
            [expected("count", word, context, embeddings) for context in result.columns]
            for word in WORDS
        ]
        np.testing.assert_allclose(result.counts, seen)
        assert np.isnan(result.values).any() == (kind != "score")
        counts = window_counts()
        assert result.row_sums is not None
        assert result.column_sums is not None
        sums = [
            sum(value for (w, _), value in counts.items() if w == word)
            for word in (*WORDS, *result.columns)
        ]
        np.testing.assert_allclose([*result.row_sums, *result.column_sums], sums)
    assert result.rows_known.all()
    assert result.columns_known.all()
    assert result.label
    assert result.centre0 == KINDS[kind].centre0


def test_subsampling_changes_the_target_and_not_the_counts() -> None:
    corpus = markov_corpus(4000)
    plain = MatrixRequest(top=5, sample=0.0)
    sampled = MatrixRequest(top=5, sample=1e-3)
    for kind in ("count", "pmi", "xstar"):
        one, two = (
            compute(corpus, MatrixRequest(**{**r.__dict__, "kind": kind})) for r in (plain, sampled)
        )
        assert np.allclose(one.values, two.values, equal_nan=True) == (kind != "xstar")


def test_smoothing_lowers_rare_contexts(corpus: Corpus) -> None:
    plain = compute(corpus, MatrixRequest("pmi", ("sees",), ("the", "woman"), window=2))
    smooth = compute(
        corpus, MatrixRequest("pmi", ("sees",), ("the", "woman"), window=2, context_smoothing=0.5)
    )
    change = smooth.values - plain.values
    assert change[0, 1] < 0 < change[0, 0]


def test_the_most_frequent_words_and_case(corpus: Corpus) -> None:
    assert compute(corpus, MatrixRequest("ppmi", top=3)).words == tuple(corpus.words[:3])
    assert compute(corpus, MatrixRequest("ppmi", top=1000)).values.shape == (
        corpus.types,
        corpus.types,
    )
    assert compute(corpus, MatrixRequest("count", ("KING",), window=2)).values.shape == (1, 1)
    embeddings = model(corpus)
    assert compute(None, MatrixRequest("model", top=3), embeddings).words == tuple(
        embeddings.words[:3]
    )
    some = Embeddings(
        ["king", "the"], np.ones((2, 2), np.float32), contexts=np.ones((2, 2), np.float32)
    )
    assert set(compute(corpus, MatrixRequest("residual", top=5), some).words) == {"king", "the"}


@pytest.mark.parametrize(
    ("parameters", "k"), [({"negative": 5}, 5), ({"shift": 2.5, "negative": 1}, 2.5), ({}, 1)]
)
def test_products_with_log_k_are_on_the_scale_of_pmi(
    parameters: dict[str, float], k: float
) -> None:
    rng = np.random.default_rng(0)
    W, C = rng.normal(size=(2, 4, 3)).astype(np.float32)
    embeddings = Embeddings("abcd", W, contexts=C, metadata={"parameters": parameters})
    request = MatrixRequest("shifted", ("a", "c", "zebra"), ("b", "d"))
    found = compute(None, request, embeddings)
    assert found.kind == "shifted"
    for i, word in ((0, 0), (1, 2)):
        for j, context in ((0, 1), (1, 3)):
            product = sum(float(a) * float(b) for a, b in zip(W[word], C[context], strict=True))
            assert found.values[i, j] == pytest.approx(product + math.log(k))
    assert np.isnan(found.values[2]).all()


def test_settings_of_a_model() -> None:
    sgns = Embeddings(
        ["a"],
        np.ones((1, 2), np.float32),
        metadata={
            "parameters": {"window": 7, "negative": 2, "min_count": 3, "dim": 2, "kind": "x"}
        },
    )
    request = MatrixRequest("xstar", ("king",), sample=0.5).as_counted(sgns)
    assert (request.window, request.negative, request.min_count, request.sample) == (7, 2, 3, 0.5)
    assert (request.kind, request.words) == ("xstar", ("king",))
    svd = Embeddings(["a"], np.ones((1, 2), np.float32), metadata={"parameters": {"shift": 4}})
    assert MatrixRequest().as_counted(svd).negative == 4


def test_what_is_missing_is_said(corpus: Corpus) -> None:
    bare = Embeddings(["king"], np.ones((1, 2), np.float32))
    with pytest.raises(UserError, match="no context vectors"):
        compute(corpus, MatrixRequest("model", ("king",)), bare)
    with pytest.raises(UserError, match="trained model"):
        compute(corpus, MatrixRequest("residual"))
    with pytest.raises(UserError, match="needs the corpus"):
        compute(None, MatrixRequest("ppmi"))
    with pytest.raises(UserError, match="Unknown matrix “tfidf”"):
        compute(corpus, MatrixRequest("tfidf"))
    with pytest.raises(UnknownWord, match="woman"):
        compute(corpus, MatrixRequest("ppmi", ("woman",), min_count=2))
    with pytest.raises(UserError, match="None of these words are in the run’s vocabulary"):
        compute(
            corpus,
            MatrixRequest("target", ("king",)),
            Embeddings(["x"], np.ones((1, 2), np.float32)),
        )
    elsewhere = Embeddings(
        ["king"], np.ones((1, 2), np.float32), metadata={"corpus": {"digest": "?", "name": "Moon"}}
    )
    with pytest.raises(UserError, match="Trained on Moon"):
        compute(corpus, MatrixRequest("residual", ("king",)), elsewhere)
    with pytest.raises(UserError, match="nothing is factorised"):
        compute(
            corpus,
            MatrixRequest("target", ("king",)),
            Embeddings(["king"], np.ones((1, 2), np.float32), metadata={"algorithm": "hal"}),
        )


@pytest.mark.parametrize("kind", ["ppmi", "model", "residual"])
def test_a_word_that_is_unknown_has_no_numbers(kind: str, corpus: Corpus) -> None:
    whole = compute(corpus, MatrixRequest(kind, ("king", "the"), window=WINDOW), model(corpus))
    result = compute(
        corpus,
        MatrixRequest(kind, ("king", "nobody", "the"), ("the", "king", "?"), window=WINDOW),
        model(corpus),
    )
    assert result.rows_known.tolist() == [True, False, True]
    assert result.columns_known.tolist() == [True, True, False]
    assert np.isnan(result.values[1]).all()
    assert np.isnan(result.values[:, 2]).all()
    np.testing.assert_array_equal(result.values[np.ix_([0, 2], [1, 0])], whole.values)
    selection = result.select(np.array([2, 0]), np.array([1]))
    assert (selection.words, selection.columns) == (("the", "king"), ("king",))
    np.testing.assert_array_equal(selection.values[:, 0], whole.values[[1, 0], 0])


def test_glove_is_held_against_log_x_with_its_biases(corpus: Corpus) -> None:
    """log X of the symmetric harmonic window, and w·c + b_w + b_c, from loops over the text."""
    base = model(corpus)
    biases = np.random.default_rng(4).normal(size=(2, len(base))).astype(np.float32)
    glove = Embeddings(
        base.words,
        base.vectors,
        contexts=base.contexts,
        biases=biases[0],
        context_biases=biases[1],
        metadata={
            "algorithm": "glove",
            "parameters": {"window": 3, "window_weighting": "harmonic", "min_count": 1},
        },
    )
    counts: Counter[tuple[str, str]] = Counter()
    for sentence in SENTENCES:
        for i, word in enumerate(sentence):
            for j, context in enumerate(sentence):
                if i != j and abs(i - j) <= 3:
                    counts[word, context] += 1 / abs(i - j)
    target = compute(corpus, MatrixRequest("target", WORDS), glove)
    residual = compute(corpus, MatrixRequest("residual", WORDS), glove)
    assert target.title == "Target log X"
    for row, word in enumerate(WORDS):
        for column, context in enumerate(WORDS):
            here = counts[word, context]
            if not here:
                assert math.isnan(target.values[row, column])
                assert math.isnan(residual.values[row, column])
                continue
            w, c = glove.index[word], glove.index[context]
            product = float(base.vectors[w].astype(float) @ base.contexts[c].astype(float))
            product += float(biases[0][w]) + float(biases[1][c])
            assert target.values[row, column] == pytest.approx(math.log(here), abs=1e-6)
            assert residual.values[row, column] == pytest.approx(product - math.log(here), abs=1e-6)


def test_counting_is_done_once(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = cooccurrence
    monkeypatch.setattr(
        count_tables, "cooccurrence", lambda *a, **k: calls.append(a) or original(*a, **k)
    )
    for kind in ("count", "pmi", "ppmi", "sppmi", "npmi"):
        compute(corpus, MatrixRequest(kind, top=3, negative=len(kind)))
    assert len(calls) == 1
    compute(corpus, MatrixRequest("count", top=3, window=4))
    compute(corpus, MatrixRequest("count", top=3, min_count=2))
    compute(make_corpus(SENTENCES[:2]), MatrixRequest("count", top=3))
    assert len(calls) == 4
    compute(corpus, MatrixRequest("pmi", top=4))
    assert len(calls) == 4


def test_few_words_of_a_large_corpus_are_counted_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = markov_corpus(4000)
    words = tuple(corpus.words[-3:])
    request = MatrixRequest("xstar", words, tuple(corpus.words[:10]))
    whole = compute(corpus, request)
    matrix_counts.KEPT.clear()
    monkeypatch.setattr(matrix_counts, "_LARGE", 1000)
    calls = []
    original = effective_counts
    monkeypatch.setattr(
        count_tables, "effective_counts", lambda *a, **k: calls.append(k) or original(*a, **k)
    )
    alone = compute(corpus, request)
    assert [sorted(call["words"].tolist()) for call in calls] == [[37, 38, 39]]
    np.testing.assert_allclose(alone.values, whole.values)
    compute(corpus, request)
    assert len(calls) == 1


def test_the_oldest_counts_go_first() -> None:
    import scipy.sparse as sp

    cache = matrix_counts.MatrixCache(
        limit=3 * matrix_counts.size_of(sp.eye_array(50, format="csr"))
    )
    keys: list[int] = []

    def get(key: int) -> None:
        cache.get((key,), lambda: keys.append(key) or sp.csr_matrix(sp.eye_array(50)))

    for key in (1, 2, 3, 1, 4, 1, 3, 2):
        get(key)
    assert keys == [1, 2, 3, 4, 2]


def test_the_target_of_sgns_under_subsampling_is_x_star() -> None:
    corpus = markov_corpus(4000)
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(2, corpus.types, 3)).astype(np.float32)
    parameters = {"window": 4, "sample": 1e-2, "negative": 7, "ns_exponent": 0.5, "min_count": 1}
    sgns = Embeddings(
        list(corpus.words),
        vectors[0],
        contexts=vectors[1],
        metadata={"algorithm": "sgns", "parameters": parameters},
    )
    words, columns = tuple(corpus.words[3:9]), tuple(corpus.words[:20])
    own, star = (
        compute(corpus, MatrixRequest(kind, words, columns).as_counted(sgns), sgns)
        for kind in ("target", "xstar")
    )
    np.testing.assert_allclose(own.values, star.values, rtol=1e-9)
    np.testing.assert_allclose(own.counts, star.counts)
    np.testing.assert_allclose(own.row_sums, star.row_sums)
    residual = compute(corpus, MatrixRequest("residual", words, columns).as_counted(sgns), sgns)
    product = vectors[0].astype(float)[3:9] @ vectors[1].astype(float)[:20].T
    np.testing.assert_allclose(residual.values, product - star.values, rtol=1e-6)
