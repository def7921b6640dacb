"""Make other vectors of a run: W + C, both side by side, all but the top, unit rows."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QWidget,
)

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.derived import name_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import rich_tip, safe_tip, title_text
from workbench.ui.base.theme import SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.inputs.editors import set_choice_enabled
from workbench.ui.widgets.layout.note_label import NoteLabel
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import OFF, Postprocessing, choice_of, why_not
from workbench.vectors.subwords import subwords_of

W = TypeVar("W", bound=QWidget)

_RESULTS = (
    ("w", tr("W: word vectors")),
    ("w+c", tr("W + C: sum of word and context vectors")),
    ("concatenation", tr("[W; C]: concatenated")),
)
_MEAN_TIP = tr(
    "The mean of all vectors says nothing about individual words, and the leading "
    "principal components mostly encode frequency. Mu & Viswanath 2018 subtract the mean "
    "and remove one component per hundred dimensions."
)


class VectorsDialog(QDialog):
    """The choices for one finished run; impossible ones are disabled with the reason. Not modal."""

    def __init__(self, session: Session, record: RunRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title_text(tr("Derive vectors from {name}", name=record.name)))
        self.setObjectName("vectors.dialog")
        self._session = session
        self._record = record
        self._embeddings: Embeddings | None = None
        self._key = f"vectors.{record.identifier}"
        self.result_box = _named(
            kit.ChoiceBox.of(dict(_RESULTS), letters=26), "result", tr("Result")
        )
        self.mean = _named(
            QCheckBox(tr("Remove the mean")), "mean", tr("Remove the mean of all vectors")
        )
        self.mean.setToolTip(rich_tip("", _MEAN_TIP))
        self.top = _named(
            kit.IntBox.of(0, 10_000, 0, tracking=True),
            "top",
            tr("Number of principal components removed after the mean"),
        )
        kit.set_scaled_size(self.top, width=72)
        self.unit = _named(
            QCheckBox(tr("Scale every vector to unit length")),
            "unit",
            tr("Scale every vector to unit length"),
        )
        self.note = _named(NoteLabel(), "note", tr("Description of the result"))
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for the longest note, so that nothing moves when it changes.
        kit.set_scaled_size(self.note, least_height=3 * 16)
        self.make = _named(
            kit.button(tr("Create"), role="primary", pressed=self._make),
            "make",
            tr("Create the vectors"),
        )
        self.make.setDefault(True)
        self.cancel = _named(
            kit.button(tr("Cancel"), pressed=self.reject),
            "cancel",
            tr("Close without creating vectors"),
        )
        self.cancel.setAutoDefault(False)
        self._build()
        self.result_box.currentIndexChanged.connect(lambda _: self._refresh())
        for box in (self.mean, self.unit):
            box.toggled.connect(lambda _: self._refresh())
        self.top.valueChanged.connect(lambda _: self._refresh())
        self.finished.connect(lambda _: session.jobs.drop(self._key))
        self._load()

    @property
    def choice(self) -> Postprocessing:
        """The current choice."""
        top = self.top.value() if self.mean.isChecked() else OFF
        return Postprocessing(str(self.result_box.currentData()), self.unit.isChecked(), top)

    def _build(self) -> None:
        explained = tr(
            "Creates a new run from the trained vectors, step by step in this order. The "
            "original run doesn’t change."
        )
        caption = kit.label(tr("Result"), buddy=self.result_box)
        directions = kit.row(
            kit.space(SPACE_4 + SPACE_2),
            kit.label(tr("and the first")),
            self.top,
            kit.label(tr("principal components")),
            kit.stretch(),
        )
        column = kit.column(
            kit.label(explained, role="muted", wrap=True),
            kit.space(SPACE_2),
            kit.row(caption, kit.stretch(self.result_box), gap=SPACE_3),
            self.mean,
            directions,
            self.unit,
            kit.space(SPACE_2),
            self.note,
            kit.stretch(),
            kit.row(kit.stretch(), self.cancel, self.make),
            margins=SPACE_4,
        )
        kit.set_scaled_size(kit.fill(self, column), width=400)

    # -- the run's vectors

    def _load(self) -> None:
        record = self._record
        if record.embeddings is not None:
            self._vectors_loaded(record.embeddings)
            return
        self._enable()
        self._set_message(tr("Loading the vectors…"))
        store = self._session.store
        self._session.jobs.start(
            tr("Loading {name}", name=record.name),
            lambda run: store.vectors(record.identifier),
            self._vectors_loaded,
            self._not_loaded,
            key=self._key,
            quiet=True,
        )

    def _vectors_loaded(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        now = choice_of(embeddings)
        self.result_box.setCurrentIndex(self.result_box.findData(now.result))
        self.mean.setChecked(now.all_but_the_top != OFF)
        self.top.setValue(max(now.all_but_the_top, 0))
        self.unit.setChecked(now.normalise)
        self._enable()
        self._refresh()
        self.result_box.setFocus()

    def _not_loaded(self, error: UserError) -> None:
        self._set_message(str(error), wrong=True)

    def _enable(self) -> None:
        """Enable the options that these vectors allow; the others state the reason."""
        embeddings = self._embeddings
        self.result_box.setEnabled(embeddings is not None)
        self.unit.setEnabled(embeddings is not None)
        self.make.setEnabled(False)
        if embeddings is not None:
            mean = why_not(embeddings, Postprocessing(all_but_the_top=0))
        else:
            mean = None
        self.mean.setEnabled(embeddings is not None and mean is None)
        if mean is not None:
            self.mean.setText(tr("Remove the mean ({short})", short=mean.short))
        if embeddings is None:
            self.top.setEnabled(False)
            return
        for row, (value, text) in enumerate(_RESULTS):
            reason = why_not(embeddings, Postprocessing(value))
            if reason is not None and choice_of(embeddings).result != value:
                box = self.result_box
                set_choice_enabled(box, row, False)
                box.setItemText(row, f"{text.partition(':')[0]} ({reason.short})")
                box.setItemData(row, safe_tip(str(reason)), Qt.ItemDataRole.ToolTipRole)

    # -- choices

    def _refresh(self) -> None:
        embeddings = self._embeddings
        if embeddings is None:
            return
        self.top.setEnabled(self.mean.isEnabled() and self.mean.isChecked())
        choice = self.choice
        problem = why_not(embeddings, choice)
        same = choice == choice_of(embeddings)
        self.make.setEnabled(problem is None and not same)
        if problem is not None:
            self._set_message(str(problem), wrong=True)
        elif same:
            self._set_message(tr("The vectors of this run already have these settings."))
        elif choice.result != "w" and subwords_of(embeddings) is not None:
            self._set_message(
                tr(
                    "{name_of}. Out-of-vocabulary words get no vectors, because only W is "
                    "built from n-grams.",
                    name_of=name_of(self._record, choice),
                )
            )
        else:
            self._set_message(name_of(self._record, choice))

    def _set_message(self, text: str, *, wrong: bool = False) -> None:
        set_property(self.note, "role", "error" if wrong else "muted")
        self.note.setText(text)

    def _make(self) -> None:
        self._session.runs.postprocess(self._record, self.choice)
        self.accept()


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"vectors.{local}")
    widget.setAccessibleName(accessible)
    return widget
