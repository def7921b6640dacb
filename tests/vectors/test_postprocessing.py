"""W, W + C and concatenation, centring, removal of top components, unit length: compared with
results by hand, numpy and scikit-learn.
"""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, most_frequent_first, save_vectors
from workbench.vectors.postprocessing import OFF, Postprocessing, apply_postprocessing, choice_of
from workbench.vectors.subwords import compose, subwords_of


def embeddings(size: int = 60, dim: int = 8, **changes: object) -> Embeddings:
    random = np.random.default_rng(2)
    words = [f"w{i}" for i in range(size)]
    scales = np.geomspace(4, 0.3, dim)
    W = (random.normal(size=(size, dim)) * scales + 0.7).astype(np.float32)
    C = random.normal(size=(size, dim)).astype(np.float32)
    return dataclasses.replace(Embeddings(words, W, np.arange(size, 0, -1), C), **changes)


def oracle(W: np.ndarray, choice: Postprocessing, C: np.ndarray) -> np.ndarray:
    table = W.astype(np.float64)
    if choice.result == "w+c":
        table = W.astype(np.float64) + C
    elif choice.result == "concatenation":
        table = np.hstack([W, C]).astype(np.float64)
    if choice.all_but_the_top > 0:
        pca = PCA(choice.all_but_the_top, svd_solver="full").fit(table)
        table = table - pca.inverse_transform(pca.transform(table))
    elif choice.all_but_the_top == 0:
        table = table - table.mean(axis=0)
    if choice.normalise:
        table = table / np.linalg.norm(table, axis=1, keepdims=True)
    return table


def test_two_words_by_hand() -> None:
    toy = Embeddings(
        ["a", "b"],
        np.array([[3, 4], [1, 0]], np.float32),
        contexts=np.array([[0, 1], [2, 0]], np.float32),
    )
    assert apply_postprocessing(toy, Postprocessing("w+c")).vectors.tolist() == [[3, 5], [3, 0]]
    assert apply_postprocessing(toy, Postprocessing("concatenation")).vectors.tolist() == [
        [3, 4, 0, 1],
        [1, 0, 2, 0],
    ]
    np.testing.assert_allclose(
        apply_postprocessing(toy, Postprocessing(normalise=True)).vectors,
        [[0.6, 0.8], [1, 0]],
        atol=1e-7,
    )
    assert apply_postprocessing(toy, Postprocessing(all_but_the_top=0)).vectors.tolist() == [
        [1, 2],
        [-1, -2],
    ]
    # The two centred words are on one line, the first component, so nothing is left of them.
    np.testing.assert_allclose(
        apply_postprocessing(toy, Postprocessing(all_but_the_top=1)).vectors, 0, atol=1e-6
    )


@pytest.mark.parametrize("result", ["w", "w+c", "concatenation"])
@pytest.mark.parametrize("top", [OFF, 0, 1, 3])
@pytest.mark.parametrize("unit", [False, True])
def test_against_scikit_learn(result: str, top: int, unit: bool) -> None:
    original = embeddings(size=5000)
    choice = Postprocessing(result, unit, top)
    output = apply_postprocessing(original, choice)
    assert output.vectors.dtype == np.float32
    np.testing.assert_allclose(
        output.vectors, oracle(original.vectors, choice, original.contexts), atol=2e-6
    )
    assert choice_of(output) == choice
    # The matrices that the theory is about are unchanged.
    np.testing.assert_array_equal(output.inputs, original.vectors)
    np.testing.assert_array_equal(output.contexts, original.contexts)
    again = apply_postprocessing(output, Postprocessing())
    np.testing.assert_array_equal(again.vectors, original.vectors)
    assert again.raw is None
    assert again.removed is None
    assert choice_of(again).plain


def test_w_as_trained_is_the_same_object() -> None:
    original = embeddings()
    assert apply_postprocessing(original, Postprocessing()) is original


def test_processed_vectors_round_trip(tmp_path: Path) -> None:
    result = apply_postprocessing(embeddings(), Postprocessing("w+c", True, 2))
    save_vectors(result, tmp_path / "v.npz")
    loaded_model = load_vectors(tmp_path / "v.npz")
    for part in ("vectors", "contexts", "raw", "removed"):
        np.testing.assert_array_equal(getattr(loaded_model, part), getattr(result, part))
    assert choice_of(loaded_model) == Postprocessing("w+c", True, 2)
    half = load_vectors(tmp_path / "v.npz", limit=7)
    assert half.raw.shape == (7, 8)
    by_count = most_frequent_first(dataclasses.replace(result, counts=result.counts[::-1].copy()))
    np.testing.assert_array_equal(by_count.raw, result.raw[::-1])
    save_vectors(result, tmp_path / "v.bin")
    np.testing.assert_array_equal(load_vectors(tmp_path / "v.bin").vectors, result.vectors)


def test_a_fasttext_file_holds_no_contexts_of_other_vectors(tmp_path: Path) -> None:
    save_vectors(
        apply_postprocessing(embeddings(), Postprocessing("concatenation")), tmp_path / "v.fasttext"
    )
    loaded_model = load_vectors(tmp_path / "v.fasttext")
    assert loaded_model.dim == 16
    assert loaded_model.contexts is None


def test_columns_of_contexts_are_scaled_where_the_algorithm_says_so() -> None:
    original = embeddings(dim=2, metadata={"context_scale": [2.0, 0.5]})
    np.testing.assert_allclose(
        apply_postprocessing(original, Postprocessing("w+c")).vectors,
        original.vectors + original.contexts * [2, 0.5],
        atol=1e-6,
    )


@pytest.mark.parametrize(
    "choice",
    [
        Postprocessing(normalise=True),
        Postprocessing(all_but_the_top=2),
        Postprocessing("w", True, 1),
    ],
)
def test_unseen_words_go_where_their_n_grams_went(choice: Postprocessing) -> None:
    random = np.random.default_rng(5)
    words = ["where", "there", "were", "ware", "nowhere", "wherever"]
    plain = Embeddings(
        words,
        np.zeros((6, 5), np.float32),
        contexts=np.ones((6, 5), np.float32),
        word_rows=random.normal(size=(6, 5)).astype(np.float32) + 1,
        ngram_vectors=random.normal(size=(30, 5)).astype(np.float32) + 1,
        ngram_buckets=np.arange(0, 60, 2),
        metadata={"subwords": {"min_n": 3, "max_n": 4, "buckets": 60}},
    )
    plain = dataclasses.replace(
        plain, vectors=np.stack([compose(plain, word).vector for word in words])
    )
    result = apply_postprocessing(plain, choice)
    for row, word in enumerate(words):
        np.testing.assert_allclose(compose(result, word).vector, result.vectors[row], atol=2e-6)
    unseen, before = (
        compose(result, "whereas"),
        compose(plain, "whereas").vector.astype(np.float64),
    )
    if choice.all_but_the_top > 0:
        pca = PCA(choice.all_but_the_top, svd_solver="full").fit(plain.vectors.astype(np.float64))
        before = before - pca.inverse_transform(pca.transform(before[None]))[0]
    if choice.normalise:
        before = before / np.linalg.norm(before)
    np.testing.assert_allclose(unseen.vector, before, atol=2e-6)
    np.testing.assert_allclose(sum(part.vector for part in unseen.parts), unseen.vector, atol=2e-6)
    assert sum(part.share for part in unseen.parts) == pytest.approx(
        np.linalg.norm(unseen.vector), rel=1e-5
    )
    assert not compose(result, "ß").vector.any()
    assert subwords_of(apply_postprocessing(plain, Postprocessing("w+c"))) is None


def test_a_fasttext_file_refuses_vectors_not_made_of_its_n_grams(tmp_path: Path) -> None:
    plain = embeddings(
        word_rows=np.ones((60, 8), np.float32),
        ngram_vectors=np.ones((3, 8), np.float32),
        metadata={"subwords": {"min_n": 1, "max_n": 2, "buckets": 3}},
    )
    with pytest.raises(UserError, match="stores n-gram vectors, so it can’t store vectors"):
        save_vectors(
            apply_postprocessing(plain, Postprocessing(normalise=True)), tmp_path / "v.fasttext"
        )


def test_sparse_rows_are_brought_to_length_1_and_stay_sparse() -> None:
    table = sp.csr_matrix(np.array([[3, 0, 4], [0, 0, 0], [0, 2, 0]], np.float32))
    sparse = Embeddings(["a", "b", "c"], table)
    result = apply_postprocessing(sparse, Postprocessing(normalise=True))
    assert result.sparse
    np.testing.assert_allclose(
        result.vectors.toarray(), [[0.6, 0, 0.8], [0, 0, 0], [0, 1, 0]], atol=1e-7
    )
    for choice in (Postprocessing("w+c"), Postprocessing(all_but_the_top=0)):
        with pytest.raises(UserError, match="svd"):
            apply_postprocessing(sparse, choice)
    with pytest.raises(UserError, match="and the original vectors weren’t saved"):
        apply_postprocessing(result, Postprocessing())


def test_impossible_choices_are_explained() -> None:
    without = embeddings(contexts=None)
    with pytest.raises(UserError, match="context vectors"):
        apply_postprocessing(without, Postprocessing("w+c"))
    with pytest.raises(UserError, match="8 principal components"):
        apply_postprocessing(without, Postprocessing(all_but_the_top=8))
    assert apply_postprocessing(embeddings(), Postprocessing("concatenation", False, 8)).dim == 16
    with pytest.raises(UserError, match="Unknown result"):
        Postprocessing("c")
    with pytest.raises(UserError, match="0 or more"):
        Postprocessing(all_but_the_top=-2)
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        apply_postprocessing(embeddings(), Postprocessing(normalise=True), run)


@pytest.mark.parametrize(
    "provenance", [None, 3, {}, {"result": "x", "normalise": 1, "all_but_the_top": "2"}]
)
def test_nonsense_in_provenance_is_ignored(provenance: object) -> None:
    assert choice_of(embeddings(metadata={"vectors": provenance})) == Postprocessing()


def test_labels() -> None:
    assert Postprocessing().label == "W"
    assert Postprocessing("w+c", True).label == "W + C · unit"
    assert Postprocessing("concatenation", False, 0).label == "[W; C] · no mean"
    assert Postprocessing(all_but_the_top=2).label == "W · all but the top 2"
