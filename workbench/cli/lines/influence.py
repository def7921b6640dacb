"""``workbench influence``: the lines of a text that a cosine, an analogy or an association comes
from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from workbench.analysis.influence.line_influence import Influence, influence
from workbench.analysis.influence.quantities import (
    Quantity,
    analogy_margin,
    association_effect,
    cosine_of,
)
from workbench.analysis.influence.removal import file_edges, line_edges
from workbench.analysis.rows.still_model import hold_still
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.left_out import TrainedAgain, train_again
from workbench.vectors.embeddings import Embeddings

_PAIRS = 3


@dataclass(frozen=True, eq=False)
class _Found:
    ranked: Influence
    corpus: Corpus
    by_file: bool
    left_out: np.ndarray[Any, np.dtype[np.int64]]
    predicted: float | None
    again: TrainedAgain | None


def influence_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec", help="run (.npz) that the number is from")
    parser.add_argument("corpus", metavar="CORPUS", help="text of its training")
    parser.add_argument(
        "words",
        nargs="+",
        metavar="WORD",
        help="two words: their cosine; three, such as king man woman: the margin of the best "
        "answer to king − man + woman over the second; four lists with commas: the effect size of "
        "an association (targets X and Y, attributes A and B)",
    )
    parser.add_argument("--files", action="store_true", help="rank files instead of lines")
    parser.add_argument(
        "-n", type=int, default=10, metavar="N", help="number of lines to list (default 10)"
    )
    parser.add_argument(
        "--without",
        type=int,
        default=0,
        metavar="N",
        help="also predict the number without the N lines that raise it most",
    )
    parser.add_argument(
        "--train-again",
        action="store_true",
        help="with --without: train with and without them, with three seeds",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    args = parser.parse_all(arguments)
    if args.n < 1:
        raise UserError(f"-n must be 1 or more, not {args.n}.", "Leave -n out for 10.")
    if args.without < 0 or (args.train_again and not args.without):
        raise UserError("--without must be 1 or more.", "For example: --without 20.")

    def work(run: JobControl) -> _Found:
        run.enter(Phase.READING)
        model = read_vectors(args.vectors, run)
        quantity = _quantity(model, args.words)
        corpus = read_corpus([args.corpus], model.options, run)
        still = hold_still(model, corpus, run, counted=False)
        edges = file_edges(corpus) if args.files else line_edges(corpus)
        ranked = influence(still, quantity, edges, run)
        left_out, predicted, again = ranked.strongest(args.without, 1), None, None
        if len(left_out):
            predicted = ranked.without(left_out)
        if len(left_out) and args.train_again:
            params = still.kind.params_type.from_mapping(dict(still.values))
            again, _ = train_again(corpus, still.kind.key, params, quantity, edges, left_out, run)
        return _Found(ranked, corpus, args.files, left_out, predicted, again)

    found = output.run_with_progress(work)
    if args.json:
        output.print_json(_document(found, args.n))
    else:
        _print(found, args.n)
    return 0


def _quantity(model: Embeddings, words: Sequence[str]) -> Quantity:
    if len(words) == 2:
        return cosine_of(model, *words)
    if len(words) == 3:
        return analogy_margin(model, *words)
    if len(words) == 4:
        x, y, a, b = ([word for word in each.split(",") if word] for each in words)
        return association_effect(model, (x, y), (a, b))
    raise UserError(
        f"Two, three or four words are needed, not {len(words)}.",
        "For example: king man woman.",
    )


def _document(found: _Found, number: int) -> dict[str, Any]:
    ranked = found.ranked
    document: dict[str, Any] = {
        "quantity": ranked.quantity.title,
        "words": list(ranked.quantity.words),
        "value": ranked.value,
        "distance_from_minimum": ranked.away,
        "lines": [
            {
                "line": line + 1,
                "push": push,
                **_whole_text(found, line),
                "pairs": [
                    [pair.word, pair.context, pair.count, pair.push] for pair in ranked.pairs(line)
                ],
            }
            for line, push in _strongest_lines(ranked, number)
        ],
        "number_of_lines": len(ranked.lines),
    }
    if found.predicted is not None:
        document["without"] = {
            "lines": (found.left_out + 1).tolist(),
            "predicted": found.predicted,
        }
    if found.again is not None:
        document["without"] |= {
            "before": found.again.before.tolist(),
            "after": found.again.after.tolist(),
        }
    return document


def _strongest_lines(ranked: Influence, number: int) -> list[tuple[int, float]]:
    places = ranked.order[:number]
    return [(int(ranked.lines[at]), float(ranked.pushes[at])) for at in places.tolist()]


def _whole_text(found: _Found, line: int) -> dict[str, str]:
    if found.by_file:
        return {"name": _file_name(found, line)}
    return {"text": found.ranked.text(line)}


def _file_name(found: _Found, line: int) -> str:
    return PurePath(found.corpus.files[line].path).name


def _print(found: _Found, number: int) -> None:
    ranked, unit = found.ranked, "file" if found.by_file else "line"
    output.print_line(f"{ranked.quantity.title}: {_signed(ranked.value)}")
    output.print_line(f"{output.number(len(ranked.lines), unit)} with its words")
    rows = [[unit, "push", "pairs", "name" if found.by_file else "text"]]
    for line, push in _strongest_lines(ranked, number):
        pairs = ", ".join(f"{one.word} {one.context}" for one in ranked.pairs(line)[:_PAIRS])
        text = _file_name(found, line) if found.by_file else ranked.excerpt(line)[:80]
        rows.append([f"{line + 1:,}", _signed(push, ranked.decimals), pairs, text])
    print(output.format_table(rows, right=(0, 1)))
    if ranked.caution:
        output.print_line(ranked.caution, problem=True)
    if found.predicted is None:
        return
    left = output.number(len(found.left_out), unit)
    output.print_line(f"Without {left} that raise it most, predicted: {_signed(found.predicted)}")
    if found.again is not None:
        again = found.again
        spread = "" if math.isnan(again.spread) else f", deviation over seeds {again.spread:.4f}"
        output.print_line(
            f"Trained again: {_signed(float(again.before.mean()))} with them, "
            f"{_signed(float(again.after.mean()))} without{spread}"
        )


def _signed(value: float, decimals: int = 4) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")
