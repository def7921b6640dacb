"""Estimate of the cost of a count, from a sample of its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import plural, tr
from workbench.core.machine.threads import usable_threads
from workbench.core.param_labels import param_name
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster.connection import BASE_BYTES, ClusterStatus
from workbench.counts.cluster.inputs import UNKNOWN, found_inputs
from workbench.counts.cluster.params import ClusterParams
from workbench.counts.cluster.row_ranges import CELL_BYTES, row_cells
from workbench.counts.cluster.sampling import frequencies, sample_of
from workbench.counts.cluster.shard_plan import (
    check_options,
    inline_word_lists,
    shard_bounds,
    task_memory,
)
from workbench.counts.cluster.splits import TextSplit, divide
from workbench.counts.cooccurrence_kernel import BLOCK_TOKENS
from workbench.counts.params import CountWindowParams
from workbench.counts.shards import SHARD_CELLS

_MB = 1 << 20
# Bytes of a cell between workers, and in the result; of a type in a worker's memory.
_SENT_BYTES, _KEPT_BYTES, _TYPE_BYTES = 8, 12, 200


@dataclass(frozen=True)
class ClusterEstimate:
    """Estimated cost of a count. Sizes in bytes.

    files, bytes : of the stored text; uncut : number of files that a single worker reads as a
    whole;
    partitions : their number, and ``largest`` the stored size of the largest
    tokens, types, words : of the text, and in the vocabulary; cells, shards, result : of the counts
    shuffle : data that counting workers write and adding workers read
    memory : maximum need of a worker; offered : memory that it has, 0 if unknown
    worker_seconds : total work of all workers, at the speed of this machine; seconds : duration
    with ``workers`` workers
    exact : the sample was the whole text; warnings : a sentence each
    """

    files: int
    bytes: int
    uncut: int
    partitions: int
    largest: int
    tokens: int
    types: int
    words: int
    cells: int
    shards: int
    result: int
    shuffle: int
    memory: int
    offered: int
    workers: int
    worker_seconds: float
    seconds: float
    exact: bool
    warnings: tuple[str, ...] = ()

    def rows(self) -> list[tuple[str, str]]:
        """Rows of a table with two columns."""
        tokens, words = (
            _format_estimate(self.tokens, self.exact),
            _format_estimate(self.words, self.exact),
        )
        types, cells, shards = (
            _format_estimate(self.types, self.exact),
            _format_estimate(self.cells, False),
            plural(self.shards, "shard"),
        )
        files, largest, result = plural(self.files, "file"), _size(self.largest), _size(self.result)
        text = tr("{size} in {files}", size=_size(self.bytes), files=files)
        if self.uncut:
            text = tr(
                "{text}, {number:,} of them each read by one worker", text=text, number=self.uncut
            )
        memory = tr("about {size}", size=_size(self.memory))
        if self.offered:
            memory = tr(
                "about {size} of {offered}", size=_size(self.memory), offered=_size(self.offered)
            )
        work, wall = _time(self.worker_seconds), _time(self.seconds)
        exact = self.exact
        return [
            (tr("text"), text),
            (
                tr("partitions"),
                tr("{number:,}, the largest {size}", number=self.partitions, size=largest),
            ),
            (tr("tokens"), tokens if exact else tr("about {size}", size=tokens)),
            (
                tr("vocabulary"),
                tr("{words} words of {types}", words=words, types=types)
                if exact
                else tr("about {words} words of {types}", words=words, types=types),
            ),
            (
                tr("cells"),
                tr("about {cells} in {shards}, {size}", cells=cells, shards=shards, size=result),
            ),
            (tr("between workers"), tr("about {size} written and read", size=_size(self.shuffle))),
            (tr("memory of a worker"), memory),
            (tr("work"), tr("about {time} on one worker as fast as this machine", time=work)),
            (
                tr("time"),
                tr(
                    "about {time} with {workers}", time=wall, workers=plural(self.workers, "worker")
                ),
            ),
        ]


def plan(
    inputs: Sequence[str | Path],
    options: CorpusOptions | None = None,
    counting: CountWindowParams | None = None,
    params: ClusterParams | None = None,
    status: ClusterStatus | None = None,
    run: JobControl | None = None,
    *,
    shard_cells: int = SHARD_CELLS,
) -> ClusterEstimate:
    """Estimate the cost of counting files, folders or addresses from some megabytes of them.

    Tokens follow from those of the sample, types from Heaps' law with the sample's exponent, the
    frequencies of rare words from Zipf's law with the corresponding exponent, and cells from the
    frequencies as if words were placed at random, times the sample's share of those cells.
    ``status`` describes the cluster, if there is one already.

    Enters READING. Raises UserError, as ``count`` would, and Cancelled.
    """
    options, params = options or CorpusOptions(), params or ClusterParams()
    counting = counting or CountWindowParams()
    run = run or JobControl()
    check_options(options)
    run.enter(Phase.READING, tr("Checking the texts"))
    found = found_inputs(inputs, options)
    sent = inline_word_lists(options)
    size = max(int(params.partition * _MB), 1)
    parts = divide(found, sent, size, run)
    sample = sample_of(parts, sent, counting, run)
    total = sum(each.size for each in found if each.size < UNKNOWN)
    growth = 1.0 if sample.whole else max(total / max(sample.stored, 1), 1.0)
    types, counts = frequencies(sample, growth, counting)
    tokens = float(sample.tokens * growth)
    neighbours = counting.window * (2 if counting.symmetric else 1)
    cells = _cells_of_parts([1.0], counts, neighbours, sample.share)[0]
    biggest = max((part.size for part in parts), default=0)
    here = [part.size / max(total, 1) for part in parts] if total else [1.0]
    of_part = _cells_of_parts(here, counts, neighbours, sample.share)
    sent_cells = sum(of_part)
    memory = task_memory(params, status)
    workers = max(status.threads if status is not None else params.workers or usable_threads(), 1)
    shards = 0
    if len(counts):
        shards = len(shard_bounds(counts, counting, memory, shard_cells, workers)) - 1
    work = tokens * (2 * sample.seconds_read + sample.seconds_counted) + 6e-8 * (sent_cells + cells)
    longest = max(here) * work if len(parts) < workers else 0.0
    need = _memory(biggest, tokens * biggest / max(total, 1), types, counts, max(of_part), memory)
    estimate = ClusterEstimate(
        files=len(found),
        bytes=total,
        uncut=_uncut(parts, size),
        partitions=len(parts),
        largest=biggest,
        tokens=round(tokens),
        types=round(types),
        words=len(counts),
        cells=round(cells),
        shards=shards,
        result=round(_KEPT_BYTES * cells + 8 * len(counts)),
        shuffle=round(_SENT_BYTES * sent_cells + 4 * len(counts) * len(parts)),
        memory=need,
        offered=status.memory_per_thread if status is not None else params.worker_memory * _MB,
        workers=workers,
        worker_seconds=work,
        seconds=max(work / workers, longest),
        exact=sample.whole,
    )
    return _add_warnings(estimate, any(each.size >= UNKNOWN for each in found))


def _uncut(parts: Sequence[TextSplit], size: int) -> int:
    """Number of files that are larger than a part, but can’t be divided."""
    stretches = [each for part in parts for each in part.stretches]
    return sum(each.whole and each.input.size > size for each in stretches)


def _cells_of_parts(
    shares: Sequence[float], counts: Doubles, neighbours: int, share: float
) -> list[float]:
    """Cells of each part, which contains one of ``shares`` of the text. share : of the cells that
    words placed at random would have
    """
    kept = float(counts.sum())
    # Parts of equal size have equal numbers of cells, so one of each size is enough.
    cells = {
        size: share * float(row_cells(counts * size, kept * size, neighbours).sum())
        for size in {round(each, 4) for each in shares}
    }
    return [cells[round(each, 4)] for each in shares]


def _memory(
    largest: int,
    tokens: float,
    types: float,
    counts: npt.NDArray[np.float64],
    cells: float,
    budget: int,
) -> int:
    """Bytes that a worker needs: for counting the largest part, or for merging the types of all
    parts.
    """
    size = len(counts)
    of_words = _TYPE_BYTES * size
    block = 12 * min(tokens, BLOCK_TOKENS)
    scratch = 12 * max(size, 1 << 21) + 13 * size
    counting = of_words + block + scratch + min(CELL_BYTES * cells, budget)
    adding = 3 * _TYPE_BYTES * types
    return int(BASE_BYTES + max(counting, adding))


def _add_warnings(estimate: ClusterEstimate, unknown: bool) -> ClusterEstimate:
    warnings = []
    if unknown:
        warnings.append(tr("Some file sizes are unknown, so all estimates are too low."))
    if estimate.partitions < estimate.workers:
        warnings.append(
            tr(
                "Only {busy} of {workers} will be busy. Use smaller partitions, or texts "
                "that can be split (uncompressed UTF-8 with line ends).",
                busy=plural(estimate.partitions, "worker"),
                workers=estimate.workers,
            )
        )
    if estimate.offered and estimate.memory > estimate.offered:
        warnings.append(
            tr(
                "A worker may need {need:.1f} GB, but has only {has:.1f} GB. Use smaller "
                "partitions or a smaller vocabulary, or give each worker more memory.",
                need=estimate.memory / 1e9,
                has=estimate.offered / 1e9,
            )
        )
    if not estimate.words:
        warnings.append(
            tr(
                "Possibly no word occurs often enough ({setting}).",
                setting=param_name("min_count"),
            )
        )
    return replace(estimate, warnings=tuple(warnings))


def _size(count: float) -> str:
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= scale:
            if count < 1000 * scale:
                return f"{count / scale:.3g} {unit}"
            return f"{count / scale:,.0f} {unit}"
    return f"{count / 1e3:,.0f} kB"


def _format_estimate(number: int, exact: bool) -> str:
    """Format an estimate with two digits."""
    if exact or number < 100:
        return f"{number:,}"
    return f"{float(f'{number:.2g}'):,.0f}"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 180_000:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86_400:.0f} days"
