"""Vector file formats: reading and writing. Each format is one module in this package; those that
are only read are in the package ``read_only``.

When reading, the content determines the format, then the suffix; when writing, the suffix.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.atomic import replacing, replacing_folder
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.paths import path_exists
from workbench.core.registry import Registry
from workbench.core.text.text_files import cannot_read, prove_ordinary
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.float16 import to_float16
from workbench.vectors.formats import packed, recoded, text_rows, unsupported
from workbench.vectors.formats.base import Format, Source
from workbench.vectors.formats.read_only import READ_ONLY

FORMATS: Registry[Format] = Registry(
    "workbench.vectors.formats", Format, tr("format"), group="formats"
)

_HEAD = 65536

__all__ = [
    "FORMATS",
    "Format",
    "check_half",
    "format_to_write",
    "load_vectors",
    "most_frequent_first",
    "save_vectors",
    "sniff",
    "source",
]


def source(key: str) -> type[Source]:
    """The format with this key, also one that is only read. Raises UserError."""
    if key in READ_ONLY:
        return READ_ONLY[key]
    return FORMATS[key]


def _sources() -> list[type[Source]]:
    return sorted((*FORMATS, *READ_ONLY), key=lambda kind: kind.order)


def sniff(path: str | Path) -> str | None:
    """Key of the format of a file or folder of vectors, or None if it doesn't contain vectors and
    so is a corpus.

    Raises UserError if the file cannot be read, and for kinds of vector files that are recognised
    but not supported (pickles, quantised fastText models), naming a format to export.
    """
    path = Path(path)
    if path.is_fifo():
        # Reading a pipe would consume its bytes.
        return None
    prove_ordinary(path, tr("Name a file."))
    if path.is_dir():
        return next(
            (kind.key for kind in _sources() if kind.is_folder and kind.detect_folder(path)), None
        )
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        encoding = recoded.encoding_of(head)
        if encoding:
            key = _recoded_format(head, encoding, path)
            if key is not None:
                return key
        for kind in READ_ONLY:
            if kind.detect(head, path):
                return kind.key
        refused = unsupported.by_content(head, path)
        if refused is not None:
            raise refused
        for kind in FORMATS:
            if kind.detect(head, path):
                return kind.key
        refused = unsupported.by_json(head, path)
        if refused is not None:
            raise refused
        inner = _packed_formats(head, path)
        if inner:
            return next(iter(inner.values()))
        if not encoding:
            refused = unsupported.by_numbers(head, path)
            if refused is not None:
                raise refused
    except OSError as error:
        raise cannot_read(path, error) from error
    refused = unsupported.by_suffix(path)
    if refused is not None:
        raise refused
    suffix = path.suffix.lower()
    for written in FORMATS:
        if suffix in written.suffixes and suffix not in written.ambiguous_suffixes:
            refused = unsupported.by_markup(head, path)
            if refused is not None:
                raise refused
            return written.key
    return None


def load_vectors(path: str | Path, format: str = "", limit: int = 0) -> Embeddings:
    """Read a file of vectors, or its first ``limit`` words (0: all). ``format`` is a key, or "" to
    detect the format.

    Raises UserError for any problem in the file, naming the line or word.
    """
    if not str(path):
        raise UserError(tr("The name of the vector file is empty."), tr("Name a file of vectors."))
    path = Path(path)
    prove_ordinary(path, tr("Name a file of vectors."))
    key = format or sniff(path)
    if key is None and path.is_dir():
        raise UserError(tr("{path} is a folder.", path=path), _in_folder(path))
    if key is None:
        head = _head_of(path)
        known = ", ".join(f"{kind.title} ({kind.suffixes[0]})" for kind in FORMATS)
        raise unsupported.by_container(head, path) or unsupported.without_vectors(head, path, known)
    kind = source(key)
    if path.is_dir() and not kind.is_folder:
        raise UserError(tr("{path} is a folder.", path=path), tr("Name a file of vectors."))
    try:
        head = b"" if path.is_dir() else _head_of(path)
        encoding = recoded.encoding_of(head)
        if encoding:
            with recoded.recoded(path, encoding) as content:
                return kind.read(content, limit)
        if not packed.is_packed(head) or (kind.is_zip and head.startswith(b"PK")):
            return kind.read(path, limit)
        found = _packed_formats(head, path)
        names = [name for name, inner in found.items() if inner == key or not format]
        with packed.unpacked(path, names) as content:
            return source(found.get(names[0], key) if names else key).read(content, limit)
    except OSError as error:
        raise cannot_read(path, error) from error


def _in_folder(folder: Path) -> str:
    """A hint that names a file of vectors in a folder, if one has the suffix of vectors."""
    known = {suffix for kind in FORMATS for suffix in kind.suffixes} - {".txt", ".csv", ".tsv"}
    known |= unsupported.SUFFIXES
    names = [one.name for one in folder.iterdir() if one.suffix.lower() in known]
    if names:
        # An array's message says what to do with the pickles beside it.
        name = min(names, key=lambda name: (not name.endswith(".npy"), name))
        return tr("Name a file in the folder, for example {name}.", name=name)
    return tr("Name a file of vectors, or a folder of the projector, of model2vec or of spaCy.")


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD)


def save_vectors(
    embeddings: Embeddings,
    path: str | Path,
    format: str = "",
    half: bool = False,
    run: JobControl | None = None,
) -> None:
    """Write vectors, most frequent word first; the file is complete or unchanged.

    ``format`` is a key, or "" to use the suffix; ``half`` rounds all numbers to float16. Raises
    UserError for an unknown suffix, for vectors that the format cannot represent, and if the file
    cannot be written. Raises Cancelled, and leaves an old file unchanged, if ``run`` is cancelled
    between rows of text; writing of arrays is completed.
    """
    check = (run or JobControl()).check
    path = Path(path)
    kind = FORMATS[format or format_to_write(path)]
    if half:
        check_half(kind.key)
    reason = kind.holds(embeddings)
    if reason is not None:
        raise UserError(reason, tr("Or choose a file ending in .npz, which contains everything."))
    _prove_distinct(embeddings.words)
    ordered = most_frequent_first(embeddings)
    if half:
        ordered = to_float16(ordered)
    if kind.files:
        with replacing_folder(path, kind.files) as folder, text_rows.cancellable_writing(check):
            kind.write(folder, ordered)
        return
    if path.is_dir():
        raise UserError(tr("{path} is a folder.", path=path), tr("Name a file to write."))
    with replacing(path) as temporary, text_rows.cancellable_writing(check):
        kind.write(temporary, ordered)


def _prove_distinct(words: Sequence[str]) -> None:
    """Raise UserError for a repeated word: a reader of the file would find only one of them."""
    if len(set(words)) < len(words):
        seen: set[str] = set()
        twice = next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
        raise UserError(
            tr(
                "The word “{twice}” occurs twice, but a file can contain each word only once.",
                twice=twice,
            ),
            tr("Remove one of the two rows."),
        )


def check_half(key: str) -> None:
    """Raise UserError for a format without float16."""
    if not FORMATS[key].half:
        others = " or ".join(kind.suffixes[0] for kind in FORMATS if kind.half)
        raise UserError(
            f"{FORMATS[key].title} can’t store float16 numbers.", f"Use the suffix {others}."
        )


def most_frequent_first(embeddings: Embeddings) -> Embeddings:
    """The same embeddings in descending order of counts; unchanged without counts."""
    counts = embeddings.counts
    if counts is None or bool(np.all(counts[:-1] >= counts[1:])):
        return embeddings
    order = np.argsort(-counts, kind="stable")

    def sorted_rows(part: Singles | None) -> Singles | None:
        if part is None:
            return None
        return part[order]

    return dataclasses.replace(
        embeddings,
        words=[embeddings.words[row] for row in order],
        vectors=embeddings.vectors[order],
        counts=counts[order],
        contexts=sorted_rows(embeddings.contexts),
        biases=sorted_rows(embeddings.biases),
        context_biases=sorted_rows(embeddings.context_biases),
        word_rows=sorted_rows(embeddings.word_rows),
        raw=sorted_rows(embeddings.raw),
        # Trainers always sort words, and the meaning of the state's rows is unknown here.
        state={},
    )


def format_to_write(path: Path) -> str:
    """Key of the format for a file name: by its suffix, or the projector's for an existing folder.

    Raises UserError.
    """
    suffix = path.suffix.lower()
    for kind in FORMATS:
        if suffix in kind.suffixes:
            return kind.key
    if path_exists(path) and path.is_dir():
        return "projector"
    known = ", ".join(suffix for kind in FORMATS for suffix in kind.suffixes)
    raise UserError(
        tr("The format of “{name}” isn’t clear from its suffix.", name=path.name),
        tr("Use one of these suffixes: {known}.", known=known),
    )


def _packed_formats(head: bytes, path: Path) -> dict[str, str]:
    """The keys of the formats of the files of vectors in a packed file, by name.

    Raises UserError if there are only vectors that are recognised but not supported.
    """
    found: dict[str, str] = {}
    problem: UserError | None = None
    numbers: UserError | None = None
    size = 0
    if not packed.is_packed(head):
        return found
    with tempfile.TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as folder:
        for name, part in packed.beginnings(path, Path(folder), found):
            inner = part.read_bytes()
            size += 1
            key = _key_of_beginning(inner, part)
            if key is not None:
                found[name] = key
                continue
            problem = (
                problem or unsupported.by_content(inner, part) or unsupported.by_json(inner, part)
            )
            numbers = numbers or unsupported.by_numbers(inner, part)
    if size == 1:
        problem = problem or numbers
    if problem is not None and not found:
        raise problem
    return found


def _recoded_format(head: bytes, encoding: str, path: Path) -> str | None:
    """The key of the format of text in an ``encoding``, or None.

    Raises UserError for vectors that are recognised but not supported.
    """
    with tempfile.TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as folder:
        part = Path(folder) / path.name
        part.write_bytes(recoded.beginning(head, encoding))
        inner = part.read_bytes()
        problem = unsupported.by_content(inner, part)
        key = None if problem else _key_of_beginning(inner, part)
        problem = problem or (None if key else unsupported.by_numbers(inner, part))
        if problem is not None:
            raise problem
        return key


def _key_of_beginning(head: bytes, path: Path) -> str | None:
    """The format of vectors of which only the ``head`` is in a file."""
    key = next((kind.key for kind in READ_ONLY if kind.detect(head, path)), None)
    if key is not None or unsupported.by_content(head, path) is not None:
        return key
    key = next((kind.key for kind in FORMATS if kind.detect(head, path)), None)
    if key is None and head.startswith(b"PK\x03\x04") and b".npy" in head[:200]:
        # The directory of an archive is at its end.
        return "npz"
    if key is None and b'"data_offsets"' in head:
        return "safetensors"
    return key
