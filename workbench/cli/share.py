"""``workbench share`` and ``text``: exports to repeat a run, or to train on the same text
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, read_params
from workbench.cli.vectors import report_file_warnings
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.paths import path_exists
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile
from workbench.corpus.ingest.read_warnings import passed_over
from workbench.corpus.loader import LEFT_OUT
from workbench.corpus.readers import READERS
from workbench.corpus.text_export import write_text
from workbench.session.corpus.reading import read_corpus
from workbench.session.export import SHARES, ExportSource, share
from workbench.session.export.export_sources import of_file, of_run


def share_command(parser: Parser, arguments: Sequence[str]) -> int:
    keys = [kind.key for kind in SHARES]
    parser.add_argument(
        "vectors", metavar="RUN|VECTORS", help="name or id of a run, or a file of vectors"
    )
    parser.add_argument(
        "--to", type=Path, required=True, metavar="FOLDER", help="folder for the exported files"
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="KINDS",
        help=f"what to export, separated by commas: {', '.join(keys)} (default: all)",
    )
    parser.add_argument(
        "--words",
        default="",
        metavar="WORDS",
        help="words with neighbours in the report, separated by commas",
    )
    args = parser.parse_all(arguments)
    wanted = [key.strip() for key in args.only.split(",") if key.strip()]
    for key in wanted:
        SHARES[key]
    words = tuple(word.strip() for word in args.words.split(",") if word.strip())
    if args.to.exists() and not args.to.is_dir():
        raise UserError(f"{args.to} is a file.", "Choose a folder.")

    def work(run: JobControl) -> tuple[ExportSource, list[Path]]:
        run.enter(Phase.READING)
        subject = _find_source(args.vectors, words, run)
        run.enter(Phase.SAVING)
        return subject, share(subject, args.to, wanted, run)

    subject, written = output.run_with_progress(work)
    output.print_line(f"{args.to}: {', '.join(path.name for path in written)}.")
    if not wanted:
        for kind in SHARES:
            reason = kind.why_not(subject)
            if reason is not None:
                output.print_line(f"Skipped {kind.title}: {reason}")
    return 0


def _find_source(name: str, words: tuple[str, ...], run: JobControl) -> ExportSource:
    """A file if it exists, else the run with that name or identifier. Raises UserError."""
    path = Path(name)
    if path_exists(path):
        subject = of_file(path, words)
        report_file_warnings(path, subject.embeddings, run)
        return subject
    store = output.open_store("Runs", needed=False)
    records, _ = store.load()
    found = [record for record in records if name in (record.identifier, record.name)]
    if not found:
        raise UserError(
            f"No file or run is named “{name}”.",
            "Give a file of vectors, or the name of a run from “workbench runs”.",
        )
    if len(found) > 1:
        known = ", ".join(record.identifier for record in found)
        raise UserError(
            f"{len(found)} runs are named “{name}”.", f"Choose one of these ids: {known}."
        )
    return of_run(found[0], store, words=words)


def text_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="corpus.txt", help="file to write"
    )
    parser.add_argument(
        "--files",
        action="store_true",
        help="also list all files: those that were read, passed over and left out, with notes",
    )
    add_params(parser, CorpusOptions, "corpus")
    args = parser.parse_all(arguments)
    (options,) = read_params(args, CorpusOptions)
    output.prove_outputs([args.output], args.corpus)
    unwrap = args.sentences is None

    def work(run: JobControl) -> Corpus:
        run.enter(Phase.READING)
        corpus = read_corpus(args.corpus, options, run, unwrap=unwrap)
        run.enter(Phase.SAVING)
        write_text(corpus, args.output, run)
        return corpus

    corpus = output.run_with_progress(work)
    output.print_line(f"{args.output}: {output.number(corpus.tokens, 'token')}.")
    if args.files:
        print(_files_text(corpus))
    return 0


def _files_text(corpus: Corpus) -> str:
    """All files of a corpus by path: those that were read, passed over and left out."""
    left_out = map(SourceFile.from_json, corpus.metadata.get(LEFT_OUT, ()))
    rows = [
        *((file.path, READERS[file.kind].title, f"{file.tokens:,}", file) for file in corpus.files),
        *((file.path, "passed over", "", file) for file in passed_over(corpus)),
        *((file.path, "left out", "", file) for file in left_out),
    ]
    head = ("file", "kind", "tokens", "encoding", "note")
    lines = [
        (path, kind, tokens, file.encoding, file.note)
        for path, kind, tokens, file in sorted(rows, key=lambda row: row[0])
    ]
    return output.format_table([head, *lines], right=[2])
