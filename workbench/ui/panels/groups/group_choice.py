"""Choice of what groups the sentences of a text: a column, the folder, the file, or a pattern."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.language import tr
from workbench.corpus.columns import column_names
from workbench.corpus.corpus import Corpus
from workbench.corpus.groups import FILE, FOLDER, YEAR, GroupParams, offered_groups
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.inputs.declared import declared_number
from workbench.ui.widgets.inputs.setting_tooltip import tooltip

# Choice of a pattern, which no column can be called.
PATTERN = "("
MOST_YEARS = 1000


def labelled(text: str, control: QWidget) -> QWidget:
    """A control behind its label, which stay together when a row of controls wraps."""
    return kit.box(kit.row(kit.label(text, role="muted"), control, gap=kit.SPACE_1))


class GroupChoice:
    """Controls for ``GroupParams``."""

    def __init__(self, panel: Panel) -> None:
        by = GroupParams.spec("by")
        self.by = panel.named(kit.ChoiceBox.of({}, letters=10), "by", by.label, tooltip(by))
        self.pattern = panel.named(
            QLineEdit(),
            "pattern",
            tr("Pattern of file names"),
            tr("A pattern of file names with one pair of brackets around the group (Return)"),
        )
        self.pattern.setPlaceholderText("_(\\d{4})")
        kit.set_scaled_size(self.pattern, least_width=90, most_width=150)
        self.years = declared_number(panel, GroupParams, "years", MOST_YEARS, width=88)
        self.years.setSpecialValueText(tr("each"))
        self.by.activated.connect(lambda _: self._ask_pattern())
        self.show_fields()

    @property
    def controls(self) -> dict[str, QWidget]:
        """The controls by their fields of the state."""
        return {"by": self.by, "pattern": self.pattern, "years": self.years}

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The controls, from left to right."""
        years = labelled(GroupParams.spec("years").label, self.years)
        return labelled(tr("Group by"), self.by), self.pattern, years

    @property
    def params(self) -> GroupParams | None:
        """The chosen grouping; None without one, or for an empty pattern."""
        chosen = self.by.currentData()
        if chosen == PATTERN:
            chosen = self.pattern.text().strip()
        return GroupParams(str(chosen), self.years.value()) if chosen else None

    def offer(self, corpus: Corpus) -> None:
        """Offer what can group a text; the choice stays if it is among it."""
        columns = column_names(corpus)
        titles = {YEAR: tr("Year"), FOLDER: tr("Folder"), FILE: tr("File")}
        offers: list[tuple[str, object]] = [
            (name if name in columns and name != YEAR else titles.get(name, name), name)
            for name in offered_groups(corpus)
        ]
        if corpus.file_edges is not None and len(corpus.files) > 1:
            offers.append((tr("Pattern of file names"), PATTERN))
        self.by.replace_choices(offers)
        self.by.setEnabled(bool(offers))
        self.show_fields()

    def _ask_pattern(self) -> None:
        if self.by.currentData() == PATTERN and not self.pattern.text():
            self.pattern.setFocus()

    def show_fields(self) -> None:
        """Show the field for a pattern only where it counts."""
        self.pattern.setVisible(self.by.currentData() == PATTERN)
