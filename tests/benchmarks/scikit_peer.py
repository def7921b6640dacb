"""One factorisation by scikit-learn of the same matrix that the workbench factorises.

``python scikit_peer.py SETTINGS`` (JSON, see peer_programs.py). Only the factorisation is timed.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.decomposition import TruncatedSVD

from workbench.core.job_control import JobControl
from workbench.corpus.loader import open_corpus
from workbench.models.count.lsa import LSAParams, document_counts, document_edges, weight_cells
from workbench.models.count.pmi_base import positive_pmi
from workbench.models.count.svd import SVDParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors


def main() -> None:
    settings = json.loads(sys.argv[1])
    corpus, run = open_corpus([settings["corpus"]]), JobControl()
    vocabulary = corpus.vocabulary(5, 0)
    if settings["algorithm"] == "lsa":
        lsa = LSAParams.from_mapping(
            {"documents": settings["documents"], "document_length": settings["document_length"]}
        )
        matrix = document_counts(
            corpus, len(vocabulary), document_edges(corpus, lsa.documents, lsa.document_length), run
        )
        weight_cells(matrix, lsa.weighting, run)
        matrix, power = matrix.T.tocsr(), 1.0
    else:
        svd = SVDParams.from_mapping({"dim": settings["dim"], "window": settings["window"]})
        matrix, power = positive_pmi(corpus, vocabulary, svd, 2, run), svd.eig
    start = time.perf_counter()
    solver = TruncatedSVD(settings["dim"], algorithm="arpack", random_state=settings["seed"])
    projection = solver.fit_transform(matrix.astype(np.float64))
    seconds = time.perf_counter() - start
    # fit_transform gives U Σ; the word vectors are U Σ^p.
    vectors = projection * solver.singular_values_ ** (power - 1)
    save_vectors(
        Embeddings(vocabulary.words, vectors.astype(np.float32)), Path(settings["vectors"])
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "peak_bytes": peak}))


main()
