"""The documents of a corpus, which are drawn with replacement for error bars.

Words of one document depend on each other, so whole documents are drawn, not words: the bootstrap
of clusters (Davison & Hinkley 1997, section 3.8).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from workbench.core.arrays import Ids, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import Params, param
from workbench.corpus.columns import column_names, column_values
from workbench.corpus.corpus import Corpus

AUTO, FILES, ROWS, PASSAGES, SENTENCES = "auto", "files", "rows", "passages", "sentences"
# Minimum number of files or rows that are taken as documents without being asked for: fewer say
# little about others (see tests/analysis/resampling).
FEWEST = 10
# Tokens of a passage, and of the longest sentence: trainers cut sentences there, too.
PASSAGE = LONGEST = 1000
UNIT_TITLES = {
    FILES: tr("files"),
    ROWS: tr("rows"),
    PASSAGES: tr("passages"),
    SENTENCES: tr("sentences"),
}


@dataclass(frozen=True)
class DocumentParams(Params):
    """What is drawn for error bars."""

    documents: str = param(
        AUTO,
        "Units of the text that are drawn with replacement. files; rows: of tables and JSON "
        "objects; passages: sentences of one file with about 1,000 words together; sentences; "
        "auto: files or rows if there are at least 10, otherwise sentences.",
        label="Documents",
        choices=(AUTO, FILES, ROWS, PASSAGES, SENTENCES),
        basic=True,
    )


@dataclass(frozen=True, eq=False)
class Documents:
    """Documents of a corpus: whole sentences that follow each other.

    unit : FILES, ROWS, PASSAGES or SENTENCES
    begins : int64[D + 1], number of the first sentence of each, and of all sentences
    """

    unit: str
    begins: Ints

    def __len__(self) -> int:
        return len(self.begins) - 1

    def of_sentences(self) -> Ints:
        """int64[S], the number of each sentence’s document."""
        return np.repeat(np.arange(len(self)), np.diff(self.begins))

    def cut(self, codes: Ids) -> Documents:
        """The documents, cut where the group of sentences changes. codes : int32[S]"""
        changes = np.flatnonzero(np.diff(codes)) + 1
        return Documents(self.unit, np.union1d(self.begins, changes))


def documents_of(corpus: Corpus, params: DocumentParams, codes: Ids | None = None) -> Documents:
    """The documents that ``params`` asks for.

    codes : int32[S], groups of sentences, −1 without one. With them, “auto” only takes files or
    rows if most groups have at least five

    Raises UserError if there is only one document, or the corpus has no such unit.
    """
    if params.documents == AUTO:
        for unit in (FILES, ROWS):
            begins = _begins(corpus, unit)
            if begins is not None and _are_enough(begins, codes):
                return Documents(unit, begins)
        return _several(corpus, Documents(SENTENCES, np.arange(len(corpus.sentences))))
    begins = _begins(corpus, params.documents)
    if begins is None:
        raise UserError(
            tr(
                "{corpus} isn’t divided into {unit}.",
                corpus=corpus.name,
                unit=UNIT_TITLES[params.documents],
            ),
            tr("Set {documents} to sentences.", documents=quoted_param("documents")),
        )
    return _several(corpus, Documents(params.documents, begins))


def split_edges(edges: Ints, length: int) -> Ints:
    """Edges of texts, int64[N + 1] in tokens, and further ones every ``length`` tokens within texts
    that are longer.
    """
    pieces = np.maximum(-(-np.diff(edges) // length), 1)
    within = np.arange(int(pieces.sum())) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    return np.append(np.repeat(edges[:-1], pieces) + within * length, edges[-1])


def _several(corpus: Corpus, found: Documents) -> Documents:
    if len(found) < 2:
        raise UserError(
            tr("{corpus} is only one document, so nothing can be drawn.", corpus=corpus.name),
            tr("Open more text.")
            if len(corpus.sentences) < 3
            else tr(
                "Set {documents} to sentences, or open more text.",
                documents=quoted_param("documents"),
            ),
        )
    return found


def _begins(corpus: Corpus, unit: str) -> Ints | None:
    """int64[D + 1], numbers of first sentences, None without such documents."""
    sentences = np.asarray(corpus.sentences)
    if unit == SENTENCES:
        return np.arange(len(sentences))
    edges = corpus.file_edges
    if edges is None:
        if unit == FILES:
            return None
        edges = sentences[[0, -1]]
    if unit == ROWS:
        names = column_names(corpus)
        if not names:
            return None
        edges = np.union1d(column_values(corpus, names[0]).begins, [0])
    begins = np.unique(np.searchsorted(sentences, edges))
    if unit == PASSAGES:
        return _passages(sentences, begins)
    return begins


def _passages(sentences: Ints, begins: Ints) -> Ints:
    """Cuts whole sentences of each file into passages of about PASSAGE tokens."""
    cuts = [begins]
    for first, last in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        tokens = int(sentences[last] - sentences[first])
        wanted = sentences[first] + np.arange(1, max(1, round(tokens / PASSAGE))) * PASSAGE
        cuts.append(np.searchsorted(sentences[first : last + 1], wanted) + first)
    return np.unique(np.concatenate(cuts))


def _are_enough(begins: Ints, codes: Ids | None) -> bool:
    if len(begins) - 1 < FEWEST:
        return False
    if codes is None:
        return True
    own = codes[begins[:-1]]
    numbers = np.bincount(own[own >= 0], minlength=int(codes.max(initial=0)) + 1)
    return float(np.median(numbers)) >= FEWEST / 2


def with_short_sentences(corpus: Corpus) -> Corpus:
    """The corpus with sentences of more than LONGEST tokens cut every LONGEST tokens, so that a
    text on one line has passages to draw; the corpus itself if there are none.
    """
    sentences = np.asarray(corpus.sentences)
    long = np.flatnonzero(np.diff(sentences) > LONGEST)
    if not len(long):
        return corpus
    more = [np.arange(sentences[at] + LONGEST, sentences[at + 1], LONGEST) for at in long.tolist()]
    cut = np.union1d(sentences, np.concatenate(more))
    digest = hashlib.blake2b(corpus.digest.encode() + cut.tobytes(), digest_size=16).hexdigest()
    return replace(corpus, sentences=cut, digest=digest)


def draw_text(corpus: Corpus, documents: Documents, times: Ints) -> Corpus:
    """The text with each document as often as ``times`` says, in order, in memory; its words, and
    so its ids, are the same, although their counts are no longer in order.

    times : int64[D], at least 0
    """
    sentences = np.asarray(corpus.sentences)
    order = sentence_order(documents, times)
    sizes = np.diff(sentences)[order]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(sentences[order] - ends[:-1], sizes) + np.arange(int(ends[-1]))
    ids = np.asarray(corpus.ids)[places]
    return replace(
        corpus,
        ids=ids,
        sentences=ends.astype(np.int64),
        counts=np.bincount(ids, minlength=corpus.types).astype(np.int64),
        digest="",
        files=(),
        folder=None,
        metadata={},
    )


def sentence_order(documents: Documents, times: Ints) -> Ints:
    """int64[n], the number of the original sentence of each sentence of ``draw_text``."""
    chosen = np.repeat(np.arange(len(documents)), times)
    lengths = np.diff(documents.begins)[chosen]
    # The sentences of all chosen documents, one document after another.
    starts = np.repeat(documents.begins[:-1][chosen], lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.asarray(starts + within)


def with_ranks(corpus: Corpus) -> Corpus:
    """A drawn text with ids that are ranks again, as algorithms need them; words that it lacks are
    left out.
    """
    order = np.argsort(-corpus.counts, kind="stable")
    order = order[corpus.counts[order] > 0]
    rank = np.zeros(corpus.types, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    ids = rank[corpus.ids]
    digest = hashlib.blake2b(ids.tobytes() + corpus.sentences.tobytes(), digest_size=16)
    words = [corpus.words[row] for row in order.tolist()]
    counts = corpus.counts[order]
    return replace(corpus, ids=ids, words=words, counts=counts, digest=digest.hexdigest())
