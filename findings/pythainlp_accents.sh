#!/usr/bin/env bash
# pythainlp 5.4.0 cuts words of other scripts that stand in a Thai text: its default engine “newmm” cuts at each letter
# with an accent (caf, é), and “longest” also converts Latin letters to lowercase, which “newmm” doesn’t. Adjacent words
# in Cyrillic and Han stay one token. Guess: what isn’t Thai is split at spaces and punctuation only, and is unchanged.
# Seen: newmm รัก|Z|ürich|และ|caf|é, Москва東京; longest รัก|z|ü|rich|และ|caf|é.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pythainlp==5.4.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
from pythainlp import word_tokenize

text = "รักZürichและcafé"
newmm = word_tokenize(text, engine="newmm", keep_whitespace=False)
longest = word_tokenize(text, engine="longest", keep_whitespace=False)
mixed = word_tokenize("รักМосква東京", engine="newmm", keep_whitespace=False)
print(newmm, longest, mixed)
assert newmm == ["รัก", "Z", "ürich", "และ", "caf", "é"]
assert longest == ["รัก", "z", "ü", "rich", "และ", "caf", "é"]
assert mixed == ["รัก", "Москва東京"]
PYTHON
