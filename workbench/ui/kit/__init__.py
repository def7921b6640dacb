"""The words with which panels and dialogs are built, in one import.

- ``column``, ``row``, ``bar``, ``grid`` and ``split`` place widgets; ``fill`` puts them into a
  panel, ``add`` into a row of controls. ``stretch``, ``space`` and ``at_top`` say how a part is
  placed.
- ``label``, ``button``, ``icon_button``, ``ChoiceBox.of`` and ``IntBox.of`` make a widget in one
  expression, which ``named`` of the panel gives its names. ``with_role`` styles any other.
- ``table``, ``chart`` and ``export_button`` make views with their files.

Widgets of the program itself, in ``workbench/ui/widgets``, lie below this package and import
``workbench.ui.base.boxes`` and ``workbench.ui.base.controls``.
"""

from workbench.ui.base.boxes import (
    Margins,
    Part,
    across,
    add,
    aligned,
    arrange,
    at_left,
    at_right,
    at_top,
    box,
    centred,
    centred_down,
    column,
    fill,
    grid,
    row,
    set_margins,
    space,
    split,
    split_into,
    stretch,
)
from workbench.ui.base.controls import (
    IconButton,
    button,
    empty_label,
    icon_button,
    label,
    text_button,
    with_role,
)
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.plain_text import PlainLabel
from workbench.ui.base.scaling import (
    SPACE_1,
    SPACE_2,
    SPACE_3,
    SPACE_4,
    SPACE_5,
    set_scaled_size,
)
from workbench.ui.base.scroll_frame import ScrollFrame, scroll
from workbench.ui.kit.views import Files, Host, chart, export_button, table
from workbench.ui.widgets.inputs.editors import ChoiceBox, FloatBox, IntBox
from workbench.ui.widgets.layout.page_stack import PageStack
from workbench.ui.widgets.layout.responsive_splitter import TurningSplitter
from workbench.ui.widgets.layout.wrapping_bar import Bar, bar
from workbench.ui.widgets.tables.data_table import DataTable, TableColumn

__all__ = [
    "SPACE_1",
    "SPACE_2",
    "SPACE_3",
    "SPACE_4",
    "SPACE_5",
    "Bar",
    "ChoiceBox",
    "DataTable",
    "ElidedLabel",
    "Files",
    "FloatBox",
    "Host",
    "IconButton",
    "IntBox",
    "Margins",
    "PageStack",
    "Part",
    "PlainLabel",
    "ScrollFrame",
    "TableColumn",
    "TurningSplitter",
    "across",
    "add",
    "aligned",
    "arrange",
    "at_left",
    "at_right",
    "at_top",
    "bar",
    "box",
    "button",
    "centred",
    "centred_down",
    "chart",
    "column",
    "empty_label",
    "export_button",
    "fill",
    "grid",
    "icon_button",
    "label",
    "row",
    "scroll",
    "set_margins",
    "set_scaled_size",
    "space",
    "split",
    "split_into",
    "stretch",
    "table",
    "text_button",
    "with_role",
]
