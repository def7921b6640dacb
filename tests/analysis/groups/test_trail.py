"""A word of each group in the space of vectors that exist already."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import make_corpus, planted_corpus

from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.groups.trail import word_trail
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.groups import GroupParams, offered_groups
from workbench.models.count.svd import SVD, SVDParams
from workbench.vectors.embeddings import Embeddings

YEARS = GroupParams(by=r"_(\d{4})_")
PARAMS = GroupedParams(min_count=1, threads=1)


@pytest.fixture(scope="module")
def planted() -> Corpus:
    return planted_corpus()


@pytest.fixture(scope="module")
def trained(planted: Corpus) -> Embeddings:
    return SVD(SVDParams(dim=20, min_count=1, seed=1, threads=1)).fit(planted, JobControl())


def middle(trained: Embeddings, company: str) -> np.ndarray:
    rows = [trained.row(f"{company}{number}") for number in range(15)]
    unit = trained.vectors[rows] / np.linalg.norm(trained.vectors[rows], axis=1, keepdims=True)
    return np.asarray(unit.mean(axis=0))


def test_a_moving_word_goes_from_one_company_to_the_other(
    planted: Corpus, trained: Embeddings
) -> None:
    found = word_trail(planted, "mover", YEARS, PARAMS, trained)
    assert found.groups == tuple(str(year) for year in range(1800, 1808))
    assert np.allclose(np.linalg.norm(found.rows, axis=1), 1)
    nearer = found.rows @ middle(trained, "b") > found.rows @ middle(trained, "a")
    assert nearer.tolist() == [False] * 4 + [True] * 4
    still = word_trail(planted, "still", YEARS, PARAMS, trained)
    assert (still.rows @ middle(trained, "c") > still.rows @ middle(trained, "a")).all()
    assert still.agreement > 0.8


def test_what_it_cannot_show_it_says(planted: Corpus, trained: Embeddings) -> None:
    with pytest.raises(UnknownWord):
        word_trail(planted, "nobody", YEARS, PARAMS, trained)
    strange = Embeddings(["x", "y"], np.eye(2, dtype=np.float32))
    with pytest.raises(UserError, match="no words of this text"):
        word_trail(planted, "mover", YEARS, PARAMS, strange)


def test_what_can_group_a_text(planted: Corpus) -> None:
    assert offered_groups(planted) == ("folder", "file")
    assert offered_groups(make_corpus([["a", "b"]], "single")) == ()
