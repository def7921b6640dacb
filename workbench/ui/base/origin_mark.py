"""Notice that the model in a panel was trained on another text than the open one, or was rebuilt
from a few modes, with a link back.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr, trn
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond, option_differences, text_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.boxes import fill, row, stretch
from workbench.ui.base.controls import button, label, with_role
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, Theme


class OriginMark(QWidget):
    """Hidden while all models in the panel are complete and trained on the open text, if one is
    open.
    """

    def __init__(self, key: str, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._known: object = None
        self._record: RunRecord | None = None
        self._back_to_all = False
        # Sentence and link, in full and in a short form.
        self._forms = (("", ""), ("", ""))
        self.setObjectName(f"{key}.origin")
        self._dot = label()
        self.text = with_role(ElidedLabel(tells=False), "warning", f"{key}.origin.text")
        self.open = button(
            tr("Open the run’s corpus"),
            role="link",
            name=f"{key}.origin.open",
            pressed=self._open,
        )
        fill(self, row(self._dot, stretch(self.text), self.open))
        self.lie_in_title(False)
        self.hide()

    def lie_in_title(self, in_title: bool) -> None:
        """Set whether the notice is in the title of a dock, which determines its height, or above
        the content of a panel.
        """
        if in_title:
            across, down = (SPACE_2, 0)
        else:
            across, down = (SPACE_3, SPACE_1)
        self.setContentsMargins(across, down, across, down)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def _fit_text(self) -> None:
        """Use the short form if the whole sentence doesn't fit."""
        for text, link in self._forms:
            if link != self.open.text():
                self.open.setText(link)
            taken = self._dot.sizeHint().width() + 2 * SPACE_2
            taken += self.open.sizeHint().width() if self._record is not None else 0
            if (
                taken + self.text.fontMetrics().horizontalAdvance(text)
                <= self.contentsRect().width()
            ):
                break
        self.text.put(text)
        self.text.setAccessibleName(self._forms[0][0])

    def show_runs(
        self, records: Sequence[RunRecord], rebuilt: bool = False, unknown: bool = True
    ) -> None:
        """Show the notice for the runs drawn; cheap if nothing has changed.

        rebuilt : whether the panel draws vectors rebuilt from the first modes, if there are any
        unknown : whether the panel also names runs whose corpus is unknown
        """
        corpus = self._session.corpora.current
        active = self._session.active
        modes = active.modes if rebuilt and active.run in records else 0
        known = (
            modes,
            None if corpus is None else (corpus.digest, corpus.name),
            tuple((record.identifier, record.name, record.corpus_digest) for record in records),
        )
        if known == self._known:
            return
        self._known = known
        self._back_to_all = bool(modes)
        if modes:
            self._tell_modes(modes)
            return
        if corpus is None:
            others = []
        else:
            others = [
                one
                for one in records
                if one.corpus_digest != corpus.digest
                and (unknown or bond(one, corpus) is not Bond.UNKNOWN)
            ]
        self.setVisible(bool(others))
        if corpus is None or not others:
            return
        text, full = told_origin(records, others, corpus)
        self.text.setToolTip(safe_tip(full))
        self.setAccessibleName(full)
        self._dot.setPixmap(self._theme.icon("info", "muted").pixmap(14, 14))
        texts = {one.corpus_digest for one in others}
        if len(texts) == 1 and text_of(others[0]) is not None:
            self._record = others[0]
        else:
            self._record = None
        self.open.setVisible(self._record is not None)
        name = others[0].corpus_name
        if bond(others[0], corpus) is Bond.OTHERWISE:
            link = short_link = tr("Use the run’s options")
            accessible = tr("Read {name} with the options of this run", name=name)
        else:
            link, short_link = tr("Open {name}", name=name), tr("Open")
            accessible = tr("Open {name}, which this run was trained on", name=name)
        short_note = _few_words(records, others, corpus)
        self._forms = ((text, menu_text(link)), (short_note, menu_text(short_link)))
        self._fit_text()
        self.open.setAccessibleName(accessible)

    def _tell_modes(self, modes: int) -> None:
        """State that the vectors are rebuilt, with a link back to all modes."""
        trained = self._session.active.trained
        assert trained is not None
        of = int(trained.inputs.shape[1])
        text = tr("Rebuilt from the first {modes} of {of} modes", modes=modes, of=of)
        full = tr(
            "{change} of W·Cᵀ (Theory ▸ Modes). The trained vectors aren’t changed.", change=text
        )
        self._forms = (
            (text, tr("Show all modes")),
            (tr("{modes} of {of} modes", modes=modes, of=of), tr("All modes")),
        )
        self._dot.setPixmap(self._theme.icon("info", "muted").pixmap(14, 14))
        self.text.setToolTip(safe_tip(full))
        self.setAccessibleName(full)
        self.open.setAccessibleName(tr("Show all modes"))
        # ``_fit_text`` makes room for the link.
        self._record = self._session.active.run
        self.open.setVisible(True)
        self.setVisible(True)
        self._fit_text()

    def _open(self) -> None:
        if self._back_to_all:
            self._session.active.keep_modes(0)
        elif self._record is not None:
            self._session.corpora.open_text_of(self._record)


def told_origin(
    records: Sequence[RunRecord], others: Sequence[RunRecord], corpus: Corpus
) -> tuple[str, str]:
    """The sentence of the notice, and further details for its tooltip."""
    if len(others) > 1 or len(records) > 1:
        names = sorted({one.corpus_name for one in others} - {""})
        if any(not one.corpus_name for one in others):
            names.append(tr("an unknown corpus"))
        sentence = trn(
            "{number} of the {all} runs was trained on another corpus: {names}",
            "{number} of the {all} runs were trained on another corpus: {names}",
            len(others),
            all=len(records),
            names=", ".join(names),
        )
        return sentence, "\n".join(f"{one.name}: {_name(one)}" for one in others)
    run, text = others[0], _name(others[0])
    match bond(run, corpus):
        case Bond.UNKNOWN:
            return tr(
                "{run} comes from a file and was trained on an unknown corpus", run=run.name
            ), tr("The file of these vectors doesn’t name the corpus they were trained on.")
        case Bond.OTHERWISE:
            sentence = tr(
                "{run} was trained on {text} with other reading options", run=run.name, text=text
            )
            return sentence, tr(
                "{origin}. Run: {then}. Open corpus: {now}.",
                origin=sentence,
                then=option_differences(run, corpus, then=True),
                now=option_differences(run, corpus, then=False),
            )
        case Bond.CHANGED:
            sentence = tr(
                "{run} was trained on an earlier version of {text}", run=run.name, text=text
            )
            return sentence, tr("{origin}. The corpus has changed since.", origin=sentence)
        case _:
            sentence = tr("{run} was trained on {text}", run=run.name, text=text)
            return sentence, tr(
                "{origin}, not on the open corpus {open}.", origin=sentence, open=corpus.name
            )


def _few_words(records: Sequence[RunRecord], others: Sequence[RunRecord], corpus: Corpus) -> str:
    """The notice in a few words, for a narrow panel."""
    if len(records) > 1:
        return tr("{number} of {all} runs: another corpus", number=len(others), all=len(records))
    text = _name(others[0])
    match bond(others[0], corpus):
        case Bond.UNKNOWN:
            return tr("Unknown corpus")
        case Bond.OTHERWISE:
            return tr("Other reading options")
        case Bond.CHANGED:
            return tr("{text} has changed", text=text)
        case _:
            return tr("Trained on {text}", text=text)


def _name(record: RunRecord) -> str:
    return record.corpus_name or tr("another corpus")
