"""``workbench lines``: the lines of a corpus that contain a word or a pattern."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import Cell, to_csv
from workbench.core.text.visible import terminal_columns, visible
from workbench.corpus.concordance import MOST, ORDERS, Concordance, ConcordanceLine, concordance
from workbench.corpus.corpus import CorpusOptions
from workbench.session.corpus.reading import read_corpus

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_LINES = 20


def lines_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    (options,) = read_params(args, CorpusOptions)
    _check_numbers(args)
    _check_output(args.output, args.corpus)
    unwrap = args.sentences is None

    def work(run: JobControl) -> Concordance:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, options, run, unwrap=unwrap)
        run.enter(Phase.COUNTING)
        return concordance(
            corpus,
            args.find,
            args.sort,
            near=args.near,
            window=args.window,
            most=args.n,
            width=args.width,
            run=run,
        )

    found = output.run_with_progress(work)
    lines = list(found)
    if args.output is not None:
        header = ["left", "match", "right", "position"]
        rows: list[list[Cell]] = [
            [line.left, line.word, line.right, line.position] for line in lines
        ]
        delimiter = _DELIMITERS[args.output.suffix.lower()]
        output.write_text(args.output, to_csv(header, rows, delimiter))
    if args.json:
        output.print_json({"total": found.total, "lines": [asdict(line) for line in lines]})
    else:
        _print_lines(lines, found.total)
    return 0


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--find",
        required=True,
        metavar="PATTERN",
        help="a word, or words in a row, in which * is any characters, ? one character and | "
        "separates alternatives, such as “the * of”",
    )
    parser.add_argument(
        "--near", default="", metavar="WORD", help="only lines with this word in the window"
    )
    parser.add_argument(
        "--window",
        type=int,
        default=5,
        metavar="L",
        help="with --near: words on each side (default 5)",
    )
    parser.add_argument(
        "--sort",
        choices=list(ORDERS),
        default="text",
        help="order by the words on this side (default text)",
    )
    for option, default, text in (
        ("-n", _LINES, f"number of lines, evenly spaced if there are more (default {_LINES})"),
        ("--width", 8, "number of words on each side (default 8)"),
    ):
        parser.add_argument(option, type=int, default=default, metavar="N", help=text)
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="also write the lines: .csv or .tsv"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    add_params(parser, CorpusOptions, "corpus")


def _check_numbers(args: argparse.Namespace) -> None:
    for option, value, most in (
        ("-n", args.n, MOST),
        ("--width", args.width, 1000),
        ("--window", args.window, 1000),
    ):
        if not 1 <= value <= most:
            raise UserError(
                f"{option} must be from 1 to {most}, not {value}.", f"Leave {option} out."
            )


def _check_output(path: Path | None, inputs: Sequence[str]) -> None:
    if path is None:
        return
    if path.suffix.lower() not in _DELIMITERS:
        raise UserError(f"Can’t write lines to “{path.name}”.", "Use the suffix .csv or .tsv.")
    output.prove_outputs([path], inputs)


def _print_lines(lines: Sequence[ConcordanceLine], total: int) -> None:
    """Print the lines with their matches below each other, and how many there are."""
    lefts = [visible(line.left) for line in lines]
    room = max(map(terminal_columns, lefts), default=0)
    for left, line in zip(lefts, lines, strict=True):
        blanks = " " * (room - terminal_columns(left))
        print(f"{blanks}{left}  [{visible(line.word)}]  {visible(line.right)}".rstrip())
    shown = f", {len(lines):,} of them shown" if len(lines) < total else ""
    output.print_line(f"{output.number(total, 'line')}{shown}.")
