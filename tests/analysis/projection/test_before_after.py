"""Two layouts of the same words, against scipy’s Procrustes."""

import numpy as np
import pytest
import scipy.spatial
from sklearn.manifold import trustworthiness

from workbench.analysis.projection import before_after as module
from workbench.analysis.projection.before_after import (
    BOTH,
    ONLY_AFTER,
    ONLY_BEFORE,
    before_after,
    quality_of_both,
)
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

RNG = np.random.default_rng(8)


def _model(words: list[str], vectors: np.ndarray) -> Embeddings:
    return Embeddings(words, vectors.astype(np.float32))


def test_a_turned_model_does_not_move() -> None:
    vectors = RNG.normal(size=(80, 6)) * [5, 3, 1, 1, 1, 1]
    words = [f"w{i}" for i in range(80)]
    turn = np.linalg.qr(RNG.normal(size=(6, 6)))[0]
    pair = before_after(_model(words, vectors), _model(words, vectors @ turn), 80)
    np.testing.assert_allclose(pair.after, pair.before, atol=1e-3)
    assert pair.words == tuple(words)
    assert (pair.presence == BOTH).all()


def test_shared_words_lie_as_close_as_scipy_can_bring_them() -> None:
    first, second = [f"w{i}" for i in range(40)], [f"w{i}" for i in range(10, 50)]
    pair = before_after(
        _model(first, RNG.normal(size=(40, 5))), _model(second, RNG.normal(size=(40, 5))), 100
    )
    both = pair.presence == BOTH
    assert [word for word, there in zip(pair.words, both, strict=True) if there] == [
        f"w{i}" for i in range(10, 40)
    ]
    size = np.linalg.norm(pair.before[both] - pair.before[both].mean(axis=0))
    distance = ((pair.after[both] - pair.before[both]) ** 2).sum() / size**2
    assert distance == pytest.approx(
        scipy.spatial.procrustes(pair.before[both], pair.after[both])[2], abs=1e-5
    )


def test_a_word_of_one_model_stays_and_fades() -> None:
    first, second = ["a", "b", "c", "d", "old"], ["new", "a", "b", "c", "d"]
    pair = before_after(
        _model(first, RNG.normal(size=(5, 3))), _model(second, RNG.normal(size=(5, 3))), 5
    )
    assert pair.words == ("a", "b", "c", "d", "old", "new")
    assert pair.presence.tolist() == [BOTH] * 4 + [ONLY_BEFORE, ONLY_AFTER]
    np.testing.assert_array_equal(pair.before[4:], pair.after[4:])
    assert pair.fade_shares(0.25).tolist() == [0, 0, 0, 0, 0.25, 0.75]
    np.testing.assert_allclose(pair.positions_at(0.5), (pair.before + pair.after) / 2, atol=1e-6)
    assert before_after(
        _model(first, np.eye(5)), _model(second, np.eye(5)), 5, ["old", "d", "a", "b", "c"]
    ).words == (
        "a",
        "b",
        "c",
        "d",
        "old",
    )


def test_umap_of_the_second_begins_where_the_first_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    def still(unit: object, params: UmapParams, run: object, start: np.ndarray) -> np.ndarray:
        starts.append(start.copy())
        return start + np.float32(1)

    monkeypatch.setattr(module, "umap", still)
    words = [f"w{i}" for i in range(20)]
    model = _model(words, RNG.normal(size=(20, 4)))
    pair = before_after(model, _model(words, RNG.normal(size=(20, 4))), 20, params=UmapParams())
    np.testing.assert_allclose(starts[1], pair.before)
    np.testing.assert_allclose(pair.after, pair.before, atol=1e-5)


def test_models_without_shared_words_are_not_compared() -> None:
    one, other = _model(list("abcde"), np.eye(5)), _model(list("xyzae"), np.eye(5))
    with pytest.raises(UserError, match="share only 2"):
        before_after(one, other, 5)


def test_each_layout_is_judged_by_the_words_of_its_model() -> None:
    first, second = [f"w{i}" for i in range(50)], [f"w{i}" for i in range(10, 70)]
    one, other = _model(first, RNG.normal(size=(50, 6))), _model(second, RNG.normal(size=(60, 6)))
    pair = before_after(one, other, 100)
    found = quality_of_both(one, other, pair)
    for model, positions, judged in zip(
        (one, other), (pair.before, pair.after), found, strict=True
    ):
        rows = [pair.words.index(word) for word in model.words]
        unit = np.asarray(model.unit, dtype=np.float64)
        expected = trustworthiness(unit, positions[rows], n_neighbors=15)
        assert judged.trustworthiness == pytest.approx(expected, abs=1e-6)
        assert judged.size == len(model)
