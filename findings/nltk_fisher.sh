#!/usr/bin/env bash
# BigramAssocMeasures.fisher of NLTK 3.10.4 returns the p-value of the hypothesis that a pair is rarer than by chance
# (alternative "less"): near 1 for words that belong together, low for words that avoid each other. From some count on it
# is exactly 1.0, so it can’t order the strongest pairs, which the other side of the test orders by their p-values.
# Guess: a p-value that falls as the association grows.
# Seen: words with 50 and 40 of 1,000 pairs: 10 together 0.999999 (SciPy with "greater" 1.1e-05), 0 together 0.12; words
# with 50 each: 30 and 40 together 1.0 (6.1e-31 and 1.7e-52).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" nltk==3.10.4 scipy==1.17.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
from nltk.metrics import BigramAssocMeasures
from scipy.stats import fisher_exact


def compare(together, first, second, pairs):
    rest = [first - together, second - together, pairs - first - second + together]
    above = fisher_exact([[together, rest[0]], rest[1:]], alternative="greater").pvalue
    found = BigramAssocMeasures.fisher(together, (first, second), pairs)
    print(together, found, above)
    return found, above


strong, avoiding = compare(10, 50, 40, 1000), compare(0, 50, 40, 1000)
assert strong[0] > 0.99999 and strong[1] < 2e-5
assert avoiding[0] < 0.2 and avoiding[1] > 0.99
stronger, strongest = compare(30, 50, 50, 1000), compare(40, 50, 50, 1000)
assert stronger[0] == strongest[0] == 1.0
assert strongest[1] < 1e-50 < stronger[1] < 1e-30
PYTHON
