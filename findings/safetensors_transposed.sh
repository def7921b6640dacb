#!/usr/bin/env bash
# safetensors 0.8.0 (save_file and save of safetensors.numpy) writes the memory of an array instead of its elements, with
# the array’s shape: a transposed table, one in Fortran’s order or a choice of columns comes back with other numbers in
# every row, without a message. 0.7.0 wrote them correctly; the docstring asks for contiguous arrays in both.
# Guess: they are copied, as in 0.7.0 and in numpy.save, or refused.
# Seen: [[0, 3], [1, 4], [2, 5]] is read as [[0, 1], [2, 3], [4, 5]].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder/numpy" numpy==2.4.1
for version in 0.7.0 0.8.0; do
    python3 -m pip install --quiet --no-deps --target "$folder/$version" safetensors==$version
    PYTHONPATH="$folder/numpy:$folder/$version" python3 - "$folder/table.safetensors" <<'PYTHON'
import sys

import numpy
import safetensors
from safetensors.numpy import load_file, save_file

old = safetensors.__version__ == "0.7.0"
table = numpy.arange(6.0).reshape(2, 3)
arrays = {"transposed": table.T, "fortran": numpy.asfortranarray(table), "columns": table[:, ::2]}
save_file({**arrays, "copied": table.T.copy()}, sys.argv[1])
read = load_file(sys.argv[1])
print(safetensors.__version__, read["transposed"].tolist())
assert (read["copied"] == table.T).all()
for name, array in arrays.items():
    assert read[name].shape == array.shape
    assert (read[name] == array).all() == old, name
assert old or read["transposed"].tolist() == [[0, 1], [2, 3], [4, 5]]
PYTHON
done
