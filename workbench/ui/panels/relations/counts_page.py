"""The page of an analogy in the counts: each context a dot, for the answer and the second best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.in_the_counts import (
    AnalogyInCounts,
    ErrorParts,
    analogy_in_counts,
    second_best,
    split_errors,
)
from workbench.analysis.theory.pair_counts import PairCountSettings, PairsKept
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord
from workbench.session.selection.words import AnalogyShown
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import MINUS, count, plural, true_minus
from workbench.ui.base.theme import Palette
from workbench.ui.export.export_actions import Export
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.plots.frame import Frame
from workbench.ui.plots.paint_kit import draw_text, small_font
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.ui.widgets.tables.table_model import TableColumn
from workbench.vectors.embeddings import Embeddings

# Contexts are among the most frequent words. Dots with names; radius of a dot in pixels.
_TOP, _NAMES = 10_000, 14
_SMALL, _LARGE = 2.0, 7.0
# Opacity of the ground behind a name: dots there are dense.
_BEHIND = 0.8
ANY, ALL = "any", "all"


@dataclass(frozen=True, eq=False)
class Compared:
    """An answer in the counts, and the parts of its errors."""

    counts: AnalogyInCounts
    parts: ErrorParts


class ContextChart(ChartView):
    """Dots by count, and the names of those that stand out or are far from the diagonal."""

    found: AnalogyInCounts | None = None

    def put(self, found: AnalogyInCounts | None) -> None:
        """Show another answer."""
        self.found = found
        if found is None:
            self.set_chart(None)
            return
        unit = "PPMI" if found.positive else "PMI"
        # PPMI is never below 0, whatever is predicted.
        low = 0.0 if found.positive else min(found.across.min(), found.up.min(), 0.0)
        ends = np.array([low, max(found.across.max(), found.up.max(), 1.0)])
        texts = [
            tr(
                "{context}: predicted {across}, {unit} {up}",
                context=context,
                across=true_minus(f"{across:.2f}"),
                unit=unit,
                up=true_minus(f"{up:.2f}"),
            )
            for context, across, up in zip(
                found.contexts, found.across.tolist(), found.up.tolist(), strict=True
            )
        ]
        self.set_chart(
            Chart(
                tr("{unit} predicted by the other three words", unit=unit),
                tr("{unit} with “{answer}”", unit=unit, answer=found.answer),
                (
                    ChartSeries(ends, ends, line=True, dots=False, role="muted", dashed=True),
                    ChartSeries(
                        found.across, found.up, texts=texts, keys=found.contexts, role="accent"
                    ),
                ),
            )
        )

    def drawn_series(self, frame: Frame) -> Sequence[ChartSeries]:
        return self.series[:1]

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        super().draw(painter, frame, colours)
        found = self.found
        if found is None:
            return
        x, y = frame.x(found.across), frame.y(found.up)
        share = np.log1p(found.counts) / max(float(np.log1p(found.counts).max()), 1e-9)
        radii = _SMALL + (_LARGE - _SMALL) * share
        ink = QColor(colours.accent)
        ink.setAlphaF(0.45)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for at in range(len(x)):
            painter.drawEllipse(QPointF(x[at], y[at]), radii[at], radii[at])
        self._draw_names(painter, frame, colours, radii)

    def _draw_names(
        self, painter: QPainter, frame: Frame, colours: Palette, radii: Doubles
    ) -> None:
        found = self.found
        assert found is not None
        font = small_font()
        metrics = QFontMetricsF(font)
        ground = QColor(colours.ground)
        ground.setAlphaF(_BEHIND)
        high = metrics.height()
        taken: list[QRectF] = []
        for at in standing_out(found):
            place = frame.place(found.across[at], found.up[at])
            width = metrics.horizontalAdvance(found.contexts[at]) + 2
            left = place.x() + radii[at] + 2
            if left + width > frame.area.right():
                left = place.x() - radii[at] - 2 - width
            room = QRectF(left, place.y() - high / 2, width, high)
            inside = frame.area.adjusted(-1, -1, 1, 1).contains(room)
            if inside and not any(room.intersects(other) for other in taken):
                painter.fillRect(room, ground)
                draw_text(painter, room, found.contexts[at], font, colours.text, elided=False)
                taken.append(room)


def standing_out(found: AnalogyInCounts) -> list[int]:
    """Places of the contexts to name: by turns the farthest from the diagonal, and those with the
    largest values; frequent ones first among equals.
    """
    weight = np.log1p(found.counts)
    far = np.argsort(-np.abs(found.up - found.across) * weight, kind="stable")
    large = np.argsort(-(found.up + found.across) * weight, kind="stable")
    turns = np.stack([far, large], axis=1).ravel().tolist()
    return list(dict.fromkeys(turns))[:_NAMES]


class CountsPage(QWidget):
    """The answer at the left, the second-best one at the right, and the parts of their errors
    below.
    """

    title = tr("An analogy in the counts")

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.setObjectName(f"{panel.key}.counts")
        self._pairs = PairsKept(1)
        self.found: tuple[Compared, ...] = ()
        self.contexts = panel.named(
            kit.ChoiceBox.of(
                {ANY: tr("Contexts of any word"), ALL: tr("Contexts of all four words")}, ANY
            ),
            "counts.contexts",
            tr("Contexts to compare"),
            tr("Of any word, by PPMI: an unobserved pair is 0. Or of all four, by PMI."),
        )
        self.charts = tuple(
            panel.named(ContextChart(panel.theme), f"counts.{local}", accessible)
            for local, accessible in (
                ("answer", tr("Contexts of the answer")),
                ("second", tr("Contexts of the second-best answer")),
            )
        )
        for chart, stem in zip(self.charts, ("answer", "second-best"), strict=True):
            chart.offer_files(panel.session, self.title, stem, self.table)
            chart.picked.connect(lambda word: panel.session.selection.select([word]))
        self.facts = tuple(
            panel.named(kit.label(wrap=True), f"counts.{local}_fact", accessible)
            for local, accessible in (
                ("answer", tr("Fit of the answer")),
                ("second", tr("Fit of the second-best answer")),
            )
        )
        self.parts = kit.table(panel, "counts.parts", tr("Parts of the errors"))
        kit.set_scaled_size(self.parts, height=112)
        sides = kit.row(
            *(
                kit.stretch(kit.column(fact, kit.stretch(chart)))
                for fact, chart in zip(self.facts, self.charts, strict=True)
            )
        )
        page = kit.column(kit.bar(self.contexts, kit.stretch()), kit.stretch(sides), self.parts)
        self.result = ResultView(panel, f"{panel.key}.counts", f"{panel.key}.dots", kit.box(page))
        self.result.on_clear(self._clear)
        self.notice = self.result.notice
        kit.fill(self, kit.column(self.result))

    @property
    def export(self) -> Export | None:
        return self.charts[0].export if self.found else None

    @property
    def lack(self) -> str:
        """The title of the message in place of the page, "" if there is none."""
        return self.result.lack

    def ask(
        self, corpus: Corpus, record: RunRecord | None, model: Embeddings, analogy: AnalogyShown
    ) -> None:
        """Compare the answer to an analogy, and the second-best one.

        record : a run on this corpus, as which pairs are counted; None: defaults
        """
        positive = self.contexts.currentData() == ANY
        parameters = {} if record is None else record.parameters
        settings = PairCountSettings.of(parameters)

        def work(run: JobControl) -> tuple[Compared, ...]:
            counted = self._pairs.get(corpus, settings, _TOP, None, run)
            words = (analogy.b, analogy.a, analogy.c)
            asked = (analogy.method, analogy.exclude, analogy.restrict)
            other = second_best(model, *words, analogy.answer, *asked)
            found: list[Compared] = []
            for answer in (analogy.answer, other):
                try:
                    counts = analogy_in_counts(counted, *words, answer, positive)
                except UserError:
                    if not found:
                        raise
                    # The second-best answer may be too rare to compare.
                    continue
                parts = split_errors(corpus, (*words, answer), settings.window, run)
                found.append(Compared(counts, parts))
            return tuple(found)

        self.result.ask(
            Request(
                ("counts", corpus, repr(settings), model, analogy, positive),
                tr("Comparing contexts"),
                work,
                lambda found: self.put(found, analogy),
                doing=tr("Counting the contexts…"),
            )
        )

    def put(self, found: tuple[Compared, ...], analogy: AnalogyShown) -> None:
        """Show other answers."""
        self.found = found
        question = f"{analogy.a} {MINUS} {analogy.b} + {analogy.c}"
        for at, (chart, fact) in enumerate(zip(self.charts, self.facts, strict=True)):
            counts = found[at].counts if at < len(found) else None
            chart.put(counts)
            if counts is None:
                fact.setText(tr("The second-best answer is too rare to compare."))
                continue
            fact.setText(
                tr(
                    "{question} = {answer}: correlation {correlation} in {contexts}, error {error} "
                    "nats",
                    question=question,
                    answer=counts.answer,
                    correlation=true_minus(f"{counts.correlation:.2f}"),
                    contexts=plural(len(counts.contexts), "context"),
                    error=true_minus(f"{counts.error:.2f}"),
                )
            )
            chart.headings = (question, fact.text())
        self._fill_parts(found)

    def _fill_parts(self, found: tuple[Compared, ...]) -> None:
        names = [
            tr("ρ: one pair stands for the other"),
            tr("σ: the words of a pair depend on each other beside a context"),
            tr("τ: the words of a pair depend on each other anywhere"),
        ]
        columns = [TableColumn(tr("part of the error, nats"), names, stretch=True)]
        for one in found:
            parts = one.parts
            texts = [true_minus(f"{size:.2f}") for size in parts.sizes]
            if not parts.enough:
                few = tr(
                    "too few windows: {first} and {second}",
                    first=count(parts.windows[0]),
                    second=count(parts.windows[1]),
                )
                texts = [few] * 3
            columns.append(
                TableColumn(
                    one.counts.answer,
                    list(parts.sizes),
                    tr("Root mean square over contexts; windows with both words of a pair"),
                    texts=texts,
                    width=240,
                )
            )
        self.parts.set_columns(columns)

    def _clear(self) -> None:
        self.found = ()
        for chart, fact in zip(self.charts, self.facts, strict=True):
            chart.put(None)
            fact.setText("")

    def table(self) -> str:
        """One line per context and answer, as CSV."""
        rows: list[list[Cell]] = []
        for one in self.found:
            counts = one.counts
            columns = (counts.across, counts.up, counts.counts)
            for context, *numbers in zip(
                counts.contexts, *(column.tolist() for column in columns), strict=True
            ):
                rows.append([counts.answer, context, *numbers])
        return to_csv(["answer", "context", "predicted", "observed", "count"], rows)
