"""Conversion of text to numbered tokens by Python code that takes a line at a time.

A line ends with LF, CR LF or CR. A line that is too long for its splitter is split in parts, whose
ends the splitter chooses between two tokens: so a file without line ends needs no more memory than
any other. Only a single token that is longer than such a part is cut, but not before a mark. Memory
grows only with the number of types; tokens are cut to their first ``LONGEST`` bytes, as in the
kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.tokenise.char_classes import NON_JOINER, ZERO_WIDTH_JOINER, is_visible
from workbench.corpus.tokenise.kernel_tokeniser import LONGEST
from workbench.corpus.tokenise.tokenisers.base import LineSplitter, TooSlow
from workbench.corpus.tokenise.unicode_normaliser import starts_sequence

_SHOWN = 60
_BLANKS = "".join(
    chr(code)
    for code in range(0x10000)
    if chr(code).isspace() or code in (NON_JOINER, ZERO_WIDTH_JOINER)
)

_Tokens = TypeVar("_Tokens")
Piece = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]


class TooSlowLine(Exception):
    """The line (from 1 in its file; ``unit`` says whether lines are sentences) that took longer
    than ``seconds``.
    """

    def __init__(self, unit: str, number: int, text: str, seconds: float) -> None:
        super().__init__(f"{unit} {number}")
        self.unit = unit
        self.number = number
        self.text = text
        self.seconds = seconds

    def to_user_error(self, shown: str) -> UserError:
        """The error for a pattern that backtracks too long; ``shown`` names the text."""
        if self.unit == "sentence":
            place = tr("sentence {number:,}", number=self.number)
        else:
            place = tr("line {number:,}", number=self.number)
        return UserError(
            tr(
                "The pattern took more than {seconds:g} s at {place} of {shown} (“{text}…”).",
                seconds=self.seconds,
                place=place,
                shown=shown,
                text=self.text,
            ),
            tr("Avoid repetitions within repetitions, which make matching slow."),
        )


class LineTokeniser:
    """Numbers the tokens of one file after another, in order of appearance.

    ``rule`` is "lines", "paragraphs" or "none"; ``unit`` is the word for a line in messages.
    Feed each file's text in parts of any size, the last one with ``final``.
    """

    def __init__(self, splitter: LineSplitter, rule: str, unit: str = "line") -> None:
        self._splitter = splitter
        self._rule = rule
        self._unit = unit
        self._numbers = _Numbers()
        self._counts = np.zeros(1 << 10, dtype=np.int64)
        self._carry = ""
        self._line = 0
        self._blank = True
        self._sentence = 0
        self.tokens = 0

    @property
    def types(self) -> int:
        return len(self._numbers.spelled)

    @property
    def cut_words(self) -> int:
        """Number of tokens cut to their first LONGEST bytes."""
        return self._numbers.cut

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[types], by order of appearance."""
        return self._counts[: self.types].copy()

    def words(self) -> list[str]:
        """All types, by order of appearance."""
        return list(self._numbers.spelled)

    def feed(self, text: str, final: bool = False) -> Iterator[Piece]:
        """The tokens that ``text`` completes, in pieces of some milliseconds of work.

        Yields int32[n] their numbers and int64[m] the ends of the sentences that end there, counted
        in tokens from the start of the first file. Raises TooSlowLine.
        """
        text = self._carry + text
        self._carry = ""
        if not final and text.endswith("\r"):
            text, self._carry = text[:-1], "\r"
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")
        rest = lines.pop()
        ids: list[int] = []
        ends: list[int] = []
        work, longest = 0, self._splitter.longest_line
        for line in lines:
            begin = 0
            while len(line) - begin > longest:
                begin += self._take_beginning(line[begin : begin + longest + 1], ids)
                yield self._piece(ids, ends)
                ids, ends, work = [], [], 0
            work += len(line) - begin
            self._take(line[begin:], ids)
            if work >= longest:
                yield self._piece(ids, ends)
                ids, ends, work = [], [], 0
            self._end_line(
                ids, ends, self._rule == "lines" or (self._rule == "paragraphs" and self._blank)
            )
        begin = 0
        while len(rest) - begin > longest:
            begin += self._take_beginning(rest[begin : begin + longest + 1], ids)
            yield self._piece(ids, ends)
            ids, ends = [], []
        rest = rest[begin:]
        if final:
            self._take(rest, ids)
            self._end_line(ids, ends, True)
            self._line = 0
        else:
            self._carry = rest + self._carry
        yield self._piece(ids, ends)

    def _take(self, part: str, ids: list[int]) -> None:
        """Split a line, or the rest of a long one."""
        if part.strip(_BLANKS):
            self._blank = False
            ids.extend(map(self._numbers.__getitem__, self._split(self._splitter.split, part)))

    def _take_beginning(self, part: str, ids: list[int]) -> int:
        """Split the beginning of a long line, without the last character of ``part``. Return the
        length of the text that is done.
        """
        longest = len(part) - 1
        if not part.strip(_BLANKS):
            return longest
        self._blank = False
        tokens, end = self._split(self._splitter.split_beginning, part[:-1])
        if end == 0:
            end = longest
            while end > longest // 2 and not starts_sequence(part[end]):
                end -= 1
            tokens = self._split(self._splitter.split, part[:end])
        ids.extend(map(self._numbers.__getitem__, tokens))
        return end

    def _split(self, split: Callable[[str], _Tokens], part: str) -> _Tokens:
        try:
            return split(part)
        except TooSlow as error:
            raise TooSlowLine(self._unit, self._line + 1, part[:_SHOWN], error.seconds) from error

    def _end_line(self, ids: list[int], ends: list[int], ending: bool) -> None:
        self._line += 1
        self._blank = True
        if self._numbers.nothing:
            ids[:] = [number for number in ids if number >= 0]
        tokens = self.tokens + len(ids)
        if ending and tokens != self._sentence:
            ends.append(tokens)
            self._sentence = tokens

    def _piece(self, ids: list[int], ends: list[int]) -> Piece:
        numbers = np.array(ids, dtype=np.int32)
        if self._numbers.nothing:
            numbers = numbers[numbers >= 0]
        if self.types > len(self._counts):
            grown = np.zeros(2 * self.types, dtype=np.int64)
            grown[: len(self._counts)] = self._counts
            self._counts = grown
        np.add.at(self._counts, numbers, 1)
        self.tokens += len(numbers)
        return numbers, np.array(ends, dtype=np.int64)


class _Numbers(dict[str, int]):
    """Numbers by the output of a splitter; a new token gets the next number, a token of only spaces
    or marks −1.
    """

    def __init__(self) -> None:
        super().__init__()
        self.spelled: dict[str, int] = {}
        self.cut = 0
        self.nothing = False

    def __missing__(self, token: str) -> int:
        # A space within a token would split it in most formats.
        word = "_".join(token.split()) if any(map(str.isspace, token)) else token
        if not is_visible(word) or not word:
            self.nothing = True
            return -1
        data = word.encode()
        if len(data) > LONGEST:
            # Don’t cache the whole token: long ones rarely occur twice, and memory must be bounded.
            self.cut += 1
            word = data[:LONGEST].decode(errors="ignore")
            return self.spelled.setdefault(word, len(self.spelled))
        number = self[token] = self.spelled.setdefault(word, len(self.spelled))
        return number
