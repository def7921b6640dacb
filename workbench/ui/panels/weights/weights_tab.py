"""Base of the weights tabs: corpus, counting settings, and empty states."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction

from workbench.analysis.theory.pair_counts import PairCountSettings, PairsKept
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.language import choice_text, tr
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.inputs.model_source import ModelSource, subject_of
from workbench.ui.widgets.layout.panel_tab import Instrument

# Without a model, pairs are counted as in GloVe's paper.
_LIKE_GLOVE = PairCountSettings(window=10, window_weighting="harmonic", sample=0.0)
TOP = 5000


@dataclass(frozen=True, eq=False)
class WeightsBasis:
    """Corpus, counting settings, and the active model if it was trained on the corpus."""

    corpus: Corpus
    counting: PairCountSettings
    setting: TargetSettings
    subject: ModelSource | None

    @property
    def key(self) -> tuple[object, ...]:
        return (
            self.corpus.digest,
            self.counting,
            self.setting,
            self.subject.embeddings if self.subject else None,
        )

    @property
    def counting_text(self) -> str:
        """Describe how the pairs were counted."""
        if self.subject:
            whose = tr("counted as {name} does", name=self.subject.record.name)
        else:
            whose = tr("counted as GloVe does")
        if isinstance(self.corpus, CountedCorpus) and not self.subject:
            whose = tr("as the open counts were made")
        return tr(
            "{whose}: window {window}, {window_weighting}",
            whose=whose,
            window=self.counting.window,
            window_weighting=choice_text(self.counting.window_weighting),
        )


class WeightsInstrument(Instrument):
    """Base of the weights tabs; ``pairs`` caches the counts for all of them."""

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel)
        self.pairs = pairs
        self._again = QAction(tr("Count again"), self)
        self._again.triggered.connect(self._ask_again)

    def basis(self) -> WeightsBasis | None:
        """Current basis; None without a corpus."""
        corpus = self.session.corpora.current
        if corpus is None:
            return None
        shown = self.session.active.run
        subject = None
        if (
            shown is not None
            and shown.embeddings is not None
            and shown.corpus_digest == corpus.digest
        ):
            subject = subject_of(shown, shown.embeddings)
        if subject is None or not subject.algorithm:
            counted = self.session.corpora.counts
            counting = _LIKE_GLOVE
            if counted is not None:
                counting = PairCountSettings.of(counted.counting)
            return WeightsBasis(corpus, counting, TargetSettings(), None)
        return WeightsBasis(corpus, subject.counting, subject.setting, subject)

    def drawn_runs(self) -> list[RunRecord]:
        return []  # runs of another text aren't drawn

    def _ask_again(self) -> None:
        self.discard_job()
        self.refresh()

    def on_cancelled(self) -> None:
        """Stop counting; the button counts again."""
        self.show_cancelled(
            tr("Counting was cancelled"), tr("The counts so far were discarded."), self._again
        )
