"""``workbench documents``: the documents of LSA, searched by words or written as vectors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from workbench.analysis.documents.document_space import (
    DocumentSpace,
    FoundDocument,
    document_space,
)
from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.cli.vectors import read_vectors
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.table_export import Cell, to_csv
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.formats import save_vectors

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def documents_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("vectors", metavar="V.npz", help="vectors that LSA trained")
    parser.add_argument(
        "--text", nargs="+", required=True, metavar="CORPUS", help="corpus of the vectors"
    )
    parser.add_argument(
        "--find", nargs="+", default=[], metavar="WORD", help="words to search for, together"
    )
    parser.add_argument(
        "-n", type=int, default=10, metavar="N", help="number of documents to list (default 10)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write the found documents as a table (.csv, .tsv), or the vectors of all documents "
        "in a format of vectors (.npz, .vec, …)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    args = parser.parse_all(arguments)
    _check(args)

    def work(run: JobControl) -> tuple[DocumentSpace, tuple[FoundDocument, ...]]:
        embeddings = read_vectors(args.vectors, run)
        run.enter(Phase.READING)
        corpus = read_corpus(args.text, embeddings.options, run)
        space = document_space(embeddings, corpus, run)
        found = space.search(args.find, args.n) if args.find else ()
        if args.output is not None and not _is_table(args.output):
            save_vectors(space.documents, args.output, output.format_for_output(args.output))
        return space, found

    space, found = output.run_with_progress(work)
    if args.output is not None and _is_table(args.output):
        header, rows = _table(found)
        output.write_text(
            args.output, to_csv(header, rows, _DELIMITERS[args.output.suffix.lower()])
        )
    if args.json:
        documents = [vars(one) | {"number": one.number + 1} for one in found]
        output.print_json({"documents": len(space), "found": documents})
    elif found:
        lines = [["document", "cosine", "text"]]
        lines += [[one.name, f"{one.cosine:.4f}".replace("-", "−"), one.text] for one in found]
        print(output.format_table(lines, right=(1,)))
    else:
        print(f"{args.output}: {output.number(len(space), 'document')}.")
    return 0


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in _DELIMITERS


def _check(args: argparse.Namespace) -> None:
    """Raise UserError for wrong values, before anything is read."""
    if args.n < 1:
        raise UserError(f"-n must be 1 or more, not {args.n}.", "Leave -n out.")
    if args.output is None:
        if not args.find:
            raise UserError("Nothing to do.", "Add --find WORD, or --output FILE.")
        return
    if _is_table(args.output):
        if not args.find:
            raise UserError(
                f"“{args.output.name}” is a table of found documents.",
                "Add --find WORD, or write vectors to an .npz file.",
            )
        output.prove_outputs([args.output], [args.vectors, *args.text])
        return
    key = output.format_for_output(args.output)
    made = output.folder_files(args.output, key)
    output.prove_outputs([args.output], [args.vectors, *args.text], made)


def _table(found: Sequence[FoundDocument]) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = [[one.number + 1, one.name, one.cosine, one.text] for one in found]
    return ["number", "document", "cosine", "text"], rows
