from __future__ import annotations

import pytest
import threadpoolctl
from corpora import make_corpus
from session.fakes import Gate, StepModel, StepParams, small_corpus

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.training.train_api import WARNINGS, train_run
from workbench.vectors.embeddings import Embeddings


def test_blas_starts_no_threads_beside_those_of_a_training(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    fit = StepModel.fit

    def fit_and_look(model: StepModel, corpus: Corpus, run: JobControl) -> Embeddings:
        libraries = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
        seen.extend(library["num_threads"] for library in libraries)
        return fit(model, corpus, run)

    monkeypatch.setattr(StepModel, "fit", fit_and_look)
    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        train_run(small_corpus(), "step", StepParams(min_count=1), JobControl())
    assert set(seen) == {1}


def _warnings(corpus: Corpus, key: str, **params: object) -> list[str]:
    run = JobControl()
    trained = train_run(corpus, key, MODELS[key].params_type.from_mapping(params), run)
    assert tuple(trained.metadata.get(WARNINGS, ())) == (run.latest(WARNINGS) or ())
    return list(trained.metadata.get(WARNINGS, ()))


def test_fewer_dimensions_than_requested_are_mentioned() -> None:
    corpus = make_corpus(["the red fox saw a wolf".split(), "a wolf saw the owl".split()] * 20)
    (sentence,) = _warnings(corpus, "svd", dim=60, min_count=1)
    assert sentence.startswith("The vectors have 7 dimensions instead of 60:")
    assert not _warnings(corpus, "svd", dim=3, min_count=1)


def test_a_text_whose_words_are_mostly_left_out_is_mentioned() -> None:
    rare = [f"rare{at}" for at in range(150)]
    corpus = make_corpus([[*"abcd", word] for word in rare])
    (sentence,) = _warnings(corpus, "svd", dim=2, min_count=5)
    assert sentence.startswith("150 of 154 different words are too rare")
    assert sentence.endswith("were left out: 20% of the text.")
