#!/usr/bin/env bash
# The normaliser of indic_nlp_library 0.92 removes joiners that distinguish words. In Marathi “valleys” (U+0930, U+094D
# and a joiner: दर्‍या) becomes “sea” (दर्या), while the other spelling of “valleys” (with U+0931: दऱ्या) stays a third
# form. In Odia the letter ଵ (va) becomes ବ (ba). A line | becomes a danda, also between Latin letters.
# Guess: it unifies the spellings of one word, and leaves different words different.
# Seen: दर्‍या → दर्या, and दऱ्या with ऱ in two signs; ଵ → ବ; A|B → A।B.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" indic_nlp_library==0.92
PYTHONPATH="$folder" python3 - <<'PYTHON'
from indicnlp.normalize.indic_normalize import IndicNormalizerFactory

normalizers = {name: IndicNormalizerFactory().get_normalizer(name) for name in ("mr", "or", "hi")}
valleys = "\u0926\u0930\u094d\u200d\u092f\u093e"
sea, third = valleys.replace("\u200d", ""), "\u0926\u0931\u094d\u092f\u093e"
found = [normalizers["mr"].normalize(word) for word in (valleys, sea, third)]
print(valleys, sea, third, [ascii(word) for word in found])
assert found == [sea, sea, "\u0926\u0930\u093c\u094d\u092f\u093e"]
assert normalizers["or"].normalize("\u0b35") == "\u0b2c"
assert normalizers["hi"].normalize("A|B") == "A।B"
PYTHON
