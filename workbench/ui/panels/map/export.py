"""Export of the map as a picture or a table."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PySide6.QtWidgets import QWidget

from workbench.core.arrays import Singles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.language import source_text, tr
from workbench.core.table_export import cell_text
from workbench.session.files.file_names import add_suffix
from workbench.session.session import Session
from workbench.ui.base.exporter import What
from workbench.ui.base.file_dialogs import EXPORTS, ask_save
from workbench.ui.base.text import plural
from workbench.ui.export.captions import caption, modes_stem
from workbench.ui.export.export_actions import lack_of, nothing_to_save, report_saved
from workbench.ui.export.figure_dialog import SaveReport, ask_figure
from workbench.ui.export.figure_export import FIGURES, PageSetup, save_figure
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.paper import PAPER, paper_drawing
from workbench.ui.widgets.map.placed import PlacedMap
from workbench.vectors.modes import kept_modes

FORMATS = {
    ".png": (tr("PNG image"), tr("Export the map as PNG…")),
    ".svg": (tr("SVG drawing"), tr("Export the map as SVG…")),
    ".pdf": (tr("PDF document"), tr("Export the map as PDF…")),
    ".tsv": (tr("TSV table"), tr("Export positions as TSV…")),
    ".csv": (tr("CSV table"), tr("Export positions as CSV…")),
    ".npz": (tr("numpy archive"), tr("Export positions as npz…")),
}


class MapExports:
    """Saves the map as it is shown; ``ask_suffix`` asks for a path of one of ``FORMATS``."""

    def __init__(self, owner: QWidget, ask_suffix: Callable[[str], None]) -> None:
        self.owner = owner
        self._ask_suffix = ask_suffix

    def offers(self, what: What) -> bool:
        return what != "copy"

    def ask(self, what: What) -> None:
        self._ask_suffix(".png" if what == "figure" else ".tsv")


def ask_and_save(
    parent: QWidget, session: Session, view: PlacedMap, layout: MapLayout | None, suffix: str
) -> None:
    """Ask for a path and save the map there; reports the result."""
    if layout is None or lack_of(parent):
        error = nothing_to_save(parent, lack_of(parent))
        session.message.emit(error.message, error.hint, False)
        return
    modes = kept_modes(layout.request.embeddings)
    stem = modes_stem("map", modes)
    if suffix in FIGURES:
        drawn = [record for record in session.runs if record.identifier in layout.runs]
        caption_text = caption(
            session,
            tr("Map of words, {value}", value=layout.title),
            drawn or None,
            note=tr("{words} shown", words=plural(len(layout.words), "word")),
            modes=modes,
        )
        ask_figure(
            parent,
            session,
            tr("Export the map"),
            stem,
            PAPER,
            caption_text,
            partial(_save_with_message, session, parent, view, layout),
            suffix,
        )
        return
    name, kind = f"{stem}{suffix}", f"{FORMATS[suffix][0]} (*{suffix})"
    path, _ = ask_save(parent, session.settings, EXPORTS, tr("Export the map"), name, kind)
    if path is None:
        return
    if path.suffix.lower() != suffix:
        path = add_suffix(path, suffix)
    _save_with_message(session, parent, view, layout, path)


def _save_with_message(
    session: Session,
    owner: QWidget,
    view: PlacedMap,
    layout: MapLayout,
    path: Path,
    page: PageSetup | None = None,
    report: SaveReport | None = None,
) -> None:
    try:
        save_map(path, view, layout, page)
    except UserError as error:
        if report is None:
            session.message.report(error)
        else:
            report(error)
    else:
        report_saved(session, owner, path)
        if report is not None:
            report(None)


def save_map(path: Path, view: PlacedMap, layout: MapLayout, page: PageSetup | None = None) -> None:
    """Write the positions (.csv, .tsv, .npz) or a figure of the visible part, laid out for paper:
    .png, or .svg and .pdf as shapes and text.

    Raises UserError if the file can't be written.
    """
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        with replacing(path) as part:
            if suffix == ".csv":
                _write_positions(part, view, layout, ",")
            else:
                _write_positions(part, view, layout, "\t")
        return
    if suffix == ".npz":
        with replacing(path) as part, part.open("wb") as file:
            _write_arrays(file, view, layout)
        return

    save_figure(path, PAPER, paper_drawing(view, suffix != ".png"), tr("Map of words"), page)


def _write_positions(path: Path, view: PlacedMap, layout: MapLayout, separator: str) -> None:
    """Write word, x, y (and z), for two models also the position in the second; count; the values
    of the colours; and which words were placed on the finished map, if any were.
    """
    request, pair = layout.request, layout.pair
    words, positions = _with_placed(view, layout)
    axes = ["x", "y", "z"][: positions.shape[1]]
    columns: list[tuple[str, list[object]]] = [("word", list(words))]
    columns += [
        (name, _format_numbers(positions[:, place].tolist())) for place, name in enumerate(axes)
    ]
    if pair is not None:
        columns += [
            (f"{name} after", _format_numbers(pair.after[:, place].tolist()))
            for place, name in enumerate(axes)
        ]
        where = ("both", "only before", "only after")
        columns.append(("in", [where[presence] for presence in pair.presence.tolist()]))
    counts = request.embeddings.counts
    if counts is not None:
        index = request.embeddings.index
        columns.append(
            ("count", [int(counts[index[word]]) if word in index else "" for word in words])
        )
    shading = view.shading
    if len(shading.texts) == len(layout.words):
        no_colour = [""] * len(view.placed_words)
        columns.append((source_text(shading.title), [*shading.texts, *no_colour]))
    if view.placed_words:
        marks = (*("" for _ in layout.words), *("yes" for _ in view.placed_words))
        columns.append(("placed", list(marks)))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter=separator)
        table.writerow([cell_text(name) for name, _ in columns])
        table.writerows(
            zip(*(list(map(_format_cell, values)) for _, values in columns), strict=True)
        )


def _with_placed(view: PlacedMap, layout: MapLayout) -> tuple[list[str], Singles]:
    """The words of the layout, and after them the placed ones; with their positions."""
    words, positions = list(layout.words), np.asarray(layout.positions, dtype=np.float32)
    if view.placed_words:
        positions = np.concatenate([positions, view.placed_positions])
    return [*words, *view.placed_words], positions


def _format_cell(value: object) -> object:
    if isinstance(value, str):
        return cell_text(value)
    return value


def _write_arrays(file: BinaryIO, view: PlacedMap, layout: MapLayout) -> None:
    """``words`` (unicode) and ``positions`` float32[n, dims]; for two models also ``after`` and
    ``presence``; with placed words also ``placed`` bool[n].
    """
    words, positions = _with_placed(view, layout)
    arrays = {"words": np.array(words, dtype=np.str_), "positions": positions}
    if layout.pair is not None:
        arrays |= {"after": np.asarray(layout.pair.after)}
        arrays |= {"presence": np.asarray(layout.pair.presence)}
    if view.placed_words:
        arrays["placed"] = np.arange(len(words)) >= len(layout.words)
    np.savez(file, **arrays)  # type: ignore[arg-type]


def _format_numbers(values: list[float]) -> list[object]:
    return [f"{value:.6g}" for value in values]
