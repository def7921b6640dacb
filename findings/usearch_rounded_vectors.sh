#!/usr/bin/env bash
# usearch 2.26.6 stores vectors as bfloat16 by default: float32 vectors that go in come back with eight bits of
# mantissa, so vectors that differ by less than 0.4% become equal and their order by similarity is lost. A zero vector has
# the cosine distance 0 to itself and 1 to all others. Guess: the default is the type of the vectors that are added.
# Seen: dtype ScalarKind.BF16, 0.123456 comes back as 0.12353516.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" usearch==2.26.6 numpy==2.4.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import numpy
from usearch.index import Index

vectors = numpy.array([[0.3, 0.3, 0.123456], [0, 0, 0]], dtype=numpy.float32)
index = Index(ndim=3, metric="cos")
index.add(numpy.arange(2), vectors)
stored = index.get(0)
print(index.dtype, stored)
assert str(index.dtype) == "ScalarKind.BF16"
assert float(stored[2]) == 0.12353515625
assert index.search(vectors[1], 2).distances.tolist() == [0.0, 1.0]
exact = Index(ndim=3, metric="cos", dtype="f32")
exact.add(numpy.arange(2), vectors)
assert (exact.get(0) == vectors[0]).all()
PYTHON
