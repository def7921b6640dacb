#!/usr/bin/env bash
# XMLCorpusReader.words() of nltk 3.10.4 returns only the text at the start of each element. What follows an inner
# element (a name, emphasised words, a page break) is missing, without a message: where sentences have markup, that is
# often most of their words. Guess: the words of the whole text, in their order.
# Seen: The, old, mill, It, never of “The <name>old mill</name> turns slowly. <q>It <hi>never</hi> stops</q>, he said.”
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" nltk==3.10.4
NLTK_DATA="$folder" PYTHONPATH="$folder" python3 - "$folder" <<'PYTHON'
import sys
from pathlib import Path

from nltk.corpus.reader import XMLCorpusReader

text = "<p>The <name>old mill</name> turns slowly. <q>It <hi>never</hi> stops</q>, he said.</p>"
Path(sys.argv[1], "mill.xml").write_text(text, encoding="utf-8")
reader = XMLCorpusReader(sys.argv[1], "mill.xml")
words = list(reader.words())
whole = "".join(reader.xml("mill.xml").itertext())
print(words, "of", whole)
assert words == ["The", "old", "mill", "It", "never"]
assert whole == "The old mill turns slowly. It never stops, he said."
PYTHON
