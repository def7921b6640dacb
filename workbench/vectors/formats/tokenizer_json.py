"""tokenizer.json, the file with model2vec's words: reading its words, and writing a list of
words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr

# Maximum bytes of such files without words, and per word with its merges.
_LONGEST, _PER_ROW = 16 << 20, 512
UNKNOWN = "[UNK]"
# A run of letters, marks and digits with single inner apostrophes, as in the tokeniser “words”.
_WORDS = r"[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*"


def read_words(path: Path, rows: int) -> tuple[dict[int, str], str]:
    """Words by number, and the word that represents unknown words, or ""; ``rows`` is the number of
    rows of the table.

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
        return words, unknown if isinstance(unknown, str) else ""
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

    Texts are split like the corpus: into runs of letters and digits, or at spaces.
    """
    cut: dict[str, Any] = {"type": "WhitespaceSplit"}
    if options.get("tokeniser") == "words":
        cut = {"type": "Split", "pattern": {"Regex": _WORDS}, "behavior": "Removed", "invert": True}
    vocabulary = {word: number for number, word in enumerate(words)}
    vocabulary.setdefault(UNKNOWN, len(words))
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Lowercase"} if options.get("lowercase") else None,
            "pre_tokenizer": cut,
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
        },
        ensure_ascii=False,
    )
