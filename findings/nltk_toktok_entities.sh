#!/usr/bin/env bash
# ToktokTokenizer of nltk 3.10.4 writes entities for two signs that stand alone: “&” becomes the token &amp; and “|” the
# token &#124;, so a vocabulary gets “words” that nobody wrote. Within words, and for < and >, nothing changes. It also
# splits $5 but not 5€. Guess: the tokens put together are the text without its spaces.
# Seen: salt|&amp;|vinegar, AT&T, a|&#124;|b, 1|<|2; $|5, 5€.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" nltk==3.10.4
PYTHONPATH="$folder" python3 - <<'PYTHON'
from nltk.tokenize import ToktokTokenizer

expected = {
    "salt & vinegar": ["salt", "&amp;", "vinegar"],
    "AT&T": ["AT&T"],
    "a | b": ["a", "&#124;", "b"],
    "1 < 2": ["1", "<", "2"],
    "$5": ["$", "5"],
    "5€": ["5€"],
}
for text, tokens in expected.items():
    found = ToktokTokenizer().tokenize(text)
    print(text, found)
    assert found == tokens
PYTHON
