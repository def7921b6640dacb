"""Texts read in a child process, compared with texts read in this process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.core.paths import cache_folder
from workbench.core.processes import child_task
from workbench.corpus import loader
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.loader import open_corpus

TEXT = "new york is large\nnew york is old\na small town\n" * 20
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home without corpora, shared with child processes."""
    home = tmp_path / "home"
    (home / "cache").mkdir(parents=True)
    for part in ("kernels", "samples"):
        (home / "cache" / part).symlink_to(cache_folder(part), target_is_directory=True)
    child_task.end_waiting()
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    yield home
    child_task.end_waiting()


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def read(path: Path, monkeypatch: pytest.MonkeyPatch, child: bool, **options: Any) -> Corpus:
    monkeypatch.setattr(loader, "avoids_compiler", lambda: child)
    return open_corpus([path], CorpusOptions.from_mapping(options), name="a text")


@pytest.mark.parametrize("options", [{}, {"phrases": 1, "phrase_threshold": 1.0}])
def test_a_child_reads_the_same_corpus(
    text: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    there = read(text, monkeypatch, child=True, **options)
    monkeypatch.setenv("WORKBENCH_HOME", str(own_home.with_name("other")))
    here = read(text, monkeypatch, child=False, **options)
    assert there.digest == here.digest
    assert (there.name, there.options, there.files) == (here.name, here.options, here.files)
    assert there.words == here.words
    np.testing.assert_array_equal(there.ids, here.ids)
    corpus = read(text, monkeypatch, child=False, **options)
    assert there.metadata.keys() == corpus.metadata.keys()


def test_a_corpus_of_a_child_is_cached(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(text, monkeypatch, child=True)
    monkeypatch.setattr(loader, "run_task", None)
    assert read(text, monkeypatch, child=True).digest == first.digest


def test_a_text_without_words_is_refused_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("...")
    with pytest.raises(UserError, match="contains no words") as there:
        read(path, monkeypatch, child=True)
    with pytest.raises(UserError) as here:
        read(path, monkeypatch, child=False)
    assert str(there.value) == str(here.value)


def test_a_window_reads_and_counts_without_loading_the_compiler(text: Path) -> None:
    script = f"""if True:
        import sys
        from workbench.core.processes import child_task
        child_task.avoid_compiler()
        from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
        from workbench.corpus.loader import open_corpus
        from workbench.corpus.samples import open_sample
        from workbench.session.corpus.opening import open_files

        corpus = open_files([{str(text)!r}], None, child_task.JobControl()).corpus
        pairs = count_pairs(corpus, PairCountSettings(sample=0.01))
        assert pairs.total > 0
        assert open_sample("small-world").tokens > 1_000_000
        child_task.end_waiting()
        print("numba" in sys.modules)
    """
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True
    )
    assert (process.stdout, process.returncode) == ("False\n", 0), process.stderr
