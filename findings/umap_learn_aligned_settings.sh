#!/usr/bin/env bash
# AlignedUMAP of umap-learn 0.5.12 takes min_dist, spread and negative_sample_rate, but its layout ignores them: it
# passes none of them on, so the positions are those for min_dist 0.1, to the bit. It also lays out every data set on its
# own and discards that layout. Guess: the settings do what they do in UMAP.
# Seen: equal bytes for min_dist 0 and 0.9, and for 1 and 20 negative samples; one call of optimize_layout_euclidean for
# each data set.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" umap-learn==0.5.12 pynndescent==0.7.0 numba==0.68.1
PYTHONPATH="$folder" NUMBA_NUM_THREADS=1 PYTHONWARNINGS=ignore python3 - <<'PYTHON'
import numpy
import umap
from umap import umap_

points = [numpy.random.default_rng(seed).normal(size=(60, 5)) for seed in (1, 2)]
same = [{row: row for row in range(60)}]
plain, calls = umap_.optimize_layout_euclidean, []
umap_.optimize_layout_euclidean = lambda *given, **named: calls.append(1) or plain(*given, **named)


def positions(**settings):
    model = umap.AlignedUMAP(random_state=1, n_epochs=20, **settings)
    return b"".join(layer.tobytes() for layer in model.fit_transform(points, relations=same))


first = positions()
assert len(calls) == 2, calls
print("layouts that were discarded:", len(calls))
assert positions(min_dist=0.0) == positions(min_dist=0.9) == first
assert positions(negative_sample_rate=1) == positions(negative_sample_rate=20) == first
assert positions(n_neighbors=5) != first
PYTHON
