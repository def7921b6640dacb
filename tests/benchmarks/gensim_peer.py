"""One training by gensim, timed: ``python gensim_peer.py SETTINGS`` (JSON, see
peer_programs.py).
"""

import json
import resource
import sys
import time

from gensim.models import FastText, Word2Vec


def main() -> None:
    settings = json.loads(sys.argv[1])
    algorithm = settings["algorithm"]
    hierarchical = algorithm.endswith("-hs")
    options = {
        "vector_size": settings["dim"],
        "window": settings["window"],
        "min_count": 5,
        "workers": 2,
        "sg": 0 if algorithm.startswith("cbow") else 1,
        "hs": int(hierarchical),
        "negative": 0 if hierarchical else settings["negative"],
        "sample": settings["sample"],
        "alpha": settings["learning_rate"],
        "seed": settings["seed"],
    }
    if algorithm == "fasttext":
        # Negative samples are drawn as in fastText’s own program.
        subwords = {
            "min_n": settings["min_n"],
            "max_n": settings["max_n"],
            "bucket": settings["buckets"],
        }
        model = FastText(**options, **subwords, ns_exponent=0.5)
    else:
        model = Word2Vec(**options)
    model.build_vocab(corpus_file=settings["lines"])
    start = time.perf_counter()
    model.train(
        corpus_file=settings["lines"],
        # Each thread reads its share of the lines, but lowers the learning rate as if it had to
        # read this many: with the total number, two threads would only get halfway down.
        total_examples=model.corpus_count // model.workers,
        total_words=model.corpus_total_words,
        epochs=settings["epochs"],
    )
    seconds = time.perf_counter() - start
    model.wv.save_word2vec_format(settings["vectors"], binary=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "peak_bytes": peak}))


main()
