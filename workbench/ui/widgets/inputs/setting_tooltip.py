"""Text of a hyperparameter’s value, and the tooltip of its field."""

from __future__ import annotations

from workbench.core.language import choice_text, digits, tr
from workbench.core.params import Spec, Value
from workbench.ui.base.plain_text import RichText, rich_tip
from workbench.ui.widgets.inputs.editors import plain_float


def shown_value(value: Value, spec: Spec | None = None) -> str:
    """A value as shown in the form; ``spec`` is its declaration."""
    if spec is not None and spec.choices:
        return choice_text(str(value))
    if isinstance(value, bool):
        if value:
            return tr("on")
        return tr("off")
    if isinstance(value, float):
        return plain_float(value)
    if isinstance(value, int):
        return digits(f"{value:,}")
    return value


def tooltip(spec: Spec, *more: str, default: Value | None = None) -> RichText:
    """Purpose, effect of higher values, range and default of a setting, then further lines.

    default : default of the chosen preset, in place of the algorithm’s own
    """
    lines = [spec.doc]
    if spec.grows:
        lines.append(tr("Higher values: {grows}.", grows=spec.grows))
    own = _with_unit(spec.default, spec)
    shown = _with_unit(default, spec) if default is not None else own
    admitted = spec.describe_range()
    if spec.choices:
        admitted = tr("one of {choices}", choices=", ".join(map(_both, spec.choices)))
    lines.append(tr("Range: {range}. Default: {default}.", range=admitted, default=shown))
    if shown != own:
        lines.append(tr("The algorithm’s own default is {default}.", default=own))
    if spec.source:
        lines.append(tr("Source of the default: {source}.", source=spec.source))
    lines.append(tr("On the command line: {option}", option=spec.option))
    return rich_tip(spec.label, *lines, *more, symbol=spec.symbol)


def _with_unit(value: Value, spec: Spec) -> str:
    return f"{shown_value(value, spec)} {spec.unit}".rstrip()


def _both(value: str) -> str:
    """A value of a choice as shown in the form, and as typed on the command line."""
    said = choice_text(value)
    if said == value:
        return value
    return f"{said} ({value})"
