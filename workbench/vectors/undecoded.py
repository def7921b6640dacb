r"""Words of files whose bytes aren't UTF-8: displayed as in ``caf\xe9``, reported, and written as
their original bytes.

``metadata["undecoded"]`` contains ``words``, the number of such words, and ``bytes``, the
hexadecimal bytes of words whose displayed text is ambiguous: if two would look alike, further
backslashes distinguish them; or a word contains ``\xe9`` as four literal characters. Without that
entry, every word is its displayed text. The displayed text has ASCII characters for each such byte,
so that JSON, arrays of text, tables and Qt accept it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import filterfalse
from typing import Any

from workbench.core.language import tr, trn
from workbench.vectors.embeddings import Embeddings

# Keys in the provenance: words that aren’t UTF-8; rows that were left out because of a duplicate
# word; rows beyond the number in a header; rows without a word.
UNDECODED, REPEATED, BEYOND, NAMELESS = (
    "undecoded",
    "repeated_rows",
    "rows_beyond_header",
    "rows_without_word",
)
# Lines before the first row of a text.
BEFORE = "lines_before_rows"
# Rows of a tokenizer's special tokens.
TOKENS = "rows_of_special_tokens"
# Columns of a table: the title of the counts, titles of others that aren't dimensions, and the
# number of one that contains whole numbers only.
COUNTED, OTHER_COLUMNS, WHOLE_COLUMN = "column_of_counts", "columns_left_out", "column_of_wholes"
# Whether a column of whole numbers stood beside the words.
NUMBERED = "column_beside_words"
# Titles of columns that may be measures of words, and the largest number of a file in which large
# numbers may come from another layout.
MEASURES, LARGEST = "columns_of_measures", "largest_number"

_SHOWN = re.compile(r"\\x([89a-f][0-9a-f])")


def displayed_words(raw: Sequence[bytes]) -> tuple[list[str], dict[str, Any]]:
    """Displayed words, different if their bytes are, and the entry for the provenance, empty for
    UTF-8.
    """
    words = [word.decode("utf-8", "backslashreplace") for word in raw]
    # Only words that aren’t UTF-8 gain backslashes.
    doubtful = [at for at, word in enumerate(words) if "\\x" in word]
    strange = [at for at in doubtful if words[at].encode("utf-8") != raw[at]]
    if not strange:
        return words, {}
    taken: dict[str, bytes] = {}
    odd = set(strange)
    for at, word in enumerate(words):
        if at not in odd:
            taken[word] = raw[at]
    for at in strange:
        # Equal bytes stay one word; the reader of the file handles repetitions.
        while taken.setdefault(words[at], raw[at]) != raw[at]:
            words[at] = "\\" + words[at]
    hidden = {words[at]: raw[at].hex() for at in doubtful if _bytes_of(words[at]) != raw[at]}
    return words, {UNDECODED: {"words": len(strange), **({"bytes": hidden} if hidden else {})}}


def texts_shown(texts: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Apply ``displayed_words`` to texts that may contain lone surrogates, which aren't characters,
    or represent bytes.
    """
    try:
        # One by one, because the vectors already fill the memory.
        for text in filterfalse(str.isascii, texts):
            text.encode("utf-8")
    except UnicodeEncodeError:
        return displayed_words([_raw_bytes(text) for text in texts])
    return texts if isinstance(texts, list) else list(texts), {}


def escaped(word: bytes) -> str:
    """A word of a file; bytes that aren't UTF-8 become lone surrogates."""
    return word.decode("utf-8", "surrogateescape")


def raw_words(embeddings: Embeddings) -> list[bytes]:
    """The words as bytes for a file: in UTF-8, or the original bytes."""
    words = embeddings.words
    if not number_undecoded(embeddings):
        return [word.encode("utf-8") for word in words]
    return [raw_word(embeddings, word) for word in words]


def raw_word(embeddings: Embeddings, word: str) -> bytes:
    """One word of these vectors as bytes for a file."""
    if not number_undecoded(embeddings) or "\\x" not in word:
        return word.encode("utf-8")
    known = embeddings.metadata[UNDECODED].get("bytes")
    text = known.get(word) if isinstance(known, Mapping) else None
    if isinstance(text, str):
        try:
            raw = bytes.fromhex(text)
        except ValueError:
            raw = b""
        # Don’t let a foreign provenance replace the word by another one.
        if raw and word.lstrip("\\") == raw.decode("utf-8", "backslashreplace").lstrip("\\"):
            return raw
    return _bytes_of(word)


def match_typed_word(embeddings: Embeddings, word: str) -> str:
    """A typed word as these vectors display it. A terminal passes bytes that are not UTF-8 as lone
    surrogates.
    """
    (text,), strange = texts_shown([word])
    if not strange:
        return word
    raw = _raw_bytes(word)
    return next((known for known in embeddings.words if raw_word(embeddings, known) == raw), text)


def number_undecoded(embeddings: Embeddings) -> int:
    """Number of words in the vectors' file that aren't UTF-8."""
    known = embeddings.metadata.get(UNDECODED)
    number = known.get("words") if isinstance(known, Mapping) else None
    if type(number) is int and number > 0:
        return number
    return 0


def file_warnings(embeddings: Embeddings) -> tuple[str, ...]:
    """Warnings about the file that these vectors were read from, a sentence each."""
    metadata = embeddings.metadata
    sentences = []
    number = number_undecoded(embeddings)
    if number:
        sentences.append(
            trn(
                "{number:,} word isn’t UTF-8. Its bytes are kept and shown as in caf\\xe9.",
                "{number:,} words aren’t UTF-8. Their bytes are kept and shown as in caf\\xe9.",
                number,
            )
        )
    number = _count_undecoded(metadata.get(REPEATED))
    if number:
        sentences.append(
            trn(
                "{number:,} row was left out because its word occurs twice.",
                "{number:,} rows were left out because their words occur twice.",
                number,
            )
        )
    if _count_undecoded(metadata.get(BEYOND)):
        sentences.append(
            tr(
                "The file contains one more row than its header specifies: GloVe doesn’t "
                "count its row “<unk>”."
            )
        )
    number = _count_undecoded(metadata.get(NAMELESS))
    if number:
        sentences.append(
            trn(
                "{number:,} row was left out because it has no word.",
                "{number:,} rows were left out because they have no words.",
                number,
            )
        )
    number = _count_undecoded(metadata.get(BEFORE))
    if number:
        sentences.append(
            trn(
                "The first line was left out because it isn’t a word with its numbers.",
                "The first {number:,} lines were left out because they aren’t words with their "
                "numbers.",
                number,
            )
        )
    number = _count_undecoded(metadata.get(TOKENS))
    if number:
        sentences.append(
            trn(
                "{number:,} row was left out because it belongs to a special token, not to a word.",
                "{number:,} rows were left out because they belong to special tokens, not to "
                "words.",
                number,
            )
        )
    return (*sentences, *_column_warnings(metadata))


def _column_warnings(metadata: Mapping[str, Any]) -> list[str]:
    sentences = []
    if metadata.get(NUMBERED) is True:
        sentences.append(
            tr(
                "The column of whole numbers beside the words was left out, because it isn’t a "
                "dimension."
            )
        )
    title = metadata.get(COUNTED)
    if isinstance(title, str):
        sentences.append(tr("The column “{title}” became the counts of the words.", title=title))
    others = metadata.get(OTHER_COLUMNS)
    if isinstance(others, list) and others:
        sentences.append(
            trn(
                "{number:,} column was left out because it isn’t a dimension: {titles}.",
                "{number:,} columns were left out because they aren’t dimensions: {titles}.",
                len(others),
                titles=", ".join(map(str, others[:6])),
            )
        )
    measures = metadata.get(MEASURES)
    if isinstance(measures, list) and measures:
        sentences.append(
            tr(
                "The columns {titles} look like measures of words, not like dimensions. They were "
                "read as vectors, whose cosines may mean little.",
                titles=", ".join(map(str, measures[:6])),
            )
        )
    largest = metadata.get(LARGEST)
    if isinstance(largest, float):
        sentences.append(
            tr(
                "The vectors contain numbers up to {largest:.1e}. If they shouldn’t, the file has "
                "other numbers than float32, or another number of dimensions.",
                largest=largest,
            )
        )
    column = _count_undecoded(metadata.get(WHOLE_COLUMN))
    if column:
        sentences.append(
            tr(
                "Column {column:,} contains only whole numbers. If it isn’t a dimension, give it "
                "a title such as “count” or “id”.",
                column=column,
            )
        )
    return sentences


def _count_undecoded(value: object) -> int:
    if type(value) is int and value > 0:
        return value
    return 0


def _bytes_of(word: str) -> bytes:
    return _SHOWN.sub(lambda found: chr(0xDC00 + int(found[1], 16)), word).encode(
        "utf-8", "surrogateescape"
    )


def _raw_bytes(text: str) -> bytes:
    """Different bytes for different texts: UTF-8 for complete characters."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    try:
        raw = text.encode("utf-8", "surrogateescape")
        raw.decode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw
    return text.encode("utf-8", "surrogatepass")
