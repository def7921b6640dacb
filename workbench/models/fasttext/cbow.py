"""fastText's CBOW: the average of the window's n-grams predicts the centre word (see
``fasttext_base``).
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.counts.sampling import AliasTable
from workbench.counts.subword_rows import MergedRows
from workbench.models.base import Architecture, Preset, TheoryTarget
from workbench.models.fasttext.cbow_kernel import SubwordCbowScratch, make_scratch, train_chunk
from workbench.models.fasttext.fasttext_base import Step, SubwordModel
from workbench.models.kernels.gemm import Rows
from workbench.models.predict.cbow_base import SKIPGRAM_TARGET
from workbench.models.predict.stream_trainer import LEAST_RATE, TokenStream, Worker


class FastTextCBOW(SubwordModel):
    key = "fasttext-cbow"
    title = tr("fastText: CBOW with character n-grams")
    short = "fastText CBOW"
    summary = tr("Tells a word from random ones by the mean of the n-grams of the words around it.")
    loss_label = tr("negative-sampling loss per centre (nats)")
    order = 41
    theory_target = TheoryTarget(note=SKIPGRAM_TARGET)
    architecture = Architecture("cbow", "ns", subwords=True)
    presets = (
        Preset("fastText", {}, tr("fastText cbow's defaults")),
        Preset(
            "gensim",
            {"learning_rate": 0.025, "sample": 1e-3, "ns_exponent": 0.75},
            tr("gensim FastText(sg=0)"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10},
            tr("the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
    bag = True
    shares = 1

    def steps(
        self,
        stream: TokenStream,
        made: MergedRows,
        noise: AliasTable,
        W: Rows,
        C: Rows,
        most_rows: int,
    ) -> Step:
        params, scratches = self.params, dict[int, SubwordCbowScratch]()
        least = params.learning_rate * LEAST_RATE

        def step(worker: Worker, windows: int, rate: float, fall: float) -> None:
            scratch = scratches.get(worker.number)
            if scratch is None:
                scratch = scratches[worker.number] = make_scratch(
                    params.window, params.negative, params.dim, most_rows
                )
            train_chunk(
                stream,
                made,
                noise,
                W,
                C,
                scratch,
                worker.piece,
                worker.cursor,
                worker.stop,
                windows,
                worker.state,
                rate,
                fall,
                least,
                worker.totals,
            )

        return step
