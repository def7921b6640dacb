"""Token filters: normalisation of spelling, stop words, numbers and lengths.

Case, accents, numbers, lists and the minimum length are functions of the token alone. So they are
applied to the types, which are few, and types with the same resulting spelling are merged by their
numbers; the result is the same as processing every single token.

Accents are the combining marks of Latin, Greek and Cyrillic (the blocks U+0300, U+1AB0, U+1DC0,
U+20D0 and U+FE20): é becomes e and й becomes и, while the voicing marks of kana and the vowel signs
of other scripts stay. Letters without a decomposition also stay: ø, ł, ß.

A number is a token with digits or other numerals and without letters: 1984, 3.14, ½, −5%; not 3rd,
nor 一.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.paths import expand_user
from workbench.core.text.text_files import is_ordinary
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.char_classes import plain_word, without_ignored
from workbench.corpus.tokenise.tokenisers import TOKENISERS, LineSplitter
from workbench.corpus.tokenise.tokenisers.characters import graphemes
from workbench.corpus.tokenise.unicode_normaliser import Form, normalise_text

NUMBER = "<num>"

_ACCENTS = dict.fromkeys(
    code
    for block in (
        (0x300, 0x370),
        (0x1AB0, 0x1B00),
        (0x1DC0, 0x1E00),
        (0x20D0, 0x2100),
        (0xFE20, 0xFE30),
    )
    for code in range(*block)
)
_DIGIT = re.compile(r"\d")
_DOTTED = re.compile("[Iiİ]\u0307|İ")
_BETWEEN = re.compile(r"[\s,]+")
_LARGEST_LIST = 64 << 20

# Reasons why a token is left out.
AS_NUMBER, UNLISTED, STOPPED, SHORT, BARE = (
    tr("number"),
    tr("not in the keep list"),
    tr("stop word"),
    tr("too short"),
    tr("accents alone"),
)


class Refinement:
    """Filter of tokens by the options. Raises UserError if a list cannot be read."""

    def __init__(self, options: CorpusOptions) -> None:
        self._options = options
        # The kernel converts to lowercase while it reads.
        by_line = issubclass(TOKENISERS[options.tokeniser], LineSplitter)
        self._keep = frozenset(
            normalise_word(word, options) for word in parse_word_list(options.keep_words)
        )
        self._stop = frozenset(
            normalise_word(word, options) for word in parse_word_list(options.stop_words)
        )
        self.active = bool(
            (by_line and options.lowercase)
            or options.strip_accents
            or options.numbers != "keep"
            or options.keep_words
            or options.stop_words
            or options.min_length > 1
        )

    def look(self, token: str) -> tuple[str, str]:
        """Normalised spelling of a token, and the reason why it is left out, "" if it is kept."""
        options = self._options
        word = small(token, options.dotless) if options.lowercase else token
        if options.strip_accents:
            word = without_accents(word)
            if not word:
                return "", BARE
        if options.numbers == "zeros":
            word = _DIGIT.sub("0", word)
        elif options.numbers != "keep" and is_number(word):
            if options.numbers == "drop":
                return word, AS_NUMBER
            word = NUMBER
        if options.keep_words and word not in self._keep:
            return word, UNLISTED
        if word in self._stop:
            return word, STOPPED
        if options.min_length > 1 and length(word) < options.min_length:
            return word, SHORT
        return word, ""

    def merge(
        self, words: Sequence[str], counts: npt.NDArray[np.int64], run: JobControl | None = None
    ) -> Merged:
        """Merge types, given in order of appearance with their counts, by their resulting
        spelling.
        """
        numbers = np.full(len(words), -1, dtype=np.int32)
        found: dict[str, int] = {}
        for row, token in enumerate(words):
            if run is not None and row % 4096 == 0:
                run.check()
            word, why = self.look(token)
            if not why:
                numbers[row] = found.setdefault(word, len(found))
        merged = np.zeros(len(found), dtype=np.int64)
        kept = numbers >= 0
        np.add.at(merged, numbers[kept], counts[kept])
        return Merged(numbers, list(found), merged)


@dataclass(frozen=True, eq=False)
class Merged:
    """Merged types. numbers : int32[types before], new number of each type, −1 if it is left out
    words : n strings by order of appearance; counts : int64[n]
    """

    numbers: npt.NDArray[np.int32]
    words: list[str]
    counts: npt.NDArray[np.int64]


def normalise_word(word: str, options: CorpusOptions) -> str:
    """A word from elsewhere, such as a list or a query, in the spelling of a corpus with these
    options.
    """
    word = "_".join(without_ignored(word).split())
    if options.unicode_form != "none":
        word = normalise_text(word, cast(Form, options.unicode_form))
    if not issubclass(TOKENISERS[options.tokeniser], LineSplitter):
        word = plain_word(word, apostrophes=options.tokeniser == "words")
    if options.lowercase:
        word = small(word, options.dotless)
    if options.strip_accents:
        word = without_accents(word)
    if options.numbers == "zeros":
        return _DIGIT.sub("0", word)
    if options.numbers == "token" and is_number(word):
        return NUMBER
    return word


def small(word: str, dotless: bool = False) -> str:
    """Convert to lowercase letter by letter as ``str.lower``; a capital sigma that ends a word of
    several letters becomes the final one, and İ becomes i without a second dot, as does i with one,
    which other programs make of İ. ``dotless``: I becomes ı, as in Turkish.
    """
    if not word.isascii():
        word = _DOTTED.sub("i", word)
    if dotless:
        word = word.replace("I", "ı")
    if "Σ" not in word:
        return word.lower()
    folded = "".join(map(str.lower, word))
    if len(word) > 1 and word.endswith("Σ"):
        return folded[:-1] + "ς"
    return folded


def without_accents(word: str) -> str:
    """Remove accents and compose again; a word without accents stays unchanged."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    bare = apart.translate(_ACCENTS)
    if bare == apart:
        return word
    return unicodedata.normalize("NFC", bare)


def is_number(word: str) -> bool:
    """Whether a word has digits or other numerals and no letters."""
    return any(map(str.isnumeric, word)) and not any(map(str.isalpha, word))


def length(word: str) -> int:
    """Length in perceived characters: marks belong to their base."""
    if word.isascii():
        return len(word)
    return len(graphemes().findall(word))


# -- lists


def parse_word_list(value: str) -> tuple[str, ...]:
    """The words of an option: typed, separated by spaces or commas, or the path of a file after @.

    The file contains one word per line, or in the first of several tab-separated columns, in UTF-8.
    Raises UserError.
    """
    if not value.startswith("@"):
        return tuple(word for word in _BETWEEN.split(value) if word)
    return _of_file(value, _stamp(value))


def list_digest(value: str) -> str:
    """Digest of the words of a list in a file, which may change while its path stays the same; ""
    for typed words. Raises UserError.
    """
    if not value.startswith("@"):
        return ""
    return hashlib.blake2b("\n".join(parse_word_list(value)).encode(), digest_size=16).hexdigest()


def _stamp(value: str) -> tuple[int, int]:
    try:
        stat = expand_user(value[1:]).stat()
    except (OSError, ValueError) as error:
        raise _unreadable(
            value, error_text(error) if isinstance(error, OSError) else tr("it doesn’t exist")
        ) from error
    return stat.st_size, stat.st_mtime_ns


@lru_cache(maxsize=8)
def _of_file(value: str, stamp: tuple[int, int]) -> tuple[str, ...]:
    path = expand_user(value[1:])
    try:
        found = path.stat()
        if not is_ordinary(found):
            raise _unreadable(value, tr("it isn’t a regular file"))
        with path.open("rb") as file:
            # Read one byte more than the limit, because the reported size may be wrong.
            data = file.read(_LARGEST_LIST + 1)
    except OSError as error:
        raise _unreadable(value, error_text(error)) from error
    if len(data) > _LARGEST_LIST:
        raise _unreadable(
            value, tr("it is larger than {largest_list} MB", largest_list=_LARGEST_LIST >> 20)
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unreadable(
            value, tr("it isn’t UTF-8 at byte {start:,}", start=error.start)
        ) from error
    words = (line.split("\t", 1)[0].strip() for line in text.splitlines())
    return tuple(word for word in words if word)


def _unreadable(value: str, why: str) -> UserError:
    return UserError(
        tr("Couldn’t read the word list {value}: {why}.", value=value[1:], why=why),
        tr("Choose a UTF-8 text file with one word per line."),
    )
