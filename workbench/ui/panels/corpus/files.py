"""File options of a corpus: encoding, column, patterns, and the choice of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import ParameterError
from workbench.core.language import tr
from workbench.core.param_labels import override_labels
from workbench.core.params import Value
from workbench.corpus.corpus import OF_FILES, Corpus, CorpusOptions, SourceFile
from workbench.corpus.ingest.read_warnings import passed_over
from workbench.corpus.loader import LEFT_OUT
from workbench.corpus.readers import READERS
from workbench.ui import kit
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_4, Theme, set_property
from workbench.ui.panels.corpus.file_list import FileList
from workbench.ui.widgets.inputs.form import ParamField
from workbench.ui.widgets.layout.flow import FlowLayout

# Suggested encodings; any other name can be typed.
_ENCODINGS = (
    "auto",
    "utf-8",
    "utf-16",
    "windows-1252",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "koi8-r",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "euc-kr",
    "ibm850",
    "ibm855",
    "ibm866",
)
_CAPTIONS = {
    "column": tr("Column or field"),
    "parts_of_speech": tr("Parts of speech"),
    "include": tr("Included files"),
    "exclude": tr("Excluded files"),
}
_PLACEHOLDERS = {
    "column": tr("longest text"),
    "parts_of_speech": tr("all"),
    "include": tr("all supported types"),
    "exclude": tr("none"),
}
_LIST_HEIGHT = 176


class CorpusFiles(QWidget):
    """Editors for those options of OF_FILES that matter for the open corpus, and the list of its
    files.

    ``changed`` is emitted at every edit. Widgets are named ``prefix.<option>`` and
    ``prefix.files``.
    """

    changed = Signal()

    def __init__(self, theme: Theme, prefix: str) -> None:
        super().__init__()
        self.encoding = kit.ChoiceBox()
        self.encoding.setEditable(True)
        self.encoding.setInsertPolicy(kit.ChoiceBox.InsertPolicy.NoInsert)
        self.encoding.addItems(list(_ENCODINGS))
        self._error = kit.label(role="error", name=f"{prefix}.error", wrap=True)
        self._error.hide()
        self._fields: dict[str, ParamField] = {}
        self._cells: dict[str, QWidget] = {}
        row = FlowLayout(gap=SPACE_4, row_gap=SPACE_1)
        for name in ("encoding", *_PLACEHOLDERS):
            own: kit.ChoiceBox | QLineEdit = self.encoding
            width = 136
            if name != "encoding":
                own, width = QLineEdit(), 132
                own.setPlaceholderText(_PLACEHOLDERS[name])
            spec = CorpusOptions.spec(name)
            field = ParamField(
                spec, prefix, self._options_edited, _CAPTIONS.get(name, ""), width=width, own=own
            )
            self._fields[name], self._cells[name] = field, field.cell()
            kit.add(row, self._cells[name])
        self.list = FileList(theme)
        self.list.setObjectName(f"{prefix}.files")
        self.list.setAccessibleName(tr("Files of the corpus"))
        set_scaled_size(self.list, height=_LIST_HEIGHT)
        self.list.chosen_changed.connect(self._options_edited)
        self._chosen = kit.label(role="small")
        self.all = kit.button(
            tr("All"),
            role="quiet",
            name=f"{prefix}.all",
            pressed=lambda: self.list.set_all(True),
        )
        self.all.setAccessibleName(tr("Include all files"))
        self.none = kit.button(
            tr("None"),
            role="quiet",
            name=f"{prefix}.none",
            pressed=lambda: self.list.set_all(False),
        )
        self.none.setAccessibleName(tr("Exclude all files"))
        self._buttons = kit.box(kit.row(self.all, self.none, kit.stretch(self._chosen)))
        kit.fill(self, kit.column(row, self._error, self._buttons, self.list))

    def show_corpus(self, corpus: Corpus, opened: Collection[str]) -> None:
        """Show the files and the options with which they were read; ``opened``: the requested
        paths.
        """
        options = corpus.options
        left_out = [SourceFile.from_json(file) for file in corpus.metadata.get(LEFT_OUT, ())]
        self.put(options.to_dict())
        with QSignalBlocker(self):
            passed = passed_over(corpus)
            files = sorted((*corpus.files, *left_out, *passed), key=lambda file: file.path)
            out, unread = ({file.path for file in each} for each in (left_out, passed))
            self.list.set_files(files, out, unread)
        kinds = {file.kind for file in files}
        tables = any(kind.columns and kind.key in kinds for kind in READERS)
        annotated = any(kind.annotated and kind.key in kinds for kind in READERS)
        self._cells["column"].setVisible(bool(options.column) or tables)
        self._cells["parts_of_speech"].setVisible(bool(options.parts_of_speech) or annotated)
        # Files that the user didn't name one by one came from folders or archives.
        found = bool(options.include or options.exclude) or any(
            file.path not in opened for file in files
        )
        for name in ("include", "exclude"):
            self._cells[name].setVisible(found)
        self._buttons.setVisible(len(files) > 1)
        self._update_summary()

    @property
    def editors(self) -> list[QWidget]:
        """The editors of the options."""
        return [field.editor for field in self._fields.values()]

    def values(self) -> dict[str, Value]:
        """The content of the editors, valid or not."""
        return {name: field.value() for name, field in self._fields.items()}

    def put(self, values: Mapping[str, Value]) -> None:
        """Show other values of the options."""
        with QSignalBlocker(self):
            for name, field in self._fields.items():
                field.put(values[name])

    def option_values(self) -> dict[str, Value]:
        """Current values of the options in OF_FILES."""
        values: dict[str, Value] = {
            name: str(field.value()).strip() for name, field in self._fields.items()
        }
        values["encoding"] = values["encoding"] or "auto"
        values["without"] = "\n".join(sorted(self.list.left_out))
        return values

    def complete_options(self, options: CorpusOptions) -> CorpusOptions | None:
        """``options`` with the current values, or None while one of them is invalid."""
        try:
            return options.replace(**self.option_values())
        except ParameterError:
            return None

    def _options_edited(self) -> None:
        self._update_summary()
        self.changed.emit()

    def _update_summary(self) -> None:
        errors: dict[str, str] = {}
        try:
            with override_labels(_CAPTIONS):
                CorpusOptions.from_mapping(self.option_values())
        except ParameterError as error:
            errors = {name: text for name, text in error.errors.items() if name in OF_FILES}
        set_property(self.encoding, "invalid", "encoding" in errors)
        self._error.setText(" ".join(errors.values()))
        self._error.setVisible(bool(errors))
        total = self.list.table.rowCount()
        self._chosen.setText(
            tr(
                "{count} of {total} files are read",
                count=count(self.list.number_read),
                total=count(total),
            )
        )
