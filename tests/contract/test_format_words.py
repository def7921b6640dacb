"""Arbitrary words: each format restores them exactly, or refuses to write them with a sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, Format, load_vectors, save_vectors

# All of Unicode, including lone surrogates, and characters with a meaning in formats.
LETTERS = st.one_of(
    st.characters(), st.sampled_from("\0\t\n\r \u2028\ufeff\ud800=-+@'\"\\{}[]<>0.e")
)
LISTS = st.lists(st.text(LETTERS, max_size=6), min_size=1, max_size=5, unique=True)


@pytest.mark.parametrize("kind", list(FORMATS), ids=lambda kind: kind.key)
@settings(max_examples=60)
@given(words=LISTS)
def test_words_come_back_or_are_refused(kind: type[Format], words: list[str]) -> None:
    table = np.random.default_rng(len(words)).normal(size=(len(words), 3)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"v{kind.suffixes[0]}"
        try:
            save_vectors(Embeddings(words, table), path)
        except UserError:
            is_refused = True
        else:
            is_refused = False
        if is_refused:
            assert not path.exists()
            return
        read = load_vectors(path, kind.key)
        assert list(read.words) == words
        np.testing.assert_array_equal(read.vectors, table)
