"""Lines of a corpus, and a corpus without some of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import split_edges

# Longer sentences are divided: a text without line ends would be a single line.
LONGEST_LINE = 100


def line_edges(corpus: Corpus) -> Ints:
    """int64[L + 1], the first token of each line, and the end: sentences, divided after 100
    tokens.
    """
    return split_edges(np.asarray(corpus.sentences, dtype=np.int64), LONGEST_LINE)


def file_edges(corpus: Corpus) -> Ints:
    """int64[F + 1], the first token of each file, and the end. Raises UserError if the corpus
    doesn't know its files.
    """
    edges = corpus.file_edges
    if edges is None:
        raise UserError(
            tr("The files of {name} aren’t known.", name=corpus.name),
            tr("Use lines instead, or open the files again."),
        )
    return edges


def without_lines(corpus: Corpus, edges: Ints, lines: Ints) -> Corpus:
    """The corpus without some lines, in memory; windows don't cross the gaps.

    edges : int64[L + 1], where lines begin and end; lines : int64[n], their numbers

    Raises UserError if nothing is left.
    """
    kept = np.ones(corpus.tokens, dtype=np.bool_)
    for line in np.unique(lines).tolist():
        kept[edges[line] : edges[line + 1]] = False
    if not kept.any():
        raise UserError(
            tr("Without these lines, nothing is left of {name}.", name=corpus.name),
            tr("Choose fewer lines."),
        )
    ids = np.asarray(corpus.ids)[kept]
    counts = np.bincount(ids, minlength=corpus.types)
    order = np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]
    rank = np.empty(corpus.types, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    # Each gap ends a sentence, too.
    gaps = edges[np.unique(np.append(lines, np.asarray(lines) + 1))]
    borders = np.union1d(np.asarray(corpus.sentences), gaps)
    before = np.append(0, np.cumsum(kept))
    sentences = np.unique(before[borders]).astype(np.int64)
    digest = hashlib.blake2b(corpus.digest.encode(), digest_size=16)
    digest.update(rank[ids].tobytes())
    return replace(
        corpus,
        ids=rank[ids],
        sentences=sentences,
        words=[corpus.words[number] for number in order.tolist()],
        counts=counts[order],
        digest=digest.hexdigest(),
        files=(),
        folder=None,
        metadata={},
    )
