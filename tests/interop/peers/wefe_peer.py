"""WEFE scores the tests of ``queries.json`` on ``v.vec``: ``python wefe_peer.py score FOLDER``."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

from exchange import run
from gensim.models import KeyedVectors
from wefe.metrics import RIPA, WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel


def score(folder: Path) -> None:
    # Words that are too rare for the vectors are left out by both sides.
    warnings.simplefilter("ignore")
    vectors = KeyedVectors.load_word2vec_format(str(folder / "v.vec"))
    model = WordEmbeddingModel(vectors, "v")
    results = {}
    for key, (x, y, a, b) in json.loads((folder / "queries.json").read_text("utf-8")).items():
        weat = WEAT().run_query(Query([x, y], [a, b]), model, lost_vocabulary_threshold=1.0)
        # RIPA’s pairs are target words there, and its words are attributes.
        means = [
            RIPA().run_query(Query([a, b], [words]), model, lost_vocabulary_threshold=1.0)
            for words in (x, y)
        ]
        by_word = {
            word: value["mean"] for each in means for word, value in each["word_values"].items()
        }
        results[key] = {
            "statistic": float(weat["weat"]),
            "effect_size": float(weat["effect_size"]),
            "ripa": {word: float(value) for word, value in by_word.items()},
            "ripa_means": [float(each["result"]) for each in means],
        }
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")


run({"score": score})
