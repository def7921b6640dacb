"""A line for every hyperparameter of an algorithm, each of which takes one value or several."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Spec, Value
from workbench.models.base import Model
from workbench.session.training.grid import Grid, grid_of, parse_values, value_text
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import SPACE_1, SPACE_2, set_property
from workbench.ui.widgets.inputs.form import label_of, told_fixed, tooltip

_SYNTAX = tr("One value, or several: 2, 5, 10 · 50..200 step 50 · 1..64 x2")


class GridForm(QWidget):
    """``changed``: a value is another. Object names are ``prefix.parameter``."""

    changed = Signal()

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix
        self._kind: type[Model] | None = None
        self._base: Mapping[str, Value] = {}
        self._fixed: Mapping[str, Value] = {}
        self._why_fixed = ""
        self.lines: dict[str, QLineEdit] = {}
        self._errors: dict[str, QLabel] = {}
        self._rest = QWidget()
        self.held = PlainLabel()
        self.held.setObjectName(f"{prefix}.held")
        self.held.setWordWrap(True)
        set_property(self.held, "role", "small")
        self.more = QPushButton()
        self.more.setCheckable(True)
        self.more.setObjectName(f"{prefix}.more")
        set_property(self.more, "role", "link")
        self.more.toggled.connect(self._show_rest)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE_1)

    @property
    def fixed_values(self) -> Mapping[str, Value]:
        """The values that cannot be chosen now."""
        return self._fixed

    def fix(self, values: Mapping[str, Value], why: str) -> None:
        """Fix some values from the next ``set_kind`` on; ``why`` is shown above them and in their
        tooltips.
        """
        self._fixed, self._why_fixed = dict(values), why

    def set_kind(
        self, kind: type[Model], base: Mapping[str, Value], texts: Mapping[str, str]
    ) -> None:
        """The parameters of an algorithm; ``texts`` where there is more than the base value."""
        self._kind, self._base = kind, {**base, **self._fixed}
        while self._column.count():
            item = self._column.takeAt(0)
            if item is None:
                continue
            widget = item.widget()
            if widget is not None and widget not in (self.more, self.held):
                widget.deleteLater()
        self.lines.clear()
        self._errors.clear()
        specs = kind.params_type.specs()
        held = [label_of(spec) for spec in specs if spec.name in self._fixed]
        self.held.setText(told_fixed(held, self._why_fixed))
        self.held.setVisible(bool(held))
        self._column.addWidget(self.held)
        self._column.addWidget(self._build_grid([spec for spec in specs if spec.basic], texts))
        self._column.addWidget(self.more)
        self._rest = self._build_grid([spec for spec in specs if not spec.basic], texts)
        self._column.addWidget(self._rest)
        self._column.addStretch(1)
        self.more.setChecked(
            any(name in texts for name in self.lines if not kind.params_type.spec(name).basic)
        )
        self._show_rest()
        self._check_lines()

    def _build_grid(self, specs: list[Spec], texts: Mapping[str, str]) -> QWidget:
        host = QWidget()
        grid = QGridLayout(host)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_2)
        grid.setVerticalSpacing(SPACE_1)
        grid.setColumnStretch(1, 1)
        for at, spec in enumerate(specs):
            text = value_text(self._base.get(spec.name, spec.default))
            fixed = spec.name in self._fixed
            tip = self._why_fixed
            if not fixed:
                text = texts.get(spec.name, text)
                tip = tooltip(spec, _SYNTAX)
            line = QLineEdit(text)
            line.setEnabled(not fixed)
            line.setObjectName(f"{self._prefix}.{spec.name}")
            line.setAccessibleName(tr("Values of {spec}", spec=label_of(spec)))
            line.setToolTip(safe_tip(tip))
            line.textChanged.connect(self._line_edited)
            label = PlainLabel(label_of(spec))
            label.setBuddy(line)
            label.setToolTip(safe_tip(tooltip(spec)))
            set_scaled_size(label, least_width=118)
            error = PlainLabel()
            error.setWordWrap(True)
            error.setObjectName(f"{self._prefix}.{spec.name}.error")
            error.setProperty("role", "error")
            error.hide()
            grid.addWidget(label, 2 * at, 0)
            grid.addWidget(line, 2 * at, 1)
            grid.addWidget(error, 2 * at + 1, 0, 1, 2)
            self.lines[spec.name], self._errors[spec.name] = line, error
        return host

    @property
    def texts(self) -> dict[str, str]:
        """The written texts that differ from the base values."""
        return {
            name: line.text()
            for name, line in self.lines.items()
            if line.text() != value_text(self._base.get(name, self._spec_of(name).default))
        }

    def grid(self) -> Grid | None:
        """The grid as written, None where a value is wrong. Raises UserError for too many runs."""
        if self._kind is None or not self._check_lines():
            return None
        texts = {name: _written_text(line) for name, line in self.lines.items()}
        return grid_of(self._kind, texts, self._base)

    def put(self, name: str, text: str) -> None:
        """Write into a line, unless its value is held."""
        if name not in self._fixed:
            self.lines[name].setText(text)

    def _spec_of(self, name: str) -> Spec:
        assert self._kind is not None
        return self._kind.params_type.spec(name)

    def _check_lines(self) -> bool:
        """Show the problem of each line below it; whether all lines are right."""
        fine = True
        for name, line in self.lines.items():
            problem, several = "", False
            try:
                several = len(parse_values(self._spec_of(name), _written_text(line))) > 1
            except (ValueError, UserError) as error:
                problem = str(error)
            fine = fine and not problem
            set_property(line, "invalid", bool(problem))
            label = self._errors[name]
            if label.text() != problem:
                label.setText(problem)
            if label.isHidden() is bool(problem):
                label.setVisible(bool(problem))
            font = line.font()
            if font.bold() != several:
                font.setBold(several)
                line.setFont(font)
        return fine

    def _line_edited(self) -> None:
        self.changed.emit()

    def _show_rest(self, *_: object) -> None:
        opened = self.more.isChecked()
        text = tr("More settings")
        if opened:
            text = tr("Fewer settings")
        self.more.setText(text)
        self.more.setAccessibleName(text)
        self._rest.setVisible(opened)


def _written_text(line: QLineEdit) -> str:
    """The text of a line, "" for the sign of an empty value."""
    if line.text() == value_text(""):
        return ""
    return line.text()
