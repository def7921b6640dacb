"""The model files of fastText's program (.bin, version 12; older ones can be read): words, counts,
n-grams, both matrices.

Little-endian throughout. Magic number and version; arguments (twelve int32 and a float64);
dictionary: size, words, labels (int32), tokens, pruned n-grams (int64), then for each entry its
bytes, a zero byte, its count (int64) and its kind (int8: 0 word, 1 label); whether the input is
quantised (a byte), rows and columns (int64) and float32 rows of the input: first the words' own,
then the buckets'; the same for the output.

Buckets that no word of the vocabulary uses have their random initial values in the program's files.
In models trained here they are zero, and zero rows are not kept in memory.
"""

from __future__ import annotations

import dataclasses
import mmap
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.subwords import word_buckets
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows, unsupported
from workbench.vectors.formats.base import Format
from workbench.vectors.subwords import Subwords, subwords_of
from workbench.vectors.undecoded import escaped, raw_words

MAGIC = 793712314
_VERSION = 12
_ARGUMENTS = struct.Struct("<12id")
_SIZES = struct.Struct("<3i2q")
_ENTRY = struct.Struct("<qb")
_SHAPE = struct.Struct("<?2q")
# Before 2017, files began with the arguments, and had neither pruned n-grams nor quantised tables.
_OLDEST, _OLD_SIZES, _OLD_HEAD = 0, struct.Struct("<3iq"), struct.Struct("<12id3iq")
_SUPERVISED = 3
# Maximum length of n-grams: a file with longer ones is damaged.
_LONGEST_NGRAM = 1000
_BLOCK = 4096
# Names of the arguments in the file's order, with their names in the workbench.
_NAMES = (
    "dim",
    "window",
    "epochs",
    "min_count",
    "negative",
    "word_ngrams",
    "loss",
    "model",
    "buckets",
    "min_n",
    "max_n",
    "rate_updates",
    "sample",
)
# floret writes two further arguments before the last two, with the same magic number and version:
# its mode (1: fastText's rows, 2: slots of a hash table) and the number of hashes.
_EXTENDED, _FASTTEXT, _FLORET = struct.Struct("<14id"), 1, 2
_DEFAULTS = {"window": 5, "epochs": 5, "min_count": 1, "negative": 5, "sample": 1e-4}


class _Damaged(Exception):
    """The file is damaged; the message says how, in a few words."""


class _Dictionary(NamedTuple):
    words: list[bytes]
    counts: npt.NDArray[np.int64]
    labels: int


class FastTextModel(Format):
    """The model files of fastText's program and gensim's save_facebook_model; `.ftz` is refused."""

    key = "fasttext"
    title = tr("fastText model")
    suffixes = (".fasttext",)
    keeps = frozenset({"counts", "contexts"})
    order = 25

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        for word in embeddings.words:
            if "\0" in word:
                return tr(
                    "A {title} can’t store {word!r}: it contains a zero byte.",
                    title=cls.title,
                    word=word,
                )
        if embeddings.raw is not None and subwords_of(embeddings) is not None:
            return tr(
                "A {title} stores n-gram vectors, so it can’t store vectors that were "
                "processed after training.",
                title=cls.title,
            )
        return text_rows.cannot_hold(f"A {cls.title}", embeddings, inner_blanks=False)

    @classmethod
    def lost(cls, embeddings: Embeddings) -> tuple[str, ...]:
        # It saves n-grams as rows of buckets.
        whole = subwords_of(embeddings) is not None
        part = dataclasses.replace(embeddings, ngram_vectors=None) if whole else embeddings
        return super().lost(part)

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return head.startswith(struct.pack("<i", MAGIC)) or _without_magic(head)

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        try:
            with path.open("rb") as file:
                # Closed with the last array that refers to it, which may be in a traceback.
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return _read(path, data, limit)
        except (_Damaged, ValueError, struct.error) as error:
            reason = str(error) if isinstance(error, _Damaged) else tr("it is empty or truncated")
            raise UserError(
                tr(
                    "{name} isn’t a valid fastText model, or it is truncated ({reason}).",
                    name=path.name,
                    reason=reason,
                ),
                tr("Download or export the file again."),
            ) from error

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        how = subwords_of(embeddings) or Subwords(0, 0, 0)
        whole = how.buckets > 0 and embeddings.word_rows is not None
        own = embeddings.word_rows if whole else embeddings.vectors
        with path.open("wb") as file:
            file.write(struct.pack("<2i", MAGIC, _VERSION))
            file.write(_arguments(embeddings, how))
            _write_dictionary(file, embeddings)
            file.write(_SHAPE.pack(False, len(embeddings) + how.buckets, embeddings.dim))
            file.write(np.ascontiguousarray(own, dtype="<f4").tobytes())
            if whole:
                _write_buckets(file, embeddings, how.buckets)
            contexts = embeddings.contexts
            if contexts is None or embeddings.raw is not None:
                # Contexts go only with W.
                contexts = np.zeros((len(embeddings), embeddings.dim), dtype=np.float32)
            file.write(_SHAPE.pack(False, *contexts.shape))
            file.write(np.ascontiguousarray(contexts, dtype="<f4").tobytes())


# -- reading


def _read(path: Path, data: mmap.mmap, limit: int) -> Embeddings:
    version, start = _version_and_start(path, data)
    mode = _floret_mode(data, start)
    if mode == _FLORET:
        raise unsupported.floret_model_error(path)
    values: dict[str, Any] = dict(zip(_NAMES, _ARGUMENTS.unpack_from(data, start), strict=True))
    if mode:
        start += _EXTENDED.size - _ARGUMENTS.size
    if version < _VERSION and values["model"] == _SUPERVISED:
        # At that time, models of labels had no character n-grams, whatever their arguments say.
        values["max_n"] = 0
    dictionary, at = _dictionary(data, start + _ARGUMENTS.size, version)
    size = len(dictionary.words)
    table, at = _matrix(path, data, at, version)
    outputs, at = _matrix(path, data, at, version)
    if at != len(data):
        raise _Damaged(tr("it continues after its last matrix"))
    how = _subwords(values, table, size)
    take = min(size, limit) if limit else size
    own: Singles = np.array(table[:take], dtype=np.float32)
    vectors = _compose_words(dictionary.words[:take], own, table[size:], how)
    checked = text_rows.checked_embeddings(
        path, list(map(escaped, dictionary.words[:take])), vectors, "word", np.arange(1, take + 1)
    )
    kept = text_rows.first_rows(dictionary.words[:take])
    rest: dict[str, Any] = {"counts": dictionary.counts[:take][kept]}
    if outputs.shape == (size, table.shape[1]) and not dictionary.labels:
        contexts = np.array(outputs[:take][kept], dtype=np.float32)
        if not np.isfinite(contexts).all():
            raise _Damaged(tr("its output matrix contains NaN or an infinite number"))
        if contexts.any():
            rest["contexts"] = contexts
    metadata: dict[str, Any] = {
        **checked.metadata,
        "fasttext": {**values, "tokens": int(dictionary.counts.sum())},
    }
    if how.max_n and how.buckets:
        used, found = _used_rows(table[size:])
        if not (np.isfinite(found).all() and np.isfinite(own).all()):
            raise _Damaged(tr("an n-gram vector contains NaN or an infinite number"))
        rest.update(word_rows=own[kept], ngram_vectors=found, ngram_buckets=used)
        metadata["subwords"] = {"min_n": how.min_n, "max_n": how.max_n, "buckets": how.buckets}
    return Embeddings(checked.words, checked.vectors, metadata=metadata, **rest)


def _version_and_start(path: Path, data: mmap.mmap) -> tuple[int, int]:
    """The version of the file, and where its arguments begin. Raises UserError and _Damaged."""
    magic, version = struct.unpack_from("<2i", data)
    start = 8
    if magic != MAGIC:
        if not _without_magic(data[: _OLD_HEAD.size]):
            raise _Damaged(tr("it doesn’t start with fastText’s magic number"))
        version, start = _OLDEST, 0
    elif version not in (11, _VERSION):
        raise UserError(
            tr(
                "{name} is a fastText model of version {version}, but only versions 11 and "
                "{known} are supported.",
                name=path.name,
                version=version,
                known=_VERSION,
            ),
            tr("Open the .vec file that fastText wrote in the same folder."),
        )
    return version, start


def _subwords(values: Mapping[str, int], table: Singles, size: int) -> Subwords:
    """The n-grams of a model whose table begins with ``size`` words. Raises _Damaged."""
    buckets = len(table) - size
    if table.shape[1] != values["dim"] or buckets < 0:
        raise _Damaged(
            tr(
                "{number:,} × {shape:,} numbers don’t fit its {size:,} words",
                number=len(table),
                shape=table.shape[1],
                size=size,
            )
        )
    how = Subwords(max(values["min_n"], 0), max(values["max_n"], 0), buckets)
    if how.max_n > _LONGEST_NGRAM or (how.max_n and buckets not in (0, values["buckets"])):
        raise _Damaged(
            tr(
                "n-grams of {max_n:,} letters in {buckets:,} buckets",
                max_n=how.max_n,
                buckets=values["buckets"],
            )
        )
    return how


def _floret_mode(data: mmap.mmap, at: int) -> int:
    """The mode of a model that floret wrote, 0 for one of fastText."""
    if at + _EXTENDED.size + _SIZES.size > len(data):
        return 0
    size, words, labels, _, _ = _SIZES.unpack_from(data, at + _ARGUMENTS.size)
    if words > 0 and labels >= 0 and size == words + labels:
        return 0
    *_, mode, hashes, _, sample = _EXTENDED.unpack_from(data, at)
    size, words, labels, _, _ = _SIZES.unpack_from(data, at + _EXTENDED.size)
    plausible = words > 0 and labels >= 0 and size == words + labels and 0 <= sample <= 1
    if plausible and mode in (_FASTTEXT, _FLORET) and 1 <= hashes <= 4:
        return int(mode)
    return 0


def _without_magic(head: bytes) -> bool:
    """Whether a file begins like those of the program before 2017: with plausible arguments and
    sizes, in order.
    """
    if len(head) < _OLD_HEAD.size:
        return False
    *arguments, sample, size, words, labels, tokens = _OLD_HEAD.unpack_from(head)
    known = dict(zip(_NAMES, arguments, strict=False))
    return (
        0 < known["dim"] <= 100_000
        and all(0 <= value < 2**31 for value in arguments)
        and known["loss"] in (1, 2, 3)
        and known["model"] in (1, 2, _SUPERVISED)
        and known["max_n"] <= _LONGEST_NGRAM
        and 0 <= sample <= 1
        and size == words + labels
        and words > 0
        and labels >= 0
        and tokens >= 0
    )


def _dictionary(data: mmap.mmap, at: int, version: int) -> tuple[_Dictionary, int]:
    """Words in the file's order, most frequent first, and the end of the dictionary. Labels come
    last.
    """
    pruned = -1
    if version == _OLDEST:
        size, words, labels, _ = _OLD_SIZES.unpack_from(data, at)
        at += _OLD_SIZES.size
    else:
        size, words, labels, _, pruned = _SIZES.unpack_from(data, at)
        at += _SIZES.size
    # Each entry has at least a byte, its end, count and kind.
    least = size * (2 + _ENTRY.size)
    if pruned >= 0 or words < 1 or labels < 0 or size != words + labels or least > len(data) - at:
        raise _Damaged(
            tr("a dictionary of {words:,} words and {labels:,} labels", words=words, labels=labels)
        )
    found: list[bytes] = []
    counts = np.empty(size, dtype=np.int64)
    for i in range(size):
        end = data.find(b"\0", at)
        if end < 0:
            raise _Damaged(tr("word {i:,} isn’t terminated", i=i + 1))
        found.append(data[at:end])
        counts[i], kind = _ENTRY.unpack_from(data, end + 1)
        at = end + 1 + _ENTRY.size
        if kind != (i >= words) or counts[i] < 0 or not found[-1]:
            raise _Damaged(tr("word {i:,} is empty", i=i + 1))
    return _Dictionary(found[:words], counts[:words], labels), at


def _matrix(
    path: Path, data: mmap.mmap, at: int, version: int
) -> tuple[npt.NDArray[np.float32], int]:
    """A view of the matrix at ``at``, and the offset of its end."""
    if version == _OLDEST:
        # The byte that marks quantised tables was introduced later.
        at -= 1
    quantised, size, dim = _SHAPE.unpack_from(data, at)
    if quantised and version > _OLDEST:
        raise UserError(
            tr(
                "{name} is a quantised fastText model, which isn’t supported: its vectors "
                "are only approximate.",
                name=path.name,
            ),
            tr("Open the .vec file of the full model."),
        )
    at += _SHAPE.size
    if size < 0 or dim < 1 or size * dim * 4 > len(data) - at:
        raise _Damaged(
            tr(
                "its header specifies {size:,} × {dim:,} numbers, more than it contains",
                size=size,
                dim=dim,
            )
        )
    flat = np.frombuffer(data, dtype="<f4", count=size * dim, offset=at)
    return flat.reshape(size, dim), at + 4 * size * dim


def _compose_words(
    words: Sequence[bytes], own: Singles, table: npt.NDArray[np.float32], how: Subwords
) -> Singles:
    """The words' vectors: the mean of their own rows and those of their n-grams, hashed from the
    original bytes.
    """
    if not (how.max_n and how.buckets):
        return own
    vectors = np.empty_like(own)
    with np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, len(words), _BLOCK):
            stop = min(start + _BLOCK, len(words))
            offsets, found = word_buckets(words[start:stop], how.min_n, how.max_n, how.buckets)
            for i in range(start, stop):
                mine = found[offsets[i - start] : offsets[i - start + 1]]
                vectors[i] = (own[i] + table[mine].sum(axis=0)) / np.float32(1 + len(mine))
    return vectors


def _used_rows(table: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int64] | None, Singles]:
    """Non-zero buckets and their rows; None instead of the buckets if most are used."""
    used = np.flatnonzero(table.any(axis=1))
    if 2 * len(used) > len(table):
        return None, np.array(table, dtype=np.float32)
    return used, np.array(table[used], dtype=np.float32)


# -- writing


def _arguments(embeddings: Embeddings, how: Subwords) -> bytes:
    """The training's known arguments, with fastText's names for losses and models."""
    known: dict[str, Any] = {**_DEFAULTS}
    for source in (embeddings.metadata.get("parameters"), embeddings.metadata.get("fasttext")):
        if isinstance(source, Mapping):
            known.update((name, value) for name, value in source.items() if _is_number(value))
    # No word may have a count below the file's min_count, or gensim would leave it out.
    known["min_count"] = min(known["min_count"], int(_counts(embeddings).min()))
    cbow = known.get("model") == 1 or "cbow" in str(embeddings.metadata.get("algorithm", ""))
    known |= {
        "dim": embeddings.dim,
        "word_ngrams": 1,
        "loss": 2,
        "model": 1 if cbow else 2,
        "buckets": how.buckets,
        "min_n": how.min_n,
        "max_n": how.max_n,
        "rate_updates": 100,
    }
    return _ARGUMENTS.pack(*(int(known[name]) for name in _NAMES[:-1]), float(known["sample"]))


def _counts(embeddings: Embeddings) -> npt.NDArray[np.int64]:
    """Counts for the file, which requires them: 1 for every word if they are unknown."""
    if embeddings.counts is not None:
        return embeddings.counts
    return np.ones(len(embeddings), dtype=np.int64)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**31


def _write_dictionary(file: BinaryIO, embeddings: Embeddings) -> None:
    size = len(embeddings)
    counts = _counts(embeddings)
    file.write(_SIZES.pack(size, size, 0, int(counts.sum()), -1))
    file.write(
        b"".join(
            word + b"\0" + _ENTRY.pack(count, 0)
            for word, count in zip(raw_words(embeddings), counts.tolist(), strict=True)
        )
    )


def _write_buckets(file: BinaryIO, embeddings: Embeddings, buckets: int) -> None:
    """Write every bucket's row in turn, zeros for buckets without a row."""
    assert embeddings.ngram_vectors is not None
    used = embeddings.ngram_buckets
    if used is None:
        used = np.arange(len(embeddings.ngram_vectors), dtype=np.int64)
    for start in range(0, buckets, _BLOCK):
        stop = min(start + _BLOCK, buckets)
        block = np.zeros((stop - start, embeddings.dim), dtype="<f4")
        first, last = np.searchsorted(used, (start, stop))
        block[used[first:last] - start] = embeddings.ngram_vectors[first:last]
        file.write(block.tobytes())
