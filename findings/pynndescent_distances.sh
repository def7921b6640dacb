#!/usr/bin/env bash
# Some names of distances mean something else in pynndescent 0.7.0. “true_angular” returns 1 - angle / π: the neighbours
# are right, but their “distances” fall from 1. “dot” divides by the lengths, so it is “cosine” (“inner_product” isn’t).
# “jensen_shannon” is the divergence, the square of SciPy’s distance of that name.
# Guess: an angle that grows, a dot product that depends on length, and the distance that is a metric.
# Seen: true_angular 1.0, 0.939, 0.822 …; dot = cosine to the last bit; jensen_shannon 0.0911, SciPy 0.3019.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pynndescent==0.7.0 numba==0.68.1 scipy==1.17.1
PYTHONPATH="$folder" NUMBA_NUM_THREADS=1 PYTHONWARNINGS=ignore python3 - <<'PYTHON'
import numpy
from pynndescent import NNDescent
from pynndescent.distances import named_distances
from scipy.spatial.distance import jensenshannon

points = numpy.random.default_rng(1).normal(size=(40, 3)).astype(numpy.float32)
units = points / numpy.linalg.norm(points, axis=1, keepdims=True)
angles = numpy.arccos(numpy.clip(units @ units[0], -1, 1)) / numpy.pi


def query(metric):
    index = NNDescent(points, metric=metric, n_neighbors=5, random_state=1)
    rows, distances = index.query(points[:1], k=5)
    return rows[0], distances[0]


rows, distances = query("true_angular")
print(rows, distances)
assert rows.tolist() == numpy.argsort(angles)[:5].tolist()
assert numpy.allclose(distances, 1 - angles[rows], atol=1e-3)
assert distances[0] > distances[1] > distances[2]

assert [each.tolist() for each in query("dot")] == [each.tolist() for each in query("cosine")]
rows, distances = query("inner_product")
assert numpy.allclose(distances, -numpy.sort(points @ points[0])[::-1][:5], atol=1e-5)

first, second = (numpy.array(each, dtype=numpy.float32) for each in ([0.2, 0.3, 0.5], [0.6, 0.1, 0.3]))
divergence = named_distances["jensen_shannon"](first, second)
print(divergence, jensenshannon(first, second))
assert abs(divergence - jensenshannon(first, second) ** 2) < 1e-5
PYTHON
