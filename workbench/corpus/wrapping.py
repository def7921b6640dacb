"""Whether the lines of a text end where a width is full, as in most plain-text books, and not where
sentences end.

In a wrapped text every line but the last of a paragraph is as long as it can be: the first word of
the next line would not have fitted. Lines that are sentences, verses, or entries of a log have
other lengths, or begin anew each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.ingest.preview import take_sample
from workbench.corpus.ingest.read_warnings import WRAPPED

_SAMPLE = 1 << 18
_FEWEST = 40
_NARROWEST, _WIDEST = 45, 160
# Of the lines that another one follows: so many are full, go on in the next one, and end no
# sentence. and hardly any begins with the same word.
_FULL, _GOING_ON, _UNFINISHED, _SAME = 0.65, 0.3, 0.5, 0.2
_ENDS = (
    ".",
    "!",
    "?",
    "…",
    ":",
    ";",
    '."',
    '!"',
    '?"',
    ".”",
    "!”",
    "?”",
    ".’",
    "!’",
    "?’",
    ".)",
    "۔",
    "।",
)


def unwrap_options(
    paths: Sequence[str | Path], options: CorpusOptions, run: JobControl | None = None
) -> CorpusOptions:
    """``options``, by punctuation in place of by lines where a text is wrapped. Raises UserError
    and Cancelled.
    """
    if options.sentences != "lines" or any(source.piped for source in gather(paths, options)):
        return options
    sample = take_sample(paths, options, run, _SAMPLE)
    text = b"\n".join(sample.parts).decode(errors="replace")
    if is_wrapped(text):
        return options.replace(sentences="punctuation")
    return options


def mark_wrapped(corpus: Corpus) -> Corpus:
    """A corpus that was read by punctuation because it is wrapped."""
    return replace(corpus, metadata={**corpus.metadata, WRAPPED: True})


def is_wrapped(text: str) -> bool:
    """Whether most lines of a text are full."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # An indented line begins a paragraph, as one after an empty line does.
    followed = [
        (one.rstrip(), two)
        for one, two in pairwise(lines)
        if one.strip() and two.strip() and two[0] not in " \t"
    ]
    if len(followed) < _FEWEST or 2 * len(followed) < sum(map(bool, map(str.strip, lines))):
        return False
    width = sorted(len(one) for one, _ in followed)[int(0.9 * len(followed))]
    words = sum(len(one.split()) for one, _ in followed)
    # Writing without blanks has no words that could be too long for a line.
    if not _NARROWEST <= width <= _WIDEST or words < 4 * len(followed):
        return False
    begins = Counter(two.split(None, 1)[0] for _, two in followed)
    full = sum(len(one) + 1 + len(two.split(None, 1)[0]) > width for one, two in followed)
    going_on = sum(two[0].isalpha() and not two[0].isupper() for _, two in followed)
    unfinished = sum(not one.endswith(_ENDS) for one, _ in followed)
    return (
        max(begins.values()) <= _SAME * len(followed)
        and full >= _FULL * len(followed)
        and going_on >= _GOING_ON * len(followed)
        and unfinished >= _UNFINISHED * len(followed)
    )
