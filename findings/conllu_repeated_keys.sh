#!/usr/bin/env bash
# Reading a treebank and writing it again loses what stands twice. Of two values with one key in the last column (MISC)
# conllu 6.0.0 and pyconll 3.3.1 keep only the last, and of two comments with one key likewise. conllu also cuts a value
# at its second “=”. pyconll keeps one of two enhanced relations to the same head. udapi 0.5.2 changes nothing.
# Guess: all three write what they have read.
# Seen: Ref=1|Ref=2 becomes Ref=2; Gloss=x=y becomes Gloss=x; 1:obj|1:nsubj:xsubj becomes 1:nsubj:xsubj.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" udapi==0.5.2 conllu==6.0.0 pyconll==3.3.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import conllu
import pyconll
from udapi.core.document import Document


def write_again(text):
    document = Document()
    document.from_conllu_string(text)
    return {
        "conllu": conllu.parse(text)[0].serialize(),
        "pyconll": pyconll.load_from_string(text)[0].conll(),
        "udapi": document.to_conllu_string(),
    }


text = (
    "# sent_id = 1\n# note = first\n# note = second\n# text = let go\n"
    "1\tlet\tlet\tVERB\t_\t_\t0\troot\t0:root\tGloss=x=y\n"
    "2\tgo\tgo\tVERB\t_\t_\t1\txcomp\t1:obj|1:nsubj:xsubj\tRef=1|Ref=2\n\n"
)
values = ["# note = first", "Ref=1|Ref=2", "Gloss=x=y", "1:obj|1:nsubj:xsubj"]
kept = {name: [value in output for value in values] for name, output in write_again(text).items()}
print(values, kept)
assert kept == {
    "conllu": [False, False, False, True],
    "pyconll": [False, False, True, False],
    "udapi": [True, True, True, True],
}
PYTHON
