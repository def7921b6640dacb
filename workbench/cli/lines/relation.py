"""``workbench relation``: where in the counts of a text an analogy comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.analysis.analogy.in_the_counts import AnalogyInCounts, analogy_in_counts
from workbench.analysis.analogy.pairs_away import PairsAway, take_pairs_away
from workbench.analysis.analogy.relation_pairs import parse_pairs
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.models.count.svd import SVDParams
from workbench.session.corpus.reading import read_corpus

_CONTEXTS = 5


def relation_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--pairs",
        required=True,
        metavar="PAIRS",
        help="pairs of one relation, such as “man king, woman queen”; the first two are also "
        "compared context by context",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    add_params(parser, SVDParams, "SVD")
    args = parser.parse_all(arguments)
    (params,) = read_params(args, SVDParams)
    pairs = parse_pairs(args.pairs)
    if len(pairs) < 2:
        raise UserError("--pairs needs two pairs or more.", "For example: man king, woman queen.")
    ranks = sorted({max(1, params.dim // part) for part in (10, 4, 2, 1)})

    def work(run: JobControl) -> tuple[PairsAway, AnalogyInCounts]:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, None, run)
        away = take_pairs_away(corpus, pairs, params, ranks, run=run)
        counted = count_pairs(corpus, PairCountSettings.of(params.to_dict()), run=run)
        (a, a_star), (b, answer) = pairs[:2]
        return away, analogy_in_counts(counted, a, a_star, b, answer)

    away, compared = output.run_with_progress(work)
    if args.json:
        output.print_json(_document(away, compared))
    else:
        _print(away, compared)
    return 0


def _document(away: PairsAway, compared: AnalogyInCounts) -> dict[str, Any]:
    return {
        "pairs": [list(pair) for pair in away.pairs],
        "deleted": away.deleted,
        "ranks": away.ranks.tolist(),
        "whole": away.whole.tolist(),
        "without": away.without.tolist(),
        "control": away.control.tolist(),
        "counts": {
            "answer": compared.answer,
            "error": compared.error,
            "correlation": compared.correlation,
            "contexts": [
                list(row)
                for row in zip(
                    compared.contexts,
                    compared.across.tolist(),
                    compared.up.tolist(),
                    compared.counts.tolist(),
                    strict=True,
                )
            ],
        },
    }


def _print(away: PairsAway, compared: AnalogyInCounts) -> None:
    output.print_line(
        f"{output.number(len(away.pairs), 'pair')}, {output.number(away.questions, 'question')}; "
        f"{output.number(away.deleted, 'cell')} of the pairs deleted"
    )
    rows = [["dimensions", "all counts", "without the pairs", "without other cells"]]
    for at, size in enumerate(away.ranks.tolist()):
        shares = (away.whole[at], away.without[at], away.control[at])
        rows.append([str(size), *(f"{100 * share:.0f}%" for share in shares)])
    print(output.format_table(rows, right=(0, 1, 2, 3)))
    output.print_line(
        f"{compared.answer} in {output.number(len(compared.contexts), 'context')}: correlation "
        f"{_signed(compared.correlation)}, error {compared.error:.2f} nats"
    )
    rows = [["context", "predicted PMI", "PMI"]]
    for at in range(min(_CONTEXTS, len(compared.contexts))):
        rows.append([compared.contexts[at], _signed(compared.across[at]), _signed(compared.up[at])])
    print(output.format_table(rows, right=(1, 2)))


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
