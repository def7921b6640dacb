"""spaCy's vectors: the table ``vectors``, and ``key2row``, which maps hashes of words to rows. The
words are in ``strings.json``.

They are in the folder ``vocab`` of a saved pipeline, or in a folder of their own. Rows may be
shared (``prune_vectors``). Read from files of spaCy 3; hashes are MurmurHash64A with seed 1, except
for names of attributes and tags, which have fixed numbers (spacy/symbols.pyx).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError, error_text
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.array_file import open_array
from workbench.vectors.formats.array_schema import assemble
from workbench.vectors.formats.base import Source
from workbench.vectors.formats.read_only.spacy_symbols import SYMBOLS
from workbench.vectors.undecoded import NAMELESS, texts_shown

_TABLE, _KEYS, _STRINGS, _CONFIG = "vectors", "key2row", "strings.json", "vectors.cfg"
_LARGEST = 256 << 20
_SEED, _FACTOR, _SHIFT = 1, np.uint64(0xC6A4A7935BD1E995), np.uint64(47)
# MessagePack's first bytes of a map and of whole numbers, each with its number of bytes.
_MAPS = {0xDE: 2, 0xDF: 4}
_NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}


class Spacy(Source):
    """Vectors of whole words in a folder that spaCy saved."""

    key = "spacy"
    title = tr("spaCy folder")
    order = 26
    is_folder = True

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return path.name in (_TABLE, _KEYS) and _place(path.parent) == path.parent

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        return _place(path) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        folder = _place(path if path.is_dir() else path.parent)
        if folder is None:
            raise UserError(
                tr("{name} isn’t a folder of spaCy with vectors.", name=path.name),
                tr("Save the pipeline again, or choose a model whose name ends in _md or _lg."),
            )
        try:
            return _read(path, folder, limit)
        except (ValueError, TypeError, OverflowError) as error:
            raise UserError(
                tr(
                    "{name} isn’t a valid folder of spaCy ({error}).",
                    name=path.name,
                    error=error_text(error),
                ),
                tr("Download the model, or save it again with spaCy."),
            ) from error


def _place(folder: Path) -> Path | None:
    """The folder of the table: the folder itself, ``vocab`` in it or in the pipeline of a package,
    or None.
    """
    for place in (folder, folder / "vocab"):
        if (place / _TABLE).is_file() and (place / _KEYS).is_file():
            return place
    if (folder / "__init__.py").is_file() and (folder / "meta.json").is_file():
        return next((found.parent for found in sorted(folder.glob(f"*/vocab/{_KEYS}"))), None)
    return None


def _read(path: Path, folder: Path, limit: int) -> Embeddings:
    if _mode(folder) == "floret":
        raise UserError(
            tr("The vectors of {name} are floret’s, a hash table without words.", name=path.name),
            tr(
                "Save the vectors of your words in Python: {recipe}",
                recipe='numpy.savez("vectors.npz", words=words, '
                "vectors=[nlp.vocab[word].vector for word in words])",
            ),
        )
    table = open_array(folder / _TABLE)
    keys, rows = _key2row((folder / _KEYS).read_bytes())
    if not len(keys) or table.ndim != 2 or 0 in table.shape:
        raise UserError(
            tr("{name} doesn’t contain vectors of words.", name=path.name),
            tr("Choose a model with vectors, whose name ends in _md or _lg."),
        )
    if not 0 <= rows.min() <= rows.max() < len(table):
        raise ValueError(tr("“{name}” contains row numbers outside the table", name=_KEYS))
    listed = json_of_file(folder / _STRINGS, _LARGEST)
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise ValueError(tr("“{name}” isn’t a list of words", name=_STRINGS))
    names = {number: word for word, number in SYMBOLS.items()}
    names.update(zip(hashes(listed).tolist(), listed, strict=True))
    found = [names.get(key, "") for key in keys.tolist()]
    known = [at for at, word in enumerate(found) if word]
    if not known:
        raise ValueError(tr("“{name}” contains none of its words", name=_STRINGS))
    metadata: dict[str, object] = {"file": path.name}
    if len(known) < len(found):
        metadata[NAMELESS] = len(found) - len(known)
    taken = known[: limit or None]
    words, errors = texts_shown([found[at] for at in taken])
    return assemble(path, words, {"vectors": table[rows[taken]]}, metadata | errors)


def _mode(folder: Path) -> str:
    try:
        config = json.loads((folder / _CONFIG).read_text(encoding="utf-8"))
        return str(config.get("mode")) if isinstance(config, dict) else ""
    except (OSError, ValueError, RecursionError):
        # Older versions have no such file.
        return ""


def _key2row(data: bytes) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """The keys and rows of a MessagePack map of whole numbers, in its order. Raises ValueError."""
    at = 1
    first = data[0] if data else 0
    if 0x80 <= first <= 0x8F:
        size = first & 0x0F
    elif first in _MAPS:
        at += _MAPS[first]
        size = int.from_bytes(data[1:at], "big")
    else:
        size = -1
    if size < 0 or 2 * size > len(data):
        raise ValueError(tr("“{name}” isn’t a map of hashes to rows", name=_KEYS))
    found = np.empty(2 * size, dtype=np.uint64)
    for place in range(2 * size):
        mark = data[at] if at < len(data) else 0xC1
        at += 1
        if mark < 0x80:
            found[place] = mark
            continue
        width = _NUMBERS.get(mark, 0)
        number = int.from_bytes(data[at : at + width], "big", signed=mark >= 0xD0)
        if not width or at + width > len(data) or number < 0:
            raise ValueError(tr("“{name}” isn’t a map of hashes to rows", name=_KEYS))
        found[place] = number
        at += width
    if found[1::2].max(initial=0) >= 2**63:
        raise ValueError(tr("“{name}” contains row numbers outside the table", name=_KEYS))
    return found[::2], found[1::2].astype(np.int64)


def hashes(words: Sequence[str]) -> npt.NDArray[np.uint64]:
    """uint64[n]: MurmurHash64A of the words in UTF-8, with seed 1; 0 for an empty word."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    sizes = np.array([len(word) for word in encoded], dtype=np.int64)
    found = np.zeros(len(words), dtype=np.uint64)
    for size in np.unique(sizes[sizes > 0]).tolist():
        rows = np.flatnonzero(sizes == size)
        block = np.frombuffer(b"".join(encoded[row] for row in rows.tolist()), dtype=np.uint8)
        found[rows] = _hash_equal(block.reshape(len(rows), size))
    return found


def _hash_equal(words: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """MurmurHash64A of words uint8[n, bytes]."""
    number, size = words.shape
    whole, rest = size // 8, size % 8
    padded = np.zeros((number, 8 * (whole + 1)), dtype=np.uint8)
    padded[:, :size] = words
    parts = padded.view("<u8").astype(np.uint64)
    found = np.full(number, _SEED ^ (size * int(_FACTOR) % 2**64), dtype=np.uint64)
    for part in parts[:, :whole].T:
        mixed = part * _FACTOR
        mixed ^= mixed >> _SHIFT
        found = (found ^ (mixed * _FACTOR)) * _FACTOR
    if rest:
        found = (found ^ parts[:, whole]) * _FACTOR
    found ^= found >> _SHIFT
    found *= _FACTOR
    return found ^ (found >> _SHIFT)
