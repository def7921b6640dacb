#!/usr/bin/env bash
# spaCy 3.8.18 (“spacy init vectors”) gives a word that occurs twice in a word2vec file the vector of its last row, and
# accepts a file that ends before the number of rows in its header, as after a broken download.
# Guess: the first row, as in gensim 4.4.0, which raises EOFError for the short file.
# Seen: spaCy a = [3, 4], and 2 rows of 5 without a message; gensim a = [1, 2].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder/packages" spacy==3.8.18 gensim==4.4.0
cd "$folder"
export PYTHONPATH="$folder/packages"
printf '3 2\na 1 2\na 3 4\nb 5 6\n' > repeated.vec
printf '5 2\na 1 2\nb 5 6\n' > short.vec
for name in repeated short; do
    python3 -m spacy init vectors en $name.vec $name >/dev/null
done
python3 - <<'PYTHON'
import spacy
from gensim.models import KeyedVectors

ours = spacy.load("repeated").vocab.get_vector("a").tolist()
theirs = KeyedVectors.load_word2vec_format("repeated.vec")["a"].tolist()
short = spacy.load("short").vocab.vectors.shape
print(ours, theirs, short)
assert ours == [3, 4] and theirs == [1, 2] and short == (2, 2)
try:
    KeyedVectors.load_word2vec_format("short.vec")
except EOFError as error:
    print(error)
else:
    raise SystemExit("gensim accepts the short file")
PYTHON
