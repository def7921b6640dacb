"""``workbench runs``: lists and changes the runs in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.table_export import Cell, format_cell, to_csv
from workbench.session.runs import final_loss, loss_floor
from workbench.session.runs.facts import facts, names_of, parameters_of
from workbench.session.runs.filter import read_filter
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import NewerRuns, Store

_DOINGS = ("list", "star", "unstar", "note", "rename", "delete", "undelete")


def runs_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "doing", nargs="?", default="list", choices=_DOINGS, help="what to do (default list)"
    )
    parser.add_argument(
        "run", nargs="?", default="", help="name of the run, or the start of its id"
    )
    parser.add_argument("text", nargs="?", default="", help="note or new name")
    parser.add_argument(
        "--filter",
        default="",
        metavar="F",
        help="list: filter as in the window, for example: dim>50 star:yes",
    )
    parser.add_argument(
        "--sort",
        default="",
        metavar="COLUMN",
        help="list: sort by a column; -COLUMN for descending order",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="list: print JSON")
    form.add_argument("--csv", action="store_true", help="list: print CSV with all columns")
    args = parser.parse_all(arguments)
    if args.doing == "list":
        store = output.open_store("Runs", needed=False)
    else:
        store = output.open_store("Changes to runs", needed=True)
    if args.doing == "undelete":
        store.undelete(args.run)
        output.print_line(f"Restored {args.run}.")
        return 0
    records, problems = store.load()
    if args.doing == "list":
        _list(records, problems, args.filter, args.sort, args.json, args.csv)
    else:
        _change(store, _find_run(records, args.run), args.doing, args.text)
    return 0


def _find_run(records: Sequence[RunRecord], wanted: str) -> RunRecord:
    found = [record for record in records if wanted and record.name == wanted]
    found = found or [
        record for record in records if wanted and record.identifier.startswith(wanted)
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        problem = f"Unknown run “{wanted}”." if wanted else "No run given."
        raise UserError(problem, "“workbench runs” lists all runs.")
    raise UserError(
        f"“{wanted}” matches {len(found)} runs.",
        f"Choose one of: {', '.join(r.identifier for r in found)}.",
    )


def _change(store: Store, record: RunRecord, doing: str, text: str) -> None:
    if doing == "delete":
        store.delete(record.identifier)
        output.print_line(
            f"Moved “{record.name}” to the trash. To restore it: workbench runs undelete "
            f"{record.identifier}"
        )
        return
    text = " ".join(text.split())
    if doing == "rename" and not text:
        raise UserError(
            "The new name is missing.", f"For example: runs rename {record.identifier} NAME."
        )
    key, value = {"star": ("star", True), "unstar": ("star", False), "note": ("note", text)}.get(
        doing, ("name", text)
    )
    store.mark(record.identifier, {key: value})
    if value is True:
        text = "on"
    elif value is False:
        text = "off"
    output.print_line(f"“{record.name}”: {key} {text}.")


def _list(
    records: Sequence[RunRecord],
    problems: Sequence[UserError],
    wanted: str,
    sort: str,
    as_json: bool,
    as_csv: bool,
) -> None:
    differing, same = parameters_of(records)
    names = names_of([*differing, *same])
    rows = [(record, facts(record)) for record in records]
    columns = [*names, *_possible_columns(names)] if wanted else names
    passes = read_filter(wanted, columns)
    rows = [(record, row) for record, row in rows if passes(row)]
    if sort:
        rows = _sort_rows(rows, sort, names)
    elif not (as_json or as_csv):
        rows.sort(key=lambda pair: (not pair[0].corpus_name, pair[0].corpus_name))
    if as_json:
        runs = [_plain(record, row) for record, row in rows]
        newer = [str(problem) for problem in problems if isinstance(problem, NewerRuns)]
        damaged = [str(problem) for problem in problems if not isinstance(problem, NewerRuns)]
        output.print_json({"runs": runs, "damaged": damaged, "newer": newer})
    elif as_csv:
        head = ["id", *names]
        print(
            to_csv(
                head,
                [[record.identifier, *(row.get(name) for name in names)] for record, row in rows],
            ),
            end="",
        )
    else:
        _print(rows, [name for name in differing if name != "seed"], problems)


def _possible_columns(known: Sequence[str]) -> list[str]:
    """Hyperparameters that a run could have: filtering by one that no run here has isn’t an
    error.
    """
    from workbench.models.base import MODELS

    names = dict.fromkeys(spec.name for kind in MODELS for spec in kind.params_type.specs())
    return [name for name in names if name not in known]


def _sort_rows(
    rows: list[tuple[RunRecord, dict[str, Cell]]], sort: str, names: Sequence[str]
) -> list[tuple[RunRecord, dict[str, Cell]]]:
    """Sort rows, with unknown values last in both directions."""
    key, downwards = sort.removeprefix("-"), sort.startswith("-")
    if key not in names:
        raise UserError(f"Unknown column “{key}”.", f"Choose one of: {', '.join(names)}.")
    known = [pair for pair in rows if pair[1].get(key) is not None]
    texts = any(isinstance(row[key], str) for _, row in known)
    known.sort(key=lambda pair: _order(pair[1][key], texts), reverse=downwards)
    return known + [pair for pair in rows if pair[1].get(key) is None]


def _order(cell: Cell, texts: bool) -> Any:
    if texts:
        return str(cell).casefold()
    return cell


def _print(
    rows: Sequence[tuple[RunRecord, dict[str, Cell]]],
    parameters: Sequence[str],
    problems: Sequence[UserError],
) -> None:
    for problem in problems:
        output.print_line(str(problem))
    if not rows:
        if problems:
            print()
        else:
            print("No runs found.")
        return
    columns = [
        "star",
        "name",
        "algorithm",
        "corpus",
        *parameters,
        "epochs",
        "loss",
        "seconds",
        "created",
        "group",
        "note",
    ]
    used = [
        name
        for name in columns
        if name in ("star", "name") or any(row.get(name) for _, row in rows)
    ]
    lines = [[_cell(name, row.get(name)) for name in used] for _, row in rows]
    head = [{"star": "★"}.get(name, name) for name in used]
    right = [
        at
        for at, name in enumerate(used)
        if any(isinstance(row.get(name), (int, float)) for _, row in rows)
    ]
    print(output.format_table([head, *lines], right=[at for at in right if used[at] != "star"]))


def _cell(name: str, cell: Cell) -> str:
    if name == "star":
        if cell:
            return "★"
        return ""
    if cell is None:
        return ""
    return format_cell(cell)


def _plain(record: RunRecord, row: Mapping[str, Cell]) -> dict[str, Any]:
    own: dict[str, Any] = {name: row.get(name) for name in names_of([])}
    own[final_loss.KEY] = final_loss.to_json(record.closing_loss)
    own[loss_floor.KEY] = record.summary.get(loss_floor.KEY)
    return {"id": record.identifier, **own, "parameters": dict(record.parameters)}
