"""Dialog that saves the co-occurrence counts of the open corpus."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import Params, Value
from workbench.core.setting import Setting
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.formats import COUNT_FORMATS
from workbench.session.corpus.counting import (
    CountParams,
    TableParams,
    Written,
    counted_as,
    write_counts,
)
from workbench.session.files.file_names import add_suffix
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import ask_save
from workbench.ui.base.plain_text import safe_tip, title_text
from workbench.ui.base.text import plural
from workbench.ui.base.theme import SPACE_3, SPACE_4, Theme, set_property
from workbench.ui.export.file_jobs import write_in_job
from workbench.ui.widgets.inputs.editors import ChoiceBox, set_choice_enabled
from workbench.ui.widgets.inputs.form import MARK_WIDTH, Form
from workbench.ui.widgets.layout.note_label import NoteLabel

W = TypeVar("W", bound=QWidget)

SAVED_COUNTS_FOLDER = Setting("counts.folder", str, "")


class CountsDialog(QDialog):
    """Modeless dialog for the format, the counting settings, and the table settings."""

    def __init__(self, session: Session, theme: Theme, corpus: Corpus, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title_text(tr("Save the counts of {name}", name=corpus.name)))
        self.setObjectName("counts.dialog")
        self._session = session
        self._corpus = corpus
        self.format = _name_widget(ChoiceBox(), "format", tr("Format"))
        for kind in COUNT_FORMATS:
            missing = kind.missing()
            self.format.addItem(f"{kind.title} ({kind.suffixes[0]})", kind.key)
            if missing is not None:
                last = self.format.count() - 1
                set_choice_enabled(self.format, last, False)
                self.format.setItemData(last, safe_tip(str(missing)), Qt.ItemDataRole.ToolTipRole)
        self.counting = Form("counts.param", theme)
        self.table = Form("counts.table", theme)
        if isinstance(corpus, CountedCorpus):
            values = counted_as(corpus, CountParams().to_dict(), {}).to_dict()
            fixed = {name: value for name, value in values.items() if name in corpus.counting}
            self.counting.fix(
                fixed, tr("Fixed by the counts {name}; count again to change it.", name=corpus.name)
            )
        self.counting.set_kind(
            CountParams,
            CountParams().to_dict(),
            {**CountParams().to_dict(), **self._use_shown_settings()},
        )
        self.table.set_kind(TableParams, TableParams().to_dict(), TableParams().to_dict())
        self.note = _name_widget(NoteLabel(), "note", tr("Preview"))
        self.save = _name_widget(
            kit.button(tr("Save…"), role="primary", pressed=self._ask_path),
            "save",
            tr("Choose a file and save the counts"),
        )
        self.save.setDefault(True)
        self.cancel = _name_widget(
            kit.button(tr("Cancel"), pressed=self.reject), "cancel", tr("Close without saving")
        )
        self.cancel.setAutoDefault(False)
        self._build()
        self.format.currentIndexChanged.connect(lambda _: self._update_state())
        self.counting.changed.connect(self._update_state)
        self.table.changed.connect(self._update_state)
        self._update_state()

    def _build(self) -> None:
        # Aligned with the forms, whose marks are in the margin.
        beside_marks = (MARK_WIDTH, 0, 0, 0)
        kit.set_margins(self.note, beside_marks)
        caption = kit.label(tr("Format"), buddy=self.format)
        choice = (caption, kit.space(SPACE_3), kit.stretch(self.format))
        column = kit.column(
            kit.row(*choice, gap=None, margins=beside_marks),
            self.counting,
            self.table,
            self.note,
            kit.stretch(),
            kit.row(kit.stretch(), self.cancel, self.save),
            margins=(0, SPACE_4, SPACE_4, SPACE_4),
        )
        kit.set_scaled_size(kit.fill(self, column), width=400)

    def _use_shown_settings(self) -> dict[str, Value]:
        """Use the settings of the active model if its pairs are counted in windows."""
        shown = self._session.active.run
        known: Mapping[str, Value] = shown.parameters if shown is not None else {}
        found: dict[str, Value] = {}
        for name in ("window", "window_weighting", "min_count", "max_vocab"):
            if name in known:
                try:
                    found[name] = CountParams.spec(name).coerce(known[name])
                except ValueError:
                    continue
        return found

    @property
    def suffix(self) -> str:
        """Suffix of the chosen format."""
        return COUNT_FORMATS[str(self.format.currentData())].suffixes[0]

    def _update_state(self) -> None:
        kind = COUNT_FORMATS[str(self.format.currentData())]
        if self.table.isHidden() == kind.table:
            self.table.setVisible(kind.table)
        params = self._read_params()
        self.save.setEnabled(params is not None)
        if params is None:
            return
        try:
            size = len(self._corpus.vocabulary(params[0].min_count, params[0].max_vocab))
        except UserError as error:
            set_property(self.note, "role", "error")
            self.note.setText(str(error))
            self.save.setEnabled(False)
            return
        set_property(self.note, "role", "muted")
        beside = "".join(
            f", {path.name}" for path in kind.beside(Path(f"counts{kind.suffixes[0]}"))
        )
        text = tr(
            "{words} against each other, in counts{value}{beside}.",
            words=plural(size, "word"),
            value=kind.suffixes[0],
            beside=beside,
        )
        self.note.setText(text)

    def _read_params(self) -> tuple[CountParams, TableParams] | None:
        counting, table = self.counting.params(), self.table.params()
        if isinstance(counting, CountParams) and isinstance(table, TableParams):
            return counting, table
        return None

    def _ask_path(self) -> None:
        params: tuple[Params, Params] | None = self._read_params()
        if params is None:
            return
        kind = COUNT_FORMATS[str(self.format.currentData())]
        line = f"{kind.title} (*{self.suffix})"
        settings, name = self._session.settings, f"counts{self.suffix}"
        title = tr("Save the counts")
        path, _ = ask_save(self, settings, SAVED_COUNTS_FOLDER, title, name, line)
        if path is not None:
            if path.suffix.lower() == self.suffix:
                self.save_counts(path)
            else:
                self.save_counts(add_suffix(path, self.suffix))

    def save_counts(self, path: Path) -> None:
        """Count and save in a job that continues after the dialog closes; reports the result."""
        params = self._read_params()
        if params is None:
            return
        session, corpus = self._session, self._corpus

        def work(run: JobControl) -> Written:
            run.enter(Phase.COUNTING)
            return write_counts(corpus, *params, path, run)

        def report_counts(written: Written) -> None:
            names = tr(" and ").join(one.name for one in written.paths)
            session.message.emit(
                tr(
                    "Saved {names}: {pairs} of {words}.",
                    names=names,
                    pairs=plural(written.cells, "pair"),
                    words=plural(written.words, "word"),
                ),
                "",
                False,
            )

        title = tr("Writing {name}", name=path.name)
        write_in_job(session, path, work, title=title, key="counts.export", saved=report_counts)
        self.accept()


def _name_widget(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"counts.{local}")
    widget.setAccessibleName(accessible)
    return widget
