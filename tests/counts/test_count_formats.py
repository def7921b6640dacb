"""Counts in the formats that other programs read."""

from __future__ import annotations

import csv
import math
import struct
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.counts.formats import COUNT_FORMATS, CountTable, count_format, save_counts
from workbench.counts.formats import columns as tables
from workbench.counts.formats.glove_binary import scattered_places

WORDS = ["the", "=1+2", "-x", "Zürich"]
COUNTS = np.array([40, 20, 9, 1])
# Contexts on one side only, so that rows differ from columns.
TABLE = np.array([[0, 6, 3, 1], [5, 0.5, 0, 2], [3, 0, 0, 0], [0, 4, 0, 0]])


def count_table(**changes: object) -> CountTable:
    values = {
        "measures": ("pmi", "ppmi", "sppmi", "npmi"),
        "shift": 5.0,
        "smoothing": 0.75,
        **changes,
    }
    return CountTable(sp.csr_matrix(TABLE), WORDS, COUNTS, **values)  # type: ignore[arg-type]


def expected(measure: str, row: int, column: int) -> float:
    """Expected values, computed by hand from the definitions."""
    sums = [TABLE[:, c].sum() ** 0.75 for c in range(4)]
    pmi = math.log(TABLE[row, column] / TABLE[row].sum() / (sums[column] / sum(sums)))
    return {
        "pmi": pmi,
        "ppmi": max(pmi, 0),
        "sppmi": max(pmi - math.log(5), 0),
        "npmi": pmi / -math.log(TABLE[row, column] / TABLE.sum()),
    }[measure]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("block", [1, 3, 1000])
def test_tables_of_pairs(
    suffix: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "BLOCK", block)
    path = tmp_path / f"t{suffix}"
    save_counts(count_table(), path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="," if suffix == ".csv" else "\t"))
    cells = [(row, column) for row in range(4) for column in range(4) if TABLE[row, column]]
    assert len(rows) == len(cells)
    safe = ["the", "'=1+2", "'-x", "Zürich"]
    for line, (row, column) in zip(rows, cells, strict=True):
        assert (line["word"], line["context"]) == (safe[row], safe[column])
        assert float(line["pairs"]) == TABLE[row, column]
        assert (int(line["word_count"]), int(line["context_count"])) == (
            COUNTS[row],
            COUNTS[column],
        )
        assert float(line["word_pairs"]) == TABLE[row].sum()
        assert float(line["context_pairs"]) == TABLE[:, column].sum()
        for measure in ("pmi", "ppmi", "sppmi", "npmi"):
            assert float(line[measure]) == pytest.approx(expected(measure, row, column), abs=1e-12)


def test_rare_pairs_are_left_out_and_sums_stay(tmp_path: Path) -> None:
    save_counts(count_table(least=3.0, measures=("pmi",), smoothing=1.0), tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["pairs"]) for row in rows] == [6, 3, 5, 3, 4]
    assert float(rows[0]["pmi"]) == pytest.approx(math.log(6 * TABLE.sum() / (10 * 10.5)))


def test_cells_for_glove(tmp_path: Path) -> None:
    path = tmp_path / "c.bin"
    assert save_counts(count_table(), path) == (path, tmp_path / "c.vocab.txt")
    data = path.read_bytes()
    cells = [struct.unpack_from("<iid", data, at) for at in range(0, len(data), 16)]
    wanted = {
        (row + 1, column + 1, TABLE[row, column])
        for row in range(4)
        for column in range(4)
        if TABLE[row, column]
    }
    assert len(cells) == len(wanted)
    assert set(cells) == wanted
    assert (tmp_path / "c.vocab.txt").read_text(
        encoding="utf-8"
    ) == "the 40\n=1+2 20\n-x 9\nZürich 1\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100, 1001])
def test_scattered_places_are_all_places(size: int) -> None:
    parts = [scattered_places(size, start, min(start + 30, size)) for start in range(0, size, 30)]
    assert sorted(np.concatenate(parts).tolist()) == list(range(size))
    if size > 100:
        # The first thirty places are spread over the whole range.
        assert np.histogram(parts[0], bins=5, range=(0, size))[0].min() >= 4


def test_words_that_gloves_program_would_cut(tmp_path: Path) -> None:
    for word in ("new york", "", "x" * 1001):
        matrix = CountTable(sp.csr_matrix([[1.0]]), [word], np.array([1]))
        with pytest.raises(UserError, match="GloVe"):
            save_counts(matrix, tmp_path / "c.bin")


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(tables, "BLOCK", 3)
    save_counts(count_table(), tmp_path / "t.parquet")
    rows = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    cells = [(row, column) for row in range(4) for column in range(4) if TABLE[row, column]]
    assert [(row["word"], row["context"]) for row in rows] == [
        (WORDS[r], WORDS[c]) for r, c in cells
    ]
    assert [row["pmi"] for row in rows] == pytest.approx([expected("pmi", *cell) for cell in cells])


def test_parquet_without_its_package_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UserError, match="Parquet needs the package pyarrow, which isn’t"):
        count_format(tmp_path / "t.parquet")


@pytest.mark.parametrize("kind", list(COUNT_FORMATS), ids=lambda kind: kind.key)
def test_whole_or_not_at_all(kind: type, tmp_path: Path) -> None:
    if kind.missing() is not None:
        pytest.skip("needs a package")
    path = tmp_path / f"c{kind.suffixes[0]}"
    if kind.table or kind.key == "glove":
        run = JobControl()
        run.cancel()
        with pytest.raises(Cancelled):
            save_counts(count_table(), path, run)
        assert list(tmp_path.iterdir()) == []
    assert set(save_counts(count_table(), path)) == set(tmp_path.iterdir())
    with pytest.raises(UserError, match="Couldn’t write"):
        save_counts(count_table(), tmp_path / "no" / path.name)


def test_unknown_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.npz.*\.bin.*\.csv"):
        count_format(tmp_path / "c.txt")
