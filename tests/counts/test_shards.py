"""Counts in a folder can be read again, whole or in parts, and damage is reported."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions, Vocabulary
from workbench.counts import shard_files
from workbench.counts.shards import (
    ShardedCounts,
    finish,
    is_sharded,
    prepare,
    shard_csr,
    write_shard,
    write_shards,
)

METADATA = {
    "weighting": "dynamic",
    "window": 5,
    "symmetric": True,
    "divisor": 5.0,
    "corpus": {"name": "made"},
}


def make_counts(
    size: int = 40, density: float = 0.2, whole: bool = False
) -> tuple[sp.csr_matrix, Vocabulary]:
    random = np.random.default_rng(3)
    matrix = sp.random(size, size, density, format="csr", random_state=random, dtype=np.float64)
    if whole:
        matrix.data[:] = np.ceil(100 * matrix.data)
    matrix.sort_indices()
    words = [f"wörd{number}" for number in range(size - 2)] + ["\u2028", "ß\x85"]
    return matrix, Vocabulary(
        words, np.arange(2 * size, size, -1, dtype=np.int64), CorpusOptions(lowercase=False)
    )


def write(
    folder: Path, cells: int = 50, whole: bool = False
) -> tuple[ShardedCounts, sp.csr_matrix]:
    matrix, vocabulary = make_counts(whole=whole)
    return write_shards(folder, shard_csr(matrix, cells), vocabulary, METADATA), matrix


@pytest.mark.parametrize("cells", [1, 50, 10_000])
@pytest.mark.parametrize("whole", [False, True])
def test_shards_round_trip(tmp_path: Path, cells: int, whole: bool) -> None:
    write(tmp_path / "counts", cells, whole)
    shards = ShardedCounts.open(tmp_path / "counts")
    matrix, vocabulary = make_counts(whole=whole)
    assert shards.shape == matrix.shape
    assert shards.nnz == matrix.nnz
    assert list(shards.vocabulary.words) == list(vocabulary.words)
    assert shards.vocabulary.counts.tolist() == vocabulary.counts.tolist()
    assert shards.vocabulary.options == vocabulary.options
    assert shards.metadata == METADATA
    assert (abs(shards.to_csr() - matrix)).nnz == 0
    for number, shard in enumerate(shards.shards):
        rows = shards.rows(number)
        assert (abs(rows - matrix[shard.first : shard.last])).nnz == 0
        assert rows.data.dtype == (np.float32 if whole else np.float64)
        assert shard.cells <= max(cells, rows.indptr[1])
        assert not rows.data.flags.writeable
    np.testing.assert_allclose(
        shards.row_sums(), np.asarray(matrix.sum(axis=1)).ravel(), rtol=1e-12
    )
    np.testing.assert_allclose(
        shards.column_sums(), np.asarray(matrix.sum(axis=0)).ravel(), rtol=1e-12
    )
    assert shards.total == pytest.approx(matrix.sum(), rel=1e-12)
    shards.verify()


def test_empty_rows_and_no_cells_at_all(tmp_path: Path) -> None:
    vocabulary = Vocabulary(["a", "b", "c"], np.array([3, 2, 1]))
    shards = write_shards(tmp_path / "none", shard_csr(sp.csr_matrix((3, 3))), vocabulary, {})
    assert shards.nnz == 0
    assert shards.to_csr().nnz == 0
    assert shards.total == 0.0


def test_equal_counts_have_equal_digests(tmp_path: Path) -> None:
    first, _ = write(tmp_path / "first")
    again, _ = write(tmp_path / "again")
    other, _ = write(tmp_path / "other", whole=True)
    assert first.digest == again.digest != other.digest
    matrix, vocabulary = make_counts()
    # The same cells for other words, or for words with other frequencies.
    other_vocabulary = Vocabulary(
        ["x", *vocabulary.words[1:]], vocabulary.counts, vocabulary.options
    )
    oftener = Vocabulary(vocabulary.words, vocabulary.counts + 1, vocabulary.options)
    for number, variant in enumerate((other_vocabulary, oftener)):
        shards = write_shards(tmp_path / str(number), shard_csr(matrix, 50), variant, METADATA)
        assert shards.digest != first.digest


def test_manifest_is_last_and_counts_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    write(folder, 20)
    assert is_sharded(folder)
    assert is_sharded(folder / "manifest.json")
    matrix, vocabulary = make_counts(whole=True)

    def parts():
        first, *_ = shard_csr(matrix, 50)
        yield first
        raise Cancelled

    with pytest.raises(Cancelled):
        write_shards(folder, parts(), vocabulary, METADATA)
    assert not is_sharded(folder)
    with pytest.raises(UserError, match="no counts"):
        ShardedCounts.open(folder)
    shards, matrix = write(folder, 10_000)
    assert len(list(folder.iterdir())) == 6
    assert (abs(shards.to_csr() - matrix)).nnz == 0


def test_old_counts_lose_their_manifest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    deletions: list[str] = []
    unlink = Path.unlink

    def note_and_unlink(path: Path, missing_ok: bool = False) -> None:
        deletions.append(path.name)
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", note_and_unlink)
    prepare(tmp_path)
    assert deletions[0] == "manifest.json"
    assert len(deletions) > 5


def test_no_digit_is_lost_where_only_some_numbers_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_files, "BLOCK", 7)
    matrix, vocabulary = make_counts(whole=True)
    for place in (0, matrix.nnz // 2, matrix.nnz - 1):
        other_matrix = matrix.copy()
        other_matrix.data[place] = 1 / 3
        shards = write_shards(
            tmp_path / str(place), shard_csr(other_matrix, 10_000), vocabulary, METADATA
        )
        assert np.array_equal(shards.to_csr().data, other_matrix.data)


def test_shards_written_by_others_are_put_together(tmp_path: Path) -> None:
    matrix, vocabulary = make_counts()
    folder = prepare(tmp_path / "counts")
    parts = list(shard_csr(matrix, 60))
    shards = {
        number: write_shard(folder, number, *parts[number])
        for number in reversed(range(len(parts)))
    }
    # Written twice, as when a task is retried.
    assert write_shard(folder, 0, *parts[0]) == shards[0]
    result = finish(folder, [shards[number] for number in range(len(parts))], vocabulary, METADATA)
    assert (abs(result.to_csr() - matrix)).nnz == 0
    with pytest.raises(ValueError, match="every row once"):
        finish(folder, [shards[0]], vocabulary, METADATA)


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="other files"):
        prepare(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Couldn’t write"):
        prepare(tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "letter.txt"]


def test_writing_can_be_cancelled(tmp_path: Path) -> None:
    matrix, vocabulary = make_counts()
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        write_shards(tmp_path / "counts", shard_csr(matrix), vocabulary, METADATA, run)


def test_words_with_line_ends_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="A word contains a line break, so it can’t be"):
        write_shards(
            tmp_path / "x", [(0, sp.eye(1, format="csr"))], Vocabulary(["a\nb"], np.array([1])), {}
        )


def test_missing_folders_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="doesn’t exist"):
        ShardedCounts.open(tmp_path / "nowhere")
    (tmp_path / "manifest.json").write_text('{"format": "other"}')
    with pytest.raises(UserError, match="isn’t part of counts written by this program"):
        ShardedCounts.open(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "workbench-counts", "version": 99}')
    with pytest.raises(UserError, match="version 99"):
        ShardedCounts.open(tmp_path)


def test_every_damaged_file_is_reported(tmp_path: Path) -> None:
    shards, matrix = write(tmp_path)
    random = np.random.default_rng(1)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        # Truncated, empty or missing files are noticed on opening.
        for content in (whole[:-1], b"", None):
            path.unlink() if content is None else path.write_bytes(content)
            with pytest.raises(UserError):
                ShardedCounts.open(tmp_path).verify()
        # Changed bytes lead to a UserError or to indices within bounds, and the digests reveal
        # them.
        for _ in range(6):
            content = bytearray(whole)
            for place in random.integers(0, len(whole), 3):
                content[place] = (content[place] + int(random.integers(1, 256))) % 256
            path.write_bytes(content)
            try:
                counts = ShardedCounts.open(tmp_path)
                indices = counts.to_csr().indices
            except UserError:
                continue
            assert 0 <= indices.min() <= indices.max() < matrix.shape[0]
            if path.name != "manifest.json":
                with pytest.raises(UserError, match="corrupt"):
                    counts.verify()
        path.write_bytes(whole)
    shards.verify()


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("cell", [0.0, -1.0, np.nan, np.inf, -np.inf])
def test_invalid_cells_are_reported(tmp_path: Path, cell: float, whole: bool) -> None:
    """Training would take the logarithm of such cells."""
    write(tmp_path, whole=whole)
    for path in sorted(tmp_path.glob("*.data.npy"))[::3]:
        good = np.load(path)
        for place in (0, len(good) // 2, -1):
            array = good.copy()
            array[place] = cell
            np.save(path, array)
            for method in (ShardedCounts.to_csr, ShardedCounts.row_sums, ShardedCounts.column_sums):
                with pytest.raises(UserError, match="corrupt"):
                    method(ShardedCounts.open(tmp_path))
        np.save(path, good)
    ShardedCounts.open(tmp_path).verify()


def test_a_wrong_manifest_is_reported(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "manifest.json"
    good = json.loads(path.read_text())
    for spoil in (
        lambda m: m["shards"].pop(),
        lambda m: m["shards"].append(m["shards"][-1]),
        lambda m: m["shards"][0].update(cells=-1),
        lambda m: m["shards"][0]["files"].pop("data"),
        lambda m: m["files"].update({"../../etc/passwd": {"bytes": 1, "digest": ""}}),
        lambda m: m.update(words=1),
        lambda m: m.update(shards=7),
        lambda m: m.update(files=[]),
        lambda m: m.update(shards=[3]),
        lambda m: m.update(options=3),
        lambda m: m.update(metadata=None),
        lambda m: m.pop("options"),
    ):
        manifest = json.loads(json.dumps(good))
        spoil(manifest)
        path.write_text(json.dumps(manifest))
        with pytest.raises(UserError, match="corrupt"):
            ShardedCounts.open(tmp_path)
