"""Tab of W × Cᵀ = M for a few words, updated during training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from workbench.analysis.matrix.content_words import candidate_number, content_words
from workbench.analysis.theory.factors import Factors, factors
from workbench.analysis.theory.pair_counts import PairCounts, PairsKept
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.targets import SCORES, TARGETS, theory_target
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.panels.theory.factors_view import FactorsView
from workbench.ui.panels.theory.theory_tab import TheoryInstrument
from workbench.ui.widgets.inputs.model_source import Following, ModelSource

_WORDS = 2000


def _compute_factors(
    corpus: Corpus,
    subject: ModelSource,
    words: tuple[str, ...],
    number: int,
    kept: PairsKept,
    run: JobControl,
) -> Factors:
    """Compute the factors of ``words`` (if empty, of content words) in a worker."""
    own = theory_target(subject.algorithm)
    pairs = kept.get(corpus, subject.counting, _WORDS, subject.embeddings, run)
    scores = PairScores(subject.embeddings, pairs, own.score)
    chosen = words or _content_words(pairs, number)
    return factors(pairs, subject.setting, own.target, scores, chosen)


def _content_words(pairs: PairCounts, number: int) -> list[str]:
    candidates = candidate_number(number)
    counts = pairs.cells[:candidates, :candidates].toarray()
    return [pairs.words[row] for row in content_words(counts, number)]


@dataclass(frozen=True)
class FactorsState(PanelState):
    """source : content words, or the selected words; number : of content words"""

    source: str = choice("content", allowed=("content", "selection"))
    number: int = choice(30, low=2, high=200)


class TheoryFactors(TheoryInstrument):
    """Factors of content words, or of the selected words."""

    local = "factors"
    state_kind = FactorsState
    view_state: FactorsState

    def __init__(self, panel: Panel, following: Following, pairs: PairsKept) -> None:
        super().__init__(panel, following, pairs)
        self.source = self.named(
            kit.ChoiceBox.of(
                {"content": tr("Content words"), "selection": tr("Selection")}, letters=11
            ),
            "source",
            tr("Which words"),
            tr("Words in the rows and columns"),
        )
        self.number = self.named(
            kit.IntBox.of(2, 200, 30), "number", tr("Number of words"), tr("Number of words")
        )
        kit.set_scaled_size(self.number, width=76)
        self.view = self.named(
            FactorsView(self.theme),
            "view",
            tr("Factors, product and target"),
            tr("Point at a cell to mark it in all four matrices"),
        )
        self.view.offer_files(
            self.session,
            tr("Export the matrices"),
            "factors",
            self._factors_csv,
            about=self.view.accessibleName,
        )
        self._hinting = True
        self.readout = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.readout")
        export = kit.export_button(self, lambda: self.view.export, tr("Export figure and data"))
        kit.add(self.controls, self.source, self.number, kit.stretch(self.readout), export)
        kit.fill(self.content, self.view)
        self.bind(self.source, "source")
        self.bind(self.number, "number")
        self.view.readout_changed.connect(self._show_readout)
        self.view.picked.connect(self._pick_pair)
        self.panel.follow(self.session.selection.changed, self._selection_changed)

    def state_changed(self, before: FactorsState, after: FactorsState) -> None:
        self.refresh()

    def set_presented(self, on: bool) -> None:
        """Leave out the hint on the pointer during a presentation."""
        self._hinting = not on
        self._show_readout(self.view.describe_cell())

    def _show_readout(self, text: str) -> None:
        if not text and self._hinting:
            text = tr("Point at a cell to see its numbers and mark it in all four matrices.")
        self.readout.put(text)

    def _pick_pair(self, word: str, context: str) -> None:
        if self.view_state.source == "content":
            self.session.selection.select((context, word))

    def _selection_changed(self) -> None:
        if self.view_state.source == "selection":
            self.refresh()

    def exporters(self) -> Sequence[Exporter]:
        return () if self.view.export is None else (self.view.export,)

    def refresh(self) -> None:
        """Compute the matrices if the request changed, once the tab is visible."""
        subject = self.subject
        selected = self.view_state.source == "selection"
        if self.number.isEnabled() == selected:
            self.number.setEnabled(not selected)
        if not self.isVisible() or subject is None:
            return
        own = self.own(subject)
        if own is None:
            self._forget_factors()
            return
        words: tuple[str, ...] = self.session.selection.words if selected else ()
        if selected and len(words) < 2:
            self._forget_factors()
            self.show_message(
                tr("Fewer than two words selected"),
                tr("Click a word on the map; Ctrl+click adds another."),
            )
            return
        corpus = self.session.corpora.current
        assert corpus is not None
        wanted = (subject.embeddings, corpus.digest, words, self.view_state.number)
        number = self.view_state.number
        score = SCORES[own.score]
        product = "M = W·Cᵀ" if own.score == "product" else f"M = {score}"
        titles = (
            product,
            tr("target {title}", title=TARGETS[own.target].title),
        )

        def show_factors(found: Factors) -> None:
            self.view.set_factors(found, titles)

        task = partial(_compute_factors, corpus, subject, words, number, self.pairs)
        if (
            self.pairs.holds(corpus, subject.counting, _WORDS, subject.embeddings)
            and self.view.factors is not None
        ):
            self.work_quietly(wanted, tr("Multiplying the factors"), task, show_factors)
        else:
            title, doing = tr("Multiplying the factors"), tr("Counting pairs of words…")
            self.start_job(wanted, title, doing, task, show_factors)

    def _forget_factors(self) -> None:
        self.discard_job()
        self.view.set_factors(None)

    def on_cancelled(self) -> None:
        """Stop counting; a new choice counts again."""
        self.view.set_factors(None)
        self.show_cancelled(
            tr("Counting was cancelled"), tr("Choose the words again to restart counting.")
        )

    def _factors_csv(self) -> str:
        """Every cell of M with its target."""
        found = self.view.factors
        if found is None:
            return ""
        rows: list[list[Cell]] = [
            [
                word,
                context,
                float(found.counts[i, j]),
                float(found.model[i, j]),
                float(found.target[i, j]),
            ]
            for i, word in enumerate(found.words)
            for j, context in enumerate(found.words)
        ]
        return to_csv(["word", "context", "count", "model", "target"], rows)
