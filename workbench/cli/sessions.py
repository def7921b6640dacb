"""``workbench session``: the runs of the store with their texts and choices as one file, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.session.corpus.opening import sought
from workbench.session.files.session_file import (
    Contents,
    corpora_of,
    look,
    of_session,
    open_session,
    save_session,
    with_suffix,
)
from workbench.session.settings import Settings


def session_(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("doing", choices=("save", "open", "show"), help="what to do")
    parser.add_argument("file", type=Path, help="the session file (.workbench)")
    parser.add_argument(
        "--run", action="append", default=[], metavar="NAME", help="save this run (repeat; default all)"
    )
    parser.add_argument("--json", action="store_true", help="show: one JSON document")
    args = parser.parse_all(arguments)
    if args.doing == "save":
        _save(with_suffix(args.file), args.run)
    elif args.doing == "open":
        _open(args.file)
    else:
        _show(args.file, args.json)
    return 0


def _save(path: Path, names: Sequence[str]) -> None:
    store, settings = output.open_store("Runs", needed=False), Settings()
    records, _ = store.load()
    unknown = [name for name in names if name not in {record.name for record in records}]
    if unknown:
        known = ", ".join(record.name for record in records) or "none"
        raise UserError(f"There is no run “{unknown[0]}”.", f"There are: {known}.")
    chosen = [record for record in records if not names or record.name in names]
    last = settings.get("corpus")
    source = last if isinstance(last, dict) else {}
    digest = str(source.get("digest", ""))
    contents = Contents(
        corpora=tuple(corpora_of(chosen, source, digest, str(source.get("name", "")))),
        open=digest,
        shown=chosen[-1].identifier if chosen else "",
        settings=of_session(settings.all()),
    )
    output.prove_outputs([path])
    output.working(lambda run: save_session(path, store, chosen, contents, run))
    output.tell(f"{path}: {output.number(len(chosen), 'run')}.")


def _open(path: Path) -> None:
    store, settings = output.open_store("What the file holds", needed=True), Settings()
    opened = output.working(lambda run: open_session(path, store, run))
    settings.put(opened.contents.settings)
    reference = next((c for c in opened.contents.corpora if c.get("digest") == opened.contents.open), None)
    if reference is not None:
        settings.set("corpus", dict(reference))
    kept = sum(record.stored for record in opened.records)
    brought, here = output.number(kept, "run"), len(opened.here)
    output.tell(f"{path}: {brought} {_were(kept)} brought into the store, {here:,} {_were(here)} there already.")
    for corpus in opened.contents.corpora:
        wanted = sought(dict(corpus))
        if wanted is not None and wanted.missing:
            output.tell(f"The text {wanted.name} is missing here: {wanted.missing[0]}.")
    lost = [*opened.unkept, *([settings.problem] if settings.problem is not None else [])]
    if lost:
        told = " ".join(dict.fromkeys(str(problem) for problem in (*lost, *opened.problems)))
        raise UserError(f"Not all that the file holds could be kept: {told}")
    if opened.problems:
        rest = "The other runs are in the store." if kept or opened.here else ""
        raise UserError(" ".join(dict.fromkeys(str(problem) for problem in opened.problems)), rest)


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _show(path: Path, as_json: bool) -> None:
    contents, runs = look(path)
    told = {
        "runs": list(runs),
        "shown": contents.shown or None,
        "corpora": [dict(corpus) for corpus in contents.corpora],
        "selection": list(contents.selection),
        "settings": dict(contents.settings),
    }
    if as_json:
        output.print_json(told)
        return
    names = ", ".join(str(corpus.get("name", "")) for corpus in contents.corpora) or "none"
    output.tell(f"{path}: {output.number(len(runs), 'run')}; texts: {names}.")
