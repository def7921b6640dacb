"""``workbench relation``: where in the counts of a text an analogy comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.analysis.analogy.in_the_counts import (
    AnalogyInCounts,
    ErrorParts,
    analogy_in_counts,
    split_errors,
)
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
_PARTS = ("paraphrase", "dependence", "overall")


@dataclass(frozen=True, eq=False)
class _Compared:
    """An answer in the counts: in contexts of all four words, and of any; the parts of errors."""

    counts: AnalogyInCounts
    any_context: AnalogyInCounts
    parts: ErrorParts


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

    def work(run: JobControl) -> tuple[PairsAway, list[_Compared]]:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, None, run)
        away = take_pairs_away(corpus, pairs, params, ranks, run=run)
        counted = count_pairs(corpus, PairCountSettings.of(params.to_dict()), run=run)
        (a, a_star), (b, right) = pairs[:2]
        found = []
        for answer in (right, away.second_best):
            try:
                counts, any_context = (
                    analogy_in_counts(counted, a, a_star, b, answer, positive)
                    for positive in (False, True)
                )
            except UserError:
                if answer == right:
                    raise
                # The second-best answer may be too rare to compare.
                continue
            parts = split_errors(corpus, (a, a_star, b, answer), params.window, run)
            found.append(_Compared(counts, any_context, parts))
        return away, found

    away, compared = output.run_with_progress(work)
    if args.json:
        output.print_json(_document(away, compared))
    else:
        _print(away, compared)
    return 0


def _document(away: PairsAway, compared: Sequence[_Compared]) -> dict[str, Any]:
    document: dict[str, Any] = {
        "pairs": [list(pair) for pair in away.pairs],
        "deleted": away.deleted,
        "ranks": away.ranks.tolist(),
        "whole": away.whole.tolist(),
        "without": away.without.tolist(),
        "control": away.control.tolist(),
        "control_draws": away.draws.tolist(),
        "counts": _counts_document(compared[0]),
    }
    if len(compared) > 1:
        document["second_best"] = _counts_document(compared[1])
    return document


def _counts_document(one: _Compared) -> dict[str, Any]:
    counts, parts = one.counts, one.parts
    document: dict[str, Any] = {
        "answer": counts.answer,
        "error": counts.error,
        "correlation": counts.correlation,
        "ppmi_correlation": one.any_context.correlation,
        "contexts": [
            list(row)
            for row in zip(
                counts.contexts,
                counts.across.tolist(),
                counts.up.tolist(),
                counts.counts.tolist(),
                strict=True,
            )
        ],
        "windows": list(parts.windows),
    }
    if parts.enough:
        document["errors"] = dict(zip(_PARTS, parts.sizes, strict=True))
    return document


def _print(away: PairsAway, compared: Sequence[_Compared]) -> None:
    output.print_line(
        f"{output.number(len(away.pairs), 'pair')}, {output.number(away.questions, 'question')}; "
        f"{output.number(away.deleted, 'cell')} of the pairs deleted"
    )
    rows = [["dimensions", "all counts", "without the pairs", "without other cells"]]
    for at, size in enumerate(away.ranks.tolist()):
        shares = (away.whole[at], away.without[at], away.control[at])
        texts = [f"{100 * share:.0f}%" for share in shares]
        rows.append([str(size), *texts[:2], f"{texts[2]} ± {100 * away.spread[at]:.0f}"])
    print(output.format_table(rows, right=(0, 1, 2, 3)))
    for one in compared:
        _print_counts(one)
    counts = compared[0].counts
    rows = [["context", "predicted PMI", "PMI"]]
    for at in range(min(_CONTEXTS, len(counts.contexts))):
        rows.append([counts.contexts[at], _signed(counts.across[at]), _signed(counts.up[at])])
    print(output.format_table(rows, right=(1, 2)))


def _print_counts(one: _Compared) -> None:
    counts, parts = one.counts, one.parts
    output.print_line(
        f"{counts.answer} in {output.number(len(counts.contexts), 'context')}: correlation "
        f"{_signed(counts.correlation)}, error {counts.error:.2f} nats"
    )
    every = one.any_context
    output.print_line(
        f"PPMI in {output.number(len(every.contexts), 'context')} of any word: correlation "
        f"{_signed(every.correlation)}"
    )
    if parts.enough:
        sizes = ", ".join(
            f"{name} {size:.2f}" for name, size in zip(_PARTS, parts.sizes, strict=True)
        )
        output.print_line(f"errors in {output.number(len(parts.contexts), 'context')}: {sizes}")
    else:
        output.print_line("errors: too few windows contain both words of a pair")


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
