"""Lenses on a corpus: the lines of a word, and Zipf's law, subsampling and noise with the corpus's own words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.lenses import noise, subsampling
from workbench.analysis.zipf import ZipfFit, fit_zipf
from workbench.core.errors import UserError
from workbench.core.tables import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.session import Session
from workbench.ui.text import count, decimal, plural
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.widgets.curve_figure import Axis, CurveFigure, Figure, Series
from workbench.ui.widgets.exporting import Export, ExportButton, csv

LINES = "lines"
_LENSES = {
    LINES: ("Lines", "Where the selected word stands in the text"),
    "zipf": ("Zipf", "How often a word stands in the text against its rank, both logarithmic"),
    "subsampling": ("Subsampling", "The share of a word’s tokens that subsampling keeps, by its frequency"),
    "noise": ("Noise", "How likely a word is to be drawn as a negative sample, by its frequency"),
}
# The slider of t goes in such steps of its logarithm, from 10⁻⁶ to 10⁻¹.
_STEPS, _LOWEST, _HIGHEST = 100, -6.0, -1.0
_NAMED = 14
SAMPLE, NS_EXPONENT = 1e-3, 0.75


class CorpusLenses(QWidget):
    """``lines``, or one figure at a time. ``picked`` tells the word that was clicked on it."""

    picked = Signal(str)

    def __init__(self, session: Session, theme: Theme, lines: QWidget) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._corpus: Corpus | None = None
        self._chosen = -1
        self._fit: ZipfFit | None = None
        self._problem = ""
        self._model: object = None
        self.buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(SPACE_1)
        for key, (title, tip) in _LENSES.items():
            button = QPushButton(title)
            button.setCheckable(True)
            button.setProperty("role", "quiet")
            button.setToolTip(tip)
            button.setObjectName(f"corpus.lens.{key}")
            button.setAccessibleName(title)
            group.addButton(button)
            row.addWidget(button)
            self.buttons[key] = button
        self.buttons[LINES].setChecked(True)
        group.buttonClicked.connect(lambda _: self._draw())
        row.addStretch()
        self.export = ExportButton(self.exports)
        self.export.setObjectName("corpus.lens.export")
        self.export.setAccessibleName("Export the figure or its numbers")
        self.threshold = self._slider("threshold", "Subsampling threshold t", 0, int((_HIGHEST - _LOWEST) * _STEPS))
        self.exponent = self._slider("exponent", "Noise exponent α", 0, 100)
        self._value = QLabel()
        self._value.setProperty("role", "muted")
        self._value.setMinimumWidth(76)
        line = QHBoxLayout()
        line.setContentsMargins(SPACE_2, 0, 0, 0)
        line.setSpacing(SPACE_3)
        line.addWidget(self._value)
        line.addWidget(self.threshold, 1)
        line.addWidget(self.exponent, 1)
        line.addStretch()
        line.addWidget(self.export)
        self.figure = CurveFigure(theme)
        self.figure.setObjectName("corpus.lens.figure")
        self.figure.setAccessibleName("Figure over the words of the corpus")
        self.figure.picked.connect(self.picked)
        self.caption = QLabel()
        self.caption.setObjectName("corpus.lens.caption")
        self.caption.setProperty("role", "small")
        self.caption.setWordWrap(True)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(SPACE_1)
        inside.addLayout(line)
        inside.addWidget(self.figure, 1)
        inside.addWidget(self.caption)
        self._pages = QStackedWidget()
        self._pages.addWidget(lines)
        self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addLayout(row)
        column.addWidget(self._pages, 1)
        self._set_values(SAMPLE, NS_EXPONENT)

    def _slider(self, name: str, title: str, low: int, high: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(low, high)
        slider.setPageStep(max((high - low) // 20, 1))
        slider.setObjectName(f"corpus.lens.{name}")
        slider.setAccessibleName(title)
        slider.setToolTip(title)
        slider.valueChanged.connect(lambda _: self._draw())
        return slider

    # -- what is shown

    @property
    def lens(self) -> str:
        return next(key for key, button in self.buttons.items() if button.isChecked())

    def choose(self, lens: str) -> None:
        """Show one of the lenses by its key."""
        self.buttons[lens].setChecked(True)
        self._draw()

    @property
    def t(self) -> float:
        return float(10.0 ** (_LOWEST + self.threshold.value() / _STEPS))

    @property
    def alpha(self) -> float:
        return self.exponent.value() / 100

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another vocabulary; its exponent is fitted in the background."""
        self._corpus, self._fit, self._problem, self._chosen = corpus, None, "", -1
        self._session.jobs.drop("corpus.zipf")
        if corpus is not None:
            self._session.jobs.start(
                "Fitting Zipf’s law", lambda run: fit_zipf(corpus.counts), self._fitted, self._not_fitted,
                key="corpus.zipf", quiet=True,
            )  # fmt: skip
        self._draw()

    def set_chosen(self, rank: int | None) -> None:
        """Mark the word of a rank (from 0)."""
        chosen = -1 if rank is None else rank
        if chosen != self._chosen:
            self._chosen = chosen
            if self.lens != LINES and self.figure.figure is not None:
                self.figure.put(replace(self.figure.figure, chosen=chosen))

    def like(self, parameters: Mapping[str, object]) -> None:
        """Take t and α from a run's parameters, where it has them."""
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

    def _fitted(self, fit: ZipfFit) -> None:
        self._fit = fit
        self._draw()

    def _not_fitted(self, error: UserError) -> None:
        self._problem = error.message
        self._draw()

    def _draw(self) -> None:
        if not hasattr(self, "caption"):
            return
        lens, corpus = self.lens, self._corpus
        self._pages.setCurrentIndex(0 if lens == LINES else 1)
        self.threshold.setVisible(lens == "subsampling")
        self.exponent.setVisible(lens == "noise")
        self.export.setEnabled(corpus is not None)
        if lens == LINES:
            return
        if corpus is None or not corpus.types:
            self.figure.put(None)
            self.caption.setText("")
            return
        if lens == "zipf":
            self._say("log count against log rank")
        figure, caption = {"zipf": self._zipf, "subsampling": self._subsampling, "noise": self._noise}[lens](corpus)
        self.figure.put(figure)
        if caption != self.caption.text():
            self.caption.setText(caption)

    def _zipf(self, corpus: Corpus) -> tuple[Figure, str]:
        ranks = np.arange(1, corpus.types + 1, dtype=np.float64)
        counts = corpus.counts.astype(np.float64)
        top = max(float(counts[0]), 10.0)
        law = Series(ranks, counts[0] / ranks, "muted", True, "count ∝ 1/rank")
        series: tuple[Series, ...] = (law, Series(ranks, counts, "accent", legend="the corpus"))
        caption = self._problem or "Fitting the exponent …"
        fit = self._fit
        if fit is not None:
            inside = ranks[: fit.words]
            legend = f"fitted: count ∝ 1/rank^{decimal(fit.slope, 3)}"
            series = (law, series[1], Series(inside, fit.at_rank(inside), "danger", False, legend))
            digits = max(0, min(4, 1 - math.floor(math.log10(max(fit.slope_error, 1e-4)))))
            caption = (
                f"s = {fit.slope:.{digits}f} ± {fit.slope_error:.{digits}f} in count ∝ rank⁻ˢ (α = {fit.alpha:.2f} "
                f"of the counts), maximum likelihood over the {count(fit.words)} words counted at least "
                f"{count(fit.least)} times, ranks 1 to {count(fit.words)}; greatest distance "
                f"D = {decimal(fit.distance, 2)} (Clauset, Shalizi & Newman 2009)"
            )

        def tell(n: int) -> str:
            return f"{corpus.words[n]}\nrank {count(n + 1)} · {count(int(corpus.counts[n]))} ×"

        figure = Figure(
            Axis("rank", 1.0, max(float(corpus.types), 10.0)), Axis("count", 1.0, top), series, corpus.words, ranks,
            counts, tell, _spread(corpus.types), self._chosen, f"Zipf’s law in {corpus.name}",
        )  # fmt: skip
        return figure, caption

    def _subsampling(self, corpus: Corpus) -> tuple[Figure, str]:
        found = subsampling(corpus.counts, self.t)
        self._say(f"t = {decimal(self.t, 2)}")

        def tell(n: int) -> str:
            return (
                f"{corpus.words[n]}\n{decimal(100 * found.share[n], 3)} % of tokens\n"
                f"kept {decimal(100 * found.program[n], 3)} %, by the paper {decimal(100 * found.paper[n], 3)} %"
            )

        figure = Figure(
            self._shares(corpus), Axis("tokens kept", 0.0, 1.0, False, 100.0, " %"),
            (
                Series(found.share, found.paper, "muted", True, "the paper: √(t/f)"),
                Series(found.share, found.program, "accent", False, "word2vec: (√(f/t) + 1)·t/f"),
            ),
            corpus.words, found.share, found.program, tell, _spread(corpus.types), self._chosen,
            f"Subsampling of {corpus.name} at t = {self.t:.2g}",
        )  # fmt: skip
        caption = (
            f"{plural(found.touched, 'word')} of {count(corpus.types)} lose tokens; "
            f"{100 * found.left:.1f} % of all tokens are left ({100 * found.paper_left:.1f} % by the paper’s rule)."
        )
        return figure, caption

    def _noise(self, corpus: Corpus) -> tuple[Figure, str]:
        found = noise(corpus.counts, self.alpha)
        self._say(f"α = {self.alpha:.2f}")

        def tell(n: int) -> str:
            times = found.noise[n] / found.share[n]
            return (
                f"{corpus.words[n]}\n{decimal(100 * found.share[n], 3)} % of tokens\n"
                f"{decimal(100 * found.noise[n], 3)} % of the noise: {decimal(times, 2)} ×"
            )

        shares = self._shares(corpus)
        low, high = float(min(found.noise[-1], shares.low)), float(max(found.noise[0], shares.high))
        figure = Figure(
            shares, Axis("share of the noise", low, high, True, 100.0, " %"),
            (
                Series(found.share, found.share, "muted", True, "as in the text (α = 1)"),
                Series(found.share, found.noise, "accent", False, f"n^{self.alpha:.2f} / Σ n^{self.alpha:.2f}"),
            ),
            corpus.words, found.share, found.noise, tell, _spread(corpus.types), self._chosen,
            f"Noise distribution of {corpus.name}, exponent {self.alpha:.2f}",
        )  # fmt: skip
        caption = f"{count(found.favoured)} of {plural(corpus.types, 'word')} are drawn more often than they are read."
        return figure, caption

    def _shares(self, corpus: Corpus) -> Axis:
        total = max(corpus.tokens, 1)
        low, high = corpus.counts[-1] / total, corpus.counts[0] / total
        return Axis("share of all tokens", float(low), float(max(high, low * 10)), True, 100.0, " %")

    def _say(self, text: str) -> None:
        if text != self._value.text():
            self._value.setText(text)

    # -- export

    def exports(self) -> Export | None:
        """The figure as it stands, and the numbers of every word."""
        if self.figure.figure is None:
            return None
        shown, size, colours = self.figure.figure, self.figure.size(), self._theme.palette

        def draw(painter: QPainter) -> None:
            painter.fillRect(0, 0, size.width(), size.height(), QColor(colours.surface))
            self.figure.draw(painter, size, colours)

        return Export(self, self._session, shown.title, self.lens, lambda: size, draw, csv(lambda: self._table(shown)))

    def _table(self, figure: Figure) -> str:
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
                columns.append(figure.series[0].y)
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        rows: list[list[Cell]] = [
            [rank, word, number, *values]
            for rank, (word, number, values) in enumerate(
                zip(corpus.words, corpus.counts.tolist(), numbers, strict=True), start=1
            )
        ]
        return to_csv(header, rows)


def _spread(types: int) -> tuple[int, ...]:
    """Numbers of words from the most frequent to the rarest, evenly on a logarithmic axis."""
    return tuple(np.unique(np.geomspace(1, max(types, 1), min(_NAMED, types)).astype(int) - 1).tolist())
