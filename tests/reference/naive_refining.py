"""Effect of the options on a text, token by token, with Python’s own tables."""

from __future__ import annotations

import unicodedata
from typing import Any

from reference import naive_tokenise


def _bare(word: str) -> str:
    characters = []
    for character in unicodedata.normalize("NFD", word):
        name = unicodedata.name(character, "")
        # Accents of Latin, Greek and Cyrillic are the combining characters with a name like this,
        # except katakana’s.
        if (
            unicodedata.combining(character)
            and name.startswith("COMBINING")
            and "KATAKANA" not in name
        ):
            continue
        characters.append(character)
    bare = "".join(characters)
    return (
        word if bare == unicodedata.normalize("NFD", word) else unicodedata.normalize("NFC", bare)
    )


def _is_number(word: str) -> bool:
    categories = [unicodedata.category(character)[0] for character in word]
    return "N" in categories and "L" not in categories


def refine(word: str, **options: Any) -> str:
    """The word that a token becomes, "" if it is removed."""
    if options.get("strip_accents"):
        word = _bare(word)
    numbers = options.get("numbers", "keep")
    if numbers == "zeros":
        word = "".join("0" if unicodedata.category(c) == "Nd" else c for c in word)
    elif numbers == "drop" and _is_number(word):
        return ""
    elif numbers == "token" and _is_number(word):
        word = "<num>"
    keep, stop = options.get("keep_words", "").split(), options.get("stop_words", "").split()
    if (keep and word not in keep) or word in stop or len(word) < options.get("min_length", 1):
        return ""
    return word


def sentences(
    text: str, tokeniser: str = "words", lowercase: bool = True, **options: Any
) -> list[list[str]]:
    """Sentences of a file, one per line, with every token processed separately."""
    form = options.get("unicode_form", "none")
    if form != "none":
        text = unicodedata.normalize(form, text)
    sentence_lists = naive_tokenise.sentences(text, tokeniser, "lines", lowercase)
    refined_sentences = [
        [refine(word, **options) for word in sentence] for sentence in sentence_lists
    ]
    return [
        words
        for words in ([word for word in sentence if word] for sentence in refined_sentences)
        if words
    ]
