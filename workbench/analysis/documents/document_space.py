"""Documents of LSA as vectors in the space of its words, and search by words.

With M = V Σ Uᵀ (documents × words, weighted), the word vectors of a run are U Σ. So M U = V Σ are
the documents, which needn't be saved with the run: the text and the word vectors determine them.
A search is a document of its own: its words x, weighted as in the text, are at x U (Deerwester et
al. 1990, section 4.3.3), and documents are ranked by their cosine with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.rows.still_model import hold_still
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.groups import file_names
from workbench.corpus.suggestions import unknown_words
from workbench.models.count.lsa import (
    document_counts,
    document_edges,
    local_weights,
    weight_cells,
)
from workbench.vectors.embeddings import Embeddings

_ALGORITHM = "lsa"


@dataclass(frozen=True)
class FoundDocument:
    """A document with its number from 0, its name, its cosine with what was asked for, and its
    first words.
    """

    number: int
    name: str
    cosine: float
    text: str


@dataclass(frozen=True, eq=False)
class DocumentSpace:
    """The documents of a text in the space of an LSA run.

    documents : their names and vectors V Σ, in the order of the text
    edges : int64[N + 1], the first token of each, and the end
    words : the run
    directions : float64[V, d], U, each row times the weight of its word
    weighting : of the run
    """

    corpus: Corpus
    documents: Embeddings
    edges: Ints
    words: Embeddings
    directions: Doubles
    weighting: str

    def __len__(self) -> int:
        return len(self.documents)

    def text(self, number: int, most: int = 12) -> str:
        """The first ``most`` words of a document."""
        begin, end = self.edges[number : number + 2].tolist()
        ids = self.corpus.ids[begin : min(end, begin + most)].tolist()
        words = " ".join(self.corpus.words[each] for each in ids)
        return f"{words} …" if end - begin > most else words

    def query(self, words: Sequence[str]) -> Doubles:
        """float64[d], the place of words that are searched together. Raises UnknownWord, and
        UserError if they have no weight.
        """
        rows = [self.words.find(word) for word in words]
        unknown = [word for word, row in zip(words, rows, strict=True) if row is None]
        if unknown:
            raise unknown_words(unknown, self.words.words)
        known = np.array([row for row in rows if row is not None], dtype=np.int64)
        places, numbers = np.unique(known, return_counts=True)
        local = local_weights(numbers.astype(np.float64), self.weighting)
        found: Doubles = local @ self.directions[places]
        if not words or not np.any(found):
            raise UserError(
                tr(
                    "These words have no weight, because they are spread evenly over all documents."
                ),
                tr("Search for rarer words."),
            )
        return found

    def search(self, words: Sequence[str], n: int) -> tuple[FoundDocument, ...]:
        """The ``n`` documents nearest to words that are searched together, best first. Raises as
        ``query`` does.
        """
        return tuple(
            FoundDocument(one.row, one.word, one.cosine, self.text(one.row))
            for one in nearest(self.documents, self.query(words), n)
        )


def document_space(
    embeddings: Embeddings, corpus: Corpus, run: JobControl | None = None
) -> DocumentSpace:
    """The documents of the text on which an LSA run was trained.

    Raises UserError for vectors of another algorithm, without their settings, or of another text,
    and Cancelled.
    """
    run = run or JobControl()
    if embeddings.metadata.get("algorithm") != _ALGORITHM:
        raise UserError(
            tr("Only LSA runs have document vectors."),
            tr("Train LSA, or activate an LSA run."),
        )
    still = hold_still(embeddings, corpus, run, counted=False)
    weighting = str(still.values["weighting"])
    run.enter(Phase.COUNTING, tr("Counting words in documents"))
    unit = str(still.values["documents"])
    edges = document_edges(corpus, unit, int(still.values["document_length"]))
    matrix = document_counts(corpus, len(embeddings), edges, run)
    weights = weight_cells(matrix, weighting, run)
    singular = np.asarray(embeddings.metadata["singular_values"], dtype=np.float64)
    directions = still.words / singular
    run.check()
    vectors = np.asarray(matrix @ directions.astype(np.float32), dtype=np.float32)
    documents = Embeddings(_names(corpus, edges, whole=unit == "files"), vectors)
    return DocumentSpace(
        corpus, documents, edges, embeddings, directions * weights[:, None], weighting
    )


def _names(corpus: Corpus, edges: Ints, whole: bool) -> list[str]:
    """A name for each document: its file, and its number there unless it is the ``whole`` file."""
    begins = edges[:-1]
    numbers = np.arange(1, len(begins) + 1)
    files = corpus.file_edges
    if files is None or len(corpus.files) < 2:
        return [f"{corpus.name} {number}" for number in numbers.tolist()]
    names = file_names([file.path for file in corpus.files])
    of_files = np.searchsorted(files[1:], begins, side="right")
    if len(set(names)) < len(names):
        pairs = zip(of_files.tolist(), numbers.tolist(), strict=True)
        return [f"{names[file]} {number}" for file, number in pairs]
    if whole:
        return [names[file] for file in of_files.tolist()]
    firsts = np.searchsorted(begins, files[:-1])
    within = np.arange(len(begins)) - firsts[of_files] + 1
    pairs = zip(of_files.tolist(), within.tolist(), strict=True)
    return [f"{names[file]} {number}" for file, number in pairs]
