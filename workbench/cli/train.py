"""``workbench train``: from corpus files to a file of vectors and a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Errors, Parser, add_params, given, options_of
from workbench.core.errors import UserError
from workbench.core.run import Phase, Run
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.models.base import MODELS, Model, ModelParams
from workbench.session.training import describe_corpus, read_corpus, train_run, versions
from workbench.session.warming import COMPILING, compile_here, compiled
from workbench.vectors.embeddings import Embeddings

# The report's names of the phases.
_PHASES = {
    "read": Phase.READING,
    "count": Phase.COUNTING,
    "compile": Phase.COMPILING,
    "train": Phase.TRAINING,
    "save": Phase.SAVING,
}


@dataclass(frozen=True)
class _Wanted:
    """Everything asked for, checked."""

    corpus: list[str]
    options: CorpusOptions
    kind: type[Model]
    params: ModelParams
    output: Path
    format: str
    report: Path | None


def train_(parser: Parser, arguments: Sequence[str]) -> int:
    wanted = _wanted(parser, arguments)
    run = Run()
    embeddings = output.working(lambda run: _work(wanted, run), run)
    loss = f", {wanted.kind.loss_label} {run.trace.loss[-1]:.4f}" if len(run.trace) else ""
    seconds = run.seconds.get(Phase.TRAINING, 0.0)
    print(f"{wanted.output}: {len(embeddings):,} words, {embeddings.dim:,} columns{loss}, trained in {seconds:,.1f} s.")
    return 0


def _wanted(parser: Parser, arguments: Sequence[str]) -> _Wanted:
    _common(parser)
    # The algorithm decides which options there are, so it is looked for first.
    first = Parser(prog=parser.prog, add_help=False)
    first.add_argument("--algorithm", default="sgns")
    kind = MODELS[first.parse_known_args(list(arguments))[0].algorithm]
    add_params(parser, CorpusOptions, "corpus")
    add_params(parser, kind.params_type, f"{kind.key}: {kind.title}")
    known, rest = parser.parse_known_intermixed_args(list(arguments))
    if rest:
        unknown = [word for word in rest if word.startswith("-")] or rest
        raise UserError(
            f"{kind.key} has no option {', '.join(unknown)}.",
            f"It takes {options_of(kind.params_type, CorpusOptions)}, --algorithm, --preset, --output, --report.",
        )
    if not known.corpus:
        raise UserError("Nothing to train on.", "Name files, folders or a bundled corpus, as in: train small-world.")
    if known.output is None:
        raise UserError("Nowhere to write the vectors.", "Say where with --output V.vec.")
    format = output.format_for_output(known.output)
    errors = Errors()
    options = errors.made(CorpusOptions, given(known, CorpusOptions))
    params = errors.made(kind.params_type, {**_preset(kind, known.preset), **given(known, kind.params_type)})
    errors.tell()
    outputs = [path for path in (known.output, known.report) if path is not None]
    output.prove_outputs(outputs, known.corpus)
    return _Wanted(known.corpus, options, kind, params, known.output, format, known.report)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="*", metavar="CORPUS", help="files, archives, folders, or a bundled corpus")
    parser.add_argument("--algorithm", default="sgns", help=f"one of {', '.join(MODELS.keys())} (default sgns)")
    parser.add_argument("--preset", default="", metavar="NAME", help="start from a named choice of values")
    parser.add_argument("--output", type=Path, metavar="V.vec", help="the vectors; the suffix names the format")
    parser.add_argument("--report", type=Path, metavar="R.json", help="times, loss and memory")


def _preset(kind: type[Model], name: str) -> dict[str, Any]:
    if not name:
        return {}
    for preset in kind.presets:
        if preset.name == name:
            return dict(preset.values)
    names = ", ".join(preset.name for preset in kind.presets)
    raise UserError(
        f"{kind.key} has no preset “{name}”.", f"Choose one of: {names}." if names else "Leave --preset out."
    )


def _work(wanted: _Wanted, run: Run) -> Embeddings:
    from workbench.vectors.formats import save_vectors

    run.enter(Phase.READING, "Reading the corpus.")
    corpus = read_corpus(wanted.corpus, wanted.options, run)
    # Words must suffice before anything is compiled.
    corpus.vocabulary(wanted.params.min_count, wanted.params.max_vocab)
    _compile(wanted.kind.key, run)
    embeddings = train_run(corpus, wanted.kind.key, wanted.params, run)
    save_vectors(embeddings, wanted.output, wanted.format)
    run.enter(Phase.DONE)
    if wanted.report is not None:
        output.write_json(wanted.report, report(corpus, wanted.kind, wanted.params, run))
    return embeddings


def _compile(name: str, run: Run) -> None:
    run.enter(Phase.COMPILING, "" if compiled(name) else COMPILING)
    compile_here(name)
    run.check()


def report(corpus: Corpus, kind: type[Model], params: ModelParams, run: Run) -> dict[str, Any]:
    """The document that ``--report`` writes."""
    seconds = {name: run.seconds.get(phase, 0.0) for name, phase in _PHASES.items()}
    values = params.to_dict()
    rate = None
    if kind.scans_tokens and seconds["train"] > 0:
        rate = corpus.tokens * int(values.get("epochs", 1)) / seconds["train"]
    trace = run.trace
    return {
        "algorithm": kind.key,
        "parameters": values,
        "corpus": describe_corpus(corpus),
        "seconds": seconds,
        "tokens_per_second": rate,
        "loss": [[float(at), float(loss)] for at, loss in zip(trace.progress, trace.loss, strict=True)],
        "peak_rss_bytes": peak_memory(),
        "versions": versions(),
    }


def peak_memory() -> int | None:
    """The most memory this process has had resident, in bytes; None where that cannot be known."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux's getrusage also counts the parent's memory at the moment of the fork.
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
