"""Words that a user may mean by one that a vocabulary lacks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from difflib import get_close_matches

from workbench.core.errors import UnknownWord
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param

# Number of most frequent words that are searched for similar spellings, and minimum similarity to
# the typed word.
_MOST = 50_000
_LIKENESS = 0.75
# Maximum number of words for which others are suggested.
_NAMED = 12
# A word with its part of speech or its kind, as in king_NOUN, king|NN, king.n.01 and ENTITY/king.
_TAG = (
    r"{word}(?-i:[_|/#.:](?:[A-Z][A-Z0-9$]{{0,5}}|[a-z])(?:\.\d+)?|\|[A-Za-z]+|#\d+)"
    r"|(?-i:[A-Z]{{2,}}[_|/#:]){word}"
)


def near_spellings(words: Sequence[str], word: str, n: int = 3) -> tuple[str, ...]:
    """Up to ``n`` of the ``words`` that a user may mean by ``word``: the word with a tag, such as
    king_NOUN or ENTITY/King, then the more frequent ones with a similar spelling, the most similar
    first.

    Similar words begin with its first character or end with its last two, and are at most two
    characters longer or shorter.
    """
    key = word.casefold()
    if not key:
        return ()
    tagged = _tagged(words, key, n)
    likely = {
        folded: known
        for known in reversed(list(words[:_MOST]))
        if abs(len(known) - len(key)) <= 2
        and ((folded := known.casefold())[:1] == key[0] or folded[-2:] == key[-2:])
    }
    similar = [likely[key] for key in get_close_matches(key, likely, n, _LIKENESS)]
    return tuple(dict.fromkeys([*tagged, *similar]))[:n]


def _tagged(words: Sequence[str], key: str, n: int) -> list[str]:
    """The first ``n`` words that consist of a folded word and a tag before or after it."""
    tag = re.compile(_TAG.format(word=re.escape(key)), re.IGNORECASE)
    # Most words don't contain the key, which takes less time to tell.
    start = key[:1] + key[1:2]
    likely = (word for word in words if len(word) > len(key) and start in word.casefold())
    return list(itertools.islice((word for word in likely if tag.fullmatch(word)), n))


def unknown_words(
    words: Sequence[str], vocabulary: Sequence[str], *, trained: bool = True
) -> UnknownWord:
    """The error for words that a vocabulary lacks, with similar spellings as hint.

    vocabulary : the most frequent words first
    trained : whether it belongs to a model, not only to counts
    """
    meant = suggestions(vocabulary, words[:_NAMED]) or tr("Check the spelling.")
    min_count = quoted_param("min_count")
    if trained:
        hint = tr(
            "{meant} If the corpus contains the word, lower {min_count} and train again.",
            meant=meant,
            min_count=min_count,
        )
    else:
        hint = tr(
            "{meant} If the corpus contains the word, lower {min_count}.",
            meant=meant,
            min_count=min_count,
        )
    return UnknownWord(words[0], hint, words[1:])


def suggestion(words: Sequence[str], word: str) -> str:
    """A sentence such as "Did you mean “queen” or “quern”?", or "" without similar spellings."""
    near = [tr("“{text}”", text=found) for found in near_spellings(words, word)]
    if len(near) > 1:
        near = [", ".join(near[:-1]), near[-1]]
    if near:
        return tr("Did you mean {names}?", names=tr(" or ").join(near))
    return ""


def suggestions(words: Sequence[str], unknown: Sequence[str]) -> str:
    """A sentence that suggests a word for each unknown one, or "" without similar spellings."""
    if len(unknown) == 1:
        return suggestion(words, unknown[0])
    meant = {word: near[0] for word in unknown if (near := near_spellings(words, word, 1))}
    pairs = (tr("“{near}” for “{word}”", near=near, word=word) for word, near in meant.items())
    return tr("Did you mean {names}?", names=", ".join(pairs)) if meant else ""
