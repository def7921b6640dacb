"""Plan of a count: whether it can be split, and the row ranges of its shards."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import LISTS, CorpusOptions
from workbench.corpus.tokenise.token_filters import parse_word_list
from workbench.counts.cluster.connection import BASE_BYTES, ClusterStatus
from workbench.counts.cluster.params import ClusterParams
from workbench.counts.cluster.row_ranges import CELL_BYTES, ranges_of, row_cells
from workbench.counts.params import CountWindowParams

_MB = 1 << 20
# Assumed memory of workers if the scheduler doesn’t report it.
_USUAL_MEMORY = 2 << 30
_FEWEST_CELLS = 1 << 12
# Minimum cells of a range that is split off only to give every worker one to add up.
_SHARED_CELLS = 1 << 19


def check_options(options: CorpusOptions) -> None:
    """Raise UserError for options that cannot be applied to parts of a text independently."""
    if options.phrases:
        raise UserError(
            tr("Phrases can’t be detected on a cluster, because they depend on the whole text."),
            tr(
                "Leave out --phrases, or join phrases first with “workbench text” and "
                "count its output."
            ),
        )


def inline_word_lists(options: CorpusOptions) -> CorpusOptions:
    """Options with words in place of the paths of word lists, because workers may not see the
    files.
    """
    values = {}
    for name in LISTS:
        value = getattr(options, name)
        if value.startswith("@"):
            words = ["_".join(word.split()) for word in parse_word_list(value)]
            if not any("," in word for word in words):
                values[name] = " ".join(words)
    if values:
        return options.replace(**values)
    return options


def task_memory(params: ClusterParams, status: ClusterStatus | None) -> int:
    """Bytes that a task may use for its counts."""
    per_thread = status.memory_per_thread if status is not None else 0
    whole = params.worker_memory * _MB or per_thread or _USUAL_MEMORY
    return max(int(0.6 * (whole - BASE_BYTES)), 16 * _MB)


def shard_bounds(
    counts: npt.NDArray[Any],
    counting: CountWindowParams,
    memory: int,
    shard_cells: int,
    workers: int,
) -> Ints:
    """The ranges of rows that become shards, at least one for each worker if there are many cells:
    int64[R + 1].
    """
    neighbours = counting.window * (2 if counting.symmetric else 1)
    cells = row_cells(counts, float(counts.sum()), neighbours)
    most = max(min(shard_cells, memory // CELL_BYTES), min(_FEWEST_CELLS, shard_cells))
    return ranges_of(cells, min(most, max(float(cells.sum()) / max(workers, 1), _SHARED_CELLS)))
