"""Parameters and results shared by the factorisations of a table of counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.likely_cells import likely_cells
from workbench.vectors.embeddings import Embeddings, OwnContexts
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing

# Measured seconds of a thread while counting: for a pair of tokens, and for a cell.
_PER_PAIR = 4e-9
_PER_CELL = 6e-8


def counting_seconds(corpus: Corpus, vocabulary: Vocabulary, window: int, thinned: bool) -> float:
    """Expected seconds of counting on one thread; ``thinned`` takes subsampling into account."""
    pairs = 2 * window * vocabulary.tokens * _PER_PAIR * (12 if thinned else 1)
    return pairs + likely_cells(corpus, vocabulary, window) * _PER_CELL


def no_cells() -> UserError:
    """Error for a text in which no two words co-occur."""
    return UserError(
        tr("No words of the vocabulary co-occur, so there is nothing to factorise."),
        tr(
            "Choose a longer corpus, a larger window, or a lower {min_count}.",
            min_count=quoted_param("min_count"),
        ),
    )


def needs_words(title: str) -> UserError:
    """Error of an algorithm whose contexts are words."""
    return UserError(
        tr("{algorithm} needs counts of words with words.", algorithm=title),
        tr("Train ppmi, svd, glove or sgns-mf, which accept other contexts."),
    )


def compose(
    vocabulary: Vocabulary,
    words: Singles,
    contexts: Singles,
    result: str,
    biases: tuple[Singles, Singles] | None = None,
    own_contexts: Sequence[str] | None = None,
) -> Embeddings:
    """The embeddings that ``result`` requests, copied.

    words, contexts : float32[V, d]; biases : biases of words and contexts, float32[V] each
    own_contexts : the contexts if they aren't the words
    """
    rows = np.array(contexts, dtype=np.float32, order="C")
    of_contexts = biases[1].copy() if biases else None
    own = None if own_contexts is None else OwnContexts(own_contexts, rows, of_contexts)
    trained = Embeddings(
        words=vocabulary.words,
        vectors=np.array(words, dtype=np.float32, order="C"),
        counts=vocabulary.counts,
        contexts=rows if own is None else None,
        biases=biases[0].copy() if biases else None,
        context_biases=of_contexts if own is None else None,
        own_contexts=own,
    )
    return apply_postprocessing(trained, Postprocessing(result))
