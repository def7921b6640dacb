"""``workbench neighbours`` and ``analogy``: queries of a vector file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.rare_words import Occurrences, occurrences
from workbench.analysis.analogy.solved import solved_analogies
from workbench.analysis.neighbours import nearest, query_resolution
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.texts.neighbour_table import add_resampling, is_resampled, print_intervals
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.language import MINUS
from workbench.vectors.embeddings import Embeddings


def neighbours_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec", help="file of vectors")
    parser.add_argument("word", metavar="WORD", help="word to look up")
    _add_shared_options(parser, n=True)
    add_resampling(parser)
    args = parser.parse_all(arguments)
    embeddings = read_vectors(args.vectors)
    if is_resampled(args):
        return print_intervals(args, embeddings, args.word, _count(args.n))
    query = query_resolution.find(embeddings, args.word)
    found = nearest.nearest(embeddings, query.word, _count(args.n))
    if args.json:
        document: dict[str, Any] = {
            "word": query.word,
            "neighbours": [[one.word, one.cosine] for one in found],
        }
        if query.unseen and found:
            parts = query_resolution.ngram_parts(query, embeddings, found[0].row)
            document |= {"unseen": True, "ngrams": [[part.text, part.cosine] for part in parts]}
            assert query.composed is not None
            document["known_ngrams"] = query.composed.known
        output.print_json(document)
    else:
        _tell_unseen([query])
        _print_ranking([(one.word, one.cosine) for one in found], embeddings, (query.word,))
    return 0


def analogy_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec", help="file of vectors")
    parser.add_argument("a", metavar="A", help="word to start from, such as king")
    parser.add_argument("b", metavar="B", help="word to subtract, such as man")
    parser.add_argument("c", metavar="C", help="word to add, such as woman")
    _add_shared_options(parser, n=True)
    _method(parser)
    parser.add_argument(
        "--with-query-words", action="store_true", help="also allow A, B and C as answers"
    )
    args = parser.parse_all(arguments)
    embeddings = read_vectors(args.vectors)
    queries = [query_resolution.find(embeddings, word) for word in (args.a, args.b, args.c)]
    a, b, c = (query.word for query in queries)
    found = solver.solve(
        embeddings, a, b, c, args.method, _count(args.n), not args.with_query_words
    )
    counts = occurrences(embeddings, (a, b, c, *(one.word for one in found[:1])))
    if args.json:
        answers = [[one.word, one.score] for one in found]
        document: dict[str, Any] = {
            "a": a,
            "b": b,
            "c": c,
            "method": args.method,
            "answers": answers,
        }
        unseen = list(dict.fromkeys(query.word for query in queries if query.unseen))
        if unseen:
            document |= {"unseen": True, "unseen_words": unseen}
        if counts:
            document["occurrences"] = {one.word: one.count for one in counts}
            document["too_few"] = [one.word for one in counts if one.few]
        output.print_json(document)
    else:
        _tell_unseen(queries)
        _tell_rare(embeddings, counts)
        _print_ranking([(one.word, one.score) for one in found], embeddings, (a, b, c))
    return 0


def _add_shared_options(parser: Parser, n: bool = False) -> None:
    if n:
        parser.add_argument(
            "-n", type=int, default=10, metavar="N", help="number of words to list (default 10)"
        )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _tell_unseen(queries: Sequence[query_resolution.Query]) -> None:
    """Print which words are composed of n-grams, on stderr, so that stdout contains only the
    table.
    """
    unseen = {query.word: query.known_ngrams for query in queries if query.unseen}
    for word, known in unseen.items():
        output.print_line(
            f"“{word}” isn’t in the vocabulary, so its vector was computed from its n-grams "
            f"({known}).",
            problem=True,
        )


def _tell_rare(embeddings: Embeddings, counts: Sequence[Occurrences]) -> None:
    """Print, on stderr, which words are too rare, and analogies that these vectors solve."""
    rare = [one for one in counts if one.few]
    for one in rare:
        output.print_line(one.sentence, problem=True)
    if rare and (solved := solved_analogies(embeddings)):
        examples = (f"{one.a} {MINUS} {one.b} + {one.c} = {one.answer}" for one in solved)
        output.print_line(f"These vectors solve: {'; '.join(examples)}.", problem=True)


def _method(parser: Parser) -> None:
    parser.add_argument(
        "--method",
        choices=solver.METHODS,
        default="3cosadd",
        help="how to combine the three words (default 3cosadd)",
    )


def _count(n: int) -> int:
    if n < 1:
        raise UserError(f"-n must be 1 or more, not {n}.", "Leave -n out for 10.")
    return n


def _print_ranking(
    found: Sequence[tuple[str, float]], embeddings: Embeddings, query: Sequence[str]
) -> None:
    """Print the table, or, on stderr, why it is empty; words of the query can't be in it."""
    if found:
        rows = [[word, _number(score)] for word, score in found]
        print(output.format_table(rows, right=(1,)))
    elif set(embeddings.words) <= set(query):
        output.print_line("The vocabulary contains no other word.", problem=True)
    else:
        output.print_line("All other words have the zero vector.", problem=True)


def _number(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.4f}".replace("-", "−")
    return "–"
