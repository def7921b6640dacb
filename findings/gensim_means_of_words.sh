#!/usr/bin/env bash
# Two methods of gensim 4.4.0 take means of words differently: most_similar(positive=[…]) averages unit vectors,
# n_similarity averages the vectors as they are, so long vectors outweigh the others. The nearest word of a set by the one
# isn’t the most similar by the other. wmdistance and doesnt_match use unit vectors, too.
# Guess: n_similarity(words, [word]) is the number that most_similar(positive=words) shows beside the word.
# Seen: (9, 0) and (0, 0.1) together: “up” and “right” 0.707 each; n_similarity 0.011 and 0.99994.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" gensim==4.4.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
import numpy
from gensim.models import KeyedVectors

vectors = KeyedVectors(2)
table = numpy.array([[9, 0], [0, 0.1], [0, 1], [1, 0]], dtype=numpy.float32)
vectors.add_vectors(["long", "short", "up", "right"], table)
words = ["long", "short"]
nearest = dict(vectors.most_similar(positive=words))
similar = {word: float(vectors.n_similarity(words, [word])) for word in nearest}
print(nearest, similar)
assert all(abs(value - numpy.sqrt(0.5)) < 1e-6 for value in nearest.values())
assert similar["up"] < 0.012 and similar["right"] > 0.9999
PYTHON
