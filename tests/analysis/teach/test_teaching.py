"""A taught word’s counts, vector and neighbours, against training and against formulas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.rows.build import Row
from workbench.analysis.rows.priors import row_prior
from workbench.analysis.rows.still_model import TAUGHT, WORDS, hold_still
from workbench.analysis.teach.added_word import with_word
from workbench.analysis.teach.teaching import Teacher
from workbench.core.errors import UserError
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import compose

TEXT = markov_corpus(5_000, words=25, sentence=12)
SETTINGS = {"min_count": 1, "dim": 4}


def _lines(corpus: Corpus, word: str, new: str) -> list[str]:
    """The sentences with a word, which has another name there."""
    number = list(corpus.words).index(word)
    found = []
    for first, last in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True):
        ids = corpus.ids[first:last].tolist()
        if number in ids:
            found.append(" ".join(new if i == number else corpus.words[i] for i in ids))
    return found


def _model(algorithm: str, **settings: object) -> Embeddings:
    known = {spec.name for spec in MODELS[algorithm].params_type.specs()}
    chosen = {name: value for name, value in SETTINGS.items() if name in known}
    return train(TEXT, algorithm, **{**chosen, **settings})


def _cosine(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    a, b = np.asarray(a), np.asarray(b)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("sgns-mf", {"iterations": 500}),
        ("sgns", {"epochs": 60}),
        ("glove", {"epochs": 300}),
        ("glove", {"epochs": 300, "symmetric": False}),
        ("pmi-mf", {"epochs": 200, "biases": True, "result": "w+c"}),
        ("smf", {"epochs": 60}),
        ("swivel", {"epochs": 400}),
        ("svd", {}),
        ("svd", {"eig": 1.0, "result": "concatenation"}),
        ("skipgram-hs", {"epochs": 60}),
        ("skipgram-softmax", {"epochs": 60}),
        ("fasttext", {"epochs": 30, "sample": 0.0, "buckets": 50}),
        ("ppmi", {}),
    ],
)
def test_all_lines_of_a_word_give_the_vector_that_training_gave_it(
    algorithm: str, settings: dict[str, object]
) -> None:
    model = _model(algorithm, **settings)
    word = model.words[7]
    teacher = Teacher(hold_still(model, TEXT))
    taught = teacher.teach(word, _lines(TEXT, word, word), instead=True)
    trained = model.vectors[7]
    shown = trained if isinstance(trained, np.ndarray) else trained.toarray()[0]
    assert taught.known
    assert bool(taught.error_note) == (algorithm == "svd")
    assert taught.occurrences == model.counts[7]
    assert _cosine(taught.vector, shown) > 0.97
    # With the word’s lines twice, it hardly moves: the counts are twice as many.
    assert _cosine(teacher.teach(word, _lines(TEXT, word, word)).vector, shown) > 0.97


def test_lines_are_counted_with_the_runs_own_window_and_subsampling() -> None:
    model = _model("sgns", epochs=1, window=3, window_weighting="fixed", sample=0.0)
    taught = Teacher(hold_still(model)).teach("new", ["w00 new w01 zzz w02 w03", "", "w04 new"])
    counts = {context.word: context.count for context in taught.contexts}
    assert counts == {"w00": 1, "w01": 1, "w02": 1, "w03": 1, "w04": 1}
    assert taught.lines == 2
    assert taught.notes == ("Line 2 is empty: fill or delete it.",)
    n = dict(zip(model.words, np.asarray(model.counts).tolist(), strict=True))
    # Without subsampling, margins are proportional to frequencies.
    for context in taught.contexts:
        expected = np.log(1 * sum(n.values()) / (5 * n[context.word]))
        assert context.pmi == pytest.approx(expected)


def test_a_line_more_is_the_same_as_all_lines_at_once() -> None:
    model = _model("sgns", epochs=5)
    lines = _lines(TEXT, "w03", "new")[:6]
    teacher = Teacher(hold_still(model, TEXT))
    for number in range(1, 7):
        step = teacher.teach("new", lines[:number])
    once = Teacher(hold_still(model, TEXT)).teach("new", lines)
    assert step.counts == pytest.approx(once.counts)
    assert step.vector == pytest.approx(once.vector, abs=1e-3)


def test_uncertainty_falls_with_the_number_of_lines() -> None:
    model = _model("sgns", epochs=5)
    lines = _lines(TEXT, "w03", "new")
    teacher = Teacher(hold_still(model))
    rows = [teacher.teach("new", lines[:n]).word_row for n in (1, 10, 100)]
    variances = [float(np.trace(row.covariance)) for row in rows if row.covariance is not None]
    assert variances[0] > variances[1] > variances[2] > 0
    assert (teacher.teach("new", lines[:10]).errors > 0).all()
    cloud = teacher.teach("new", lines[:10]).cloud(2_000)
    taught = teacher.teach("new", lines[:10])
    assert cloud.mean(axis=0) == pytest.approx(taught.vector, abs=0.1)
    covariance = taught.word_row.covariance
    assert covariance is not None
    assert np.cov(cloud.T) == pytest.approx(covariance, rel=0.3, abs=0.02)
    # Standard errors are the deviation of cosines over such draws, by another generator.
    draws = (
        taught.word_row.row
        + np.random.default_rng(1).standard_normal((20_000, 4)) @ np.linalg.cholesky(covariance).T
    )
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    near = model.unit[[model.row(one.word) for one in taught.neighbours]]
    assert taught.errors == pytest.approx((draws @ near.T).std(axis=0), rel=0.25)


def test_lsa_folds_lines_in_as_documents() -> None:
    model = _model("lsa", documents="sentences", document_length=30)
    teacher = Teacher(hold_still(model, TEXT))
    taught = teacher.teach("w05", _lines(TEXT, "w05", "w05"), instead=True)
    assert _cosine(taught.vector, model.vectors[model.row("w05")]) > 0.99
    with pytest.raises(UserError, match="computed from its documents"):
        Teacher(hold_still(model)).teach("new", ["new w01"])


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("sgns", {"epochs": 3, "normalise": True}),
        ("glove", {"epochs": 5, "all_but_the_top": 1}),
        ("fasttext", {"epochs": 3, "buckets": 100}),
        ("ppmi", {}),
        ("skipgram-softmax", {"epochs": 3}),
        ("skipgram-hs", {"epochs": 3}),
        ("lsa", {"weighting": "raw", "documents": "sentences"}),
    ],
)
def test_a_word_that_is_added_has_the_taught_neighbours(
    algorithm: str, settings: dict[str, object]
) -> None:
    model = _model(algorithm, **settings)
    still = hold_still(model)
    taught = Teacher(still).teach("new", _lines(TEXT, "w03", "new")[:9], both_sides=True)
    found = with_word(still, taught)
    assert set(found.words) == {*model.words, "new"}
    assert found.counts is not None
    assert (np.diff(found.counts) <= 0).all()
    assert found.counts[found.row("new")] == taught.occurrences
    for word in model.words:
        kept, before = found.vectors[found.row(word)], model.vectors[model.row(word)]
        assert kept.sum() == before.sum(), word
    near = nearest(found, "new", 10)
    assert [one.word for one in near] == [one.word for one in taught.neighbours]
    assert [one.cosine for one in near] == pytest.approx(
        [one.cosine for one in taught.neighbours], abs=1e-5
    )
    assert found.metadata[TAUGHT] == [
        {"word": "new", "known": False, "lines": 9, "occurrences": taught.occurrences}
    ]
    if found.word_rows is not None:
        assert compose(found, "new").vector == pytest.approx(taught.vector, abs=1e-5)


def test_a_known_word_moves_alone() -> None:
    model = _model("svd")
    still = hold_still(model, TEXT)
    taught = Teacher(still).teach("w03", ["w03 w20 w20 w20"] * 40, both_sides=True)
    found = with_word(still, taught)
    assert found.words == tuple(model.words)
    moved = np.flatnonzero((found.vectors != model.vectors).any(axis=1))
    assert moved.tolist() == [model.row("w03")]
    assert model.contexts is not None
    assert found.contexts is not None
    assert (found.contexts != model.contexts).any(axis=1).nonzero()[0].tolist() == moved.tolist()


def test_a_word_is_expected_where_the_mean_of_its_contexts_is_mapped() -> None:
    model = _model("sgns", epochs=5, window=2, window_weighting="fixed", sample=0.0)
    # The mean vector of each word’s neighbours, token by token.
    sums, numbers = np.zeros((25, 4)), np.zeros(25)
    rows = [model.row(word) for word in TEXT.words]
    for first, last in zip(TEXT.sentences[:-1], TEXT.sentences[1:], strict=True):
        ids = [rows[i] for i in TEXT.ids[first:last].tolist()]
        for at, word in enumerate(ids):
            for context in ids[max(at - 2, 0) : at] + ids[at + 1 : at + 3]:
                sums[word] += model.vectors[context]
                numbers[word] += 1
    means = sums / numbers[:, None]
    matrix = np.linalg.solve(means.T @ means, means.T @ model.vectors)
    still = hold_still(model, TEXT)
    counts = np.zeros(25)
    counts[[3, 8]] = 2, 1
    expected = (2 * model.vectors[3] + model.vectors[8]) / 3 @ matrix
    assert row_prior(still, Row(WORDS, counts, 3.0)).mean == pytest.approx(expected, rel=1e-3)
    # Without the corpus, only words of like frequency are known.
    alone = row_prior(hold_still(model), Row(WORDS, counts, 3.0))
    assert alone.mean == pytest.approx(model.vectors.mean(axis=0), rel=1e-4)


def test_fasttext_starts_from_the_letters() -> None:
    texts = [["walking", "walks", "walked"], ["talking", "talks", "talked"], ["red", "blue"]]
    corpus = make_corpus(texts * 60)
    model = train(corpus, "fasttext", min_count=1, dim=8, epochs=20, sample=0.0, buckets=2_000)
    teacher = Teacher(hold_still(model))
    letters = compose(model, "walkable").vector
    taught = teacher.teach("walkable", ["walkable unseen red"])
    other = teacher.teach("qqq", ["qqq unseen red"])
    assert _cosine(taught.vector, letters) > _cosine(other.vector, letters) + 0.1


@pytest.mark.parametrize(
    ("word", "lines", "message"),
    [
        ("new", [], "There are no lines to learn “new” from. Type a sentence"),
        ("new", ["", "  "], "There are no lines to learn “new” from. Type a sentence"),
        (
            "new",
            ["w01 w02"],
            "“new” doesn’t occur in these lines. Write “new” in at least one line.",
        ),
        ("new", ["new zzz"], "The model knows none of the words beside “new”. Write lines"),
        ("two words", ["two words"], "splits “two words” into “two”, “words”. Type one word"),
        ("…", ["… w01"], "“…” isn’t a word for this model’s tokeniser. Type one word"),
        ("", ["w01"], "“” isn’t a word for this model’s tokeniser."),
        ("w01", ["w01 w02"], "needs the corpus of the training. Open the corpus, or learn"),
    ],
)
def test_bad_input_ends_in_a_sentence_that_says_what_to_do(
    word: str, lines: list[str], message: str
) -> None:
    teacher = Teacher(hold_still(MODEL))
    with pytest.raises(UserError) as caught:
        teacher.teach(word, lines)
    assert message in str(caught.value)


MODEL = _model("sgns", epochs=1)


def test_models_without_a_row_say_why() -> None:
    bare = Embeddings(MODEL.words, MODEL.vectors, MODEL.counts, metadata=MODEL.metadata)
    with pytest.raises(UserError, match="no context vectors"):
        hold_still(bare)
    with pytest.raises(UserError, match="don’t say how they were trained"):
        hold_still(Embeddings(MODEL.words, MODEL.vectors))
    with pytest.raises(UserError, match="CBOW predicts from the mean of a window"):
        hold_still(_model("cbow", epochs=1))
    other = markov_corpus(2_000, words=25, sentence=12, seed=2)
    with pytest.raises(UserError, match="isn’t the corpus"):
        hold_still(MODEL, other)
