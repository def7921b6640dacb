"""``workbench cost``: forecast of the cost of counting and training on longer texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.machine.memory import keep_freed
from workbench.corpus.corpus import CorpusOptions
from workbench.session.corpus.reading import read_corpus
from workbench.session.corpus.scaling_forecast import Costing, CostParams, cost_of

_SIZES = ("types", "vocabulary", "kept_tokens", "cells", "shuffled_bytes")
_MOST = 1e15


def cost_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--tokens",
        default="1e9,1e10,1e11,1e12",
        metavar="N,N,…",
        help="corpus sizes in tokens (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    add_params(parser, CorpusOptions, "corpus")
    add_params(parser, CostParams, "costs")
    args = parser.parse_all(arguments)
    options, params = read_params(args, CorpusOptions, CostParams)
    lengths = _parse_lengths(args.tokens)
    unwrap = args.sentences is None

    def work(run: JobControl) -> Costing:
        run.enter(Phase.READING)
        keep_freed()
        return cost_of(read_corpus(args.corpus, options, run, unwrap=unwrap), params, run)

    found = output.run_with_progress(work)
    if args.json:
        output.print_json(cost_document(found, lengths))
    else:
        print(_tables(found, lengths))
    return 0


def _parse_lengths(text: str) -> list[float]:
    """Text lengths from a list in text. Raises UserError."""
    try:
        lengths = [float(part) for part in text.split(",")]
    except ValueError:
        lengths = []
    if not lengths or not all(1e4 <= length <= _MOST for length in lengths):
        raise UserError(
            f"--tokens must be numbers from 10,000 to 10^15, separated by commas, not {text}.",
            "For example: --tokens 1e9,1e12.",
        )
    return lengths


def cost_document(found: Costing, lengths: Sequence[float]) -> dict[str, Any]:
    """The document that ``--json`` prints."""
    model = found.model
    return {
        "law": asdict(model.law),
        "corrections": {name: asdict(correction) for name, correction in model.corrections.items()},
        "stages": {name: asdict(stage) for name, stage in model.stages.items()},
        "held_out": {
            "measured": asdict(found.held) | {"seconds": found.held_seconds},
            "predicted": asdict(found.predicted) | {"seconds": found.predicted_seconds},
        },
        "lengths": [
            asdict(model.sizes(tokens)) | {"seconds": model.seconds(tokens)} for tokens in lengths
        ],
        "limits": [asdict(limit) for limit in found.limits],
    }


def _tables(found: Costing, lengths: Sequence[float]) -> str:
    model, law = found.model, found.model.law
    rows = [["longest sample", "measured", "predicted", ""]]
    pairs = [
        (name.replace("_", " "), getattr(found.held, name), getattr(found.predicted, name))
        for name in _SIZES
    ]
    pairs += [
        (f"{name}, s", found.held_seconds[name], found.predicted_seconds[name])
        for name in found.predicted_seconds
    ]
    rows += [
        [name, _number(a), _number(b), f"{100 * (b / a - 1):+.0f}%".replace("-", "−")]
        for name, a, b in pairs
    ]
    stages = list(model.stages)
    carried = [["tokens", "types", "β", "vocabulary", "cells", "table", "transferred", *stages]]
    for tokens in lengths:
        sizes, seconds = model.sizes(tokens), model.seconds(tokens)
        carried.append(
            [
                _number(tokens),
                _number(sizes.types),
                f"{sizes.heaps:.2f}",
                _number(sizes.vocabulary),
                _number(sizes.cells),
                _bytes(sizes.cell_bytes),
                _bytes(sizes.shuffled_bytes),
                *(_time(seconds[stage]) for stage in stages),
            ]
        )
    first = [["limit", "reached at", "remedy"]]
    for limit in found.limits:
        beyond = "never" if math.isinf(limit.tokens) else f"{_number(limit.tokens)} tokens"
        first.append([limit.name, beyond, limit.remedy])
    head = (
        f"{int(found.held.tokens):,} tokens: p(r) ∝ (r + {law.shift:.1f})^−{law.head:.2f} up to "
        f"rank {law.core:,.0f}, "
        f"exponent {law.tail:.2f} beyond."
    )
    right = tuple(range(1, 4 + len(stages) + 3))
    return "\n\n".join(
        [
            head,
            output.format_table(rows, right=(1, 2, 3)),
            "On one machine like this one, time per stage in h:min:s\n"
            + output.format_table(carried, right=right),
            output.format_table(first, right=(1,)),
        ]
    )


def _number(value: float) -> str:
    if value < 1000:
        return f"{value:,.3g}"
    if value < 1e7:
        return f"{value:,.0f}"
    return f"{value:.2e}".replace("e+", "e")


def _bytes(size: float) -> str:
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 1e6:,.0f} MB"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02}:{rest:02}"
