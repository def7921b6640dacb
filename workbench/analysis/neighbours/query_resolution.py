"""Query words: found in the vocabulary, or composed of n-grams if the model has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError, quoted_words
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.suggestions import suggestions, unknown_words
from workbench.corpus.word_lookup import corpus_spelling
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import Composed, compose, subwords_of
from workbench.vectors.undecoded import match_typed_word

# Maximum number of left-out words that a sentence names.
_NAMED = 12


@dataclass(frozen=True, eq=False)
class Query:
    """A query word.

    word : as spelled in the vocabulary, or, if it is unseen, as its corpus would spell it
    row : its row in the embeddings, −1 for an unseen word
    unit : float64[columns], its vector at length 1; zero for a word of the vocabulary whose vector
    is zero
    composed : the components of an unseen word's vector; None for a word of the vocabulary
    """

    word: str
    row: int
    unit: Doubles
    composed: Composed | None = None

    @property
    def unseen(self) -> bool:
        return self.row < 0

    @property
    def known_ngrams(self) -> str:
        """How many of an unseen word's n-grams are known, as in "10 of 18 n-grams known"; "" for a
        word of the vocabulary.
        """
        if self.composed is None:
            return ""
        return tr(
            "{known:,} of {number:,} n-grams known",
            known=self.composed.known,
            number=len(self.composed.parts),
        )


@dataclass(frozen=True)
class NgramPart:
    """An n-gram of an unseen word and its part of the cosine with another word; all parts sum to
    the cosine.
    """

    text: str
    cosine: float


def find(embeddings: Embeddings, word: str) -> Query:
    """A word of the vocabulary, in the spelling of its corpus, or any string if the model has
    n-grams.

    Raises UnknownWord, with similarly spelt words; UserError for an unseen word without a known
    n-gram.
    """
    word = match_typed_word(embeddings, word)
    row = embeddings.find(word)
    if row is not None:
        return Query(embeddings.words[row], row, unit_doubles(embeddings, [row])[0])
    if subwords_of(embeddings) is None:
        raise unknown_words([word], embeddings.words)
    composed = compose(embeddings, corpus_spelling(word, embeddings.options))
    length = float(np.linalg.norm(composed.vector.astype(np.float64)))
    if not np.isfinite(length):
        raise UserError(
            tr(
                "“{word}” isn’t in the vocabulary, and the vectors of its n-grams aren’t finite.",
                word=word,
            ),
            tr("Train the model again; it may have diverged."),
        )
    if not length or not composed.known:
        raise UserError(
            tr(
                "“{word}” isn’t in the vocabulary, and the model has none of its n-grams.",
                word=word,
            ),
            tr("Check the spelling."),
        )
    return Query(composed.word, -1, composed.vector.astype(np.float64) / length, composed)


def find_vector(embeddings: Embeddings, word: str) -> Query:
    """Like ``find``, for a word that must have a vector. Raises UserError also for one whose vector
    is zero.
    """
    query = find(embeddings, word)
    if not query.unit.any():
        raise UserError(
            tr("The vector of “{query}” is zero, so it has no neighbours.", query=query.word),
            tr("Choose another word."),
        )
    return query


def ngram_parts(query: Query, embeddings: Embeddings, row: int) -> tuple[NgramPart, ...]:
    """Contribution of each n-gram of an unseen word to its cosine with the word in ``row``, the
    largest first.

    An n-gram that occurs twice is listed once, with the sum of both parts. Empty for a word of the
    vocabulary.
    """
    if query.composed is None:
        return ()
    length = float(np.linalg.norm(query.composed.vector.astype(np.float64)))
    toward = unit_doubles(embeddings, [row])[0] / length
    sums: dict[str, float] = {}
    for part in query.composed.parts:
        sums[part.text] = sums.get(part.text, 0.0) + float(part.vector @ toward)
    return tuple(
        NgramPart(text, cosine) for text, cosine in sorted(sums.items(), key=lambda item: -item[1])
    )


def left_out_message(
    words: Sequence[str], vocabulary: Sequence[str], rare: Sequence[str] = ()
) -> str:
    """Sentence about the left-out words of a list, with suggestions; "" for none.

    vocabulary : words, the most frequent first, that are searched for similar spellings
    rare : those of the words that are in the text, but too rare for the vocabulary
    """
    sentences = []
    unknown = [word for word in words if word not in rare]
    if unknown:
        sentences.append(
            tr("Left out (not in the vocabulary): {words}.", words=quoted_words(unknown, _NAMED))
        )
        sentences.append(suggestions(vocabulary, unknown[:_NAMED]))
    if rare:
        sentences.append(
            tr(
                "Left out (too rare): {words}. Lower {min_count} to include such words.",
                words=quoted_words(rare, _NAMED),
                min_count=quoted_param("min_count"),
            )
        )
    return " ".join(filter(None, sentences))
