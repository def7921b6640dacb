"""``workbench grid``: trains every combination of values of hyperparameters, one after another,
into the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from workbench.cli import output
from workbench.cli.counts_option import add_counts, counts_asked
from workbench.cli.parsing import (
    Parser,
    add_params,
    given_params,
    parse_training,
    read_params,
    unknown_preset,
)
from workbench.core.errors import ParameterError, UserError
from workbench.core.folders import is_temporary
from workbench.core.job_control import JobControl, Phase
from workbench.core.params import Value
from workbench.core.paths import expand_user
from workbench.core.table_export import Cell as TableCell
from workbench.corpus.catalogue import sample_key
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import MODELS, Model, preset_params
from workbench.models.params import ModelParams
from workbench.session.corpus.counts_params import fixed_values
from workbench.session.corpus.opening import Opened
from workbench.session.corpus.reading import read_corpus
from workbench.session.files.file_names import file_stem
from workbench.session.kernel_compiler import compile_here
from workbench.session.runs import final_loss, loss_floor
from workbench.session.runs.facts import facts
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_record import RunRecord, new_identifier, now
from workbench.session.runs.store import Store
from workbench.session.training.grid import (
    Cell,
    GridPlan,
    grid_of,
    name_of,
    new_group,
    plan_of,
    value_text,
)
from workbench.session.training.job import train_and_keep
from workbench.session.training.request import TrainingRequest, TrainingSpec

# Maximum number of left-out combinations that are listed for one reason.
_NAMED = 3


@dataclass(frozen=True)
class _Wanted:
    corpus: list[str]
    options: CorpusOptions
    kind: type[Model]
    texts: dict[str, str]
    base: dict[str, Value]
    folder: Path | None
    suffix: str
    plan_only: bool
    json: bool
    counted: CountedCorpus | None = None
    unwrap: bool = False


@dataclass(frozen=True)
class _Row:
    """One combination and its outcome. ``problem``: why it has no run, or why its run is not in
    the store; ``lost``: it was trained, but is neither in the store nor in a file.
    """

    values: Mapping[str, Value]
    outcome: str
    record: RunRecord | None = None
    file: str = ""
    problem: str = ""
    lost: bool = False


def grid_command(parser: Parser, arguments: Sequence[str]) -> int:
    wanted = _parse(parser, arguments)
    run = JobControl()
    plan, corpus = output.run_with_progress(lambda run: _plan(wanted, run), run)
    if wanted.plan_only or not plan.runs:
        _tell_plan(plan, wanted.json)
        if plan.runs:
            return 0
        return 2
    store = output.open_store("The runs", needed=wanted.folder is None)
    group = new_group(wanted.kind, store.load()[0])
    rows = _train(wanted, store, plan, corpus, group)
    _print_plan(plan, rows, group, wanted.json, not is_temporary(store.folder))
    code = 2
    if any(row.record is not None for row in rows) and not any(row.lost for row in rows):
        code = 0
    problems = [row.problem for row in rows if row.problem and (code or row.record is not None)]
    if problems:
        output.print_line(" ".join(dict.fromkeys(problems)), problem=True)
    return code


def _parse(parser: Parser, arguments: Sequence[str]) -> _Wanted:
    parser.add_argument(
        "corpus", nargs="*", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    add_counts(parser)
    parser.add_argument("--algorithm", help=f"algorithm: {', '.join(MODELS.keys())} (default sgns)")
    parser.add_argument(
        "--preset", default="", metavar="NAME", help="start from the values of this preset"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="also save the vectors of every run in this folder",
    )
    parser.add_argument(
        "--suffix",
        default=".npz",
        metavar=".vec",
        help="suffix and format of these vectors (default .npz)",
    )
    parser.add_argument(
        "--plan", action="store_true", help="list the runs and their cost without training"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    # The algorithm determines the options, so parse it first.
    first = Parser(prog=parser.prog, add_help=False)
    first.add_argument("--algorithm")
    kind = MODELS[first.parse_known_args(list(arguments))[0].algorithm or "sgns"]
    add_params(parser, CorpusOptions, "corpus")
    _add_values(parser, kind)
    known = parse_training(parser, arguments, kind, "--output, --plan, --json")
    texts = {name: str(value) for name, value in given_params(known, kind.params_type).items()}
    counted = counts_asked(known, kind)
    suffix = known.suffix if known.suffix.startswith(".") else f".{known.suffix}"
    return _Wanted(
        known.corpus,
        read_params(known, CorpusOptions)[0],
        kind,
        texts,
        {**_base(kind, known.preset), **fixed_values(counted, kind)},
        known.output,
        suffix,
        known.plan,
        known.json,
        counted,
        known.sentences is None,
    )


def _base(kind: type[Model], preset: str) -> dict[str, Value]:
    if preset and preset not in [one.name for one in kind.presets]:
        raise unknown_preset(kind, preset)
    if preset:
        return preset_params(kind, preset).to_dict()
    return kind.params_type().to_dict()


def _add_values(parser: Parser, kind: type[Model]) -> None:
    """Add an option for every hyperparameter; each takes several values."""
    group = parser.add_argument_group(
        f"{kind.key}: one value, or several, for example 2,5,10 or 50..200 step 50 or 1..64 x2"
    )
    for spec in kind.params_type.specs():
        text = f"{spec.doc} (default {value_text(spec.default)})".replace("%", "%%")
        metavar = "on,off"
        if spec.type is not bool:
            metavar = ",".join(spec.choices) or f"{spec.symbol or spec.name.upper()},…"
        group.add_argument(
            spec.option, dest=spec.name, default=None, metavar=metavar.replace("%", "%%"), help=text
        )


def _plan(wanted: _Wanted, run: JobControl) -> tuple[GridPlan, Corpus]:
    try:
        grid = grid_of(wanted.kind, wanted.texts, wanted.base)
    except ParameterError as error:
        raise UserError(" ".join(error.errors.values())) from error
    run.enter(Phase.READING, "Reading the corpus.")
    corpus = wanted.counted or read_corpus(wanted.corpus, wanted.options, run, unwrap=wanted.unwrap)
    return plan_of(grid, corpus, run), corpus


def _train(wanted: _Wanted, store: Store, plan: GridPlan, corpus: Corpus, group: str) -> list[_Row]:
    """Train all combinations in turn; a failure is reported, and the next one starts. Ctrl-C ends
    the grid.
    """
    there, _ = store.load()
    key = sample_key(wanted.corpus)
    paths = tuple(str(expand_user(path).absolute()) for path in wanted.corpus)
    source = Opened(corpus, sample=key, corpus_paths=() if key else paths).to_json()
    compile_here(wanted.kind.key)
    rows: list[_Row] = []
    for cell in plan.runs:
        assert cell.params is not None
        record = _record(wanted.kind, cell.values, cell.params, corpus, group, there)
        spec = TrainingSpec(wanted.kind.key, cell.params, record.name, group=group)
        request, run = TrainingRequest(record, corpus, spec, source), JobControl()
        trained = None
        try:
            trained = output.run_with_progress(partial(train_and_keep, request, store), run)
            record = replace(
                record, state=trained.state, summary=trained.summary, error=trained.problem
            )
            record.saved_trace = run.trace
            file = _write(wanted, record, trained.embeddings, [row.file for row in rows])
        except (UserError, MemoryError) as error:
            reason = "not enough memory" if isinstance(error, MemoryError) else str(error)
            lost = trained is not None and trained.not_saved is not None
            rows.append(_Row(cell.values, f"failed: {reason}", problem=reason, lost=lost))
            continue
        unsaved = str(trained.not_saved or "")
        if unsaved and not file:
            rows.append(_Row(cell.values, f"failed: {unsaved}", problem=unsaved, lost=True))
            continue
        there.append(record)
        outcome = str(record.state)
        if unsaved:
            outcome += ", not saved as a run"
        rows.append(_Row(cell.values, outcome, record, file, unsaved))
    return rows


def _record(
    kind: type[Model],
    values: Mapping[str, Value],
    params: ModelParams,
    corpus: Corpus,
    group: str,
    there: Sequence[RunRecord],
) -> RunRecord:
    return RunRecord(
        identifier=new_identifier(),
        name=unused_name(name_of(kind, values), there),
        algorithm=kind.key,
        parameters=params.to_dict(),
        corpus_name=corpus.name,
        corpus_digest=corpus.digest,
        created=now(),
        colour=free_colour(there),
        group=group,
    )


def _write(wanted: _Wanted, record: RunRecord, embeddings: Any, written: Sequence[str]) -> str:
    """Save vectors if requested. Return their file, different from those already ``written``, or ""
    for none.
    """
    from workbench.vectors.formats import save_vectors

    if wanted.folder is None:
        return ""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    name = record.name.replace(", ", "_").replace(" ", "-")
    stem = file_stem(
        name, wanted.kind.key, [PurePath(file).name.removesuffix(wanted.suffix) for file in written]
    )
    path = wanted.folder / f"{stem}{wanted.suffix}"
    save_vectors(embeddings, path, output.format_for_output(path))
    return str(path)


# -- output


def _tell_plan(plan: GridPlan, as_json: bool) -> None:
    axes = list(plan.grid.axes)
    if as_json:
        runs = [
            {
                "parameters": dict(cell.values),
                "seconds": cell.seconds,
                "memory_bytes": cell.memory_bytes,
            }
            for cell in plan.runs
        ]
        output.print_json(
            {
                "runs": runs,
                "left_out": _left_out(plan),
                "seconds": plan.seconds,
                "memory_bytes": plan.memory_bytes,
            }
        )
        return
    if plan.runs:
        rows = [
            [
                *(value_text(cell.values[name]) for name in axes),
                _seconds(cell.seconds),
                _number(_megabytes(cell), ",.0f"),
            ]
            for cell in plan.runs
        ]
        head = [*axes, "seconds", "MB"]
        print(output.format_table([head, *rows], right=range(len(head))))
        most = f"{plan.memory_bytes / 1e6:,.0f} MB of memory at most"
        output.print_line(
            f"{output.number(len(plan.runs), 'run')}, about {_seconds(plan.seconds)} s in total, "
            f"{most}."
        )
    _tell_left_out(plan)


def _print_plan(
    plan: GridPlan, rows: Sequence[_Row], group: str, as_json: bool, kept: bool
) -> None:
    axes = list(plan.grid.axes)
    if as_json:
        output.print_json(
            {
                "group": group,
                "algorithm": plan.grid.kind.key,
                "runs": [_json_row(row) for row in rows],
                "left_out": _left_out(plan),
            }
        )
        return
    floors = [loss_floor.read(row.record.summary) for row in rows if row.record is not None]
    lowest = "bound" if any(floor is not None and floor.bound for floor in floors) else "floor"
    head = [*axes, "name", "loss", "±", "loss type", lowest, "gap"]
    head += ["seconds", "tokens/s", "words", "outcome"]
    lines = []
    for row in rows:
        known: Mapping[str, TableCell] = facts(row.record) if row.record is not None else {}
        lines.append(
            [
                *(value_text(row.values[name]) for name in axes),
                str(known.get("name") or ""),
                *_loss(row.record),
                *_floor(row.record),
                *(_number(known.get(name), form) for name, form in _NUMBERS),
                row.outcome,
            ]
        )
    right = [
        *range(len(axes)),
        *(at for at, name in enumerate(head) if at > len(axes) and name in _RIGHT),
    ]
    print(output.format_table([head, *lines], right=right))
    notes = (
        loss_floor.explain_negative_gap(
            loss_floor.read(row.record.summary), row.record.closing_loss
        )
        for row in rows
        if row.record is not None
    )
    for note in dict.fromkeys(filter(None, notes)):
        output.print_line(note, problem=True)
    if kept and any(row.record is not None and not row.problem for row in rows):
        output.print_line(f"Saved the runs as “{group}”.")
    _tell_left_out(plan)


_NUMBERS = (("seconds", ",.1f"), ("rate", ",.0f"), ("words", ",d"))
_RIGHT = ("loss", "±", "floor", "bound", "gap", "seconds", "tokens/s", "words")


def _loss(record: RunRecord | None) -> list[str]:
    """Cells with the loss of a run, its standard error, and its kind."""
    final = None if record is None else record.closing_loss
    if final is None:
        return ["–", "–", "–"]
    error = f"{final.error:.2g}" if final.error is not None else "–"
    return [f"{final.value:,.4f}", error, final_loss.title(final)]


def _floor(record: RunRecord | None) -> list[str]:
    """Cells with the floor of a run's loss, and the gap between the two."""
    floor, gap = None, None
    if record is not None:
        floor = loss_floor.read(record.summary)
    if floor is not None and record is not None:
        gap = floor.gap(record.closing_loss)
    if floor is None or floor.value is None or gap is None:
        return ["–", "–"]
    return [f"{floor.value:,.4f}", f"{gap:,.4f}"]


def _json_row(row: _Row) -> dict[str, Any]:
    known: Mapping[str, TableCell] = {}
    identifier, loss, floor = None, None, None
    if row.record is not None:
        known, identifier = facts(row.record), row.record.identifier
        loss = final_loss.to_json(row.record.closing_loss)
        floor = row.record.summary.get(loss_floor.KEY)
    row_fields = {
        name: known.get(name) for name in ("name", "loss", "seconds", "rate", "words", "epochs")
    }
    return {
        "id": identifier,
        "parameters": dict(row.values),
        "outcome": row.outcome,
        **row_fields,
        final_loss.KEY: loss,
        loss_floor.KEY: floor,
        "file": row.file or None,
    }


def _left_out(plan: GridPlan) -> list[dict[str, Any]]:
    return [{"parameters": dict(cell.values), "reason": cell.why_not} for cell in plan.left_out]


def _tell_left_out(plan: GridPlan) -> None:
    """Print each reason once, with the combinations that it excludes."""
    reasons: dict[str, list[str]] = {}
    for cell in plan.left_out:
        reasons.setdefault(cell.why_not, []).append(
            ", ".join(f"{name} {value_text(v)}" for name, v in cell.values.items())
        )
    for reason, combinations in reasons.items():
        named = "; ".join(filter(None, combinations[:_NAMED]))
        if len(combinations) > _NAMED and named:
            named += f" and {len(combinations) - _NAMED} more"
        if named:
            named = f" ({named})"
        output.print_line(f"Skipped{named}: {reason}")


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    return f"{seconds:,.1f}"


def _megabytes(cell: Cell) -> float | None:
    if cell.memory_bytes is None:
        return None
    return cell.memory_bytes / 1e6


def _number(cell: TableCell, form: str) -> str:
    if isinstance(cell, (int, float)):
        return format(cell, form)
    return "–"
