"""Files from the packages of fastText and floret, and for fastText."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from interop.exchange import UNSEEN
from interop.peers_run import prove_installed, prove_same, prove_same_model, run_peer, said
from ngram_toy import ngram_model

from workbench.core.errors import UserError
from workbench.vectors.formats import load_vectors, save_vectors


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prove_installed("fasttext")
    folder = tmp_path_factory.mktemp("fasttext")
    run_peer("fasttext", "write", folder)
    return folder


@pytest.fixture(scope="module")
def florets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prove_installed("floret")
    folder = tmp_path_factory.mktemp("floret")
    run_peer("floret", "write", folder)
    return folder


@pytest.mark.parametrize(
    "name",
    [
        *("skip-gram", "cbow", "single letters", "no n-grams", "all shorter", "hierarchical"),
        *("labels in the text", "supervised", "word n-grams", "supervised with both"),
        "pretrained vectors",
    ],
)
def test_we_read_fasttexts_models(theirs: Path, name: str) -> None:
    prove_same_model(theirs / f"{name}.bin", said(theirs, name), UNSEEN)


def test_rows_without_ngrams_are_the_same_to_the_bit(theirs: Path) -> None:
    prove_same(load_vectors(theirs / "no n-grams.bin"), said(theirs, "no n-grams"))


@pytest.mark.parametrize("file", ["quantised.ftz", "quantised.bin"])
def test_a_quantised_model_is_refused_by_its_name(theirs: Path, file: str) -> None:
    with pytest.raises(UserError, match="quantised"):
        load_vectors(theirs / file)


def test_fasttext_reads_our_model(tmp_path: Path) -> None:
    prove_installed("fasttext")
    save_vectors(ngram_model(), tmp_path / "ours.fasttext")
    run_peer("fasttext", "read", tmp_path)
    prove_same_model(tmp_path / "ours.fasttext", said(tmp_path, "ours"), UNSEEN)


@pytest.mark.parametrize("mode", ["floret", "fasttext"])
def test_we_read_florets_words_and_vectors(florets: Path, mode: str) -> None:
    prove_same(load_vectors(florets / f"{mode}.vec"), said(florets, mode))


def test_we_read_florets_model_in_fasttexts_mode(florets: Path) -> None:
    model, text = load_vectors(florets / "fasttext.bin"), said(florets, "fasttext")
    assert list(model.words) == text.words
    np.testing.assert_allclose(model.vectors, text.vectors, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("file", ["table.floret", "floret.bin"])
def test_florets_tables_of_ngrams_are_refused_by_their_name(florets: Path, file: str) -> None:
    with pytest.raises(UserError, match="floret") as caught:
        load_vectors(florets / file)
    assert ".vec" in caught.value.hint
