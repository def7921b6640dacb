#!/usr/bin/env bash
# pylatexenc 2.11 loses the words of \verb, keeps the discretionary hyphen \- as a soft hyphen inside the word, and
# appends the text of a footnote to the word before it in square brackets, without a space. Guess: \verb prints its
# content, \- vanishes, as TeX prints it within a line, and a footnote is set apart.
# Seen: “see  here”, “hyphen\xadation”, “Rome[A note.] fell”.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pylatexenc==2.11
PYTHONPATH="$folder" python3 - <<'PYTHON'
from pylatexenc.latex2text import LatexNodes2Text

read = LatexNodes2Text().latex_to_text
texts = [read(r"see \verb|the code| here"), read(r"hyphen\-ation"), read(r"Rome\footnote{A note.} fell")]
print(texts)
assert texts[0].split() == ["see", "here"]
assert texts[1] == "hyphen\u00adation"
assert texts[2] == "Rome[A note.] fell"
PYTHON
