"""Words that never occur beside another word have no vector, whatever the algorithm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus

from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.models import company
from workbench.models.base import MODELS
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, load_vectors, save_vectors
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing, why_not
from workbench.vectors.subwords import bucket_rows, compose, subwords_of, word_ngrams

TEXT = "the red fox saw a wolf . the wolf saw a red owl . an owl saw the fox".split()
SENTENCES = [TEXT[:6], ["hermit"], TEXT[7:13], ["hermit"], TEXT[14:], ["recluse"]]


# LSA counts words of documents, in which these words have others beside them.
@pytest.mark.parametrize("key", [kind.key for kind in MODELS if kind.key != "lsa"])
def test_a_word_without_company_has_no_vector(key: str, tmp_path: Path) -> None:
    corpus = make_corpus(SENTENCES * 30)
    kind = MODELS[key].params_type
    known = {spec.name for spec in kind.specs()}
    params = {"dim": 4, "min_count": 1, "seed": 2, "threads": 1}
    model = MODELS[key](kind.from_mapping({name: params[name] for name in params if name in known}))
    trained = model.fit(corpus, JobControl())
    dead = [word for word, has in zip(trained.words, trained.has_vector, strict=True) if not has]
    assert sorted(dead) == ["hermit", "recluse"]
    if trained.ngram_vectors is not None:
        # Only n-grams that were trained are known: here, those that other words contain.
        assert compose(trained, "hermit").known == 0
        assert compose(trained, "foxed").known > 0
        with pytest.raises(UserError, match="“hermit” is zero"):
            find_vector(trained, "hermit")
        with pytest.raises(UserError, match="none of its n-grams"):
            find_vector(trained, "hermits")
    _assert_dead_everywhere(trained, set(dead), tmp_path)


def _assert_dead_everywhere(trained: Embeddings, dead: set[str], folder: Path) -> None:
    """These words have no vector in any file of the model, nor after any post-processing."""
    for kind in FORMATS:
        if not trained.sparse and kind.holds(trained) is None:
            path = folder / f"model{kind.suffixes[0] if kind.suffixes else '.' + kind.key}"
            save_vectors(trained, path, kind.key)
            assert without_vector(load_vectors(path)) == dead, kind.key
    for choice in (
        Postprocessing("w", True),
        Postprocessing("w", all_but_the_top=0),
        Postprocessing("w+c"),
        Postprocessing("concatenation", True),
    ):
        if why_not(trained, choice) is None:
            derived = apply_postprocessing(trained, choice)
            assert without_vector(derived) == dead, choice
            if not trained.sparse:
                again = apply_postprocessing(derived, Postprocessing())
                assert without_vector(again) == dead
                assert np.array_equal(again.inputs, trained.inputs)


def without_vector(model: Embeddings) -> set[str]:
    return {word for word, has in zip(model.words, model.has_vector, strict=True) if not has}


def test_a_fasttext_file_cancels_the_ngrams_of_such_words(tmp_path: Path) -> None:
    kind = MODELS["fasttext"]
    values = {"dim": 4, "min_count": 1, "seed": 2, "threads": 1, "max_n": 4}
    trained = kind(kind.params_type.from_mapping(values)).fit(
        make_corpus([*SENTENCES, ["wolfish"]] * 30), JobControl()
    )
    save_vectors(trained, tmp_path / "a.fasttext", "fasttext")
    opened = load_vectors(tmp_path / "a.fasttext")
    assert without_vector(opened) == {"hermit", "recluse", "wolfish"}
    assert not opened.vectors[opened.index["wolfish"]].any()
    for model in (trained, opened):
        assert not compose(model, "wolfish").vector.any()
        # The mean of a word's row and its n-grams, as fastText computes it.
        how = subwords_of(model)
        assert how is not None
        assert model.word_rows is not None
        places = [place for _, place in word_ngrams(model, "wolfish", how)]
        rows = bucket_rows(model, np.array(places, dtype=np.int64))
        assert rows.any()
        total = model.word_rows[model.index["wolfish"]] + rows.sum(axis=0)
        assert np.abs(total).max() < 1e-6


def test_sentences_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = make_corpus(["abc", "d", "ed", "f", "g", "c"])
    for block in (1, 2, 3, 100):
        monkeypatch.setattr(company, "_BLOCK", block)
        vocabulary = corpus.vocabulary(1)
        met = company.words_with_company(corpus, vocabulary, JobControl())
        alone = {word for word, one in zip(vocabulary.words, met, strict=True) if not one}
        assert alone == {"f", "g"}
