"""Shared n-grams or contexts of two words, their shares of the cosine, and the lines that contain
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from workbench.analysis.neighbours.shared_contexts import (
    ContextSettings,
    SharedContexts,
    shared_contexts,
    shared_in_text,
)
from workbench.analysis.shared_ngrams import SharedNgrams, shared_ngrams
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import percent, tr
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import UNKNOWN, decimal, mark_unknown, plural, true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_2, Theme
from workbench.ui.export.export_actions import Export, ExportButton, csv
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.concordance_pane import LONG, ConcordancePane
from workbench.ui.widgets.tables.row_list import ListRow, RowList
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.vectors.embeddings import Embeddings


class SharedContextsView(QWidget):
    """Shared contexts of two words. Emits ``picked``; widget names begin with ``owner``."""

    picked = Signal(str)

    def __init__(self, session: Session, theme: Theme, owner: str) -> None:
        super().__init__()
        self._session = session
        self._key = f"{owner}.shared"
        self._explaining = ResultJob(session.jobs, self._key)
        self._explaining.on_failed(self._explanation_failed)
        self._pair = ("", "")
        self._embeddings: Embeddings | None = None
        self._found: SharedContexts | None = None
        self._ngrams: SharedNgrams | None = None
        # The reason why there are no contexts, if there are n-grams.
        self._problem = ""
        self._context = ""
        self.title = kit.label(role="large", name=f"{self._key}.title", wrap=True)
        self.note = kit.label(role="small", name=f"{self._key}.note", wrap=True)
        self.list = RowList(
            theme, f"{self._key}.list", tr("Shared contexts, largest contribution first")
        )
        self.list.setToolTip(tr("Click a context to see the lines where it occurs with the word"))
        self.list.picked.connect(self._choose_context)
        self.list.opened.connect(self.picked.emit)
        self.export = ExportButton(self.exports)
        self.export.setObjectName(f"{self._key}.export")
        self.export.setAccessibleName(tr("Export the shared contexts"))
        self.lines = ConcordancePane(session, theme, self._key, width=8, compact=True)
        self.lines.picked.connect(self.picked)
        self.sides = [
            self._choice("", "one", tr("Lines with the first word")),
            self._choice("", "two", tr("Lines with the second word")),
        ]
        for side in self.sides:
            kit.set_scaled_size(side, least_width=30)
            kit.set_scaled_size(side, most_width=110)
        self._group(self.sides).buttonClicked.connect(lambda _: self._show_lines())
        self.by_ngrams = self._choice(tr("N-grams"), "by_ngrams", tr("Explain by shared n-grams"))
        self.by_contexts = self._choice(
            tr("Contexts"), "by_contexts", tr("Explain by shared contexts")
        )
        ways = self._group([self.by_ngrams, self.by_contexts])
        ways.buttonClicked.connect(lambda _: self._show_parts())
        self.onward = kit.button(
            tr("Corpus ›"),
            role="link",
            name=f"{self._key}.onward",
            pressed=lambda: session.requests.lines.emit(self._side_word, self._context),
        )
        self.onward.setAccessibleName(tr("Show these lines in the corpus panel"))
        self._build()
        self._set_explanation(_NOTHING)

    def _choice(self, text: str, name: str, accessible: str) -> QPushButton:
        button = kit.button(text, role="quiet", name=f"{self._key}.{name}", checkable=True)
        button.setAccessibleName(accessible)
        return button

    def _group(self, buttons: Sequence[QPushButton]) -> QButtonGroup:
        """Buttons of which one is always checked, at first the first one."""
        group = QButtonGroup(self)
        for button in buttons:
            group.addButton(button)
        buttons[0].setChecked(True)
        return group

    def _build(self) -> None:
        title = (kit.stretch(self.title), kit.at_top(self.export))
        ways = (self.by_ngrams, self.by_contexts, kit.stretch(share=1))
        above = kit.column(
            kit.row(*title, gap=None, margins=(SPACE_2, 0, SPACE_1, 0)),
            kit.row(*ways, gap=SPACE_1, margins=(SPACE_2, 0)),
            kit.row(self.note, margins=(SPACE_2, 0)),
            kit.stretch(self.list),
            gap=SPACE_1,
        )
        sides = kit.row(*self.sides, kit.stretch(), self.onward, gap=SPACE_1)
        self._below = kit.box(kit.column(sides, kit.stretch(self.lines), gap=SPACE_1))
        kit.fill(self, kit.column(kit.stretch(kit.box(above), 3), kit.stretch(self._below, 2)))

    @property
    def busy(self) -> bool:
        return self._explaining.busy or self.lines.busy

    @property
    def context_result(self) -> SharedContexts | None:
        return self._found

    @property
    def ngram_result(self) -> SharedNgrams | None:
        """Shares of the n-grams in the cosine, if the model has n-grams."""
        return self._ngrams

    @property
    def _has_result(self) -> bool:
        return self._found is not None or self._ngrams is not None

    def explain_pair(self, embeddings: Embeddings | None, word: str, other: str) -> None:
        """Explain another pair of words."""
        corpus = self._session.corpora.current
        if self._session.corpora.text is not self.lines.corpus:
            self.lines.set_corpus(self._session.corpora.text)
        self._embeddings, self._pair = embeddings, (word, other)
        if embeddings is None or not word or not other:
            self.drop_search()
            self._set_explanation(_NOTHING)
            return
        self._explaining.ask(
            Request(
                (embeddings, corpus, word, other),
                tr("Comparing the contexts of “{word}” and “{other}”", word=word, other=other),
                lambda run: _explain_pair(embeddings, corpus, word, other, run),
                self._set_explanation,
                quiet=corpus is None or corpus.tokens < LONG,
            )
        )

    def drop_search(self) -> None:
        """Drop the current job."""
        self._explaining.forget()
        self.lines.look_for("")

    def _explanation_failed(self, error: UserError) -> None:
        self._set_explanation(_NOTHING)
        self.title.setText(error.message)
        self.note.setText(error.hint)

    def _set_explanation(self, why: _Explanation) -> None:
        self._found, self._ngrams, self._problem, self._context = (
            why.contexts,
            why.ngrams,
            why.problem,
            "",
        )
        for button in (self.by_ngrams, self.by_contexts):
            button.setVisible(self._ngrams is not None)
        self._show_parts()

    def _show_parts(self) -> None:
        """Show the n-grams or the contexts, depending on the choice."""
        self._context = ""
        self._below.setVisible(False)
        self.list.setVisible(self._has_result)
        if self._ngrams is not None and self.by_ngrams.isChecked():
            self.export.setVisible(True)
            self._show_ngrams(self._ngrams)
        else:
            self.export.setVisible(self._found is not None)
            self._show_contexts(self._found)

    def _show_ngrams(self, found: SharedNgrams) -> None:
        self.title.setText(f"{found.word} · {found.other}")
        self.note.setText(ngram_statement(found))
        if not found.shown:
            self.list.put((), [])
            return
        best = (
            max(
                (abs(part) for part in (*(one.part for one in found.shown), found.rest)),
                default=1.0,
            )
            or 1.0
        )
        rows = [
            ListRow(
                one.text,
                (_format_part(one.part, found.cosine),),
                one.part / best,
                tip=tr(
                    "{part} of the cosine of {cosine}",
                    part=_format_cosine(one.part),
                    cosine=_format_cosine(found.cosine),
                ),
            )
            for one in found.shown
        ]
        tip = tr(
            "Pairs of n-grams that differ, and the two words’ own vectors: {part}",
            part=_format_cosine(found.rest),
        )
        rows.append(
            ListRow(
                tr("everything else"),
                (_format_part(found.rest, found.cosine),),
                found.rest / best,
                tip=tip,
            )
        )
        self.list.put((tr("n-gram in both words"), tr("part")), rows)

    def _show_contexts(self, found: SharedContexts | None) -> None:
        if found is None:
            if self._pair[1]:
                self.title.setText("")
            else:
                self.title.setText(tr("Select a neighbour to see why it is near."))
            self.note.setText(self._problem)
            self.list.put((), ())
            return
        self.title.setText(f"{found.word} · {found.other}")
        self.note.setText(_cosine_statement(found))
        best = max((abs(one.part) for one in found.shown), default=1.0) or 1.0
        rows = [
            ListRow(
                one.word,
                (_format_part(one.part, found.total),),
                one.part / best,
                one.side,
                one.word,
                tr(
                    "{part} of {total}: {left} for {word}, {right} for {other}",
                    part=_format_cosine(one.part),
                    total=_format_cosine(found.total),
                    left=decimal(one.left, 3),
                    word=found.word,
                    right=decimal(one.right, 3),
                    other=found.other,
                ),
            )
            for one in found.shown
        ]
        self.list.put((tr("shared context"), tr("part")), rows)
        for button, word in zip(self.sides, (found.word, found.other), strict=True):
            button.setText(menu_text(word))
            button.setAccessibleName(tr("Lines with {word}", word=word))

    # -- the lines behind a context

    @property
    def _side_word(self) -> str:
        return self._pair[0 if self.sides[0].isChecked() else 1]

    def _choose_context(self, context: str) -> None:
        self._context = context
        self._show_lines()

    def _show_lines(self) -> None:
        if self._session.corpora.text is None or not self._context:
            return
        self._below.setVisible(True)
        counting = self._context_settings
        size = len(self._session.corpora.text.vocabulary(counting.min_count, counting.max_vocab))
        self.lines.look_for(self._side_word, self._context, counting.window, size)

    @property
    def _context_settings(self) -> ContextSettings:
        return ContextSettings().as_counted(self._embeddings)

    def exports(self) -> Export | None:
        ngrams, contexts = self._ngrams, self._found
        if ngrams is not None and self.by_ngrams.isChecked():
            rows = [*((one.text, one.part) for one in ngrams.shown), ("", ngrams.rest)]
            return self._export_of(
                tr("Shared n-grams"), "ngrams", ngrams, lambda: to_csv(["n-gram", "part"], rows)
            )
        if contexts is None:
            return None

        def table() -> str:
            rows = ((one.word, one.side, one.part, one.left, one.right) for one in contexts.shown)
            return to_csv(["context", "side", "part", contexts.word, contexts.other], rows)

        return self._export_of(tr("Shared contexts"), "shared", contexts, table)

    def _export_of(
        self, title: str, kind: str, found: SharedContexts | SharedNgrams, table: Callable[[], str]
    ) -> Export:
        return Export(
            self, self._session, title, f"{kind}-{found.word}-{found.other}", texts=csv(table)
        )


@dataclass(frozen=True)
class _Explanation:
    """ngrams : n-grams, if the model has them; problem : why there are no contexts although there
    are n-grams
    """

    contexts: SharedContexts | None = None
    ngrams: SharedNgrams | None = None
    problem: str = ""


_NOTHING = _Explanation()


def _explain_pair(
    embeddings: Embeddings, corpus: Corpus | None, word: str, other: str, run: JobControl
) -> _Explanation:
    ngrams = shared_ngrams(embeddings, word, other)
    try:
        return _Explanation(_shared_contexts(embeddings, corpus, word, other, run), ngrams)
    except UserError as error:
        if ngrams is None:
            raise
        return _Explanation(None, ngrams, str(error))


def _shared_contexts(
    embeddings: Embeddings, corpus: Corpus | None, word: str, other: str, run: JobControl
) -> SharedContexts:
    exact = shared_contexts(embeddings, word, other)
    if exact is not None:
        return exact
    if corpus is None:
        raise UserError(
            tr(
                "The columns of these vectors aren’t contexts, and no corpus is open to "
                "count contexts in."
            ),
            tr("Open the corpus that the model was trained on."),
        )
    return shared_in_text(corpus, embeddings, word, other, run=run)


def _format_part(part: float, total: float) -> str:
    if total:
        return percent(true_minus(f"{100 * part / total:.1f}"))
    return UNKNOWN


@mark_unknown
def _format_cosine(value: float) -> str:
    return true_minus(f"{value:.4f}")


def ngram_statement(found: SharedNgrams) -> str:
    """Describe the share of the n-grams in the cosine."""
    cosine, shared, rest = (
        shown_score(value) for value in (found.cosine, found.shared, found.rest)
    )
    if not found.shown:
        return tr("Cosine {cosine}. The two words don’t share any n-grams.", cosine=cosine)
    return tr(
        "Cosine {cosine}: {shared} comes from {number} that both words contain, {rest} from "
        "everything else. "
        "Each vector is the mean of the word’s n-grams ({one} and {two}) and the word’s own "
        "vector, so the "
        "parts are exact.",
        cosine=cosine,
        shared=shared,
        number=plural(len(found.shown), "n-gram"),
        rest=rest,
        one=found.ngrams[0],
        two=found.ngrams[1],
    )


def _cosine_statement(found: SharedContexts) -> str:
    number, cosine = plural(found.number, "shared context"), shown_score(found.cosine)
    if found.exact:
        return tr(
            "Cosine {cosine}, exactly the sum of the parts of {number}.",
            cosine=cosine,
            number=number,
        )
    window = found.counting.window if found.counting is not None else 0
    return tr(
        "Cosine {cosine}. The model doesn’t show which contexts this cosine comes from, "
        "but the open text does, roughly: {number}, each observed at least {least} times "
        "with both words within {window} words. With these contexts alone (PPMI), the two "
        "words have a cosine of {total}. Each context contributes a part.",
        cosine=cosine,
        number=number,
        least=found.least,
        window=window,
        total=shown_score(found.total),
    )
