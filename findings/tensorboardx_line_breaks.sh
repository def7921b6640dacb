#!/usr/bin/env bash
# tensorboardX 2.6.5 (add_embedding) writes labels into metadata.tsv as they are: a line break in one label gives a table
# with more lines than the tensors have rows, and every later label belongs to another row. A tab gives a second column
# in one line only. Nothing warns of either.
# Guess: they are escaped, replaced by spaces, or refused.
# Seen: 3 rows of tensors, 4 lines of labels: “first line”, “second line”, “b”, “c”; with a tab “a<TAB>b”.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder/packages" tensorboardX==2.6.5 numpy==2.4.1
cd "$folder"
PYTHONPATH="$folder/packages" python3 - <<'PYTHON'
from pathlib import Path

import numpy
from tensorboardX import SummaryWriter

for name, labels in (("lines", ["first line\nsecond line", "b", "c"]), ("tab", ["a\tb", "c", "d"])):
    with SummaryWriter(name) as writer:
        writer.add_embedding(numpy.eye(3), metadata=labels)
    rows = Path(name, "00000/default/tensors.tsv").read_text().splitlines()
    found = Path(name, "00000/default/metadata.tsv").read_text().splitlines()
    print(len(rows), found)
    assert len(rows) == 3
    assert found == (["first line", "second line", "b", "c"] if name == "lines" else labels)
PYTHON
