"""What the instruments of the weights panel share: the corpus, how its pairs are counted, and quiet states."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction

from workbench.analysis.pair_counts import Counting, PairsKept
from workbench.analysis.targets import Setting
from workbench.corpus.corpus import Corpus
from workbench.ui.panel import Panel
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.theory_subject import Subject, subject_of

# Where no model says how to count: as GloVe's paper does.
_LIKE_GLOVE = Counting(window=10, window_weighting="harmonic", sample=0.0)
TOP = 5000


@dataclass(frozen=True, eq=False)
class Basis:
    """The corpus, how pairs are counted in it, and the model looked at where it was trained on it."""

    corpus: Corpus
    counting: Counting
    setting: Setting
    subject: Subject | None

    @property
    def key(self) -> tuple[object, ...]:
        return self.corpus.digest, self.counting, self.setting, self.subject.embeddings if self.subject else None

    @property
    def told(self) -> str:
        """How the pairs were counted, in words."""
        whose = f"counted as {self.subject.record.name} does" if self.subject else "counted as GloVe does"
        return f"{whose}: window {self.counting.window}, {self.counting.window_weighting}"


class WeightsInstrument(Instrument):
    """``pairs`` keeps what was counted, for all instruments."""

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel)
        self.pairs = pairs
        self._asked: tuple[object, ...] = ()
        self._again = QAction("Count again", self)
        self._again.triggered.connect(self.ask_again)

    def basis(self) -> Basis | None:
        """What is looked at now; None without a corpus, which the panel says."""
        corpus = self.session.corpus
        if corpus is None:
            return None
        shown = self.session.shown
        subject = None
        if shown is not None and shown.embeddings is not None and shown.corpus_digest == corpus.digest:
            subject = subject_of(shown, shown.embeddings)
        if subject is None or not subject.algorithm:
            return Basis(corpus, _LIKE_GLOVE, Setting(), None)
        return Basis(corpus, subject.counting, subject.setting, subject)

    def changed(self, wanted: tuple[object, ...]) -> bool:
        """Whether something else is asked for than last time; remembers it."""
        if wanted == self._asked:
            return False
        self._asked = wanted
        return True

    def ask_again(self) -> None:
        self._asked = ()
        self.refresh()

    def cancel(self) -> None:
        """Stop counting; the button counts again."""
        self.drop()
        self.say("Counting was cancelled", "What was counted so far is not kept.", self._again)
