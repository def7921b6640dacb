#!/usr/bin/env bash
# Comments of CoNLL-U files that aren’t “key = value” vanish in conllu 6.0.0: they are neither in `metadata` nor in what
# `serialize` writes, so reading and writing a treebank removes the remarks of its annotators. pyconll 3.3.1 writes them
# again. Guess: conllu keeps them as keys without a value.
# Seen: metadata {'sent_id': '1'}; “a remark” isn’t in the output of conllu, and is in that of pyconll.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" conllu==6.0.0 pyconll==3.3.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import conllu
import pyconll

text = "# sent_id = 1\n# a remark\n1\tmills\tmill\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
sentence = conllu.parse(text)[0]
print(dict(sentence.metadata), repr(sentence.serialize()))
assert dict(sentence.metadata) == {"sent_id": "1"}
assert "a remark" not in sentence.serialize()
assert "# a remark" in pyconll.load_from_string(text)[0].conll()
PYTHON
