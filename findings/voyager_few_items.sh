#!/usr/bin/env bash
# voyager 2.2.3 (nearest neighbours, from Spotify) raises RecallError if fewer items are in the index than neighbours are
# asked for, and advises to rebuild the index with a higher M, which changes nothing: four items can’t give ten
# neighbours. Guess: it returns four, as usearch does.
# Seen: RecallError “… only found 4 of 10 requested neighbors. Reconstruct the index with a higher M …” for M = 12 and 64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" voyager==2.2.3 numpy==2.4.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import numpy
import voyager

vectors = numpy.eye(4, dtype=numpy.float32)
for links in (12, 64):
    index = voyager.Index(voyager.Space.Cosine, num_dimensions=4, M=links)
    index.add_items(vectors)
    try:
        index.query(vectors[0], k=10)
    except voyager.RecallError as error:
        print(links, error)
        assert "only found 4 of 10" in str(error) and "higher M" in str(error)
    else:
        raise SystemExit("ten neighbours of four items were returned")
    assert len(index.query(vectors[0], k=4)[0]) == 4
PYTHON
