"""Vectors of any string from the vectors of character n-grams, and the contribution of each n-gram.

A word's vector is the mean of its own row, if it is in the vocabulary, and of the rows of its
n-grams' buckets (Bojanowski et al. 2017, with the mean as in the published program). If the mean
and the principal directions of the vocabulary were removed afterwards, they are removed from each
row, which is equivalent; if vectors have length 1, so have these (see
:mod:`workbench.vectors.postprocessing`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.subwords import bucket, byte_ngrams, ngrams, word_buckets
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import choice_of, remove_directions
from workbench.vectors.undecoded import number_undecoded, raw_word

# Length of a sum, compared with its parts, that consists of rounding errors.
_DUST = 1e-6


@dataclass(frozen=True)
class Subwords:
    """Parameters of n-grams: min_n to max_n characters, hashed to 0..buckets − 1."""

    min_n: int
    max_n: int
    buckets: int


@dataclass(frozen=True, eq=False)
class SubwordPart:
    """Contribution of one row to a word's vector.

    text : the n-gram, or the word itself for the word's own row
    bucket : the n-gram's bucket, −1 for the word's own row
    vector : float32[d]; the parts of a word sum to its vector
    share : the length of ``vector`` along the word's vector; the shares sum to the latter's length
    """

    text: str
    bucket: int
    vector: Singles
    share: float


@dataclass(frozen=True, eq=False)
class Composed:
    """A word's vector with its parts. Without parts (an unseen word without n-grams), the vector is
    zero.

    seen : it is in the vocabulary
    known : number of n-grams that occur in words of the vocabulary with a vector. The bucket of
    another n-gram contains its random start, as in the published program, or by chance a known
    n-gram
    """

    word: str
    vector: Singles
    seen: bool
    parts: tuple[SubwordPart, ...]
    known: int = 0


def subwords_of(embeddings: Embeddings) -> Subwords | None:
    """N-gram parameters of these vectors, or None without n-grams or if unknown."""
    values = embeddings.metadata.get("subwords")
    if (
        embeddings.ngram_vectors is None
        or embeddings.word_rows is None
        or not isinstance(values, dict)
    ):
        return None
    found = [
        value
        for name in ("min_n", "max_n", "buckets")
        if isinstance(value := values.get(name), int) and value >= 0
    ]
    if len(found) == 3:
        return Subwords(found[0], found[1], found[2])
    return None


def compose(embeddings: Embeddings, word: str) -> Composed:
    """The vector of any string, seen or not, and the contribution of each of its n-grams.

    Raises UserError if the vectors were made without n-grams.
    """
    how = subwords_of(embeddings)
    if how is None or embeddings.ngram_vectors is None or embeddings.word_rows is None:
        raise UserError(
            tr("These vectors aren’t built from n-grams."),
            tr("Train fasttext or open a fastText model."),
        )
    row = embeddings.index.get(word)
    names, places = [], []
    for text, place in word_ngrams(embeddings, word, how) if how.buckets else ():
        names.append(text)
        places.append(place)
    rows = bucket_rows(embeddings, np.array(places, dtype=np.int64))
    if row is not None:
        rows = np.concatenate([embeddings.word_rows[row : row + 1], rows])
        names, places = [word, *names], [-1, *places]
    if not names:
        return Composed(word, np.zeros(embeddings.dim, dtype=np.float32), False, ())
    # The row of a word without a vector cancels its n-grams but for rounding errors.
    cancelled = np.abs(rows.sum(axis=0)).max() < _DUST * np.abs(rows).max()
    if embeddings.removed is not None and rows.any():
        # Without any known n-gram the vector stays zero.
        rows = remove_directions(rows, embeddings.removed).astype(np.float32)
    rows = (rows / len(rows)).astype(np.float32)
    vector = rows.sum(axis=0, dtype=np.float64)
    length = float(np.sqrt(vector @ vector))
    if cancelled:
        vector, length = np.zeros(embeddings.dim), 0.0
    if length > 0 and choice_of(embeddings).normalise:
        rows, vector, length = (rows / length).astype(np.float32), vector / length, 1.0
    shares = rows @ (vector / length) if length > 0 else np.zeros(len(rows))
    parts = tuple(
        SubwordPart(text, place, part, float(share))
        for text, place, part, share in zip(names, places, rows, shares, strict=True)
    )
    grams = [part.text for part in parts if part.bucket >= 0]
    known = len(grams)
    if row is None or not embeddings.has_vector[row]:
        text = embeddings.bracketed
        known = sum(gram in text for gram in grams)
    return Composed(word, vector.astype(np.float32), row is not None, parts, known)


def word_ngrams(embeddings: Embeddings, word: str, how: Subwords) -> Iterator[tuple[str, int]]:
    """Each n-gram of a word with its bucket; for a word of the vocabulary, the n-grams of its bytes
    in the file.
    """
    if number_undecoded(embeddings) and word in embeddings:
        for part in byte_ngrams(raw_word(embeddings, word), how.min_n, how.max_n):
            yield part.decode("utf-8", "backslashreplace"), bucket(part, how.buckets)
        return
    for text in ngrams(word, how.min_n, how.max_n):
        yield text, bucket(text, how.buckets)


def cancelling_rows(embeddings: Embeddings, rows: npt.NDArray[np.intp]) -> Singles | None:
    """float32[V, d]: the own rows of all words, with those of ``rows`` such that their vectors, the
    means of a word's row and its n-grams, are zero; None for vectors without n-grams.
    """
    how = subwords_of(embeddings)
    if how is None or embeddings.word_rows is None:
        return embeddings.word_rows
    own: Singles = np.array(embeddings.word_rows, dtype=np.float32)
    words = [raw_word(embeddings, embeddings.words[row]) for row in rows]
    offsets, found = word_buckets(words, how.min_n, how.max_n, how.buckets)
    for at, row in enumerate(rows):
        # In the order in which a file's reader sums them, so that nothing is left.
        own[row] = -bucket_rows(embeddings, found[offsets[at] : offsets[at + 1]]).sum(axis=0)
    return own


def bucket_rows(embeddings: Embeddings, buckets: npt.NDArray[np.int64]) -> Singles:
    """float32[n, d]: the vectors of n buckets, zeros for buckets without a vector."""
    assert embeddings.ngram_vectors is not None
    if embeddings.ngram_buckets is None:
        return embeddings.ngram_vectors[buckets]
    rows = np.zeros((len(buckets), embeddings.dim), dtype=np.float32)
    if len(embeddings.ngram_buckets):
        place = np.minimum(
            np.searchsorted(embeddings.ngram_buckets, buckets), len(embeddings.ngram_buckets) - 1
        )
        known = embeddings.ngram_buckets[place] == buckets
        rows[known] = embeddings.ngram_vectors[place[known]]
    return rows
