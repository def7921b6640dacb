"""A form for a grid: each hyperparameter of an algorithm takes one value or several."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Spec, Value
from workbench.models.base import Model
from workbench.session.training.grid import Grid, grid_of, parse_values, value_text
from workbench.ui.base.plain_text import RichText
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.inputs.form import Form, ParamField
from workbench.ui.widgets.inputs.setting_tooltip import tooltip

_SYNTAX = tr("One value, or several: 2, 5, 10 · 50..200 step 50 · 1..64 x2")


class ValuesField(ParamField):
    """A line for the values of a hyperparameter, bold if there are several."""

    @property
    def tip(self) -> RichText:
        return tooltip(self.spec, _SYNTAX, default=self.baseline)

    def _make_editor(self, own: QWidget | None) -> QWidget:
        line = self.line = QLineEdit()
        return self._bind(line, value_text, line.text, line.setText, line.textChanged)

    @property
    def written_text(self) -> str:
        """The text of the line; "" if it contains the symbol for an empty value."""
        text = self.line.text()
        if text == value_text(""):
            return ""
        return text

    def parse(self) -> tuple[Value, ...]:
        """The values in the line. Raises ValueError and UserError."""
        return parse_values(self.spec, self.written_text)

    @property
    def off_baseline(self) -> bool:
        return self.line.text() != value_text(self.baseline)

    def show_state(self, error: str) -> None:
        super().show_state(error)
        font = self.line.font()
        font.setBold(not error and len(self.parse()) > 1)
        if font != self.line.font():
            self.line.setFont(font)


class GridForm(Form):
    """Object names are ``prefix.parameter``."""

    fields: dict[str, ValuesField]  # type: ignore[assignment]

    def __init__(self, prefix: str, theme: Theme) -> None:
        super().__init__(prefix, theme)
        self._model: type[Model] | None = None
        self.held.setObjectName(f"{prefix}.held")
        self.more.setObjectName(f"{prefix}.more")

    def set_model(
        self, model: type[Model], base: Mapping[str, Value], texts: Mapping[str, str]
    ) -> None:
        """Set the parameters of an algorithm; ``texts`` are those with other values than the base
        value.
        """
        self._model = model
        self.set_kind(model.params_type, base, texts)
        rest = [name for name, field in self.fields.items() if not field.spec.basic]
        self.more.setChecked(any(name in texts for name in rest))

    @property
    def texts(self) -> dict[str, str]:
        """The texts that differ from the base values."""
        return {name: str(text) for name, text in self.changes().items()}

    def grid(self) -> Grid | None:
        """The grid in the form, None if a value is wrong. Raises UserError for too many runs."""
        if self._model is None or self._find_errors():
            return None
        texts = {name: field.written_text for name, field in self.fields.items()}
        base = {name: field.baseline for name, field in self.fields.items()}
        return grid_of(self._model, texts, base)

    def write(self, name: str, value: Value) -> None:
        """Set the text of a line, unless its value is fixed."""
        if name not in self.fixed_values:
            self.fields[name].put(value)

    def _make_field(self, spec: Spec) -> ParamField:
        field = ValuesField(spec, self._prefix, self._field_edited)
        field.editor.setAccessibleName(tr("Values of {spec}", spec=field.label.text()))
        return field

    def _find_errors(self) -> Mapping[str, str]:
        errors: dict[str, str] = {}
        for name, field in self.fields.items():
            try:
                field.parse()
            except (ValueError, UserError) as error:
                errors[name] = str(error)
        return errors
