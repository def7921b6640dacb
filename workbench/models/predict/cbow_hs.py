"""CBOW with hierarchical softmax: the window's mean against the centre's path (see
``hierarchical_softmax``).
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.params import redeclare
from workbench.models.base import Architecture, Preset, TheoryTarget
from workbench.models.params import SharedParams, VectorParams
from workbench.models.predict.cbow_base import (
    SKIPGRAM_TARGET,
    WINDOW_FLOOR,
    WINDOW_ROWS,
    WindowParams,
)
from workbench.models.predict.hierarchical_softmax import Hierarchical


@dataclass(frozen=True)
class CBOWHSParams(VectorParams, WindowParams):
    """Hyperparameters of CBOW with hierarchical softmax."""

    start: str = redeclare(SharedParams, "start")


class CBOWHS(Hierarchical):
    key = "cbow-hs"
    title = tr("CBOW with hierarchical softmax")
    short = "CBOW HS"
    summary = tr(
        "Predicts a word from the mean of its window by binary decisions in a Huffman tree."
    )
    citation = (
        "Morin & Bengio 2005, Hierarchical Probabilistic Neural Network Language Model; Mikolov, "
        "Chen, Corrado & "
        "Dean 2013, Efficient Estimation of Word Representations in Vector Space"
    )
    loss_label = tr("hierarchical softmax loss per centre (nats)")
    order = 22
    cbow = True
    speed = 8e9
    params_type = CBOWHSParams
    theory_target = TheoryTarget("logp", "tree", "count", SKIPGRAM_TARGET)
    loss_floor = WINDOW_FLOOR
    row_objective = WINDOW_ROWS
    architecture = Architecture("cbow", "hs", steps=tr("CBOW, hierarchical softmax"))
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c -cbow 1 -hs 1 -negative 0")),
        Preset("gensim", {"learning_rate": 0.025}, tr("gensim Word2Vec(sg=0, hs=1, negative=0)")),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10, "sample": 1e-4},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
