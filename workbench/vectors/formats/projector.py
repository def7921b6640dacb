"""TensorFlow's embedding projector: a table of numbers, a table of words, and a configuration that
connects them, also in TensorBoard's folders of logs, where the tables are in further folders.

``tensors.tsv`` has a line of d numbers per word; ``metadata.tsv`` a line per word, after a line of
titles if it has one line more; ``projector_config.pbtxt`` lets
TensorBoard find both (``tensorboard --logdir FOLDER``). Pairs with ``vectors.tsv``, or with
``X_tensor.tsv`` and ``X_metadata.tsv`` from gensim's script, can also be read.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import escaped, raw_words

_TENSORS, _METADATA, _CONFIG = "tensors.tsv", "metadata.tsv", "projector_config.pbtxt"
_TABLES = (_TENSORS, "vectors.tsv")
_GENSIM = ("_tensor.tsv", "_metadata.tsv")
_LABELS = ("word", "words", "label", "name", "token")
_COUNTS = ("count", "counts", "frequency")
_LONGEST_LINE = 1 << 24
_MOST_COLUMNS = 1000
_LONGEST_CONFIG = 1 << 20
# Maximum number of folders in a message.
_SHOWN = 4
_BLOCK = re.compile(r"embeddings\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_PATH = re.compile(r'(tensor|metadata)_path:\s*"([^"\\]*)"')
_HELP = tr("Save the vectors for the projector again, tensors and metadata together.")


class _Pair(NamedTuple):
    tensors: Path
    metadata: Path


class Projector(Format):
    """Words with their counts, and vectors, as a folder that TensorBoard opens."""

    key = "projector"
    title = tr("projector folder")
    suffixes = (".projector",)
    keeps = frozenset({"counts"})
    # Before GloVe’s format, which would take the first number of a line for a word.
    order = 27
    is_folder = True
    files = frozenset({_TENSORS, _METADATA, _CONFIG})

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        for word in embeddings.words:
            if not word or any(mark in word for mark in "\t\n\r") or word.startswith("\ufeff"):
                return tr(
                    "A {title} can’t store the word “{word}”, because it contains spaces.",
                    title=cls.title,
                    word=word,
                )
        return text_rows.cannot_hold(f"A {cls.title}", embeddings, outer_blanks=True)

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        first = head.removeprefix(text_rows.BYTE_ORDER_MARK).partition(b"\n")[0]
        if path.name in (_METADATA, _CONFIG) or path.name.endswith(_GENSIM[1]):
            return _pair(path) is not None
        if path.name not in _TABLES and not path.name.endswith(_GENSIM[0]):
            return False
        # The beginning of a long line may end within a number.
        return _numbers(first if len(first) < len(head) else first.rpartition(b"\t")[0]) is not None

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        return _pair(path) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        pair = _pair(path)
        _prove_single(path, pair)
        if pair is None:
            raise UserError(
                tr(
                    "{name} is one of two projector files, and the other is missing.",
                    name=path.name,
                ),
                _HELP,
            )
        words, counts = _words(pair.metadata, _lines(pair.tensors))
        take = min(len(words), limit) if limit else len(words)
        vectors, lines = _table(pair.tensors, take)
        shown = list(map(escaped, words[:take]))
        found = text_rows.checked_embeddings(pair.tensors, shown, vectors, "line", lines)
        if counts is None:
            return found
        kept = text_rows.first_rows(words[:take])
        kept = kept[[bool(words[row]) for row in kept.tolist()]]
        return Embeddings(found.words, found.vectors, counts[:take][kept], metadata=found.metadata)

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        vectors = np.asarray(embeddings.vectors, dtype=np.float32)
        line = "\t".join(["%.9g"] * embeddings.dim) + "\n"
        with (path / _TENSORS).open("w", encoding="utf-8", newline="") as file:
            for start in range(0, len(vectors), 1024):
                text_rows.check_cancelled()
                file.writelines(line % tuple(row) for row in vectors[start : start + 1024].tolist())
        words = raw_words(embeddings)
        with (path / _METADATA).open("wb") as table:
            if embeddings.counts is None:
                table.writelines(word + b"\n" for word in words)
            else:
                table.write(b"word\tcount\n")
                counts = embeddings.counts.tolist()
                table.writelines(b"%s\t%d\n" % pair for pair in zip(words, counts, strict=True))
        (path / _CONFIG).write_text(
            "embeddings {\n"
            '  tensor_name: "word vectors"\n'
            f'  tensor_path: "{_TENSORS}"\n'
            f'  metadata_path: "{_METADATA}"\n'
            "}\n",
            encoding="utf-8",
        )


def _pair(path: Path) -> _Pair | None:
    """Both files, from their folder or either of them; None if one is missing."""
    if path.name == _CONFIG:
        path = path.parent
    if path.is_dir():
        found = [_Pair(path / name, path / _METADATA) for name in _TABLES]
        found += _configured(path)
    elif path.name.endswith(_GENSIM):
        stem = path.name.removesuffix(_GENSIM[0]).removesuffix(_GENSIM[1])
        found = [_Pair(path.with_name(stem + _GENSIM[0]), path.with_name(stem + _GENSIM[1]))]
    elif path.name == _METADATA:
        found = [_Pair(path.with_name(name), path) for name in _TABLES]
    else:
        found = [_Pair(path, path.with_name(_METADATA))]
    return next(
        (pair for pair in found if pair.tensors.is_file() and pair.metadata.is_file()), None
    )


def _prove_single(path: Path, pair: _Pair | None) -> None:
    """Raise UserError for a log with several tables of vectors, such as those of several steps."""
    folder = path.parent if path.name == _CONFIG else path
    if pair is None or not folder.is_dir() or pair.tensors.parent == folder:
        return
    tables = dict.fromkeys(
        each.tensors.parent.relative_to(folder).as_posix()
        for each in _configured(folder)
        if each.tensors.is_file() and each.metadata.is_file()
    )
    if len(tables) > 1:
        few = ", ".join(f"{folder.name}/{table}" for table in list(tables)[-_SHOWN:])
        raise UserError(
            tr(
                "{name} contains {number:,} tables of vectors.",
                name=folder.name,
                number=len(tables),
            ),
            tr("Choose the folder of one, for example one of: {few}.", few=few),
        )


def _configured(folder: Path) -> list[_Pair]:
    """The pairs that a folder's configuration names, as in TensorBoard's folders of logs.

    Paths that lead out of the folder don't count.
    """
    try:
        text = (folder / _CONFIG).read_bytes()[:_LONGEST_CONFIG].decode("utf-8", "replace")
    except OSError:
        return []
    found = []
    for block in _BLOCK.findall(text):
        names = dict(_PATH.findall(block))
        if len(names) == 2 and not any(
            Path(name).is_absolute() or ".." in Path(name).parts for name in names.values()
        ):
            found.append(_Pair(folder / names["tensor"], folder / names["metadata"]))
    return found


def _words(path: Path, size: int) -> tuple[list[bytes], npt.NDArray[np.int64] | None]:
    """Words, and their counts if a column contains them. Raises UserError."""
    with path.open("rb") as file:
        first = file.readline(_LONGEST_LINE).removeprefix(text_rows.BYTE_ORDER_MARK)
        lines = 0
        if first:
            lines = 1 + sum(1 for _ in iter(lambda: file.readline(_LONGEST_LINE), b""))
    if not lines:
        raise UserError(tr("{name} is empty.", name=path.name), _HELP)
    # TensorBoard requires titles above several columns and forbids them above one, but people write
    # both, so the number of lines decides.
    titled = lines == size + 1
    if lines - titled != size:
        raise UserError(
            tr(
                "{name} lists {number:,} words for {size:,} lines of numbers.",
                name=path.name,
                number=lines - titled,
                size=size,
            ),
            _HELP,
        )
    titles = [
        title.decode("utf-8", "replace").strip().casefold()
        for title in _fields(first, _MOST_COLUMNS)
    ]
    label = counted = None
    if titled:
        label = next((at for at, title in enumerate(titles) if title in _LABELS), None)
        counted = next(
            (at for at, title in enumerate(titles) if title in _COUNTS and at != label), None
        )
    label = label or 0
    width = max(label, counted or 0) + 1
    words: list[bytes] = []
    counts: list[bytes] = []
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
            if titled and number == 1:
                continue
            fields = _fields(
                line.removeprefix(text_rows.BYTE_ORDER_MARK) if number == 1 else line, width
            )
            if len(fields) < width:
                raise UserError(
                    tr(
                        "{name}, line {number:,}: a column is missing.",
                        name=path.name,
                        number=number,
                    ),
                    _HELP,
                )
            words.append(fields[label])
            if counted is not None:
                counts.append(fields[counted])
    if counted is None or not all(count.isdigit() and len(count) < 19 for count in counts):
        return words, None
    return words, np.array(list(map(int, counts)), dtype=np.int64)


def _fields(line: bytes, most: int) -> list[bytes]:
    """The first ``most`` columns of a line."""
    return line.rstrip(b"\r\n").split(b"\t", most)[:most]


def _lines(path: Path) -> int:
    """Number of lines that aren’t empty."""
    with path.open("rb") as file:
        return sum(1 for line in iter(lambda: file.readline(_LONGEST_LINE), b"") if line.strip())


def _table(path: Path, take: int) -> tuple[Singles, npt.NDArray[np.int64]]:
    """float32[take, d] and the line number of each row. Raises UserError."""
    vectors: Singles | None = None
    lines = np.empty(take, dtype=np.int64)
    row = 0
    with path.open("rb") as file, np.errstate(over="ignore"):
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
            if row == take:
                break
            if not line.strip():
                continue
            if vectors is None:
                text_rows.prove_room(path, take, line.count(b"\t") + 1)
            values = _numbers(line.removeprefix(text_rows.BYTE_ORDER_MARK) if number == 1 else line)
            if values is None or (vectors is not None and len(values) != vectors.shape[1]):
                raise UserError(
                    tr(
                        "{name}, line {number:,}: expected numbers separated by tabs.",
                        name=path.name,
                        number=number,
                    )
                    if vectors is None
                    else tr(
                        "{name}, line {number:,}: expected {many:,} numbers separated by tabs.",
                        name=path.name,
                        number=number,
                        many=vectors.shape[1],
                    ),
                    _HELP,
                )
            if vectors is None:
                # Each number takes at least a digit and a tab.
                if 2 * take * len(values) > path.stat().st_size + take:
                    raise UserError(
                        tr("{name}: its lines differ in length.", name=path.name), _HELP
                    )
                vectors = np.empty((take, len(values)), dtype=np.float32)
            vectors[row], lines[row] = values, number
            row += 1
    if vectors is None:
        raise UserError(tr("{name} is empty.", name=path.name), _HELP)
    return vectors[:row], lines[:row]


def _numbers(line: bytes) -> list[float] | None:
    """The numbers of a line, or None if it contains anything else."""
    try:
        return list(map(float, line.rstrip(b"\r\n").split(b"\t")))
    except ValueError:
        return None
