"""The sets of words that associations are tested on: bundled, from a file, or typed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit

from workbench.analysis.associations.word_sets import (
    BUNDLED,
    AssociationTest,
    AssociationTests,
    bundled_path,
    load_tests,
    typed_test,
)
from workbench.core.language import tr
from workbench.core.setting import Setting, Strings, strings
from workbench.ui import kit
from workbench.ui.widgets.inputs.file_choice import FileChoice
from workbench.ui.widgets.layout.panel_tab import Instrument

# Files opened by the user.
ASSOCIATION_FILES = Setting[Strings]("association_files", strings, ())
_KINDS = tr("Sets of words (*.toml);;All files (*)")
_TYPED = "typed"


class AssociationSets(QObject):
    """A choice of files, and four fields for typed sets. ``changed``: other sets were chosen."""

    changed = Signal()

    def __init__(self, page: Instrument) -> None:
        super().__init__(page)
        self._page, self._session = page, page.session
        self.set = FileChoice(page.session, ASSOCIATION_FILES, self._own_files, "", _KINDS)
        page.named(self.set, "set", tr("Sets of words"))
        self.open = page.named(
            kit.icon_button(page.theme, "folder", pressed=self.choose_file),
            "open",
            tr("Open sets of words"),
            tr("A TOML file with sets of words and tests"),
        )
        self.edit = page.named(
            kit.button(tr("Edit"), role="quiet"),
            "edit",
            tr("Edit the sets of the selected test"),
            tr("Put the sets of the selected test into fields, to change them"),
        )
        hints = {
            "x": (tr("Targets X"), "king duke actor"),
            "y": (tr("Targets Y"), "queen duchess actress"),
            "a": (tr("Attributes A"), "he his"),
            "b": (tr("Attributes B"), "she her"),
        }
        self.fields: dict[str, QLineEdit] = {}
        for key, (name, hint) in hints.items():
            field = page.named(
                QLineEdit(), key, name, tr("Words, separated by spaces or commas (Return)")
            )
            field.setPlaceholderText(hint)
            self.fields[key] = field
        self.paired = page.named(
            QCheckBox(tr("A and B in pairs")),
            "paired",
            tr("Attribute words in the same place belong together"),
            tr("Attribute words in the same place belong together, such as he and she: for RIPA"),
        )
        names = [kit.label(name, role="muted") for name, _ in hints.values()]
        x, y, a, b = self.fields.values()
        rows = kit.column(
            kit.row(names[0], kit.stretch(x), names[1], kit.stretch(y)),
            kit.row(names[2], kit.stretch(a), names[3], kit.stretch(b), self.paired),
            gap=kit.SPACE_1,
        )
        self.typed_box = kit.box(rows)
        page.bind_controls(paired=self.paired, **self.fields)
        page.bind(self.set, "set", by=[self.set.currentIndexChanged, self.set.activated])
        self.set.changed.connect(self._file_changed)
        # Only hidden here: without a parent, what is shown would be a window.
        (self.edit if self.is_typed else self.typed_box).hide()

    def _own_files(self) -> dict[str, str]:
        corpus = self._session.corpora.current
        sample = "" if corpus is None else str(corpus.metadata.get("sample", ""))
        keys = sorted(BUNDLED, key=lambda key: key != sample)
        return {**{str(bundled_path(key)): BUNDLED[key] for key in keys}, _TYPED: tr("Typed sets")}

    @property
    def is_typed(self) -> bool:
        return bool(self.set.currentData() == _TYPED)

    @property
    def key(self) -> tuple[str, ...]:
        """What is chosen; the same as long as the files stay as they are."""
        typed = [field.text() for field in self.fields.values()]
        paired = str(self.paired.isChecked())
        return (_TYPED, *typed, paired) if self.is_typed else (str(self.set.currentData()),)

    @property
    def is_empty(self) -> bool:
        """Whether sets are to be typed, and a field is empty."""
        return self.is_typed and not all(field.text().strip() for field in self.fields.values())

    def read(self) -> AssociationTests:
        """The chosen tests. Raises UserError."""
        if self.is_typed:
            x, y, a, b = (_words(field.text()) for field in self.fields.values())
            return typed_test((x, y), (a, b), self.paired.isChecked())
        return load_tests(str(self.set.currentData()))

    def choose_file(self) -> None:
        self.set.ask(tr("Open sets of words"))

    def open_file(self, path: Path) -> None:
        self.set.open_file(path)

    def type_test(self, test: AssociationTest) -> None:
        """Put the sets of a test into the fields, and choose these."""
        texts = (" ".join(words.words) for words in test.sets)
        typed = dict(zip(self.fields, texts, strict=True))
        page = self._page
        page.view_state = page.view_state.replace(**typed, paired=test.paired, set=_TYPED)

    def _file_changed(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _show_fields(self) -> None:
        self.typed_box.setVisible(self.is_typed)
        self.edit.setVisible(not self.is_typed)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()
