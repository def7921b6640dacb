"""One side of ``opening_vectors.py``:
``python opening_side.py write|workbench|gensim|bytes FILE [WORDS]``.

``write`` writes the file with gensim; its name contains the numbers of words and dimensions, as in
``100000x300.vec`` or ``400000x300.bin``. A binary file of a million words or more is written here,
in the format of the vectors of Google News: without newlines. The others open the file, or its
first WORDS words, and print JSON: the seconds, also those of the processor; the seconds of the
first list of ten neighbours and the median of those of further words; the largest memory of opening
and of everything beyond that before, as a multiple of the table; and checksums of the words and the
numbers, and of the lists. The program that reads is loaded before, with its compiled kernels.
``bytes`` only reads the file into a new array. Linux only.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

_MILLION = 1_000_000
_LISTS = 15


def memory(key: str) -> int:
    """A figure of this process in bytes: VmRSS, or VmHWM, the largest since the last reset."""
    text = Path("/proc/self/status").read_text()
    found = re.search(rf"{key}:\s+(\d+) kB", text)
    assert found is not None
    return int(found[1]) * 1024


def write(path: str) -> None:
    size, dim = map(int, Path(path).stem.split("x"))
    if path.endswith(".bin") and size >= _MILLION:
        write_large(path, size, dim)
        return
    from gensim.models import KeyedVectors

    vectors = np.random.default_rng(1).normal(0, 0.3, (size, dim)).astype(np.float32)
    keyed = KeyedVectors(dim)
    keyed.add_vectors([f"word{number}" for number in range(size)], vectors)
    keyed.save_word2vec_format(path, binary=path.endswith(".bin"))


def write_large(path: str, size: int, dim: int) -> None:
    """Vectors that stand around a thousand centres, as those of words around their topics."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((1000, dim), np.float32)
    with open(path, "wb") as file:
        file.write(f"{size} {dim}\n".encode())
        for start in range(0, size, 10_000):
            rows = min(10_000, size - start)
            table = rng.standard_normal((rows, dim), np.float32)
            table += 0.6 * centres[rng.integers(len(centres), size=rows)]
            table *= np.float32(0.1)
            file.write(
                b"".join(
                    b"Word_%d " % (start + row) + numbers.tobytes()
                    for row, numbers in enumerate(table)
                )
            )


def open_file(side: str, path: str, limit: int) -> None:
    start = time.perf_counter()
    if side != "gensim":
        from workbench.analysis.neighbours.nearest import nearest
        from workbench.vectors import codes
        from workbench.vectors.formats import binary_kernel, load_vectors, row_kernel

        row_kernel.warm()
        binary_kernel.warm()
        codes.warm()
    else:
        from gensim.models import KeyedVectors
    loading = time.perf_counter() - start
    # From now on, the largest memory is counted again.
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    start, processor = time.perf_counter(), time.process_time()
    if side == "workbench":
        found = load_vectors(path, limit=limit)
        words, vectors = found.words, found.vectors
    elif side == "bytes":
        size = Path(path).stat().st_size // 4
        words, vectors = [], np.fromfile(path, np.float32, size)
    else:
        keyed = KeyedVectors.load_word2vec_format(
            path, binary=path.endswith(".bin"), limit=limit or None
        )
        words, vectors = keyed.index_to_key, keyed.vectors
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    table = np.asarray(vectors)
    result = {
        "seconds": seconds,
        "processor": processor,
        "loading": loading,
        "memory": (memory("VmHWM") - before) / table.nbytes,
        "checksum": zlib.crc32(table.data, zlib.crc32("\n".join(words).encode())),
    }
    if side == "workbench":
        result |= lists(words, lambda word: [each.word for each in nearest(found, word, 10)])
    elif side == "gensim":
        result |= lists(words, lambda word: [each for each, _ in keyed.most_similar(word, topn=10)])
    result["whole_memory"] = (memory("VmHWM") - before) / table.nbytes
    print(json.dumps(result))


def lists(words: list[str], ask: Callable[[str], list[str]]) -> dict[str, object]:
    """The seconds of the first list of neighbours and of others, and a checksum of all."""
    chosen = [words[at * (len(words) - 1) // _LISTS] for at in range(_LISTS + 1)]
    seconds, found = [], []
    for word in chosen:
        start = time.perf_counter()
        found.append(ask(word))
        seconds.append(time.perf_counter() - start)
    return {
        "first": seconds[0],
        "list": statistics.median(seconds[1:]),
        "lists": zlib.crc32(repr(found).encode()),
    }


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        open_file(sys.argv[1], sys.argv[2], int((*sys.argv[3:], "0")[0]))
