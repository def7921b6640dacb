"""tokenizer.json, the file with model2vec's words: reading its words, and writing a list of
words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr, trn
from workbench.corpus.tokenise.tokenisers import TOKENISERS

# Maximum bytes of such files without words, and per word with its merges.
_LONGEST, _PER_ROW = 16 << 20, 512
UNKNOWN = "[UNK]"
# Tokens of BERT beside [UNK]. Static models keep their rows, but not their list.
_OF_BERT = {"[PAD]", "[CLS]", "[SEP]", "[MASK]"}
# A run of letters, marks and digits with single inner apostrophes, as in the tokeniser “words”.
_WORDS = r"[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*"
# Invisible characters, accents and numbers as the corpus treats them
# (:mod:`workbench.corpus.tokenise`).
_IGNORED = (
    r"[\u00AD\u061C\u180E\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFE00-\uFE0F]"
)
_ACCENTS = r"[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]"
_NUMBER = "<num>"
_NUMBERS = {
    "words": r"(?<![\p{L}\p{M}\p{N}])\p{N}[\p{N}\p{M}]*(?:['’]\p{N}[\p{N}\p{M}]*)*"
    r"(?!['’]?[\p{L}\p{M}\p{N}])",
    "whitespace": r"(?<!\S)[^\s\p{L}]*\p{N}[^\s\p{L}]*(?!\S)",
}


def read_words(path: Path, rows: int) -> tuple[dict[int, str], str, frozenset[str]]:
    """Words by number, the word that represents unknown words, or "", and all tokens that aren't
    words; ``rows`` is the number of rows of the table.

    Raises UserError.
    """
    try:
        if path.stat().st_size > _LONGEST + rows * _PER_ROW:
            raise ValueError("it is too large")
        # Words keep bytes that are not UTF-8, as lone surrogates.
        known = json.loads(path.read_bytes().decode("utf-8", "surrogateescape"))
        model = known["model"]
        vocabulary = model["vocab"]
        pairs: list[tuple[Any, Any]]
        if isinstance(vocabulary, dict):
            pairs = list(vocabulary.items())
        else:
            # Unigram models list pieces with their scores; the index is the number.
            pairs = [(piece[0], number) for number, piece in enumerate(vocabulary)]
        added = known.get("added_tokens") or []
        pairs += [(token["content"], token["id"]) for token in added]
        words: dict[int, str] = {}
        for word, number in pairs:
            if not isinstance(word, str) or type(number) is not int:
                raise ValueError("a word without a number")
            words.setdefault(number, word)
        unknown = model.get("unk_token")
        if isinstance(model.get("unk_id"), int):
            unknown = words.get(model["unk_id"])
        special = {token["content"] for token in added if token.get("special") is True}
        padding = known.get("padding")
        if isinstance(padding, dict) and isinstance(padding.get("pad_token"), str):
            special.add(padding["pad_token"])
        if not isinstance(unknown, str):
            return words, "", frozenset(special)
        if unknown == UNKNOWN:
            special |= _OF_BERT
        return words, unknown, frozenset(special | {unknown})
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise UserError(
            tr("{name} doesn’t list words as tokenizer.json should.", name=path.name),
            tr("Download or export the model again."),
        ) from error
    except OSError as error:
        raise UserError(
            tr("Couldn’t read {path}: {strerror}.", path=path, strerror=error_text(error)),
            tr(
                "Vectors in model2vec’s layout need tokenizer.json in the folder of "
                "model.safetensors."
            ),
        ) from error


def tokenizer_text(words: Sequence[str], options: Mapping[str, Any]) -> str:
    """The text of a tokenizer.json whose words have the numbers 0, 1, …; ``options`` are those of
    the corpus.

    Texts are converted and split like the corpus, as far as the tokenizers library can: Chinese and
    Japanese words, and words with spaces, have to be separated before (see
    :func:`unreachable_words`).
    """
    vocabulary = {word: number for number, word in enumerate(words)}
    vocabulary.setdefault(UNKNOWN, len(words))
    steps = _normalizers(options)
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Sequence", "normalizers": steps} if steps else None,
            "pre_tokenizer": _pre_tokenizer(options),
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
        },
        ensure_ascii=False,
    )


def unreachable_words(words: Sequence[str], options: Mapping[str, Any]) -> str:
    """A sentence about words that a tokenizer.json can't find in a text, "" without such words."""
    tokeniser = str(options.get("tokeniser", ""))
    if tokeniser in TOKENISERS and TOKENISERS[tokeniser].extra:
        return tr(
            "model2vec finds “{words}” only in text split at spaces.",
            words=TOKENISERS[tokeniser].title,
        )
    if tokeniser == "regex" and _own_pattern(options) is None:
        return tr("model2vec splits texts at spaces, because it can’t use the regular expression.")
    inside = _delimiter(options)
    parted = [word for word in words if any(map(str.isspace, word)) or (inside and inside in word)]
    if not parted:
        return ""
    return trn(
        "model2vec can’t find {number:,} word of several words in plain text, such as “{word}”.",
        "model2vec can’t find {number:,} words of several words in plain text, such as “{word}”.",
        len(parted),
        word=parted[0],
    )


def _normalizers(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The conversions of a text before it is split, in the order of the corpus."""
    steps: list[dict[str, Any]] = []
    if options:
        steps.append(_replace(_IGNORED, ""))
    if options.get("tokeniser") == "words":
        steps.append(_replace("’", "'"))
    if options.get("unicode_form") in ("NFC", "NFKC"):
        steps.append({"type": options["unicode_form"]})
    if options.get("lowercase"):
        # The corpus has i without a second dot.
        steps.append(_replace("[Iiİ]\u0307|İ", "i"))
        if options.get("language") in ("turkish", "azerbaijani"):
            steps.append(_replace("I", "ı"))
        steps.append({"type": "Lowercase"})
    if options.get("strip_accents"):
        steps += [{"type": "NFD"}, _replace(_ACCENTS, ""), {"type": "NFC"}]
    if options.get("numbers") == "zeros":
        steps.append(_replace(r"\p{Nd}", "0"))
    elif options.get("numbers") == "token":
        pattern = _NUMBERS.get(str(options.get("tokeniser", "")))
        if pattern:
            steps.append(_replace(pattern, _NUMBER))
    return steps


def _pre_tokenizer(options: Mapping[str, Any]) -> dict[str, Any]:
    tokeniser = options.get("tokeniser")
    pattern = None
    if tokeniser == "words":
        inner = "".join(f"\\{mark}" for mark in _delimiter(options))
        pattern = rf"{_WORDS}(?:{inner}{_WORDS})*" if inner else _WORDS
        if options.get("numbers") == "token":
            pattern = f"{_NUMBER}|{pattern}"
    elif tokeniser == "characters":
        pattern = r"(?=[^\s\p{Cc}])\X"
    elif tokeniser == "regex":
        pattern = _own_pattern(options)
    if pattern is None:
        return {"type": "WhitespaceSplit"}
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}


def _delimiter(options: Mapping[str, Any]) -> str:
    """The mark between the words of phrases; "" without phrases."""
    delimiter = options.get("phrase_delimiter", "_")
    if options.get("phrases") and isinstance(delimiter, str):
        return delimiter
    return ""


def _own_pattern(options: Mapping[str, Any]) -> str | None:
    """The corpus's regular expression if its syntax is also that of the tokenizers library: without
    groups that select a part of a match, and without extensions of the regex package.
    """
    pattern = str(options.get("pattern", ""))
    try:
        plain = re.compile(re.sub(r"\\p\{\w+\}|\\X", r"\\w", pattern, flags=re.IGNORECASE))
    except re.error:
        return None
    return pattern if pattern and not plain.groups else None


def _replace(pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}
