"""Base of the theory tabs: subject, pair counts, and whether the open corpus fits."""

from __future__ import annotations

from workbench.analysis.theory.pair_counts import PairsKept
from workbench.analysis.theory.targets import theory_target
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.models.base import TheoryTarget
from workbench.session.corpus.belonging import mismatch
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.inputs.model_source import Following, ModelSource
from workbench.ui.widgets.layout.panel_tab import Instrument


class TheoryInstrument(Instrument):
    """``subject`` is the model whose products are compared; ``pairs`` caches the counts for all
    tabs.
    """

    def __init__(self, panel: Panel, following: Following, pairs: PairsKept) -> None:
        super().__init__(panel)
        self.following = following
        self.pairs = pairs

    @property
    def subject(self) -> ModelSource | None:
        return self.following.subject

    def fits_corpus(self, subject: ModelSource) -> bool:
        """Whether the model was trained on the open corpus; shows a message if not."""
        corpus = self.session.corpora.current
        if corpus is None and self.session.corpora.opening is not None:
            self.show_message(
                tr("Opening the corpus…"),
                tr("The model is compared with the counts of this corpus."),
            )
            return False
        other = mismatch(subject.record, corpus)
        if other is not None:
            self.show_message(other.message, other.hint)
        return other is None

    def drawn_runs(self) -> list[RunRecord]:
        if self.subject is None:
            return []
        return [self.subject.record]

    def own(self, subject: ModelSource) -> TheoryTarget | None:
        """Target of the algorithm; None, with a message, if it is unknown or another corpus is
        open.
        """
        try:
            own = theory_target(subject.algorithm)
        except UserError as error:
            self.show_message(error.message, error.hint)
            return None
        if self.fits_corpus(subject):
            return own
        return None
