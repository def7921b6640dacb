"""Errors for recognised but unsupported vector files, with the format to export instead."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr

_FASTTEXT = struct.pack("<i", 793712314)
_PICKLES = (".kv", ".model", ".pkl", ".pickle", ".joblib")
_TORCH = (".pt", ".pth")


def by_content(head: bytes, path: Path) -> UserError | None:
    """The error for a file whose first bytes identify another program's own format."""
    if head.startswith(_FASTTEXT) and path.suffix.lower() == ".ftz":
        return _quantised_error(path)
    # torch.save writes a pickle in a zip file; older versions wrote a bare one.
    if head.startswith(b"PK\x03\x04") and b"/data.pkl" in head[:4096]:
        return _torch_error(path)
    if len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5:
        if path.suffix.lower() in _TORCH:
            return _torch_error(path)
        return _pickle_error(path)
    if head.startswith(b"SQLite format 3\0"):
        return _magnitude_error(path)
    if head.startswith(b"\x93NUMPY"):
        return UserError(
            tr("{name} is an array without words.", name=path.name),
            tr("Save the array with its words: numpy.savez(file, words=…, vectors=…)."),
        )
    return None


def by_suffix(path: Path) -> UserError | None:
    """The error for a file with unrecognised content whose suffix belongs to another program."""
    suffix = path.suffix.lower()
    if suffix == ".ftz":
        return _quantised_error(path)
    if suffix == ".magnitude":
        return _magnitude_error(path)
    if suffix in _TORCH:
        return _torch_error(path)
    if suffix in _PICKLES:
        return _pickle_error(path)
    return None


def unpacked_head(head: bytes) -> bytes:
    """The beginning of a gzip file's content, or b"" if it isn't a gzip file."""
    if not head.startswith(b"\x1f\x8b"):
        return b""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        return unpacker.decompress(head, 65536)
    except zlib.error:
        return b""


def compressed_error(path: Path) -> UserError:
    return UserError(
        tr("{name} contains compressed vectors.", name=path.name),
        tr("Unpack the file first (gunzip), then open the result."),
    )


def _quantised_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a quantised fastText model, which isn’t supported: its vectors are "
            "only approximate.",
            name=path.name,
        ),
        tr("Open the .vec file of the full model."),
    )


def _pickle_error(path: Path) -> UserError:
    vectors = "model.wv"
    if path.suffix.lower() == ".kv":
        vectors = f"KeyedVectors.load(“{path.name}”)"
    return UserError(
        tr(
            "{name} is a Python pickle (gensim’s native format), which could run any "
            "program when opened, so it isn’t opened.",
            name=path.name,
        ),
        tr(
            "Export the vectors from gensim: "
            '{vectors}.save_word2vec_format("vectors.bin", binary=True).',
            vectors=vectors,
        ),
    )


def _torch_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a PyTorch pickle, which could run any program when opened, so it "
            "isn’t opened.",
            name=path.name,
        ),
        tr(
            'Save the words and vectors from PyTorch: numpy.savez("vectors.npz", '
            "words=…, vectors=table.numpy())."
        ),
    )


def _magnitude_error(path: Path) -> UserError:
    return UserError(
        tr("{name} is a database (Magnitude’s format), not a table of vectors.", name=path.name),
        tr("Open the word2vec, GloVe or fastText file that it was created from."),
    )
