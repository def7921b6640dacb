"""Share a run: choose what to export, with a preview before it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.paths import expand_user
from workbench.core.setting import Setting
from workbench.session.export import SHARES, share
from workbench.session.export.export_source import ExportSource
from workbench.session.export.export_sources import of_run
from workbench.session.files.file_names import file_stem
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.scores import ScoreStore
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import ask_folder, remember_folder, start_folder
from workbench.ui.base.plain_text import safe_tip, title_text
from workbench.ui.base.scaling import (
    TYPE_SMALL,
    scaled_length,
    set_opening_size,
    set_text_role,
)
from workbench.ui.base.theme import SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.inputs.evaluation_sets import offered_sets
from workbench.ui.widgets.layout.note_label import NoteLabel

W = TypeVar("W", bound=QWidget)

SHARE_FOLDER = Setting("share.folder", str, "")
_KEY = Qt.ItemDataRole.UserRole
# More would take seconds to lay out, and nobody would read it here.
_PREVIEW = 60_000
_MOST_WORDS = 12
_ROW = 26
Made = tuple[ExportSource, dict[str, str], dict[str, dict[str, str]]]


class ShareDialog(QDialog):
    """The kinds to write with check boxes, a preview of each, and the folder. Impossible kinds are
    disabled with the reason.

    The dialog is not modal.
    """

    def __init__(self, session: Session, record: RunRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title_text(tr("Share {name}", name=record.name)))
        self.setObjectName("share.dialog")
        self._session = session
        self._record = record
        self._subject: ExportSource | None = None
        self._texts: dict[str, dict[str, str]] = {}
        self._job_key = f"share.{record.identifier}"
        self.kinds = _named(QListWidget(), "kinds", tr("Files to save"))
        kit.set_scaled_size(kit.with_role(self.kinds, "plain"), width=212)
        self.kinds.setItemDelegate(_Rows(self.kinds))
        self.preview = _named(QPlainTextEdit(), "preview", tr("Preview"))
        self.preview.setReadOnly(True)
        set_text_role(self.preview, TYPE_SMALL, fixed=True)
        self.summary = _named(kit.label(wrap=True), "summary", tr("Description"))
        self.folder = _named(QLineEdit(), "folder", tr("Output folder"))
        self.choose = _named(
            kit.button(tr("Choose…"), pressed=self._choose), "choose", tr("Choose a folder")
        )
        self.copy = _named(
            kit.button(tr("Copy text"), pressed=self._copy), "copy", tr("Copy the displayed text")
        )
        self.save = _named(
            kit.button(tr("Save"), role="primary", pressed=self._save),
            "save",
            tr("Save the ticked files in the folder"),
        )
        self.cancel = _named(
            kit.button(tr("Cancel"), pressed=self.reject), "cancel", tr("Close without saving")
        )
        self.note = _named(NoteLabel(), "note", tr("Error message"))
        for button in (self.choose, self.copy, self.cancel):
            button.setAutoDefault(False)
        self.save.setDefault(True)
        self._build()
        self.kinds.currentItemChanged.connect(lambda *_: self._show_kind())
        self.kinds.itemChanged.connect(lambda _: self._enable())
        self.folder.textChanged.connect(lambda _: self._enable())
        self.finished.connect(lambda _: session.jobs.drop(self._job_key))
        self._load()

    def _build(self) -> None:
        home = start_folder(self._session.settings, SHARE_FOLDER)
        self.folder.setText(str(home / file_stem(self._record.name, "run")))
        right = kit.column(self.summary, kit.stretch(self.preview))
        middle = kit.row(self.kinds, kit.stretch(right), gap=SPACE_3)
        caption = kit.label(tr("Folder"), buddy=self.folder)
        where = kit.row(caption, kit.stretch(self.folder), self.choose)
        buttons = kit.row(self.copy, kit.stretch(self.note), self.cancel, self.save)
        column = (kit.stretch(middle), where, buttons)
        kit.fill(self, kit.column(*column, gap=SPACE_3, margins=SPACE_4))
        set_opening_size(self, 780, 520)

    # -- kinds

    def _load(self) -> None:
        self._enable()
        self._set_message(tr("Preparing…"))
        record, store = self._record, self._session.store
        sets, words = offered_sets(self._session), self._session.selection.words[-_MOST_WORDS:]

        def make_texts(run: JobControl) -> Made:
            known = ScoreStore().of(record.identifier)
            scores = []
            for one in sets:
                try:
                    found = known.get(one.key())
                except UserError:
                    continue
                if found is not None:
                    scores.append((one.title, found))
            subject = of_run(record, store, tuple(scores), words)
            reasons: dict[str, str] = {}
            texts_by_kind: dict[str, dict[str, str]] = {}
            for kind in SHARES:
                run.check()
                if kind.alone:
                    continue
                reason = kind.why_not(subject)
                if reason is None:
                    texts_by_kind[kind.key] = kind.make(subject, run)
                else:
                    reasons[kind.key] = reason
            return subject, reasons, texts_by_kind

        self._session.jobs.start(
            tr("Preparing {name}", name=record.name),
            make_texts,
            self._show_texts,
            self._loading_failed,
            key=self._job_key,
            quiet=True,
        )

    def _show_texts(self, shared_texts: Made) -> None:
        self._subject, reasons, self._texts = shared_texts
        for kind in SHARES:
            if kind.alone:
                continue
            item = QListWidgetItem(kind.title)
            item.setData(_KEY, kind.key)
            item.setToolTip(safe_tip(reasons.get(kind.key, kind.summary)))
            if kind.key in reasons:
                item.setFlags(Qt.ItemFlag.ItemIsSelectable)
                item.setCheckState(Qt.CheckState.Unchecked)
            else:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
            self.kinds.addItem(item)
        first = next(
            row
            for row in range(self.kinds.count())
            if self.kinds.item(row).data(_KEY) in self._texts
        )
        self.kinds.setCurrentRow(first)
        self._set_message("")
        self._enable()
        self.kinds.setFocus()

    def _loading_failed(self, error: UserError) -> None:
        self._set_message(str(error), wrong=True)

    def _show_kind(self) -> None:
        if self.kinds.currentRow() < 0:
            return
        item = self.kinds.currentItem()
        key = str(item.data(_KEY))
        texts = self._texts.get(key)
        names = "" if texts is None else f" ({', '.join(texts)})"
        self.summary.setText(item.toolTip() + names)
        text = "\n".join(texts.values()) if texts is not None else ""
        prose = texts is not None and not any(name.endswith((".py", ".sh")) for name in texts)
        if prose:
            wrap = QPlainTextEdit.LineWrapMode.WidgetWidth
        else:
            wrap = QPlainTextEdit.LineWrapMode.NoWrap
        self.preview.setLineWrapMode(wrap)
        self.preview.setPlainText(text[:_PREVIEW])
        self.copy.setEnabled(bool(text))

    @property
    def ticked_kinds(self) -> list[str]:
        """Keys of the kinds that are ticked."""
        rows = (self.kinds.item(row) for row in range(self.kinds.count()))
        return [str(item.data(_KEY)) for item in rows if item.checkState() == Qt.CheckState.Checked]

    def _enable(self) -> None:
        self.save.setEnabled(
            self._subject is not None
            and bool(self.ticked_kinds)
            and bool(self.folder.text().strip())
        )
        if self._subject is None:
            self.copy.setEnabled(False)

    # -- actions

    def _choose(self) -> None:
        start = str(Path(self.folder.text()).parent)
        settings, title = self._session.settings, tr("Output folder")
        found = ask_folder(self, settings, SHARE_FOLDER, title, start)
        if found is not None:
            self.folder.setText(str(found))

    def _copy(self) -> None:
        key = str(self.kinds.currentItem().data(_KEY))
        QGuiApplication.clipboard().setText("\n".join(self._texts[key].values()))
        self._session.message.emit(tr("Copied"), "", False)

    def _save(self) -> None:
        subject, keys = self._subject, self.ticked_kinds
        # Someone who types only a name doesn't know the program's working folder.
        folder = Path.home() / expand_user(self.folder.text().strip())
        if subject is None:
            return
        self.save.setEnabled(False)
        self._set_message(tr("Writing…"))
        self._session.jobs.start(
            tr("Writing {name}", name=folder.name),
            lambda run: share(subject, folder, keys, run),
            self._show_saved,
            self._not_saved,
            key=self._job_key,
            quiet=True,
        )

    def _show_saved(self, paths: list[Path]) -> None:
        folder = paths[0].parent
        remember_folder(self._session.settings, SHARE_FOLDER, folder)
        what = tr("1 file") if len(paths) == 1 else tr("{number} files", number=len(paths))
        self._session.message.emit(
            tr("Saved {what} in {folder}.", what=what, folder=folder), "", False
        )
        self.accept()

    def _not_saved(self, error: UserError) -> None:
        self._set_message(str(error), wrong=True)
        self._enable()

    def _set_message(self, text: str, *, wrong: bool = False) -> None:
        set_property(self.note, "role", "error" if wrong else "muted")
        self.note.setText(text)


class _Rows(QStyledItemDelegate):
    """Rows whose height follows the text size, even if it is changed later."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(super().sizeHint(option, index).width(), scaled_length(_ROW))


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"share.{local}")
    widget.setAccessibleName(accessible)
    return widget
