"""Words in groups: a planted change is found at its group, and nothing is found without one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, planted_corpus

from workbench.analysis.groups.gained_contexts import context_changes, log_likelihood
from workbench.analysis.groups.grouped_words import GroupedWords, Question, group_words
from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.groups.series import Series, chance_of, turn_of
from workbench.analysis.groups.spaces import PpmiSpace, SvdSpace, cosines, open_space
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.corpus.documents import DocumentParams
from workbench.corpus.groups import GroupParams
from workbench.counts.association import associate, margins, margins_of
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.unit_contexts import contexts_by_unit
from workbench.models.count.truncated_svd import truncated_svd
from workbench.vectors.embeddings import Embeddings

YEARS = GroupParams(by=r"_(\d{4})_")
METHODS = ("ppmi", "svd", "alacarte")


def ask(
    corpus: Corpus,
    method: str,
    words: Sequence[str] = ("mover", "still"),
    to: Sequence[str] = ("a0", "b0", "c0"),
    documents: str = "auto",
    run: JobControl | None = None,
    **settings: object,
) -> GroupedWords:
    values = {"min_count": 1, "dim": 20, "threads": 1, "shuffles": 99, "replicates": 60}
    params = GroupedParams.from_mapping({**values, **settings, "method": method})
    question = Question(tuple(words), tuple(to), 5)
    return group_words(corpus, question, YEARS, DocumentParams(documents), params, run)


def series(found: GroupedWords, word: str, to: str) -> Series:
    return next(one for one in found.series if (one.word, one.to) == (word, to))


@pytest.fixture(scope="module")
def planted() -> Corpus:
    return planted_corpus()


@pytest.mark.parametrize("method", METHODS)
def test_a_planted_change_is_found_at_its_group(planted: Corpus, method: str) -> None:
    found = ask(planted, method)
    assert found.unit == "files"
    assert found.units.tolist() == [8] * 8
    old, new = series(found, "mover", "a0"), series(found, "mover", "b0")
    for one in (old, new):
        assert one.p == pytest.approx(0.01)
        assert found.groups.values[one.turn] == "1804"
    # No band reaches those of the other side.
    assert old.low[:4].min() > old.high[4:].max()
    assert new.high[:4].max() < new.low[4:].min()


@pytest.mark.parametrize("method", METHODS)
def test_the_control_is_flat(planted: Corpus, method: str) -> None:
    found = ask(planted, method)
    for one in found.series:
        assert np.ptp(one.control) < 0.15
        assert (one.control_low <= one.control).all()
        assert (one.control <= one.control_high).all()
    unchanged = [one for one in found.series if one.word == "still"]
    assert min(one.p for one in unchanged) > 0.05
    inside = [
        (one.control_low <= one.cosines) & (one.cosines <= one.control_high) for one in unchanged
    ]
    assert np.mean(inside) > 0.85


def test_p_is_uniform_without_a_change() -> None:
    shares = []
    for seed in range(40):
        corpus = planted_corpus(groups=4, documents=5, sentences=20, turn=0, seed=seed)
        shares.append(series(ask(corpus, "ppmi", ["still"], ["c0"]), "still", "c0").p)
    # 40 values: the share below 0.2 is 0.2 with a standard deviation of 0.063.
    assert 0.02 <= np.mean(np.array(shares) <= 0.2) <= 0.4


@pytest.mark.parametrize("threads", [1])
def test_sgns_finds_the_change_too(threads: int) -> None:
    corpus = planted_corpus(groups=4, documents=4, sentences=60, turn=2)
    found = ask(
        corpus,
        "sgns",
        ["mover"],
        ["a0", "b0"],
        epochs=15,
        threads=threads,
        replicates=3,
        shuffles=3,
    )
    old, new = series(found, "mover", "a0"), series(found, "mover", "b0")
    assert found.groups.values[old.turn] == found.groups.values[new.turn] == "1802"
    assert old.p == new.p == 0.25
    assert old.cosines[:2].min() > old.cosines[2:].max() + 0.3
    assert np.ptp(old.control) < 0.3
    assert (old.low < old.cosines).all()


def test_the_same_seed_gives_the_same_bands(planted: Corpus) -> None:
    first, again, other = (ask(planted, "svd", seed=seed) for seed in (1, 1, 2))
    for one, same, different in zip(first.series, again.series, other.series, strict=True):
        assert np.array_equal(one.low, same.low)
        assert np.array_equal(one.control_low, same.control_low)
        assert not np.array_equal(one.low, different.low)
    # Another word in the question changes neither bands nor control.
    alone = ask(planted, "svd", ["still"])
    assert np.array_equal(series(alone, "still", "c0").low, series(first, "still", "c0").low)


def test_without_chosen_words_a_word_is_compared_with_itself(planted: Corpus) -> None:
    found = ask(planted, "ppmi", ["still"], [])
    (one,) = found.series
    assert (one.word, one.to) == ("still", "still")
    assert one.whole == pytest.approx(1.0)


def test_gained_contexts_are_those_of_the_new_company(planted: Corpus) -> None:
    mover, still = ask(planted, "ppmi").words
    assert mover.word == "mover"
    row = list(planted.words).index("mover")
    assert mover.occurrences.sum() == planted.counts[row]
    gained = [one for changes in mover.gained[4:] for one in changes]
    assert sum(one.context.startswith("b") for one in gained) > len(gained) / 2
    lost = [one.context[0] for changes in mover.lost[4:] for one in changes]
    assert set(lost) <= {"a", "z"}
    assert sum(map(len, still.gained)) < len(gained)


def test_a_row_of_the_whole_text_is_the_words_own_vector(planted: Corpus) -> None:
    """Folding in is exact for the rows that were factorised."""
    vocabulary = planted.vocabulary()
    counts = cooccurrence(planted, vocabulary)
    rows = np.arange(0, len(vocabulary), 7)
    for method in ("ppmi", "svd"):
        space = open_space(planted, vocabulary, GroupedParams(method=method, dim=30), JobControl())
        folded, own = space.vectors(counts[rows]), space.words(rows)
        assert np.abs(folded - own).max() < 1e-8


def test_folding_in_agrees_with_a_joint_factorisation(planted: Corpus) -> None:
    """The row of half a text, beside those of all words, changes the space little."""
    params = GroupedParams(dim=12)
    vocabulary = planted.vocabulary()
    counts = cooccurrence(planted, vocabulary)
    space = SvdSpace(counts, params, JobControl())
    halves = np.arange(len(planted.sentences) - 1) % 2
    parts = contexts_by_unit(planted, len(vocabulary), vocabulary.index["mover"], halves, 2)
    pmi = PpmiSpace(counts, params, JobControl())
    stacked = sp.vstack([pmi.matrix, pmi.vectors(parts)]).tocsr()
    joint = truncated_svd(stacked, 12)
    vectors = joint.left * joint.values**0.5
    others = np.arange(len(vocabulary))
    expected = cosines(vectors[-2:], vectors[others])
    found = space.cosines(parts, others)
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.9


def test_pmi_of_a_row_beside_a_loop(planted: Corpus) -> None:
    vocabulary = planted.vocabulary(max_vocab=60)
    counts = cooccurrence(planted, vocabulary)
    params = GroupedParams(shift=2.0, context_smoothing=0.75)
    space = PpmiSpace(counts, params, JobControl())
    part = sp.csr_matrix(np.where(np.arange(60) % 3 == 0, np.arange(60) + 0.5, 0.0))
    column_sums = np.asarray(counts.sum(axis=0)).ravel() ** 0.75
    found = space.vectors(part).toarray()[0]
    table = part.toarray()[0]
    for column in range(60):
        expected = 0.0
        if table[column]:
            chance = table.sum() * column_sums[column] / column_sums.sum()
            expected = max(math.log(table[column] / chance) - math.log(2.0), 0.0)
        assert found[column] == pytest.approx(expected)
    whole = associate(counts, "sppmi", 2.0, 0.75)
    assert np.abs(space.words(np.arange(60)) - whole).max() < 1e-12


def test_a_la_carte_is_the_weighted_least_squares_map(planted: Corpus) -> None:
    vocabulary = planted.vocabulary()
    counts = cooccurrence(planted, vocabulary)
    table = np.random.default_rng(2).normal(size=(len(vocabulary), 6)).astype(np.float32)
    given = Embeddings(vocabulary.words, table)
    params = GroupedParams(method="alacarte")
    space = open_space(planted, vocabulary, params, JobControl(), given)
    means = counts.toarray() @ table / np.asarray(counts.sum(axis=1))
    weights = np.sqrt(np.log(vocabulary.counts))[:, None]
    expected = np.linalg.lstsq(weights * means, weights * table, rcond=None)[0]
    assert space.vectors(counts[:3]) == pytest.approx(means[:3] @ expected, rel=1e-4)


def test_a_la_carte_takes_vectors_that_lack_words(planted: Corpus) -> None:
    vocabulary = planted.vocabulary()
    known = [word for word in vocabulary.words if word not in ("a1", "z3")]
    vectors = np.random.default_rng(2).normal(size=(len(known), 6)).astype(np.float32)
    params = GroupedParams(method="alacarte", min_count=1, replicates=10, shuffles=10)
    question = Question(("mover",), ("a0", "a1"))
    found = group_words(
        planted, question, YEARS, DocumentParams(), params, None, Embeddings(known, vectors)
    )
    known_word, unknown_word = found.series
    assert np.isfinite(known_word.cosines).all()
    assert np.isnan(unknown_word.cosines).all()
    assert math.isnan(unknown_word.p)


def test_groups_of_one_document_have_no_band(planted: Corpus) -> None:
    corpus = planted_corpus(groups=12, documents=1, sentences=40, turn=6)
    one = series(ask(corpus, "ppmi", documents="files"), "mover", "a0")
    assert np.isnan(one.low).all()
    assert np.isfinite(one.cosines).all()
    by_sentence = series(ask(corpus, "ppmi"), "mover", "a0")
    assert np.isfinite(by_sentence.low).all()


def test_a_group_without_the_word_has_no_cosine() -> None:
    """“mover” is only in the files of the first year."""
    lines = [["mover", "a"], ["y", "b"], ["mover", "b"], ["y", "a"], ["y", "b"], ["y", "a"]]
    files = tuple(SourceFile(f"/_{1800 + at // 3}_{at}.txt", 1, "", 2) for at in range(6))
    corpus = replace(make_corpus(lines), files=files)
    found = ask(corpus, "ppmi", ["mover"], ["a"], "sentences", replicates=20, shuffles=20)
    (one,) = found.series
    assert found.words[0].occurrences.tolist() == [2, 0]
    assert np.isfinite(one.cosines).tolist() == [True, False]
    assert np.isfinite(one.low).tolist() == [True, False]
    assert 0 < one.p <= 1


def test_the_progress_reaches_the_end(planted: Corpus) -> None:
    class Watched(JobControl):
        seen: ClassVar[list[tuple[Phase, float]]] = []

        def advance(self, fraction: float | None, *more: str, **details: float) -> None:
            super().advance(fraction, *more, **details)
            if self.progress.fraction is not None:
                self.seen.append((self.progress.phase, self.progress.fraction))

    ask(planted, "ppmi", run=Watched())
    drawing = [fraction for phase, fraction in Watched.seen if phase is Phase.TRAINING]
    assert drawing == sorted(drawing)
    assert drawing[0] == 0
    assert drawing[-1] > 0.95


def test_what_cannot_be_answered_is_explained(planted: Corpus) -> None:
    with pytest.raises(UnknownWord, match="movr"):
        ask(planted, "ppmi", ["movr"])
    one_group = GroupParams(by=r"/(texts)/")
    with pytest.raises(UserError, match="are in one group, “texts”"):
        group_words(planted, Question(("mover",)), one_group, DocumentParams(), GroupedParams())
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        ask(planted, "svd", run=run)


def test_a_text_on_one_line_is_drawn_in_pieces() -> None:
    random = np.random.default_rng(1)
    lines = [[f"w{word}" for word in random.integers(0, 30, 12_000)] for _ in range(2)]
    files = tuple(SourceFile(f"/_{year}_.txt", 1, "", 12_000) for year in (1800, 1900))
    found = ask(replace(make_corpus(lines), files=files), "ppmi", ["w1"], ["w2"])
    assert found.unit == "sentences"
    assert found.units.tolist() == [12, 12]
    assert np.isfinite(found.series[0].low).all()


# -- the parts


def test_the_turn_is_the_best_cut_of_all() -> None:
    random = np.random.default_rng(5)
    for _ in range(30):
        values = random.normal(size=7)
        weights = random.integers(0, 6, 7)
        values[random.random(7) < 0.2] = np.nan
        used = [at for at in range(7) if weights[at] > 0 and np.isfinite(values[at])]
        costs = {}
        for cut in used[1:]:
            cost = 0.0
            for side in ([at for at in used if at < cut], [at for at in used if at >= cut]):
                mean = sum(weights[at] * values[at] for at in side) / sum(
                    weights[at] for at in side
                )
                cost += sum(weights[at] * (values[at] - mean) ** 2 for at in side)
            costs[cut] = cost
        expected = min(costs, key=lambda cut: costs[cut]) if costs else 0
        assert turn_of(values, weights) == expected


def test_the_chance_is_exact_for_all_orders() -> None:
    values = np.array([0.1, 0.2, 0.9])
    orders = np.array(list(itertools.permutations(values)))[1:]
    spread = chance_of(values, orders, np.array([1, 1, 1]))
    # All orders differ equally from the mean over orders.
    assert spread == 1.0
    assert math.isnan(chance_of(np.full(3, np.nan), orders, np.ones(3, dtype=np.int64)))


def test_log_likelihood_beside_the_table_of_two_rates() -> None:
    here, there = np.array([10.0, 0.0, 30.0]), np.array([5.0, 8.0, 47.0])
    found = log_likelihood(here, there)
    for at in range(3):
        table = np.array([[here[at], 40 - here[at]], [there[at], 60 - there[at]]])
        expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / 100
        terms = [
            2 * seen * math.log(seen / chance)
            for seen, chance in zip(table.ravel(), expected.ravel(), strict=True)
            if seen
        ]
        sign = 1 if here[at] / 40 > there[at] / 60 else -1
        assert found[at] == pytest.approx(sign * sum(terms))
    gained, lost = context_changes(
        np.array([here, there]), 0, margins_of(here + there, here + there), ("p", "q", "r"), 5
    )
    assert [one.context for one in gained] == ["p"]
    assert [one.context for one in lost] == ["q"]
    assert math.isnan(lost[0].pmi)
    assert gained[0].pmi == pytest.approx(math.log(10 / 40 / (15 / 100)))
    assert margins(sp.csr_matrix(np.array([here, there]))).columns.tolist() == [15.0, 8.0, 77.0]
