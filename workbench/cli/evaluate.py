"""``workbench evaluate``: scores of vector files on analogy questions, word pairs and tests of
associations.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.analysis.analogy import questions, solver
from workbench.analysis.evaluation import similarity
from workbench.analysis.evaluation.bootstrap import share_interval
from workbench.analysis.evaluation.leaderboard import (
    LEAST_ASKED,
    LEAST_SHARE,
    LeaderboardEntry,
    Score,
    score_of_answers,
    score_of_pairs,
    table,
)
from workbench.analysis.evaluation.pair_table import UnclearColumn
from workbench.cli import output
from workbench.cli.analyses.associations import (
    AskedTests,
    TextReader,
    add_association_options,
    asked_tests,
    associations_table,
    associations_text,
    draw_associations,
    score_associations,
)
from workbench.cli.analyses.evaluation_intervals import (
    add_interval_options,
    asked_intervals,
    intervals_text,
    score_intervals,
)
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Portion
from workbench.core.table_export import Cell, to_csv, to_latex, to_markdown
from workbench.corpus.catalogue.unpack import known_set
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.row_order import ALPHABETICAL, BY_FREQUENCY
from workbench.vectors.subwords import subwords_of

_TABLES: Mapping[str, Callable[[Sequence[str], Sequence[Sequence[Cell]]], str]] = {
    ".csv": to_csv,
    ".tex": to_latex,
    ".md": to_markdown,
}


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "vectors", metavar="V.vec", nargs="+", help="one or more files of vectors to score"
    )
    parser.add_argument(
        "--analogies",
        metavar="FILE",
        help="analogy questions in the format of questions-words.txt, or pairs of words, or a "
        "folder of such files, or a downloaded set, such as bats",
    )
    parser.add_argument(
        "--similarity",
        metavar="FILE",
        nargs="+",
        default=[],
        help="file with two words and a score per line, or a bundled or downloaded set: "
        + ", ".join((*similarity.BUNDLED, "simlex-999", "men")),
    )
    parser.add_argument(
        "--score-column",
        default="",
        metavar="C",
        help="title or number of the column with the scores in --similarity files (default: "
        "detected)",
    )
    parser.add_argument(
        "--method",
        choices=solver.METHODS,
        default="3cosadd",
        help="how to solve analogies (default 3cosadd)",
    )
    parser.add_argument(
        "--restrict",
        type=int,
        default=30_000,
        metavar="N",
        help="limit analogies to the N most frequent words, or the first N of vectors without "
        "counts (0 = all; default 30000)",
    )
    add_association_options(parser)
    add_interval_options(parser)
    parser.add_argument(
        "--table", metavar="FILE", help="also write a leaderboard: .csv, .tex (booktabs) or .md"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _check_options(args: argparse.Namespace, asked: AskedTests | None) -> None:
    """Raise UserError if options contradict each other, or an output can’t be written."""
    if args.analogies is None and not args.similarity and asked is None:
        raise UserError(
            "Nothing to evaluate.", "Add --analogies, --similarity or --associations with a file."
        )
    if args.restrict < 0:
        raise UserError(
            f"--restrict must be 0 or more, not {args.restrict}.", "Use 0 for all words."
        )
    if args.table:
        inputs = [*args.vectors, *args.similarity, args.analogies]
        _check_table(Path(args.table), list(filter(None, inputs)))
        if asked is not None and (args.analogies or args.similarity):
            raise UserError(
                "--table can’t contain scores and associations.",
                "Evaluate associations separately.",
            )
    if args.figure is not None:
        outputs = [args.figure, *([Path(args.table)] if args.table else [])]
        output.prove_outputs(outputs, [*args.vectors, *args.text])


def evaluate_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    drawn = asked_intervals(args)
    asked = asked_tests(args, drawn is not None)
    _check_options(args, asked)
    question_sets = [args.analogies] if args.analogies else []
    # Read questions first, to report errors in them before the vectors are loaded.
    analogy_questions = None
    if args.analogies:
        analogy_questions = questions.load_questions(known_set(args.analogies))
    pairs = {path: _load_pairs(path, args.score_column) for path in args.similarity}

    reader = TextReader(args.text)

    def work(run: JobControl) -> tuple[dict[str, Any], list[LeaderboardEntry]]:
        results, entries = {}, []
        for at, path in enumerate(args.vectors):
            part = Portion(run, at / len(args.vectors), 1 / len(args.vectors))
            embeddings = read_vectors(path, run)
            results[path] = _score(
                embeddings, analogy_questions, pairs, args.method, args.restrict, part
            )
            if asked is not None:
                results[path]["associations"] = score_associations(embeddings, asked, reader, run)
            corpus = None if drawn is None else reader.corpus_of(embeddings, run)
            if drawn is not None and corpus is not None:
                tests = () if asked is None else asked.tests
                results[path]["intervals"] = score_intervals(
                    *(embeddings, corpus, drawn, analogy_questions, pairs, tests),
                    *(args.method, args.restrict, part),
                )
            entries.append(_entry(path, embeddings, results[path]))
        return results, entries

    results, entries = output.run_with_progress(work)
    if args.figure is not None:
        draw_associations(args.figure, _associations(results))
    if args.table and asked is not None:
        header, rows = associations_table(_associations(results))
        output.write_text(Path(args.table), _TABLES[Path(args.table).suffix.lower()](header, rows))
    elif args.table:
        _write_table(Path(args.table), entries, [*question_sets, *pairs])
    single = len(args.vectors) == 1
    first = results[args.vectors[0]]
    if args.json and single:
        output.print_json(first)
    elif args.json:
        output.print_json({"vectors": results})
    else:
        _print_results(results, asked, scored=bool(question_sets or pairs))
    return 0


def _print_results(results: Mapping[str, Any], asked: AskedTests | None, scored: bool) -> None:
    parts = []
    if scored and len(results) == 1:
        parts.append(_result_text(next(iter(results.values()))))
    elif scored:
        parts.append(_told_together(results))
    if asked is not None:
        parts.append(associations_text(_associations(results)))
    drawn = {path: one["intervals"] for path, one in results.items() if "intervals" in one}
    if drawn:
        parts.append(intervals_text(drawn))
    print("\n\n".join(parts))


def _associations(results: Mapping[str, Any]) -> dict[str, Any]:
    return {path: result["associations"] for path, result in results.items()}


def _load_pairs(path: str, column: str) -> similarity.WordPairs:
    """The pairs of a file, or of a bundled or downloaded set by its key if no such file exists."""
    if path in similarity.BUNDLED and not Path(path).exists():
        return similarity.load_pairs(similarity.bundled_path(path))
    try:
        return similarity.load_pairs(known_set(path), column)
    except UnclearColumn as error:
        if column:
            raise
        raise UserError(
            error.message, "Add --score-column with the title or the number of one of them."
        ) from error


def _score(
    embeddings: Embeddings,
    analogy_questions: questions.Questions | None,
    pairs: Mapping[str, similarity.WordPairs],
    method: str,
    restrict: int,
    run: JobControl,
) -> dict[str, Any]:
    result: dict[str, Any] = {"analogies": None, "similarity": {}}
    if analogy_questions is not None:
        report = solver.evaluate(embeddings, analogy_questions, method, restrict, run)
        result["analogies"] = {
            **_analogies(report, len(embeddings)),
            "left_out": [list(place) for place in analogy_questions.left_out],
        }
    for path, one in pairs.items():
        found = _similarity(similarity.evaluate(embeddings, one, run))
        if found["missing"] and subwords_of(embeddings) is not None:
            found["with_ngrams"] = _similarity(
                similarity.evaluate(embeddings, one, run, composing=True)
            )
        result["similarity"][path] = {
            **found,
            "column": one.column,
            "columns": one.columns,
            "negated": one.negated,
            "unscored": one.unscored,
        }
    return result


def _similarity(score: similarity.SimilarityReport) -> dict[str, Any]:
    """JSON of a report. ``with_ngrams``, in a model with n-grams: the same with vectors for words
    that aren't in the vocabulary.
    """
    return {
        "rho": score.rho,
        "low": score.low,
        "high": score.high,
        "pairs": score.pairs,
        "missing": score.missing,
        "without_vector": score.without_vector,
        "covered": score.coverage,
        "ranked": score_of_pairs(score).is_ranked,
    }


def _analogies(report: solver.AnalogyReport, words: int) -> dict[str, Any]:
    """JSON of a report. ``restrict``: number of candidate words, out of ``words``; low, high: ends
    of the 95% interval of a share.
    """
    return {
        "method": report.method,
        "restrict": report.restrict,
        "words": words,
        "all": report.all,
        **share_interval(report.correct, report.asked)._asdict(),
        "semantic": report.semantic,
        "syntactic": report.syntactic,
        "asked": report.asked,
        "order": report.order,
        "without_vector": report.without_vector,
        "covered": report.covered,
        "ranked": score_of_answers(report).is_ranked,
        "sections": {
            name: {
                "correct": section.correct,
                "asked": section.asked,
                "total": section.total,
                "accuracy": section.accuracy,
                **share_interval(section.correct, section.asked)._asdict(),
            }
            for name, section in report.sections.items()
        },
    }


# -- as a leaderboard


def _check_table(path: Path, inputs: Sequence[str]) -> None:
    if path.suffix.lower() not in _TABLES:
        raise UserError(
            f"Can’t write a table to “{path.name}”.",
            f"Use one of these suffixes: {', '.join(_TABLES)}.",
        )
    output.prove_outputs([path], inputs)


def _entry(path: str, embeddings: Embeddings, result: Mapping[str, Any]) -> LeaderboardEntry:
    known = embeddings.metadata
    corpus, parameters = known.get("corpus"), known.get("parameters")
    if not isinstance(corpus, Mapping):
        corpus = {}
    if not isinstance(parameters, Mapping):
        parameters = {}
    scores = {}
    analogies = result["analogies"]
    if analogies is not None:
        scores["analogies"] = Score(
            analogies["all"],
            analogies["low"],
            analogies["high"],
            analogies["covered"],
            analogies["asked"],
        )
    for name, one in result["similarity"].items():
        total = one["pairs"] + one["missing"]
        scores[name] = Score(
            one["rho"], one["low"], one["high"], one["pairs"] / total, one["pairs"]
        )
    return LeaderboardEntry(
        path,
        Path(path).name,
        str(known.get("algorithm", "")),
        str(corpus.get("name", "")),
        dict(parameters),
        scores,
    )


def _write_table(path: Path, entries: Sequence[LeaderboardEntry], sets: Sequence[str]) -> None:
    keys = [name if name in entries[0].scores else "analogies" for name in sets]
    titles = {key: Path(name).stem for key, name in zip(keys, sets, strict=True)}
    suffix = path.suffix.lower()
    header, rows = table(entries, titles, intervals=suffix == ".csv")
    output.write_text(path, _TABLES[suffix](header, rows))


# -- readable output


def _result_text(result: Mapping[str, Any]) -> str:
    """Text for one model: every section, every set."""
    parts = []
    scores = result["analogies"]
    if scores is not None:
        rows = [["analogies", "correct", "95% interval", "asked", "of", "coverage"]]
        rows += [
            [
                name,
                _share(one["accuracy"]),
                _interval_text(one),
                f"{one['asked']:,}",
                f"{one['total']:,}",
                _share(one["asked"] / one["total"] if one["total"] else math.nan),
            ]
            for name, one in scores["sections"].items()
        ]
        total = sum(one["total"] for one in scores["sections"].values())
        rows += [[name, _share(scores[name]), "", "", "", ""] for name in ("semantic", "syntactic")]
        rows.append(
            [
                "all",
                _share(scores["all"]),
                _interval_text(scores),
                f"{scores['asked']:,}",
                f"{total:,}",
                _share(scores["covered"]),
            ]
        )
        parts.append(f"{output.format_table(rows, right=(1, 3, 4, 5))}\n{_question_note(scores)}")
        parts += _line_note(scores["left_out"])
        parts += _vector_note("question", scores)
        parts += _coverage_note([scores])
    if result["similarity"]:
        rows = [["similarity", "ρ", "95% interval", "pairs", "missing", "coverage"]]
        rows += [
            [
                name,
                _number(one["rho"]),
                _rho_interval(one),
                f"{one['pairs']:,}",
                f"{one['missing']:,}",
                _share(one["covered"]),
            ]
            for path, score in result["similarity"].items()
            for name, one in _with_ngrams(Path(path).name, score)
        ]
        parts.append(output.format_table(rows, right=(1, 3, 4, 5)))
        parts += _column_notes(result)
        for one in result["similarity"].values():
            parts += _vector_note("pair", one)
        parts += _coverage_note(list(result["similarity"].values()))
    return "\n\n".join(parts)


def _with_ngrams(name: str, score: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The score of a set, and the one with unseen words composed of n-grams, if it differs."""
    scores: list[tuple[str, Mapping[str, Any]]] = [(name, score)]
    if "with_ngrams" in score:
        scores.append((f"{name}, unseen words from n-grams", score["with_ngrams"]))
    return scores


def _rho_interval(one: Mapping[str, float]) -> str:
    if math.isfinite(one["low"]):
        return f"{_number(one['low'])} to {_number(one['high'])}"
    return "–"


def _told_together(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Text for several models: one line per model, one column per set, coverage in brackets."""
    first = next(iter(results.values()))
    head = ["vectors"]
    if first["analogies"] is not None:
        head.append("analogies")
    rows = [[*head, *map(_file_stem, first["similarity"])]]
    for path, result in results.items():
        row = [Path(path).name]
        analogies = result["analogies"]
        if analogies is not None:
            row.append(f"{_share(analogies['all'])} ({_share(analogies['covered'])} covered)")
        for one in result["similarity"].values():
            row.append(
                f"{_number(one['rho'])} ({one['pairs']:,} of {one['pairs'] + one['missing']:,})"
            )
        rows.append(row)
    table = output.format_table(rows, right=range(1, len(rows[0])))
    among = list(
        dict.fromkeys(
            _question_note(result["analogies"])
            for result in results.values()
            if result["analogies"]
        )
    )
    if first["analogies"] is not None:
        among += _line_note(first["analogies"]["left_out"])
    scores = [score for result in results.values() for score in _all_scores(result)]
    return "\n".join([table, *among, *_column_notes(first), *_coverage_note(scores)])


def _all_scores(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    scores = list(result["similarity"].values())
    if result["analogies"] is not None:
        scores.append(result["analogies"])
    return scores


def _coverage_note(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence about scores on too little of their set, if there are any."""
    unranked = sum(not score["ranked"] for score in scores)
    if not unranked:
        return []
    return [
        f"Scores too uncertain to rank: {unranked}, based on less than {LEAST_SHARE:.0%} of the "
        f"set "
        f"or fewer than {LEAST_ASKED} items."
    ]


def _column_notes(result: Mapping[str, Any]) -> list[str]:
    """The column of the scores of each file that has other columns as well, or distances, and pairs
    without a score.
    """
    negated = ", negated, because words with a larger distance are less similar"
    unscored = [
        f"Pairs of {Path(path).name} left out because their score is missing: {one['unscored']:,}."
        for path, one in result["similarity"].items()
        if one["unscored"]
    ]
    columns = [
        f"Scores of {Path(path).name}: column “{one['column']}” of {one['columns']}"
        f"{negated if one['negated'] else ''}."
        for path, one in result["similarity"].items()
        if one["columns"] > 3 or one["negated"]
    ]
    return [*columns, *unscored]


def _line_note(places: Sequence[Sequence[Any]]) -> list[str]:
    """A sentence about lines that aren't questions, if there are any."""
    if not places:
        return []
    name, number = places[0]
    lines = output.number(len(places), "line")
    return [f"Left out because they aren’t questions: {lines}, first in {name}, line {number:,}."]


def _vector_note(item: str, scores: Mapping[str, Any]) -> list[str]:
    """A sentence about items that were left out because a word's vector is zero, if there are
    any.
    """
    if not scores["without_vector"]:
        return []
    left_out = output.number(scores["without_vector"], item)
    return [f"Left out because the vector of a word is zero: {left_out}."]


def _question_note(scores: Mapping[str, Any]) -> str:
    """Note on the method of the questions, and the number of candidate words."""
    title = {"3cosadd": "3CosAdd", "3cosmul": "3CosMul"}[scores["method"]]
    if scores["restrict"] == scores["words"]:
        note = f"Analogies by {title} among all {scores['words']:,} words."
        if scores["order"] == ALPHABETICAL:
            note += " The rows are in alphabetical order, so --restrict doesn’t apply."
        return note
    note = (
        f"Analogies by {title} among the first {scores['restrict']:,} of {scores['words']:,} words "
        "(--restrict 0 for all)."
    )
    if scores["order"] != BY_FREQUENCY:
        note += " The vectors have no counts, so these may not be the most frequent words."
    return note


def _file_stem(path: str) -> str:
    return Path(path).stem


def _number(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.4f}".replace("-", "−")
    return "–"


def _interval_text(one: Mapping[str, float]) -> str:
    if math.isfinite(one["low"]):
        return f"{_share(one['low'])} to {_share(one['high'])}"
    return "–"


def _share(value: float) -> str:
    if math.isfinite(value):
        return f"{100 * value:.1f}%"
    return "–"
