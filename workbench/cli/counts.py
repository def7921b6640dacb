"""``workbench counts``: co-occurrence counts for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.counts_option import text_or_counts
from workbench.cli.parsing import Parser, add_params, given_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.formats import COUNT_FORMATS, count_format
from workbench.session.corpus.counting import (
    CountParams,
    TableParams,
    Written,
    counted_as,
    write_counts,
)
from workbench.session.corpus.reading import read_corpus


def counts_command(parser: Parser, arguments: Sequence[str]) -> int:
    suffixes = ", ".join(suffix for kind in COUNT_FORMATS for suffix in kind.suffixes)
    parser.add_argument(
        "corpus", nargs="*", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--counts",
        type=Path,
        metavar="FOLDER",
        help="write these counts, for example from count-cluster, in another format",
    )
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="counts.npz",
        help=f"file to write, with one of these suffixes: {suffixes}",
    )
    add_params(parser, CorpusOptions, "corpus")
    add_params(parser, CountParams, "counting")
    add_params(parser, TableParams, "tables (.csv, .tsv, .parquet)")
    args = parser.parse_all(arguments)
    options, params, table = read_params(args, CorpusOptions, CountParams, TableParams)
    kind = count_format(args.output)
    table_options = [TableParams.spec(name).option for name in given_params(args, TableParams)]
    if table_options and not kind.table:
        raise UserError(
            f"{', '.join(table_options)} needs a table of pairs as output.",
            "Use the suffix .csv, .tsv or .parquet.",
        )
    counted = text_or_counts(args)
    unwrap = args.sentences is None
    if counted is not None:
        params = counted_as(counted, params.to_dict(), given_params(args, CountParams))
    inputs = args.corpus if args.counts is None else [args.counts]
    output.prove_outputs([args.output, *kind.beside(args.output)], inputs)

    def work(run: JobControl) -> Written:
        run.enter(Phase.READING)
        corpus = counted or read_corpus(args.corpus, options, run, unwrap=unwrap)
        return write_counts(corpus, params, table, args.output, run)

    written = output.run_with_progress(work)
    also = "".join(f" and {path.name}" for path in written.paths[1:])
    output.print_line(
        f"{args.output}{also}: {output.number(written.words, 'word')}, "
        f"{output.number(written.cells, 'cell')}."
    )
    return 0
