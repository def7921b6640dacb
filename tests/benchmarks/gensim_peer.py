"""One training by gensim, timed: ``python gensim_peer.py LINES SEED EPOCHS VECTORS``; prints JSON."""

import json
import resource
import sys
import time

import gensim
from gensim.models import Word2Vec


def main() -> None:
    lines, seed, epochs, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    model = Word2Vec(
        vector_size=100, window=5, min_count=5, workers=2, sg=1, hs=0, negative=5, sample=1e-3, alpha=0.025, seed=seed
    )
    model.build_vocab(corpus_file=lines)
    began = time.perf_counter()
    model.train(
        corpus_file=lines, total_examples=model.corpus_count, total_words=model.corpus_total_words, epochs=epochs
    )
    seconds = time.perf_counter() - began
    model.wv.save_word2vec_format(output, binary=True)
    print(
        json.dumps(
            {
                "tokens_per_second": model.corpus_total_words * epochs / seconds,
                "seconds": seconds,
                "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                "version": gensim.__version__,
            }
        )
    )


main()
