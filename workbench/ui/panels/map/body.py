"""Map panel layout: toolbar, axes, comparison and isolation rows, the map itself, and the
footer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.theme import SPACE_1, SPACE_3, SPACE_4, Theme, set_property
from workbench.ui.panels.map.compare import CompareBar
from workbench.ui.panels.map.placing import PlacingBar
from workbench.ui.panels.map.toolbar import MapBar
from workbench.ui.panels.map.word_axes import AxesBar
from workbench.ui.panels.map.word_sets import IsolationBar
from workbench.ui.widgets.map.point_map import PointMap


class MapBody(QWidget):
    """Widgets of the map panel without behaviour. ``named`` sets their object and accessible
    names.
    """

    def __init__(self, named: Callable[..., Any], theme: Theme) -> None:
        super().__init__()
        self.bar, self.axes, self.compare, self.isolation = (
            MapBar(theme),
            AxesBar(),
            CompareBar(theme),
            IsolationBar(),
        )
        self.placing = PlacingBar()
        self.placing.hide()
        self.view, self.footer = PointMap(), MapFooter(theme)
        hairline = kit.set_scaled_size(kit.with_role(QFrame(), "hairline"), height=1)
        rows = (self.bar, self.axes, self.compare, self.isolation, self.placing)
        kit.fill(self, kit.column(*rows, kit.stretch(self.view), hairline, self.footer, gap=0))
        self.show_rows(axes=False, compare=False, isolation=False)
        kit.set_scaled_size(self.footer.stop, icon=14)
        self._name_widgets(named)

    def show_rows(self, *, axes: bool, compare: bool, isolation: bool) -> None:
        """Show or hide the rows above the map."""
        for row, wanted in (
            (self.axes, axes),
            (self.compare, compare),
            (self.isolation, isolation),
        ):
            if row.isHidden() == wanted:
                row.setVisible(wanted)

    def _name_widgets(self, named: Callable[..., Any]) -> None:
        named(self.view, "view", tr("Map of words"))
        self._name_bar(named)
        self._name_footer(named)
        self._name_axes(named)
        self._name_comparison(named)
        named(
            self.isolation.back,
            "back",
            tr("Show all words again"),
            tr("Compute the layout with all words again"),
        )

        placing = self.placing
        tip = tr("Words of the model that aren’t shown, or any words if it is built from n-grams")
        named(placing.field, "place.words", tr("Words to place"), tip)
        tip = tr("Model of the words. Another one is first aligned by the words that both contain.")
        named(placing.source, "place.source", tr("Model of the words to place"), tip)
        tip = tr("Place the words near their neighbours. No other word moves.")
        named(placing.place, "place", placing.place.text(), tip)
        tip = tr("Show only the words of the layout again")
        named(placing.clear, "place.clear", tr("Remove placed words"), tip)
        named(placing.close_row, "place.close", tr("Close the row"), tr("Hide this row. (Esc)"))

    def _name_bar(self, named: Callable[..., Any]) -> None:
        bar = self.bar
        named(
            bar.method,
            "method",
            tr("View"),
            tr("Layout of the words. P: plane of the analogy, or back."),
        )
        named(bar.limit, "limit", tr("Number of words"), tr("Number of words, most frequent first"))
        named(
            bar.parameters,
            "parameters",
            tr("UMAP settings"),
            tr("Neighbours, minimum distance and seed of UMAP"),
        )
        named(
            bar.search,
            "search",
            tr("Find on the map"),
            tr("Type a word and press Return to go there"),
        )
        named(bar.colour, "colour", tr("Colour"), tr("Colour of the points"))
        named(
            bar.words,
            "words",
            tr("Words"),
            tr("Select words, show only these, or save them as a set"),
        )
        named(
            bar.lasso,
            "lasso",
            tr("Select by lasso"),
            tr("Drag around words to select them. (L or Shift+drag)"),
        )
        named(bar.fit, "fit", tr("Show all words"), tr("Fit all words in the window. (0 or Home)"))
        named(bar.export, "export", tr("Export the map"), tr("Save the figure or the positions"))

    def _name_footer(self, named: Callable[..., Any]) -> None:
        footer = self.footer
        named(
            footer.stop,
            "stop",
            tr("Stop laying out"),
            tr("Stop the layout. Points stay where they are."),
        )
        named(footer.progress, "progress", tr("Progress of the layout"))
        named(footer.caption, "caption", tr("Caption of the map"))
        named(footer.quality, "quality", tr("Quality of the map"))
        named(footer.notice, "notice", tr("Notice"))
        named(footer.link, "link", tr("Suggested action"))

    def _name_axes(self, named: Callable[..., Any]) -> None:
        fields, pairs = self.axes.fields, self.axes.pairs
        named(
            fields["left"],
            "axis.left",
            tr("Word on the left"),
            tr("Word at the left end of the axis"),
        )
        named(
            fields["right"],
            "axis.right",
            tr("Word on the right"),
            tr("Word at the right end of the axis"),
        )
        named(
            fields["bottom"],
            "axis.bottom",
            tr("Word below"),
            tr("Word at the lower end of the axis"),
        )
        named(fields["top"], "axis.top", tr("Word above"), tr("Word at the upper end of the axis"))
        tip = tr("More word pairs for the same axis, such as king/queen, boy/girl")
        named(pairs["across"], "axis.across.pairs", tr("More pairs from left to right"), tip)
        named(pairs["up"], "axis.up.pairs", tr("More pairs from bottom to top"), tip)

    def _name_comparison(self, named: Callable[..., Any]) -> None:
        compare = self.compare
        named(compare.other, "other", tr("Second model"), tr("Model that the words move to"))
        named(compare.method, "other.method", tr("Layout of both"), tr("Layout of both models"))
        named(
            compare.slider,
            "moment",
            tr("From the first model to the second"),
            tr("Drag to move words from the first model to the second"),
        )
        named(compare.play, "play", tr("Play"), tr("Animate the words to the other model, or back"))


class _ShrinkingLabel(kit.ElidedLabel):
    """Label as wide as its text, or narrower if space is short."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def put(self, text: str) -> None:
        super().put(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(
            self.fontMetrics().horizontalAdvance(self.whole) + 4, super().sizeHint().height()
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class MapFooter(QWidget):
    """Line below the map: caption, quality, notice, and progress."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        # A long notice must not leave the caption only its first letters, so all shrink alike.
        self.caption = _ShrinkingLabel()
        self.quality = _ShrinkingLabel()
        self.notice = _ShrinkingLabel()
        for label in (self.caption, self.quality, self.notice):
            kit.with_role(label, "small")
        self._follow: Callable[[], None] | None = None
        self.link = kit.button(role="link", pressed=self._follow_link)
        self.link.hide()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        kit.set_scaled_size(self.progress, width=120)
        self.stop = kit.icon_button(theme, "stop", "muted", role="quiet")
        self.row = kit.row(
            self.caption,
            kit.stretch(share=1),
            self.quality,
            self.notice,
            self.link,
            self.progress,
            self.stop,
            gap=SPACE_3,
            margins=(SPACE_4, SPACE_1, SPACE_3, SPACE_1),
        )
        kit.set_scaled_size(kit.fill(self, self.row), height=32)

    def set_notice(self, text: str, role: str = "small") -> None:
        """Show a notice on the right: "small" for facts, "warning" or "error"."""
        if text != self.notice.whole:
            self.notice.put(text)
        if role != self.notice.property("role"):
            set_property(self.notice, "role", role)

    def set_quality(self, text: str, tip: str) -> None:
        """Show the quality measures of the map."""
        if text != self.quality.whole:
            self.quality.put(text)
            self.quality.setToolTip(safe_tip(tip))

    def set_link(self, text: str = "", slot: Callable[[], None] | None = None) -> None:
        """Show one action for the notice, or hide it."""
        self._follow = slot
        if text != self.link.text():
            self.link.setText(text)
            self.link.setAccessibleName(text)
        if self.link.isHidden() == bool(text):
            self.link.setVisible(bool(text))

    def _follow_link(self) -> None:
        if self._follow is not None:
            self._follow()

    def show_progress(self, fraction: float | None, under_way: bool) -> None:
        if self.progress.isHidden() == under_way:
            self.progress.setVisible(under_way)
            self.stop.setVisible(under_way)
        if under_way:
            most = 0 if fraction is None else 1000
            if self.progress.maximum() != most:
                self.progress.setRange(0, most)
            if fraction is not None:
                self.progress.setValue(round(fraction * 1000))
