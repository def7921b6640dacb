#!/usr/bin/env bash
# BM25Plus of rank-bm25 0.2.2, and the method “bm25+” of bm25s 0.3.16, add delta · idf also for a word that a text doesn’t
# contain. So all texts get the same sum for a query, and their order is that of BM25 without delta. In Lv and Zhai 2011,
# the sum is over the words that query and text share, so that delta lifts long texts that contain a word.
# Guess: texts without any word of the query have the score 0, as in the paper.
# Seen: 50 texts, delta 1: all scores are those of BM25 with the same idf, plus 5.1674, in both packages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" rank-bm25==0.2.2 bm25s==0.3.16 numpy==2.4.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
import math

import bm25s
import numpy
from rank_bm25 import BM25Plus

random = numpy.random.default_rng(1)
texts = [[str(each) for each in random.integers(0, 30, size=random.integers(3, 15))] for _ in range(50)]
query = ["1", "2", "3"]
mean = sum(len(text) for text in texts) / len(texts)
weights = {word: math.log((len(texts) + 1) / sum(word in text for text in texts)) for word in query}


def bm25(text):
    length = 1.5 * (1 - 0.75 + 0.75 * len(text) / mean)
    return sum(weights[word] * text.count(word) * 2.5 / (text.count(word) + length) for word in query)


plain = numpy.array([bm25(text) for text in texts])
shared = numpy.array([bool(set(text) & set(query)) for text in texts])
assert not shared.all() and (plain[~shared] == 0).all()
index = bm25s.BM25(method="bm25+", delta=1)
index.index(texts, show_progress=False)
for name, scores in (("rank-bm25", BM25Plus(texts, delta=1).get_scores(query)), ("bm25s", index.get_scores(query))):
    added = scores - plain
    print(name, added.min(), added.max())
    assert numpy.allclose(added, sum(weights.values()), atol=1e-5)
PYTHON
