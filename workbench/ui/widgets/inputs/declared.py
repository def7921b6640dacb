"""Editors of declared parameters that stand in a row of controls, not in a form."""

from __future__ import annotations

from typing import Protocol, TypeVar

from PySide6.QtWidgets import QWidget

from workbench.core.language import choice_text
from workbench.core.params import Params
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.widgets.inputs.editors import ChoiceBox, IntBox
from workbench.ui.widgets.inputs.setting_tooltip import tooltip

W = TypeVar("W", bound=QWidget)


class Host(Protocol):
    """A panel, or a page of one, that names its widgets."""

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W: ...


def declared_choice(host: Host, params: type[Params], name: str) -> ChoiceBox:
    """A box with the choices of a parameter, named after it; its tooltip is that of a form."""
    spec = params.spec(name)
    box = ChoiceBox.of({value: choice_text(value) for value in spec.choices}, spec.default)
    return host.named(box, name, spec.label, tooltip(spec))


def declared_number(
    host: Host, params: type[Params], name: str, most: int, *, width: int = 72
) -> IntBox:
    """A box for a whole number up to ``most``, named after its parameter; the label stands beside
    it.
    """
    spec = params.spec(name)
    low = 0 if spec.low is None else round(spec.low)
    box = IntBox.of(low, most, int(spec.default))
    set_scaled_size(box, width=width)
    return host.named(box, name, spec.label, tooltip(spec))
