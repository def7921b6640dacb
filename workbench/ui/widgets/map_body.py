"""The map with its rows of controls above and the line below, all of them named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

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
        named(self.view, "view", "Map of words")
        named(bar.method, "method", "View", "How the words are laid out")
        named(bar.limit, "limit", "Number of words", "How many words, the most frequent first")
        named(bar.parameters, "parameters", "UMAP settings", "UMAP's neighbours, distance and seed")
        named(bar.search, "search", "Find a word", "Type a word; Return goes to it")
        named(bar.colour, "colour", "Colour", "What the colours of the points mean")
        named(bar.words, "words", "Words", "Pick words out, show only them, keep them as a set")
        named(bar.lasso, "lasso", "Select by lasso", "Drag around words to select them (L, or Shift+drag)")
        named(bar.fit, "fit", "Show all words", "Show all words (0 or Home)")
        named(bar.export, "export", "Export the map", "Save the picture or the positions")
        named(footer.stop, "stop", "Stop laying out", "Stop; the points stay where they are")
        named(footer.progress, "progress", "Progress of the layout")
        named(footer.caption, "caption", "What the map shows")
        named(footer.quality, "quality", "How far the map can be trusted")
        named(footer.notice, "notice", "Notice")
        named(footer.link, "link", "What can be done")
        for name, title in (("left", "at the left"), ("right", "at the right"), ("bottom", "below"), ("top", "above")):
            named(self.axes.fields[name], f"axis.{name}", f"Word {title}", f"The word {title}")
        named(compare.other, "other", "Second model", "The model that the words move to")
        named(compare.method, "other.method", "Layout of both", "How both models are laid out")
        named(compare.slider, "moment", "From the first model to the second", "Drag from before to after")
        named(compare.play, "play", "Play", "Move the words to the other model, or back")
        named(self.isolation.back, "back", "Show all words again", "Lay all words out again")
