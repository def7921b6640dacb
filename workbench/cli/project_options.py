"""Options of ``workbench project``: those of every projection."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.projection.methods import PROJECTIONS, Need, Projection
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_attributes import load_column
from workbench.analysis.projection.word_axes import WordAxis
from workbench.analysis.projection.word_groups import (
    WordGroups,
    groups_of_column,
    groups_of_questions,
)
from workbench.cli.parsing import Parser, add_params
from workbench.core.errors import UserError

_DEFAULT = "umap"


def add_projection_options(parser: Parser, arguments: Sequence[str]) -> type[UmapParams]:
    """Add ``--method`` and what projections need, and the settings of the one that ``arguments``
    choose; returns the type of these settings.
    """
    method = _method_of(arguments)
    parser.add_argument(
        "--method",
        choices=PROJECTIONS.keys(),
        default=_DEFAULT,
        help=f"projection (default {_DEFAULT}); its own options follow its name: "
        + "; ".join(f"{kind.key}: {kind.title}" for kind in PROJECTIONS).replace("%", "%%"),
    )
    solid = ", ".join(kind.key for kind in PROJECTIONS if 3 in kind.dims)
    parser.add_argument(
        "--dims",
        type=int,
        choices=(2, 3),
        default=2,
        help=f"number of dimensions for {solid} (default 2)",
    )
    for option, text in (("--across", "from left to right"), ("--up", "from bottom to top")):
        parser.add_argument(
            option,
            nargs="+",
            metavar=("LOW HIGH", "LOW HIGH"),
            help=f"axes: one or more pairs of words, {text}; one axis is enough",
        )
    parser.add_argument(
        "--analogy",
        nargs=4,
        metavar=("A", "B", "C", "D"),
        help="plane: the words of an analogy, A − B + C = D",
    )
    parser.add_argument(
        "--other",
        metavar="V.vec",
        help="a second file of vectors, for projections that compare two models",
    )
    parser.add_argument(
        "--groups",
        type=Path,
        metavar="FILE",
        help="supervised: a table of words and categories (.tsv), or a question file",
    )
    parser.add_argument(
        "--section", default="", metavar="NAME", help="with --groups: a section of the questions"
    )
    _add_onto(parser)
    kind = _params_type(method)
    add_params(parser, kind, method)
    return kind


def _add_onto(parser: Parser) -> None:
    """Add the options that place words on an earlier map."""
    parser.add_argument(
        "--onto",
        type=Path,
        metavar="map.csv",
        help="add the words that this map lacks, by umap-learn; its words stay in place",
    )
    parser.add_argument(
        "--place",
        nargs="+",
        default=[],
        metavar="WORD",
        help="with --onto: only these words, also unseen ones that fastText builds from n-grams",
    )
    parser.add_argument(
        "--from",
        dest="source",
        metavar="W.vec",
        help="with --onto: take the words from these vectors, aligned by the words that both files "
        "contain",
    )


def _method_of(arguments: Sequence[str]) -> str:
    """The projection of a command, before its options are known."""
    first = Parser(add_help=False)
    first.add_argument("--method", default=_DEFAULT)
    known, _ = first.parse_known_args([word for word in arguments if word != "--help"])
    return str(known.method)


def _params_type(method: str) -> type[UmapParams]:
    if method in PROJECTIONS:
        return PROJECTIONS[method].params_type or UmapParams
    return UmapParams


# Options by what a projection needs. Word axes have two, which are checked together.
_OPTIONS = {
    Need.ANALOGY: ("--analogy", "A B C D"),
    Need.OTHER: ("--other", "V.vec"),
    Need.GROUPS: ("--groups", "FILE"),
}


def check_needs(args: argparse.Namespace, projection: type[Projection]) -> None:
    """Raise UserError for options that the projection lacks or doesn’t use."""
    for need, (option, value) in _OPTIONS.items():
        given = bool(getattr(args, option.lstrip("-")))
        if need in projection.needs and not given:
            raise UserError(f"--method {projection.key} needs {option}.", f"Add {option} {value}.")
        if given and need not in projection.needs:
            uses = ", ".join(kind.key for kind in PROJECTIONS if need in kind.needs)
            raise UserError(
                f"--method {projection.key} doesn’t use {option}.", f"Methods that do: {uses}."
            )
    if args.place and args.onto is None:
        raise UserError("--place needs --onto.", "Add --onto map.csv.")
    if args.source and args.onto is None:
        raise UserError("--from needs --onto.", "Add --onto map.csv.")
    if args.onto is not None and (args.method != _DEFAULT or args.quality or args.regions):
        raise UserError(
            "--onto works only with --method umap, without --quality and --regions.",
            "Leave these options out.",
        )
    if args.regions is not None and Need.OTHER in projection.needs:
        raise UserError("Regions need a map of one model.", "Leave out --regions or --other.")
    if args.section and not args.groups:
        raise UserError("--section needs --groups.", "Add --groups FILE.")


def read_groups(path: Path, section: str) -> WordGroups:
    """Groups from a table of words and categories, or from a question file."""
    if path.suffix.lower() == ".tsv" and not section:
        return groups_of_column(load_column(path))
    questions = load_questions(path)
    if section and section not in questions.sections:
        raise UserError(
            f"“{path.name}” has no section “{section}”.",
            f"Choose one of: {', '.join(questions.sections)}.",
        )
    return groups_of_questions(questions, section)


def read_axis(option: str, words: Sequence[str]) -> WordAxis:
    """The axis of words LOW HIGH LOW HIGH …. Raises UserError for an odd number."""
    if len(words) % 2:
        raise UserError(
            f"{option} needs pairs of words: “{words[-1]}” has no partner.",
            f"For example: {option} man woman king queen.",
        )
    return WordAxis.of_pairs(tuple(zip(words[::2], words[1::2], strict=True)))
