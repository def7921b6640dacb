"""``workbench shape``: lengths, directions, spectrum and hubs of vectors, before and after centring
and whitening.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.analysis.evaluation import similarity
from workbench.analysis.shape.report import (
    CENTRED,
    PLAIN,
    TOKEN_CENTRED,
    TOP,
    WHITENED,
    Shape,
    ShapeReport,
    ShapeSettings,
    describe_shape,
    farthest_above,
    rank_correlation,
)
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.table_export import Cell, to_csv
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings

_TITLES = {
    PLAIN: "as they are",
    CENTRED: "centred by types",
    TOKEN_CENTRED: "centred by tokens",
    TOP: "all but the top {value:.0f}",
    WHITENED: "whitened, β = {value:g}",
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
# Number of words that the text names, and the number of words with the highest k-occurrence.
_NAMED = 8


def shape_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    _check(args)
    pairs = None if args.similarity is None else _pairs(args.similarity)
    settings = ShapeSettings(args.limit, args.k, args.remove)

    def work(run: JobControl) -> tuple[Embeddings, ShapeReport]:
        embeddings = read_vectors(args.vectors, run)
        corpus = None
        if args.text:
            options = embeddings.options
            corpus = read_corpus(args.text, options, run, unwrap=options is None)
        return embeddings, describe_shape(embeddings, settings, corpus, pairs, run)

    embeddings, report = output.run_with_progress(work)
    if args.words is not None:
        header, rows = _word_table(embeddings, report)
        delimiter = _DELIMITERS[args.words.suffix.lower()]
        output.write_text(args.words, to_csv(header, rows, delimiter))
    if args.json:
        output.print_json(_document(embeddings, report))
    else:
        print(_report_text(embeddings, report))
    return 0


def _add_options(parser: Parser) -> None:
    parser.add_argument("vectors", metavar="V.vec", help="file of dense vectors")
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="CORPUS",
        help="corpus of the vectors: compare lengths with the information of words in it",
    )
    parser.add_argument(
        "--similarity",
        metavar="FILE",
        help="also score each variant on word pairs: a file, or a bundled set: "
        + ", ".join(similarity.BUNDLED),
    )
    for option, default, text in (
        ("--limit", ShapeSettings.limit, "number of most frequent words (0 = all; default 10000)"),
        ("--k", ShapeSettings.k, "number of neighbours of each word for hubs (default 10)"),
        (
            "--remove",
            ShapeSettings.removed,
            "directions removed by all but the top (default d/100)",
        ),
    ):
        parser.add_argument(option, type=int, default=default, metavar="N", help=text)
    parser.add_argument(
        "--words", type=Path, metavar="FILE", help="also write a table of all words: .csv or .tsv"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _check(args: argparse.Namespace) -> None:
    """Raise UserError for wrong values, before anything is read."""
    for option, value, low in (
        ("--limit", args.limit, 0),
        ("--k", args.k, 1),
        ("--remove", args.remove, 0),
    ):
        if value < low:
            raise UserError(f"{option} must be {low} or more, not {value}.", f"Leave {option} out.")
    if args.words is not None:
        if args.words.suffix.lower() not in _DELIMITERS:
            raise UserError(
                f"Can’t write a table to “{args.words.name}”.", "Use the suffix .csv or .tsv."
            )
        output.prove_outputs([args.words], [args.vectors, *args.text])


def _pairs(name: str) -> similarity.WordPairs:
    if name in similarity.BUNDLED and not Path(name).exists():
        return similarity.load_pairs(similarity.bundled_path(name))
    return similarity.load_pairs(name)


def _document(embeddings: Embeddings, report: ShapeReport) -> dict[str, Any]:
    words = [embeddings.words[row] for row in report.rows.tolist()]
    found = report.information
    return {
        "words": len(words),
        "mean_by_types": report.mean_types,
        "mean_by_tokens": report.mean_tokens,
        "correlations": _correlations(report),
        "keywords": [] if found is None else farthest_above(found, embeddings.words, 20),
        "variants": [
            {
                "variant": shape.kind,
                "value": shape.value,
                "mean_cosine_by_types": shape.by_types,
                "mean_cosine_by_tokens": shape.by_tokens,
                "effective_rank": shape.spectrum.effective_rank,
                "participation": shape.spectrum.participation,
                "largest_share": shape.spectrum.first,
                "variances": shape.spectrum.variances.tolist(),
                "hub_skewness": shape.hubs.skewness,
                "largest_hub": shape.hubs.largest,
                "hubs": _hubs(words, shape),
                "never_neighbour": shape.hubs.never,
                "similarity": shape.similarity,
            }
            for shape in report.variants
        ],
    }


def _hubs(words: Sequence[str], shape: Shape) -> list[str]:
    order = np.argsort(-shape.hubs.occurrences, kind="stable")[:_NAMED]
    return [words[place] for place in order.tolist()]


def _correlations(report: ShapeReport) -> dict[str, float]:
    """Spearman’s ρ between lengths, frequencies and information, as far as they are known."""
    found = {}
    if report.counts is not None:
        found["length_frequency"] = rank_correlation(report.norms, report.counts.astype(np.float64))
    information = report.information
    if information is None or report.counts is None:
        return found
    places = {row: place for place, row in enumerate(report.rows.tolist())}
    both = [(at, places[row]) for at, row in enumerate(information.rows.tolist()) if row in places]
    if len(both) < 3:
        return found
    there, here = np.array(both).T
    counts = report.counts[here].astype(np.float64)
    divergence = information.divergence[there]
    above = divergence - information.floor[there]
    found["information_frequency"] = rank_correlation(divergence, counts)
    found["above_floor_frequency"] = rank_correlation(above, counts)
    found["length_information"] = rank_correlation(report.norms[here], divergence)
    if report.squared is not None:
        squared = report.squared[here]
        found["weighted_length_information"] = rank_correlation(squared, divergence)
        found["weighted_length_above_floor"] = rank_correlation(squared, above)
    return found


_SENTENCES = {
    "length_frequency": "length and frequency",
    "information_frequency": "information and frequency",
    "above_floor_frequency": "information above the sampling floor and frequency",
    "length_information": "length and information",
    "weighted_length_information": "length weighted by the contexts and information",
    "weighted_length_above_floor": "length weighted by the contexts and information above the "
    "sampling floor",
}


def _report_text(embeddings: Embeddings, report: ShapeReport) -> str:
    scored = any(shape.similarity is not None for shape in report.variants)
    rows = [
        [
            *("variant", "cosine, types", "cosine, tokens", "effective rank", "first direction"),
            *("hub skewness", "largest hub", "never"),
            *(["similarity"] if scored else []),
        ]
    ]
    for shape in report.variants:
        row = [
            _TITLES[shape.kind].format(value=shape.value),
            _number(shape.by_types),
            _number(shape.by_tokens),
            f"{shape.spectrum.effective_rank:.1f}",
            f"{100 * shape.spectrum.first:.1f}%",
            f"{shape.hubs.skewness:.2f}".replace("-", "−"),
            f"{shape.hubs.largest:,}",
            f"{100 * shape.hubs.never:.1f}%",
        ]
        if scored:
            row.append(_number(math.nan if shape.similarity is None else shape.similarity))
        rows.append(row)
    mean = f"{_number(report.mean_types)} by types"
    if math.isfinite(report.mean_tokens):
        mean += f", {_number(report.mean_tokens)} by tokens"
    words = [embeddings.words[row] for row in report.rows.tolist()]
    lines = [
        output.format_table(rows, right=range(1, len(rows[0]))),
        f"{output.number(len(words), 'word')}. Length of the mean vector, as a share of the mean "
        f"length: {mean}.",
        f"Largest hubs: {', '.join(_hubs(words, report.variants[0]))}.",
    ]
    lines += [
        f"Correlation (Spearman) of {_SENTENCES[name]}: {_number(value)}."
        for name, value in _correlations(report).items()
    ]
    if report.information is not None:
        named = farthest_above(report.information, embeddings.words, _NAMED)
        lines.append(f"Farthest above the sampling floor: {', '.join(named)}.")
    return "\n".join(lines)


def _word_table(embeddings: Embeddings, report: ShapeReport) -> tuple[list[str], list[list[Cell]]]:
    header = [
        *("word", "count", "length", "squared weighted length", "2 KL", "2 KL floor"),
        *("neighbour of", "neighbour of, centred"),
    ]
    plain, centred = (shape.hubs.occurrences for shape in report.variants[:2])
    known: dict[int, tuple[float, float]] = {}
    if report.information is not None:
        found = report.information
        numbers = zip(found.divergence.tolist(), found.floor.tolist(), strict=True)
        known = dict(zip(found.rows.tolist(), numbers, strict=True))
    rows: list[list[Cell]] = []
    for place, row in enumerate(report.rows.tolist()):
        divergence, floor = known.get(row, (math.nan, math.nan))
        rows.append(
            [
                embeddings.words[row],
                None if report.counts is None else int(report.counts[place]),
                float(report.norms[place]),
                None if report.squared is None else float(report.squared[place]),
                2 * divergence,
                2 * floor,
                int(plain[place]),
                int(centred[place]),
            ]
        )
    return header, rows


def _number(value: float) -> str:
    if math.isfinite(value):
        # Adding 0 removes the sign of a rounded 0.
        return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")
    return "–"
