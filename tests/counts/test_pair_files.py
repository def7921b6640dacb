"""Files of pairs: what they contain, and one sentence for each that is wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import io

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts import pair_files
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.formats import CountTable, save_counts
from workbench.counts.pair_files import base as pair_base
from workbench.counts.pair_files import has_pairs, open_counts_or_pairs, open_pairs

WANTED = {("eat", "dog/subj"): 3.0, ("eat", "bone/obj"): 2.5, ("run", "dog/subj"): 4.0}


def cells_of(corpus: CountedCorpus) -> dict[tuple[str, str], float]:
    contexts = corpus.words if corpus.own_contexts is None else corpus.own_contexts
    cells = corpus.shards.to_csr().tocoo()
    return {
        (corpus.words[row], contexts[column]): float(value)
        for row, column, value in zip(cells.row, cells.col, cells.data, strict=True)
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.tsv", "eat\tdog/subj\t3\neat\tbone/obj\t2.5\nrun\tdog/subj\t4\n"),
        (
            "titled.tsv",
            "word\tcontext\tn\tx\neat\tdog/subj\t3\t\neat\tbone/obj\t2.5\t\nrun\tdog/subj\t4\t9\n",
        ),
        ("spaces.txt", "eat dog/subj 3\n\neat bone/obj 2.5\nrun dog/subj 4"),
        ("first.txt", "3 eat dog/subj\n2.5 eat bone/obj\n4 run dog/subj\n"),
        (
            "equal.tsv",
            "run\tdog/subj\t1\neat\tdog/subj\t3\nrun\tdog/subj\t3\neat\tbone/obj\t2.5\neat\tbone/obj\t0\n",
        ),
        ("quoted.csv", '"eat","dog/subj",3\r\neat,bone/obj,2.5\r\nrun,dog/subj,4\r\n'),
        (
            "mark.csv",
            "\ufeffWord,Context,Count\neat,dog/subj,3\neat,bone/obj,2.5\nrun,dog/subj,4\n",
        ),
    ],
)
def test_tables(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8", newline="")

    corpus = open_pairs(path)

    assert cells_of(corpus) == WANTED
    assert corpus.name == path.stem
    assert sorted(corpus.words) == ["eat", "run"]
    assert list(corpus.own_contexts or ()) == ["dog/subj", "bone/obj"]
    assert dict(zip(corpus.words, corpus.counts.tolist(), strict=True)) == {"eat": 6, "run": 4}


def test_contexts_are_words_if_both_lists_are_equal(tmp_path: Path) -> None:
    path = tmp_path / "both.tsv"
    path.write_text("a\tb\t2\nb\ta\t2\nb\tb\t5\n", "utf-8")

    corpus = open_pairs(path)

    assert corpus.own_contexts is None
    assert corpus.counting["symmetric"]
    assert cells_of(corpus) == {("a", "b"): 2.0, ("b", "a"): 2.0, ("b", "b"): 5.0}


def test_one_direction_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "after.tsv"
    path.write_text("a\tb\t2\nb\ta\t1\n", "utf-8")

    assert open_pairs(path).counting["symmetric"] is False


def test_a_written_table_is_read_again(tmp_path: Path) -> None:
    matrix = sp.csr_matrix(np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 0.0], [1.0, 0.0, 4.0]]))
    counted = CountTable(matrix, ("a", "b", "c"), np.array([9, 5, 2]))
    for name in ("pairs.tsv", "pairs.csv", "pairs.bin"):
        save_counts(counted, tmp_path / name)

        corpus = open_pairs(tmp_path / name)

        found = cells_of(corpus)
        assert found == {
            (("a", "b", "c")[row], ("a", "b", "c")[column]): value
            for row, column, value in zip(*sp.find(matrix), strict=True)
        }
        assert has_pairs(tmp_path / name)
    assert corpus.counts.tolist() == [9, 5, 2]


def write_market(folder: Path, *, contexts: bool = True) -> Path:
    path = folder / "deps.mtx"
    io.mmwrite(str(path), sp.coo_matrix(np.array([[3.0, 2.5], [4.0, 0.0]])))
    (folder / "deps.words.txt").write_text("eat\nrun\n", "utf-8")
    if contexts:
        (folder / "deps.contexts.txt").write_text("dog/subj\nbone/obj\n", "utf-8")
    return path


def test_matrix_market(tmp_path: Path) -> None:
    path = write_market(tmp_path)

    corpus = open_pairs(path)

    assert cells_of(corpus) == WANTED
    assert has_pairs(path)


def test_matrix_market_without_contexts_has_words(tmp_path: Path) -> None:
    corpus = open_pairs(write_market(tmp_path, contexts=False))

    assert corpus.own_contexts is None
    assert cells_of(corpus) == {("eat", "eat"): 3.0, ("eat", "run"): 2.5, ("run", "eat"): 4.0}


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plain.tsv"
    path.write_text("eat\tdog/subj\t3\n", "utf-8")
    first = open_pairs(path)
    monkeypatch.setattr(pair_files, "read_table", lambda *_: pytest.fail("read again"))

    again = open_counts_or_pairs(path)

    assert again.digest == first.digest
    assert again.shards.folder == first.shards.folder
    assert open_counts(first.shards.folder).own_contexts == ("dog/subj",)


def test_a_changed_list_is_read_again(tmp_path: Path) -> None:
    path = write_market(tmp_path)
    before = open_pairs(path)
    (tmp_path / "deps.contexts.txt").write_text("cat/subj\nbone/obj\n", "utf-8")

    after = open_pairs(path)

    assert "cat/subj" in (after.own_contexts or ())
    assert after.digest != before.digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("eat\tdog\n", "line 1: the count is missing"),
        ("eat\tdog\t1\neat\tdog\n", "line 2: the count is missing"),
        ("eat\tdog\t1\neat\tdog\t1\t2\n", "line 2: there are 4 columns"),
        ("eat\n", "line 1: there are 1 columns"),
        ("eat\tdog\t1\nrun\tdog\t-3\n", "line 2: the count must be a number"),
        ("eat\tdog\t1\nrun\tdog\tnan\n", "line 2: the count must be a number"),
        ("eat\tdog\t1\nrun\tdog\tinf\n", "line 2: the count must be a number"),
        ("eat\tdog\t1\nrun\tdog\tmany\n", "line 2: the count must be a number"),
        ("eat\tdog\t1\n\tdog\t2\n", "line 2: a word or a context is empty"),
        ("", "contains no pairs"),
        ("word\tcontext\tcount\n", "contains no pairs"),
        ("eat\tdog\t0\n", "contains no pairs"),
    ],
)
def test_wrong_tables(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.tsv"
    path.write_text(text, "utf-8")

    with pytest.raises(UserError, match=message) as caught:
        open_pairs(path)

    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "latin.tsv"
    path.write_bytes("a\tb\t1\né\tb\t1\n".encode("latin-1"))

    with pytest.raises(UserError, match="UTF-8"):
        open_pairs(path)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for name in ("none.tsv", "none.mtx", "none.bin"):
        with pytest.raises(UserError, match="none"):
            open_pairs(tmp_path / name)
    assert not has_pairs(tmp_path)
    assert not has_pairs(tmp_path / "none.mtx")


def test_a_file_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.tsv"
    path.write_text("eat\tdog\t1\n" * 1000, "utf-8")
    monkeypatch.setattr(pair_base, "free_memory", lambda: 10_000)

    with pytest.raises(UserError, match="Not enough memory"):
        open_pairs(path)


@pytest.mark.parametrize(
    ("words", "contexts", "message"),
    [
        ("eat\n", "a\nb\n", "has 1 lines, but deps.mtx has 2 rows"),
        ("eat\nrun\n", "a\nb\nc\n", "has 3 lines, but deps.mtx has 2 columns"),
        ("eat\neat\n", "a\nb\n", "“eat” is in lines 1 and 2"),
        ("eat\n\nrun\n", "a\nb\n", "has 3 lines"),
    ],
)
def test_wrong_lists(words: str, contexts: str, message: str, tmp_path: Path) -> None:
    path = write_market(tmp_path)
    (tmp_path / "deps.words.txt").write_text(words, "utf-8")
    (tmp_path / "deps.contexts.txt").write_text(contexts, "utf-8")

    with pytest.raises(UserError, match=message):
        open_pairs(path)


@pytest.mark.parametrize(
    "text",
    [
        "eat dog 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 99999999999\n1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 -1\n",
        "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 1\n",
        "%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n1\n",
    ],
)
def test_wrong_matrix_market(text: str, tmp_path: Path) -> None:
    path = write_market(tmp_path)
    path.write_text(text, "utf-8")

    with pytest.raises(UserError, match=r"deps\.mtx"):
        open_pairs(path)


def test_lists_that_are_missing(tmp_path: Path) -> None:
    path = write_market(tmp_path)
    (tmp_path / "deps.words.txt").unlink()
    with pytest.raises(UserError, match="list of words"):
        open_pairs(path)
    io.mmwrite(str(path), sp.coo_matrix(np.ones((2, 3))))
    (tmp_path / "deps.words.txt").write_text("eat\nrun\n", "utf-8")
    (tmp_path / "deps.contexts.txt").unlink()
    with pytest.raises(UserError, match="list of contexts"):
        open_pairs(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (struct.pack("<iid", 1, 2, 3.0)[:-1], "16 bytes"),
        (b"", "16 bytes"),
        (struct.pack("<iid", 1, 3, 3.0), "names word 3"),
        (struct.pack("<iid", 0, 1, 3.0), "names word 0"),
        (struct.pack("<iid", 1, 2, -3.0), "negative"),
        (struct.pack("<iid", 1, 2, float("nan")), "negative"),
    ],
)
def test_wrong_glove_cells(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("the 5\ndog 2\n", "utf-8")
    path = tmp_path / "cooccurrence.bin"
    path.write_bytes(content)

    with pytest.raises(UserError, match=message):
        open_pairs(path)


def test_glove_cells_need_a_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "cooccurrence.bin"
    path.write_bytes(struct.pack("<iid", 1, 2, 3.0))

    assert not has_pairs(path)
    with pytest.raises(UserError, match="vocabulary"):
        open_pairs(path)
    (tmp_path / "vocab.txt").write_text("the 5\ndog two\n", "utf-8")
    with pytest.raises(UserError, match="line 2"):
        open_pairs(path)


def test_texts_have_no_pairs(tmp_path: Path) -> None:
    for name, text in (("a.txt", "the dog barks\n"), ("b.tsv", "id\ttext\tn\n1\tword\t2\n")):
        (tmp_path / name).write_text(text, "utf-8")

        assert not has_pairs(tmp_path / name)


def test_cancelling_leaves_nothing(tmp_path: Path) -> None:
    from workbench.core.errors import Cancelled

    path = tmp_path / "plain.tsv"
    path.write_text("eat\tdog/subj\t3\n", "utf-8")
    run = JobControl()
    run.cancel()

    with pytest.raises(Cancelled):
        open_pairs(path, run)

    assert open_pairs(path).words == ("eat",)
