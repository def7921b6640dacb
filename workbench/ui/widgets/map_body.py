"""The map with its rows of controls above and the line below, all of them named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.ui.measures import sized
from workbench.ui.theme import Theme
from workbench.ui.widgets.map_axes import AxesBar
from workbench.ui.widgets.map_bar import MapBar
from workbench.ui.widgets.map_compare import CompareBar
from workbench.ui.widgets.map_footer import MapFooter
from workbench.ui.widgets.map_sets import IsolationBar
from workbench.ui.widgets.point_map import PointMap


class MapBody(QWidget):
    """Only widgets: what they do is the panel's. ``named`` gives each its object and accessible name."""

    def __init__(self, named: Callable[..., Any]) -> None:
        super().__init__()
        self.bar, self.axes, self.compare, self.isolation = MapBar(), AxesBar(), CompareBar(), IsolationBar()
        self.view, self.footer = PointMap(), MapFooter()
        hairline = QFrame()
        sized(hairline, height=1)
        hairline.setProperty("role", "hairline")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for row in (self.bar, self.axes, self.compare, self.isolation):
            column.addWidget(row)
        column.addWidget(self.view, 1)
        column.addWidget(hairline)
        column.addWidget(self.footer)
        self.show_rows(axes=False, compare=False, isolation=False)
        sized(self.footer.stop, icon=14)
        self._name(named)

    def show_rows(self, *, axes: bool, compare: bool, isolation: bool) -> None:
        """Which of the rows are there."""
        for row, wanted in ((self.axes, axes), (self.compare, compare), (self.isolation, isolation)):
            if row.isHidden() == wanted:
                row.setVisible(wanted)

    def retheme(self, theme: Theme) -> None:
        self.bar.retheme(theme)
        self.footer.stop.setIcon(theme.icon("stop", "muted"))
        self.compare.play.setIcon(theme.icon("play", "text"))

    def _name(self, named: Callable[..., Any]) -> None:
        bar, footer, compare = self.bar, self.footer, self.compare
        named(self.view, "view", tr("Map of words"))
        named(bar.method, "method", tr("View"), tr("How the words are laid out"))
        named(bar.limit, "limit", tr("Number of words"), tr("How many words, the most frequent first"))
        named(bar.parameters, "parameters", tr("UMAP settings"), tr("UMAP's neighbours, distance and seed"))
        named(bar.search, "search", tr("Find a word"), tr("Type a word; Return goes to it"))
        named(bar.colour, "colour", tr("Colour"), tr("What the colours of the points mean"))
        named(bar.words, "words", tr("Words"), tr("Pick words out, show only them, keep them as a set"))
        named(bar.lasso, "lasso", tr("Select by lasso"), tr("Drag around words to select them (L, or Shift+drag)"))
        named(bar.fit, "fit", tr("Show all words"), tr("Show all words (0 or Home)"))
        named(bar.export, "export", tr("Export the map"), tr("Save the picture or the positions"))
        named(footer.stop, "stop", tr("Stop laying out"), tr("Stop; the points stay where they are"))
        named(footer.progress, "progress", tr("Progress of the layout"))
        named(footer.caption, "caption", tr("What the map shows"))
        named(footer.quality, "quality", tr("How far the map can be trusted"))
        named(footer.notice, "notice", tr("Notice"))
        named(footer.link, "link", tr("What can be done"))
        fields = self.axes.fields
        named(fields["left"], "axis.left", tr("Word at the left"), tr("The word at the left"))
        named(fields["right"], "axis.right", tr("Word at the right"), tr("The word at the right"))
        named(fields["bottom"], "axis.bottom", tr("Word below"), tr("The word below"))
        named(fields["top"], "axis.top", tr("Word above"), tr("The word above"))
        named(compare.other, "other", tr("Second model"), tr("The model that the words move to"))
        named(compare.method, "other.method", tr("Layout of both"), tr("How both models are laid out"))
        named(compare.slider, "moment", tr("From the first model to the second"), tr("Drag from before to after"))
        named(compare.play, "play", tr("Play"), tr("Move the words to the other model, or back"))
        named(self.isolation.back, "back", tr("Show all words again"), tr("Lay all words out again"))
