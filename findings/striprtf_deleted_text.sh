#!/usr/bin/env bash
# striprtf 0.0.35 returns text that was deleted with tracked changes (\deleted) and hidden text (\v) like any other, so
# a corrected word stands beside its correction, but leaves out footnotes. Optional hyphens stay in their words as soft
# hyphens. Guess: deleted and hidden text is left out, a footnote is kept, and an optional hyphen isn’t part of its
# word.
# Seen: “The old secret mill turned slowly fast.” without “A note.”; hyphen\xadation.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" striprtf==0.0.35
PYTHONPATH="$folder" python3 - <<'PYTHON'
from striprtf.striprtf import rtf_to_text

text = r"{\rtf1\ansi The old {\v secret }mill{\footnote A note.} turned {\deleted slowly }{\revised fast}.\par}"
found = rtf_to_text(text)
print(repr(found))
assert found == "The old secret mill turned slowly fast.\n"
assert rtf_to_text(r"{\rtf1\ansi hyphen\-ation}") == "hyphen\u00adation"
PYTHON
