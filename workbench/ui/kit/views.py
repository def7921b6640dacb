"""Tables and charts with a name and their files, each made in one expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.theme import Theme
from workbench.ui.export.export_actions import Export, ExportButton
from workbench.ui.widgets.tables.data_table import DataTable

if TYPE_CHECKING:
    from workbench.ui.plots.chart_view import ChartView

W = TypeVar("W", bound=QWidget)


class Host(Protocol):
    """A panel, or a page of one, that names its widgets."""

    session: Session
    theme: Theme

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W: ...


def _active_run() -> Sequence[RunRecord] | None:
    return None


@dataclass(frozen=True)
class Files:
    """What a table or a chart saves.

    stem : proposed name of the file, without a suffix
    title : of the dialog that asks for the file
    table : text of the CSV file; by default, what the view shows
    records : the runs shown, which the caption of a figure lists; by default, the active run
    about : a sentence for that caption on the content of the figure
    """

    stem: str
    title: str
    table: Callable[[], str] | None = None
    records: Callable[[], Sequence[RunRecord] | None] = _active_run
    about: Callable[[], str] | None = None


def table(
    host: Host, local: str, accessible: str, tip: str = "", *, files: Files | None = None
) -> DataTable:
    """An empty table with the object name ``panel.local``; ``set_columns`` fills it."""
    view = host.named(DataTable(host.theme), local, accessible, tip)
    if files is not None:
        view.offer_files(host.session, files.title, files.stem, files.table)
    return view


def chart(
    host: Host,
    local: str,
    accessible: str,
    tip: str = "",
    *,
    files: Files | None = None,
    is_map: bool = False,
) -> ChartView:
    """An empty chart of dots and curves with the object name ``panel.local``; ``set_chart`` fills
    it. is_map : whether it has no axes, and equally long units
    """
    # Loads pyqtgraph, which the window does without until a panel draws something.
    from workbench.ui.plots.chart_view import ChartView

    view = host.named(ChartView(host.theme, is_map=is_map), local, accessible, tip)
    if files is not None:
        csv_text = files.table or view.table
        view.offer_files(
            host.session, files.title, files.stem, csv_text, files.records, files.about
        )
    return view


def export_button(
    host: Host, which: Callable[[], Export | None], accessible: str = ""
) -> ExportButton:
    """“Export”, with the files of the view that ``which`` returns when it is pressed."""
    return host.named(ExportButton(which), "export", accessible or tr("Export"))
