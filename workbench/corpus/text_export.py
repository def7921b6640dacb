"""Conversion of a corpus back to text: one sentence per line, words separated by spaces."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.core.atomic import replacing
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus

# Tokens at a time: some megabytes of text.
_BLOCK = 1 << 18


def write_text(corpus: Corpus, path: Path, run: JobControl | None = None) -> None:
    """Write the text for other programs to train on. Raises UserError if ``path`` cannot be
    written, and Cancelled.
    """
    words = list(corpus.words)
    ends = np.asarray(corpus.sentences)
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", errors="replace", newline="") as file,
    ):
        for start in range(0, corpus.tokens, _BLOCK):
            if run is not None:
                run.check()
                run.advance(start / corpus.tokens, tr("Writing the text"))
            stop = min(start + _BLOCK, corpus.tokens)
            found = [words[number] for number in np.asarray(corpus.ids[start:stop]).tolist()]
            # A space after each word except the last of a sentence.
            marks = [" "] * len(found)
            first, last = np.searchsorted(ends, (start, stop), side="right")
            for end in ends[first:last].tolist():
                marks[end - start - 1] = "\n"
            # If a sentence begins with a block, the previous block contains the line end before it.
            file.write("".join(word + mark for word, mark in zip(found, marks, strict=True)))
