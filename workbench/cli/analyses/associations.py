"""``workbench evaluate --associations``: sets of words against sets of words, in vectors and in
the counts of their text.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.analysis.associations.controls import ControlEffects
from workbench.analysis.associations.report import AssociationReport, evaluate_test
from workbench.analysis.associations.weat import SEED, Effect
from workbench.analysis.associations.word_sets import (
    BUNDLED,
    AssociationTest,
    AssociationTests,
    bundled_path,
    load_tests,
    typed_test,
)
from workbench.cli import output
from workbench.cli.analyses.association_figure import associations_svg
from workbench.cli.parsing import Parser
from workbench.core.atomic import replacing
from workbench.core.errors import UserError, quoted_words
from workbench.core.job_control import JobControl
from workbench.core.table_export import Cell
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings

# Options that only apply to tests of associations, by the names of their values.
_OPTIONS = {"test": "--test", "text": "--text", "pairs": "--pairs", "figure": "--figure"}
_FIGURES = (".svg", ".png")


@dataclass(frozen=True)
class AskedTests:
    """The tests that a command asks for, the text to count in, and the seed."""

    tests: tuple[AssociationTest, ...]
    text: tuple[str, ...]
    seed: int


def add_association_options(parser: Parser) -> None:
    parser.add_argument(
        "--associations",
        metavar="FILE",
        help="sets of words in a TOML file, or bundled tests: " + ", ".join(BUNDLED),
    )
    parser.add_argument(
        "--test", nargs="+", default=[], metavar="NAME", help="only these tests of --associations"
    )
    for option, text in (
        ("--targets", "two sets of words to compare, such as engineer,pilot nurse,teacher"),
        ("--attributes", "with --targets: two sets they may be close to, such as he,him she,her"),
    ):
        parser.add_argument(option, nargs=2, metavar=("A,B,…", "C,D,…"), help=text)
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="with --attributes: words in the same place are pairs, such as he and she",
    )
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="CORPUS",
        help="corpus of the vectors: also test associations in its counts alone, and draw its "
        "documents for --resample",
    )
    parser.add_argument(
        "--figure",
        type=Path,
        metavar="FILE",
        help="with --text: draw the contrast of each word in the text and in the vectors "
        "(.svg, .png)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=SEED,
        metavar="N",
        help=f"seed of samples in tests of associations (default {SEED})",
    )


def asked_tests(args: argparse.Namespace, resampling: bool = False) -> AskedTests | None:
    """The tests of a command, None if it has none. resampling : whether the text also serves
    something else. Raises UserError.
    """
    if args.targets is None and args.attributes is None and args.associations is None:
        for name, option in _OPTIONS.items():
            if getattr(args, name) and not (resampling and name == "text"):
                raise UserError(
                    f"{option} needs a test of associations.", "Add --associations or --targets."
                )
        return None
    if (args.targets is None) != (args.attributes is None):
        raise UserError(
            "--targets and --attributes belong together.", "Give two sets of words for each."
        )
    if args.figure is not None and not args.text:
        raise UserError("--figure needs the counts of a text.", "Add --text with the corpus.")
    if args.figure is not None and args.figure.suffix.lower() not in _FIGURES:
        raise UserError(f"Can’t draw “{args.figure.name}”.", "End the name in .svg or .png.")
    if args.seed < 0:
        raise UserError(f"--seed must be 0 or more, not {args.seed}.", "Leave --seed out for 1.")
    tests: tuple[AssociationTest, ...] = ()
    if args.associations is not None:
        tests = _select_tests(_load(args.associations).tests, args.test)
    elif args.test:
        raise UserError("--test needs --associations.", "Name a file of tests.")
    if args.targets is not None:
        targets, attributes = (
            [[word for word in text.split(",") if word.strip()] for text in texts]
            for texts in (args.targets, args.attributes)
        )
        tests += typed_test(targets, attributes, args.pairs).tests
    elif args.pairs:
        raise UserError("--pairs needs --attributes.", "In a file, write pairs = true in the test.")
    return AskedTests(tests, tuple(args.text), args.seed)


def _load(path: str) -> AssociationTests:
    if path in BUNDLED and not Path(path).exists():
        return load_tests(bundled_path(path))
    return load_tests(path)


def _select_tests(
    tests: Sequence[AssociationTest], keys: Sequence[str]
) -> tuple[AssociationTest, ...]:
    known = {test.key: test for test in tests}
    unknown = [key for key in keys if key not in known]
    if unknown:
        raise UserError(
            f"Unknown tests: {quoted_words(unknown)}.", f"Choose from: {', '.join(known)}."
        )
    return tuple(known[key] for key in dict.fromkeys(keys)) if keys else tuple(tests)


class TextReader:
    """Reads the text of the tests, once for all vectors that were trained with the same options."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = list(paths)
        self._read: dict[object, Corpus] = {}

    def corpus_of(self, embeddings: Embeddings, run: JobControl) -> Corpus | None:
        """The text, tokenised as the vectors’ own; None if the command names none."""
        if not self._paths:
            return None
        options = embeddings.options
        if options not in self._read:
            self._read[options] = read_corpus(self._paths, options, run, unwrap=options is None)
        return self._read[options]


def score_associations(
    embeddings: Embeddings, asked: AskedTests, reader: TextReader, run: JobControl
) -> dict[str, Any]:
    """JSON of all tests, by key."""
    corpus = reader.corpus_of(embeddings, run)
    return {
        test.key: _document(evaluate_test(embeddings, test, corpus, run, asked.seed))
        for test in asked.tests
    }


def _document(report: AssociationReport) -> dict[str, Any]:
    test, known = report.test, report.known
    sets = zip("xyab", test.sets, (known.x, known.y, known.a, known.b), strict=True)
    document: dict[str, Any] = {
        "title": test.title or test.key,
        "source": test.source,
        "sets": {
            letter: {
                "name": each.name,
                "known": len(rows),
                "words": len(each.words),
                "missing": known.missing[each.name],
                "without_vector": known.without_vector[each.name],
            }
            for letter, each, rows in sets
        },
        "problem": report.problem,
        "text_problem": report.text_problem,
        "vectors": _effect(report.vectors, report.controls),
        "counts": _effect(report.counts, report.count_controls),
        "projection": None,
        "ripa": None,
        "line": None if report.line is None else asdict(report.line),
        "words": [asdict(word) for word in report.words],
        "random_words": [asdict(word) for word in report.random],
    }
    if report.projection is not None:
        document["projection"] = {
            "difference": report.projection.difference,
            "low": report.projection.interval.low,
            "high": report.projection.interval.high,
        }
    if len(known.pairs) and report.words:
        document["ripa"] = _ripa(report)
    return document


def _effect(effect: Effect | None, controls: ControlEffects) -> dict[str, Any] | None:
    if effect is None:
        return None
    return {**asdict(effect), "random_sets": asdict(controls)}


def _ripa(report: AssociationReport) -> dict[str, Any]:
    """Mean RIPA of both target sets, and the expected one."""
    means = {}
    for letter, each in zip("xy", report.test.sets[:2], strict=True):
        words = [word for word in report.words if word.in_set == each.name]
        means[letter] = _mean([word.ripa for word in words])
        means[f"expected_{letter}"] = _mean([word.expected_ripa for word in words])
    scale = None if report.scale is None else asdict(report.scale)
    return {"pairs": len(report.known.pairs), **means, "scale": scale}


def _mean(numbers: Sequence[float]) -> float:
    finite = [number for number in numbers if math.isfinite(number)]
    return math.fsum(finite) / len(finite) if finite else math.nan


def draw_associations(path: Path, results: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the figure. Raises UserError if no test has counts."""
    drawing = associations_svg(results)
    if not drawing:
        raise UserError(
            "Nothing to draw: no test has counts in this text.",
            "Choose the text that the vectors were trained on.",
        )
    with replacing(path) as part:
        if path.suffix.lower() == ".svg":
            part.write_text(drawing, encoding="utf-8")
        else:
            output.paint_svg(part, drawing)


# -- readable output


_COLUMNS = ["test", "effect", "p", "random sets", "projection", "in the text", "p", "known"]


def associations_text(results: Mapping[str, Mapping[str, Any]]) -> str:
    """A row for each test of each file of vectors, by path, and notes below."""
    several = len(results) > 1
    rows = [["vectors", *_COLUMNS] if several else list(_COLUMNS)]
    notes: dict[str, None] = {}
    for path, tests in results.items():
        for key, one in tests.items():
            rows.append([Path(path).name] * several + [key, *_cells(one)])
            where = f"{key} ({Path(path).name})" if several else key
            notes |= dict.fromkeys(_notes(where, one))
    right = [at + several for at in (1, 2, 5, 6, 7)]
    return "\n".join([output.format_table(rows, right), *notes])


def _cells(one: Mapping[str, Any]) -> list[str]:
    sizes = one["sets"].values()
    known = f"{sum(each['known'] for each in sizes):,}/{sum(each['words'] for each in sizes):,}"
    vectors, counts, projection = one["vectors"], one["counts"], one["projection"]
    if vectors is None:
        return ["–"] * 6 + [known]
    between = vectors["random_sets"]
    return [
        _number(vectors["size"]),
        _p(vectors),
        _range(between["low"], between["high"]),
        f"{_number(projection['difference'])} ({_range(projection['low'], projection['high'])})",
        "–" if counts is None else _number(counts["size"]),
        "–" if counts is None else _p(counts),
        known,
    ]


def _notes(where: str, one: Mapping[str, Any]) -> list[str]:
    notes = [f"{where}: {text}" for text in (one["problem"], one["text_problem"]) if text]
    for part, reason in (
        ("missing", "not in the vocabulary"),
        ("without_vector", "the vector is zero"),
    ):
        words = [word for each in one["sets"].values() for word in each[part]]
        if words:
            notes.append(f"{where}, left out ({reason}): {quoted_words(words, 12)}.")
    ripa = one["ripa"]
    if ripa is not None:
        pairs = output.number(ripa["pairs"], "pair")
        expected = ""
        if math.isfinite(ripa["expected_x"]) and math.isfinite(ripa["expected_y"]):
            expected = (
                f"; expected from the text {_number(ripa['expected_x'])} and "
                f"{_number(ripa['expected_y'])}"
            )
        notes.append(
            f"{where}, RIPA over {pairs}: {_number(ripa['x'])} and {_number(ripa['y'])}{expected}."
        )
    return notes


def associations_table(
    results: Mapping[str, Mapping[str, Any]],
) -> tuple[list[str], list[list[Cell]]]:
    """Header and rows of a table with a row for each test of each file of vectors."""
    header = [
        *("vectors", "test", "effect", "p", "random low", "random high"),
        *("projection", "projection low", "projection high", "effect in the text", "p in the text"),
    ]
    rows: list[list[Cell]] = []
    for path, tests in results.items():
        for key, one in tests.items():
            vectors, counts, projection = one["vectors"], one["counts"], one["projection"]
            between = (vectors or {}).get("random_sets", {})
            row: list[Cell] = [Path(path).name, key]
            for part, names in (
                (vectors, ("size", "p")),
                (between, ("low", "high")),
                (projection, ("difference", "low", "high")),
                (counts, ("size", "p")),
            ):
                row += [(part or {}).get(name) for name in names]
            rows.append(row)
    return header, rows


def _number(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.3f}".replace("-", "−")
    return "–"


def _range(low: float, high: float) -> str:
    if math.isfinite(low) and math.isfinite(high):
        return f"{_number(low)} to {_number(high)}"
    return "–"


def _p(effect: Mapping[str, Any]) -> str:
    """A p-value; a sampled one is marked as approximate."""
    if not math.isfinite(effect["p"]):
        return "–"
    text = f"{effect['p']:.4f}" if effect["p"] >= 0.0001 else "<0.0001"
    return text if effect["exact"] else f"≈{text}"
