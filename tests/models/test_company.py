"""Words that never occur beside another word have no vector, whatever the algorithm."""

from __future__ import annotations

import pytest
from corpora import make_corpus

from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.models import company
from workbench.models.base import MODELS
from workbench.vectors.subwords import compose

TEXT = "the red fox saw a wolf . the wolf saw a red owl . an owl saw the fox".split()
SENTENCES = [TEXT[:6], ["hermit"], TEXT[7:13], ["hermit"], TEXT[14:], ["recluse"]]


# LSA counts words of documents, in which these words have others beside them.
@pytest.mark.parametrize("key", [kind.key for kind in MODELS if kind.key != "lsa"])
def test_a_word_without_company_has_no_vector(key: str) -> None:
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


def test_sentences_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = make_corpus(["abc", "d", "ed", "f", "g", "c"])
    for block in (1, 2, 3, 100):
        monkeypatch.setattr(company, "_BLOCK", block)
        vocabulary = corpus.vocabulary(1)
        met = company.words_with_company(corpus, vocabulary, JobControl())
        alone = {word for word, one in zip(vocabulary.words, met, strict=True) if not one}
        assert alone == {"f", "g"}
