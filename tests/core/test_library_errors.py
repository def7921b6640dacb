"""Messages of libraries about damaged files, in the language of the process."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

import numpy as np
import pytest

from workbench.core.errors import error_text


def zip_bytes() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("tales.txt", "once upon a time " * 20)
    return buffer.getvalue()


def from_zip(content: bytes, name: str = "tales.txt") -> object:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name)


def change_byte(content: bytes, at: int, value: int) -> bytes:
    return content[:at] + bytes([value]) + content[at + 1 :]


def npy_bytes(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def from_numpy(content: bytes) -> object:
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)


def from_xml(content: bytes) -> object:
    return expat.ParserCreate().Parse(content, True)


ZIP, GZIP, NUMBERS = zip_bytes(), gzip.compress(b"once " * 999), npy_bytes(np.arange(9.0))
LIST = ZIP.find(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: from_zip(b""), "it isn’t a zip file, or it is truncated"),
        (lambda: from_zip(ZIP[:-30]), "it isn’t a zip file, or it is truncated"),
        (lambda: from_zip(ZIP, "songs.txt"), "“songs.txt” is missing"),
        (lambda: from_zip(change_byte(ZIP, 60, 0)), "the checksum of “tales.txt” doesn’t match"),
        (lambda: from_zip(change_byte(ZIP, 1, 0)), "the header of a file in it is corrupt"),
        (lambda: from_zip(change_byte(ZIP, 32, 0)), "the header of a file in it is corrupt"),
        (lambda: from_zip(change_byte(ZIP, LIST, 0)), "its table of contents is corrupt"),
        (lambda: from_zip(change_byte(ZIP, LIST + 10, 99)), "its compression"),
        (lambda: from_zip(change_byte(ZIP, LIST + 8, 1)), "“tales.txt” is encrypted"),
        (lambda: gzip.decompress(GZIP[:-8] + bytes(8)), "its checksum doesn’t match"),
        (lambda: gzip.decompress(GZIP[:-9]), "the file is truncated"),
        (lambda: zlib.decompress(b"once"), "its compressed data are corrupt"),
        (lambda: lzma.decompress(lzma.compress(b"once")[:-9]), "the file is truncated"),
        (lambda: bz2.decompress(b"BZh9 once upon a time"), "its compressed data are corrupt"),
        (lambda: tarfile.open(fileobj=io.BytesIO(b"once" * 200)), "it isn’t a tar archive"),  # noqa: SIM115 - it cannot
        (lambda: json.loads('{"a":\n once}'), "invalid JSON in line 2, column 2"),
        (lambda: b"caf\xe9".decode("utf-8"), "invalid UTF-8 at byte 4"),
        (
            lambda: from_xml(b"<a><b></a>"),
            "a closing tag doesn’t match the open element in line 1, column 8",
        ),
        (lambda: from_xml(b"<a>&x;</a>"), "an unknown entity in line 1, column 3"),
        (lambda: list(csv.reader(['"a"b'], strict=True)), '“,” is missing after “"”'),
        (lambda: from_numpy(NUMBERS[:-3]), "the file is truncated"),
        (lambda: from_numpy(b"once" * 20), "the header of an array is corrupt"),
        (
            lambda: from_numpy(NUMBERS.replace(b"shape", b"shade")),
            "the header of an array is corrupt",
        ),
        (
            lambda: from_numpy(npy_bytes(np.array([{}]))),
            "it contains Python objects, which could run code and aren’t loaded",
        ),
        (lambda: np.empty(1 << 58), "there isn’t enough memory for it"),
    ],
)
def test_errors_of_libraries_about_damage_are_explained(
    action: Callable[[], object], message: str
) -> None:
    with pytest.raises(Exception) as error:  # noqa: PT011 - of many kinds; what they say is what matters
        action()
    assert error_text(error.value) == message


def test_unknown_errors_of_libraries_stay() -> None:
    assert error_text(ValueError("the moon is full")) == "the moon is full"
    assert error_text(KeyError("vectors")) == "vectors"
    assert error_text(ValueError()) == "ValueError"


def test_errors_of_libraries_in_german() -> None:
    program = (
        "import json, zipfile\n"
        "from workbench.core.errors import error_text\n"
        "from workbench.corpus.tokenise.tokenisers.pattern import wrong\n"
        "print(error_text(zipfile.BadZipFile('File is not a zip file')))\n"
        "print(error_text(zipfile.BadZipFile(\"Bad CRC-32 for file 'a.txt'\")))\n"
        "print(error_text(json.JSONDecodeError('Expecting value', '{', 1)))\n"
        "print(wrong('(a'))\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "WORKBENCH_LANGUAGE": "de", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert process.stdout.splitlines() == [
        "es ist keine Zip-Datei, oder sie ist abgeschnitten",
        "die Prüfsumme von „a.txt“ stimmt nicht",
        "ungültiges JSON in Zeile 1, Spalte 2",
        "pattern ist kein regulärer Ausdruck: „)“ fehlt bei Zeichen 3.",
    ]
