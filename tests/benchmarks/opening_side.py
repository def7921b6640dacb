"""One side of ``opening_vectors.py``:
``python opening_side.py write|workbench|gensim|bytes FILE…``.

``write`` writes each file with gensim; its name contains the numbers of words and dimensions, as in
``100000x300.vec`` or ``400000x300.bin``. The others open the file and print JSON: the seconds, also
those of the processor, the largest memory meanwhile beyond that before, as a multiple of the table,
and a checksum of the words and the numbers. The program that reads is loaded before, with its
compiled kernels. ``bytes`` only reads the file into a new array. Linux only.
"""

from __future__ import annotations

import json
import re
import sys
import time
import zlib
from pathlib import Path

import numpy as np


def memory(key: str) -> int:
    """A figure of this process in bytes: VmRSS, or VmHWM, the largest since the last reset."""
    text = Path("/proc/self/status").read_text()
    found = re.search(rf"{key}:\s+(\d+) kB", text)
    assert found is not None
    return int(found[1]) * 1024


def write(path: str) -> None:
    from gensim.models import KeyedVectors

    size, dim = map(int, Path(path).stem.split("x"))
    vectors = np.random.default_rng(1).normal(0, 0.3, (size, dim)).astype(np.float32)
    keyed = KeyedVectors(dim)
    keyed.add_vectors([f"word{number}" for number in range(size)], vectors)
    keyed.save_word2vec_format(path, binary=path.endswith(".bin"))


def open_file(side: str, path: str) -> None:
    start = time.perf_counter()
    if side != "gensim":
        from workbench.vectors.formats import load_vectors, row_kernel

        row_kernel.warm()
    else:
        from gensim.models import KeyedVectors
    loading = time.perf_counter() - start
    # From now on, the largest memory is counted again.
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    start, processor = time.perf_counter(), time.process_time()
    if side == "workbench":
        found = load_vectors(path)
        words, vectors = found.words, found.vectors
    elif side == "bytes":
        words, vectors = [], np.fromfile(path, np.float32)
    else:
        keyed = KeyedVectors.load_word2vec_format(path, binary=path.endswith(".bin"))
        words, vectors = keyed.index_to_key, keyed.vectors
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    table = np.asarray(vectors)
    result = {
        "seconds": seconds,
        "processor": processor,
        "loading": loading,
        "memory": (memory("VmHWM") - before) / table.nbytes,
        "checksum": zlib.crc32(table.tobytes(), zlib.crc32("\n".join(words).encode())),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        for name in sys.argv[2:]:
            write(name)
    else:
        open_file(*sys.argv[1:])
