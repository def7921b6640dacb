"""Skip-gram with hierarchical softmax: each window word against the centre's path (see
``hierarchical_softmax``).
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.params import redeclare
from workbench.models.base import Architecture, LossFloor, Preset, RowObjective, TheoryTarget
from workbench.models.params import SharedParams, VectorParams
from workbench.models.predict.hierarchical_softmax import Hierarchical
from workbench.models.predict.stream_trainer import StreamParams


@dataclass(frozen=True)
class SkipGramHSParams(VectorParams, StreamParams):
    """Hyperparameters of skip-gram with hierarchical softmax."""

    start: str = redeclare(SharedParams, "start")


class SkipGramHS(Hierarchical):
    key = "skipgram-hs"
    title = tr("Skip-gram with hierarchical softmax")
    short = "Skip-gram HS"
    summary = tr(
        "Predicts the words around a word by binary decisions in a Huffman tree; "
        "probabilities sum to 1."
    )
    citation = (
        "Morin & Bengio 2005, Hierarchical Probabilistic Neural Network Language Model; Mikolov, "
        "Sutskever, Chen, "
        "Corrado & Dean 2013, Distributed Representations of Words and Phrases and their "
        "Compositionality"
    )
    loss_label = tr("hierarchical softmax loss per pair (nats)")
    order = 12
    cbow = False
    speed = 30e9
    params_type = SkipGramHSParams
    theory_target = TheoryTarget("logp", "tree", "count")
    loss_floor = LossFloor("entropy")
    row_objective = RowObjective("hierarchical softmax")
    architecture = Architecture("skipgram", "hs", steps=tr("Skip-gram, hierarchical softmax"))
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c -cbow 0 -hs 1 -negative 0")),
        Preset("gensim", {}, tr("gensim Word2Vec(sg=1, hs=1, negative=0)")),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 5, "learning_rate": 0.05},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
