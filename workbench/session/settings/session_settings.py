"""Settings that session files contain: choices about what is shown, and how.

They are declared here, because the command line reads and writes session files without the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.setting import Object, Setting, Strings, mapping_of, record_of, strings

Widths = tuple[int, int]


def _widths(value: Any) -> Widths | None:
    first, second = value
    if isinstance(first, int) and isinstance(second, int) and min(first, second) > 0:
        return first, second
    return None


def _anchors(value: Any) -> Strings | None:
    words = strings(value)
    if words is not None and len(words) == 4:
        return words
    return None


def _pair_texts(value: Any) -> Strings | None:
    texts = strings(value)
    if texts is not None and len(texts) == 2:
        return texts
    return None


def _word_sets(value: Any) -> tuple[Object, ...]:
    """Objects with a ``name`` and ``words``; others are dropped."""
    return tuple(
        entry
        for entry in value
        if isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and entry["name"]
        and isinstance(entry.get("words"), list)
        and strings(entry["words"]) == tuple(entry["words"])
    )


# -- training and runs

# Key of the algorithm, and by key {"preset": name, "values": {parameter: value}}.
TRAIN_ALGORITHM = Setting("train.algorithm", str, "", travels=True)
TRAIN_VALUES = Setting[Object]("train.values", mapping_of(dict), {}, travels=True)
# {"algorithm": key, key: {parameter: text}}
GRID_VALUES = Setting[Object]("runs.grid", mapping_of(str, dict), {}, travels=True)
# Columns that the user added or removed, by key.
RUN_COLUMNS = Setting[Mapping[str, bool]]("runs.columns", mapping_of(bool), {}, travels=True)
RUN_FILTER = Setting("runs.filter", str, "", travels=True)

# -- panels

MAP_METHOD = Setting("map.method", str, "umap", travels=True)
# Whether the map starts with the plane of the analogy if the map's method would distort it.
MAP_PLANE = Setting("map.plane", bool, True, travels=True)
MAP_LIMIT = Setting("map.limit", int, 2000, low=0, high=1_000_000, travels=True)
# Words at the ends of the axes, across and up.
MAP_AXES = Setting[Strings]("map.axes", _anchors, (), travels=True)
# Texts of further pairs of each axis, across and up.
MAP_PAIRS = Setting[Strings]("map.pairs", _pair_texts, (), travels=True)
MAP_SETS = Setting[tuple[Object, ...]]("map.sets", _word_sets, (), travels=True)
# Colour mode, followed by ":" and a number of clusters or a section.
MAP_COLOUR = Setting("map.colour", str, "regions", travels=True)
# The same for the view of word axes.
MAP_AXES_COLOUR = Setting("map.axes.colour", str, "axis:across", travels=True)
# File with the column that colours the map.
MAP_COLUMN = Setting("map.column", str, "", travels=True)
LOSS_AXIS = Setting("loss.x", str, "epochs", travels=True)
LOSS_SMOOTHING = Setting("loss.smooth", int, 0, low=0, high=20, travels=True)
# None: PMI, and beside it the model that was trained on the same text.
MATRIX_KINDS = Setting[Strings | None]("matrix.kinds", strings, None, travels=True)
# None: shared by a run and its target.
MATRIX_SHARED = Setting[bool | None]("matrix.shared", bool, None, travels=True)
# Identifiers of the runs beside the active one; None: the newest of the same text.
NEIGHBOUR_RUNS = Setting[Strings | None]("neighbours.runs", strings, None, travels=True)
TIME_STRETCHED = Setting("time.stretched", bool, True, travels=True)
COMPARE_SEEDS = Setting("compare.seeds", int, 5, low=2, high=50, travels=True)
# Widths of the table and the details.
MODELS_WIDTHS = Setting[Widths]("compare.models.widths", _widths, (320, 460), travels=True)
SEEDS_WIDTHS = Setting[Widths]("compare.seeds.widths", _widths, (370, 420), travels=True)
# Runs on every evaluation page: the name of a group, or "runs" and identifiers.
EVALUATED_RUNS = Setting[Strings]("evaluate.runs", strings, ("corpus",), travels=True)
# Method for analogy questions, and the number of most frequent words that are candidates; 0: all.
ANALOGY_METHOD = Setting("evaluate.method", str, "3cosadd", travels=True)
ANALOGY_CANDIDATES = Setting(
    "evaluate.candidates", int, 30_000, low=0, high=1_000_000_000, travels=True
)
# Title or number of the column of the scores, by path of a set of word pairs; otherwise, it is
# detected.
PAIR_COLUMNS = Setting[Mapping[str, str]]("evaluate.columns", mapping_of(str), {}, travels=True)
# Runs whose residuals are drawn by dimension, in the form of EVALUATED_RUNS.
THEORY_RUNS = Setting[Strings]("theory.runs", strings, ("every",), travels=True)
# Paths of the evaluation sets that aren't scored.
LEFT_OUT_SETS = Setting[Strings]("leaderboard.left_out", strings, (), travels=True)

# -- window

# Panels to present; None: the usual ones.
PRESENTED_PANELS = Setting[Strings | None]("present.panels", strings, None, travels=True)
# Geometry and state of the window as base64, and the conditions that the state depends on.
WINDOW_LAYOUT = Setting[Object]("window.layout", mapping_of(), {}, travels=True)
FIGURE_PAGE = Setting[Object](
    "figure.page",
    record_of(width=174.0, dpi=300, captioned=True),
    {"width": 174.0, "dpi": 300, "captioned": True},
    travels=True,
)


def session_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON of the settings that a session file contains. Other settings belong to a person or a
    computer, such as the address of a cluster: they are neither saved nor opened.
    """
    return {
        setting.key: values[setting.key]
        for setting in Setting.all()
        if setting.travels and setting.decode(values.get(setting.key)) is not None
    }
