from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_analysis as naive

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.analogy.solver import Section, evaluate, solve
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

SIZE = 40
WORDS = [f"w{row}" for row in range(SIZE)]
TABLE = np.random.default_rng(4).normal(size=(SIZE, 6)).astype(np.float32)
EMBEDDINGS = {"dense": Embeddings(WORDS, TABLE), "sparse": Embeddings(WORDS, sp.csr_matrix(TABLE))}
SCORES = {"3cosadd": naive.three_cos_add, "3cosmul": naive.three_cos_mul}

both = pytest.mark.parametrize("kind", ["dense", "sparse"])
methods = pytest.mark.parametrize("method", solver.METHODS)


@both
@methods
@pytest.mark.parametrize("exclude", [True, False])
def test_solve_equals_brute_force(kind: str, method: str, exclude: bool) -> None:
    found = solve(EMBEDDINGS[kind], "w3", "w8", "w20", method, n=8, exclude_query=exclude)
    scores = SCORES[method](TABLE.tolist(), [3, 20], 8)
    expected = naive.ranking(scores, [3, 8, 20] if exclude else [])[:8]
    assert [answer.row for answer in found] == expected
    assert [answer.word for answer in found] == [WORDS[row] for row in expected]
    np.testing.assert_allclose(
        [answer.score for answer in found], [scores[row] for row in expected], rtol=2e-5
    )


@both
@methods
@pytest.mark.parametrize("exclude", [True, False])
def test_candidates_are_limited_to_the_first_words(kind: str, method: str, exclude: bool) -> None:
    # One query word is among the candidates, two aren’t.
    found = solve(
        EMBEDDINGS[kind], "w3", "w18", "w20", method, n=9, exclude_query=exclude, restrict=10
    )
    scores = SCORES[method](TABLE.tolist(), [3, 20], 18)[:10]
    assert [answer.row for answer in found] == naive.ranking(scores, [3] if exclude else [])[:9]


def test_king_minus_man_plus_woman() -> None:
    # Axes: royal, male, female, other.
    words = ["man", "woman", "king", "queen", "apple"]
    table = np.array(
        [[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float32
    )
    for method in solver.METHODS:
        answers = solve(Embeddings(words, table), "king", "man", "woman", method)
        assert answers[0].word == "queen"
        assert len(answers) == 2


def test_repeated_and_unknown_words() -> None:
    embeddings = EMBEDDINGS["dense"]
    again = solve(embeddings, "w1", "w1", "w2", n=1, exclude_query=False)
    assert again[0].word == "w2"
    assert again[0].score == pytest.approx(1, abs=1e-6)
    with pytest.raises(UnknownWord):
        solve(embeddings, "w1", "nobody", "w2")
    with pytest.raises(UserError, match="3cosdiv"):
        solve(embeddings, "w1", "w3", "w2", "3cosdiv")
    opposite = Embeddings(["a", "b", "c"], np.array([[1, 0], [1, 0], [0, 0]], dtype=np.float32))
    with pytest.raises(UserError, match="The vector of “c” is zero"):
        solve(opposite, "a", "b", "c")


@methods
def test_near_ties_are_answered_as_in_float64(method: str) -> None:
    """Scores of candidates differ by about 10⁻⁸, so float32 would get some answers wrong."""
    random = np.random.default_rng(11)
    table = random.normal(size=(220, 40)).astype(np.float32)
    unit = table / np.linalg.norm(table.astype(np.float64), axis=1, keepdims=True)
    target = unit[1] - unit[0] + unit[2]
    for row in range(20, 220):
        # Each row is the direction of the answer plus a deviation of about 10⁻⁴, which changes the
        # scores by its square.
        aside = random.normal(size=40)
        aside -= aside @ target / (target @ target) * target
        table[row] = (target + 1e-4 * aside) * random.uniform(0.5, 2)
    exact = table.astype(np.float64)
    exact /= np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    near = exact @ exact[[0, 1, 2]].T
    add = near[:, 1] - near[:, 0] + near[:, 2]
    mul = (near[:, 1] + 1) / 2 * (near[:, 2] + 1) / 2 / ((near[:, 0] + 1) / 2 + 0.001)
    scores = add if method == "3cosadd" else mul
    scores[:3] = -np.inf
    order = np.argsort(-scores, kind="stable")
    embeddings = Embeddings([f"w{row}" for row in range(220)], table)
    found = solve(embeddings, "w1", "w0", "w2", method, n=12)
    assert [answer.row for answer in found] == order[:12].tolist()
    words = tuple(("w0", "w1", "w2", f"w{row}") for row in range(3, 220))
    report = evaluate(embeddings, Questions("near", words, (0,) * len(words), ("s",)), method, 0)
    assert set(report.predicted.tolist()) == {int(order[0])}
    assert report.rank.tolist() == [order.tolist().index(row) + 1 for row in range(3, 220)]


@both
@methods
def test_a_word_whose_vector_is_zero_is_no_answer(kind: str, method: str) -> None:
    table = np.array(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, -1, -1], [1, -1, -2]], dtype=np.float32
    )
    embeddings = Embeddings(list("abcdef"), table if kind == "dense" else sp.csr_matrix(table))
    found = solve(embeddings, "b", "a", "c", method)
    assert {answer.word for answer in found} == {"e", "f"}
    words = (("a", "b", "c", "f"), ("a", "b", "c", "d"), ("d", "b", "c", "f"), ("a", "b", "x", "c"))
    report = evaluate(embeddings, Questions("q", words, (0,) * 4, ("s",)), method, 0)
    assert "d" not in [embeddings.words[row] for row in report.predicted]
    assert (report.asked, report.without_vector, report.covered) == (1, 2, 0.25)
    assert report.question.tolist() == [0]


def made_questions(count: int = 60) -> Questions:
    """Random questions in three sections, some with unknown words."""
    rng = np.random.default_rng(8)
    rows = rng.permuted(np.tile(np.arange(SIZE + 2), (count, 1)), axis=1)[:, :4]
    words = tuple((f"W{a}", f"w{b}", f"w{c}", f"w{d}") for a, b, c, d in rows.tolist())
    return Questions(
        "made", words, tuple((np.arange(count) % 3).tolist()), ("capital", "gram1", "gram2-x")
    )


@both
@methods
@pytest.mark.parametrize("restrict", [0, 25])
def test_evaluate_equals_brute_force(
    kind: str, method: str, restrict: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Block sizes that don’t divide the number of rows or questions, to test the last block.
    monkeypatch.setattr(solver, "_ROWS_AT_ONCE", 20)
    monkeypatch.setattr(solver, "_QUESTIONS_AT_ONCE", 7)
    questions = made_questions()
    top = restrict or SIZE
    report = evaluate(EMBEDDINGS[kind], questions, method, restrict)
    kept, predictions, ranks = [], [], []
    for number, words in enumerate(questions.words):
        rows = [int(word[1:]) for word in words]
        if max(rows) >= top:
            continue
        a, b, c, d = rows
        scores = SCORES[method](TABLE[:top].tolist(), [b, c], a)
        order = naive.ranking(scores, [a, b, c])
        kept.append(number)
        predictions.append(order[0])
        ranks.append(order.index(d) + 1)
    assert 0 < len(kept) < len(questions)
    assert report.question.tolist() == kept
    assert report.predicted.tolist() == predictions
    assert report.rank.tolist() == ranks
    assert report.expected.tolist() == [int(questions.words[number][3][1:]) for number in kept]
    assert report.asked == len(kept)
    assert report.covered == len(kept) / len(questions)
    assert report.correct == ranks.count(1)


def test_shares_by_hand() -> None:
    """Two of three semantic questions are correct, one of one syntactic; a section isn’t asked."""
    words = ["man", "woman", "king", "queen", "boy", "girl"]
    table = np.array(
        [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, -1], [1, 1, -1]], dtype=np.float32
    )
    questions = Questions(
        "by hand",
        (
            ("Man", "Woman", "King", "Queen"),
            ("man", "woman", "boy", "girl"),
            ("man", "woman", "king", "girl"),
            ("queen", "king", "woman", "man"),
            ("man", "woman", "uncle", "aunt"),
        ),
        (0, 0, 1, 2, 3),
        ("family", "wrong", "gram1", "nobody"),
    )
    report = evaluate(Embeddings(words, table), questions)
    assert report.sections == {
        "family": Section(2, 2, 2),
        "wrong": Section(0, 1, 1),
        "gram1": Section(1, 1, 1),
        "nobody": Section(0, 0, 1),
    }
    assert report.all == 3 / 4
    assert report.semantic == 2 / 3
    assert report.syntactic == 1
    assert report.macro == pytest.approx(2 / 3)
    assert report.macro_semantic == 1 / 2
    assert report.macro_syntactic == 1
    assert report.covered == 4 / 5
    assert (report.asked, report.total, report.correct) == (4, 5, 3)
    assert words[report.predicted[2]] == "queen"
    exact = evaluate(Embeddings(words, table), questions, fold_case=False)
    assert exact.asked == 3


def test_nothing_asked() -> None:
    questions = Questions("none", (("a", "b", "c", "d"),), (0,), ("family",))
    report = evaluate(EMBEDDINGS["dense"], questions)
    assert report.asked == 0
    assert report.covered == 0
    assert math.isnan(report.all)
    assert math.isnan(report.macro_syntactic)


def test_cancel_and_progress() -> None:
    run = JobControl()
    evaluate(EMBEDDINGS["dense"], made_questions(200), run=run)
    assert run.progress.fraction is not None
    run.cancel()
    with pytest.raises(Cancelled):
        evaluate(EMBEDDINGS["dense"], made_questions(), run=run)


def test_question_files(tmp_path: Path) -> None:
    path = tmp_path / "questions.txt"
    path.write_bytes(
        (
            "\ufeff: capital-world\r\nAthens Greece  Paris France \r\n\r\n"
            ":gram1\nbig bigger old older\n"
        ).encode()
    )
    questions = load_questions(path)
    assert questions.sections == ("capital-world", "gram1")
    assert questions.words == (
        ("Athens", "Greece", "Paris", "France"),
        ("big", "bigger", "old", "older"),
    )
    assert questions.section == (0, 1)
    path.write_text("a b c d\n")
    assert load_questions(path).sections == ("questions",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (": only\n", "no questions"),
        ("", "no questions"),
        (": x\na b c d\na b c\na b c\n", "line 3"),
        ("a b c d e\n", "line 1"),
    ],
)
def test_bad_question_files(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "questions.txt"
    path.write_text(text)
    with pytest.raises(UserError, match=says):
        load_questions(path)
    with pytest.raises(UserError, match="Couldn’t read"):
        load_questions(tmp_path / "nothing.txt")


def test_gensim_counts_the_same(tmp_path: Path) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    rng = np.random.default_rng(12)
    base = rng.normal(size=(20, 8))
    table = np.vstack([base, base + np.array([3.0] + [0.0] * 7)]) + 0.6 * rng.normal(size=(40, 8))
    vectors = keyedvectors.KeyedVectors(8)
    vectors.add_vectors(WORDS, table.astype(np.float32))
    lines = [": first"]
    for i in range(20):
        lines += [f"w{i} w{i + 20} w{j} w{j + 20}" for j in range(20) if j != i]
    lines.insert(100, ": gram2")
    path = tmp_path / "questions.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    accuracy, sections = vectors.evaluate_word_analogies(str(path), case_insensitive=False)
    report = evaluate(Embeddings(WORDS, table.astype(np.float32)), load_questions(path))
    assert 0.1 < accuracy < 0.95
    assert report.all == pytest.approx(accuracy)
    for theirs in sections[:-1]:
        ours = report.sections[theirs["section"]]
        assert (ours.correct, ours.asked) == (
            len(theirs["correct"]),
            len(theirs["correct"] + theirs["incorrect"]),
        )
