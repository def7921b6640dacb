"""Files from and for spaCy, TensorBoard, safetensors, model2vec and sentence-transformers."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from interop.exchange import TABLE, TEXT, WORDS
from interop.peers_run import prove_installed, prove_same, run_peer, said

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors


def test_spacy_reads_what_we_write(tmp_path: Path) -> None:
    prove_installed("spacy")
    ours = Embeddings(WORDS, TABLE)
    save_vectors(ours, tmp_path / "ours.vec")
    run_peer("spacy", "read", tmp_path)
    prove_same(said(tmp_path, "ours.vec"), ours)


@pytest.mark.parametrize("folder", ["pipeline", "pipeline/vocab"])
def test_we_read_the_vectors_of_a_spacy_pipeline(tmp_path: Path, folder: str) -> None:
    prove_installed("spacy")
    run_peer("spacy", "write", tmp_path)
    prove_same(load_vectors(tmp_path / folder), Embeddings(WORDS, TABLE))


def test_spacy_differs_as_the_guide_says(tmp_path: Path) -> None:
    prove_installed("spacy")
    (tmp_path / "repeated.vec").write_text("3 2\na 1 2\na 3 4\nb 5 6\n", encoding="utf-8")
    (tmp_path / "shorter.vec").write_text("5 2\nzero 0 0\nb 5 6\n", encoding="utf-8")
    run_peer("spacy", "differ", tmp_path)
    with pytest.raises(UserError, match="truncated"):
        load_vectors(tmp_path / "shorter.vec")


def test_we_read_tensorboards_log(tmp_path: Path) -> None:
    prove_installed("tensorboardX")
    run_peer("tensorboard", "write", tmp_path)
    prove_same(load_vectors(tmp_path / "log"), said(tmp_path, "log"))


def test_safetensors_reads_what_we_write(tmp_path: Path) -> None:
    prove_installed("safetensors")
    ours = Embeddings(WORDS, TABLE)
    save_vectors(ours, tmp_path / "ours.safetensors")
    run_peer("safetensors", "read", tmp_path)
    prove_same(said(tmp_path, "ours"), ours)


@pytest.fixture(scope="module")
def static_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prove_installed("model2vec", "safetensors", "tokenizers")
    folder = tmp_path_factory.mktemp("model2vec")
    run_peer("model2vec", "write", folder)
    return folder


@pytest.mark.parametrize("name", ["float32", "float16", "int8", "mapped", "static"])
def test_we_read_static_models(static_models: Path, name: str) -> None:
    expected = said(static_models, name)
    found = load_vectors(static_models / name)
    # The first two rows belong to tokens that aren't words.
    prove_same(found, expected._replace(words=expected.words[2:], vectors=expected.vectors[2:]))


@pytest.mark.parametrize(
    "options",
    [{}, {"lowercase": False, "numbers": "zeros"}, {"tokeniser": "characters"}],
    ids=["default", "capitals", "characters"],
)
def test_static_models_encode_a_text_as_the_mean_of_its_words(
    tmp_path: Path, options: dict[str, object]
) -> None:
    prove_installed("model2vec", "safetensors", "tokenizers")
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    corpus = open_corpus([path], CorpusOptions.from_mapping(options))
    random_state = np.random.default_rng(2)
    words = list(corpus.words)
    vectors = random_state.normal(size=(len(words), 5)).astype(np.float32)
    ours = Embeddings(words, vectors, metadata={"corpus": {"options": corpus.options.to_dict()}})
    save_vectors(ours, tmp_path / "ours.model2vec")
    texts = TEXT.splitlines()[:3]
    (tmp_path / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    run_peer("model2vec", "read", tmp_path)
    starts = corpus.sentences[:4]
    means = [
        vectors[corpus.ids[start:stop]].mean(axis=0) for start, stop in itertools.pairwise(starts)
    ]
    for name in ("model2vec", "static"):
        np.testing.assert_allclose(said(tmp_path, name).vectors, means, rtol=0, atol=1e-6)
