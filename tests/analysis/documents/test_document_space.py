from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus

from workbench import load_vectors, open_corpus
from workbench.analysis.documents.document_space import document_space
from workbench.core.arrays import Doubles
from workbench.core.errors import UnknownWord, UserError
from workbench.corpus.corpus import Corpus
from workbench.session.training.train_api import train
from workbench.vectors.formats import save_vectors

LINES = [
    "the king rules the old castle",
    "the queen rules the palace",
    "a cook boils the soup",
    "a cook bakes the bread and the cake",
    "the king visits the queen in the palace",
    "the soup and the bread are warm",
]
WEIGHTINGS = ("raw", "tf-idf", "log-entropy")


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus(line.split() for line in LINES)


def local_and_global(corpus: Corpus, weighting: str) -> tuple[Doubles, Doubles]:
    """Local weights float64[N, V] and global ones float64[V], by the formulas."""
    table = np.zeros((len(LINES), corpus.types))
    for row in range(len(LINES)):
        for word in corpus.ids[corpus.sentences[row] : corpus.sentences[row + 1]]:
            table[row, word] += 1
    if weighting == "raw":
        return table, np.ones(corpus.types)
    if weighting == "tf-idf":
        return table, np.log(len(LINES) / (table > 0).sum(axis=0))
    share = table / table.sum(axis=0)
    entropy = (share * np.log(np.where(share > 0, share, 1))).sum(axis=0)
    return np.log1p(table), 1 + entropy / np.log(len(LINES))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("normalise", [False, True])
def test_documents_and_searches_follow_from_the_svd(
    corpus: Corpus, weighting: str, normalise: bool
) -> None:
    vectors = train(
        corpus, "lsa", dim=3, weighting=weighting, min_count=1, normalise=normalise, seed=3
    )
    space = document_space(vectors, corpus)
    local, of_words = local_and_global(corpus, weighting)
    left, values, right = np.linalg.svd(local * of_words, full_matrices=False)
    expected = left[:, :3] * values[:3]
    found = np.asarray(space.documents.vectors)
    assert np.allclose(found @ found.T, expected @ expected.T, atol=1e-4)

    query = np.zeros(corpus.types)
    query[corpus.words.index("king")] = np.log(3) if weighting == "log-entropy" else 2
    query[corpus.words.index("soup")] = np.log(2) if weighting == "log-entropy" else 1
    place = (query * of_words) @ right[:3].T
    cosines = expected @ place / (np.linalg.norm(expected, axis=1) * np.linalg.norm(place))
    answers = space.search(["king", "soup", "king"], 6)
    found_cosines = [one.cosine for one in answers]
    assert np.allclose(found_cosines, cosines[[one.number for one in answers]], atol=1e-4)
    assert np.allclose(found_cosines, np.sort(cosines)[::-1], atol=1e-4)


def test_all_dimensions_give_the_rows_of_the_table(corpus: Corpus) -> None:
    space = document_space(train(corpus, "lsa", dim=6, weighting="raw", min_count=1), corpus)
    table, _ = local_and_global(corpus, "raw")
    found = np.asarray(space.documents.vectors)
    assert np.allclose(found @ found.T, table @ table.T, atol=1e-3)


def test_names_and_texts(tmp_path: Path) -> None:
    for name, lines in (("royal", LINES[:3]), ("other", LINES[3:])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    corpus = open_corpus([tmp_path / "royal.txt", tmp_path / "other.txt"])
    made = train(corpus, "lsa", dim=3, min_count=1)
    save_vectors(made, tmp_path / "made.npz")
    space = document_space(load_vectors(tmp_path / "made.npz"), corpus)
    assert list(space.documents.words) == [
        *("royal 1", "royal 2", "royal 3", "other 1", "other 2", "other 3")
    ]
    assert space.text(4, most=3) == "the king visits …"
    assert space.text(1) == LINES[1]
    whole = document_space(train(corpus, "lsa", dim=2, documents="files", min_count=1), corpus)
    assert list(whole.documents.words) == ["royal", "other"]
    assert [one.name for one in whole.search(["castle"], 1)] == ["royal"]


def test_what_cannot_be_searched(corpus: Corpus) -> None:
    made = train(corpus, "lsa", dim=3, min_count=1)
    space = document_space(made, corpus)
    with pytest.raises(UnknownWord, match="kink"):
        space.search(["king", "kink"], 3)
    with pytest.raises(UserError, match="trained on"):
        document_space(made, make_corpus([["another", "text"], ["king"]]))
    with pytest.raises(UserError, match="Only LSA"):
        document_space(train(corpus, "svd", dim=2, min_count=1), corpus)
    everywhere = make_corpus([["the", "cat"], ["the", "dog"], ["the", "cow"]])
    even = document_space(train(everywhere, "lsa", dim=2, min_count=1), everywhere)
    with pytest.raises(UserError, match="no weight"):
        even.search(["the"], 3)
