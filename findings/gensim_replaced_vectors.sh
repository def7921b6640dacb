#!/usr/bin/env bash
# gensim 4.4.0 keeps the old length of a vector that is replaced after a first query, by add_vectors(…, replace=True) or
# by vectors["b"] = …: most_similar then divides the new vector by the length of the old one, and its “cosines” exceed 1.
# `similarity` of the same two words is right. Guess: both methods return the cosine of what is stored.
# Seen: a = (1, 0), b was (0, 1) and is (5, 5): most_similar 5.0, similarity 0.70710677; 0.70710677 after fill_norms.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" gensim==4.4.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
import numpy
from gensim.models import KeyedVectors

cosine = numpy.sqrt(0.5)
replaced = numpy.array([[5, 5]], dtype=numpy.float32)


def queried():
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b"], numpy.eye(2, dtype=numpy.float32))
    assert vectors.most_similar("a") == [("b", 0.0)]
    return vectors


first, second = queried(), queried()
first.add_vectors(["b"], replaced, replace=True)
second["b"] = replaced[0]
for vectors in (first, second):
    print(vectors["b"], vectors.most_similar("a"), vectors.similarity("a", "b"))
    assert vectors.most_similar("a") == [("b", 5.0)]
    assert abs(vectors.similarity("a", "b") - cosine) < 1e-6
    vectors.fill_norms(force=True)
    assert abs(vectors.most_similar("a")[0][1] - cosine) < 1e-6
PYTHON
