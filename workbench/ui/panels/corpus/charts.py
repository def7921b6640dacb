"""Charts tab of the corpus panel: concordance lines, Zipf’s law, subsampling and noise
distribution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSlider, QWidget

from workbench.analysis.corpus.zipf import ZipfFit, fit_zipf
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import decimal, true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.export.export_actions import Export, ExportButton
from workbench.ui.panels.corpus.chart_figures import noise_figure, subsampling_figure, zipf_figure
from workbench.ui.panels.corpus.word_curves import WordCurves, WordCurvesView
from workbench.ui.widgets.layout.result_view import Request, ResultJob

LINES = "lines"
_LENSES = {
    LINES: (tr("Lines"), tr("Lines of the corpus that contain the selected word")),
    "zipf": (
        tr("Zipf"),
        tr("Count of each word against its rank, on log scales"),
    ),
    "subsampling": (
        tr("Subsampling"),
        tr("Share of a word’s tokens that subsampling keeps, by frequency"),
    ),
    "noise": (
        tr("Noise"),
        tr("Probability of drawing a word as a negative sample, by frequency"),
    ),
}
# The slider of t goes from 10⁻⁶ to 10⁻¹ in equal steps of its logarithm.
_STEPS, _LOWEST, _HIGHEST = 100, -6.0, -1.0
# Maximum number of lines of the caption.
_CAPTION = 8
SAMPLE, NS_EXPONENT = 1e-3, 0.75


class CorpusLenses(QWidget):
    """Concordance ``lines``, or one figure at a time. Emits ``picked`` with the clicked word."""

    picked = Signal(str)

    def __init__(self, session: Session, theme: Theme, lines: QWidget) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._corpus: Corpus | None = None
        self._chosen = -1
        self._fit: ZipfFit | None = None
        self._fitting = ResultJob(session.jobs, "corpus.zipf")
        self._fitting.on_failed(self._fit_failed)
        self._problem = ""
        self._model: object = None
        self._took_from_lines = False
        self.buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        for key, (title, tip) in _LENSES.items():
            button = kit.button(title, role="quiet", name=f"corpus.lens.{key}", checkable=True)
            button.setToolTip(safe_tip(tip))
            button.setAccessibleName(title)
            group.addButton(button)
            self.buttons[key] = button
        self.buttons[LINES].setChecked(True)
        group.buttonToggled.connect(lambda _, on: self._draw_figure() if on else None)
        self.export = ExportButton(self.exports)
        self.export.setObjectName("corpus.lens.export")
        self.export.setAccessibleName(tr("Export the figure or its data"))
        self.threshold = self._add_slider(
            "threshold", tr("Subsampling threshold t"), 0, int((_HIGHEST - _LOWEST) * _STEPS)
        )
        self.exponent = self._add_slider("exponent", tr("Noise exponent α"), 0, 100)
        self._value = kit.label(role="muted")
        kit.set_scaled_size(self._value, least_width=76)
        self.figure = WordCurvesView(theme)
        self.figure.setObjectName("corpus.lens.figure")
        self.figure.setAccessibleName(tr("Figure over the words of the corpus"))
        self.figure.picked.connect(self.picked)
        caption = kit.ElidedLabel(lines=_CAPTION)
        self.caption = kit.with_role(caption, "small", "corpus.lens.caption")
        sliders = (kit.stretch(self.threshold), kit.stretch(self.exponent))
        line = (self._value, *sliders, kit.stretch(), self.export)
        controls = kit.row(*line, gap=SPACE_3, margins=(SPACE_2, 0, 0, 0))
        page = kit.column(controls, kit.stretch(self.figure), self.caption, gap=SPACE_1)
        self._pages = kit.PageStack(lines, kit.box(page))
        lenses = kit.bar(*self.buttons.values(), kit.stretch(), gap=SPACE_1)
        kit.fill(self, kit.column(lenses, kit.stretch(self._pages)))
        self._set_values(SAMPLE, NS_EXPONENT)

    def _add_slider(self, name: str, title: str, low: int, high: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(low, high)
        slider.setPageStep(max((high - low) // 20, 1))
        slider.setObjectName(f"corpus.lens.{name}")
        slider.setAccessibleName(title)
        slider.setToolTip(safe_tip(title))
        slider.valueChanged.connect(lambda _: self._draw_figure())
        return slider

    # -- charts

    @property
    def lens(self) -> str:
        return next(key for key, button in self.buttons.items() if button.isChecked())

    def show_lines(self, possible: bool) -> None:
        """Enable the concordance; otherwise the first figure replaces it."""
        button = self.buttons[LINES]
        button.setEnabled(possible)
        if possible:
            button.setToolTip(safe_tip(_LENSES[LINES][1]))
        else:
            button.setToolTip(safe_tip(tr("Counts only, without text")))
        if not possible and self.lens == LINES:
            self.choose_lens("zipf")
        elif possible and self._took_from_lines:
            self.choose_lens(LINES)
        self._took_from_lines = not possible

    @property
    def available_lenses(self) -> list[tuple[str, str]]:
        """Keys and titles of the available charts."""
        return [
            (key, _LENSES[key][0]) for key, button in self.buttons.items() if button.isEnabled()
        ]

    def choose_lens(self, lens: str) -> None:
        """Show a chart by its key."""
        self.buttons[lens].setChecked(True)

    @property
    def t(self) -> float:
        return float(10.0 ** (_LOWEST + self.threshold.value() / _STEPS))

    @property
    def alpha(self) -> float:
        return self.exponent.value() / 100

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another vocabulary; its exponent is fitted in the background once the chart is
        visible.
        """
        self._corpus, self._fit, self._problem, self._chosen = corpus, None, "", -1
        self._fitting.forget()
        self._draw_figure()

    def set_chosen(self, rank: int | None) -> None:
        """Mark the word with a rank (from 0)."""
        chosen = rank if rank is not None else -1
        if chosen != self._chosen:
            self._chosen = chosen
            if self.lens != LINES and self.figure.figure is not None:
                self.figure.set_figure(replace(self.figure.figure, chosen=chosen))

    def use_parameters(self, parameters: Mapping[str, object]) -> None:
        """Use t and α of a run's parameters, if it has them."""
        if parameters == self._model:
            return
        self._model = parameters
        values = [
            float(value) if isinstance(value, (int, float)) and value > 0 else default
            for value, default in (
                (parameters.get("sample"), SAMPLE),
                (parameters.get("ns_exponent"), NS_EXPONENT),
            )
        ]
        self._set_values(values[0], values[1])

    def _set_values(self, t: float, alpha: float) -> None:
        self.threshold.setValue(round((math.log10(t) - _LOWEST) * _STEPS))
        self.exponent.setValue(round(alpha * 100))

    def _start_fit(self, corpus: Corpus) -> None:
        if self._fit is not None or self._problem:
            return
        title = tr("Fitting Zipf’s law")
        work = lambda run: fit_zipf(corpus.counts)  # noqa: E731
        self._fitting.ask(Request((corpus,), title, work, self._fit_finished, quiet=True))

    def _fit_finished(self, fit: ZipfFit) -> None:
        self._fit = fit
        self._draw_figure()

    def _fit_failed(self, error: UserError) -> None:
        self._problem = error.message
        self._draw_figure()

    def _draw_figure(self) -> None:
        lens, corpus = self.lens, self._corpus
        if lens == LINES:
            self._pages.setCurrentIndex(0)
        else:
            self._pages.setCurrentIndex(1)
        self.threshold.setVisible(lens == "subsampling")
        self.exponent.setVisible(lens == "noise")
        self.export.setEnabled(corpus is not None)
        if lens == LINES:
            return
        if corpus is None or not corpus.types:
            self.figure.set_figure(None)
            self.caption.put("")
            return
        if lens == "zipf":
            self._start_fit(corpus)
            self._set_value_text(tr("log count against log rank"))
            figure, caption = zipf_figure(corpus, self._fit, self._problem, self._chosen)
        elif lens == "subsampling":
            self._set_value_text(f"t = {decimal(self.t, 2)}")
            figure, caption = subsampling_figure(corpus, self.t, self._chosen)
        else:
            self._set_value_text(f"α = {true_minus(f'{self.alpha:.2f}')}")
            figure, caption = noise_figure(corpus, self.alpha, self._chosen)
        self.figure.set_figure(figure)
        self.exports()
        self.caption.put(caption)

    def _set_value_text(self, text: str) -> None:
        if text != self._value.text():
            self._value.setText(text)

    # -- export

    def exports(self) -> Export | None:
        """Export of the current figure, and of the numbers of all words."""
        shown = self.figure.figure
        if shown is None:
            return None
        return self.figure.offer_files(
            self._session, shown.title, self.lens, lambda: self._figure_table(shown)
        )

    def _figure_table(self, figure: WordCurves) -> str:
        assert self._corpus is not None
        corpus = self._corpus
        header = ["rank", "word", "count"]
        columns: list[np.ndarray] = []
        if self.lens == "zipf":
            header += ["fitted"]
            fit = self._fit
            fitted = np.full(corpus.types, np.nan)
            if fit is not None:
                fitted[: fit.words] = fit.at_rank(figure.x[: fit.words])
            columns = [fitted]
        else:
            header += ["share", "kept" if self.lens == "subsampling" else "noise"]
            columns = [figure.x, figure.y]
            if self.lens == "subsampling":
                header.append("kept_paper")
                columns.append(figure.chart.series[0].y)
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        rows: list[list[Cell]] = [
            [rank, word, number, *values]
            for rank, (word, number, values) in enumerate(
                zip(corpus.words, corpus.counts.tolist(), numbers, strict=True), start=1
            )
        ]
        return to_csv(header, rows)
