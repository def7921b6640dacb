"""``workbench groups``: cosines of words by year, author or another group, as a table, a figure and
JSON.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.analysis.groups.grouped_words import GroupedWords, Question, group_words
from workbench.analysis.groups.params import A_LA_CARTE, GroupedParams
from workbench.analysis.groups.series import Series
from workbench.analysis.groups.tables import (
    COLUMNS,
    CONTEXTS,
    context_rows,
    series_columns,
    series_rows,
)
from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.cli.texts.groups_figure import groups_svg
from workbench.cli.vectors import read_vectors
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.documents import SENTENCES, DocumentParams
from workbench.corpus.groups import GroupParams
from workbench.session.corpus.reading import read_corpus

_TABLES, _FIGURES = (".tsv", ".csv", ".json"), (".svg", ".png")


def groups_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    by, documents, params, options = read_params(
        args, GroupParams, DocumentParams, GroupedParams, CorpusOptions
    )
    question = Question(
        _split_words("--words", args.words), _split_words("--to", args.to), args.contexts
    )
    _check(args, params)
    outputs = [path for path in (args.output, args.context_table, args.figure) if path]
    output.prove_outputs(outputs, [*args.corpus, *filter(None, [args.vectors])])
    unwrap = args.sentences is None

    def work(run: JobControl) -> GroupedWords:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, options, run, unwrap=unwrap)
        embeddings = read_vectors(args.vectors, run) if args.vectors else None
        return group_words(corpus, question, by, documents, params, run, embeddings)

    found = output.run_with_progress(work)
    _write(args, found)
    if args.json:
        output.print_json(_document(found))
    else:
        _print(found, args, outputs)
    return 0


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--words", required=True, metavar="A,B,…", help="words to compare between groups"
    )
    parser.add_argument(
        "--to",
        default="",
        metavar="C,D,…",
        help="words whose cosines with them are wanted (default: each word itself in the whole "
        "text)",
    )
    parser.add_argument(
        "--output", type=Path, metavar="table.tsv", help=f"table: {', '.join(_TABLES)}"
    )
    parser.add_argument(
        "--figure", type=Path, metavar="figure.svg", help=f"figure: {', '.join(_FIGURES)}"
    )
    parser.add_argument(
        "--contexts",
        type=int,
        default=10,
        metavar="N",
        help="number of contexts gained and lost in each group (default 10)",
    )
    parser.add_argument(
        "--context-table",
        type=Path,
        metavar="contexts.tsv",
        help="table of the contexts gained and lost: .tsv or .csv",
    )
    parser.add_argument(
        "--vectors",
        metavar="V.vec",
        help="vectors for --method alacarte (default: SVD of the text)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_params(parser, GroupParams, "groups")
    add_params(parser, DocumentParams, "documents")
    add_params(parser, GroupedParams, "vectors")
    add_params(parser, CorpusOptions, "corpus")


def _split_words(option: str, text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    if not found and (text or option == "--words"):
        raise UserError(
            f"{option} must contain words, not “{text}”.", f"Example: {option} king,queen."
        )
    return found


def _check(args: argparse.Namespace, params: GroupedParams) -> None:
    """Raise UserError for options that contradict each other."""
    for path, suffixes in (
        (args.output, _TABLES),
        (args.context_table, _TABLES[:2]),
        (args.figure, _FIGURES),
    ):
        if path is not None and path.suffix.lower() not in suffixes:
            raise UserError(
                f"Can’t write to “{path.name}”.",
                f"Use one of these suffixes: {', '.join(suffixes)}.",
            )
    if args.contexts < 0:
        raise UserError(f"--contexts must be 0 or more, not {args.contexts}.", "Example: 10.")
    if args.vectors and params.method != A_LA_CARTE:
        raise UserError(
            "--vectors needs --method alacarte: other methods make vectors of the text.",
            "Add --method alacarte, or leave --vectors out.",
        )


def _write(args: argparse.Namespace, found: GroupedWords) -> None:
    if args.output is not None and args.output.suffix.lower() == ".json":
        output.write_json(args.output, _document(found))
    elif args.output is not None:
        output.write_text(args.output, to_csv(COLUMNS, series_rows(found), _mark(args.output)))
    if args.context_table is not None:
        rows = to_csv(CONTEXTS, context_rows(found), _mark(args.context_table))
        output.write_text(args.context_table, rows)
    if args.figure is not None:
        drawing = groups_svg(found)
        with replacing(args.figure) as part:
            if args.figure.suffix.lower() == ".svg":
                part.write_text(drawing, encoding="utf-8")
            else:
                output.paint_svg(part, drawing)


def _mark(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def _print(found: GroupedWords, args: argparse.Namespace, outputs: Sequence[Path]) -> None:
    number = output.number(sum(found.units.tolist()), found.unit.removesuffix("s"))
    if args.output is None:
        for series in found.series:
            print(output.format_table(_series_rows(found, series), right=range(1, 6)))
            print()
    for series in found.series:
        turn = ""
        if series.turn and series.p <= 0.05:
            turn = f", largest change before {found.groups.values[series.turn]}"
        output.print_line(f"{series.word} and {series.to}: p = {series.p:.3f}{turn}.")
    output.print_line(
        f"{output.number(len(found.groups), 'group')}, {number}, "
        f"{output.number(found.params.texts_drawn, 'resampled text')}, "
        f"{output.number(found.params.shuffled, 'shuffle')}."
    )
    if found.unit == SENTENCES:
        output.print_line(
            "The bands are too narrow, because sentences of one text depend on each other: use "
            "--documents passages."
        )
    for path in outputs:
        output.print_line(f"Wrote {path}.")


def _series_rows(found: GroupedWords, series: Series) -> list[list[str]]:
    """The rows of a series for the terminal, with a header."""
    occurrences = {word.word: word.occurrences for word in found.words}[series.word]
    rows = [[f"{series.word} and {series.to}", "occurrences", "cosine", "95%", "control", "95%"]]
    for at, group in enumerate(found.groups.values):
        rows.append(
            [
                group,
                f"{occurrences[at]:,}",
                _number(series.cosines[at]),
                _range(series.low[at], series.high[at]),
                _number(series.control[at]),
                _range(series.control_low[at], series.control_high[at]),
            ]
        )
    return rows


def _number(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.3f}".replace("-", "−")
    return "–"


def _range(low: float, high: float) -> str:
    if math.isfinite(low):
        return f"{_number(low)} to {_number(high)}"
    return "–"


def _document(found: GroupedWords) -> dict[str, Any]:
    """Everything that was found, for JSON."""
    names = COLUMNS[4:10]
    return {
        "by": found.groups.by,
        "groups": [
            {"group": group, "tokens": tokens, "documents": units}
            for group, tokens, units in zip(
                found.groups.values, found.tokens.tolist(), found.units.tolist(), strict=True
            )
        ],
        "documents": found.unit,
        "settings": found.params.to_dict(),
        "words": [
            {
                "word": word.word,
                "occurrences": word.occurrences.tolist(),
                "gained": [[asdict(one) for one in changes] for changes in word.gained],
                "lost": [[asdict(one) for one in changes] for changes in word.lost],
            }
            for word in found.words
        ],
        "series": [
            {
                "word": series.word,
                "to": series.to,
                "whole": series.whole,
                "p": series.p,
                "turn": found.groups.values[series.turn] if series.turn else None,
                **{
                    name: values.tolist()
                    for name, values in zip(names, series_columns(series), strict=True)
                },
            }
            for series in found.series
        ],
    }
