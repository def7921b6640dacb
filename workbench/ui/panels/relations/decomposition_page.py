"""One analogy decomposed: its answers as bars, and plain neighbours beside them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QSizePolicy,
    QWidget,
)

from workbench.analysis.analogy.decomposition import Anatomy
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import LIGHT, SPACE_1, SPACE_2, SPACE_4
from workbench.ui.panels.relations.baseline_table import BaselineTable, verdict
from workbench.ui.panels.relations.decomposition_bars import AnatomyBars, AnatomyHeader
from workbench.ui.panels.relations.decomposition_painting import (
    figure_size,
    paint_figure,
    score_formula,
)
from workbench.ui.widgets.layout.result_view import ResultView

_LEAST = 600
_BARS = tr("Point at a row to see its numbers.")


class AnatomyPage(QWidget):
    """Draws one :class:`Anatomy`, or shows what to do instead."""

    title = tr("Analogy breakdown")

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        theme = panel.theme
        self.anatomy: Anatomy | None = None
        self.bars = AnatomyBars(theme)
        self.baselines = BaselineTable(theme)
        # Above the page, below the panel's first row.
        self.verdict = kit.label(wrap=True)
        self.verdict.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.readout = kit.with_role(kit.ElidedLabel(), "muted")
        self.readout.put(_BARS)
        self._header = AnatomyHeader(theme, self.bars)
        self.bars.described.connect(lambda text: self.readout.put(text or self._formula()))
        self._build(panel)

    def _build(self, panel: Panel) -> None:
        left = kit.column(self._header, kit.stretch(self.bars), gap=0)
        right = kit.column(kit.stretch(self.baselines))
        sides = kit.row(kit.stretch(left), kit.stretch(right), gap=SPACE_4)
        inner = kit.box(kit.column(kit.stretch(sides), self.readout, gap=SPACE_1))
        kit.set_scaled_size(inner, least_width=_LEAST)
        area = kit.ScrollFrame()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        area.setWidget(inner)
        self.result = ResultView(panel, panel.key, f"{panel.key}.anatomy", area)
        self.result.on_clear(self._clear)
        self.notice = self.result.notice
        kit.fill(self, kit.column(self.result, margins=(0, SPACE_2, 0, 0)))

    def put(self, anatomy: Anatomy) -> None:
        """Show another analogy."""
        self.anatomy = anatomy
        self.bars.put(anatomy)
        self.baselines.put(anatomy)
        self.verdict.setText(verdict(anatomy) or tr("No candidate answers are left."))
        self.readout.put(self._formula())

    def _clear(self) -> None:
        """Forget the analogy, in whose place a message is shown."""
        self.anatomy = None
        self.bars.put(None)
        self.baselines.put(None)
        self.verdict.setText("")

    @property
    def lack(self) -> str:
        """The title of the message in place of the page, "" if there is none."""
        return self.result.lack

    def _formula(self) -> str:
        if self.anatomy is None:
            return _BARS
        return score_formula(self.anatomy)

    # -- export

    def figure_size(self) -> QSize:
        if self.anatomy is None:
            return QSize()
        return figure_size(self.anatomy)

    def paint_figure(self, painter: QPainter) -> None:
        """Paint the bars on white, whatever the theme: figures are for paper."""
        if self.anatomy is not None:
            paint_figure(painter, self.anatomy, LIGHT)

    def table(self) -> str:
        """The answers with their parts, then the baselines, as CSV."""
        if self.anatomy is None:
            return ""
        return anatomy_csv(self.anatomy)


def anatomy_csv(anatomy: Anatomy) -> str:
    """One line per word: its list, its rank, score, cosines with a, b, c and the parts."""
    a, b, c = anatomy.query
    near = {"only-c": f"near {c}", "only-a": f"near {a}", "ignore-b": f"{a} + {c}"}
    names = [f"{what} {word}" for what in ("cosine with", "part of") for word in (a, b, c)]
    rows: list[list[Cell]] = [
        [anatomy.method, place, one.word, one.score, *one.cosines, *one.parts]
        for place, one in enumerate(anatomy.candidates, 1)
    ]
    rows += [
        [near[baseline.key], place, answer.word, answer.score, *[None] * 6]
        for baseline in anatomy.baselines
        for place, answer in enumerate(baseline.answers, 1)
    ]
    return to_csv(["list", "place", "word", "score", *names], rows)
