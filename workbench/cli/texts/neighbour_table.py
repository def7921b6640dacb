"""``workbench neighbours --resample``: neighbours with intervals over the documents of a text."""

from __future__ import annotations

import argparse
import math
from typing import Any

from workbench.analysis.evaluation.bootstrap import Interval
from workbench.analysis.resampling.neighbour_intervals import (
    NeighbourIntervals,
    neighbour_intervals,
)
from workbench.analysis.resampling.texts_drawn import ResampleParams, draws_of
from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, given_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings


def add_resampling(parser: Parser) -> None:
    """Add the options to a parser."""
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="CORPUS",
        help="corpus of the vectors, whose documents are drawn: adds intervals and how often each "
        "neighbour stays",
    )
    add_params(parser, ResampleParams, "intervals (with --text)")


def is_resampled(args: argparse.Namespace) -> bool:
    """Whether intervals are wanted. Raises UserError if their options lack a text."""
    given = given_params(args, ResampleParams)
    if given and not args.text:
        option = ResampleParams.spec(next(iter(given))).option
        raise UserError(f"{option} needs --text, the corpus of the vectors.", "Add --text CORPUS.")
    return bool(args.text)


def print_intervals(args: argparse.Namespace, embeddings: Embeddings, word: str, n: int) -> int:
    """Draw texts, and print the neighbours with intervals."""
    (drawn,) = read_params(args, ResampleParams)

    def work(run: JobControl) -> NeighbourIntervals:
        run.enter(Phase.READING)
        corpus = read_corpus(args.text, embeddings.options, run)
        draws = draws_of(embeddings, corpus, drawn)
        return neighbour_intervals(draws, word, n, drawn.resample, run)

    found = output.run_with_progress(work)
    if args.json:
        output.print_json(_document(found))
        return 0
    rows = [["", "cosine", "95%", "rank", "95%", f"among {n}"]]
    rows += [
        [
            one.word,
            _number(one.cosine),
            _range(one.cosines, 4),
            f"{one.rank:,}",
            _range(one.ranks, 0),
            f"{one.stays:.0%}",
        ]
        for one in found.neighbours
    ]
    print(output.format_table(rows, right=range(1, 6)))
    unit = output.number(found.documents, found.unit.removesuffix("s"))
    output.print_line(f"{output.number(found.texts, 'text')} of {unit}, drawn with replacement.")
    return 0


def _document(found: NeighbourIntervals) -> dict[str, Any]:
    return {
        "word": found.word,
        "documents": found.unit,
        "number_of_documents": found.documents,
        "resampled": found.texts,
        "neighbours": [
            {
                "word": one.word,
                "cosine": one.cosine,
                "low": one.cosines.low,
                "high": one.cosines.high,
                "rank": one.rank,
                "rank_low": one.ranks.low,
                "rank_high": one.ranks.high,
                "stays": one.stays,
            }
            for one in found.neighbours
        ],
    }


def _number(value: float, digits: int = 4) -> str:
    if math.isfinite(value):
        return f"{value:,.{digits}f}".replace("-", "−")
    return "–"


def _range(interval: Interval, digits: int) -> str:
    if math.isfinite(interval.low):
        return f"{_number(interval.low, digits)} to {_number(interval.high, digits)}"
    return "–"
