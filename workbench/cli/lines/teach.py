"""``workbench teach``: a word's vector from a few lines of text, without training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.analysis.rows.still_model import TAUGHT, hold_still
from workbench.analysis.teach.added_word import with_word
from workbench.analysis.teach.teaching import Taught, Teacher
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.text.text_files import read_text
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.formats import save_vectors

_CONTEXTS = 10


def teach_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.vec", help="run (.npz) that learns the word")
    parser.add_argument(
        "--lines", type=Path, required=True, metavar="FILE", help="text, one sentence per line"
    )
    parser.add_argument("--word", required=True, metavar="WORD", help="word to learn")
    parser.add_argument(
        "--corpus",
        nargs="+",
        metavar="CORPUS",
        help="text of the training, for exact frequencies and for words that the run knows",
    )
    parser.add_argument(
        "--instead",
        action="store_true",
        help="learn a known word from these lines alone, without its lines in the corpus",
    )
    parser.add_argument(
        "--output", type=Path, metavar="OUT", help="vectors with the word, to write"
    )
    parser.add_argument(
        "-n", type=int, default=10, metavar="N", help="number of neighbours (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    args = parser.parse_all(arguments)
    if args.n < 1:
        raise UserError(f"-n must be 1 or more, not {args.n}.", "Leave -n out for 10.")
    key = ""
    if args.output is not None:
        key = output.format_for_output(args.output, "")
        output.prove_outputs(
            [args.output], [args.vectors, args.lines], output.folder_files(args.output, key)
        )
    lines = read_text(args.lines).split("\n")

    def work(run: JobControl) -> Taught:
        run.enter(Phase.READING)
        embeddings = read_vectors(args.vectors, run)
        corpus = None
        if args.corpus:
            corpus = read_corpus(args.corpus, embeddings.options, run)
        if corpus is None and not args.instead and embeddings.find(args.word) is not None:
            hint = "Add its lines in the text with --corpus, or leave them out with --instead."
            if TAUGHT in embeddings.metadata:
                # Its counts aren’t those of a corpus.
                hint = "Add --instead."
            raise UserError(f"The model knows “{args.word}”.", hint)
        still = hold_still(embeddings, corpus, run)
        taught = Teacher(still).teach(
            args.word, lines, args.n, args.instead, both_sides=bool(key), run=run
        )
        if key:
            save_vectors(with_word(still, taught), args.output, key, run=run)
        return taught

    taught = output.run_with_progress(work)
    if args.json:
        output.print_json(teach_document(taught))
    else:
        _print(taught, args.output)
    return 0


def teach_document(taught: Taught) -> dict[str, Any]:
    """The document that ``--json`` prints."""
    return {
        "word": taught.word,
        "known": taught.known,
        "lines": taught.lines,
        "occurrences": taught.occurrences,
        "neighbours": [
            [one.word, one.cosine, error]
            for one, error in zip(taught.neighbours, taught.errors.tolist(), strict=True)
        ],
        "contexts": [[one.word, one.count, one.pmi] for one in taught.contexts],
        "vector": taught.vector.tolist(),
        "notes": list(taught.notes),
    }


def _print(taught: Taught, path: Path | None) -> None:
    for note in taught.notes:
        output.print_line(note, problem=True)
    output.print_line(
        f"“{taught.word}” from {output.number(taught.lines, 'line')} "
        f"({output.number(taught.occurrences, 'occurrence')})"
    )
    rows = [["neighbour", "cosine", "±"]]
    for one, error in zip(taught.neighbours, taught.errors.tolist(), strict=True):
        rows.append([one.word, _signed(one.cosine, 4), _plain(error)])
    print(output.format_table(rows, right=(1, 2)))
    if taught.error_note:
        output.print_line(taught.error_note)
    if taught.contexts:
        rows = [["context", "count", "PMI"]]
        for context in taught.contexts[:_CONTEXTS]:
            rows.append([context.word, f"{context.count:.2f}", _signed(context.pmi, 2)])
        print()
        print(output.format_table(rows, right=(1, 2)))
    if path is not None:
        output.print_line(f"Saved {path}.")


def _signed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def _plain(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else "–"
