"""Figures of models on picture corpora, against sums over single pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus

from workbench.analysis.matrix.board import BoardRequest, Pane, compute_board
from workbench.analysis.matrix.pair_products import pair_products, shift_of
from workbench.analysis.matrix.picture import (
    compare_with_picture,
    corpus_picture_size,
    count_picture,
    describe_figures,
    picture_products,
)
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.corpus.pictures.picture import PictureParams, face, picture_corpus, pmi_path
from workbench.models.base import MODELS
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings

SIZE = 10


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("picture") / "face.txt"
    params = PictureParams(size=SIZE, pairs=20_000)
    picture_corpus(face(SIZE), params, "face").write(path)
    return path


@pytest.fixture(scope="module")
def corpus(text: Path) -> Corpus:
    return open_corpus([text])


def random_model(corpus: Corpus) -> Embeddings:
    random = np.random.default_rng(5)
    shape = (len(corpus.words), 3)
    return Embeddings(
        corpus.words,
        random.normal(size=shape).astype(np.float32),
        contexts=random.normal(size=shape).astype(np.float32),
        metadata={"algorithm": "sgns", "parameters": {"negative": 5}},
    )


def test_figures_are_sums_over_pairs(text: Path, corpus: Corpus) -> None:
    model = random_model(corpus)
    found = compare_with_picture(corpus, model)
    pmi = np.load(pmi_path(text))
    lines = text.read_text().split("\n")[:-1]
    pairs, products, weights = [], [], []
    for i in range(SIZE):
        for j in range(SIZE):
            row, column = f"r{i}", f"c{j}"
            a = sum(line == f"{row} {column}" for line in lines)
            # Every line contains two pairs, (a, b) and (b, a), so |D| is twice the number of lines.
            b = 5 * sum(line.startswith(row + " ") for line in lines)
            b *= sum(line.endswith(" " + column) for line in lines) / (2 * len(lines))
            word = np.asarray(model.inputs)[model.index[row]].astype(float)
            context = np.asarray(model.contexts)[model.index[column]].astype(float)
            pairs.append(float(pmi[i, j]))
            products.append(float(word @ context))
            weights.append(a * b / (a + b))
    f, p, m = np.array(weights), np.array(pairs), np.array(products)
    target = p - math.log(5)
    mean = (f * target).sum() / f.sum()
    r2 = 1 - (f * (m - target) ** 2).sum() / (f * (target - mean) ** 2).sum()
    assert found.correlation == pytest.approx(np.corrcoef(m, p)[0, 1], abs=1e-9)
    assert found.weighted_r2 == pytest.approx(r2, rel=1e-9)
    assert found.mean_offset == pytest.approx((f * (m - p)).sum() / f.sum(), rel=1e-9)
    assert found.log_k == pytest.approx(math.log(5))


def test_a_perfect_model_has_perfect_figures(text: Path, corpus: Corpus) -> None:
    pmi = np.load(pmi_path(text))
    words = [*(f"r{i}" for i in range(SIZE)), *(f"c{i}" for i in range(SIZE))]
    vectors = np.zeros((2 * SIZE, SIZE))
    contexts = np.zeros((2 * SIZE, SIZE))
    vectors[:SIZE] = pmi - math.log(5)
    contexts[SIZE:] = np.eye(SIZE)
    model = Embeddings(
        words,
        vectors.astype(np.float32),
        contexts=contexts.astype(np.float32),
        metadata={"algorithm": "sgns", "parameters": {"negative": 5}},
    )
    found = compare_with_picture(corpus, model)
    assert found.correlation == pytest.approx(1.0, abs=1e-6)
    assert found.weighted_r2 == pytest.approx(1.0, abs=1e-6)
    assert found.mean_offset == pytest.approx(-math.log(5), abs=1e-6)
    description = describe_figures(found)
    assert "correlation 1.000" in description
    assert description.endswith("mean offset −1.609 nats (−log k = −1.609).")


def test_settings_with_another_target_are_named(corpus: Corpus) -> None:
    params = MODELS["sgns-mf"].params_type.from_mapping(
        {"dim": 2, "min_count": 1, "iterations": 20}
    )
    found = compare_with_picture(corpus, train_run(corpus, "sgns-mf", params, JobControl()))
    assert found.wanted_settings == {"sample": 0.0, "ns_exponent": 1.0}
    description = describe_figures(found)
    assert description.endswith("The picture is the target only with sample = 0, ns_exponent = 1.")
    plain = replace(params, sample=0.0, ns_exponent=1.0)
    found = compare_with_picture(corpus, train_run(corpus, "sgns-mf", plain, JobControl()))
    assert found.wanted_settings == {}
    smoothed_params = MODELS["ppmi"].params_type.from_mapping({"context_smoothing": 0.75})
    model = train_run(corpus, "ppmi", smoothed_params, JobControl())
    assert compare_with_picture(corpus, model).wanted_settings == {"context_smoothing": 1.0}


def test_without_the_saved_pmi_the_counted_one_is_taken(text: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.txt").write_bytes(text.read_bytes())
    alone = count_picture(open_corpus([tmp_path / "alone.txt"]))
    both = count_picture(open_corpus([text]))
    assert (alone.exact, both.exact) == (False, True)
    is_observed = np.isfinite(alone.pmi)
    assert np.isnan(alone.pmi[alone.counts == 0]).all()
    error = (alone.pmi - both.pmi) * np.sqrt(np.maximum(alone.counts, 1))
    assert np.abs(error[is_observed]).max() < 4.5


def test_another_corpus_is_no_picture() -> None:
    corpus = make_corpus([["the", "king", "rules"]])
    assert corpus_picture_size(corpus) == corpus_picture_size(None) == 0
    with pytest.raises(UserError, match="isn’t a picture"):
        count_picture(corpus)


def test_a_model_of_another_corpus_is_refused(corpus: Corpus) -> None:
    model = Embeddings(["king"], np.ones((1, 2), np.float32), contexts=np.ones((1, 2), np.float32))
    with pytest.raises(UserError, match="wasn’t trained on this picture"):
        compare_with_picture(corpus, model)


def test_vectors_of_a_file_without_contexts_are_refused(corpus: Corpus) -> None:
    model = Embeddings(corpus.words, np.ones((len(corpus.words), 2), np.float32))
    with pytest.raises(UserError, match="no context vectors"):
        compare_with_picture(corpus, model)


@pytest.mark.parametrize(
    ("parameters", "k"), [({}, 1), ({"negative": 5}, 5), ({"shift": 2.0, "negative": 7}, 2)]
)
def test_the_shift(parameters: dict[str, float], k: float) -> None:
    model = Embeddings(["a"], np.ones((1, 1), np.float32), metadata={"parameters": parameters})
    assert shift_of(model) == k


# Minimum correlations with the picture, where lower than the default. Raw counts (LSA, HAL) and
# log-probabilities follow frequencies as well as PMI; fastText’s words share n-grams.
_LEAST = {"lsa": 0.1, "hal": 0.3, "fasttext": 0.3, "fasttext-cbow": 0.3, "smf": 0.3}
_LEAST |= dict.fromkeys(("skipgram-hs", "cbow-hs", "skipgram-softmax", "cbow-softmax"), 0.4)


@pytest.mark.parametrize("key", MODELS.keys())
def test_each_algorithm_draws_the_picture(key: str, corpus: Corpus) -> None:
    kind = MODELS[key]
    known = {spec.name for spec in kind.params_type.specs()}
    wanted = {"window": 1, "dim": 8, "sample": 0.0, "ns_exponent": 1.0, "threads": 1}
    wanted |= {"epochs": 20, "buckets": 2000}
    params = kind.params_type(**{name: value for name, value in wanted.items() if name in known})
    model = train_run(corpus, key, params, JobControl())
    products, _ = picture_products(model, SIZE)
    assert products.shape == (SIZE, SIZE)
    found = compare_with_picture(corpus, model)
    assert found.correlation > _LEAST.get(key, 0.6), found
    assert np.isfinite([found.weighted_r2, found.mean_offset]).all()


def test_entries_of_ppmi_and_hal_are_their_rows(corpus: Corpus) -> None:
    rows, columns = np.array([0, 3, 5]), np.array([1, 2])
    for key, values in (
        ("ppmi", {}),
        ("hal", {}),
        ("hal", {"columns": 0}),
        ("hal", {"columns": 7}),
    ):
        kind = MODELS[key]
        model = train_run(corpus, key, kind.params_type(window=1, **values), JobControl())
        found, _ = pair_products(model, rows, columns)
        dense = model.vectors
        if not isinstance(dense, np.ndarray):
            dense = dense.toarray()
        column_names = model.metadata.get("columns")
        if key == "hal" and column_names is None:
            column_names = [[word, side] for side in ("before", "after") for word in model.words]
        for at, row in enumerate(rows):
            for to, column in enumerate(columns):
                word = model.words[column]
                if key == "ppmi":
                    wanted = dense[row, column]
                else:
                    wanted = sum(
                        dense[row, n] for n, (name, _) in enumerate(column_names) if name == word
                    )
                assert found[at, to] == pytest.approx(wanted, abs=1e-6)


def test_a_board_shows_the_picture_the_model_and_the_figures(corpus: Corpus) -> None:
    model = random_model(corpus)
    panes = (Pane("pmi", model), Pane("model", model))
    board = compute_board(corpus, BoardRequest(panes, picture=True), JobControl())
    assert board.words == tuple(f"r{i}" for i in range(SIZE))
    assert board.columns == tuple(f"c{j}" for j in range(SIZE))
    for i, j in ((0, 0), (3, 7), (9, 4)):
        word = np.asarray(model.inputs)[model.index[f"r{i}"]].astype(float)
        context = np.asarray(model.contexts)[model.index[f"c{j}"]].astype(float)
        assert board.results[1].values[i, j] == pytest.approx(word @ context, rel=1e-6)
    assert describe_figures(compare_with_picture(corpus, model)) in board.note


def test_other_corpora_have_no_such_board() -> None:
    corpus = make_corpus([list("abcab")] * 4)
    board = compute_board(corpus, BoardRequest((Pane("count"),), top=3, picture=True), JobControl())
    assert set(board.words) == set("abc")
