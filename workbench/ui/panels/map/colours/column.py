"""A column of the user's own table as a colour mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from workbench.analysis.projection.word_attributes import WordAttribute, load_column
from workbench.analysis.projection.word_groups import WordGroups, by_row, groups_of
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.settings.session_settings import MAP_COLUMN
from workbench.ui.base.text import decimal
from workbench.ui.panels.map.colours.base import ColourMenu
from workbench.ui.panels.map.colours.file_mode import FileColours
from workbench.ui.panels.map.colours.scales import scale_to_unit
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import Shading, categories, graded_shading


class ColumnColours(FileColours[WordAttribute]):
    """Numbers from the lowest to the highest, or categories."""

    key = "column"
    title = tr("Own column")
    order = 80
    setting = MAP_COLUMN

    def read(self, path: Path) -> WordAttribute:
        return load_column(path)

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        column = self.content
        if column is None:
            if self.known_path is None:
                self.host.choose("plain")
            else:
                self.open_known()
            return None
        return lambda run: _shade(layout, column)

    def groups(self, detail: str) -> WordGroups | None:
        return None if self.content is None else groups_of(self.content, detail)

    def fill_menu(self, menu: ColourMenu) -> None:
        below = menu.below(self.title)
        if self.content is not None:
            below.offer(self.content.name, self.key)
        text = tr("Choose a table of words and values (TSV)…")
        below.add(text, "map.colour.file", self._ask_column)

    def _ask_column(self) -> None:
        title = tr("Open a table of words and values")
        path = self.host.ask_file(title, tr("Tables (*.tsv *.txt);;All files (*)"))
        if path is not None:
            self.open(path)


def _shade(layout: MapLayout, column: WordAttribute) -> Shading:
    if not column.numeric:
        labels = by_row(layout.request.embeddings, column.categories)
        return categories(column.name, [labels.get(word, "") for word in layout.words])
    numbers = by_row(layout.request.embeddings, column.numbers)
    values = np.array([numbers.get(word, np.nan) for word in layout.words], dtype=np.float64)
    texts = ["" if np.isnan(value) else f"{value:.6g}" for value in values.tolist()]
    known = values[np.isfinite(values)]
    ends = ("", "")
    if len(known):
        ends = (decimal(float(known.min())), decimal(float(known.max())))
    return graded_shading(column.name, scale_to_unit(values), *ends, texts)
