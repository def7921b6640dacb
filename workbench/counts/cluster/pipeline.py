"""Counting from the first byte to the last shard: submission of tasks to the cluster, and use of
their results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.param_labels import param_name, quoted_param
from workbench.corpus.corpus import CorpusOptions, Vocabulary
from workbench.corpus.ingest.file_discovery import corpus_name
from workbench.counts.cluster import tasks
from workbench.counts.cluster.connection import Cluster
from workbench.counts.cluster.count_part import PartCounting
from workbench.counts.cluster.inputs import Input, found_inputs
from workbench.counts.cluster.output_folder import OutputFolder
from workbench.counts.cluster.params import ClusterParams
from workbench.counts.cluster.partial_counts import Receipt
from workbench.counts.cluster.scheduler import Job, Waves
from workbench.counts.cluster.shard_plan import (
    check_options,
    inline_word_lists,
    shard_bounds,
    task_memory,
)
from workbench.counts.cluster.splits import NotAsItBegan, TextSplit, divide
from workbench.counts.cluster.vocabulary import Ranked, pack_words
from workbench.counts.cooccurrence import window_weights
from workbench.counts.counts_corpus import PARTED
from workbench.counts.params import CountWindowParams
from workbench.counts.shard_files import write_manifest
from workbench.counts.shards import SHARD_CELLS, ShardedCounts, ShardRecord, write_shard

_FAN = 8
_MB = 1 << 20
_FILES_TOLD = 1000


def count(
    inputs: Sequence[str | Path],
    out: str | Path,
    options: CorpusOptions | None = None,
    counting: CountWindowParams | None = None,
    cluster: Cluster | ClusterParams | None = None,
    run: JobControl | None = None,
    *,
    shard_cells: int = SHARD_CELLS,
) -> ShardedCounts:
    """Count which words co-occur in files, folders or addresses, into the folder ``out``.

    The counts equal those of ``cooccurrence`` over the corpus that ``open_corpus`` makes of the
    same files, for any number of workers, even if some are lost on the way. ``cluster`` may be
    connected already; otherwise it is connected for this count alone. Shards have about
    ``shard_cells`` cells, fewer if workers have little memory.

    Enters READING, COUNTING and SAVING; publishes a ClusterStatus as "cluster". Raises UserError
    and Cancelled; then ``out`` stays unchanged.
    """
    options, counting = options or CorpusOptions(), counting or CountWindowParams()
    run = run or JobControl()
    check_options(options)
    place = OutputFolder(Path(out))
    run.enter(Phase.READING, tr("Finding the texts"))
    found = found_inputs(inputs, options)
    if not isinstance(cluster, Cluster):
        run.advance(
            None, tr("Connecting") if cluster and cluster.scheduler else tr("Starting workers")
        )
    # The caller closes a cluster that was passed in.
    with (
        nullcontext(cluster) if isinstance(cluster, Cluster) else Cluster(cluster, run) as connected
    ):
        connected.check_workers()
        with place, Waves(connected, run) as waves:
            counting_run = _Count(
                found, _name(inputs), options, counting, connected, place, waves, run, shard_cells
            )
            return counting_run.all()


class _Count:
    """One active count."""

    def __init__(
        self,
        inputs: Sequence[Input],
        name: str,
        options: CorpusOptions,
        counting: CountWindowParams,
        cluster: Cluster,
        place: OutputFolder,
        waves: Waves,
        run: JobControl,
        shard_cells: int,
    ) -> None:
        self._inputs, self._name, self._options = inputs, name, options
        self._sent = inline_word_lists(options)
        self._counting, self._cluster, self._place = counting, cluster, place
        self._waves, self._run, self._shard_cells = waves, run, shard_cells

    def all(self) -> ShardedCounts:
        parts, found = self._vocabulary()
        vocabulary = Vocabulary(found.words, found.counts, self._options)
        run = self._run
        run.enter(Phase.COUNTING, tr("Counting co-occurrences"))
        status = self._cluster.status()
        memory = task_memory(self._cluster.params, status)
        bounds = shard_bounds(
            found.counts, self._counting, memory, self._shard_cells, status.threads
        )
        spill = self._place.spill_for(self._cluster)
        words = self._waves.submit("words", tasks.hold_words, pack_words(found.words))
        self._waves.share(words)
        how = PartCounting(
            self._counting.window,
            self._counting.window_weighting,
            self._counting.symmetric,
            bounds,
            memory,
        )
        pieces = self._count_parts(parts, words, how, spill)
        shards = self._sum_ranges(parts, pieces, bounds, len(vocabulary))
        run.enter(Phase.SAVING, tr("Saving the counts"))
        write_manifest(self._place.work, shards, vocabulary, self._metadata(found, len(parts)))
        return self._place.settle()

    # -- the vocabulary

    def _vocabulary(self) -> tuple[tuple[TextSplit, ...], Ranked]:
        """The parts and their words; files that prove not to be in UTF-8 are then read as a
        whole.
        """
        whole: set[str] = set()
        size = max(int(self._cluster.params.partition * _MB), 1)
        while True:
            self._run.enter(Phase.READING, tr("Counting words"))
            parts = divide(self._inputs, self._sent, size, self._run, whole)
            try:
                return parts, self._rank_words(parts, len(whole))
            except NotAsItBegan as error:
                whole.add(error.path)

    def _rank_words(self, parts: Sequence[TextSplit], attempt: int) -> Ranked:
        waves = self._waves
        total = max(sum(part.size for part in parts), 1)
        levels: list[list[Any]] = [[]]
        shard_number = 0

        def join(tables: list[Any]) -> Any:
            nonlocal shard_number
            if len(tables) == 1:
                return tables[0]
            shard_number += 1
            joined = waves.submit(f"{attempt}-tables-{shard_number}", tasks.added_tables, tables)
            for table in tables:
                # Keep the futures of leaves until they are done, to report progress.
                if "-tables-" in table.key:
                    waves.let_go(table)
            return joined

        def file(table: Any) -> None:
            level = 0
            levels[0].append(table)
            while len(levels[level]) == _FAN:
                if level + 1 == len(levels):
                    levels.append([])
                levels[level + 1].append(join(levels[level]))
                levels[level] = []
                level += 1

        def jobs() -> Iterator[Job]:
            for part in parts:
                table = waves.submit(
                    f"{attempt}-table-{part.number}", tasks.table_of_part, part, self._sent
                )
                file(table)
                yield table, part.size / total

        waves.finish(jobs(), tr("Counting words"))
        # Unmerged tables of lower levels follow those of higher levels.
        rest = [table for tables in reversed(levels) for table in tables]
        while len(rest) > 1:
            rest = [join(rest[at : at + _FAN]) for at in range(0, len(rest), _FAN)]
        self._run.advance(None, tr("Ranking words by frequency"))
        future = waves.submit(
            f"{attempt}-ranked",
            tasks.ranked_words,
            rest[0],
            self._counting.min_count,
            self._counting.max_vocab,
        )
        found: Ranked = waves.result(future)
        waves.let_go(future)
        self._refuse_nothing(found)
        return found

    def _refuse_nothing(self, found: Ranked) -> None:
        if not found.types:
            raise UserError(
                tr("No words of {name} are left after filtering.", name=self._name),
                tr("Choose another text, or other options."),
            )
        if not len(found.words):
            raise UserError(
                tr(
                    "No word of {name} occurs {min_count:,} times ({setting}).",
                    name=self._name,
                    min_count=self._counting.min_count,
                    setting=param_name("min_count"),
                ),
                tr(
                    "Lower {setting} to {number:,} or less.",
                    setting=quoted_param("min_count"),
                    number=found.most,
                ),
            )

    # -- the counts

    def _count_parts(
        self, parts: Sequence[TextSplit], words: Any, how: PartCounting, spill: str
    ) -> list[list[tasks.Sent]]:
        """The pieces of every range, in the order of the parts: in files of ``spill``, or as
        futures.
        """
        waves, total = self._waves, max(sum(part.size for part in parts), 1)
        ranges = len(how.bounds) - 1
        receipts: dict[str, Receipt] = {}
        carried: list[Any] = []

        def jobs() -> Iterator[Job]:
            for part in parts:
                common = (part, self._sent, words, how)
                if spill:
                    yield (
                        waves.submit(f"part-{part.number}", tasks.spilled_part, *common, spill),
                        part.size / total,
                    )
                else:
                    future = waves.submit(f"part-{part.number}", tasks.carried_part, *common)
                    # Split into pieces at once, so that a needed piece doesn’t keep the part’s
                    # other pieces in memory.
                    carried.append(
                        [
                            waves.submit(f"piece-{part.number}-{r}", tasks.take_piece, future, r)
                            for r in range(ranges)
                        ]
                    )
                    yield future, part.size / total

        def record_receipt(future: Any) -> float:
            if not spill:
                return 0.0
            receipt: Receipt = waves.result(future)
            receipts[future.key] = receipt
            return float(receipt.tokens)

        waves.finish(jobs(), tr("Counting co-occurrences"), (0.0, 0.8), record_receipt, "tokens")
        if not spill:
            return [list(pieces) for pieces in zip(*carried, strict=True)]
        # In the order of parts: keys end with the part’s number.
        inorder = sorted(receipts.items(), key=lambda item: int(item[0].rsplit("-", 1)[1]))
        return [
            [(receipt.pieces[r], receipt.path) for _, receipt in inorder] for r in range(ranges)
        ]

    def _sum_ranges(
        self, parts: Sequence[TextSplit], pieces: list[list[Any]], bounds: Ints, size: int
    ) -> list[ShardRecord]:
        """The shards of all ranges, each added up by one worker."""
        waves, place = self._waves, self._place
        shards: dict[int, ShardRecord] = {}
        _, divisor = window_weights(self._counting.window, self._counting.window_weighting)
        place_of: dict[str, int] = {}
        seen = place.seen

        def jobs() -> Iterator[Job]:
            for number, sent in enumerate(pieces):
                first, last = int(bounds[number]), int(bounds[number + 1])
                common = (sent, (last - first, size), divisor)
                if seen:
                    future = waves.submit(
                        f"range-{number}",
                        tasks.added_shard,
                        *common,
                        str(place.work),
                        number,
                        first,
                    )
                else:
                    future = waves.submit(f"range-{number}", tasks.added_range, *common)
                place_of[future.key] = number
                yield future, 1.0 / len(pieces)

        def record_shard(future: Any) -> float:
            number = place_of[future.key]
            result = waves.result(future)
            if not seen:
                result = write_shard(place.work, number, int(bounds[number]), result)
            shards[number] = result
            for piece in pieces[number]:
                if not isinstance(piece, tuple):
                    waves.let_go(piece)
            pieces[number] = []
            return 0.0

        waves.finish(jobs(), tr("Adding up the parts"), (0.8, 1.0), record_shard)
        return [shards[number] for number in range(len(pieces))]

    def _metadata(self, found: Ranked, parts: int) -> dict[str, Any]:
        counting = self._counting
        _, divisor = window_weights(counting.window, counting.window_weighting)
        return {
            "weighting": counting.window_weighting,
            "window": counting.window,
            "symmetric": counting.symmetric,
            "divisor": divisor,
            "parameters": counting.to_dict(),
            "corpus": {
                "name": self._name,
                "tokens": found.tokens,
                "types": found.types,
                "cut_words": found.cut_words,
                **({PARTED: found.parted} if found.parted else {}),
                "options": self._options.to_dict(),
                "files": [
                    {"path": each.path, "size": each.size} for each in self._inputs[:_FILES_TOLD]
                ],
            },
            "partitions": parts,
        }


def _name(inputs: Sequence[str | Path]) -> str:
    given: list[str | Path] = []
    if isinstance(inputs, (str, Path)):
        given.append(inputs)
    else:
        given.extend(inputs)
    if len(given) == 1 and "://" in str(given[0]):
        return PurePosixPath(str(given[0])).name or str(given[0])
    return corpus_name(given)
