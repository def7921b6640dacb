"""A form made from the declaration of hyperparameters: a row each, the important ones first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import ParameterError
from workbench.core.params import Params, Spec, Value
from workbench.ui.measures import sized
from workbench.ui.theme import SPACE_1, Theme, set_property
from workbench.ui.widgets.editors import ChoiceBox, FloatBox, IntBox, plain_float
from workbench.ui.widgets.elided import ElidedLabel

_EDITOR_WIDTH = 84
# The column of the marks, left of the names; whoever embeds a form may let it stand in the margin.
MARK_WIDTH = 18
_LABELS = {
    "dim": "Dimension",
    "n_neighbors": "Neighbours",
    "min_dist": "Least distance",
    "window_weighting": "Window weighting",
    "negative": "Negative samples",
    "ns_exponent": "Noise exponent",
    "sample": "Subsampling",
    "sample_formula": "Subsampling rule",
    "min_count": "Minimum count",
    "max_vocab": "Largest vocabulary",
    "min_n": "Shortest n-gram",
    "max_n": "Longest n-gram",
    "x_max": "Weight cutoff",
    "alpha": "Weight exponent",
    "eig": "Eigenvalue power",
    "seed": "Random seed",
    "lowercase": "Fold capitals",
    "strip_accents": "Fold accents",
    "unicode_form": "Unicode form",
}


def label_of(spec: Spec) -> str:
    """The name of a hyperparameter in words."""
    return _LABELS.get(spec.name, spec.name.replace("_", " ").capitalize())


def shown_value(value: Value) -> str:
    """A value as the form shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return plain_float(value)
    return f"{value:,}" if isinstance(value, int) else value


def tooltip(spec: Spec) -> str:
    """What it does, what changes when it grows, its range and the source of its default."""
    lines = [f"<b>{label_of(spec)}</b>" + (f" <i>{spec.symbol}</i>" if spec.symbol else ""), spec.doc]
    if spec.grows:
        lines.append(f"As it grows: {spec.grows}.")
    unit = f" {spec.unit}" if spec.unit else ""
    lines.append(f"It is {spec.describe_range()}; by default {shown_value(spec.default)}{unit}.")
    if spec.source:
        lines.append(f"Source of the default: {spec.source}.")
    lines.append(f"On the command line: {spec.option}")
    return "<div style='width: 300px'>" + "<br>".join(lines) + "</div>"


class _Row:
    """The widgets of one hyperparameter: name, symbol, editor, unit, mark, error."""

    def __init__(self, spec: Spec, prefix: str, theme: Theme, name: str, changed: Callable[[], None]) -> None:
        self.spec = spec
        self.baseline: Value = spec.default
        self.changed = changed
        tip = tooltip(spec)
        self.label = QLabel(name)
        self.symbol = QLabel(f"<i>{spec.symbol}</i>" if spec.symbol else "")
        self.symbol.setProperty("role", "muted")
        self.editor = self._make_editor()
        self.editor.setObjectName(f"{prefix}.{spec.name}")
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(spec.doc)
        self.label.setBuddy(self.editor)
        # A long unit gives way rather than widening the column; the tooltip has it in full.
        self.unit = ElidedLabel(spec.unit, tells=False)
        self.unit.setProperty("role", "small")
        self.unit.setIndent(SPACE_1 + 2)
        for widget in (self.label, self.symbol, self.editor, self.unit):
            widget.setToolTip(tip)
        self.reset = QToolButton()
        self.reset.setProperty("role", "mark")
        self.reset.setIcon(theme.icon("reset", "accent"))
        sized(self.reset, icon=14)
        sized(self.reset, width=MARK_WIDTH - 1, height=20)
        self.reset.setObjectName(f"{prefix}.{spec.name}.reset")
        self.reset.setAccessibleName(f"Put {name.lower()} back")
        self.reset.clicked.connect(lambda: self.put(self.baseline))
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.error = QLabel()
        self.error.setProperty("role", "error")
        self.error.setWordWrap(True)
        self.error.setObjectName(f"{prefix}.{spec.name}.error")
        self.error.hide()

    def _make_editor(self) -> QWidget:
        spec = self.spec
        if spec.type is bool:
            box = QCheckBox()
            box.toggled.connect(lambda _: self.changed())
            return box
        if spec.choices:
            choice = ChoiceBox()
            choice.addItems(list(spec.choices))
            choice.currentTextChanged.connect(lambda _: self.changed())
            sized(choice, width=_EDITOR_WIDTH + 24)
            return choice
        if spec.type is int and (spec.high is None or spec.high < 2**31):
            number = IntBox()
            number.valueChanged.connect(lambda _: self.changed())
            sized(number, width=_EDITOR_WIDTH)
            return number
        if spec.type is float:
            real = FloatBox()
            real.valueChanged.connect(lambda _: self.changed())
            sized(real, width=_EDITOR_WIDTH)
            return real
        line = QLineEdit()
        line.textChanged.connect(lambda _: self.changed())
        sized(line, width=_EDITOR_WIDTH)
        return line

    def value(self) -> Value:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        if isinstance(editor, ChoiceBox):
            return editor.currentText()
        if isinstance(editor, IntBox):
            return editor.value()
        if isinstance(editor, FloatBox):
            return editor.value()
        assert isinstance(editor, QLineEdit)
        return editor.text()

    def put(self, value: Value) -> None:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, ChoiceBox):
            editor.setCurrentText(str(value))
        elif isinstance(editor, IntBox):
            editor.setValue(int(value))
        elif isinstance(editor, FloatBox):
            editor.setValue(float(value))
        elif isinstance(editor, QLineEdit):
            editor.setText(str(value))

    @property
    def off_baseline(self) -> bool:
        try:
            return self.spec.coerce(self.value()) != self.baseline
        except ValueError:
            return True

    def mark(self) -> None:
        off = self.off_baseline
        self.reset.setVisible(off)
        self.reset.setToolTip(f"Changed; put back to {shown_value(self.baseline)}")

    def complain(self, sentence: str) -> None:
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        set_property(self.editor, "invalid", bool(sentence))


class Form(QWidget):
    """Rows for the hyperparameters of a Params class, under object names ``prefix.<name>``; ``labels`` call
    them otherwise than everywhere.

    ``changed`` is emitted once for every edit, and once when a whole set is put in.
    """

    changed = Signal()

    def __init__(
        self, prefix: str, theme: Theme, parent: QWidget | None = None, labels: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self._labels = labels or {}
        self._theme = theme
        self._kind: type[Params] | None = None
        self._rows: dict[str, _Row] = {}
        self._filling = False
        self._host: QWidget | None = None
        self._rest: QWidget | None = None
        self.more = QPushButton()
        self.more.setObjectName(f"{prefix.split('.')[0]}.more")
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_rest)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_1)
        theme.changed.connect(self._retheme)

    def set_kind(self, kind: type[Params], baseline: Mapping[str, Value], values: Mapping[str, Value]) -> None:
        """Show another declaration. ``baseline`` is what values are marked against, ``values`` what is shown."""
        if kind is not self._kind:
            self._build(kind)
        self.put(baseline, values)

    def put(self, baseline: Mapping[str, Value], values: Mapping[str, Value]) -> None:
        """Put values in; what they do not name is put to its baseline."""
        self._filling = True
        for name, row in self._rows.items():
            row.baseline = baseline.get(name, row.spec.default)
            row.put(values.get(name, row.baseline))
        self._filling = False
        self._edited()

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

    def _build(self, kind: type[Params]) -> None:
        self._kind = kind
        opened = self.more.isChecked()
        if self._host is not None:
            self._layout.removeWidget(self._host)
            self._layout.removeWidget(self.more)
            self.more.setParent(None)
            self._host.deleteLater()
        self._rows = {
            spec.name: _Row(
                spec, self._prefix, self._theme, self._labels.get(spec.name) or label_of(spec), self._edited
            )
            for spec in kind.specs()
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
        self.more.setVisible(bool(rest))
        self._show_rest(opened)

    def _show_rest(self, opened: bool) -> None:
        hidden = [row for row in self._rows.values() if not row.spec.basic]
        off = sum(row.off_baseline for row in hidden)
        note = f" ({off} changed)" if off and not opened else ""
        self.more.setText("Fewer settings" if opened else f"More settings{note}")
        self.more.setAccessibleName(self.more.text())
        self.more.setIcon(self._theme.icon("chevron-down" if opened else "chevron-right", "accent"))
        if self._rest is not None:
            self._rest.setVisible(opened and bool(hidden))

    def _edited(self) -> None:
        if self._filling:
            return
        errors: Mapping[str, str] = {}
        if self._kind is not None:
            try:
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


def _grid(rows: list[_Row]) -> QWidget:
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
        grid.addWidget(row.symbol, place, 2, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        wide = bool(row.spec.choices)
        grid.addWidget(row.editor, place, 3, 1, 2 if wide else 1, Qt.AlignmentFlag.AlignLeft)
        if not wide:
            grid.addWidget(row.unit, place, 4)
        grid.addWidget(row.error, place + 1, 1, 1, 4)
        place += 2
    # The empty rows of hidden errors take no height of their own.
    for line in range(1, place, 2):
        grid.setRowMinimumHeight(line, 0)
    return host
