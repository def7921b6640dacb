"""How a corpus is read, as rows of short editors made from the declaration."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import ParameterError
from workbench.core.language import tr, trc
from workbench.core.param_labels import override_labels
from workbench.core.params import Spec, Value
from workbench.corpus.corpus import LISTS, OF_FILES, CorpusOptions
from workbench.corpus.tokenisers import TOKENISERS
from workbench.ui.plain_text import PlainLabel, menu_text, safe_tip
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, Theme, set_property
from workbench.ui.widgets.inputs.editors import FloatBox, IntBox, ValueBox
from workbench.ui.widgets.inputs.form import label_of, tooltip
from workbench.ui.widgets.inputs.missing_packages import MissingPackages
from workbench.ui.widgets.layout.flow import FlowLayout

Editor = ValueBox | QCheckBox | IntBox | FloatBox | QLineEdit

_CAPTIONS = {
    "phrase_score": trc("noun", "Score"),
    "phrase_threshold": tr("Threshold"),
    "phrase_fall": tr("Falls by"),
    "phrase_min_count": tr("Least count"),
    "phrase_delimiter": tr("Joined by"),
    "stop_words": tr("Leave out"),
    "keep_words": tr("Keep only"),
    "min_length": tr("Shortest"),
}
_WIDTHS = {
    "phrases": 54,
    "phrase_score": 130,
    "phrase_threshold": 72,
    "phrase_fall": 56,
    "phrase_min_count": 56,
    "phrase_delimiter": 36,
    "pattern": 200,
    "min_length": 54,
    "tokeniser": 118,
    "sentences": 118,
    "stop_words": 170,
    "keep_words": 170,
}
_UNITS = {"min_length": tr("letters")}


class CorpusOptionsBar(QWidget):
    """A row for how text is read, one for how phrases are found, which shows with the first pass,
    and one for the rest, which shows on request.

    ``changed`` is emitted at every edit. Editors are named ``prefix.<option>``; extra widgets may
    be appended to the first row.
    """

    changed = Signal()

    def __init__(self, prefix: str, options: CorpusOptions, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._editors: dict[str, Editor] = {}
        self._cells: dict[str, QWidget] = {}
        self.reading = FlowLayout(gap=SPACE_4, row_gap=SPACE_1)
        joining = FlowLayout(gap=SPACE_3, row_gap=SPACE_1)
        self._rest = QWidget()
        refining = FlowLayout(self._rest, gap=SPACE_4, row_gap=SPACE_1)
        self._usual = PlainLabel()
        self._usual.setProperty("role", "small")
        self._error = PlainLabel()
        self._error.setProperty("role", "error")
        self._error.setWordWrap(True)
        self._error.setObjectName(f"{prefix}.error")
        values = options.to_dict()
        for spec in CorpusOptions.specs():
            if spec.name in OF_FILES:
                continue  # corpus_files.py has those
            editor = self._editors[spec.name] = _editor(spec, values[spec.name], prefix, theme)
            editor.setObjectName(f"{prefix}.{spec.name}")
            editor.setAccessibleName(label_of(spec))
            editor.setAccessibleDescription(spec.doc)
            editor.setToolTip(safe_tip(tooltip(spec)))
            cell = self._cells[spec.name] = self._cell(spec, editor)
            if spec.name.startswith("phrase_"):
                joining.addWidget(cell)
            elif spec.basic:
                self.reading.addWidget(cell)
            else:
                refining.addWidget(cell)
        self.more = QToolButton()
        self.more.setObjectName(f"{prefix}.more")
        self.more.setCheckable(True)
        self.more.setProperty("role", "quiet")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setToolTip(tr("Unicode form, accents, numbers, words to leave out or to keep"))
        self.more.toggled.connect(self._show_rest)
        self.reading.addWidget(self.more)
        self.missing = MissingPackages(f"{prefix}.missing")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACE_2)
        rows.addLayout(self.reading)
        rows.addLayout(joining)
        rows.addWidget(self._rest)
        rows.addWidget(self.missing)
        rows.addWidget(self._error)
        self._rest.hide()
        self._update()
        for editor in self._editors.values():
            _change_signal(editor).connect(self._option_edited)
        theme.changed.connect(self._name_more)

    def options(self) -> CorpusOptions | None:
        """What stands in the editors, or None while something is wrong."""
        try:
            return CorpusOptions.from_mapping(self._values())
        except ParameterError:
            return None

    def put(self, options: CorpusOptions) -> None:
        """Show other options; that is one edit, and none where they are the same but for what
        changes nothing.
        """
        shown = self.options()
        if shown is not None and shown.effective() == options.lasting().effective():
            return
        for name, editor in self._editors.items():
            editor.blockSignals(True)
            _set(editor, getattr(options, name))
            editor.blockSignals(False)
        self._option_edited()

    def _cell(self, spec: Spec, editor: Editor) -> QWidget:
        if isinstance(editor, QCheckBox):
            return editor
        cell = QWidget()
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_2)
        caption = PlainLabel(_CAPTIONS.get(spec.name, label_of(spec)))
        caption.setProperty("role", "muted")
        caption.setBuddy(editor)
        caption.setToolTip(safe_tip(tooltip(spec)))
        row.addWidget(caption)
        row.addWidget(editor)
        if isinstance(editor, WordListField):
            row.addWidget(editor.button)
        if spec.name in _UNITS:
            unit = PlainLabel(_UNITS[spec.name])
            unit.setProperty("role", "small")
            row.addWidget(unit)
        if spec.name == "phrase_threshold":
            row.addWidget(self._usual)
        return cell

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """What grew in a row may have begun another one."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _fit(self) -> None:
        """Claim the height of all rows: in a low window the panel scrolls and no row is squeezed
        away.
        """
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.setMinimumHeight(layout.heightForWidth(self.width()))

    def _show_rest(self, opened: bool) -> None:
        self._rest.setVisible(opened)
        self._name_more()
        self._fit()

    def _name_more(self) -> None:
        """Say how much is set where it is not seen."""
        plain, values = CorpusOptions().to_dict(), self._values()
        off = sum(
            values[spec.name] != plain[spec.name]
            for spec in CorpusOptions.specs()
            if spec.name in values and not spec.basic and not spec.name.startswith("phrase_")
        )
        opened = self.more.isChecked()
        if opened:
            text, name, icon = tr("Less"), tr("Fewer reading options"), "chevron-down"
        else:
            text, name, icon = tr("More"), tr("More reading options"), "chevron-right"
            if off:
                text = tr("More ({off} set)", off=off)
        self.more.setText(text)
        self.more.setAccessibleName(name)
        self.more.setIcon(self._theme.icon(icon, "accent"))

    def _values(self) -> dict[str, Value]:
        return {name: _value(editor) for name, editor in self._editors.items()}

    def _option_edited(self) -> None:
        self._update()
        self.changed.emit()

    def _update(self) -> None:
        """Show what belongs to the choices made, and what is wrong with them."""
        values = self._values()
        passes = values["phrases"]
        assert isinstance(passes, int)
        for name, cell in self._cells.items():
            if name.startswith("phrase_"):
                # A threshold can only fall from one pass to the next.
                cell.setVisible(passes > (1 if name == "phrase_fall" else 0))
        self._cells["pattern"].setVisible(values["tokeniser"] == "regex")
        self.missing.explain(TOKENISERS[str(values["tokeniser"])].missing())
        self._name_more()
        errors: dict[str, str] = {}
        try:
            with override_labels(_CAPTIONS):
                made = CorpusOptions.from_mapping(values)
            usual = 0.0
            if passes and not made.phrase_threshold:
                usual = made.thresholds()[0]
            self._usual.setText(f"= {usual:g}" if usual else "")
        except ParameterError as error:
            errors = dict(error.errors)
        for name, editor in self._editors.items():
            set_property(editor, "invalid", name in errors)
        self._error.setText(" ".join(errors.values()))
        self._error.setVisible(bool(errors))
        self._fit()


def _editor(spec: Spec, value: Value, prefix: str, theme: Theme) -> Editor:
    editor: Editor
    if spec.choices:
        editor = ValueBox(spec.choices)
        editor.put(str(value))
    elif spec.type is bool:
        editor = QCheckBox(menu_text(label_of(spec)))
        editor.setChecked(bool(value))
    elif spec.type is int:
        editor = IntBox()
        editor.setValue(int(value))
    elif spec.type is float:
        editor = FloatBox()
        editor.setValue(float(value))
    elif spec.name in LISTS:
        editor = WordListField(str(value), f"{prefix}.{spec.name}", theme)
    else:
        editor = QLineEdit(str(value))
    if spec.name in _WIDTHS:
        editor.setFixedWidth(_WIDTHS[spec.name])
    return editor


def _set(editor: Editor, value: Value) -> None:
    if isinstance(editor, QCheckBox):
        editor.setChecked(bool(value))
    elif isinstance(editor, ValueBox):
        editor.put(str(value))
    elif isinstance(editor, QLineEdit):
        editor.setText(str(value))
    elif isinstance(editor, IntBox):
        editor.setValue(int(value))
    else:
        editor.setValue(float(value))


def _value(editor: Editor) -> Value:
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, ValueBox):
        return editor.value
    if isinstance(editor, QLineEdit):
        return editor.text()
    return editor.value()


def _change_signal(editor: Editor) -> SignalInstance:
    if isinstance(editor, QCheckBox):
        return editor.toggled
    if isinstance(editor, ValueBox):
        return editor.currentIndexChanged
    if isinstance(editor, QLineEdit):
        return editor.textChanged
    return editor.valueChanged


class WordListField(QLineEdit):
    """Words with blanks or commas between them, or @ and a path, which ``button``, to be put beside
    it, lets choose.
    """

    def __init__(self, value: str, name: str, theme: Theme) -> None:
        super().__init__(value)
        self._name = name
        self._theme = theme
        self.setPlaceholderText(tr("words, or @file"))
        self.setClearButtonEnabled(True)
        self.button = QToolButton()
        self.button.setObjectName(f"{name}.file")
        self.button.setAccessibleName(tr("Choose a file of words"))
        self.button.setToolTip(tr("Choose a file with one word a line"))
        self.button.setProperty("role", "quiet")
        self.button.clicked.connect(self.ask)
        theme.changed.connect(self._retheme)
        self._retheme()

    def ask(self) -> None:
        """Let a file with one word a line be chosen."""
        dialog = QFileDialog(self, tr("Choose a file with one word a line"))
        dialog.setObjectName(f"{self._name}.dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([tr("Lists of words (*.txt *.tsv)"), tr("All files (*)")])
        dialog.filesSelected.connect(lambda paths: self.setText(f"@{paths[0]}"))
        # Deleted when it closes: a dialog kept would hold its model's thread.
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _retheme(self) -> None:
        self.button.setIcon(self._theme.icon("folder", "muted"))
