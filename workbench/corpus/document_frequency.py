"""Document frequencies: the number of files or sentences that contain each word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus

_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class DocumentCounts:
    """Document frequencies. ``unit`` is "file" if there are several files with known numbers of
    tokens, else "sentence".

    counts : int64[types], number of documents that contain the word
    documents : number of all documents
    """

    unit: str
    counts: npt.NDArray[np.int64]
    documents: int


def document_counts(corpus: Corpus, run: JobControl | None = None) -> DocumentCounts:
    """Count every word once per document. Reports progress; raises Cancelled."""
    files = corpus.file_edges
    if files is not None and len(files) > 2:
        unit, ends = "file", files[1:]
    else:
        unit, ends = "sentence", np.asarray(corpus.sentences[1:])
    note = (
        tr("Counting the files that contain each word")
        if unit == "file"
        else tr("Counting the sentences that contain each word")
    )
    counts = np.zeros(corpus.types, dtype=np.int64)
    # The last document of each word: a document that continues beyond a block counts once.
    last = np.full(corpus.types, -1, dtype=np.int64)
    for begin in range(0, corpus.tokens, _BLOCK):
        if run is not None:
            run.check()
            run.advance(begin / corpus.tokens, note)
        ids = np.asarray(corpus.ids[begin : begin + _BLOCK], dtype=np.int64)
        document = np.searchsorted(ends, np.arange(begin, begin + len(ids)), side="right")
        first = int(document[0])
        pairs = np.unique(ids * (int(document[-1]) - first + 1) + (document - first))
        word, where = np.divmod(pairs, int(document[-1]) - first + 1)
        again = (where == 0) & (last[word] == first)
        counts += np.bincount(word[~again], minlength=len(counts))
        # Documents increase within a word, so the last entry of each word is its latest document.
        last[word] = where + first
    return DocumentCounts(unit, counts, len(ends))
