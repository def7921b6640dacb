"""Character n-grams of words and the buckets they fall into (Bojanowski et al. 2017, section 3.2).

A word is written ``<word>``; its n-grams are runs of min_n to max_n Unicode characters of that, in
order of their start. A single boundary character isn’t an n-gram. An n-gram's bucket is the 32-bit
FNV-1a hash of its UTF-8 bytes modulo the number of buckets, with bytes as signed numbers as in
fastText's program: beyond ASCII, this isn't plain FNV-1a.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel

# The end of a sentence in fastText's own models, the only word without n-grams there.
END_OF_SENTENCE = "</s>"
_START = 2166136261
_PRIME = 16777619
_MASK = 0xFFFFFFFF
_CHARACTERS = re.compile(rb"[\x00-\x7f\xc0-\xff][\x80-\xbf]*")


class SubwordTable(NamedTuple):
    """The input rows of every word: its own row, then one row for each of its n-grams.

    offsets : int64[V + 1], start of each word's rows in ``rows``
    rows : int32[total], i for word i itself, V + j for an n-gram in bucket ``buckets[j]``
    buckets : int64[used], the buckets that some word uses, in order of first use, so that the rows
    of the n-grams of frequent words are close together
    """

    offsets: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    buckets: npt.NDArray[np.int64]


def ngrams(word: str, min_n: int, max_n: int) -> tuple[str, ...]:
    """The n-grams of ``word``, including repetitions; none if max_n is 0."""
    if word == END_OF_SENTENCE:
        return ()
    return tuple(map("".join, _runs(f"<{word}>", min_n, max_n)))


def byte_ngrams(word: bytes, min_n: int, max_n: int) -> tuple[bytes, ...]:
    """The n-grams of a word given as bytes, even if they aren't UTF-8: no character begins with
    10xxxxxx.
    """
    characters = _CHARACTERS.findall(b"<" + word + b">")
    if word == END_OF_SENTENCE.encode():
        return ()
    return tuple(map(b"".join, _runs(characters, min_n, max_n)))


def _runs(characters: Sequence[Any], min_n: int, max_n: int) -> Iterator[Any]:
    for start in range(len(characters)):
        for size in range(max(min_n, 1), min(max_n, len(characters) - start) + 1):
            if size > 1 or 0 < start < len(characters) - 1:
                yield characters[start : start + size]


def bucket(ngram: str | bytes, buckets: int) -> int:
    """The bucket of an n-gram, 0 to ``buckets`` − 1."""
    value = _START
    for byte in ngram if isinstance(ngram, bytes) else ngram.encode("utf-8", "replace"):
        value ^= byte if byte < 128 else byte | 0xFFFFFF00
        value = value * _PRIME & _MASK
    return value % buckets


def word_buckets(
    words: Sequence[bytes], min_n: int, max_n: int, buckets: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Buckets of the n-grams of words given in UTF-8.

    Returns (offsets, found): word i's are found[offsets[i]:offsets[i + 1]], int64 in 0..buckets −
    1, in the order of :func:`ngrams`.
    """
    end = END_OF_SENTENCE.encode()
    texts = [b"" if word == end else b"<" + word + b">" for word in words]
    lengths = np.fromiter((len(text) for text in texts), dtype=np.int64, count=len(texts))
    edges = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    data = np.frombuffer(b"".join(texts), dtype=np.uint8)
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    if max_n <= 0 or buckets <= 0:
        return offsets, np.empty(0, dtype=np.int64)
    least = max(min_n, 1)
    _count_ngrams(data, edges, least, max_n, offsets)
    np.cumsum(offsets, out=offsets)
    found = np.empty(int(offsets[-1]), dtype=np.int64)
    _hash_ngrams(data, edges, least, max_n, buckets, offsets, found)
    return offsets, found


def subword_table(words: Sequence[str], min_n: int, max_n: int, buckets: int) -> SubwordTable:
    """The rows of every word; only buckets in use have a row."""
    size = len(words)
    encoded = [word.encode("utf-8", "replace") for word in words]
    offsets, found = word_buckets(encoded, min_n, max_n, buckets)
    used, first, place = np.unique(found, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    rows = np.empty(len(found) + size, dtype=np.int32)
    own = offsets[:-1] + np.arange(size)
    others = np.ones(len(rows), dtype=bool)
    others[own] = False
    rows[own] = np.arange(size)
    rows[others] = size + rank[place.ravel()]
    return SubwordTable(offsets + np.arange(size + 1), rows, used[order])


@kernel
def _count_ngrams(
    data: npt.NDArray[np.uint8],
    edges: npt.NDArray[np.int64],
    least: int,
    most: int,
    counts: npt.NDArray[np.int64],
) -> None:
    """counts[i + 1] = the number of n-grams of word i."""
    for i in range(len(edges) - 1):
        characters = 0
        for at in range(edges[i], edges[i + 1]):
            if data[at] & 0xC0 != 0x80:
                characters += 1
        total = 0
        for size in range(least, min(most, characters) + 1):
            total += characters - size + 1
            if size == 1:
                total -= min(characters, 2)
        counts[i + 1] = total


@kernel
def _hash_ngrams(
    data: npt.NDArray[np.uint8],
    edges: npt.NDArray[np.int64],
    least: int,
    most: int,
    buckets: int,
    offsets: npt.NDArray[np.int64],
    found: npt.NDArray[np.int64],
) -> None:
    """found[offsets[i]:offsets[i + 1]] = the buckets of word i's n-grams."""
    for i in range(len(edges) - 1):
        first, last = edges[i], edges[i + 1]
        at = offsets[i]
        for start in range(first, last):
            if data[start] & 0xC0 == 0x80:
                continue
            value = np.int64(_START)
            end = start
            size = 0
            while end < last and size < most:
                while True:
                    byte = np.int64(data[end])
                    value ^= byte if byte < 128 else byte | 0xFFFFFF00
                    value = (value * _PRIME) & _MASK
                    end += 1
                    if end >= last or data[end] & 0xC0 != 0x80:
                        break
                size += 1
                if size >= least and not (size == 1 and (start == first or end == last)):
                    found[at] = value % buckets
                    at += 1
