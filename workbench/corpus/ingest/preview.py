"""Preview of corpus options on a sample from the beginning of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.text_sample import LONGEST, TextSample, whole_characters
from workbench.corpus.tokenise.kernel_tokeniser import Tokeniser
from workbench.corpus.tokenise.line_tokeniser import TooSlowLine
from workbench.corpus.tokenise.token_encoder import Numbering, TextStage
from workbench.corpus.tokenise.token_filters import Refinement
from workbench.corpus.tokenise.tokenisers import TOKENISERS, LineSplitter, TooSlow

LINES = 40
GAINED = 12
_HEAD = 1 << 15
_STEP = 1 << 16


@dataclass(frozen=True)
class Mark:
    """A token from ``begin`` to ``end`` of its line: its spelling, and why it is left out, "" if it
    is kept.
    """

    begin: int
    end: int
    word: str
    why: str


@dataclass(frozen=True)
class PreviewLine:
    """A line as the tokeniser gets it; ``cut``: it is the beginning of a longer line; ``ends``: a
    sentence ends with it.
    """

    text: str
    marks: tuple[Mark, ...]
    ends: bool
    cut: bool = False


@dataclass(frozen=True)
class WordTally:
    """Words of a sample with their counts, most frequent first."""

    words: Mapping[str, int]

    @property
    def types(self) -> int:
        return len(self.words)

    @property
    def tokens(self) -> int:
        return sum(self.words.values())


@dataclass(frozen=True)
class TokenPreview:
    """lines : the first lines with their tokens
    before, after : the sample read with the previous and with the new options, without phrases
    gained, lost : words of only one of them with their counts, most frequent first
    size : bytes of text that were read; ``whole`` if they are the whole text
    notes : sentences about the sample
    """

    lines: tuple[PreviewLine, ...]
    before: WordTally
    after: WordTally
    gained: tuple[tuple[str, int], ...]
    lost: tuple[tuple[str, int], ...]
    size: int
    whole: bool
    notes: tuple[str, ...] = ()


def preview(
    sample: TextSample, before: CorpusOptions, after: CorpusOptions, run: JobControl | None = None
) -> TokenPreview:
    """Compare samples read with ``after`` and with ``before``. Raises UserError (also
    MissingPackagesError) and Cancelled.
    """
    run = run or JobControl()
    size = min(TOKENISERS[options.tokeniser].sample for options in (before, after))
    try:
        new, joins = _tally(sample, after, size, run)
        lines = _first_lines(sample, after, joins)
        old = new
        if after.reading().effective() != before.reading().effective():
            old, _ = _tally(sample, before, size, run)
    except TooSlowLine as error:
        raise error.to_user_error(sample.shown) from error
    return TokenPreview(
        lines,
        old,
        new,
        _only_in(new, old),
        _only_in(old, new),
        min(size, sample.size),
        sample.whole and sample.size <= size,
        sample.notes,
    )


def _only_in(one: WordTally, other: WordTally) -> tuple[tuple[str, int], ...]:
    return tuple([(word, n) for word, n in one.words.items() if word not in other.words][:GAINED])


def _tally(
    sample: TextSample, options: CorpusOptions, size: int, run: JobControl
) -> tuple[WordTally, frozenset[str]]:
    """Count words as when reading a corpus, without keeping their positions; and the words that
    are joined where a hyphen at a line end cuts them.
    """
    numbering = _number(sample, options, frozenset(), size, run)
    joins = numbering.hyphenated()
    if joins:
        numbering = _number(sample, options, joins, size, run)
    words, counts = numbering.words(), numbering.counts
    refinement = Refinement(options)
    if refinement.active:
        merged = refinement.merge(words, counts, run)
        words, counts = merged.words, merged.counts
    ranked = sorted(zip(words, counts.tolist(), strict=True), key=lambda item: -item[1])
    return WordTally(dict(ranked)), joins


def _number(
    sample: TextSample, options: CorpusOptions, joins: frozenset[str], size: int, run: JobControl
) -> Numbering:
    numbering = Numbering(options, joins)
    left = size
    for part in sample.parts:
        cut = whole_characters(part[:left])
        for at in range(0, len(cut), _STEP):
            for _ in numbering.feed(cut[at : at + _STEP]):
                run.check()
        for _ in numbering.feed(b"", final=True):
            run.check()
        left -= len(part)
        if left <= 0:
            break
    return numbering


def _first_lines(
    sample: TextSample, options: CorpusOptions, joins: frozenset[str]
) -> tuple[PreviewLine, ...]:
    head = next((part for part in sample.parts if part), b"")
    stage = TextStage(options, joins)
    text = stage.feed(stage.admit(whole_characters(head[:_HEAD]), final=True), final=True)
    found = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(head) > _HEAD and len(found) > 1:
        found.pop()  # its end is unknown
    kind = TOKENISERS[options.tokeniser]
    spans = _Spans(kind(options) if issubclass(kind, LineSplitter) else None, options)
    refinement = Refinement(options)
    preview_lines: list[PreviewLine] = []
    for number, (line, following) in enumerate(pairwise([*found, ""]), start=1):
        if not line.strip():
            continue
        cut = len(line) > LONGEST
        if cut:
            line = line[: line.rfind(" ", 1, LONGEST)] if " " in line[1:LONGEST] else line[:LONGEST]
        try:
            places = spans.of(line)
        except TooSlow as error:
            raise TooSlowLine("line", number, line[:60], error.seconds) from error
        marks = tuple(Mark(begin, end, *refinement.look(token)) for begin, end, token in places)
        ends = options.sentences in ("lines", "punctuation", "auto") or (
            options.sentences == "paragraphs" and not following.strip()
        )
        preview_lines.append(PreviewLine(line, marks, ends and not cut, cut))
        if len(preview_lines) == LINES:
            break
    return tuple(preview_lines)


class _Spans:
    """Tokens of a line with their start and end, from a splitter or the kernel."""

    def __init__(self, splitter: LineSplitter | None, options: CorpusOptions) -> None:
        self._splitter = splitter
        # Without lowercase, so that tokens can be found in the line.
        self._plain = options.replace(lowercase=False, sentences="none")

    def of(self, line: str) -> list[tuple[int, int, str]]:
        if self._splitter is not None:
            return [(a, b, "_".join(line[a:b].split())) for a, b in self._splitter.spans(line)]
        tokeniser = Tokeniser(self._plain, capacity=1 << 8, arena=1 << 12)
        ids, _ = tokeniser.feed(line.encode(), final=True)
        words = tokeniser.words()
        if self._plain.tokeniser == "words":
            line = line.replace("’", "'")
        found, at = [], 0
        for number in ids.tolist():
            word = words[number]
            begin = line.find(word, at)
            if begin >= 0:
                at = begin + len(word)
                found.append((begin, at, word))
        return found
