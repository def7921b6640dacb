"""Short runs of the test harnesses, so that they keep working, and inputs of past findings."""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors
from workbench.vectors.formats.array_schema import metadata_of

_HERE = Path(__file__).resolve().parent


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the fuzzer’s targets, imported as its scripts do."""
    monkeypatch.syspath_prepend(str(_HERE))
    return importlib.import_module("targets")


def _run(script: str, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "WORKBENCH_HOME"}
    process = subprocess.run(
        [sys.executable, str(_HERE / script), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=280,
    )
    assert process.returncode == 0, f"{process.stdout}\n{process.stderr}"
    return process.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of memory are Linux's")
def test_damaged_files_are_refused_or_valid(tmp_path: Path) -> None:
    report = tmp_path / "told.json"
    targets = [
        "vectors:npz",
        "vectors:word2vec-text",
        "kept:run",
        "kept:session",
        "kept:interrupted",
        "kept:settings",
    ]
    _run(
        "fuzz.py",
        *targets,
        "--inputs",
        "40",
        "--seed",
        "7",
        "--json",
        str(report),
        "--findings",
        str(tmp_path),
    )
    for tally in json.loads(report.read_text()):
        assert tally["inputs"] == 40
        assert tally["accepted"] + tally["refused"] == 40


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of memory are Linux's")
def test_fuzzing_continues(tmp_path: Path) -> None:
    tallies_path, options = tmp_path / "kept.json", ("--seed", "3", "--findings", str(tmp_path))
    _run("fuzz.py", "kept:settings", "--inputs", "12", "--add", str(tallies_path), *options)
    _run("fuzz.py", "kept:settings", "--inputs", "30", "--add", str(tallies_path), *options)
    (tally,) = json.loads(tallies_path.read_text())
    assert tally["inputs"] == 30
    assert tally["accepted"] + tally["refused"] == 30


def test_every_registered_kind_has_a_target(harness: ModuleType) -> None:
    from workbench.corpus.readers import READERS
    from workbench.vectors.formats import FORMATS
    from workbench.vectors.formats.read_only import READ_ONLY

    targets = harness.targets()
    assert {f"vectors:{kind.key}" for kind in (*FORMATS, *READ_ONLY)} <= set(targets)
    suffixes = {Path(name).suffix for name, _ in harness._texts().values()}
    for kind in READERS:
        assert not kind.suffixes or suffixes & set(kind.suffixes), (
            f"no text of the kind {kind.key} is spoiled"
        )


def test_the_same_number_gives_the_same_input(harness: ModuleType, tmp_path: Path) -> None:
    fuzz = importlib.import_module("fuzz")
    seeds = [("", {"a": b"12 words of text\n" * 9})]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        fuzz.lay(seeds, 3, 1, "x", tmp_path / name)
    assert (tmp_path / "first" / "a").read_bytes() == (tmp_path / "second" / "a").read_bytes()
    assert (tmp_path / "first" / "a").read_bytes() != seeds[0][1]["a"]


# -- findings


def test_words_of_invalid_characters_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    for code in (0x110000, 0x7FFFFFFF, 0xD800):
        words = np.array(["a", "b"])
        words.view(np.uint32)[0] = code
        with zipfile.ZipFile(path, "w") as archive:
            for name, value in (("words", words), ("vectors", np.eye(2, dtype=np.float32))):
                buffer = io.BytesIO()
                np.save(buffer, value)
                archive.writestr(f"{name}.npy", buffer.getvalue())
        with pytest.raises(UserError, match="invalid (Unicode|character)"):
            load_vectors(path)


def test_a_word_with_a_line_end_keeps_the_error_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    path.write_bytes(b"1 1\nab\x00\rcd \x00\x00\xc0\x7f")
    with pytest.raises(UserError) as error:
        load_vectors(path, "word2vec-binary")
    assert str(error.value).isprintable()


@pytest.mark.parametrize("format", ["npz", "safetensors"])
@pytest.mark.parametrize("wrong", [[0, 5, 0, 0], [0, 2**40, 0, 0], [0, 1, 0, 3], [1, 1, 2, 3]])
def test_rows_of_a_sparse_table_that_point_beyond_it_are_refused(
    tmp_path: Path, format: str, wrong: list[int]
) -> None:
    good = tmp_path / f"good.{format}"
    table = sp.csr_matrix(np.eye(3, dtype=np.float32))
    save_vectors(Embeddings(["a", "b", "c"], table), good, format)
    assert len(load_vectors(good, format)) == 3
    dtype = table.indptr.dtype
    whole = good.read_bytes()
    replacement = np.array(wrong).astype(dtype).tobytes()
    assert table.indptr.tobytes() in whole
    bad = tmp_path / f"bad.{format}"
    if format == "npz":
        with zipfile.ZipFile(good) as old, zipfile.ZipFile(bad, "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name).replace(table.indptr.tobytes(), replacement))
    else:
        bad.write_bytes(whole.replace(table.indptr.tobytes(), replacement))
    with pytest.raises(UserError, match="outside its table"):
        load_vectors(bad, format)


def test_numbers_that_json_lacks_are_null_in_provenance() -> None:
    assert metadata_of('{"a": NaN, "b": [1e999, -Infinity, 1.5]}') == {
        "a": None,
        "b": [None, None, 1.5],
    }
