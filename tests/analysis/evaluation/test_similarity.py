from __future__ import annotations

import math
from pathlib import Path

import ngram_toy
import numpy as np
import pytest
import scipy.sparse as sp
from ngram_toy import ngram_model
from reference import naive_analysis as naive
from scipy.stats import pearsonr, spearmanr

from workbench.analysis.evaluation.similarity import (
    BUNDLED,
    WordPairs,
    bundled_path,
    evaluate,
    load_pairs,
)
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.samples import graded_pairs
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import compose

WORDS = [f"w{row}" for row in range(50)]
TABLE = np.random.default_rng(2).normal(size=(50, 4)).astype(np.float32)


def made_pairs(count: int = 40, noise: float = 0.5) -> WordPairs:
    """Scores that follow the cosines, with noise, rounded so that there are ties."""
    rng = np.random.default_rng(5)
    rows = [rng.choice(50, 2, replace=False) for _ in range(count)]
    scores = [
        round(naive.cosine(TABLE[a], TABLE[b]) + noise * float(rng.normal()), 1) for a, b in rows
    ]
    return WordPairs("made", tuple((f"w{a}", f"W{b}") for a, b in rows), tuple(scores))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rho_equals_the_definition_and_scipy(kind: str) -> None:
    pairs = made_pairs()
    table = TABLE if kind == "dense" else sp.csr_matrix(TABLE)
    report = evaluate(Embeddings(WORDS, table), pairs)
    ours = [naive.cosine(TABLE[int(a[1:])], TABLE[int(b[1:])]) for a, b in pairs.words]
    assert len(set(pairs.scores)) < len(pairs)
    assert report.rho == pytest.approx(naive.spearman(ours, pairs.scores), abs=1e-9)
    assert report.rho == pytest.approx(spearmanr(ours, pairs.scores)[0], abs=1e-9)
    assert (report.pairs, report.missing) == (40, 0)
    assert report.r == pytest.approx(pearsonr(ours, pairs.scores)[0], abs=1e-6)
    assert report.r_low < report.r < report.r_high
    assert report.cosines == pytest.approx(ours, abs=1e-6)
    assert report.scores == pairs.scores


def test_the_interval_is_that_of_the_bootstrap() -> None:
    pairs = made_pairs(60)
    report = evaluate(Embeddings(WORDS, TABLE), pairs)
    assert report == evaluate(Embeddings(WORDS, TABLE), pairs)
    assert -1 <= report.low < report.rho < report.high <= 1
    # An independent bootstrap must find about the same interval.
    rng = np.random.default_rng(77)
    ours = np.array([naive.cosine(TABLE[int(a[1:])], TABLE[int(b[1:])]) for a, b in pairs.words])
    theirs = np.array(pairs.scores)
    samples = [rng.integers(0, 60, 60) for _ in range(600)]
    low, high = np.percentile(
        [spearmanr(ours[rows], theirs[rows])[0] for rows in samples], (2.5, 97.5)
    )
    assert report.low == pytest.approx(low, abs=0.06)
    assert report.high == pytest.approx(high, abs=0.06)
    noisy = evaluate(Embeddings(WORDS, TABLE), made_pairs(60, noise=0.0))
    assert noisy.high - noisy.low < report.high - report.low


def test_missing_words_are_counted() -> None:
    pairs = WordPairs(
        "p", (("w1", "w2"), ("w1", "nobody"), ("w3", "w4"), ("w5", "w6")), (1, 2, 3, 4)
    )
    report = evaluate(Embeddings(WORDS, TABLE), pairs)
    assert (report.pairs, report.missing) == (3, 1)
    assert report.known == (0, 2, 3)
    assert report.coverage == 0.75
    few = evaluate(Embeddings(WORDS, TABLE), WordPairs("p", pairs.words[:2], (1, 2)))
    assert math.isnan(few.rho)
    assert (few.pairs, few.missing) == (1, 1)


def test_constant_scores_have_no_correlation() -> None:
    report = evaluate(Embeddings(WORDS, TABLE), WordPairs("p", made_pairs().words, (1.0,) * 40))
    assert math.isnan(report.rho)
    assert math.isnan(report.low)


def test_cancel() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        evaluate(Embeddings(WORDS, TABLE), made_pairs(), run)


@pytest.mark.parametrize(
    "text",
    [
        "tiger\tcat\t7.35\nice cream\tcake\t5\n",
        "tiger,cat,7.35\nice cream,cake,5\n",
        "\ufeffWord 1;Word 2;Human (mean)\ntiger;cat;7.35;x\nice cream;cake;5;y\n",
        "# scores\n\ntiger, cat, 7.35\r\nice cream,cake,5\r\n",
        "tiger;cat;7,35\nice cream;cake;5,0\n",
        "tiger\tcat\t7,35\nice cream\tcake\t5,0\n",
        "tiger, cat\t7.35\nice cream;cake,5\n",
        '"Word 1","Word 2","Mean, human"\n"tiger","cat","7,35"\n"ice cream", cake, 5\n',
        '"tiger";"cat";7,35\nice cream;"cake";5;"a; b"\n',
    ],
    ids=[
        "tabs",
        "commas",
        "header and more fields",
        "comments",
        "decimal commas",
        "after tabs",
        "mixed",
        "quoted",
        "quoted after semicolons",
    ],
)
def test_pair_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text, encoding="utf-8")
    pairs = load_pairs(path)
    assert pairs.words == (("tiger", "cat"), ("ice cream", "cake"))
    assert pairs.scores == (7.35, 5.0)


def test_pairs_separated_by_blanks(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("word1 word2 score\nlove  sex   6.77\n tiger cat 7.35 more\n")
    assert load_pairs(path).words == (("love", "sex"), ("tiger", "cat"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "contains no word pairs"),
        ("a b c\n", "contains no word pairs"),
        ("word1 word2 1 2\n", "contains no word pairs"),
        ("a b 1\na b\n", "line 2"),
        ("a b 1\na b high\n", "line 2"),
        ('a b 1\n"' + 200_000 * "a" + '","b",high\n', "line 2"),
    ],
    ids=["empty", "no number", "only a header", "no score", "not a number", "a long field"],
)
def test_bad_pair_files(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text)
    with pytest.raises(UserError, match=says):
        load_pairs(path)
    with pytest.raises(UserError, match="Couldn’t read"):
        load_pairs(tmp_path / "nothing")


def test_gensim_reports_the_same(tmp_path: Path) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    vectors = keyedvectors.KeyedVectors(4)
    vectors.add_vectors(WORDS, TABLE)
    pairs = made_pairs()
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "".join(
            f"{a}\t{b.lower()}\t{s}\n" for (a, b), s in zip(pairs.words, pairs.scores, strict=True)
        )
    )
    pearson, spearman, unknown = vectors.evaluate_word_pairs(path, case_insensitive=False)
    report = evaluate(Embeddings(WORDS, TABLE), load_pairs(path))
    assert (report.r, report.rho, report.missing) == (
        pytest.approx(pearson[0]),
        pytest.approx(spearman[0]),
        unknown,
    )


@pytest.mark.parametrize("key", list(BUNDLED))
def test_bundled_pairs_stand_once_and_say_how_they_were_graded(key: str) -> None:
    pairs = load_pairs(bundled_path(key))
    assert len({frozenset(pair) for pair in pairs.words}) == len(pairs) >= 120
    assert all(a != b for a, b in pairs.words)
    assert "no p" in pairs.note


def test_the_pairs_of_small_world_are_what_its_tables_come_to() -> None:
    assert bundled_path("small-world").read_text(encoding="utf-8") == graded_pairs.similarity()
    words = {entry.word: entry for entry in graded_pairs.entries()}
    by_hand = {
        ("king", "queen"): 4,
        ("king", "duke"): 3,
        ("king", "duchess"): 2,
        ("king", "jewels"): 1,
    }
    by_hand[("king", "goats")] = 0
    for (a, b), grade in by_hand.items():
        assert graded_pairs.grade(words[a], words[b]) == grade


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_two_pairs_have_no_correlation(number: int) -> None:
    """Two points always lie on a line, so ±1 would say nothing about the model."""
    table = np.array([[1, 0], [1, 1], [0, 1], [1, 2]], dtype=np.float32)
    pairs = WordPairs(
        "few", (("a", "b"), ("a", "c"), ("a", "d"))[:number], (9.0, 1.0, 4.0)[:number]
    )
    found = evaluate(Embeddings(list("abcd"), table), pairs)
    assert found.pairs == number
    assert [math.isnan(value) for value in (found.rho, found.r)] == [number < 3] * 2
    # So few pairs never have an interval.
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_pairs_with_a_word_without_a_vector_are_left_out_and_counted() -> None:
    table = np.array([[2, 0, 1], [1, 1, 0], [0, 1, 3], [-1, 0, 1], [0, 0, 0]], dtype=np.float32)
    words = (("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("e", "x"), ("a", "d"))
    pairs = WordPairs("some", words, (4, 2, 3, 10, 10, 1))
    report = evaluate(Embeddings(list("abcde"), table), pairs)
    assert (report.pairs, report.missing, report.without_vector) == (4, 2, 1)
    assert report.known == (0, 1, 2, 5)
    kept = [words[at] for at in report.known]
    ours = [naive.cosine(table["abcde".index(a)], table["abcde".index(b)]) for a, b in kept]
    assert report.rho == pytest.approx(spearmanr(ours, [4, 2, 3, 1])[0])


def test_unseen_words_are_composed_of_n_grams_on_request() -> None:
    model = ngram_model()
    known = [(a, b) for a in ngram_toy.WORDS[:4] for b in ngram_toy.WORDS[4:7]]
    unseen = [(ngram_toy.WORDS[0], ngram_toy.WORDS[1] + "ish"), ("xqzzvw", ngram_toy.WORDS[2])]
    pairs = WordPairs("some", tuple(known + unseen), tuple(range(14)))
    plain, composed = evaluate(model, pairs), evaluate(model, pairs, composing=True)
    assert (plain.pairs, plain.missing) == (12, 2)
    assert (composed.pairs, composed.missing) == (13, 1)
    assert composed.cosines[:12] == plain.cosines
    other = compose(model, unseen[0][1]).vector
    assert composed.cosines[12] == pytest.approx(naive.cosine(model.vectors[0], other), abs=1e-6)
