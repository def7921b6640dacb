"""Conversion of text to words: bytes in, numbers of words out, in one pass of one kernel.

``words`` finds maximal runs of Unicode letters and digits with their marks and single inner
apostrophes; the typographic apostrophe counts as the plain one, so that don’t and don't are one
word. ``whitespace`` takes everything between spaces. Invisible characters neither start nor end
words (``char_classes``). Letters are converted to lowercase one by one, as by ``str.lower``; a
capital sigma becomes the final one at the end of a word of several letters, and İ becomes i without
a second dot. Nothing else is normalised: composed and decomposed accents stay two spellings.

A line ends with LF, CR LF or CR. A sentence ends with its line, at an empty line, or with its file.

An array of state contains the unfinished rest at the end of a block, from half a word to half a
line end, so blocks may be cut anywhere.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel, kernel_cache, shipped_kernels
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.tokenise.char_classes import (
    APOSTROPHE,
    COMBINING_DOT_ABOVE,
    IGNORED,
    JOINER,
    MARK,
    SPACE,
    WORD,
    Characters,
    characters,
)
from workbench.corpus.tokenise.tokenisers import TOKENISERS, TableSplitter

# Inlined, so that LLVM removes the reference counting that calls would cost.
inlined = partial(kernel, inline=True)

# Maximum bytes of a word: longer ones aren’t words and are cut, because memory must be bounded.
LONGEST = 1000

NONE, LINES, PARAGRAPHS = 0, 1, 2
_RULES = {
    "none": NONE,
    "lines": LINES,
    "paragraphs": PARAGRAPHS,
}

# Slots of the kernel's state, an int64 array that is kept from block to block.
RULE = 0
STATUS = 1  # one of the values below
LENGTH = 2  # bytes of the current word
# an apostrophe waits for a letter after it (1), or a joiner for a letter or a mark (its code point)
PENDING = 3
CUT = 4  # the current word is longer than LONGEST
SIGMA = 5  # the last letter of the current word was a capital sigma
AFTER_CR = 6
BLANK = 7  # only spaces so far in this line
LINE = 8  # lines ended in this file
TOKENS = 9  # in all files
SENTENCE = 10  # tokens up to the last sentence's end
TYPES = 11
ARENA = 12  # bytes used of the arena
IDS = 13  # written to ids in this call
ENDS = 14  # written to ends in this call
CUT_WORDS = 15
LATIN_I = 16  # the last character of the current word is i, and capital letters become small
STATE_SIZE = 17

FINE, FULL, BAD = 0, 1, 2


class WordHashTable(NamedTuple):
    """A hash table of the words seen, by order of appearance.

    A word is stored as its UTF-8 bytes in parts of eight, the last one padded with zeros: most
    words have one part, so hashing and comparing take one step each.

    slots : uint64[2^n], a word's number + 1 in the low bits and 32 bits of its hash in the high
    bits, or 0
    starts : int64[2^(n-1) + 2], the first part of each word in the arena, then the end of the last
    counts : int64[2^(n-1) + 1]
    arena : uint64[...], parts of the words, one after another
    """

    slots: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    arena: npt.NDArray[np.uint64]


class Word(NamedTuple):
    """The current word, uint8[LONGEST], and the same memory as uint64[LONGEST / 8], lowest byte
    first.
    """

    text: npt.NDArray[np.uint8]
    parts: npt.NDArray[np.uint64]


@inlined
def _hash(parts: npt.NDArray[np.uint64], begin: int, end: int) -> np.uint64:
    value = np.uint64(0x9E3779B97F4A7C15)
    for i in range(begin, end):
        value = (value ^ parts[i]) * np.uint64(0xD6E8FEB86659FD93)
        value ^= value >> np.uint64(32)
    return value * np.uint64(0xD6E8FEB86659FD93)


@inlined
def _number(
    parts: npt.NDArray[np.uint64],
    size: int,
    slots: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    arena: npt.NDArray[np.uint64],
    state: npt.NDArray[np.int64],
) -> np.int64:
    """The number of a word of ``size`` parts; a new number for a new word. The table must have room
    for one more word.
    """
    value = _hash(parts, 0, size)
    high = (value >> np.uint64(32)) << np.uint64(32)
    mask = np.uint64(len(slots) - 1)
    slot = value & mask
    number = np.int64(-1)
    while number < 0:
        entry = slots[slot]
        if entry == np.uint64(0):
            number = state[TYPES]
            begin = state[ARENA]
            for i in range(size):
                arena[begin + i] = parts[i]
            starts[number] = begin
            starts[number + 1] = begin + size
            slots[slot] = high | np.uint64(number + 1)
            state[TYPES] = number + 1
            state[ARENA] = begin + size
        elif (entry ^ high) >> np.uint64(32) == np.uint64(0):
            found = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
            begin = starts[found]
            if starts[found + 1] - begin == size:
                same = 0
                while same < size and arena[begin + same] == parts[same]:
                    same += 1
                if same == size:
                    number = found
        slot = (slot + np.uint64(1)) & mask
    return number


@kernel
def _decode(data: npt.NDArray[np.uint8], at: int) -> tuple[int, int]:
    """A code point beyond ASCII and its length in bytes: 0 if it is cut off, −1 if it is not UTF-8.

    Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above 10FFFF.
    """
    first = np.int64(data[at])
    if first < 0xC2 or first > 0xF4:
        return 0, -1
    if first < 0xE0:
        size = 2
    elif first < 0xF0:
        size = 3
    else:
        size = 4
    code = first & (0xFF >> (size + 1))
    for i in range(1, size):
        if at + i >= len(data):
            return 0, 0
        byte = np.int64(data[at + i])
        low = 0x80
        high = 0xBF
        if i == 1:
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
            elif first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        if byte < low or byte > high:
            return 0, -1
        code = (code << 6) | (byte & 0x3F)
    return int(code), size


@kernel
def _append(word: npt.NDArray[np.uint8], state: npt.NDArray[np.int64], code: int) -> None:
    """Append a code point to the current word, unless that is too long already."""
    length = state[LENGTH]
    if code < 0x80:
        size = 1
    elif code < 0x800:
        size = 2
    elif code < 0x10000:
        size = 3
    else:
        size = 4
    if state[CUT] or length + size > LONGEST:
        state[CUT] = 1
        return
    if size == 1:
        word[length] = code
    else:
        for i in range(size - 1, 0, -1):
            word[length + i] = 0x80 | (code & 0x3F)
            code >>= 6
        word[length] = ((0xF00 >> size) & 0xFF) | code
    state[LENGTH] = length + size


@kernel
def scan(
    data: npt.NDArray[np.uint8],
    at: int,
    final: bool,
    tables: Characters,
    word: Word,
    words: WordHashTable,
    state: npt.NDArray[np.int64],
    ids: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int64],
) -> int:
    """Read ``data`` from ``at`` on; return the position reached: the end, or where reading stopped.

    It stops at a character cut off by the end of the data, at the end of a word that filled the
    table (status FULL: make room and call again), or at a byte that is not UTF-8 (status BAD).
    ``final``: the file ends with this data.
    """
    # Taken out of their tuples once: numba counts references at each access to a field.
    kind = tables.kind
    fold = tables.fold
    text = word.text
    parts = word.parts
    slots = words.slots
    starts = words.starts
    counts = words.counts
    arena = words.arena
    state[STATUS] = FINE
    size = len(data)
    while state[STATUS] == FINE and (at < size or (final and at == size)):
        # The end of a file ends its last line, and so the last word and sentence.
        code = np.int64(data[at]) if at < size else np.int64(0x0A)
        step = 1
        if code < 0x80 and kind[code] == WORD and state[PENDING] == 0 and state[CUT] == 0:
            # The most common case: plain letters in a row.
            length = state[LENGTH]
            while code < 0x80 and kind[code] == WORD and length < LONGEST:
                text[length] = fold[code]
                length += 1
                at += 1
                code = np.int64(data[at]) if at < size else np.int64(0x80)
            # The first letter that does not fit, and all after it, are left out.
            state[CUT] = length == LONGEST and code < 0x80 and kind[code] == WORD
            state[LENGTH] = length
            state[SIGMA] = 0
            state[LATIN_I] = fold[data[at - 1]] == 0x69 and fold[0x49] == 0x69
            state[AFTER_CR] = 0
            state[BLANK] = 0
            continue
        if code >= 0x80:
            code, step = _decode(data, at)
            if step == 0 and not final:
                break
            if step <= 0:
                state[STATUS] = BAD
                break
        what = kind[code]
        if what == WORD:
            at += step
            state[AFTER_CR] = 0
            state[BLANK] = 0
            if state[PENDING]:
                _append(text, state, 0x27 if state[PENDING] == 1 else state[PENDING])
                state[PENDING] = 0
            folded = fold[code]
            _append(text, state, folded)
            state[SIGMA] = code == 0x3A3 and folded != code and not state[CUT]
            state[LATIN_I] = folded == 0x69 and fold[0x49] == 0x69
            continue
        length = state[LENGTH]
        if length > 0 and what == APOSTROPHE and state[PENDING] != 1:
            at += step
            state[PENDING] = 1
            continue
        if length > 0 and what in (MARK, IGNORED, JOINER):
            # None of these ends a word; marks and joiners after an apostrophe have no letter.
            at += step
            if what == MARK and state[PENDING] != 1:
                if state[PENDING]:
                    _append(text, state, state[PENDING])
                    state[PENDING] = 0
                    state[LATIN_I] = 0
                # İ is i in lowercase, also if its dot is a character of its own, even after i.
                if code != COMBINING_DOT_ABOVE or not state[LATIN_I]:
                    _append(text, state, fold[code])
                state[SIGMA] = 0
                state[LATIN_I] = 0
            elif what == JOINER and not state[PENDING]:
                state[PENDING] = code
            continue
        if length > 0:
            if state[SIGMA] and length > 2:
                text[length - 1] = 0x82  # σ is CF 83, the final ς is CF 82
            used = (length + 7) >> 3
            if length & 7:
                parts[used - 1] &= (np.uint64(1) << np.uint64(8 * (length & 7))) - np.uint64(1)
            number = _number(parts, used, slots, starts, arena, state)
            counts[number] += 1
            ids[state[IDS]] = number
            state[IDS] += 1
            state[TOKENS] += 1
            state[CUT_WORDS] += state[CUT]
            state[LENGTH] = 0
            state[PENDING] = 0
            state[CUT] = 0
            state[SIGMA] = 0
            if state[TYPES] + 1 >= len(counts) or state[ARENA] + LONGEST // 8 > len(arena):
                # Read this separator again when there is room.
                state[STATUS] = FULL
                continue
        at += step
        if code == 0x0A and state[AFTER_CR] and at <= size:
            state[AFTER_CR] = 0
            continue
        state[AFTER_CR] = code == 0x0D
        if code == 0x0A or code == 0x0D:
            state[LINE] += 1
            ending = (
                state[RULE] == LINES or (state[RULE] == PARAGRAPHS and state[BLANK]) or at > size
            )
            if ending and state[TOKENS] != state[SENTENCE]:
                ends[state[ENDS]] = state[TOKENS]
                state[ENDS] += 1
                state[SENTENCE] = state[TOKENS]
            state[BLANK] = 1
        elif what != SPACE and what != IGNORED and what != JOINER:
            state[BLANK] = 0
    return at


@kernel
def rehash(words: WordHashTable, types: int, slots: npt.NDArray[np.uint64]) -> None:
    """Put all words into the empty ``slots``."""
    mask = np.uint64(len(slots) - 1)
    for number in range(types):
        value = _hash(words.arena, words.starts[number], words.starts[number + 1])
        slot = value & mask
        while slots[slot] != np.uint64(0):
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = ((value >> np.uint64(32)) << np.uint64(32)) | np.uint64(number + 1)


# -- callers of the kernel


class Tokeniser:
    """Numbers the words of one file after another, in order of appearance.

    Feed each file's bytes in blocks of any size, the last one with ``final``; the end of a block
    may cut a word, a character or a line end. Memory grows only with the number of types.
    """

    def __init__(
        self, options: CorpusOptions, *, capacity: int = 1 << 16, arena: int = 1 << 20
    ) -> None:
        """Start with room for ``capacity`` types (a power of two) in ``arena`` bytes."""
        kind = TOKENISERS[options.tokeniser]
        assert issubclass(kind, TableSplitter)
        self._tables = characters(kind.kinds(), options.lowercase)
        self._state = np.zeros(STATE_SIZE, dtype=np.int64)
        self._state[RULE] = _RULES[options.sentences]
        self._state[BLANK] = 1
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
        return int(self._state[TOKENS])

    @property
    def types(self) -> int:
        return int(self._state[TYPES])

    @property
    def cut_words(self) -> int:
        """Number of tokens cut to their first LONGEST bytes."""
        return int(self._state[CUT_WORDS])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[types], by order of appearance."""
        return self._words.counts[: self.types].copy()

    def words(self) -> list[str]:
        """All types, by order of appearance."""
        starts = (8 * self._words.starts[: self.types + 1]).tolist()
        arena = self._words.arena[: self._state[ARENA]].tobytes()
        return [arena[a:b].rstrip(b"\0").decode() for a, b in pairwise(starts)]

    def feed(
        self, block: bytes, final: bool = False
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The words that ``block`` completes.

        Returns int32[n] their numbers, and int64[m] the ends of the sentences that end here,
        counted in tokens from the start of the first file. Raises NotUtf8; after that, reading
        can't continue.
        """
        data = np.frombuffer(self._carry + block, dtype=np.uint8)
        state = self._state
        # Between two words there is at least one byte; one more may be left over from the last
        # block.
        ids = np.empty(len(data) // 2 + 2, dtype=np.int32)
        ends = np.empty(len(data) // 2 + 2, dtype=np.int64)
        state[IDS] = state[ENDS] = 0
        at = 0
        # Kernels that run as plain Python would warn of the overflow in computing hashes.
        with np.errstate(over="ignore"):
            while True:
                at = scan(data, at, final, self._tables, self._word, self._words, state, ids, ends)
                if state[STATUS] != FULL:
                    break
                self._make_room()
        if state[STATUS] == BAD:
            raise NotUtf8(int(data[at]), self._offset + at, int(state[LINE]) + 1)
        self._carry = data[at:].tobytes()
        self._offset += at
        if final:
            self._offset = state[LINE] = 0
        return ids[: state[IDS]], ends[: state[ENDS]]

    def _make_room(self) -> None:
        words = self._words
        if self._state[ARENA] + LONGEST // 8 > len(words.arena):
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
    """The sentences of a short text as lists of words, from the same kernel as for corpora."""
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
    """Whether the kernels were compiled before, so that ``warm`` takes hardly any time."""
    if shipped_kernels() is not None:
        return True
    return any(kernel_cache().rglob("kernel_tokeniser.scan-*.nbc"))
