"""``workbench interrupted``: continuation of trainings whose process ended early."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import counts_behind
from workbench.session.corpus.opening import parse_remembered, reopen
from workbench.session.runs.journal_entries import InterruptedTraining
from workbench.session.runs.run_record import RunRecord, divergence
from workbench.session.runs.store import Store
from workbench.session.training.autosave import Guard
from workbench.session.training.continuation import parent_of
from workbench.session.training.recovery import bring_back
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings

_DOINGS = ("list", "continue", "keep", "discard")


def interrupted_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument(
        "doing", nargs="?", default="list", choices=_DOINGS, help="what to do (default list)"
    )
    parser.add_argument("id", nargs="?", default="", help="id of the training, as shown by list")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="V.vec",
        help="file for the vectors (default: the output of the training)",
    )
    parser.add_argument("--json", action="store_true", help="list: print JSON instead of a table")
    args = parser.parse_all(arguments)
    inside = args.doing == "discard" or (args.doing == "keep" and args.output is None)
    store = output.open_store("Interrupted trainings", needed=inside)
    entries, problems = store.journal.find_interrupted()
    entries = [entry for entry in entries if not store.holds(entry.identifier)]
    if args.doing == "list":
        _print_list(entries, problems, args.json)
        return 0
    entry = _find_entry(entries, args.id)
    if args.doing == "discard":
        store.journal.discard(entry)
        output.print_line(f"Moved {entry.name} to the trash.")
    elif args.doing == "keep":
        _keep_state(store, entry, args.output)
    else:
        _go_on(store, entry, args.output)
    return 0


def _print_list(
    entries: Sequence[InterruptedTraining], problems: Sequence[UserError], as_json: bool
) -> None:
    if as_json:
        output.print_json(
            {
                "interrupted": [_json_entry(entry) for entry in entries],
                "damaged": [str(p) for p in problems],
            }
        )
        return
    for problem in problems:
        output.print_line(str(problem))
    if not entries:
        print("No interrupted trainings.")
        return
    head = ("id", "name", "corpus", "done", "output")
    rows = [
        (
            entry.identifier,
            entry.name,
            entry.corpus_name,
            f"{100 * entry.progress:.0f}%",
            entry.output,
        )
        for entry in entries
    ]
    print(output.format_table([head, *rows], right=(3,)))
    print(
        "To continue one: workbench interrupted continue ID. To save its vectors so far: keep ID. "
        "To delete it: discard ID."
    )


def _json_entry(entry: InterruptedTraining) -> dict[str, object]:
    return {
        "id": entry.identifier,
        "name": entry.name,
        "algorithm": entry.algorithm,
        "parameters": dict(entry.parameters),
        "corpus": {"name": entry.corpus_name, "digest": entry.corpus_digest, **dict(entry.source)},
        "progress": entry.progress,
        "passes_left": entry.remaining_passes,
        "created": entry.created,
        "output": entry.output or None,
    }


def _find_entry(entries: Sequence[InterruptedTraining], wanted: str) -> InterruptedTraining:
    """The entry whose id begins with ``wanted``; without an id, the only entry. Raises
    UserError.
    """
    found = [entry for entry in entries if entry.identifier.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if not entries:
        raise UserError("No interrupted trainings.")
    known = ", ".join(entry.identifier for entry in entries)
    if not found:
        raise UserError(f"Unknown interrupted training “{wanted}”.", f"Choose one of: {known}.")
    raise UserError("More than one training matches.", f"Choose one of: {known}.")


def _keep_state(store: Store, entry: InterruptedTraining, path: Path | None) -> None:
    if path is None:
        record, _ = bring_back(store, entry, entry.name, entry.colour, JobControl())
        output.print_line(
            f"Saved {record.name} as a run with {100 * entry.progress:.0f}% of its training."
        )
        return
    _, format = _target_file(entry, path)
    _, embeddings = store.journal.take_interrupted(entry)
    _write(embeddings, path, format)
    store.journal.forget(entry.identifier)
    output.print_line(
        f"{path}: {output.words_and_dimensions(len(embeddings), embeddings.dim)}, "
        f"{100 * entry.progress:.0f}% of the training."
    )


def _go_on(store: Store, entry: InterruptedTraining, path: Path | None) -> None:
    path, format = _target_file(entry, path)
    run = JobControl()
    embeddings = output.run_with_progress(lambda run: _train(store, entry, path, format, run), run)
    problem = divergence(embeddings.metadata)
    if problem is not None:
        raise UserError(f"{problem.message} The vectors are in {path}.", problem.hint)
    output.print_line(
        f"{path}: {output.words_and_dimensions(len(embeddings), embeddings.dim)}, "
        "training finished."
    )


def _target_file(entry: InterruptedTraining, path: Path | None) -> tuple[Path, str]:
    """The output file, checked to be writable, and its format. Raises UserError."""
    place = path or (Path(entry.output) if entry.output else None)
    if place is None:
        raise UserError(
            "Missing --output.", f"Add --output V.vec for the vectors of “{entry.name}”."
        )
    format = output.format_for_output(place)
    output.prove_outputs([place], folders=output.folder_files(place, format))
    return place, format


def _train(
    store: Store, entry: InterruptedTraining, path: Path, format: str, run: JobControl
) -> Embeddings:
    run.enter(Phase.READING, "Reading the corpus…")
    corpus = _corpus(entry, run)
    kept, start = store.journal.take_interrupted(entry)
    parent = parent_of(kept.summary, kept.trace, name=entry.name)
    parent.check(corpus)
    params = parent.further(entry.remaining_passes)
    # The same identifier: if this training is also interrupted, there is one entry, with more
    # progress.
    record = RunRecord(
        entry.identifier,
        entry.name,
        entry.algorithm,
        params.to_dict(),
        corpus.name,
        corpus.digest,
        entry.created,
    )
    more = {"source": entry.source, "origin": parent.origin, "output": str(path.absolute())}
    with Guard(store.journal, record, corpus, params, run, more) as guard:
        guard.hold()
        MODELS[entry.algorithm].warm()
        run.check()
        embeddings = train_run(corpus, entry.algorithm, params, run, start, parent.origin)
        _write(embeddings, path, format)
        guard.mark_saved()
    return embeddings


def _corpus(entry: InterruptedTraining, run: JobControl) -> Corpus:
    """Corpus or counts of the training. Raises UserError."""
    counted = counts_behind(entry.source)
    if counted is not None:
        return counted
    wanted = parse_remembered({**entry.source, "digest": entry.corpus_digest})
    corpus = None if wanted is None else reopen(wanted, run).corpus
    if corpus is None:
        raise UserError(
            f"Couldn’t find the corpus of “{entry.name}”.",
            f"Save the vectors so far: workbench interrupted keep {entry.identifier}.",
        )
    return corpus


def _write(embeddings: Embeddings, path: Path, format: str) -> None:
    from workbench.vectors.formats import save_vectors

    save_vectors(embeddings, path, format)
