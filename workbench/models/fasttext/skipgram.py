"""fastText's skip-gram: the average of a word's n-grams predicts the words around it (see
``fasttext_base``).
"""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.corpus.corpus import Vocabulary
from workbench.models.base import Architecture, LossFloor, Preset, RowObjective, TheoryTarget
from workbench.models.checkpointing import ResumeState
from workbench.models.fasttext.fasttext_base import SubwordModel, SubwordTrainer
from workbench.models.fasttext.skipgram_kernel import SubwordScratch, make_scratch, train_chunk
from workbench.models.predict.stream_trainer import WindowChunk

# Number of centres that share their negative samples.
_BLOCK = 8


class FastText(SubwordModel):
    key = "fasttext"
    title = tr("fastText: skip-gram with character n-grams")
    short = "fastText"
    summary = tr(
        "Skip-gram that builds word vectors from character n-grams, so that "
        "out-of-vocabulary words have vectors too."
    )
    loss_label = tr("negative-sampling loss per pair (nats)")
    order = 40
    theory_target = TheoryTarget()
    loss_floor = LossFloor("negative sampling")
    row_objective = RowObjective("negative sampling")
    architecture = Architecture("skipgram", "ns", subwords=True)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("fastText", {}, tr("fastText skipgram’s defaults")),
        Preset(
            "gensim",
            {"learning_rate": 0.025, "sample": 1e-3, "ns_exponent": 0.75},
            tr("gensim FastText(sg=1)"),
        ),
        Preset(
            "no n-grams",
            {"min_n": 0, "max_n": 0},
            tr("fastText skipgram -maxn 0: plain skip-gram"),
            tr("no n-grams"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
    bag = False
    shares = 6

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> SubwordSkipgramTrainer:
        return SubwordSkipgramTrainer(vocabulary, self, start)


class SubwordSkipgramTrainer(SubwordTrainer[SubwordScratch]):
    def make_scratch(self, worker: int) -> SubwordScratch:
        return make_scratch(self.params, self._model.shares, _BLOCK)

    def train_chunk(self, chunk: WindowChunk, scratch: SubwordScratch) -> None:
        train_chunk(chunk, self.merged, self.noise, self.W, self.C, scratch)
