"""``workbench share`` and ``text``: exports to repeat a run, or to train on the same text
elsewhere.
"""

from __future__ import annotations

import argparse
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
from workbench.session.classes.page_lesson import lesson_sections
from workbench.session.corpus.reading import read_corpus
from workbench.session.export import SHARES, ExportSource, share, write_one
from workbench.session.export.export_sources import of_file, of_run
from workbench.session.export.handout import (
    MOST_WORDS,
    WORDS,
    Handout,
    HandoutOptions,
    make_handout,
    most_words,
)
from workbench.session.lessons import lesson_named


def _add_options(parser: Parser, keys: Sequence[str]) -> None:
    parser.add_argument(
        "vectors", metavar="RUN|VECTORS", help="name or id of a run, or a file of vectors"
    )
    parser.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FOLDER|FILE",
        help="folder for the exported files; with --as, one file",
    )
    parser.add_argument(
        "--as",
        dest="single",
        default="",
        metavar="KIND",
        help="write one kind of export into the file --to",
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
    parser.add_argument(
        "--most-words",
        type=int,
        default=None,
        metavar="N",
        help=f"number of most frequent words in a handout (default: {WORDS:,}, at most "
        f"{MOST_WORDS:,})",
    )
    parser.add_argument(
        "--lesson",
        default=None,
        metavar="LESSON",
        help="lesson inside a handout, by key or file: it is played first",
    )


def share_command(parser: Parser, arguments: Sequence[str]) -> int:
    keys = [kind.key for kind in SHARES]
    _add_options(parser, keys)
    args = parser.parse_all(arguments)
    if args.single:
        return _share_one_file(args)
    for option, given in (
        ("--most-words", args.most_words),
        ("--lesson", args.lesson),
    ):
        if given is not None:
            raise UserError(f"{option} needs --as handout.", "Add --as handout.")
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
            if reason is not None and not kind.alone:
                output.print_line(f"Skipped {kind.title}: {reason}")
    return 0


def _share_one_file(args: argparse.Namespace) -> int:
    """``--as``: one kind of export, whose only text goes into the file ``--to``."""
    kind = SHARES[args.single]
    if args.only:
        raise UserError("--as and --only exclude each other.", "Leave one of them out.")
    for option, given in (
        ("--most-words", args.most_words),
        ("--lesson", args.lesson),
    ):
        if given is not None and not kind.alone:
            raise UserError(
                f"{option} has no effect on {kind.key}.",
                f"Add --as handout, or leave {option} out.",
            )
    lesson = None if args.lesson is None else lesson_named(args.lesson)
    words = tuple(word.strip() for word in args.words.split(",") if word.strip())
    output.prove_outputs([args.to], [args.vectors] if path_exists(Path(args.vectors)) else [])

    def work(run: JobControl) -> tuple[str, list[str]]:
        run.enter(Phase.READING)
        subject = _find_source(args.vectors, words, run)
        reason = kind.why_not(subject)
        if reason is not None:
            raise UserError(reason, f"Choose another run, or another kind than {kind.key}.")
        if kind is Handout:
            most = min(WORDS, most_words(subject)) if args.most_words is None else args.most_words
            more = lesson_sections(lesson, run) if lesson is not None else []
            made = make_handout(subject, HandoutOptions(most, more=more), run)
            texts, notes = [made.html], made.notes
        else:
            texts, notes = list(kind.make(subject, run).values()), []
        if len(texts) != 1:
            raise UserError(
                f"{kind.title} consists of {len(texts)} files.",
                f"Use --only {kind.key} and a folder.",
            )
        run.enter(Phase.SAVING)
        write_one(args.to, texts[0])
        return texts[0], notes

    text, notes = output.run_with_progress(work)
    output.print_line(f"{args.to}: {len(text.encode(errors='replace')) / 1e6:.1f} MB.")
    for note in notes:
        output.print_line(note)
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
