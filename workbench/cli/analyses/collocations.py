"""``workbench collocations``: what occurs near a word, as a table, a network and a figure."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.analysis.collocations.collocates import (
    CollocationParams,
    Network,
    collocation_network,
)
from workbench.analysis.collocations.dispersion import Parts, parts_of
from workbench.analysis.collocations.network_layout import edge_table
from workbench.cli import output
from workbench.cli.analyses.network_figure import network_svg
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.session.corpus.reading import read_corpus

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_FIGURES = (".svg", ".png")


def collocations_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument("--word", required=True, metavar="WORD", help="word to start from")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="also write the edges of the network (.csv, .tsv), or draw it (.svg, .png)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_params(parser, CollocationParams, "collocations")
    add_params(parser, CorpusOptions, "corpus")
    args = parser.parse_all(arguments)
    params, options = read_params(args, CollocationParams, CorpusOptions)
    _check_output(args)
    unwrap = args.sentences is None

    def work(run: JobControl) -> Network:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, options, run, unwrap=unwrap)
        run.enter(Phase.COUNTING)
        return collocation_network(corpus, args.word, params, _parts(corpus), run)

    found = output.run_with_progress(work)
    if args.output is not None:
        _write(args.output, found, params.measure)
    if args.json:
        output.print_json(_document(found))
    else:
        print(_network_text(found))
    return 0


def _check_output(args: argparse.Namespace) -> None:
    if args.output is None:
        return
    suffixes = (*_DELIMITERS, *_FIGURES)
    if args.output.suffix.lower() not in suffixes:
        raise UserError(
            f"Can’t write a network to “{args.output.name}”.",
            f"Use one of these suffixes: {', '.join(suffixes)}.",
        )
    output.prove_outputs([args.output], args.corpus)


def _parts(corpus: Corpus) -> Parts | None:
    """The parts of a text, None if it is too short for two."""
    try:
        return parts_of(corpus)
    except UserError:
        return None


def _write(path: Path, found: Network, measure: str) -> None:
    suffix = path.suffix.lower()
    if suffix in _DELIMITERS:
        output.write_text(path, to_csv(*edge_table(found), _DELIMITERS[suffix]))
        return
    drawing = network_svg(found, measure)
    with replacing(path) as part:
        if suffix == ".svg":
            part.write_text(drawing, encoding="utf-8")
        else:
            output.paint_svg(part, drawing)


def _document(found: Network) -> dict[str, Any]:
    spreads: list[dict[str, Any] | None] = [asdict(spread) for spread in found.dispersions]
    if not spreads:
        spreads = [None] * len(found.first)
    return {
        "word": found.word,
        "occurrences": found.occurrences,
        "parts": found.parts_unit or None,
        "dispersion": None if found.own_dispersion is None else asdict(found.own_dispersion),
        "collocates": [
            {**asdict(edge), "dispersion": spread}
            for edge, spread in zip(found.first, spreads, strict=True)
        ],
        "second": [asdict(edge) for edge in found.second],
    }


def _network_text(found: Network) -> str:
    spread = bool(found.dispersions)
    rows = [
        ["collocate", "pairs", "expected", "PMI", "log-likelihood"]
        + ([found.parts_unit, "DP", "D"] if spread else [])
    ]
    for at, edge in enumerate(found.first):
        row = [edge.other, f"{edge.times:,}", f"{edge.expected:,.1f}"]
        row += [_number(edge.pmi), f"{edge.log_likelihood:,.1f}"]
        if spread:
            one = found.dispersions[at]
            row += [f"{one.parts:,}", _number(one.dp), _number(one.juilland)]
        rows.append(row)
    lines = [output.format_table(rows, right=range(1, len(rows[0])))]
    note = f"“{found.word}” occurs {output.number(found.occurrences, 'time')}"
    if found.own_dispersion is not None:
        own = found.own_dispersion
        note += f", in {own.parts:,} {found.parts_unit}: DP {_number(own.dp)}, "
        note += f"D {_number(own.juilland)}"
    lines.append(f"{note}.")
    by_word: dict[str, list[str]] = {}
    for edge in found.second:
        by_word.setdefault(edge.word, []).append(edge.other)
    lines += [f"{word}: {', '.join(others)}" for word, others in by_word.items()]
    return "\n".join(lines)


def _number(value: float) -> str:
    if math.isfinite(value):
        return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")
    return "–"
