from __future__ import annotations

import numpy as np

from workbench.analysis.analogy.rare_words import FEW, occurrences
from workbench.vectors.embeddings import Embeddings

WORDS = ["man", "woman", "king", "queen"]
TABLE = np.eye(4, dtype=np.float32)


def test_counts_of_the_query_and_which_are_too_few() -> None:
    embeddings = Embeddings(WORDS, TABLE, counts=np.array([500, FEW, FEW - 1, 1]))
    found = occurrences(embeddings, ["king", "man", "King", "woman", "absent", "queen"])
    assert [(one.word, one.count, one.few) for one in found] == [
        ("king", FEW - 1, True),
        ("man", 500, False),
        ("woman", FEW, False),
        ("queen", 1, True),
    ]
    assert found[0].sentence == (
        "“king” occurs 19 times in the training text: too few occurrences."
    )
    assert found[1].sentence == "“man” occurs 500 times in the training text."
    assert found[3].sentence == "“queen” occurs 1 time in the training text: too few occurrences."


def test_vectors_without_counts_say_nothing() -> None:
    assert occurrences(Embeddings(WORDS, TABLE), ["king"]) == ()
