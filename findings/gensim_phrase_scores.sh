#!/usr/bin/env bash
# The default score of Phrases in gensim 4.4.0, (pair - min_count) · len_vocab / (first · second), multiplies by the
# number of words and of distinct pairs, although its docstring calls that the size of the vocabulary. So the score of a
# phrase depends on pairs that share no word with it, and a threshold means something else for each corpus. The NPMI
# doesn’t have that factor and stays at 1. Guess: len_vocab is the number of distinct words.
# Seen: “new york” 6 times beside four other words, each 3 times in both texts: 1.25 beside 2 other pairs, 1.81 beside 6
# (0.83 with the number of words).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" gensim==4.4.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
from collections import Counter

from gensim.models import Phrases

few = ["p q", "p q", "p q", "r s", "r s", "r s"]
many = ["p q", "q p", "p r", "r s", "s r", "q s"]
counts = [Counter(" ".join(pairs).split()) for pairs in (few, many)]
assert counts[0] == counts[1]
for pairs in (few, many):
    texts = [["new", "york"]] * 6 + [pair.split() for pair in pairs]
    distinct = len(set(pairs)) + 1
    score = Phrases(texts, min_count=1, threshold=0.01).export_phrases()["new_york"]
    print(distinct, "pairs:", score, "with the number of words:", 5 * 6 / 36)
    assert abs(score - 5 * (6 + distinct) / 36) < 1e-12
    npmi = Phrases(texts, min_count=1, threshold=0.01, scoring="npmi").export_phrases()["new_york"]
    assert npmi == 1
PYTHON
