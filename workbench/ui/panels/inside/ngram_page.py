"""The n-grams of any typed word: what each adds to its vector, and the n-grams nearest to one of them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from workbench.analysis.neighbours.ngrams import NearNgram, nearest_ngrams
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import scaled_length
from workbench.ui.text import MINUS, decimal, plural
from workbench.ui.theme import LIGHT, SPACE_1, SPACE_3, TYPE_LARGE, body_font
from workbench.ui.widgets.charts.export_actions import Export, ExportButton, csv
from workbench.ui.widgets.charts.paint_kit import RIGHT, draw_text, figure_font, fixed_decimals
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.row_list import ListRow, RowList
from workbench.vectors.subwords import Composed, compose, subwords_of

_NEAREST = 20
_WIDE, _ROW, _ABOVE = 640, 24, 52


class NgramPage(Instrument):
    """Left what each n-gram adds, greatest first; right the neighbours of the picked one."""

    local = "ngrams"
    title = tr("Subwords")

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._asked: tuple[object, ...] = ()
        self.found: Composed | None = None
        self.near: tuple[NearNgram, ...] = ()
        self.picked = ""
        self.word = self.named(QLineEdit(), "word", tr("Any word"), tr("Any string of letters, seen or not"))
        self.word.setPlaceholderText(tr("Type any word, also one that was never seen"))
        self.fact = self.named(PlainLabel(), "fact", tr("The word as a whole"))
        self.fact.setProperty("role", "muted")
        self.parts = RowList(self.theme, f"{self.key}.parts", tr("N-grams and what each adds"))
        self.others = RowList(self.theme, f"{self.key}.nearest", tr("N-grams nearest to the picked one"))
        self._heading = PlainLabel(tr("NEAREST N-GRAMS"))
        self._heading.setProperty("role", "heading")
        self._problem = PlainLabel()
        self._problem.setProperty("role", "muted")
        self._problem.setWordWrap(True)
        heading = PlainLabel(tr("WHAT EACH ADDS"))
        heading.setProperty("role", "heading")
        self.saved = Export(
            self, self.session, tr("The n-grams of a word"), "n-grams", self._size, self._draw, csv(self.table)
        )
        export = self.named(
            ExportButton(lambda: self.saved if self.found is not None else None), "export", tr("Export")
        )
        self.controls.addWidget(self.word, 1)
        self.controls.addWidget(self.fact, 1)
        self.controls.addWidget(export)
        sides = QHBoxLayout(self.content)
        sides.setContentsMargins(0, SPACE_1, 0, 0)
        sides.setSpacing(SPACE_3)
        for widgets in ((heading, self.parts), (self._heading, self._problem, self.others)):
            column = QVBoxLayout()
            column.setSpacing(SPACE_1)
            for widget in widgets:
                column.addWidget(widget, 1 if isinstance(widget, RowList) else 0)
            sides.addLayout(column, 1)
        self.word.textEdited.connect(lambda _: self._ask())
        self.word.returnPressed.connect(self._ask)
        self.parts.picked.connect(self._pick)
        self.others.picked.connect(lambda word: self.session.select([word]))
        panel.follow(self.session.selection_changed, self._selected)
        panel.follow(self.session.shown_changed, self.refresh)

    def _selected(self) -> None:
        if self.session.focus is not None and not self.word.hasFocus():
            self.word.setText(self.session.focus)
            self.refresh()

    def refresh(self) -> None:
        if not self.isVisible():
            return
        if not self.word.text() and self.session.focus is not None:
            self.word.setText(self.session.focus)
        self._ask()

    def _ask(self) -> None:
        embeddings, word = self.session.embeddings, self.word.text().strip()
        if embeddings is None:
            return
        if subwords_of(embeddings) is None:
            self._asked = ()
            self.show_message(
                tr("These vectors are not made of n-grams"),
                tr("Train fastText, or open a model of its program (.bin)."),
            )
            return
        if not word:
            self._asked = ()
            self.show_message(tr("Which word?"), tr("Type any word above, also one that the text does not hold."))
            return
        if (embeddings, word) == self._asked:
            return
        self._asked = (embeddings, word)
        self.session.jobs.drop(f"{self.key}.near")
        self.session.jobs.start(
            tr("The n-grams of “{word}”", word=word),
            lambda run: compose(embeddings, word),
            self._put,
            self.show_error,
            key=self.key,
            quiet=True,
        )

    def _put(self, found: Composed) -> None:
        self.show_content()
        self.found = found
        parts = sorted(found.parts, key=lambda part: -part.share)
        most = max((abs(part.share) for part in parts), default=0.0) or 1.0
        rows = []
        for part in parts:
            own = part.bucket < 0
            added = decimal(part.share, 4)
            tip = (
                tr("{text} adds {added} to the length", text=part.text, added=added)
                if own
                else tr(
                    "{text} adds {added} to the length, bucket {bucket}",
                    text=part.text,
                    added=added,
                    bucket=part.bucket,
                )
            )
            shown = f"{part.share:.3f}".replace("-", MINUS)
            rows.append(
                ListRow(part.text, (shown,), part.share / most, tr("the word itself") if own else "", part.text, tip)
            )
        first = next((part.text for part in parts if part.bucket >= 0), "")
        self.parts.put(("",), rows, first)
        length = sum(part.share for part in parts)
        grams = plural(sum(part.bucket >= 0 for part in parts), "n-gram")
        seen = tr("in the vocabulary") if found.seen else tr("never seen")
        self.fact.setText(
            tr("{seen}, {grams}, length {decimal}", seen=seen, grams=grams, decimal=decimal(length, 3))
            if parts
            else tr("has no n-grams: a zero vector")
        )
        self._near_put(())
        if first:
            self._pick(first)

    def _pick(self, text: str) -> None:
        embeddings, found = self.session.embeddings, self.found
        if embeddings is None or found is None or not any(p.text == text and p.bucket >= 0 for p in found.parts):
            return
        self.picked = text

        def work(run: JobControl) -> tuple[NearNgram, ...]:
            return nearest_ngrams(embeddings, text, _NEAREST, run)

        self._heading.setText(tr("NEAREST TO  {text}", text=text))
        self.session.jobs.start(
            tr("N-grams near “{text}”", text=text),
            work,
            self._near_put,
            lambda error: self._near_put((), error.message),
            key=f"{self.key}.near",
            quiet=True,
        )

    def _near_put(self, near: tuple[NearNgram, ...], problem: str = "") -> None:
        self.near = near
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        rows = [
            ListRow(
                one.text,
                (f"{one.cosine:.2f}".replace("-", MINUS),),
                one.cosine,
                tr("in {word}", word=one.word),
                one.word,
            )
            for one in near
        ]
        self.others.put(("",), rows)

    def cancel(self) -> None:
        self.discard_job()

    # -- export

    def _size(self) -> QSize:
        parts = self.found.parts if self.found is not None else ()
        return QSize(_WIDE, scaled_length(_ABOVE) + scaled_length(_ROW) * len(parts) + 12)

    def _draw(self, painter: QPainter) -> None:
        """The bars on white, whatever the theme: figures are for paper."""
        found, size = self.found, self._size()
        if found is None:
            return
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(LIGHT.surface))
        title = tr("{word}: what each n-gram adds to its length", word=found.word)
        draw_text(painter, QRectF(16, 12, _WIDE - 32, 24), title, body_font(TYPE_LARGE, bold=True), LIGHT.text)
        most = max((abs(part.share) for part in found.parts), default=0.0) or 1.0
        zero, room = 250.0, _WIDE - 250.0 - 90
        for row, part in enumerate(sorted(found.parts, key=lambda part: -part.share)):
            top = scaled_length(_ABOVE) + row * scaled_length(_ROW)
            draw_text(painter, QRectF(16, top, 140, scaled_length(_ROW)), part.text, figure_font(), LIGHT.text)
            wide = room * part.share / most if part.share > 0 else 80 * part.share / most
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(LIGHT.accent if part.share >= 0 else LIGHT.danger))
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
        """What each part adds, then the neighbours of the picked one."""
        rows: list[list[str | int | float | None]] = []
        if self.found is not None:
            rows += [[self.found.word, part.text, part.bucket, part.share, None] for part in self.found.parts]
        rows += [[f"near {self.picked}", one.text, None, None, one.cosine] for one in self.near]
        return to_csv(["of", "n-gram", "bucket", "adds", "cosine"], rows)
