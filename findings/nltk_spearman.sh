#!/usr/bin/env bash
# spearman_correlation of NLTK 3.10.4 isn’t right for ties, which ratings of word pairs contain: ranks_from_scores gives
# tied items the first of their ranks, and the correlation is 1 - 6 Σd² / (n³ - n), which holds only without ties. Its
# docstring promises values from -1 to 1. Guess: tied items get the mean of their ranks, as in SciPy.
# Seen: ratings 9 9 9 9 1 and similarities 1 2 3 4 5: -1.3 (SciPy -0.71); 5 5 5 5 5 1 and 5 4 3 2 1 0: 0.14 (0.65).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" nltk==3.10.4 scipy==1.17.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
from nltk.metrics.spearman import ranks_from_scores, spearman_correlation
from scipy.stats import spearmanr


def ranks(scores):
    return list(ranks_from_scores(sorted(enumerate(scores), key=lambda pair: -pair[1])))


def compare(ratings, similarities):
    found = spearman_correlation(ranks(ratings), ranks(similarities))
    expected = spearmanr(ratings, similarities).statistic
    print(ratings, similarities, found, expected)
    return round(float(found), 2), round(float(expected), 2)


assert compare([9, 9, 9, 9, 1], [1, 2, 3, 4, 5]) == (-1.3, -0.71)
assert compare([5, 5, 5, 5, 5, 1], [5, 4, 3, 2, 1, 0]) == (0.14, 0.65)
assert compare([9, 7, 5, 3, 1], [5, 3, 4, 2, 1]) == (0.9, 0.9)
PYTHON
