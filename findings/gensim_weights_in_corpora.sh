#!/usr/bin/env bash
# Three of gensim 4.4.0’s corpus formats cut weights to whole numbers: UciCorpus, LowCorpus and MalletCorpus write 0.9 as
# nothing and 2.7 as 2, so a text of tf-idf weights below 1 becomes empty. BleiCorpus leaves out zeros but counts them,
# and then refuses its own file. MmCorpus and SvmLightCorpus keep weights.
# Guess: weights are kept or rounded, or the format refuses them.
# Seen: (0, 0.9) (1, 2.7) is read as (1, 2) from the three; “2 0:1” for a text with the weights 1 and 0, ValueError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder/packages" gensim==4.4.0
cd "$folder"
PYTHONPATH="$folder/packages" python3 - <<'PYTHON'
from pathlib import Path

from gensim import corpora

texts, names = [[(0, 0.9), (1, 2.7)], [(1, 0.5)], [(0, 3.0)]], {0: "a", 1: "b"}
for name in ("UciCorpus", "LowCorpus", "MalletCorpus", "BleiCorpus", "SvmLightCorpus", "MmCorpus"):
    form = getattr(corpora, name)
    form.serialize(name, texts, **({} if name == "MmCorpus" else {"id2word": names}))
    found = [list(text) for text in form(name)]
    print(name, found)
    cut = name in ("UciCorpus", "LowCorpus", "MalletCorpus")
    assert found == ([[(1, 2)], [], [(0, 3)]] if cut else texts), found
corpora.BleiCorpus.serialize("zeros", [[(0, 1.0), (1, 0.0)]], id2word=names)
assert Path("zeros").read_text() == "2 0:1\n"
try:
    list(corpora.BleiCorpus("zeros"))
except ValueError as error:
    print(error)
else:
    raise SystemExit("BleiCorpus reads its file with a zero")
PYTHON
