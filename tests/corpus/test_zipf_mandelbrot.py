"""The text generator of the benchmarks: its distribution, its words and its determinism."""

from __future__ import annotations

import importlib.util
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import chisquare

from workbench.corpus.tokenise.kernel_tokeniser import preview


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "zipf_mandelbrot.py"
    spec = importlib.util.spec_from_file_location("zipf_mandelbrot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_words_are_numbered_as_columns_of_a_spreadsheet(generator: ModuleType) -> None:
    expected = [
        "".join(word) for size in (1, 2, 3) for word in product(ascii_lowercase, repeat=size)
    ]
    spellings = generator.spellings(5000)
    words = [word.tobytes().replace(b"\0", b"").decode() for word in spellings]
    assert [word.rstrip() for word in words] == list(islice(expected, 5000))
    assert all(word.endswith(" ") for word in words)


def test_frequencies_follow_the_law(generator: ModuleType) -> None:
    source = generator.ZipfMandelbrot(50, 1.1, 2.7, seed=4)
    counts = np.bincount(np.concatenate(list(source.ranks(300_000))), minlength=50)
    weights = np.array([1 / (rank + 2.7) ** 1.1 for rank in range(1, 51)])
    assert chisquare(counts, 300_000 * weights / weights.sum()).pvalue > 1e-3


def test_text_is_its_ranks_by_lines_and_the_same_for_a_seed(generator: ModuleType) -> None:
    tokens = 3 * generator._BLOCK + 5
    text = b"".join(generator.ZipfMandelbrot(1000, seed=7).text(tokens)).decode()
    assert text == b"".join(generator.ZipfMandelbrot(1000, seed=7).text(tokens)).decode()
    names = [
        word.tobytes().replace(b"\0", b"").decode().strip() for word in generator.spellings(1000)
    ]
    ranks = np.concatenate(list(generator.ZipfMandelbrot(1000, seed=7).ranks(tokens)))
    assert text.split() == [names[rank] for rank in ranks]
    lines = preview(text)
    assert [len(line) for line in lines] == [24] * (tokens // 24) + [tokens % 24]
