#!/usr/bin/env bash
# WEFE 1.0.0 draws the words of each “permutation” of its WEAT test with replacement, so that a word may be in both sets
# or twice in one, and its p-values aren’t those of Caliskan et al. 2017. Guess: it permutes the words.
# Seen: six words whose contrasts fall from x1 to y3. No partition into threes has a larger statistic than the observed
# one, so 700 permutations give p = 1/701. WEFE gives about 0.015.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet wefe==1.0.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy
from gensim.models import KeyedVectors
from wefe.metrics import WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel

vectors = KeyedVectors(2)
names = ["x1", "x2", "x3", "y1", "y2", "y3"]
angles = {"a": 0.0, "b": numpy.pi / 2} | {name: 0.1 + 0.2 * at for at, name in enumerate(names)}
vectors.add_vectors(
    list(angles), numpy.array([[numpy.cos(angle), numpy.sin(angle)] for angle in angles.values()])
)
query = Query([names[:3], names[3:]], [["a"], ["b"]])
found = WEAT().run_query(
    query, WordEmbeddingModel(vectors), calculate_p_value=True, p_value_iterations=700
)
print(found)
assert found["p_value"] > 1.5 / 701
PYTHON
