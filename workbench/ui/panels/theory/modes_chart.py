"""Chart of modes during training, each curve ending in its words, and the table of their words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent

from workbench.analysis.theory.mode_order import ModeEnds, ModeStudy, places
from workbench.core.language import percent, tr
from workbench.ui.base.text import count, decimal, true_minus
from workbench.ui.base.theme import Palette
from workbench.ui.plots.chart import Chart, ChartSeries, colour_of, draw_series
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.plots.end_names import (
    MOST_NAMES,
    NamedCurve,
    draw_end_names,
    place_end_names,
    room_for_names,
)
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.pane import Pane, X
from workbench.ui.widgets.tables.table_model import TableColumn

VALUES, PREDICTED = "values", "predicted"
Ends = tuple[tuple[str, ...], tuple[str, ...]]
# Maximum share of the plot's width for the names to the right of the curves.
_MOST_ROOM = 0.45
_DASH = "–"


def mode_text(ends: Ends, number: int = 3) -> str:
    """The words of a mode: "king, queen ↔ river, bank"."""
    return " ↔ ".join(", ".join(end[:number]) for end in ends if end)


def _sides_text(ends: ModeEnds) -> str:
    """Both sides of a mode, on two lines."""
    return tr(
        "Words: {words}\nContexts: {contexts}",
        words=mode_text(ends.words),
        contexts=mode_text(ends.contexts),
    )


class ModesChart(ChartView):
    """Curves over the share of training, the first eight labelled at their ends."""

    _names: tuple[str, ...] = ()

    def show_study(self, study: ModeStudy, kind: str) -> None:
        """Draw the singular values, or the strengths of the predicted modes as shares of their
        final values.
        """
        course = study.course
        if kind == PREDICTED:
            assert study.predicted is not None
            last = course.strengths[-1]
            with np.errstate(divide="ignore", invalid="ignore"):
                curves = np.where(last > 0, course.strengths / last, np.nan)
            ends = study.predicted_ends
            label = tr("share of the last strength")
        else:
            curves, ends = course.values, study.observed_ends
            label = tr("singular value of W·Cᵀ")
        series = []
        for mode in range(curves.shape[1]):
            name = mode_text(ends[mode].words, 1) if mode < len(ends) else ""
            y = curves[:, mode]
            tips = [
                tr(
                    "Mode {mode}: {name}\n{value} after {share} of the training",
                    mode=mode + 1,
                    name=name,
                    value=decimal(float(value)),
                    share=percent(true_minus(f"{100 * share:.1f}")),
                )
                for share, value in zip(course.progress.tolist(), y.tolist(), strict=True)
            ]
            colour = mode if mode < MOST_NAMES else None
            series.append(
                ChartSeries(
                    course.progress,
                    y,
                    f"{mode + 1} {name}",
                    colour,
                    line=True,
                    dots=False,
                    texts=tips,
                    keys=[str(mode)] * len(y),
                    role="" if colour is not None else "line",
                )
            )
        self._names = tuple(one.name for one in series[:MOST_NAMES])
        chart = Chart(tr("share of the training"), label, tuple(series), log_x=True, percent_x=True)
        self.set_chart(chart)

    def extent(self, pane: Pane) -> Extent | None:
        """The extent of all curves, with room for the names on the right."""
        found = super().extent(pane)
        if found is None or not self._names:
            return found
        width = max(self.areas(QRectF(self.rect()))[0].width(), 1.0)
        share = min(room_for_names(self._names) / width, _MOST_ROOM)
        assert pane.bottom is not None
        # No tick beyond the end of the training.
        pane.bottom.last = 1.0
        low, high = 0.0, 1.0
        if self.is_log(X):
            progress = self.series[0].x
            low, high = float(np.log10(progress[progress > 0].min(initial=1.0))), 0.0
        wide = max(high - low, 0.1)
        return (low, low + wide / (1.0 - share)), found[1]

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self.chart is not None:
            self.update_figure((self.chart.x_label, self.chart.y_label))

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        # The name of the first mode is placed first.
        named = [
            NamedCurve(one.name, colour_of(one, colours).name(), one.x[one.x > 0], one.y[one.x > 0])
            for one in reversed(self.series[:MOST_NAMES])
            if np.isfinite(one.y).all()
        ]
        painter.save()
        painter.setClipRect(frame.area.adjusted(-4, -4, 4, 4))
        if self.chart is not None and self.chart.y_label == tr("share of the last strength"):
            painter.setPen(QPen(QColor(colours.muted), 1))
            middle = float(frame.y(0.5))
            end = QPointF(float(frame.x(1.0)), middle)
            painter.drawLine(QPointF(frame.area.left(), middle), end)
        for one in reversed(self.series):
            draw_series(painter, one, frame, colours)
        painter.restore()
        draw_end_names(painter, place_end_names(named, frame), named, colours.surface)


# -- table


def mode_columns(study: ModeStudy, kind: str) -> list[TableColumn]:
    """Words and numbers of every mode."""
    if kind == PREDICTED and study.predicted is not None:
        return _predicted_columns(study)
    course = study.course
    number = len(course.last.values)
    return [
        _number_column("#", tr("Place by size"), 34, number),
        _words_column(study.observed_ends),
        TableColumn(
            tr("Singular value"),
            course.last.values,
            tr("Singular value of W·Cᵀ in the last snapshot"),
            text=lambda value: decimal(float(value)),
            key="value",
        ),
    ]


def _predicted_columns(study: ModeStudy) -> list[TableColumn]:
    modes = study.predicted
    assert modes is not None
    observed = places(study.halves)
    rates = modes.values / modes.values[0]
    return [
        _number_column(
            tr("Predicted"), tr("Rank in the predicted order of learning"), 76, len(rates)
        ),
        TableColumn(
            tr("Observed"),
            observed,
            tr("Rank in the observed order of learning"),
            text=_place_text,
            key="observed",
            width=76,
        ),
        _words_column(study.predicted_ends),
        TableColumn(
            tr("Rate"),
            rates,
            tr("Predicted growth rate at the start, the first mode’s being 1"),
            text=lambda value: true_minus(f"{value:.3f}"),
            key="rate",
            width=58,
        ),
        TableColumn(
            tr("Half learnt"),
            study.halves,
            tr("Share of the training after which the strength was half of its last value"),
            text=_share_text,
            key="half",
        ),
        TableColumn(
            tr("Overlap"),
            study.overlaps,
            tr("Overlap with the most similar mode of the trained W·Cᵀ: 1 means the same mode"),
            text=lambda value: true_minus(f"{value:.2f}"),
            key="overlap",
            spare=1,
        ),
    ]


def _number_column(title: str, tip: str, width: int, number: int) -> TableColumn:
    return TableColumn(title, list(range(1, number + 1)), tip, text=count, key="mode", width=width)


def _words_column(ends: Sequence[ModeEnds]) -> TableColumn:
    tips = [_sides_text(one) for one in ends]
    return TableColumn(
        tr("Extreme words"),
        [mode_text(one.words) for one in ends],
        tr("Words with the largest entries at both ends of the mode"),
        tips=tips,
        spoken=tips.__getitem__,
        key="words",
        stretch=True,
        number=False,
    )


def _place_text(value: float) -> str:
    if not np.isfinite(value):
        return _DASH
    return true_minus(f"{value:g}")


def _share_text(value: float) -> str:
    if not np.isfinite(value):
        return _DASH
    return percent(true_minus(f"{100 * value:.1f}"))
