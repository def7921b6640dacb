"""Forms made from declarations of hyperparameters, with a field for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QToolButton,
    QWidget,
)

from workbench.core.errors import ParameterError
from workbench.core.language import tr
from workbench.core.param_labels import override_labels
from workbench.core.params import Params, Spec, Value, special_value
from workbench.ui.base.boxes import (
    Part,
    across,
    add,
    aligned,
    at_left,
    box,
    column,
    fill,
    grid,
    row,
    set_margins,
    stretch,
)
from workbench.ui.base.controls import button, label, with_role
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.plain_text import (
    PlainLabel,
    RichLabel,
    RichText,
    menu_text,
    safe_tip,
)
from workbench.ui.base.scaling import set_scaled_size, text_factor
from workbench.ui.base.text import note_in_sentence
from workbench.ui.base.theme import SPACE_1, Theme, set_property
from workbench.ui.widgets.inputs.editors import FloatBox, IntBox, ValueBox
from workbench.ui.widgets.inputs.setting_tooltip import shown_value, tooltip

_EDITOR_WIDTH = 84
_NAME_WIDTH, _SYMBOL_WIDTH = 128, 20
# Width of a number field beyond its digits: arrows, frame and spaces.
_AROUND_NUMBER = 30
# Width of the column of marks to the left of the names; an embedding widget may put it into its
# margin.
MARK_WIDTH = 18


def told_fixed(names: Sequence[str], why: str) -> str:
    """A sentence on fixed settings, "" without any: “Window, symmetric: as few was counted.”"""
    first, *others = names or [""]
    if names:
        return f"{', '.join([first, *map(note_in_sentence, others)])}: {note_in_sentence(why)}"
    return ""


class ParamField:
    """The widgets of one hyperparameter: name, symbol, editor, unit, mark of a change, error.

    ``name`` replaces its usual name, ``changed`` is called at every edit, ``width`` is that of the
    editor, ``own`` an editor for its text in place of a line. A form needn't use all of its
    widgets.
    """

    def __init__(
        self,
        spec: Spec,
        prefix: str,
        changed: Callable[[], None],
        name: str = "",
        *,
        width: int = 0,
        own: QLineEdit | QComboBox | None = None,
    ) -> None:
        name = name or spec.label
        self.spec = spec
        self.baseline: Value = spec.default
        self.shown = True
        self._changed = changed
        self._width = width
        self.label = PlainLabel(name)
        # Distance to the symbol, even if the text is large.
        self.label.setContentsMargins(0, 0, SPACE_1 + 2, 0)
        symbol = RichLabel(f"<i>{spec.symbol}</i>" if spec.symbol else "")
        self.symbol = with_role(symbol, "muted")
        self.editor = self._make_editor(own)
        self.editor.setObjectName(f"{prefix}.{spec.name}")
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(spec.doc)
        self.label.setBuddy(self.editor)
        # A long unit is elided rather than widening the column; the tooltip contains it.
        self.unit = with_role(ElidedLabel(spec.unit, tells=False, entire=True), "small")
        self.unit.setIndent(SPACE_1 + 2)
        self._show_tip()
        self.reset = with_role(QToolButton(), "mark", f"{prefix}.{spec.name}.reset")
        set_scaled_size(self.reset, icon=14, width=MARK_WIDTH - 1, height=20)
        self.reset.setAccessibleName(tr("Reset {name}", name=note_in_sentence(name)))
        # A function that refers to the field would keep the button alive if no form uses it.
        self.reset.clicked.connect(self._put_baseline)
        self.error = label(role="error", name=f"{prefix}.{spec.name}.error", wrap=True)
        self.error.hide()

    def _put_baseline(self) -> None:
        self.put(self.baseline)

    @property
    def tip(self) -> RichText:
        """The tooltip of all widgets of the field."""
        return tooltip(self.spec, default=self.baseline)

    def _show_tip(self) -> None:
        for widget in (self.label, self.symbol, self.editor, self.unit):
            widget.setToolTip(safe_tip(self.tip))

    def set_baseline(self, baseline: Value) -> None:
        """Compare the value with another baseline, which the tooltip gives as the default."""
        if baseline != self.baseline:
            self.baseline = baseline
            self._show_tip()

    def _make_editor(self, own: QLineEdit | QComboBox | None) -> QWidget:
        spec, width = self.spec, self._width or _EDITOR_WIDTH
        if spec.type is bool:
            box = QCheckBox()
            return self._bind(box, bool, box.isChecked, box.setChecked, box.toggled)
        if spec.choices:
            choice = ValueBox(spec.choices)
            set_scaled_size(choice, width=self._width or _EDITOR_WIDTH + 24)
            return self._bind(
                choice, str, lambda: choice.value, choice.put, choice.currentIndexChanged
            )
        if spec.type is int and (spec.high is None or spec.high < 2**31):
            whole = IntBox()
            whole.valueChanged.connect(lambda _: self._fit_digits(whole))
            whole.lineEdit().textEdited.connect(lambda _: self._fit_digits(whole))
            set_scaled_size(whole, width=width)
            return self._bind(
                whole,
                int,
                lambda: whole.fraction or whole.value(),
                whole.setValue,
                whole.valueChanged,
                whole.lineEdit().textEdited,
            )
        if spec.type is float:
            real = FloatBox()
            set_scaled_size(real, width=width)
            return self._bind(real, float, real.value, real.setValue, real.valueChanged)
        if isinstance(own, QComboBox):
            set_scaled_size(own, width=width)
            return self._bind(own, str, own.currentText, own.setCurrentText, own.currentTextChanged)
        line = own or QLineEdit()
        if self._width:
            set_scaled_size(line, width=width)
        else:
            # As wide as possible: paths, addresses and lists are long.
            set_scaled_size(line, least_width=width)
        return self._bind(line, str, line.text, line.setText, line.textChanged)

    def _bind(
        self,
        editor: QWidget,
        kind: Callable[[Any], Value],
        read: Callable[[], Value],
        write: Callable[[Any], object],
        *edited: SignalInstance,
    ) -> QWidget:
        """Read and write ``editor`` by these functions; ``kind`` converts a value for ``write``."""
        self._kind, self._read, self._write = kind, read, write
        for signal in edited:
            signal.connect(lambda _: self._changed())
        if isinstance(editor, QAbstractSpinBox):
            editor.installEventFilter(_UNDO)
        return editor

    def _fit_digits(self, box: IntBox) -> None:
        """Make room for all digits, even of a number that is too large."""
        wanted = math.ceil(box.fontMetrics().horizontalAdvance(box.text()) / text_factor())
        set_scaled_size(box, width=max(self._width or _EDITOR_WIDTH, wanted + _AROUND_NUMBER))

    def value(self) -> Value:
        """The content of the editor, valid or not."""
        return self._read()

    def put(self, value: Value) -> None:
        """Show another value."""
        self._write(self._kind(value))

    def cell(self, *more: QWidget) -> QWidget:
        """Caption, editor and ``more`` in one line, for a form without columns."""
        if isinstance(self.editor, QCheckBox):
            self.editor.setText(menu_text(self.label.text()))
            return self.editor
        set_margins(with_role(self.label, "muted"), 0)
        return box(row(self.label, self.editor, *more))

    @property
    def wide(self) -> bool:
        """Whether the editor takes the room of the unit, too."""
        return isinstance(self.editor, (QComboBox, QLineEdit))

    @property
    def off_baseline(self) -> bool:
        """Whether the value differs from the baseline, or is invalid."""
        try:
            return self.spec.coerce(self.value()) != self.baseline
        except ValueError:
            return True

    def hold(self, why: str) -> None:
        """Fix the value with a reason; "" makes it editable again."""
        if self.editor.isEnabled() == bool(why):
            self.editor.setEnabled(not why)
            self.editor.setToolTip(safe_tip(why or self.tip))

    def show_state(self, error: str) -> None:
        """Mark the value if it differs from the baseline, and show its error."""
        self.error.setText(error)
        set_property(self.editor, "invalid", bool(error))
        baseline = shown_value(self.baseline, self.spec)
        self.reset.setToolTip(safe_tip(tr("Reset to {value}", value=baseline)))
        self._show_marks()
        self.unit.put(special_value(self.value(), self.spec.doc) or self.spec.unit)

    def fits(self, typed: str) -> bool:
        """Whether every typed word occurs in the name, symbol, description or option."""
        spec = self.spec
        texts = (self.label.text(), spec.name, spec.symbol, spec.doc, spec.grows, spec.option)
        words = " ".join(texts).casefold()
        return all(word in words for word in typed.casefold().split())

    def show(self, shown: bool) -> None:
        """Show the field in the form, or hide it without taking up room."""
        self.shown = shown
        for widget in (self.label, self.symbol, self.editor, self.unit):
            _set_visible(widget, shown)
        self._show_marks()

    def _show_marks(self) -> None:
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(self.shown)
        self.reset.setSizePolicy(policy)
        _set_visible(self.reset, self.shown and self.off_baseline)
        _set_visible(self.error, self.shown and bool(self.error.text()))


def _set_visible(widget: QWidget, shown: bool) -> None:
    """Show or hide a widget, unless it is in no form and would become a window."""
    if widget.parent() is not None:
        widget.setVisible(shown)


class _UndoPasses(QObject):
    """Leaves undo and redo in number fields to the window: their content is a setting, not a
    text.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(
            QKeySequence.StandardKey.Redo
        ):
            event.ignore()
            return True
        return False


_UNDO = _UndoPasses()


class ParamForm(QWidget):
    """Fields for the hyperparameters of a Params class, with object names ``prefix.<name>``;
    ``labels`` replace usual names, ``without`` are the hyperparameters to leave out.

    ``changed`` is emitted once for every edit, and once when several values are set. Subclasses lay
    out the fields in ``_arrange``.
    """

    changed = Signal()

    def __init__(
        self,
        prefix: str,
        theme: Theme,
        labels: Mapping[str, str] | None = None,
        without: Collection[str] = (),
    ) -> None:
        super().__init__()
        self._prefix = prefix
        self._labels = labels or {}
        self._without = without
        self._theme = theme
        self._kind: type[Params] | None = None
        self.fields: dict[str, ParamField] = {}
        self._fixed: Mapping[str, Value] = {}
        self._why_fixed = ""
        self._filling = False
        theme.changed.connect(self._retheme)

    def set_kind(
        self, kind: type[Params], baseline: Mapping[str, Value], values: Mapping[str, Value]
    ) -> None:
        """Show another declaration. ``baseline`` is the reference for marks, ``values`` are the
        values shown.
        """
        if kind is not self._kind:
            self._kind = kind
            self.fields = {
                spec.name: self._make_field(spec)
                for spec in kind.specs()
                if spec.name not in self._without
            }
            self._arrange()
            self._retheme()
        self.put(baseline, values)

    def put(self, baseline: Mapping[str, Value], values: Mapping[str, Value]) -> None:
        """Set values; those not given are reset to their baseline."""
        self._filling = True
        for name, field in self.fields.items():
            if name in self._fixed:
                field.set_baseline(self._fixed[name])
                field.put(field.baseline)
                field.hold(self._why_fixed)
            else:
                field.set_baseline(baseline.get(name, field.spec.default))
                field.put(values.get(name, field.baseline))
                field.hold("")
        self._filling = False
        self._field_edited()

    @property
    def fixed_values(self) -> Mapping[str, Value]:
        """The fixed values."""
        return self._fixed

    def fix(self, values: Mapping[str, Value], why: str) -> None:
        """Fix some values, with effect from the next time that values are set; ``why`` is shown
        above them and at each one.
        """
        self._fixed, self._why_fixed = dict(values), why

    def values(self) -> dict[str, Value]:
        """The content of the form, valid or not."""
        return {name: field.value() for name, field in self.fields.items()}

    def changes(self) -> dict[str, Value]:
        """The values that differ from the baseline."""
        return {name: field.value() for name, field in self.fields.items() if field.off_baseline}

    def baseline(self, name: str) -> Value:
        """The reference for the mark of a value."""
        return self.fields[name].baseline

    def params(self) -> Params | None:
        """The values as valid parameters, or None while a value is invalid."""
        if self._kind is None:
            return None
        try:
            return self._kind.from_mapping(self.values())
        except ParameterError:
            return None

    def _make_field(self, spec: Spec) -> ParamField:
        name = self._labels.get(spec.name, "")
        return ParamField(spec, self._prefix, self._field_edited, name)

    def _arrange(self) -> None:
        """Lay out the fields in place of earlier ones; defined by subclasses."""
        raise NotImplementedError

    def _find_errors(self) -> Mapping[str, str]:
        """Errors, by the names of the values."""
        assert self._kind is not None
        try:
            with override_labels(self._labels):
                self._kind.from_mapping(self.values())
        except ParameterError as error:
            return error.errors
        return {}

    def _field_edited(self) -> None:
        if self._filling:
            return
        self._show_state(self._find_errors())
        self.changed.emit()

    def _show_state(self, errors: Mapping[str, str]) -> None:
        for name, field in self.fields.items():
            field.show_state(errors.get(name, ""))

    def _retheme(self) -> None:
        for field in self.fields.values():
            field.reset.setIcon(self._theme.icon("reset", "accent"))


class Form(ParamForm):
    """A row for each hyperparameter: the important ones first, the others on request."""

    def __init__(
        self,
        prefix: str,
        theme: Theme,
        labels: Mapping[str, str] | None = None,
        without: Collection[str] = (),
    ) -> None:
        super().__init__(prefix, theme, labels, without)
        self._host: QWidget | None = None
        self._rest: QWidget | None = None
        self._grids: list[QWidget] = []
        self._typed = ""
        panel = prefix.split(".")[0]
        self._none = label(role="small", wrap=True)
        self.held = label(role="small", name=f"{panel}.held", wrap=True)
        for said in (self._none, self.held):
            said.setIndent(MARK_WIDTH)
            said.hide()
        self.more = button(role="link", name=f"{panel}.more", checkable=True)
        self.more.toggled.connect(self._show_rest)
        self.more.setToolTip(tr("Show or hide the settings that rarely need changing"))
        self._layout = column(self._none, self.held, gap=SPACE_1)
        fill(self, self._layout)

    def put(self, baseline: Mapping[str, Value], values: Mapping[str, Value]) -> None:
        super().put(baseline, values)
        held = told_fixed(
            [field.label.text() for name, field in self.fields.items() if name in self._fixed],
            self._why_fixed,
        )
        if self.held.text() != held:
            self.held.setText(held)
            self.held.setVisible(bool(held))

    def focus_first_error(self) -> None:
        """Focus the first invalid field."""
        for field in self.fields.values():
            if not field.error.isHidden():
                if not field.spec.basic:
                    self.more.setChecked(True)
                field.editor.setFocus()
                return

    def show_matching(self, typed: str) -> int:
        """Show only the rows that match the typed words, important and others; returns their
        number. Without text, show the rows as before.
        """
        self._typed = typed.strip()
        for field in self.fields.values():
            field.show(field.fits(self._typed))
        self._show_rest(self.more.isChecked())
        shown = sum(field.shown for field in self.fields.values())
        self._none.setText(tr("No settings match “{words}”.", words=self._typed))
        self._none.setVisible(not shown)
        return shown

    def focus_first_shown(self) -> None:
        """Focus the first setting found."""
        first = next((field for field in self.fields.values() if field.shown), None)
        if first is not None:
            first.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _arrange(self) -> None:
        opened = self.more.isChecked()
        if self._host is not None:
            self._layout.removeWidget(self._host)
            self._layout.removeWidget(self.more)
            self.more.setParent(None)
            self._host.deleteLater()
        basic = [field for field in self.fields.values() if field.spec.basic]
        rest = [field for field in self.fields.values() if not field.spec.basic]
        if not basic:
            basic, rest = rest, []
        self._grids = [_grid(basic), _grid(rest)]
        self._rest = self._grids[1]
        more = row(self.more, stretch(), margins=(MARK_WIDTH - 4, 0, 0, 0))
        self._host = box(column(self._grids[0], more, self._rest, gap=SPACE_1))
        add(self._layout, self._host)
        self._align_columns()
        self._show_rest(opened)
        if self._typed:
            self.show_matching(self._typed)

    def _align_columns(self) -> None:
        """Give the names and symbols in both grids the same widths, so that all editors are
        aligned.
        """
        fields = list(self.fields.values())
        for place, least, labels in (
            (1, _NAME_WIDTH, [field.label for field in fields]),
            (2, _SYMBOL_WIDTH, [field.symbol for field in fields]),
        ):
            for name_label in labels:
                name_label.ensurePolished()
            width = max([least, *(name_label.sizeHint().width() for name_label in labels)])
            for host in self._grids:
                layout = host.layout()
                assert isinstance(layout, QGridLayout)
                layout.setColumnMinimumWidth(place, width)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._align_columns()
        return done

    def _show_rest(self, opened: bool) -> None:
        hidden = [field for field in self.fields.values() if not field.spec.basic]
        off = sum(field.off_baseline for field in hidden)
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

    def _show_state(self, errors: Mapping[str, str]) -> None:
        super()._show_state(errors)
        if any(not field.spec.basic and name in errors for name, field in self.fields.items()):
            self.more.setChecked(True)
        self._show_rest(self.more.isChecked())

    def _retheme(self) -> None:
        super()._retheme()
        self._show_rest(self.more.isChecked())


def _grid(fields: list[ParamField]) -> QWidget:
    rows = [row for field in fields for row in _rows(field)]
    layout = grid(*rows, gap=0, row_gap=SPACE_1, shares=(0, 0, 0, 0, 1))
    for place, width in enumerate((MARK_WIDTH, _NAME_WIDTH, _SYMBOL_WIDTH)):
        layout.setColumnMinimumWidth(place, width)
    return box(layout)


def _rows(field: ParamField) -> tuple[Sequence[Part | None], Sequence[Part | None]]:
    """The row of a field, and that of its error, which takes no height while it is hidden."""
    symbol = aligned(field.symbol, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    editor: Part = at_left(field.editor)
    if isinstance(field.editor, QLineEdit):
        editor = field.editor
    above = (field.reset, field.label, symbol)
    below = (None, across(field.error, 4))
    if field.wide:
        return (*above, across(editor, 2)), below
    return (*above, editor, field.unit), below
