from __future__ import annotations

import dataclasses
import os
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus
from reference.naive_counts import naive_counts

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts import cooccurrence_kernel
from workbench.counts.cooccurrence import WEIGHTINGS, cooccurrence, estimate_bytes, expected_cells
from workbench.counts.cooccurrence_kernel import Scanner


def random_corpus(seed: int = 1, sentences: int = 60, words: int = 30, longest: int = 20) -> Corpus:
    """A corpus with Zipf-like frequencies and sentences of many lengths, including empty ones."""
    random = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, words + 1)
    share /= share.sum()
    return make_corpus(
        [f"w{word}" for word in random.choice(words, random.integers(0, longest), p=share)]
        for _ in range(sentences)
    )


def sentences_of(corpus: Corpus) -> list[list[int]]:
    ends = corpus.sentences.tolist()
    return [corpus.ids[a:b].tolist() for a, b in pairwise(ends)]


def dense(cells: dict[tuple[int, int], float], size: int) -> np.ndarray:
    table = np.zeros((size, size))
    for cell, count in cells.items():
        table[cell] = count
    return table


def assert_canonical(matrix: sp.csr_matrix, size: int) -> None:
    assert matrix.shape == (size, size)
    assert matrix.dtype == np.float64
    # A new matrix, so that the flags are computed and not taken on trust.
    assert sp.csr_matrix(
        (matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape
    ).has_canonical_format
    assert (matrix.data > 0).all()


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("window", [1, 2, 5, 30])
def test_counts_are_those_of_the_double_loop(weighting: str, window: int, symmetric: bool) -> None:
    corpus = random_corpus()
    for min_count in (1, 4):
        vocabulary = corpus.vocabulary(min_count)
        matrix = cooccurrence(corpus, vocabulary, window, weighting, symmetric, threads=2)
        assert_canonical(matrix, len(vocabulary))
        expected = dense(
            naive_counts(sentences_of(corpus), len(vocabulary), window, weighting, symmetric),
            len(vocabulary),
        )
        np.testing.assert_allclose(matrix.toarray(), expected, rtol=1e-12, atol=0)


def test_gaps_close_and_sentences_do_not_touch() -> None:
    corpus = make_corpus([["a", "rare", "b"], ["a", "b"], ["b"], [], ["a"]])
    vocabulary = corpus.vocabulary(2)
    assert list(vocabulary.words) == ["a", "b"]
    assert cooccurrence(corpus, vocabulary, 1, "fixed", symmetric=False).toarray().tolist() == [
        [0, 2],
        [0, 0],
    ]


def test_whole_weights_are_summed_exactly() -> None:
    corpus = make_corpus([["a", "b"] * 5000])
    matrix = cooccurrence(corpus, corpus.vocabulary(), 10, "dynamic").toarray()
    # 9,999 pairs at distance 1, 9,997 at 3, ... with weights 10, 8, ... tenths
    expected = sum((10 - 2 * i) * (9999 - 2 * i) for i in range(5)) / 10
    assert matrix[0, 1] == matrix[1, 0] == expected


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_threads_change_no_bit(weighting: str) -> None:
    corpus = random_corpus(2)
    vocabulary = corpus.vocabulary()
    one, *others = (
        cooccurrence(corpus, vocabulary, 40, weighting, threads=threads) for threads in (1, 2, 3)
    )
    for other in others:
        for part in ("data", "indices", "indptr"):
            assert getattr(one, part).tobytes() == getattr(other, part).tobytes()


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize(("block", "longest"), [(1, 8), (7, 8), (7, 400), (64, 400)])
def test_blocks_and_small_pieces_change_nothing(
    monkeypatch: pytest.MonkeyPatch, weighting: str, block: int, longest: int
) -> None:
    """Blocks end within sentences, rows are interrupted, buffers overflow."""
    corpus = random_corpus(3, sentences=400 // longest + 3, longest=longest)
    vocabulary = corpus.vocabulary(2)
    size = len(vocabulary)
    whole = cooccurrence(corpus, vocabulary, 3, weighting)
    expected = dense(naive_counts(sentences_of(corpus), size, 3, weighting, True), size)
    add_pairs = cooccurrence_kernel.add_pairs

    def small(corpus: Corpus, size: int, scanner: Scanner, **options: object) -> object:
        options.update(block_tokens=block)
        return add_pairs(corpus, size, scanner._replace(budget=2), **options)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.counts.cooccurrence.add_pairs", small)
    monkeypatch.setattr(cooccurrence_kernel, "_CHUNK", 5)
    parts = cooccurrence(corpus, vocabulary, 3, weighting, threads=2)
    assert corpus.tokens > 2 * block
    assert_canonical(parts, size)
    np.testing.assert_allclose(parts.toarray(), expected, rtol=1e-12, atol=0)
    # Sums of whole numbers, divided only once, so they are exact.
    assert (parts != whole).nnz == 0
    assert parts.nnz == whole.nnz


def test_wide_vocabularies_use_either_way_of_sorting() -> None:
    """Rows with few columns are sorted and rows with many are read from a bitmap; both must be in
    order.
    """
    random = np.random.default_rng(5)
    sentences = [[f"rare{i}", "the"] for i in random.permutation(3000)] + [
        ["rare1", "rare2", "rare3"]
    ]
    corpus = make_corpus(sentences)
    vocabulary = corpus.vocabulary()
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed")
    assert_canonical(matrix, len(vocabulary))
    assert (np.diff(matrix.indptr)[0], matrix.nnz) == (3000, 6006)


def test_windows_and_weightings_are_checked() -> None:
    corpus = random_corpus()
    with pytest.raises(UserError, match="window"):
        cooccurrence(corpus, corpus.vocabulary(), 0)
    with pytest.raises(UserError, match="gaussian"):
        cooccurrence(corpus, corpus.vocabulary(), 2, "gaussian")


def test_progress_and_cancel() -> None:
    corpus = random_corpus()
    run = JobControl()
    cooccurrence(corpus, corpus.vocabulary(), run=run)
    assert run.progress.phase is Phase.COUNTING
    assert run.progress.fraction == 1.0
    run.cancel()
    with pytest.raises(Cancelled):
        cooccurrence(corpus, corpus.vocabulary(), run=run)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("counts")]


def test_an_error_in_one_thread_ends_all() -> None:
    def work(thread: int, pause: object) -> None:
        if thread == 1:
            raise ZeroDivisionError
        while True:
            pause()  # type: ignore[operator]

    with pytest.raises(ZeroDivisionError):
        cooccurrence_kernel.in_threads(work, 3, JobControl(), lambda: None)


def test_a_paused_count_continues() -> None:
    corpus = random_corpus()
    run = JobControl()
    run.pause()
    results: list[object] = []
    thread = threading.Thread(
        target=lambda: results.append(cooccurrence(corpus, corpus.vocabulary(), run=run))
    )
    thread.start()
    run.resume()
    thread.join(30)
    assert len(results) == 1


# -- counts kept on disk


def store_corpus(tmp_path: Path) -> Corpus:
    return dataclasses.replace(random_corpus(), folder=tmp_path)


def test_counts_are_kept_beside_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = store_corpus(tmp_path)
    first = cooccurrence(corpus, corpus.vocabulary(), 3)
    assert len(list(tmp_path.glob("counts-*.npz"))) == 1
    other = cooccurrence(corpus, corpus.vocabulary(), 4)
    monkeypatch.setattr("workbench.counts.cooccurrence.add_pairs", None)
    again = cooccurrence(corpus, corpus.vocabulary(), 3, threads=1)
    assert_canonical(again, len(corpus.vocabulary()))
    assert (again != first).nnz == 0
    assert (cooccurrence(corpus, corpus.vocabulary(), 4) != other).nnz == 0
    with pytest.raises(TypeError):
        cooccurrence(corpus, corpus.vocabulary(4), 3)


def test_no_setting_is_given_the_counts_of_another(tmp_path: Path) -> None:
    """Two corpora with two vocabularies each in one folder, compared with the double loop."""
    corpora = [
        dataclasses.replace(random_corpus(seed, sentences=15), folder=tmp_path) for seed in (1, 2)
    ]
    settings = [(window, "harmonic", both) for window in (2, 3) for both in (True, False)]
    settings += [(2, weighting, True) for weighting in WEIGHTINGS if weighting != "harmonic"]
    for setting in settings:
        for corpus in corpora:
            for least in (1, 3):
                vocabulary = corpus.vocabulary(least)
                matrix = cooccurrence(corpus, vocabulary, *setting)
                expected = dense(
                    naive_counts(sentences_of(corpus), len(vocabulary), *setting), len(vocabulary)
                )
                np.testing.assert_allclose(matrix.toarray(), expected, rtol=1e-12)
    # Settings that differ in one value only, one right after the other.
    for setting in (
        (2, "linear", True),
        (2, "linear", False),
        (3, "linear", False),
        (3, "fixed", False),
    ):
        matrix = cooccurrence(corpora[0], corpora[0].vocabulary(), *setting)
        size = matrix.shape[0]
        expected = dense(naive_counts(sentences_of(corpora[0]), size, *setting), size)
        np.testing.assert_allclose(matrix.toarray(), expected, rtol=1e-12)


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "other"])
def test_a_damaged_file_is_counted_again(tmp_path: Path, damage: str) -> None:
    corpus = store_corpus(tmp_path)
    first = cooccurrence(corpus, corpus.vocabulary(), 3)
    (path,) = tmp_path.glob("counts-*.npz")
    whole = bytearray(path.read_bytes())
    if damage == "empty":
        whole = bytearray()
    elif damage == "cut":
        del whole[len(whole) // 2 :]
    elif damage == "changed":
        whole[len(whole) // 2] ^= 0xFF
    else:
        whole = bytearray(b"\x93NUMPY not what it says")
    path.write_bytes(whole)
    again = cooccurrence(corpus, corpus.vocabulary(), 3)
    assert (again != first).nnz == 0
    assert path.read_bytes() != bytes(whole)


def test_only_the_last_files_are_kept(tmp_path: Path) -> None:
    corpus = store_corpus(tmp_path)
    paths: list[Path] = []
    for window in range(1, 10):
        cooccurrence(corpus, corpus.vocabulary(), window)
        (new,) = set(tmp_path.glob("counts-*.npz")) - set(paths)
        # Increasing times, however coarse the file system’s clock is.
        os.utime(new, (1000.0 + window, 1000.0 + window))
        paths.append(new)
        assert set(tmp_path.glob("counts-*.npz")) == set(paths[-6:])
    # Reading counts again makes them the most recent, so the next counts replace others.
    cooccurrence(corpus, corpus.vocabulary(), 4)
    cooccurrence(corpus, corpus.vocabulary(), 10)
    remaining_paths = set(tmp_path.glob("counts-*.npz"))
    assert len(remaining_paths) == 6
    assert remaining_paths & set(paths) == {paths[3], *paths[5:]}


def test_a_deleted_folder_does_no_harm(tmp_path: Path) -> None:
    corpus = store_corpus(tmp_path / "gone")
    assert cooccurrence(corpus, corpus.vocabulary(), 3).nnz > 0


# -- estimates


def test_the_estimate_of_cells_is_that_of_independent_words() -> None:
    random = np.random.default_rng(1)
    share = 1.0 / np.arange(1, 301)
    share /= share.sum()
    corpus = make_corpus([[f"w{word}" for word in random.choice(300, 20_000, p=share)]])
    vocabulary = corpus.vocabulary()
    cells = cooccurrence(corpus, vocabulary, 2).nnz
    # symmetric: both sides of a pair are counted at once, while the estimate assumes two chances
    assert expected_cells(vocabulary, 4) == pytest.approx(cells, rel=0.03)
    first = cooccurrence(corpus, vocabulary, 2)[:40].nnz
    assert expected_cells(vocabulary, 4, 40) == pytest.approx(first, rel=0.03)


def test_the_estimate_of_memory_grows() -> None:
    counts = np.sort(np.random.default_rng(1).zipf(1.3, 5000).clip(max=10**7))[::-1].astype(
        np.int64
    )
    corpus = dataclasses.replace(random_corpus(), ids=np.zeros(1000, dtype=np.int32))
    vocabulary = Vocabulary([str(i) for i in range(5000)], counts)
    smaller, larger = (estimate_bytes(corpus, vocabulary, window) for window in (2, 10))
    assert 0 < smaller < larger
    assert estimate_bytes(corpus, vocabulary, 10, symmetric=False) < larger
