"""A form made from the declaration of hyperparameters: a row each, the important ones first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.errors import ParameterError
from workbench.core.language import tr
from workbench.core.param_labels import override_labels
from workbench.core.params import Params, Value
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.text import note_in_sentence
from workbench.ui.theme import SPACE_1, Theme
from workbench.ui.widgets.inputs.form_row import (
    MARK_WIDTH,
    ParameterRow,
    label_of,
    shown_value,
    tooltip,
)

__all__ = ["MARK_WIDTH", "Form", "label_of", "shown_value", "told_fixed", "tooltip"]


class Form(QWidget):
    """Rows for the hyperparameters of a Params class, under object names ``prefix.<name>``;
    ``labels`` call them otherwise than everywhere, ``without`` are asked for elsewhere.

    ``changed`` is emitted once for every edit, and once when a whole set is put in.
    """

    changed = Signal()

    def __init__(
        self,
        prefix: str,
        theme: Theme,
        parent: QWidget | None = None,
        labels: Mapping[str, str] | None = None,
        without: Collection[str] = (),
    ) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self._labels = labels or {}
        self._without = without
        self._theme = theme
        self._kind: type[Params] | None = None
        self._rows: dict[str, ParameterRow] = {}
        self._fixed: Mapping[str, Value] = {}
        self._why_fixed = ""
        self._filling = False
        self._host: QWidget | None = None
        self._rest: QWidget | None = None
        self._typed = ""
        self._none = PlainLabel()
        self._none.setProperty("role", "small")
        self._none.setIndent(MARK_WIDTH)
        self._none.setWordWrap(True)
        self._none.hide()
        self.held = PlainLabel()
        self.held.setObjectName(f"{prefix.split('.')[0]}.held")
        self.held.setProperty("role", "small")
        self.held.setIndent(MARK_WIDTH)
        self.held.setWordWrap(True)
        self.held.hide()
        self.more = QPushButton()
        self.more.setObjectName(f"{prefix.split('.')[0]}.more")
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_rest)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_1)
        self._layout.addWidget(self._none)
        self._layout.addWidget(self.held)
        theme.changed.connect(self._retheme)

    def set_kind(
        self, kind: type[Params], baseline: Mapping[str, Value], values: Mapping[str, Value]
    ) -> None:
        """Show another declaration. ``baseline`` is what values are marked against, ``values`` what
        is shown.
        """
        if kind is not self._kind:
            self._build(kind)
        self.put(baseline, values)

    def put(self, baseline: Mapping[str, Value], values: Mapping[str, Value]) -> None:
        """Put values in; what they do not name is put to its baseline."""
        self._filling = True
        for name, row in self._rows.items():
            fixed = name in self._fixed
            if fixed:
                row.baseline = self._fixed[name]
            else:
                row.baseline = baseline.get(name, row.spec.default)
            row.put(row.baseline if fixed else values.get(name, row.baseline))
            if row.editor.isEnabled() == fixed:
                row.editor.setEnabled(not fixed)
                row.editor.setToolTip(safe_tip(self._why_fixed if fixed else tooltip(row.spec)))
        held = told_fixed(
            [row.label.text() for name, row in self._rows.items() if name in self._fixed],
            self._why_fixed,
        )
        if self.held.text() != held:
            self.held.setText(held)
            self.held.setVisible(bool(held))
        self._filling = False
        self._row_edited()

    @property
    def fixed_values(self) -> Mapping[str, Value]:
        """The values that cannot be changed now."""
        return self._fixed

    def fix(self, values: Mapping[str, Value], why: str) -> None:
        """Hold some values, from when others are put in the next time; ``why`` is said above them
        and at each.
        """
        self._fixed, self._why_fixed = dict(values), why

    def values(self) -> dict[str, Value]:
        """What stands in the form, valid or not."""
        return {name: row.value() for name, row in self._rows.items()}

    def changes(self) -> dict[str, Value]:
        """The values that are off their baseline."""
        return {name: row.value() for name, row in self._rows.items() if row.off_baseline}

    def baseline(self, name: str) -> Value:
        """What a value is marked against."""
        return self._rows[name].baseline

    def params(self) -> Params | None:
        """The values as valid parameters, or None while a field is wrong."""
        if self._kind is None:
            return None
        try:
            return self._kind.from_mapping(self.values())
        except ParameterError:
            return None

    def focus_first_error(self) -> None:
        """Bring the first wrong field into view."""
        for row in self._rows.values():
            if not row.error.isHidden():
                if not row.spec.basic:
                    self.more.setChecked(True)
                row.editor.setFocus()
                return

    def show_matching(self, typed: str) -> int:
        """Leave in the form only the rows that typed words describe, the important and the others;
        how many. With nothing typed all are as before.
        """
        self._typed = typed.strip()
        for row in self._rows.values():
            row.show(row.fits(self._typed))
        self._show_rest(self.more.isChecked())
        shown = sum(row.shown for row in self._rows.values())
        self._none.setText(tr("No setting is described by “{words}”.", words=self._typed))
        self._none.setVisible(not shown)
        return shown

    def focus_first_shown(self) -> None:
        """Go to the first setting that was found."""
        first = next((row for row in self._rows.values() if row.shown), None)
        if first is not None:
            first.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _build(self, kind: type[Params]) -> None:
        self._kind = kind
        opened = self.more.isChecked()
        if self._host is not None:
            self._layout.removeWidget(self._host)
            self._layout.removeWidget(self.more)
            self.more.setParent(None)
            self._host.deleteLater()
        self._rows = {
            spec.name: ParameterRow(
                spec,
                self._prefix,
                self._theme,
                self._labels.get(spec.name) or label_of(spec),
                self._row_edited,
            )
            for spec in kind.specs()
            if spec.name not in self._without
        }
        basic = [row for row in self._rows.values() if row.spec.basic]
        rest = [row for row in self._rows.values() if not row.spec.basic]
        if not basic:
            basic, rest = rest, []
        self._host = QWidget()
        layout = QVBoxLayout(self._host)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_1)
        layout.addWidget(_grid(basic))
        more_line = QHBoxLayout()
        more_line.setContentsMargins(MARK_WIDTH - 4, 0, 0, 0)
        more_line.addWidget(self.more)
        more_line.addStretch()
        layout.addLayout(more_line)
        self._rest = _grid(rest)
        layout.addWidget(self._rest)
        self._layout.addWidget(self._host)
        self._show_rest(opened)
        if self._typed:
            self.show_matching(self._typed)

    def _show_rest(self, opened: bool) -> None:
        hidden = [row for row in self._rows.values() if not row.spec.basic]
        off = sum(row.off_baseline for row in hidden)
        icon, text = "chevron-right", tr("More settings")
        if opened:
            icon, text = "chevron-down", tr("Fewer settings")
        elif off:
            text = tr("More settings ({number} changed)", number=off)
        self.more.setText(text)
        self.more.setAccessibleName(self.more.text())
        self.more.setIcon(self._theme.icon(icon, "accent"))
        self.more.setVisible(bool(hidden) and not self._typed)
        if self._rest is not None:
            self._rest.setVisible((opened or bool(self._typed)) and bool(hidden))

    def _row_edited(self) -> None:
        if self._filling:
            return
        errors: Mapping[str, str] = {}
        if self._kind is not None:
            try:
                with override_labels(self._labels):
                    self._kind.from_mapping(self.values())
            except ParameterError as error:
                errors = error.errors
        for name, row in self._rows.items():
            row.mark()
            row.complain(errors.get(name, ""))
        if any(name in errors and not row.spec.basic for name, row in self._rows.items()):
            self.more.setChecked(True)
        self._show_rest(self.more.isChecked())
        self.changed.emit()

    def _retheme(self) -> None:
        for row in self._rows.values():
            row.reset.setIcon(self._theme.icon("reset", "accent"))
        self._show_rest(self.more.isChecked())


def told_fixed(names: Sequence[str], why: str) -> str:
    """A sentence on settings that are held, "" where none is: “Window, symmetric: as few was
    counted.”
    """
    first, *others = names or [""]
    if names:
        return f"{', '.join([first, *map(note_in_sentence, others)])}: {note_in_sentence(why)}"
    return ""


def _grid(rows: list[ParameterRow]) -> QWidget:
    host = QWidget()
    grid = QGridLayout(host)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setVerticalSpacing(SPACE_1)
    grid.setHorizontalSpacing(0)
    grid.setColumnStretch(4, 1)
    grid.setColumnMinimumWidth(0, MARK_WIDTH)
    grid.setColumnMinimumWidth(1, 128)
    grid.setColumnMinimumWidth(2, 20)
    place = 0
    for row in rows:
        grid.addWidget(row.reset, place, 0)
        grid.addWidget(row.label, place, 1)
        grid.addWidget(
            row.symbol, place, 2, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        wide = bool(row.spec.choices) or row.text
        if row.text:
            aligned = Qt.AlignmentFlag(0)
        else:
            aligned = Qt.AlignmentFlag.AlignLeft
        grid.addWidget(row.editor, place, 3, 1, 2 if wide else 1, aligned)
        if not wide:
            grid.addWidget(row.unit, place, 4)
        grid.addWidget(row.error, place + 1, 1, 1, 4)
        place += 2
    # The empty rows of hidden errors take no height of their own.
    for line in range(1, place, 2):
        grid.setRowMinimumHeight(line, 0)
    return host
