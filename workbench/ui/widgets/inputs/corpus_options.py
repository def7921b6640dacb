"""Reading options of a corpus, as rows of short fields."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.language import tr, trc
from workbench.core.params import Spec
from workbench.corpus.corpus import LISTS, OF_FILES, CorpusOptions
from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.boxes import add, column, fill
from workbench.ui.base.controls import label, text_button
from workbench.ui.base.file_dialogs import WORD_FILES, file_dialog
from workbench.ui.base.text import true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_3, SPACE_4, Theme
from workbench.ui.widgets.inputs.editors import IntBox
from workbench.ui.widgets.inputs.form import ParamField, ParamForm
from workbench.ui.widgets.inputs.missing_packages import MissingPackages
from workbench.ui.widgets.layout.flow import FlowLayout

_CAPTIONS = {
    "phrase_score": trc("noun", "Score"),
    "phrase_threshold": tr("Threshold"),
    "phrase_fall": tr("Decay"),
    "phrase_min_count": tr("Min count"),
    "phrase_delimiter": tr("Delimiter"),
    "stop_words": tr("Leave out"),
    "keep_words": tr("Keep only"),
    "min_length": tr("Min length"),
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


class CorpusOptionsBar(ParamForm):
    """A row of options for reading text, one for phrases, visible if there is at least one pass,
    and one for further options, visible on request.

    ``changed`` is emitted at every edit. Editors are named ``prefix.<option>``; extra widgets may
    be appended to the first row.
    """

    def __init__(
        self, prefix: str, options: CorpusOptions, theme: Theme, settings: Settings
    ) -> None:
        self._settings = settings
        super().__init__(prefix, theme, labels=_CAPTIONS, without=OF_FILES)
        self._cells: dict[str, QWidget] = {}
        self.reading = FlowLayout(gap=SPACE_4, row_gap=SPACE_1)
        self._rest = QWidget()
        self._usual = label(role="small")
        self._error = label(role="error", name=f"{prefix}.error", wrap=True)
        self.more = text_button("", role="quiet", name=f"{prefix}.more", checkable=True)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setToolTip(tr("Unicode form, accents, numbers, and words to leave out or keep"))
        self.more.toggled.connect(self._show_rest)
        self.missing = MissingPackages(f"{prefix}.missing")
        self.set_kind(CorpusOptions, CorpusOptions().to_dict(), options.to_dict())

    def options(self) -> CorpusOptions | None:
        """The content of the editors, or None while a value is invalid."""
        options = self.params()
        assert options is None or isinstance(options, CorpusOptions)
        return options

    def show_options(self, options: CorpusOptions) -> None:
        """Show other options, as a single edit; no edit if they have the same effect."""
        shown = self.options()
        if shown is None or shown.effective() != options.lasting().effective():
            self.put(CorpusOptions().to_dict(), options.to_dict())

    def named_options(self) -> list[tuple[str, str, str]]:
        """Name, title and description of every option that applies to the current choices."""
        found = []
        for name, field in self.fields.items():
            if self._cells[name].isHidden():
                continue
            caption, label = _CAPTIONS.get(name, field.spec.label), field.spec.label
            title = caption
            if caption != label:
                title = tr("{caption} ({label})", caption=caption, label=label)
            found.append((name, title, field.spec.doc))
        return found

    def go_to_option(self, name: str) -> None:
        """Move the focus to an option, and show it if it is among the further ones."""
        editor = self.fields[name].editor
        if self._rest.isAncestorOf(editor):
            self.more.setChecked(True)
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _make_field(self, spec: Spec) -> ParamField:
        own = None
        if spec.name in LISTS:
            own = WordListField(f"{self._prefix}.{spec.name}", self._theme, self._settings)
        field = ParamField(
            spec,
            self._prefix,
            self._field_edited,
            _CAPTIONS.get(spec.name, ""),
            width=_WIDTHS.get(spec.name, 0),
            own=own,
        )
        field.editor.setAccessibleName(spec.label)
        more: list[QWidget] = []
        if own is not None:
            more.append(own.button)
        if spec.name in _UNITS:
            more.append(label(_UNITS[spec.name], role="small"))
        if spec.name == "phrase_threshold":
            more.append(self._usual)
        self._cells[spec.name] = field.cell(*more)
        return field

    def _arrange(self) -> None:
        joining = FlowLayout(gap=SPACE_3, row_gap=SPACE_1)
        refining = FlowLayout(self._rest, gap=SPACE_4, row_gap=SPACE_1)
        for name, field in self.fields.items():
            if name.startswith("phrase_"):
                add(joining, self._cells[name])
            elif field.spec.basic:
                add(self.reading, self._cells[name])
            else:
                add(refining, self._cells[name])
        add(self.reading, self.more)
        fill(self, column(self.reading, joining, self._rest, self.missing, self._error))
        self._rest.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit the height again: a widget that has grown may have started another row."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _fit(self) -> None:
        """Require the height of all rows: in a low window, the panel then scrolls instead of
        squeezing rows.
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
        """Show the number of hidden options that are set."""
        off = sum(
            field.off_baseline
            for name, field in self.fields.items()
            if not field.spec.basic and not name.startswith("phrase_")
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

    def _show_state(self, errors: Mapping[str, str]) -> None:
        """Show the options that apply to the current choices, and their errors."""
        super()._show_state(errors)
        phrases = self.fields["phrases"].editor
        assert isinstance(phrases, IntBox)
        for name, cell in self._cells.items():
            if name.startswith("phrase_"):
                # A threshold can only decrease from one pass to the next.
                cell.setVisible(phrases.value() > (1 if name == "phrase_fall" else 0))
        tokeniser = str(self.fields["tokeniser"].value())
        self._cells["pattern"].setVisible(tokeniser == "regex")
        self.missing.explain(TOKENISERS[tokeniser].missing())
        self._name_more()
        options = self.options()
        if options is not None:
            usual = ""
            if options.phrases and not options.phrase_threshold:
                usual = f"= {true_minus(f'{options.thresholds()[0]:g}')}"
            self._usual.setText(usual)
        self._error.setText(" ".join(errors.values()))
        self._error.setVisible(bool(errors))
        self._fit()

    def _retheme(self) -> None:
        super()._retheme()
        self._name_more()


class WordListField(QLineEdit):
    """Words separated by spaces or commas, or @ and a path, which ``button``, placed beside the
    field, lets the user choose.
    """

    def __init__(self, name: str, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self._name, self._theme, self._settings = name, theme, settings
        self.setPlaceholderText(tr("words, or @file"))
        self.setClearButtonEnabled(True)
        self.button = text_button("", role="quiet", name=f"{name}.file", pressed=self.ask)
        self.button.setAccessibleName(tr("Choose a file of words"))
        self.button.setToolTip(tr("Choose a file with one word per line"))
        theme.changed.connect(self._retheme)
        self._retheme()

    def ask(self) -> None:
        """Let the user choose a file with one word per line."""
        title = tr("Choose a file with one word per line")
        dialog = file_dialog(self, self._settings, WORD_FILES, title)
        dialog.setObjectName(f"{self._name}.dialog")
        dialog.setNameFilters([tr("Lists of words (*.txt *.tsv)"), tr("All files (*)")])
        dialog.filesSelected.connect(lambda paths: self.setText(f"@{paths[0]}"))
        dialog.open()

    def _retheme(self) -> None:
        self.button.setIcon(self._theme.icon("folder", "muted"))
