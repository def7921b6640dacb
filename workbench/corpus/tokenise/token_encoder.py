"""Conversion of blocks of UTF-8 to numbered tokens, by the tokeniser that the options name.

Processing of a text, in order:

1. Join words that were cut at line ends, and leave out placeholders
   (:mod:`workbench.corpus.tokenise.text_repairs`).
2. ``unicode_form``: convert the text to the normal form, before it is split. Only with ``none`` do
   tokenisers see the letters as they were written.
3. ``sentences``: find the ends of sentences in that form; ``auto`` decides by the lines as written.
4. ``tokeniser``: find tokens, none of which crosses the end of a line (of a sentence, if
   punctuation ends sentences).
5. ``lowercase``, ``strip_accents``, ``numbers``, then ``keep_words``, ``stop_words`` and
   ``min_length``: each a function of the token alone, so they are applied to the types after the
   text was read (:mod:`workbench.corpus.tokenise.token_filters`). The kernel converts to lowercase
   at once, with the same result.
6. ``phrases``: join phrases of the remaining tokens.

Filtered tokens are removed before sentences become windows: their neighbours become adjacent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from functools import partial
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from workbench.corpus.columns import MARK
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.utf8 import Utf8
from workbench.corpus.tokenise.char_classes import without_ignored
from workbench.corpus.tokenise.kernel_tokeniser import Tokeniser
from workbench.corpus.tokenise.line_tokeniser import LineTokeniser, Piece
from workbench.corpus.tokenise.sentence_splitter import Sentences
from workbench.corpus.tokenise.text_repairs import Repairs
from workbench.corpus.tokenise.token_filters import small
from workbench.corpus.tokenise.tokenisers import TOKENISERS, LineSplitter
from workbench.corpus.tokenise.unicode_normaliser import Form, Normaliser, normalise_text
from workbench.corpus.tokenise.wrapped_lines import Wrapping

_MARK = MARK.encode()


class _Numbered(Protocol):
    @property
    def tokens(self) -> int: ...
    @property
    def types(self) -> int: ...
    @property
    def cut_words(self) -> int: ...
    @property
    def counts(self) -> npt.NDArray[np.int64]: ...
    def words(self) -> list[str]: ...


def joined_form(options: CorpusOptions, word: str) -> str:
    """The form in which a word that a hyphen cuts is looked for among the other words."""
    form: Form = "NFKC" if options.unicode_form == "NFKC" else "NFC"
    return small(normalise_text(word, form), options.dotless)


class Numbering:
    """Numbers the tokens of one file after another, in order of appearance, before any are left
    out.

    Raises MissingPackagesError if the tokeniser's packages are not installed.
    """

    def __init__(self, options: CorpusOptions, joins: Set[str] = frozenset()) -> None:
        """``joins`` : words to join if an ordinary hyphen at a line end cuts them."""
        self._stage = TextStage(options, joins)
        self._options = options
        self._capitals = CapitalI() if options.dotless and options.lowercase else None
        kind = TOKENISERS[options.tokeniser]
        by_punctuation = options.sentences == "punctuation"
        rule = options.sentences
        if rule in ("punctuation", "auto"):
            rule = "lines"
        self._kernel: Tokeniser | None = None
        self._lines: LineTokeniser | None = None
        if issubclass(kind, LineSplitter):
            self._lines = LineTokeniser(
                kind(options), rule, "sentence" if by_punctuation else "line"
            )
        else:
            self._kernel = Tokeniser(options.replace(sentences=rule))
        self._inner = cast(_Numbered, self._kernel or self._lines)

    @property
    def tokens(self) -> int:
        return self._inner.tokens

    @property
    def types(self) -> int:
        return self._inner.types

    @property
    def cut_words(self) -> int:
        """Number of tokens cut to their first bytes."""
        return self._inner.cut_words

    @property
    def wrapped(self) -> int:
        """Number of files whose lines were found to have a fixed width."""
        return self._stage.wrapped

    @property
    def repairs(self) -> Repairs:
        """What was repaired in all files."""
        return self._stage.repairs

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[types], by order of appearance."""
        return self._inner.counts

    def hyphenated(self) -> frozenset[str]:
        """Words, in lowercase, that occur both whole and with an ordinary hyphen at a line end."""
        if not self.repairs.forms:
            return frozenset()
        return (
            frozenset(joined_form(self._options, word) for word in self.words())
            & self.repairs.forms.keys()
        )

    def words(self) -> list[str]:
        """All types, by order of appearance."""
        return self._inner.words()

    def feed(
        self,
        block: bytes,
        final: bool = False,
        begin_row: Callable[[int], None] | None = None,
    ) -> Iterator[Piece]:
        """The tokens that ``block`` completes, in pieces of at most some 20 ms of work.
        ``begin_row`` takes the number of tokens before each MARK, which always follows an empty
        line.

        Yields int32[n] their numbers and int64[m] the ends of the sentences that end there, counted
        in tokens from the start of the first file. Raises NotUtf8 and TooSlowLine; after that,
        reading can't continue.
        """
        block = self._stage.admit(block, final)
        if not block and not final:
            return
        if self._lines is not None:
            parts = [self._stage.feed(block, final)]
            if begin_row is not None:
                parts = parts[0].split(MARK)
            for at, part in enumerate(parts):
                if at and begin_row is not None:
                    begin_row(self.tokens)
                yield from self._lines.feed(part, final and at == len(parts) - 1)
        elif self._kernel is not None:
            data = block
            if self._stage.needed or self._capitals is not None:
                text = self._stage.feed(block, final)
                if self._capitals is not None:
                    text = self._capitals.feed(text, final)
                data = text.encode()
            if begin_row is None or _MARK not in data:
                yield self._kernel.feed(data, final)
            else:
                yield self._feed_rows(self._kernel, data.split(_MARK), final, begin_row)

    def _feed_rows(
        self, kernel: Tokeniser, rows: list[bytes], final: bool, begin_row: Callable[[int], None]
    ) -> Piece:
        pieces = [kernel.feed(rows[0], final and len(rows) == 1)]
        for at, row in enumerate(rows[1:], start=1):
            begin_row(kernel.tokens)
            pieces.append(kernel.feed(row, final and at == len(rows) - 1))
        numbers, ends = zip(*pieces, strict=True)
        return np.concatenate(numbers), np.concatenate(ends)


class CapitalI:
    """Converts I to ı and İ to i, as in Turkish, before the kernel folds the other letters."""

    def __init__(self) -> None:
        self._carry = ""

    def feed(self, text: str, final: bool = False) -> str:
        """The text that ``text`` completes; ``final`` ends a file."""
        text = self._carry + text
        self._carry = ""
        # Its dot may be a character of its own.
        if not final and text.endswith("I"):
            text, self._carry = text[:-1], "I"
        return text.replace("I\u0307", "i").replace("İ", "i").replace("I", "ı")


class TextStage:
    """Converts text for the tokeniser: decoded, in its normal form, and if requested with one
    sentence per line.

    Zero characters become spaces, and invisible characters are left out, as in the kernel. Blocks
    pass ``admit`` before ``feed``.
    """

    def __init__(self, options: CorpusOptions, joins: Set[str] = frozenset()) -> None:
        self.repairs = Repairs(joins, partial(joined_form, options))
        self._utf8 = Utf8()
        self._form = None
        if options.unicode_form != "none":
            self._form = Normaliser(cast(Form, options.unicode_form))
        self._wrapping = Wrapping() if options.sentences == "auto" else None
        self._sentences = Sentences()
        self._splits = options.sentences == "punctuation"

    @property
    def needed(self) -> bool:
        """Whether the result differs from the original text."""
        return self._form is not None or self._splits

    @property
    def wrapped(self) -> int:
        """Number of files whose lines were found to have a fixed width."""
        return self._wrapping.texts if self._wrapping is not None else 0

    def admit(self, block: bytes, final: bool) -> bytes:
        """The repaired bytes to feed now: if the lines of a file decide how its sentences end, its
        beginning waits until they are known.
        """
        if self._wrapping is not None:
            block = self._wrapping.feed(block, final)
            self._splits = self._wrapping.wrapped
        return self.repairs.feed(block, final)

    def feed(self, block: bytes, final: bool = False) -> str:
        """The text that ``block`` completes. Raises NotUtf8."""
        text = self._utf8.feed(block, final)
        if "\0" in text:
            text = text.replace("\0", " ")
        text = without_ignored(text)
        if self._form is not None:
            text = self._form.feed(text, final)
        if self._splits:
            text = self._sentences.feed(text, final)
        return text
