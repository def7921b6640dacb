#!/usr/bin/env bash
# PaCMAP 0.9.1 with distance="angular" scales its input to 0 … 1 and subtracts the mean before it measures angles. So they
# are angles as seen from the mean, and neighbours change if vectors are only lengthened, which changes no cosine.
# Guess: the neighbours are those with the largest cosines.
# Seen: 200 vectors around a common direction. With lengths 0.2 to 5 times as large, all cosines and neighbours are the
# same, but 38% of PaCMAP’s are. 39% are those by cosine, 72% those by cosine after the mean is subtracted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pacmap==0.9.1 numba==0.68.1 scikit-learn==1.9.1
PYTHONPATH="$folder" NUMBA_NUM_THREADS=1 PYTHONWARNINGS=ignore python3 - <<'PYTHON'
import numpy
from pacmap import PaCMAP

random = numpy.random.default_rng(1)
directions = random.normal(size=(200, 8))
directions /= numpy.linalg.norm(directions, axis=1, keepdims=True)
points = (directions + 2 * numpy.eye(8)[0]).astype(numpy.float32)
longer = (points * random.uniform(0.2, 5, size=(200, 1))).astype(numpy.float32)


def by_cosine(rows):
    units = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    cosines = units @ units.T
    numpy.fill_diagonal(cosines, -2)
    return [set(numpy.argsort(-row)[:10].tolist()) for row in cosines]


def by_pacmap(rows):
    model = PaCMAP(n_neighbors=10, distance="angular", random_state=1, num_iters=(1, 1, 1))
    pairs = model.fit(rows.copy()).pair_neighbors
    return [set(pairs[pairs[:, 0] == row, 1].tolist()) for row in range(len(rows))]


def shared(first, second):
    return float(numpy.mean([len(one & other) / 10 for one, other in zip(first, second, strict=True)]))


found = by_pacmap(longer)
same = shared(by_cosine(points), by_cosine(longer))
changed = shared(by_pacmap(points), found)
plain, centred = shared(found, by_cosine(longer)), shared(found, by_cosine(longer - longer.mean(axis=0)))
print(f"cosine {same:.2f}, PaCMAP {changed:.2f}; by cosine {plain:.2f}, after centring {centred:.2f}")
assert same > 0.99 and changed < 0.5
assert plain < 0.5 and centred > 0.65
PYTHON
