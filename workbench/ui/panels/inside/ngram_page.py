"""The n-grams of a typed word with their contributions to its vector, and the nearest n-grams of
one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QLineEdit

from workbench.analysis.neighbours.ngrams import NearNgram, nearest_ngrams
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import decimal, plural, true_minus
from workbench.ui.base.theme import LIGHT, TYPE_LARGE, body_font
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.plots.paint_kit import RIGHT, draw_text, figure_font, fixed_decimals
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.ngram_rows import ngram_rows
from workbench.ui.widgets.tables.row_list import ListRow, RowList
from workbench.vectors.subwords import Composed, compose, subwords_of

_NEAREST = 20
_WIDE, _ROW, _ABOVE = 640, 24, 52


@dataclass(frozen=True)
class NgramState(PanelState):
    word: str = choice("")


class NgramPage(Instrument):
    """The contribution of each n-gram on the left, largest first; the neighbours of the picked one
    on the right.
    """

    local = "ngrams"
    state_kind = NgramState
    view_state: NgramState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._nearest = ResultJob(self.session.jobs, f"{self.key}.near")
        self._nearest.on_failed(lambda error: self._show_near((), error.message))
        self.found: Composed | None = None
        self.near: tuple[NearNgram, ...] = ()
        self.picked = ""
        self.word = self.named(
            QLineEdit(), "word", tr("Any word"), tr("Any word, in the vocabulary or not")
        )
        self.word.setPlaceholderText(tr("Type any word, even one outside the vocabulary"))
        self.fact = self.named(kit.label(role="muted"), "fact", tr("The word as a whole"))
        self.parts = RowList(self.theme, f"{self.key}.parts", tr("N-grams and their contributions"))
        self.others = RowList(
            self.theme, f"{self.key}.nearest", tr("N-grams nearest to the selected one")
        )
        self._heading = kit.label(tr("NEAREST N-GRAMS"), role="heading")
        self._problem = kit.label(role="muted", wrap=True)
        self.saved = Export(
            self,
            self.session,
            tr("The n-grams of a word"),
            "n-grams",
            self._figure_size,
            self._draw_figure,
            csv(self.table),
            ready=lambda: self.found is not None,
        )
        export = kit.export_button(self, self._current_export)
        kit.add(self.controls, kit.stretch(self.word), kit.stretch(self.fact), export)
        heading = kit.label(tr("CONTRIBUTIONS"), role="heading")
        parts = kit.column(heading, kit.stretch(self.parts), gap=kit.SPACE_1)
        nearest = (self._heading, self._problem, kit.stretch(self.others))
        sides = (kit.stretch(parts), kit.stretch(kit.column(*nearest, gap=kit.SPACE_1)))
        kit.fill(self.content, kit.row(*sides, gap=kit.SPACE_3, margins=(0, kit.SPACE_1, 0, 0)))
        self.bind(self.word, "word", by=[self.word.textEdited, self.word.returnPressed])
        self.parts.picked.connect(self._pick_ngram)
        self.others.picked.connect(lambda word: self.session.selection.select([word]))
        panel.follow(self.session.selection.changed, self._selection_changed)
        panel.follow(self.session.active.changed, self.refresh)

    def state_changed(self, before: NgramState, after: NgramState) -> None:
        self.refresh()

    def _selection_changed(self) -> None:
        if self.session.selection.focus is not None and not self.word.hasFocus():
            self.view_state = NgramState(self.session.selection.focus)

    def refresh(self) -> None:
        if not self.isVisible():
            return
        if not self.view_state.word and self.session.selection.focus is not None:
            self.view_state = NgramState(self.session.selection.focus)
        self._compose_word()

    def _compose_word(self) -> None:
        embeddings, word = self.session.active.trained, self.view_state.word.strip()
        if embeddings is None:
            return
        if subwords_of(embeddings) is None:
            self.show_message(
                tr("These vectors aren’t built from n-grams"),
                tr("Train fastText, or open a fastText model (.bin)."),
            )
            return
        if not word:
            self.show_message(
                tr("Which word?"), tr("Type any word above, even one that isn’t in the corpus.")
            )
            return
        title = tr("The n-grams of “{word}”", word=word)
        work = lambda run: compose(embeddings, word)  # noqa: E731
        self.work_quietly((embeddings, word), title, work, self._show_parts)

    def _show_parts(self, found: Composed) -> None:
        self.found = found
        self._nearest.forget()
        rows = ngram_rows(found.parts, 3, picked=True)
        parts = sorted(found.parts, key=lambda part: -part.share)
        first = next((part.text for part in parts if part.bucket >= 0), "")
        self.parts.put(("",), rows, first)
        self.fact.setText(_facts(found))
        self._show_near(())
        if first:
            self._pick_ngram(first)

    def _pick_ngram(self, text: str) -> None:
        embeddings, found = self.session.active.trained, self.found
        if (
            embeddings is None
            or found is None
            or not any(p.text == text and p.bucket >= 0 for p in found.parts)
        ):
            return
        self.picked = text
        self._heading.setText(tr("NEAREST TO {text}", text=text))
        title = tr("N-grams near “{text}”", text=text)
        work = partial(nearest_ngrams, embeddings, text, _NEAREST)
        self._nearest.ask(Request((embeddings, text), title, work, self._show_near, quiet=True))

    def _show_near(self, near: tuple[NearNgram, ...], problem: str = "") -> None:
        self.near = near
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        rows = [
            ListRow(
                one.text,
                (true_minus(f"{one.cosine:.2f}"),),
                one.cosine,
                tr("in {word}", word=one.word),
                one.word,
            )
            for one in near
        ]
        self.others.put(("",), rows)

    # -- export

    def _figure_size(self) -> QSize:
        rows = len(self.found.parts) if self.found is not None else 0
        return QSize(_WIDE, scaled_length(_ABOVE) + scaled_length(_ROW) * rows + 12)

    def exporters(self) -> Sequence[Exporter]:
        return (self.saved,)

    def _current_export(self) -> Export | None:
        if self.found is None:
            return None
        return self.saved

    def _draw_figure(self, painter: QPainter) -> None:
        """Draw the bars on white, whatever the theme: figures are for paper."""
        found, size = self.found, self._figure_size()
        if found is None:
            return
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(LIGHT.surface))
        title = tr("{word}: contribution of each n-gram to the norm", word=found.word)
        draw_text(
            painter,
            QRectF(16, 12, _WIDE - 32, 24),
            title,
            body_font(TYPE_LARGE, bold=True),
            LIGHT.text,
        )
        most = max((abs(part.share) for part in found.parts), default=0.0) or 1.0
        zero, room = 250.0, _WIDE - 250.0 - 90
        for row, part in enumerate(sorted(found.parts, key=lambda part: -part.share)):
            top = scaled_length(_ABOVE) + row * scaled_length(_ROW)
            draw_text(
                painter,
                QRectF(16, top, 140, scaled_length(_ROW)),
                part.text,
                figure_font(),
                LIGHT.text,
            )
            wide, colour = room * part.share / most, LIGHT.accent
            if part.share < 0:
                wide, colour = 80 * part.share / most, LIGHT.danger
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawRect(QRectF(zero, top + 7, wide, scaled_length(_ROW) - 14).normalized())
            draw_text(
                painter,
                QRectF(_WIDE - 86, top, 70, scaled_length(_ROW)),
                fixed_decimals(part.share),
                figure_font(),
                LIGHT.text,
                RIGHT,
            )

    def table(self) -> str:
        """The contribution of each part, then the neighbours of the picked part, as CSV."""
        rows: list[list[str | int | float | None]] = []
        if self.found is not None:
            rows += [
                [self.found.word, part.text, part.bucket, part.share, None]
                for part in self.found.parts
            ]
        rows += [[f"near {self.picked}", one.text, None, None, one.cosine] for one in self.near]
        return to_csv(["of", "n-gram", "bucket", "adds", "cosine"], rows)


def _facts(composed: Composed) -> str:
    """Number of n-grams and length of a composed vector, in words."""
    if not composed.parts:
        return tr("has no n-grams: a zero vector")
    seen = tr("in the vocabulary") if composed.seen else tr("not in the vocabulary")
    grams = plural(sum(part.bucket >= 0 for part in composed.parts), "n-gram")
    length = sum(part.share for part in composed.parts)
    return tr("{seen}, {grams}, norm {decimal}", seen=seen, grams=grams, decimal=decimal(length, 3))
