#!/usr/bin/env bash
# PCA of scikit-network 0.33.5 returns left singular vectors: each column has the length 1, so the last component counts
# as much for distances as the first. Its SVD, with the same settings, returns columns multiplied by singular values.
# Guess: the scores of a principal component analysis, as in scikit-learn.
# Seen: columns of lengths 1 and 1, in scikit-learn 44.9 and 7.4, as from scikit-network’s SVD of centred data. The
# neighbours of the first row are 11, 8, 17 instead of 11, 8, 10.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" scikit-network==0.33.5 scikit-learn==1.9.1 numpy==2.4.1 scipy==1.17.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import numpy
from scipy.sparse import csr_matrix
from sklearn.decomposition import PCA as Usual
from sknetwork.embedding import PCA, SVD

points = numpy.random.default_rng(1).normal(size=(20, 6)) * [10, 2, 1, 1, 1, 1]
found = PCA(2).fit_transform(csr_matrix(points))
usual = Usual(2).fit_transform(points)
values = SVD(2).fit_transform(csr_matrix(points - points.mean(axis=0)))
lengths = [numpy.linalg.norm(each, axis=0) for each in (found, usual, values)]
print(lengths)
assert numpy.allclose(lengths[0], 1)
assert numpy.allclose(lengths[1], lengths[2])
assert numpy.allclose(numpy.abs(found * lengths[1]), numpy.abs(usual))
orders = [numpy.argsort(numpy.linalg.norm(each - each[0], axis=1))[1:4].tolist() for each in (found, usual)]
print(orders)
assert orders == [[11, 8, 17], [11, 8, 10]]
PYTHON
