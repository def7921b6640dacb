"""``workbench session``: saves the runs of the store with their texts and settings as one file, or
opens such a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.session.corpus.opening import OPEN_CORPUS, parse_remembered
from workbench.session.files.session_file import (
    Contents,
    corpora_of,
    open_session,
    read_contents,
    save_session,
    with_suffix,
)
from workbench.session.settings.session_settings import session_settings
from workbench.session.settings.settings_file import Settings


def session_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("doing", choices=("save", "open", "show"), help="what to do")
    parser.add_argument("file", type=Path, help="the session file (.workbench)")
    parser.add_argument(
        "--run",
        action="append",
        default=[],
        metavar="NAME",
        help="save only this run (repeat for more; default: all runs)",
    )
    parser.add_argument("--json", action="store_true", help="show: print JSON")
    args = parser.parse_all(arguments)
    if args.doing == "save":
        _save(with_suffix(args.file), args.run)
    elif args.doing == "open":
        _open(args.file)
    else:
        _print_contents(args.file, args.json)
    return 0


def _save(path: Path, names: Sequence[str]) -> None:
    store, settings = output.open_store("Runs", needed=False), Settings()
    records, _ = store.load()
    unknown = [name for name in names if name not in {record.name for record in records}]
    if unknown:
        known = ", ".join(record.name for record in records) or "none"
        raise UserError(f"Unknown run “{unknown[0]}”.", f"Choose from: {known}.")
    chosen = [record for record in records if not names or record.name in names]
    source = settings[OPEN_CORPUS]
    digest = str(source.get("digest", ""))
    contents = Contents(
        corpora=tuple(corpora_of(chosen, source, digest, str(source.get("name", "")))),
        open=digest,
        shown=chosen[-1].identifier if chosen else "",
        settings=session_settings(settings.all()),
    )
    output.prove_outputs([path])
    output.run_with_progress(lambda run: save_session(path, store, chosen, contents, run))
    output.print_line(f"{path}: {output.number(len(chosen), 'run')}.")


def _open(path: Path) -> None:
    store, settings = output.open_store("The contents of the file", needed=True), Settings()
    opened = output.run_with_progress(lambda run: open_session(path, store, run))
    settings.put(opened.contents.settings)
    reference = next(
        (c for c in opened.contents.corpora if c.get("digest") == opened.contents.open), None
    )
    if reference is not None:
        settings[OPEN_CORPUS] = reference
    kept = sum(record.stored for record in opened.records)
    here = len(opened.here)
    output.print_line(f"Opened {path}: {output.number(kept, 'run')} added, {here:,} already there.")
    for corpus in opened.contents.corpora:
        wanted = parse_remembered(dict(corpus))
        if wanted is not None and wanted.missing:
            output.print_line(
                f"Couldn’t find the corpus {wanted.name}: {wanted.missing[0]} is missing."
            )
    lost = [*opened.unkept]
    if settings.problem is not None:
        lost.append(settings.problem)
    if lost:
        reasons = " ".join(dict.fromkeys(str(problem) for problem in (*lost, *opened.problems)))
        raise UserError(f"Couldn’t save everything from the file: {reasons}")
    if opened.problems:
        rest = "The other runs are in the store." if kept else ""
        raise UserError(" ".join(dict.fromkeys(str(problem) for problem in opened.problems)), rest)


def _print_contents(path: Path, as_json: bool) -> None:
    contents, runs = read_contents(path)
    document = {
        "runs": list(runs),
        "shown": contents.shown or None,
        "corpora": [dict(corpus) for corpus in contents.corpora],
        "selection": list(contents.selection),
        "settings": dict(contents.settings),
    }
    if as_json:
        output.print_json(document)
        return
    names = ", ".join(str(corpus.get("name", "")) for corpus in contents.corpora) or "none"
    output.print_line(f"{path}: {output.number(len(runs), 'run')}; corpora: {names}.")
