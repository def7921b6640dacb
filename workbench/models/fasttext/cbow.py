"""fastText's CBOW: the average of the window's n-grams predicts the centre word (see
``fasttext_base``).
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.corpus import Vocabulary
from workbench.models.base import Architecture, Preset, TheoryTarget
from workbench.models.checkpointing import ResumeState
from workbench.models.fasttext.cbow_kernel import SubwordCbowScratch, make_scratch, train_chunk
from workbench.models.fasttext.fasttext_base import SubwordModel, SubwordTrainer
from workbench.models.predict.cbow_base import SKIPGRAM_TARGET, WINDOW_FLOOR, WINDOW_ROWS
from workbench.models.predict.stream_trainer import WindowChunk


class FastTextCBOW(SubwordModel):
    key = "fasttext-cbow"
    title = tr("fastText: CBOW with character n-grams")
    short = "fastText CBOW"
    summary = tr(
        "Distinguishes a word from random words by the mean of the n-gram vectors of the words "
        "around it."
    )
    loss_label = tr("negative-sampling loss per centre (nats)")
    order = 41
    theory_target = TheoryTarget(note=SKIPGRAM_TARGET)
    loss_floor = WINDOW_FLOOR
    row_objective = WINDOW_ROWS
    architecture = Architecture("cbow", "ns", subwords=True)
    presets = (
        Preset("fastText", {}, tr("fastText cbow’s defaults")),
        Preset(
            "gensim",
            {"learning_rate": 0.025, "sample": 1e-3, "ns_exponent": 0.75},
            tr("gensim FastText(sg=0)"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
    bag = True
    shares = 1

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> SubwordCbowTrainer:
        return SubwordCbowTrainer(vocabulary, self, start)


class SubwordCbowTrainer(SubwordTrainer[SubwordCbowScratch]):
    def make_scratch(self, worker: int) -> SubwordCbowScratch:
        return make_scratch(self.params, self.most_rows)

    def train_chunk(self, chunk: WindowChunk, scratch: SubwordCbowScratch) -> None:
        train_chunk(chunk, self.merged, self.noise, self.W, self.C, scratch)
