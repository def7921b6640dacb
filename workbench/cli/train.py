"""``workbench train``: trains on corpus files, and writes a file of vectors and a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.analysis.matrix.picture import (
    PictureFigures,
    compare_with_picture,
    corpus_picture_size,
    describe_figures,
)
from workbench.cli import output
from workbench.cli.counts_option import add_counts, counts_asked
from workbench.cli.parsing import (
    Errors,
    LateText,
    Parser,
    add_params,
    given_params,
    parse_training,
    unknown_preset,
)
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.machine.threads import usable_threads
from workbench.core.operating_system import system
from workbench.core.paths import expand_user
from workbench.corpus.catalogue import sample_key
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.counts.counts_corpus import CountedCorpus, counted_values
from workbench.models.base import MODELS, Model
from workbench.models.params import ModelParams
from workbench.session.corpus.counts_params import source_of
from workbench.session.corpus.opening import Opened
from workbench.session.corpus.provenance import describe_corpus
from workbench.session.corpus.reading import read_corpus
from workbench.session.kernel_compiler import (
    COMPILING,
    Compilation,
    compile_here,
    is_compiled,
    kernels_of,
)
from workbench.session.runs import final_loss, loss_floor
from workbench.session.runs.loss_floor import declared_floor
from workbench.session.runs.run_record import RunRecord, divergence, new_identifier, now
from workbench.session.runs.store import Store
from workbench.session.training.autosave import Guard
from workbench.session.training.continuation import RATE, Parent, parent_of
from workbench.session.training.memory_check import shortage
from workbench.session.training.train_api import (
    WARNINGS,
    train_run,
    trained_tokens,
    versions,
)
from workbench.vectors.embeddings import Embeddings

# Names of the phases in the report.
_PHASES = {
    "read": Phase.READING,
    "count": Phase.COUNTING,
    "compile": Phase.COMPILING,
    "train": Phase.TRAINING,
    "save": Phase.SAVING,
}


_PICTURE = "picture"


@dataclass(frozen=True)
class _Wanted:
    """Checked arguments."""

    corpus: list[str]
    options: CorpusOptions
    kind: type[Model]
    params: ModelParams
    output: Path
    format: str
    report: Path | None
    start: Embeddings | None = None
    parent: Parent | None = None
    ignore_memory: bool = False
    counted: CountedCorpus | None = None
    unwrap: bool = False
    floor: bool = False


def train_command(parser: Parser, arguments: Sequence[str]) -> int:
    wanted = _parse(parser, arguments)
    store = output.open_store("Progress for continuing an interrupted training", needed=False)
    _mention_interrupted(store, wanted.output)
    run = JobControl()
    embeddings = output.run_with_progress(lambda run: _train_and_save(wanted, store, run), run)
    final = final_loss.read(embeddings.metadata)
    loss = ""
    if final is not None:
        loss = (
            f", {wanted.kind.loss_label} {final_loss.format_loss(final, ',.4f')} "
            f"({final_loss.title(final)})"
        )
    floor = loss_floor.read(embeddings.metadata)
    if floor is not None and floor.value is not None:
        loss += f", {loss_floor.format_floor(floor, final, ',.4f')}"
    for sentence in run.latest(WARNINGS) or ():
        print(sentence, file=sys.stderr)
    seconds = run.seconds.get(Phase.TRAINING, 0.0)
    sizes = output.words_and_dimensions(len(embeddings), embeddings.dim)
    output.print_line(f"{wanted.output}: {sizes}{loss}, trained in {seconds:,.1f} s.")
    from workbench.vectors.formats import FORMATS, format_to_write

    kind = FORMATS[wanted.format or format_to_write(wanted.output)]
    # Other programs use n-grams, but hardly the other parts.
    missing = () if embeddings.ngram_vectors is None else kind.missing(embeddings)
    for note in (*missing, *kind.notes(embeddings)):
        output.print_line(note, problem=True)
    if note := loss_floor.explain_negative_gap(floor, final):
        output.print_line(note, problem=True)
    if floor is not None and floor.state == loss_floor.COSTLY:
        output.print_line(
            f"The floor of the loss takes about {floor.seconds or 0:,.0f} s to compute: --floor "
            "computes it.",
            problem=True,
        )
    picture = run.latest(_PICTURE)
    if picture is not None:
        output.print_line(describe_figures(picture))
    return 0


def _mention_interrupted(store: Store, path: Path) -> None:
    """Print a note if an earlier training to the same file was interrupted."""
    for entry in store.journal.find_interrupted()[0]:
        if entry.output == str(path.absolute()):
            output.print_line(
                f"An earlier training to {path} was interrupted at {100 * entry.progress:.0f}%. "
                f"To continue it: workbench interrupted continue {entry.identifier}",
                problem=True,
            )


def _parse(parser: Parser, arguments: Sequence[str]) -> _Wanted:
    _add_common_options(parser)
    kind, start, parent = _first_options(parser, arguments)
    add_params(parser, CorpusOptions, "corpus")
    add_params(parser, kind.params_type, f"{kind.key}: {kind.title}")
    known = parse_training(
        parser, arguments, kind, "--continue, --output, --report, --floor, --ignore-memory"
    )
    if known.output is None:
        raise UserError("Missing --output.", "Add --output V.vec.")
    format = output.format_for_output(known.output)
    errors = Errors()
    values = given_params(known, kind.params_type)
    chosen = dict(values)
    reading: dict[str, object] = given_params(known, CorpusOptions)
    if parent is not None and start is not None:
        values = _continuation_params(parent, values, known)
        # Read with the options of the original training, not the defaults.
        reading = {**_reading_options(start), **reading}
    else:
        values = {**_preset(kind, known.preset), **values}
    counted = counts_asked(known, kind)
    if counted is not None:
        # Count settings follow from the counts, unless options say otherwise, and not from a
        # preset.
        values |= counted_values(
            counted, {spec.name: None for spec in kind.params_type.specs()}, chosen
        )
        reading = {}
    options = errors.make_params(CorpusOptions, reading)
    errors.refuse_without_effect(options, given_params(known, CorpusOptions))
    params = errors.make_params(kind.params_type, values)
    errors.raise_errors()
    outputs = [path for path in (known.output, known.report) if path is not None]
    inputs = [
        *known.corpus,
        *(path for path in (known.continued, known.counts) if path is not None),
    ]
    output.prove_outputs(outputs, inputs, output.folder_files(known.output, format))
    return _Wanted(
        known.corpus,
        options,
        kind,
        params,
        known.output,
        format,
        known.report,
        start,
        parent,
        known.ignore_memory,
        counted,
        "sentences" not in reading,
        known.floor,
    )


def _first_options(
    parser: Parser, arguments: Sequence[str]
) -> tuple[type[Model], Embeddings | None, Parent | None]:
    """The algorithm, which determines the other options, and the vectors to continue, with their
    training. Raises UserError.
    """
    first = Parser(prog=parser.prog, add_help=False)
    first.add_argument("--algorithm")
    first.add_argument("--continue", dest="continued", type=Path)
    known = first.parse_known_args(list(arguments))[0]
    start, parent = _parent(known.continued)
    if parent is not None and known.algorithm not in (None, parent.kind.key):
        raise UserError(
            f"{known.continued.name} was trained with {parent.kind.key}, "
            f"not with {known.algorithm}.",
            "Leave --algorithm out.",
        )
    kind = MODELS[known.algorithm or "sgns"] if parent is None else parent.kind
    return kind, start, parent


def _parent(path: Path | None) -> tuple[Embeddings | None, Parent | None]:
    """The vectors to continue, and their training. Raises UserError."""
    if path is None:
        return None, None
    from workbench.cli.vectors import read_vectors

    start = read_vectors(path)
    return start, parent_of(start.metadata, file=str(path.absolute()))


def _continuation_params(
    parent: Parent, values: dict[str, object], known: argparse.Namespace
) -> dict[str, object]:
    """The parameters of a continuation. Raises UserError for an option that its parent
    determines.
    """
    passes = parent.spec(parent.kind.passes)
    fixed = [parent.spec(name).option for name in values if name not in parent.changeable]
    if known.preset:
        fixed.append("--preset")
    if fixed:
        taken = ", ".join(parent.spec(name).option for name in parent.changeable)
        raise UserError(
            f"{', '.join(fixed)} can’t be used with --continue.",
            f"Only {taken} can differ from the settings of {known.continued.name}.",
        )
    if passes.name not in values:
        raise UserError(f"Missing {passes.option}.", f"Add, for example, {passes.option} 5.")
    # Wrong values are reported together with all other errors.
    try:
        rate = parent.rate_after(float(passes.coerce(values[passes.name])))
    except ValueError:
        rate = parent.rate_after(1)
    return {**parent.params.to_dict(), RATE: rate, **values}


def _reading_options(start: Embeddings) -> dict[str, Any]:
    """Reading options of the corpus of these vectors."""
    corpus = start.metadata.get("corpus")
    options = corpus.get("options") if isinstance(corpus, Mapping) else None
    names = {spec.name for spec in CorpusOptions.specs()}
    if isinstance(options, Mapping):
        return {name: value for name, value in options.items() if name in names}
    return {}


def _add_common_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpus", nargs="*", metavar="CORPUS", help="files, archives, folders or a bundled corpus"
    )
    add_counts(parser)
    parser.add_argument(
        "--algorithm",
        help=LateText(lambda: f"algorithm: {', '.join(MODELS.keys())} (default sgns)"),
    )
    parser.add_argument(
        "--preset", default="", metavar="NAME", help="start from the values of this preset"
    )
    parser.add_argument(
        "--continue",
        dest="continued",
        type=Path,
        metavar="V.npz",
        help="continue training these vectors on their corpus for --epochs more; other settings "
        "stay the same. The learning rate starts at --learning-rate (default: the rate that one "
        "training of the total length would have reached by now) and decays again",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="V.vec",
        help="file for the vectors; its suffix determines the format",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="R.json",
        help="also write settings, times, loss and memory to this file",
    )
    parser.add_argument(
        "--floor",
        action="store_true",
        help="compute the floor of the loss even if that takes more than a tenth of the training",
    )
    parser.add_argument(
        "--ignore-memory",
        action="store_true",
        help="start even if memory may run out",
    )


def _preset(kind: type[Model], name: str) -> dict[str, Any]:
    if not name:
        return {}
    for preset in kind.presets:
        if preset.name == name:
            return dict(preset.values)
    raise unknown_preset(kind, name)


def _train_and_save(wanted: _Wanted, store: Store, run: JobControl) -> Embeddings:
    """Train and write the files. Kernels are compiled while the corpus is read, if there is a core
    for it.
    """
    sets = kernels_of(wanted.kind.key, wanted.params)
    if usable_threads() == 1:
        sets = ()
    elif declared_floor(wanted.kind) is None:
        sets = (*sets, "floor")
    with Compilation(*sets) as compilation:
        return _train_compiled(wanted, store, run, compilation)


def _train_compiled(
    wanted: _Wanted, store: Store, run: JobControl, compilation: Compilation
) -> Embeddings:
    from workbench.vectors.formats import save_vectors

    run.enter(Phase.READING, "Reading the corpus…")
    corpus = wanted.counted or read_corpus(wanted.corpus, wanted.options, run, unwrap=wanted.unwrap)
    # Check that the vocabulary isn’t empty before anything is compiled.
    corpus.vocabulary(wanted.params.min_count, wanted.params.max_vocab)
    origin = None
    if wanted.parent is not None:
        wanted.parent.check(corpus)
        origin = wanted.parent.origin
    lacking = None if wanted.ignore_memory else shortage(wanted.kind, wanted.params, corpus)
    if lacking is not None:
        raise UserError(
            lacking.error.message, f"{lacking.error.hint} Or add --ignore-memory to start anyway."
        )
    compilation.wait(run, *kernels_of(wanted.kind.key, wanted.params))
    _compile(wanted.kind.key, run)
    with _open_journal(wanted, store, corpus, origin, run) as guard:
        embeddings = train_run(
            corpus, wanted.kind.key, wanted.params, run, wanted.start, origin, wanted.floor
        )
        save_vectors(embeddings, wanted.output, wanted.format)
        guard.mark_saved()
    run.enter(Phase.DONE)
    picture = _compare_with_picture(corpus, embeddings)
    run.publish(_PICTURE, picture)
    if wanted.report is not None:
        document = {
            **training_report(corpus, wanted.kind, wanted.params, run, embeddings),
            **_history(embeddings),
            **_singular_values(embeddings),
        }
        if picture is not None:
            document["picture"] = asdict(picture)
        output.write_json(wanted.report, document)
    problem = divergence(embeddings.metadata)
    if problem is not None:
        raise UserError(f"{problem.message} The vectors are in {wanted.output}.", problem.hint)
    return embeddings


def _compare_with_picture(corpus: Corpus, embeddings: Embeddings) -> PictureFigures | None:
    """Figures of a model on a picture corpus; None for other corpora and models without scores."""
    if isinstance(corpus, CountedCorpus) or not corpus_picture_size(corpus):
        return None
    try:
        return compare_with_picture(corpus, embeddings)
    except UserError:
        return None


def _open_journal(
    wanted: _Wanted, store: Store, corpus: Corpus, origin: Mapping[str, Any] | None, run: JobControl
) -> Guard:
    """Journal of the training's states, for ``workbench interrupted`` if this process ends
    first.
    """
    target = wanted.output.absolute()
    record = RunRecord(
        new_identifier(),
        target.stem,
        wanted.kind.key,
        wanted.params.to_dict(),
        corpus.name,
        corpus.digest,
        now(),
    )
    key = sample_key(wanted.corpus)
    paths = tuple(str(expand_user(path).absolute()) for path in wanted.corpus)
    opened = Opened(corpus, sample=key, corpus_paths=() if key else paths)
    source = opened.to_json() if wanted.counted is None else source_of(wanted.counted)
    more = {"source": source, "origin": origin, "output": str(target)}
    return Guard(store.journal, record, corpus, wanted.params, run, more)


def _history(embeddings: Embeddings) -> dict[str, Any]:
    """Optional parts of the report: the continued run, and a divergence."""
    return {
        name: embeddings.metadata[name]
        for name in ("continued", "diverged")
        if name in embeddings.metadata
    }


def _singular_values(embeddings: Embeddings) -> dict[str, Any]:
    """Optional part of the report: the singular values of W·Cᵀ, the largest first."""
    # Loads scipy’s linear algebra, 100 MB of addresses that reading and training don’t need.
    from workbench.vectors.modes import missing_modes, product_values

    if missing_modes(embeddings) is not None or "diverged" in embeddings.metadata:
        return {}
    return {"singular_values": product_values(embeddings).tolist()}


def _compile(name: str, run: JobControl) -> None:
    run.enter(Phase.COMPILING, "" if is_compiled(name) else COMPILING)
    compile_here(name)
    run.check()


def training_report(
    corpus: Corpus, kind: type[Model], params: ModelParams, run: JobControl, embeddings: Embeddings
) -> dict[str, Any]:
    """The document that ``--report`` writes."""
    seconds = {name: run.seconds.get(phase, 0.0) for name, phase in _PHASES.items()}
    values = params.to_dict()
    rate = None
    if kind.scans_tokens and seconds["train"] > 0:
        ended = run.stopping or "diverged" in embeddings.metadata
        done = float(run.trace.progress[-1]) if ended and len(run.trace) else 1.0
        rate = (
            trained_tokens(corpus, params) * int(values.get("epochs", 1)) * done / seconds["train"]
        )
    trace = run.trace
    return {
        "algorithm": kind.key,
        "parameters": values,
        "corpus": describe_corpus(corpus),
        "seconds": seconds,
        "tokens_per_second": rate,
        "loss": [
            [float(at), float(loss)] for at, loss in zip(trace.progress, trace.loss, strict=True)
        ],
        "loss_errors": [float(error) for error in trace.error],
        final_loss.KEY: embeddings.metadata.get(final_loss.KEY),
        loss_floor.KEY: embeddings.metadata.get(loss_floor.KEY),
        "peak_rss_bytes": system().peak_memory(),
        "versions": versions(),
    }
