"""Files from gensim and for gensim."""

from __future__ import annotations

from pathlib import Path

import pytest
from interop.exchange import TABLE, UNSEEN, WORDS
from interop.peers_run import (
    Said,
    prove_installed,
    prove_same,
    prove_same_model,
    run_peer,
    said,
)
from ngram_toy import ngram_model

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

prove_installed("gensim")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gensim")
    run_peer("gensim", "write", folder)
    run_peer("gensim", "write_fasttext", folder)
    return folder


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *(("v.vec", "v"), ("v.bin", "v"), ("v.glove", "v"), ("v_tensor.tsv", "v")),
        *(("half.vec", "half"), ("spaced.vec", "spaced"), ("spaced.bin", "spaced")),
    ],
)
def test_we_read_what_gensim_writes(theirs: Path, file: str, name: str) -> None:
    prove_same(load_vectors(theirs / file), said(theirs, name))


@pytest.mark.parametrize(
    "name", ["default", "few buckets", "single letters", "no n-grams", "hierarchical", "cbow"]
)
def test_we_read_gensims_fasttext_models(theirs: Path, name: str) -> None:
    prove_same_model(theirs / f"{name}.bin", said(theirs, name), UNSEEN)


@pytest.mark.parametrize("file", ["v.kv", "m.model"])
def test_gensims_pickles_are_refused_with_what_to_do(theirs: Path, file: str) -> None:
    with pytest.raises(UserError, match="pickle") as caught:
        load_vectors(theirs / file)
    assert "save_word2vec_format" in caught.value.hint


@pytest.mark.parametrize("name", ["default", "few buckets", "no n-grams"])
def test_gensims_fasttext_vectors_get_a_recipe_that_keeps_ngrams(theirs: Path, name: str) -> None:
    with pytest.raises(UserError, match="pickle") as caught:
        load_vectors(theirs / f"{name}.kv")
    recipe = caught.value.hint.partition("in Python: ")[2]
    (theirs / "recipe.txt").write_text(recipe, encoding="utf-8")
    run_peer("gensim", "recipe", theirs)
    prove_same_model(theirs / "vectors.bin", said(theirs, name), UNSEEN)


def test_gensim_reads_what_we_write(tmp_path: Path) -> None:
    ours = Embeddings(WORDS, TABLE)
    names = ("ours.vec", "ours.bin", "ours.glove")
    for name in names:
        save_vectors(ours, tmp_path / name)
    run_peer("gensim", "read", tmp_path)
    for name in names:
        prove_same(said(tmp_path, name), ours)


@pytest.mark.parametrize("name", ["vectors", "model"])
def test_gensim_reads_our_fasttext_model(tmp_path: Path, name: str) -> None:
    save_vectors(ngram_model(), tmp_path / "ours.fasttext")
    run_peer("gensim", "read_fasttext", tmp_path)
    found: Said = said(tmp_path, name)
    prove_same_model(tmp_path / "ours.fasttext", found, UNSEEN)


def test_gensim_differs_as_the_guide_says(tmp_path: Path) -> None:
    (tmp_path / "repeated.vec").write_text("3 2\na 1 2\na 3 4\nb 5 6\n", encoding="utf-8")
    (tmp_path / "spaced.vec").write_text("2 2\nNew York 1 2\nb 5 6\n", encoding="utf-8")
    (tmp_path / "latin.vec").write_text("1 2\ncafé 1 2\n", encoding="latin-1")
    (tmp_path / "longer.vec").write_text("1 2\na 1 2\nb 5 6\n", encoding="utf-8")
    run_peer("gensim", "differ", tmp_path)
    assert load_vectors(tmp_path / "repeated.vec").vectors.tolist() == [[1, 2], [5, 6]]
    assert list(load_vectors(tmp_path / "spaced.vec").words) == ["New York", "b"]
    assert list(load_vectors(tmp_path / "latin.vec").words) == ["caf\\xe9"]
    with pytest.raises(UserError, match="more rows"):
        load_vectors(tmp_path / "longer.vec")
