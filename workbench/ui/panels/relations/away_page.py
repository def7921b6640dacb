"""The page of an analogy without its pairs: accuracy by dimensions with and without their cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.pairs_away import DRAWS, PairsAway, take_pairs_away
from workbench.analysis.analogy.relation_pairs import Pair
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.models.count.svd import SVDParams
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import count, plural
from workbench.ui.export.export_actions import Export
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.layout.result_view import Request, ResultView

_RANKS = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300)


class AwayPage(QWidget):
    """Draws one :class:`PairsAway`, or shows what to do instead."""

    title = tr("Analogies without their pairs")

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.setObjectName(f"{panel.key}.away")
        self.found: PairsAway | None = None
        self.name = ""
        self.fact = panel.named(kit.label(wrap=True), "away.fact", tr("Deleted cells"))
        self.chart = kit.chart(
            panel,
            "away.chart",
            tr("Accuracy by dimensions, with and without the pairs"),
            files=kit.Files("pairs-away", self.title, self.table),
        )
        note = kit.label(
            tr(
                "The cells of each pair are deleted from the counts, and the SVD is computed again "
                "(Korchinski et al. 2025). The control deletes as many other cells of like counts, "
                "drawn {draws} times; the band is one standard deviation. If the curves stay "
                "together, the analogy comes from the company of the words, not from their "
                "meeting.",
                draws=count(DRAWS),
            ),
            role="muted",
            wrap=True,
        )
        page = kit.column(self.fact, kit.stretch(self.chart), note)
        self.result = ResultView(panel, f"{panel.key}.away", f"{panel.key}.apart", kit.box(page))
        self.result.on_clear(self._clear)
        self.notice = self.result.notice
        kit.fill(self, kit.column(self.result))

    @property
    def export(self) -> Export | None:
        return self.chart.export if self.found is not None else None

    @property
    def lack(self) -> str:
        """The title of the message in place of the page, "" if there is none."""
        return self.result.lack

    def ask(
        self, corpus: Corpus, record: RunRecord | None, name: str, pairs: Sequence[Pair]
    ) -> None:
        """Delete these pairs. record : a run on this corpus, whose window and minimum count are
        used; None: defaults
        """
        params = svd_params(record)
        ranks = sorted({*(one for one in _RANKS if one < params.dim), params.dim})
        self.result.ask(
            Request(
                ("away", corpus, tuple(pairs), repr(params)),
                tr("Factorising without the pairs of {name}", name=name),
                lambda run: take_pairs_away(corpus, pairs, params, ranks, run=run),
                lambda found: self.put(found, name, params),
                doing=tr("Factorising the counts {times} times…", times=count(DRAWS + 2)),
            )
        )

    def put(self, found: PairsAway, name: str, params: SVDParams) -> None:
        """Show other results."""
        self.found, self.name = found, name
        text = tr(
            "{name}: {questions} about {pairs}; {cells} deleted. SVD with window {window}.",
            name=name,
            questions=plural(found.questions, "question"),
            pairs=plural(len(found.pairs), "pair"),
            cells=plural(found.deleted, "cell"),
            window=count(params.window),
        )
        if not found.deleted:
            never = tr("The words of a pair never co-occur here, so all curves are the same.")
            text = f"{text} {never}"
        self.fact.setText(text)
        ranks = found.ranks.astype(float)
        self.chart.headings = (name, self.fact.text())
        self.chart.set_chart(
            Chart(
                tr("dimensions"),
                tr("correct"),
                (
                    ChartSeries(
                        ranks,
                        found.control,
                        tr("without other cells"),
                        line=True,
                        low=found.control - found.spread,
                        high=found.control + found.spread,
                        role="muted",
                        fill=True,
                    ),
                    ChartSeries(ranks, found.whole, tr("all counts"), colour=0, line=True),
                    ChartSeries(
                        ranks,
                        found.without,
                        tr("without the pairs"),
                        colour=1,
                        line=True,
                        dashed=True,
                    ),
                ),
                log_x=True,
                percent_y=True,
                y_range=(0.0, 1.0),
            )
        )

    def _clear(self) -> None:
        self.found = None
        self.chart.set_chart(None)

    def table(self) -> str:
        """One line per number of dimensions, as CSV."""
        found = self.found
        if found is None:
            return ""
        columns = (found.ranks, found.whole, found.without, found.control, found.spread)
        rows: list[list[Cell]] = [
            list(row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]
        header = [
            *("dimensions", "all counts", "without the pairs", "without other cells"),
            "deviation over draws",
        ]
        return to_csv(header, rows)


def svd_params(record: RunRecord | None) -> SVDParams:
    """Settings of the SVD: those of a run by SVD, or else its window and minimum count."""
    if record is None:
        return SVDParams()
    known = {spec.name for spec in SVDParams.specs()}
    if record.algorithm != "svd":
        known &= {"window", "min_count", "max_vocab"}
    values = {name: value for name, value in record.parameters.items() if name in known}
    return SVDParams.from_mapping(values)
