"""``workbench count-cluster``: counting on a Dask cluster, or on worker processes of this
machine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster import (
    Cluster,
    ClusterEstimate,
    ClusterParams,
    CountWindowParams,
    count,
    plan,
)
from workbench.counts.counts_corpus import counted_remarks
from workbench.counts.shards import ShardedCounts
from workbench.session.corpus.cluster_inputs import cluster_texts


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="CORPUS",
        help="files, folders, addresses such as s3://bucket/*.txt, or a bundled corpus",
    )
    parser.add_argument(
        "--out",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="folder for the counts: a new folder, or one with earlier counts",
    )
    parser.add_argument(
        "--plan", action="store_true", help="estimate time, memory and disk space without counting"
    )
    parser.add_argument("--json", action="store_true", help="print the estimate as JSON")
    add_params(parser, ClusterParams, "cluster")
    add_params(parser, CountWindowParams, "counting")
    add_params(parser, CorpusOptions, "corpus")


def count_cluster_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    params, counting, options = read_params(args, ClusterParams, CountWindowParams, CorpusOptions)
    if args.json and not args.plan:
        raise UserError("--json needs --plan.", "Add --plan.")
    if args.out is None and not args.plan:
        raise UserError(
            "Missing --out.",
            "Add --out FOLDER, or --plan for an estimate.",
        )
    if params.scheduler and not params.uses_tls:
        print(
            f"Warning: the connection to {params.scheduler} isn’t encrypted, and nothing proves "
            "that the scheduler is the right one. Any program that answers there can run programs "
            "on this machine as you.",
            file=sys.stderr,
        )

    if args.plan:

        def look(run: JobControl) -> ClusterEstimate:
            texts, read = cluster_texts(args.inputs, options, run)
            # The number of local workers is known without starting them.
            with Cluster(params, run) if params.scheduler else nullcontext() as cluster:
                status = None if cluster is None else cluster.status()
                return plan(texts, read, counting, params, status, run)

        estimate = output.run_with_progress(look)
        if args.json:
            output.print_json(asdict(estimate))
        else:
            print(output.format_table(estimate.rows()))
            for warning in estimate.warnings:
                output.print_line(str(warning))
        return 0

    def work(run: JobControl) -> ShardedCounts:
        texts, read = cluster_texts(args.inputs, options, run)
        return count(texts, args.out, read, counting, params, run)

    made_counts = output.run_with_progress(work)
    words, cells = len(made_counts.vocabulary), made_counts.nnz
    sizes = f"{output.number(words, 'word')}, {output.number(cells, 'cell')}"
    output.print_line(f"{args.out}: {sizes} in {output.number(len(made_counts.shards), 'shard')}.")
    for remark in counted_remarks(made_counts.metadata):
        print(remark, file=sys.stderr)
    return 0
