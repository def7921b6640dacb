"""Base of the comparisons of models and of seeds: words, overlap by frequency, one word's lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtWidgets import QSplitter, QWidget

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import LoadedVectors
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.export.export_actions import Export, ManyExportsButton
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.widgets.inputs.difference_line import DifferenceLine
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.result_view import ResultJob
from workbench.ui.widgets.layout.side_by_side import PagePair

_NEAREST = (5, 10, 20, 50)
_TOPS = {
    2_000: tr("Top 2,000"),
    10_000: tr("Top 10,000"),
    30_000: tr("Top 30,000"),
    0: tr("All words"),
}


@dataclass(frozen=True)
class OverlapState(PanelState):
    """nearest : neighbours compared; top : most frequent words compared, 0 for all; side : details
    beside the table
    """

    nearest: int = choice(_NEAREST[1], allowed=_NEAREST)
    top: int = choice(10_000, allowed=_TOPS)
    side: str = choice("neighbours", allowed=("neighbours", "by_frequency"))


class OverlapView(Instrument):
    """The table of compared words on the left; the lists of the focused word and the chart on the
    right.

    Subclasses fill ``words`` and ``chart``, and ask ``word_lists`` for those of one word in
    ``_look_up``.
    """

    widths: ClassVar[Setting[tuple[int, int]]]
    view_state: OverlapState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        # Selection made by clicking a word in the lists, which therefore stay.
        self._walk_selection: tuple[str, ...] = ()
        self.word_lists = ResultJob(self.session.jobs, f"{self.key}.lists")
        self._loaded_vectors = LoadedVectors(self.session.store)
        numbers = {k: tr("{k} nearest", k=k) for k in _NEAREST}
        self.nearest = self.named(
            kit.ChoiceBox.of(numbers, _NEAREST[1], letters=7),
            "nearest",
            tr("Number of neighbours"),
            tr("Neighbours compared, k"),
        )
        self.top = self.named(
            kit.ChoiceBox.of(_TOPS, 10_000, letters=7),
            "top",
            tr("Words compared"),
            tr("The most frequent words shared by all models"),
        )
        self.bind(self.nearest, "nearest")
        self.bind(self.top, "top")
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "muted", f"{self.key}.fact")
        self.differences = DifferenceLine()
        self.differences.setObjectName(f"{self.key}.differences")
        self.words = kit.DataTable(self.theme)
        self.words.picked.connect(self._pick_word)
        self.chart = ChartView(self.theme)
        self.chart.picked.connect(lambda word: self.session.selection.select([word]))
        self.exports: dict[str, Export] = {}

    def _export_chart(
        self, title: str, stem: str, about: str, records: Callable[[], Sequence[RunRecord]]
    ) -> Export:
        return self.chart.offer_files(
            self.session, title, stem, self.chart.table, records, lambda: about
        )

    def _lay_out(self, controls: tuple[QWidget, ...], lists: QWidget) -> None:
        export = self.named(
            ManyExportsButton(self.exports), "export", tr("Export figures and data")
        )
        kit.add(self.controls, *controls, self.nearest, self.top, kit.stretch(), export)
        self.side = self.named(
            PagePair(
                (
                    ("neighbours", tr("Neighbours"), lists),
                    ("by_frequency", tr("By frequency"), self.chart),
                )
            ),
            "side",
            tr("Details"),
        )
        self.bound.bind_buttons(self.side.by_key, "side")
        widths = self.session.settings[self.widths]
        parts = kit.split(self.words, self.side, sizes=widths)
        parts.setObjectName(f"{self.key}.parts")
        parts.splitterMoved.connect(lambda *_: self._keep_widths(parts))
        kit.fill(self.content, kit.column(self.fact, self.differences, kit.stretch(parts)))
        self.panel.follow(self.session.selection.changed, self._selection_changed)

    def state_changed(self, before: OverlapState, after: OverlapState) -> None:
        if after.replace(side=before.side) != before:
            self.refresh()

    def _keep_widths(self, parts: QSplitter) -> None:
        first, second = parts.sizes()
        self.session.settings[self.widths] = (first, second)

    # -- one word

    @property
    def compared_words(self) -> tuple[str, ...]:
        """The words of the table, by row."""
        return ()

    def _pick_word(self, row: int) -> None:
        if self.compared_words:
            self.session.selection.select([self.compared_words[row]])

    def _select_neighbour(self, centre: str, word: str) -> None:
        """Select a neighbour beside its word and keep the lists of the word."""
        self._walk_selection = (centre, word)
        self.session.selection.select(self._walk_selection)

    def _selection_changed(self) -> None:
        if self._walk_selection and self.session.selection.words == self._walk_selection:
            return
        self._walk_selection = ()
        self._look_up()

    def _look_up(self) -> None:
        """Show the lists of the focused word."""

    def _mark_word(self) -> str:
        """Mark the selected word, or the one at the top of the table, in the table and the
        chart.
        """
        words = self.compared_words
        word = self.session.selection.focus or words[int(self.words.table.order[0])]
        self.chart.set_current(word)
        if word in words:
            self.words.pick(words.index(word))
        return word
