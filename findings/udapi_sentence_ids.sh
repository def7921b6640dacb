#!/usr/bin/env bash
# udapi 0.5.2 takes every comment of a CoNLL-U file whose key starts with “sent_id” for the id of the sentence. With “#
# sent_id = 7” and “# sent_id_old = 5” the sentence gets the id “_old”, both numbers are lost, and the output has the
# new id twice. conllu 6.0.0 and pyconll 3.3.1 keep both comments. Guess: a key is all that stands before the equals
# sign.
# Seen: udapi “# sent_id = _old” two times; conllu {'sent_id': '7', 'sent_id_old': '5', …}.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" udapi==0.5.2 conllu==6.0.0 pyconll==3.3.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import conllu
import pyconll
from udapi.core.document import Document

text = "# sent_id = 7\n# sent_id_old = 5\n# text = mills\n1\tmills\tmill\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
document = Document()
document.from_conllu_string(text)
comments = [line for line in document.to_conllu_string().splitlines() if line.startswith("#")]
print(comments, dict(conllu.parse(text)[0].metadata))
assert comments == ["# sent_id = _old", "# sent_id = _old", "# text = mills"]
assert document.bundles[0].bundle_id == "_old"
assert conllu.parse(text)[0].metadata == {"sent_id": "7", "sent_id_old": "5", "text": "mills"}
assert pyconll.load_from_string(text)[0].meta_value("sent_id_old") == "5"
PYTHON
