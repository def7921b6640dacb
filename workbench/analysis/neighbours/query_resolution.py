"""Query words: found in the vocabulary, or composed of n-grams if the model has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles
from workbench.core.errors import UnknownWord, UserError, quoted_words
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.word_lookup import corpus_spelling
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import Composed, compose, subwords_of
from workbench.vectors.undecoded import match_typed_word

# Number of most frequent words that are searched for similar spellings, and minimum similarity to
# the typed word.
_MOST = 50_000
_LIKENESS = 0.75
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


def near_spellings(words: Sequence[str], word: str, n: int = 3) -> tuple[str, ...]:
    """Up to ``n`` of the more frequent ``words`` with a spelling similar to ``word``, the most
    similar first.

    They begin with its first character or end with its last two, and are at most two characters
    longer or shorter.
    """
    key = word.casefold()
    if not key:
        return ()
    likely = {
        folded: known
        for known in reversed(list(words[:_MOST]))
        if abs(len(known) - len(key)) <= 2
        and ((folded := known.casefold())[:1] == key[0] or folded[-2:] == key[-2:])
    }
    return tuple(likely[found] for found in get_close_matches(key, likely, n, _LIKENESS))


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
        meant = {
            word: near for word in unknown[:_NAMED] if (near := near_spellings(vocabulary, word, 1))
        }
        if len(unknown) == 1 and meant:
            sentences.append(suggestion(vocabulary, unknown[0]))
        elif meant:
            pairs = (
                tr("“{near}” for “{word}”", near=near[0], word=word) for word, near in meant.items()
            )
            sentences.append(tr("Did you mean {names}?", names=", ".join(pairs)))
    if rare:
        sentences.append(
            tr(
                "Left out (too rare): {words}. Lower {min_count} to include such words.",
                words=quoted_words(rare, _NAMED),
                min_count=quoted_param("min_count"),
            )
        )
    return " ".join(sentences)


def unknown_words(words: Sequence[str], vocabulary: Sequence[str]) -> UnknownWord:
    """The error for words that a vocabulary lacks, with similar spellings of a single one as hint.

    vocabulary : the most frequent words first
    """
    meant = ""
    if len(words) == 1:
        meant = suggestion(vocabulary, words[0])
    if not meant:
        return UnknownWord(words[0], others=words[1:])
    hint = tr(
        "{meant} If the corpus contains the word, lower {min_count} and train again.",
        meant=meant,
        min_count=quoted_param("min_count"),
    )
    return UnknownWord(words[0], hint)


def suggestion(words: Sequence[str], word: str) -> str:
    """A sentence such as "Did you mean “queen” or “quern”?", or "" without similar spellings."""
    near = [tr("“{text}”", text=found) for found in near_spellings(words, word)]
    if len(near) > 1:
        near = [", ".join(near[:-1]), near[-1]]
    if near:
        return tr("Did you mean {names}?", names=tr(" or ").join(near))
    return ""
