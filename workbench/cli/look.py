"""``workbench neighbours`` and ``analogy``: looking at a file of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workbench.analysis.analogy import solver
from workbench.analysis.neighbours import nearest, query_resolution
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError


def neighbours_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec")
    parser.add_argument("word", metavar="WORD")
    _shared(parser, n=True)
    args = parser.parse_all(arguments)
    embeddings = read_vectors(args.vectors)
    query = query_resolution.find(embeddings, args.word)
    found = nearest.nearest(embeddings, query.word, _count(args.n))
    if args.json:
        told: dict[str, Any] = {"word": query.word, "neighbours": [[one.word, one.cosine] for one in found]}
        if query.unseen:
            parts = query_resolution.ngram_parts(query, embeddings, found[0].row)
            told |= {"unseen": True, "ngrams": [[part.text, part.cosine] for part in parts]}
        output.print_json(told)
    else:
        _tell_unseen([query])
        print(_ranking([(one.word, one.cosine) for one in found]))
    return 0


def analogy_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec")
    for name in ("a", "b", "c"):
        parser.add_argument(name, metavar=name.upper())
    _shared(parser, n=True)
    _method(parser)
    parser.add_argument("--with-query-words", action="store_true", help="also offer A, B and C as answers")
    args = parser.parse_all(arguments)
    embeddings = read_vectors(args.vectors)
    asked = [query_resolution.find(embeddings, word) for word in (args.a, args.b, args.c)]
    a, b, c = (query.word for query in asked)
    found = solver.solve(embeddings, a, b, c, args.method, _count(args.n), not args.with_query_words)
    if args.json:
        answers = [[one.word, one.score] for one in found]
        told: dict[str, Any] = {"a": a, "b": b, "c": c, "method": args.method, "answers": answers}
        unseen = list(dict.fromkeys(query.word for query in asked if query.unseen))
        if unseen:
            told |= {"unseen": True, "unseen_words": unseen}
        output.print_json(told)
    else:
        _tell_unseen(asked)
        print(_ranking([(one.word, one.score) for one in found]))
    return 0


def _shared(parser: Parser, n: bool = False) -> None:
    if n:
        parser.add_argument("-n", type=int, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument("--json", action="store_true", help="one JSON document in place of a table")


def _tell_unseen(asked: Sequence[query_resolution.Query]) -> None:
    """Which words are made of n-grams, on stderr, so that the table stays one."""
    for word in dict.fromkeys(query.word for query in asked if query.unseen):
        output.tell(f"“{word}” is not in the vocabulary: made of its n-grams.", problem=True)


def _method(parser: Parser) -> None:
    parser.add_argument("--method", choices=solver.METHODS, default="3cosadd", help="default 3cosadd")


def _count(n: int) -> int:
    if n < 1:
        raise UserError(f"-n must be 1 or more, not {n}.", "Leave it out for 10.")
    return n


def _ranking(found: list[tuple[str, float]]) -> str:
    return output.table([[word, _number(score)] for word, score in found], right=(1,)) if found else ""


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-", "−") if math.isfinite(value) else "–"
