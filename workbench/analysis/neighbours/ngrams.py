"""The n-grams of any word: their contributions to its vector, and the n-grams nearest to each."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.subwords import bucket
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import bucket_rows, subwords_of, word_ngrams

_BLOCK = 16_384
_known: WeakKeyDictionary[Embeddings, Inventory] = WeakKeyDictionary()
_listing = threading.Lock()


@dataclass(frozen=True, eq=False)
class Inventory:
    """All n-grams of a vocabulary: ``texts`` of n, those of frequent words first, and their
    ``buckets``, int64[n].
    """

    texts: tuple[str, ...]
    buckets: npt.NDArray[np.int64]


@dataclass(frozen=True)
class NearNgram:
    """A near n-gram. ``word`` is the most frequent word that contains it."""

    text: str
    cosine: float
    word: str


def count_ngrams(embeddings: Embeddings, run: JobControl) -> Inventory:
    """The n-grams of all words, cached. Raises UserError if there are none, and Cancelled."""
    how = subwords_of(embeddings)
    if how is None or not how.buckets:
        raise UserError(
            tr("These vectors aren’t built from n-grams."),
            tr("Train fasttext or open a fastText model."),
        )
    with _listing:
        found = _known.get(embeddings)
        if found is None:
            texts: dict[str, int] = {}
            for number, word in enumerate(embeddings.words):
                if number % 1000 == 0:
                    run.check()
                    run.advance(number / len(embeddings), tr("Listing n-grams"))
                for text, place in word_ngrams(embeddings, word, how):
                    texts.setdefault(text, place)
            buckets = np.fromiter(texts.values(), np.int64, len(texts))
            found = _known[embeddings] = Inventory(tuple(texts), buckets)
        return found


def nearest_ngrams(
    embeddings: Embeddings, text: str, n: int, run: JobControl
) -> tuple[NearNgram, ...]:
    """The n-grams of the vocabulary whose vectors have the highest cosine with that of ``text``,
    highest first.

    N-grams in the bucket of ``text`` have the same vector and are left out; of several n-grams in
    another bucket, only the first is listed. Raises UserError and Cancelled.
    """
    how = subwords_of(embeddings)
    listed = count_ngrams(embeddings, run)
    assert how is not None
    # The text of an n-gram that isn’t UTF-8 doesn’t determine its vector.
    own = (
        int(listed.buckets[listed.texts.index(text)])
        if text in listed.texts
        else bucket(text, how.buckets)
    )
    vector = bucket_rows(embeddings, np.array([own]))[0].astype(np.float64)
    length = float(np.sqrt(vector @ vector))
    if not length:
        raise UserError(
            tr(
                "The n-gram “{text}” doesn’t occur in the corpus, so its vector is zero.", text=text
            ),
            tr("Choose another n-gram."),
        )
    distinct, places = np.unique(listed.buckets, return_index=True)
    cosines = np.empty(len(distinct))
    for begin in range(0, len(distinct), _BLOCK):
        run.check()
        rows = bucket_rows(embeddings, distinct[begin : begin + _BLOCK]).astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        cosines[begin : begin + _BLOCK] = (
            rows @ vector / (np.where(lengths > 0, lengths, np.inf) * length)
        )
    cosines[distinct == own] = -np.inf
    best = np.argsort(-cosines, kind="stable")[:n]
    chosen = [
        (listed.texts[places[at]], float(cosines[at])) for at in best if np.isfinite(cosines[at])
    ]
    return tuple(
        NearNgram(found, cosine, _word_containing(embeddings, found)) for found, cosine in chosen
    )


def _word_containing(embeddings: Embeddings, text: str) -> str:
    return next((word for word in embeddings.words if text in f"<{word}>"), "")
