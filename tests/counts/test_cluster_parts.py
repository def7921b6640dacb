"""A corpus counted in parts gives the same counts, however it is cut and whoever reads it. No
cluster is started here.
"""

from __future__ import annotations

import gzip
import os
import random
import sys
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from reference.naive_counts import naive_counts

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.counts.cluster import ClusterParams, CountWindowParams, connect, plan, tasks
from workbench.counts.cluster.count_part import PartCounting
from workbench.counts.cluster.inputs import Input, found_inputs
from workbench.counts.cluster.partial_counts import (
    PartialCount,
    pack,
    read_piece,
    sum_matrices,
    unpack,
    write_pieces,
)
from workbench.counts.cluster.pipeline import count
from workbench.counts.cluster.row_ranges import ranges_of, row_cells
from workbench.counts.cluster.shard_plan import inline_word_lists
from workbench.counts.cluster.splits import MOST_PARTS, NotAsItBegan, TextSplit, divide
from workbench.counts.cluster.tasks import Refused
from workbench.counts.cluster.vocabulary import merge_tables, pack_words, rank_table, table_of
from workbench.counts.cooccurrence import cooccurrence, expected_cells
from workbench.counts.counts_corpus import PARTED, counted_remarks

WORDS = [
    "the",
    "The",
    "don't",
    "é",
    "Ärger",
    "日本",
    "x1",
    "42",
    "ΑΣ",
    "a",
    "b",
    "c",
    "naïve",
    "\u2028",
    "ß",
]
ENDS = ["\n", "\n", "\n", "\r\n", "\n\n", "\r", "\n \t\r\n", ".\n", "! ", "\n\n\n"]


def text_of(seed: int, words: int = 400) -> str:
    """Words, some separated by characters that may end a line, paragraph or sentence."""
    rng = random.Random(seed)
    parts = []
    for _ in range(words):
        parts += [rng.choice(WORDS), rng.choice(ENDS) if rng.random() < 0.2 else " "]
    return "".join(parts)


def parts_of(paths: Sequence[Path], options: CorpusOptions, size: int) -> tuple[TextSplit, ...]:
    """Cut texts finely, but leave files whole that must not be cut, as ``count`` does."""
    whole: set[str] = set()
    while True:
        parts = divide(found_inputs(paths, options), options, size, JobControl(), whole)
        try:
            for part in parts:
                tasks.table_of_part(part, options)
            return parts
        except NotAsItBegan as error:
            whole.add(error.path)


def assert_same(
    paths: Sequence[Path],
    options: CorpusOptions,
    size: int,
    counting: CountWindowParams,
    folder: Path,
    budget: int = 1 << 20,
) -> int:
    """Check that counts from parts equal those of the whole corpus; returns the number of parts."""
    corpus = open_corpus(paths, options)
    options = inline_word_lists(options)
    parts = parts_of(paths, options, size)
    table = tasks.added_tables([tasks.table_of_part(part, options) for part in parts])
    ranking = tasks.ranked_words(table, counting.min_count, counting.max_vocab)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    assert list(ranking.words) == list(vocabulary.words)
    assert ranking.counts.tolist() == vocabulary.counts.tolist()
    assert (ranking.types, ranking.tokens) == (corpus.types, corpus.tokens)
    assert (ranking.cut_words, ranking.most) == (
        corpus.metadata["cut_words"],
        int(corpus.counts.max()),
    )

    window, weighting, symmetric = counting.window, counting.window_weighting, counting.symmetric
    expected = cooccurrence(corpus, vocabulary, window, weighting, symmetric)
    cells = row_cells(ranking.counts, float(ranking.counts.sum()), 2 * window)
    bounds = ranges_of(cells, 60)
    how = PartCounting(window, weighting, symmetric, bounds, budget)
    words = pack_words(ranking.words)
    receipts = [tasks.spilled_part(part, options, words, how, str(folder)) for part in parts]
    piece_lists = [tasks.carried_part(part, options, words, how) for part in parts]
    divisor = (
        1.0
        if weighting in ("fixed", "linear")
        else {2: 2.0, 5: 60.0 if weighting == "harmonic" else 5.0}[window]
    )
    for number, (first, last) in enumerate(pairwise(bounds.tolist())):
        shape = (last - first, len(vocabulary))
        from_files = [(receipt.pieces[number], receipt.path) for receipt in receipts]
        in_memory = [tasks.take_piece(pieces, number) for pieces in piece_lists]
        for pieces in (from_files, in_memory):
            rows = tasks.added_range(pieces, shape, divisor)
            assert rows.has_canonical_format
            assert (rows != expected[first:last]).nnz == 0
    return len(parts)


@pytest.mark.parametrize("sentences", ["lines", "paragraphs", "punctuation"])
@pytest.mark.parametrize("tokeniser", ["words", "whitespace", "regex"])
def test_texts_can_be_cut_anywhere(tmp_path: Path, sentences: str, tokeniser: str) -> None:
    options = CorpusOptions(sentences=sentences, tokeniser=tokeniser)
    counting = CountWindowParams(min_count=3, window=2)
    parts = 0
    for seed in range(3):
        path = tmp_path / f"{seed}.txt"
        path.write_bytes(b"\xef\xbb\xbf" * (seed % 2) + text_of(seed, 150).encode())
        for size in (13, 150):
            parts += assert_same([path], options, size, counting, tmp_path)
    assert parts > 40


def test_a_text_that_was_changed_since_is_refused_whatever_its_size(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("the king saw the queen\n" * 20)
    (part,) = parts_of([path], CorpusOptions(), 1 << 20)
    status = path.stat()
    for text in ("the queen saw the king\n" * 20, "the king\n"):
        path.write_text(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + (len(text) == status.st_size)))
        with pytest.raises(Refused, match=r"text\.txt changed while it was counted"):
            tasks.table_of_part(part, CorpusOptions())


def test_words_too_long_are_counted_in_all_parts(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("\n".join(f"the {'x' * (5000 + number)} of a" for number in range(6)) + "\n")
    assert (
        assert_same(
            [path], CorpusOptions(), 6000, CountWindowParams(min_count=1, window=2), tmp_path
        )
        > 3
    )
    assert open_corpus([path]).metadata["cut_words"] == 6


@pytest.mark.parametrize("weighting", ["dynamic", "fixed", "harmonic", "linear"])
@pytest.mark.parametrize("symmetric", [True, False])
def test_weightings_against_the_double_loop(
    tmp_path: Path, weighting: str, symmetric: bool
) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text_of(7), encoding="utf-8")
    counting = CountWindowParams(
        min_count=2, window=5, window_weighting=weighting, symmetric=symmetric
    )
    # The budget is only enough for a few rows, so each part is read in several passes.
    assert_same([path], CorpusOptions(), 1000, counting, tmp_path, budget=3000)
    corpus = open_corpus([path])
    sentences = [corpus.ids[a:b].tolist() for a, b in pairwise(corpus.sentences.tolist())]
    vocabulary = corpus.vocabulary(2)
    naive = naive_counts(sentences, len(vocabulary), 5, weighting, symmetric)
    matrix = cooccurrence(corpus, vocabulary, 5, weighting, symmetric)
    assert {
        cell: pytest.approx(count, rel=1e-12) for cell, count in naive.items() if count
    } == dict(zip(zip(*matrix.nonzero(), strict=True), matrix.data.tolist(), strict=True))


def test_all_filters_of_tokens_apply(tmp_path: Path) -> None:
    (tmp_path / "stop.txt").write_text("the\nb\n")
    path = tmp_path / "text.txt"
    path.write_text(text_of(3), encoding="utf-8")
    options = CorpusOptions(
        strip_accents=True,
        numbers="token",
        stop_words=f"@{tmp_path / 'stop.txt'}",
        unicode_form="NFKC",
        min_length=1,
    )
    assert assert_same([path], options, 150, CountWindowParams(min_count=2, window=2), tmp_path) > 5
    # Word lists in files are sent as words, so workers don’t need the file.
    assert inline_word_lists(options).stop_words == "the b"


def test_whole_folders_of_all_kinds(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(text_of(1), encoding="utf-8")
    with gzip.open(folder / "b.txt.gz", "wt", encoding="utf-8") as file:
        file.write(text_of(2))
    with zipfile.ZipFile(folder / "c.zip", "w") as archive:
        archive.writestr("one.txt", text_of(3))
        archive.writestr("two.txt", text_of(4))
    (folder / "d.txt").write_text(text_of(5), encoding="utf-16")
    (folder / "e.csv").write_text("name,text\n1,the don't a\n2,b c\n" * 20, encoding="utf-8")
    (folder / "f.txt").write_text("")
    (folder / "g.txt").write_text("the a b " * 500)
    for size in (700, 1 << 20):
        assert_same(
            [folder], CorpusOptions(), size, CountWindowParams(min_count=2, window=2), tmp_path
        )
    parts = divide(found_inputs([folder], CorpusOptions()), CorpusOptions(), 3000, JobControl())
    assert [part.number for part in parts] == list(range(len(parts)))
    # Small files share a part; a file with only one line is not cut.
    assert (
        len(divide(found_inputs([folder], CorpusOptions()), CorpusOptions(), 1 << 20, JobControl()))
        == 1
    )
    assert sum(each.input.shown.endswith("g.txt") for part in parts for each in part.stretches) == 1


def test_sentences_without_end_are_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text_of(1), encoding="utf-8")
    options = CorpusOptions(sentences="none")
    assert (
        assert_same([path], options, 100, CountWindowParams(min_count=2, window=2), tmp_path) == 1
    )


def test_encodings_found_out_late(tmp_path: Path) -> None:
    """ASCII at the start and another encoding later, or UTF-8 with invalid bytes."""
    plain = "the a b c\n" * 9000
    old = tmp_path / "old.txt"
    old.write_bytes(
        plain.encode() + "Ärger über Übel, größer als größte Öfen\n".encode("cp1252") * 300
    )
    mixed_file = tmp_path / "torn.txt"
    mixed_file.write_bytes(
        "é a b\n".encode() * 200 + b"the \xff\xfe a\n" + "é a c\n".encode() * 200
    )
    counting = CountWindowParams(min_count=2, window=2)
    assert assert_same([old], CorpusOptions(), 20_000, counting, tmp_path) == 1
    assert assert_same([mixed_file], CorpusOptions(), 300, counting, tmp_path) > 5
    assert assert_same([old, mixed_file], CorpusOptions(), 20_000, counting, tmp_path) > 1


def test_addresses(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/books/one.txt", text_of(1).encode())
    memory.pipe("/books/deep/two.txt", text_of(2).encode())
    memory.pipe("/books/.hidden.txt", b"never never")
    memory.pipe("/books/picture.png", b"never never")
    (tmp_path / "one.txt").write_text(text_of(1), encoding="utf-8", newline="")
    try:
        for address, names in (
            ("memory://books", ["deep/two.txt", "one.txt"]),
            ("memory://books/*.txt", [".hidden.txt", "one.txt"]),
            ("memory://books/one.txt", ["one.txt"]),
        ):
            assert sorted(each.shown for each in found_inputs([address], CorpusOptions())) == names
        parts = parts_of(["memory://books/one.txt"], CorpusOptions(), 200)
        assert len(parts) > 3
        table = tasks.added_tables([tasks.table_of_part(part, CorpusOptions()) for part in parts])
        corpus = open_corpus([tmp_path / "one.txt"])
        assert dict(zip(table.words, table.counts.tolist(), strict=True)) == dict(
            zip(corpus.words, corpus.counts.tolist(), strict=True)
        )
        for wrong in ("memory://books/none.txt", "memory://books/*.tex", "nonesuch://books"):
            with pytest.raises(
                UserError, match="Nothing was found at|No text was found at|Couldn’t open"
            ):
                found_inputs([wrong], CorpusOptions())
    finally:
        memory.rm("/books", recursive=True)


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The file or folder"):
        found_inputs([tmp_path / "none.txt"], CorpusOptions())
    path = tmp_path / "text.txt"
    path.write_text("a b\n" * 100)
    (part,) = divide(found_inputs([path], CorpusOptions()), CorpusOptions(), 1 << 20, JobControl())
    path.write_text("a b c\n" * 100)
    with pytest.raises(tasks.Refused, match="changed while"):
        tasks.table_of_part(part, CorpusOptions())
    path.unlink()
    with pytest.raises(tasks.Refused, match="A worker can’t find"):
        tasks.table_of_part(part, CorpusOptions())
    path.write_bytes(b"a b\n" * 20_000 + b"\0\n" + b"a b\n" * 100)
    parts = divide(found_inputs([path], CorpusOptions()), CorpusOptions(), 8000, JobControl())
    with pytest.raises(tasks.Refused, match="isn’t text but"):
        tasks.table_of_part(parts[-1], CorpusOptions())


# -- pieces


def random_rows(seed: int, rows: int = 7, columns: int = 50) -> sp.csr_matrix:
    matrix = sp.random(rows, columns, 0.2, format="csr", random_state=seed, dtype=np.float64)
    matrix.sort_indices()
    if seed % 2:
        matrix.data[:] = np.ceil(1000 * matrix.data)
    return matrix


def test_pieces_are_read_as_they_were_written(tmp_path: Path) -> None:
    matrices = [random_rows(1), random_rows(2), sp.csr_matrix((7, 50)), random_rows(3)]
    receipt = write_pieces(tmp_path / "1.cells", iter(matrices), 12)
    whole = (tmp_path / "1.cells").read_bytes()
    # Counting a part again writes the same file.
    assert write_pieces(tmp_path / "1.cells", iter(matrices), 12) == receipt
    assert (tmp_path / "1.cells").read_bytes() == whole
    for piece, matrix in zip(receipt.pieces, matrices, strict=True):
        assert (read_piece(receipt.path, piece, 7, 50) != matrix).nnz == 0
        assert (unpack(*pack(matrix), 7, 50) != matrix).nnz == 0
    assert [piece.single for piece in receipt.pieces] == [True, False, True, True]
    assert list(tmp_path.iterdir()) == [tmp_path / "1.cells"]


def test_damaged_and_missing_pieces_are_reported(tmp_path: Path) -> None:
    receipt = write_pieces(tmp_path / "1.cells", [random_rows(1)], 1)
    (piece,) = receipt.pieces
    whole = bytearray((tmp_path / "1.cells").read_bytes())
    whole[-1] ^= 1
    (tmp_path / "1.cells").write_bytes(whole)
    with pytest.raises(UserError, match="Some partial counts are corrupt"):
        read_piece(receipt.path, piece, 7, 50)
    (tmp_path / "1.cells").write_bytes(whole[:-1])
    with pytest.raises(UserError, match="Some partial counts are corrupt"):
        read_piece(receipt.path, piece, 7, 50)
    (tmp_path / "1.cells").unlink()
    with pytest.raises(UserError, match="Couldn’t read the partial counts"):
        read_piece(receipt.path, piece, 7, 50)
    with pytest.raises(UserError, match="Couldn’t write"):
        write_pieces(tmp_path / "none" / "1.cells", [random_rows(1)], 1)


def test_incomplete_files_of_pieces_are_refused(tmp_path: Path) -> None:
    def matrices():
        yield random_rows(1)
        raise Cancelled

    with pytest.raises(Cancelled):
        write_pieces(tmp_path / "1.cells", matrices(), 1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [1, 2, 3, 7, 16, 21])
def test_sums(number: int) -> None:
    matrices = [random_rows(2 * seed + 1) for seed in range(number)]
    total = sum_matrices(iter(matrices))
    assert (
        total.toarray().tolist()
        == np.sum([matrix.toarray() for matrix in matrices], axis=0).tolist()
    )
    assert total.has_canonical_format


# -- ranges


def test_ranges_hold_every_row_once() -> None:
    cells = np.random.default_rng(1).integers(0, 100, 200).astype(float)
    for most in (0.0, 1.0, 50.0, 1000.0, 1e9):
        bounds = ranges_of(cells, most)
        assert bounds[0] == 0
        assert bounds[-1] == 200
        assert (np.diff(bounds) > 0).all()
        assert all(cells[a:b].sum() <= most or b - a == 1 for a, b in pairwise(bounds.tolist()))


def test_cells_by_row_are_those_of_the_estimate(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text_of(5), encoding="utf-8")
    vocabulary = open_corpus([path]).vocabulary()
    rows = row_cells(vocabulary.counts, float(vocabulary.tokens), 10)
    # A row has no more cells than its word has neighbours, a limit that the total ignores.
    assert rows.sum() <= expected_cells(vocabulary, 10) * (1 + 1e-9)
    assert rows.sum() > 0.7 * expected_cells(vocabulary, 10)


# -- the plan


def test_plan_of_a_small_text_knows_its_words(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text_of(5), encoding="utf-8")
    corpus = open_corpus([path])
    cluster_plan = plan([path], None, CountWindowParams(min_count=3), ClusterParams(workers=2))
    assert cluster_plan.exact
    assert (cluster_plan.files, cluster_plan.bytes, cluster_plan.partitions) == (
        1,
        path.stat().st_size,
        1,
    )
    assert (cluster_plan.tokens, cluster_plan.types) == (corpus.tokens, corpus.types)
    assert cluster_plan.words == len(corpus.vocabulary(3))
    assert cluster_plan.workers == 2
    assert cluster_plan.warnings
    assert all(isinstance(label, str) and text for label, text in cluster_plan.rows())


def test_plan_of_a_large_text_is_near(tmp_path: Path) -> None:
    """Words by Zipf’s law, so that a sample describes the whole text."""
    rng = np.random.default_rng(1)
    share = 1.0 / np.arange(3, 30_003)
    tokens = rng.choice(30_000, 1_600_000, p=share / share.sum())
    path = tmp_path / "text.txt"
    path.write_text(
        "\n".join(
            " ".join(f"w{token}" for token in tokens[at : at + 40])
            for at in range(0, 1_600_000, 40)
        )
    )
    corpus = open_corpus([path])
    vocabulary = corpus.vocabulary(5)
    cluster_plan = plan(
        [path], None, None, ClusterParams(partition=1.0, workers=2, worker_memory=1000)
    )
    assert not cluster_plan.exact
    assert cluster_plan.partitions == -(-path.stat().st_size // (1 << 20))
    assert cluster_plan.tokens == pytest.approx(corpus.tokens, rel=0.05)
    assert cluster_plan.words == pytest.approx(len(vocabulary), rel=0.3)
    assert cluster_plan.cells == pytest.approx(cooccurrence(corpus, vocabulary).nnz, rel=0.3)
    assert cluster_plan.shuffle > cluster_plan.cells * 8
    assert cluster_plan.seconds == pytest.approx(cluster_plan.worker_seconds / 2)
    assert cluster_plan.offered == 1000 << 20


def test_plans_refuse_what_counts_refuse(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("...\n")
    for paths, options, message in (
        ([path], None, "no words"),
        ([tmp_path / "none"], None, "The file or folder"),
        ([path], CorpusOptions(phrases=1), "Phrases"),
    ):
        with pytest.raises(UserError, match=message):
            plan(paths, options)
    run = JobControl()
    run.cancel()
    path.write_text("a b\n")
    with pytest.raises(Cancelled):
        plan([path], run=run)


# -- missing packages


def test_missing_packages_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"dask and distributed.*pip.* install"):
        connect()
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UserError, match=r"fsspec.*pip.* install"):
        plan(["s3://bucket/text.txt"])
    path = tmp_path / "text.txt"
    path.write_text("a b\n")
    with pytest.raises(UserError, match="dask"):
        count([path], tmp_path / "out", counting=CountWindowParams(min_count=1))
    assert plan([path]).tokens == 2


def test_pieces_hold_no_more_than_they_say() -> None:
    piece, data = pack(sp.csr_matrix((3, 4)))
    assert (piece, data) == (PartialCount(0, 0, True, 0), b"")
    assert unpack(piece, data, 3, 4).shape == (3, 4)


@pytest.mark.parametrize(("size", "least"), [(1 << 20, "0.000020"), (3 << 30, "0.062")])
def test_too_many_parts_are_refused_with_a_size_that_suffices(size: int, least: str) -> None:
    given = Input("/texts/large.txt", "large.txt", size, 0, True)
    with pytest.raises(UserError) as raised:
        divide([given], CorpusOptions(), 1, JobControl())
    assert f"{size:,} partitions, but the maximum is 50,000" in str(raised.value)
    assert f"at least {least} MB" in raised.value.hint
    assert size / (float(least) * 2**20) <= MOST_PARTS


def test_words_that_hyphens_cut_are_reported() -> None:
    options = CorpusOptions(sentences="punctuation")
    tables = []
    for text in (b"The vege-\ntables and the tea-\npot.", b"Vegetables are in teapots."):
        numbering = Numbering(options)
        list(numbering.feed(text))
        list(numbering.feed(b"", final=True))
        tables.append(table_of(numbering, options, JobControl()))
    ranked = rank_table(merge_tables(tables), 1, 0)
    assert ranked.parted == 1
    assert "1 word that hyphens" in " ".join(counted_remarks({"corpus": {PARTED: ranked.parted}}))
    assert counted_remarks({"corpus": {}}) == []
