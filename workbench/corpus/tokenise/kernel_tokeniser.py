"""Text to words: bytes in, the numbers of words out, in one pass of one kernel.

``words`` takes maximal runs of Unicode letters and digits with their marks and single inner
apostrophes; the typographic apostrophe counts as the plain one, so that don’t and don't are one
word. ``whitespace`` takes whatever stands between blanks. What nobody sees makes and ends no words
(``char_classes``). Letters are folded one by one as ``str.lower`` does; a capital sigma becomes the
final one where it ends a word of several letters. No other normalisation is made: composed and
decomposed accents stay two spellings.

A line ends with LF, CR LF or CR. A sentence ends with its line, at a blank line, or with its file.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel_cache
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.tokenise import tokeniser_kernel
from workbench.corpus.tokenise.char_classes import characters
from workbench.corpus.tokenise.tokeniser_kernel import LONGEST, Word, WordHashTable, rehash
from workbench.corpus.tokenisers import TOKENISERS, TableSplitter

_RULES = {
    "none": tokeniser_kernel.NONE,
    "lines": tokeniser_kernel.LINES,
    "paragraphs": tokeniser_kernel.PARAGRAPHS,
}


class Tokeniser:
    """Numbers the words of one file after another, in order of appearance.

    Feed each file's bytes in blocks of any size, the last one with ``final``; a word, a character
    or a line end may be cut by a block's end. Memory grows with the number of types alone.
    """

    def __init__(
        self, options: CorpusOptions, *, capacity: int = 1 << 16, arena: int = 1 << 20
    ) -> None:
        """Room for ``capacity`` types (a power of two) in ``arena`` bytes at first."""
        kind = TOKENISERS[options.tokeniser]
        assert issubclass(kind, TableSplitter)
        self._tables = characters(kind.kinds(), options.lowercase)
        self._state = np.zeros(tokeniser_kernel.STATE_SIZE, dtype=np.int64)
        self._state[tokeniser_kernel.RULE] = _RULES[options.sentences]
        self._state[tokeniser_kernel.BLANK] = 1
        parts = np.zeros(LONGEST // 8, dtype=np.uint64)
        self._word = Word(parts.view(np.uint8), parts)
        self._words = WordHashTable(
            np.zeros(2 * capacity, dtype=np.uint64),
            np.zeros(capacity + 2, dtype=np.int64),
            np.zeros(capacity + 1, dtype=np.int64),
            np.zeros(max(arena, 2 * LONGEST) // 8, dtype=np.uint64),
        )
        self._carry = b""
        self._offset = 0

    @property
    def tokens(self) -> int:
        return int(self._state[tokeniser_kernel.TOKENS])

    @property
    def types(self) -> int:
        return int(self._state[tokeniser_kernel.TYPES])

    @property
    def cut_words(self) -> int:
        """Tokens of which only the first LONGEST bytes were kept."""
        return int(self._state[tokeniser_kernel.CUT_WORDS])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[types], by order of appearance."""
        return self._words.counts[: self.types].copy()

    def words(self) -> list[str]:
        """All types, by order of appearance."""
        starts = (8 * self._words.starts[: self.types + 1]).tolist()
        arena = self._words.arena[: self._state[tokeniser_kernel.ARENA]].tobytes()
        return [arena[a:b].rstrip(b"\0").decode() for a, b in pairwise(starts)]

    def feed(
        self, block: bytes, final: bool = False
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The words that ``block`` completes.

        Returns int32[n] their numbers, and int64[m] the ends of the sentences that end here,
        counted in tokens from the start of the first file. Raises NotUtf8, after which nothing more
        can be read.
        """
        data = np.frombuffer(self._carry + block, dtype=np.uint8)
        state = self._state
        # Between two words stands at least one byte; one more may be left over from the last block.
        ids = np.empty(len(data) // 2 + 2, dtype=np.int32)
        ends = np.empty(len(data) // 2 + 2, dtype=np.int64)
        state[tokeniser_kernel.IDS] = state[tokeniser_kernel.ENDS] = 0
        at = 0
        # Kernels that run as plain Python would warn of the wrap-around that a hash is made of.
        with np.errstate(over="ignore"):
            while True:
                at = tokeniser_kernel.scan(
                    data, at, final, self._tables, self._word, self._words, state, ids, ends
                )
                if state[tokeniser_kernel.STATUS] != tokeniser_kernel.FULL:
                    break
                self._make_room()
        if state[tokeniser_kernel.STATUS] == tokeniser_kernel.BAD:
            raise NotUtf8(int(data[at]), self._offset + at, int(state[tokeniser_kernel.LINE]) + 1)
        self._carry = data[at:].tobytes()
        self._offset += at
        if final:
            self._offset = state[tokeniser_kernel.LINE] = 0
        return ids[: state[tokeniser_kernel.IDS]], ends[: state[tokeniser_kernel.ENDS]]

    def _make_room(self) -> None:
        words = self._words
        if self._state[tokeniser_kernel.ARENA] + LONGEST // 8 > len(words.arena):
            words = words._replace(arena=_grow_array(words.arena, 2 * len(words.arena)))
        if self.types + 1 >= len(words.counts):
            capacity = len(words.slots)
            slots = np.zeros(2 * capacity, dtype=np.uint64)
            rehash(words, self.types, slots)
            words = WordHashTable(
                slots,
                _grow_array(words.starts, capacity + 2),
                _grow_array(words.counts, capacity + 1),
                words.arena,
            )
        self._words = words


def _grow_array(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    grown = np.zeros(size, dtype=array.dtype)
    grown[: len(array)] = array
    return grown


def preview(text: str, options: CorpusOptions | None = None) -> list[list[str]]:
    """The sentences of a short text as lists of words, by the kernel that reads corpora."""
    tokeniser = Tokeniser(options or CorpusOptions(), capacity=1 << 10, arena=1 << 14)
    ids, ends = tokeniser.feed(text.encode("utf-8", errors="replace"), final=True)
    words = tokeniser.words()
    tokens = [words[number] for number in ids.tolist()]
    bounds = [0, *ends.tolist()]
    return [tokens[a:b] for a, b in pairwise(bounds)]


def warm() -> None:
    """Compile the kernels, or load them from the cache, by reading a few words."""
    tokeniser = Tokeniser(CorpusOptions(), capacity=2)
    tokeniser.feed(b"one two three\nfour", final=True)


def is_compiled() -> bool:
    """Whether the kernels were compiled before, so that ``warm`` takes no time to speak of."""
    return any(kernel_cache().rglob("tokeniser_kernel.scan-*.nbc"))
