"""Words that look alike, occur twice, or are spread over several columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors
from workbench.vectors.undecoded import displayed_words, raw_words


def test_bytes_that_are_shown_alike_stay_words_of_their_own(tmp_path: Path) -> None:
    raw = [b"caf\xe9", rb"caf\xe9", rb"\caf\xe9", b"\\caf\xe9", "café".encode()]
    words, _ = displayed_words(raw)
    assert len(set(words)) == len(raw)
    path = tmp_path / "v.vec"
    path.write_bytes(b"5 2\n" + b"".join(word + b" %d 1\n" % at for at, word in enumerate(raw)))
    embeddings = load_vectors(path)
    assert (raw_words(embeddings), embeddings.vectors[:, 0].tolist()) == (raw, [0, 1, 2, 3, 4])
    save_vectors(embeddings, tmp_path / "w.vec")
    assert raw_words(load_vectors(tmp_path / "w.vec")) == raw


def test_a_limit_beyond_the_end_has_no_effect(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_text("2 2\na 1 0\nb 0 1\n<unk> 1 1\n")
    for limit, words in (
        (0, ["a", "b", "<unk>"]),
        (3, ["a", "b", "<unk>"]),
        (2, ["a", "b"]),
        (1, ["a"]),
    ):
        assert list(load_vectors(path, limit=limit).words) == words
    path.write_text("2 2\na 1 0\nb 0 1\nc 1 1\n")
    for limit in (0, 3):
        with pytest.raises(UserError):
            load_vectors(path, limit=limit)


@pytest.mark.parametrize("name", ["v.vec", "v.npz", "v.bin", "v.safetensors"])
def test_repeated_words_are_not_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="“a” occurs twice"):
        save_vectors(Embeddings(["a", "b", "a"], np.eye(3, dtype=np.float32)), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
