"""Lookup of words from elsewhere, typed or from a file, among words in the spelling of a corpus."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.char_classes import plain_word
from workbench.corpus.tokenise.token_filters import normalise_word, small

_CONCEPT = re.compile(r"^/c/[a-z]{2,3}/")
_FORMS: tuple[Literal["NFC", "NFD", "NFKC"], ...] = ("NFC", "NFD", "NFKC")


def look_up(
    word: str, index: Mapping[str, int], options: CorpusOptions | None, fold: bool = True
) -> int | None:
    """The index of a word in ``index``, by the first of its ``spellings`` there; None without
    one.
    """
    row = index.get(word)
    if row is not None:
        return row
    return next(
        (
            row
            for written in spellings(word, options, fold)
            if (row := index.get(written)) is not None
        ),
        None,
    )


def spellings(word: str, options: CorpusOptions | None, fold: bool = True) -> Iterator[str]:
    """Possible spellings of a word, the most likely first, perhaps with repetitions.

    Unchanged; in the spelling of a corpus read with ``options`` (None: unknown), with the words of
    a phrase joined in the same way; in the Unicode normal forms; with “_” for spaces or a space for
    “_”; and, with ``fold``, all of these in lowercase.
    """
    yield word
    known = (
        [word, plain_word(word, apostrophes=False)]
        if options is None
        else [corpus_spelling(word, options)]
    )
    if options is not None and options.phrases:
        known.append(
            options.phrase_delimiter.join(normalise_word(part, options) for part in word.split())
        )
    yield from known
    if not word.isascii():
        known += [unicodedata.normalize(form, written) for written in known for form in _FORMS]
        yield from known
    mark, other = ("_", " ") if "_" in word else (" ", "_")
    phrases = [written.replace(mark, other) for written in known if mark in written]
    yield from phrases
    known += phrases
    if fold:
        dotless = options is not None and options.dotless
        yield from (small(written, dotless) for written in known)


def twin_key(word: str, dotless: bool = False) -> str:
    """A key that words share if they differ only in case, in the mark between the words of a
    phrase, or in ConceptNet's prefix ("/c/en/snow_storm"). ``dotless``: I belongs to ı.
    """
    if dotless:
        word = small(word, dotless)
    return _CONCEPT.sub("", word).casefold().replace("_", " ")


def twins_of(words: Sequence[str], dotless: bool = False) -> dict[str, int]:
    """Index of the only word with each ``twin_key``, for words that aren't their own key."""
    found: dict[str, int] = {}
    several = set()
    for row, word in enumerate(words):
        key = twin_key(word, dotless)
        if key in found:
            several.add(key)
        found.setdefault(key, row)
    return {key: row for key, row in found.items() if key not in several and key != words[row]}


def corpus_spelling(word: str, options: CorpusOptions | None) -> str:
    """Spelling of a word in a corpus read with ``options``; unchanged if these are unknown."""
    if options is None:
        return word
    return normalise_word(word, options)


def options_of(metadata: Mapping[str, Any]) -> CorpusOptions | None:
    """Corpus options of a provenance; None if it has none."""
    corpus = metadata.get("corpus")
    options = corpus.get("options") if isinstance(corpus, Mapping) else None
    if not isinstance(options, Mapping):
        return None
    try:
        return CorpusOptions.from_mapping(options)
    except UserError:
        return None
