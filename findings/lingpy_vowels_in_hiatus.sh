#!/usr/bin/env bash
# lingpy 2.6.14 (ipa2tokens with its defaults) takes any two vowels in a row for one segment, also those of two
# syllables, but never two consonants for an affricate without a tie bar. A dot or a stress mark between the vowels
# keeps them apart.
# Guess: vowels stay apart unless one is marked as non-syllabic (aʊ̯), as affricates need a tie bar (t͡s).
# Seen: k ao s, oa s i s, io; t s a r, t͡s a r.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" lingpy==2.6.14
PYTHONPATH="$folder" python3 - <<'PYTHON'
from lingpy import ipa2tokens

expected = {
    "kaos": ["k", "ao", "s"],
    "oasis": ["oa", "s", "i", "s"],
    "kiosk": ["k", "io", "s", "k"],
    "haʊ̯s": ["h", "aʊ̯", "s"],
    "tsar": ["t", "s", "a", "r"],
    "t͡sar": ["t͡s", "a", "r"],
    "ka.os": ["k", "a", "o", "s"],
}
for word, segments in expected.items():
    found = ipa2tokens(word)
    print(word, found)
    assert found == segments, found
assert ipa2tokens("kaos", merge_vowels=False) == ["k", "a", "o", "s"]
PYTHON
