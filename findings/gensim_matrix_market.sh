#!/usr/bin/env bash
# MmCorpus of gensim 4.4.0 reads only Matrix Market files whose header says “real general” and whose rows come in order.
# mmwrite of SciPy 1.17.1 writes whole counts as “integer”, finds out that a matrix of co-occurrences is “symmetric”, and
# writes a CSC matrix by columns, so gensim reads none of the three. They need floats, symmetry="general" and CSR.
# Guess: two readers of one standard format read each other’s counts.
# Seen: ValueError “not in Matrix Market format with coordinate real general” twice, AssertionError “matrix columns must
# come in ascending order”.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder/packages" gensim==4.4.0 scipy==1.17.1
cd "$folder"
PYTHONPATH="$folder/packages" python3 - <<'PYTHON'
import numpy
from gensim.corpora import MmCorpus
from scipy.io import mmread, mmwrite
from scipy.sparse import csc_array, csr_array

counts = numpy.array([[0, 2, 1], [2, 0, 3], [1, 3, 4]])


def read(matrix, **settings):
    mmwrite("counts.mtx", matrix, **settings)
    assert (mmread("counts.mtx").toarray() == matrix.toarray()).all()
    try:
        return [list(text) for text in MmCorpus("counts.mtx")]
    except (ValueError, AssertionError) as error:
        print(error)
        return type(error)


assert read(csr_array(counts[:2])) is ValueError
assert read(csr_array(counts.astype(float))) is ValueError
assert read(csc_array(counts[:2].astype(float))) is AssertionError
found = read(csr_array(counts.astype(float)), symmetry="general")
print(found)
assert found == [[(1, 2), (2, 1)], [(0, 2), (2, 3)], [(0, 1), (1, 3), (2, 4)]]
PYTHON
