from __future__ import annotations

import pytest
import threadpoolctl
from session.fakes import Gate, StepModel, StepParams, small_corpus

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.session.training.train_api import train_run
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
