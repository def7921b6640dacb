"""``workbench convert``: conversion and post-processing of vectors."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.vectors.formats import FORMATS, check_half, save_vectors
from workbench.vectors.postprocessing import RESULTS, apply_postprocessing, choice_of


def _add_options(parser: Parser) -> None:
    parser.add_argument("input", metavar="IN", help="file of vectors")
    parser.add_argument("output", type=Path, metavar="OUT", help="file to write")
    parser.add_argument(
        "--from",
        dest="from_",
        default="",
        metavar="FORMAT",
        help="format of IN (default: detected)",
    )
    parser.add_argument(
        "--to", default="", metavar="FORMAT", help="format of OUT (default: from the suffix)"
    )
    parser.add_argument(
        "--half",
        action="store_true",
        help="save float16 numbers: half the size, rounded to 11 bits (.npz, .safetensors)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=0,
        metavar="N",
        help="number of words to convert, from the first (0 = all)",
    )
    group = parser.add_argument_group(
        "postprocessing", "applied in this order; without these options, vectors stay the same"
    )
    group.add_argument(
        "--result",
        choices=RESULTS,
        help="word vectors, sum of word and context vectors, or both concatenated",
    )
    group.add_argument(
        "--all-but-the-top",
        type=int,
        metavar="D",
        help="subtract the mean, then remove D principal components",
    )
    group.add_argument(
        "--normalise",
        action=argparse.BooleanOptionalAction,
        help="scale every vector to unit length",
    )


def convert_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    key = output.format_for_output(args.output, args.to)
    if args.half:
        check_half(key)
    if args.limit < 0:
        raise UserError(
            f"--limit must be 0 or more, not {args.limit}.",
            "Leave --limit out to convert all words.",
        )
    output.prove_outputs([args.output], [args.input], output.folder_files(args.output, key))

    def work(run: JobControl) -> tuple[int, tuple[str, ...]]:
        embeddings = read_vectors(args.input, run, args.from_, args.limit)
        run.check()
        changes = {name: getattr(args, name) for name in ("result", "normalise", "all_but_the_top")}
        given = {name: value for name, value in changes.items() if value is not None}
        embeddings = apply_postprocessing(
            embeddings, dataclasses.replace(choice_of(embeddings), **given), run
        )
        save_vectors(embeddings, args.output, key, args.half, run)
        kind = FORMATS[key]
        return len(embeddings), (*kind.missing(embeddings), *kind.notes(embeddings))

    size, notes = output.run_with_progress(work)
    output.print_line(f"{args.output}: {output.number(size, 'word')}.")
    for note in notes:
        output.print_line(note, problem=True)
    return 0
