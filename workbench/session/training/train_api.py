"""Training of embeddings from a corpus and hyperparameters, with their provenance."""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata as packages
from pathlib import Path
from typing import Any

from workbench.core.errors import Diverged, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.core.param_labels import quoted_param
from workbench.core.version import __version__
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.models.base import MODELS
from workbench.models.checkpointing import PASSES, Checkpoint
from workbench.models.params import ModelParams
from workbench.models.postprocess import finish_embeddings
from workbench.session.corpus.counts_params import check
from workbench.session.corpus.provenance import describe_corpus
from workbench.session.corpus.reading import read_corpus
from workbench.session.runs import final_loss, loss_floor
from workbench.session.runs.loss_floor import FloorWorker
from workbench.session.runs.run_record import now
from workbench.session.training.continuation import parent_of
from workbench.session.training.pacing import Paces
from workbench.vectors.crowding import crowding_warning
from workbench.vectors.embeddings import Embeddings

# Key in provenance, and of the value that the run publishes: sentences about a flawed result.
WARNINGS = "warnings"
# Shares of the different words, and of the text, whose absence from a vocabulary is mentioned.
_MANY_TYPES, _MANY_TOKENS = 0.9, 0.25
_PACKAGES = ("numpy", "scipy", "numba", "llvmlite")


def train(
    corpus: Corpus | str | Path | Sequence[str | Path],
    algorithm: str = "sgns",
    run: JobControl | None = None,
    **params: Any,
) -> Embeddings:
    """Train word vectors in one call, for scripts.

    corpus : a Corpus, the key of a bundled sample, or paths of files and folders
    params : hyperparameters of the algorithm, and corpus options where paths are given
    run : to watch, stop or cancel it from another thread

    Raises UserError for anything that the caller can fix; ParameterError names every wrong
    parameter.

        >>> vectors = train("novels.txt", "sgns", dim=100, window=5)
    """
    kind = MODELS[algorithm]
    run = run or JobControl()
    if isinstance(corpus, Corpus):
        return train_run(corpus, algorithm, kind.params_type.from_mapping(params), run)
    paths = [corpus] if isinstance(corpus, (str, Path)) else list(corpus)
    of_corpus = {spec.name for spec in CorpusOptions.specs()}
    options = CorpusOptions.from_mapping({k: v for k, v in params.items() if k in of_corpus})
    of_model = kind.params_type.from_mapping(
        {k: v for k, v in params.items() if k not in of_corpus}
    )
    return train_run(read_corpus(paths, options, run), algorithm, of_model, run)


def train_on(
    start: Embeddings,
    corpus: Corpus | str | Path | Sequence[str | Path],
    passes: int,
    learning_rate: float | None = None,
    run: JobControl | None = None,
) -> Embeddings:
    """Continue the training of vectors, on the same corpus, with the algorithm and all other
    parameters of their training.

    corpus : as for ``train``; paths are read as they are by default
    passes : further epochs (steps for sgns-mf)
    learning_rate : initial rate, which falls again if the algorithm's rate falls; None: the rate
    that a training planned for all those epochs would have by now

    Raises UserError for another corpus, or if the vectors were saved without the state that
    continuing needs.

        >>> longer = train_on(vectors, "novels.txt", passes=5)
    """
    run = run or JobControl()
    parent = parent_of(start.metadata)
    if not isinstance(corpus, Corpus):
        corpus = read_corpus(
            [corpus] if isinstance(corpus, (str, Path)) else list(corpus), None, run
        )
    parent.check(corpus)
    return train_run(
        corpus, parent.kind.key, parent.further(passes, learning_rate), run, start, parent.origin
    )


def train_run(
    corpus: Corpus,
    algorithm: str,
    params: ModelParams,
    run: JobControl,
    start: Embeddings | None = None,
    origin: Mapping[str, Any] | None = None,
    floor: bool = False,
) -> Embeddings:
    """Fit and complete the provenance. Linear algebra libraries use at most ``threads`` threads.

    start : the result of an earlier training to continue; origin : its provenance
    floor : compute the floor of the loss whatever it costs, not only where it is cheap

    A training that diverges ends with its last good state, as if it had been stopped there: its
    result can be viewed, saved and continued with a lower learning rate. ``metadata["diverged"]``
    then says what happened. Raises UserError (Diverged where there is no good state) and
    Cancelled.
    """
    kind = MODELS[algorithm]
    if not isinstance(params, kind.params_type):
        raise TypeError(
            f"{algorithm} takes {kind.params_type.__name__}, not {type(params).__name__}"
        )
    check(corpus, kind, params)
    created = now()
    worker = FloorWorker(corpus, kind, params, run, floor)
    # Trainers have threads of their own.
    with BLAS_ALONE, worker:
        diverged = None
        try:
            fitted = kind(params, start).fit(corpus, run)
        except Diverged as error:
            kept = run.latest("kept")
            if not isinstance(kept, Checkpoint):
                raise
            fitted, diverged = kept.embeddings, _divergence_metadata(error, kept)
        kept_at = None if diverged is None else float(diverged["kept"])
        fitted = finish_embeddings(fitted, params, run)
        worker.finish()
    # This ends the last phase, so that its duration is known.
    run.enter(Phase.SAVING)
    known = provenance(corpus, algorithm, params, run, created, kept_at)
    if PASSES in fitted.state:
        known["passes"] = float(fitted.state[PASSES])
    if origin is not None:
        known["continued"] = dict(origin)
    if diverged is not None:
        known |= {"stopped": True, "diverged": diverged}
    if diverged is None and not run.stopping:
        estimated = kind(params).estimate(corpus).seconds
        Paces().learn(algorithm, estimated, run.seconds, corpus.digest)
    warnings = _list_warnings(fitted, corpus, params)
    if warnings:
        known[WARNINGS] = warnings
        run.publish(WARNINGS, tuple(warnings))
    return dataclasses.replace(fitted, metadata={**fitted.metadata, **known})


def _list_warnings(fitted: Embeddings, corpus: Corpus, params: ModelParams) -> list[str]:
    """Sentences about a flawed result, or about data that a training hasn't used."""
    sentences = []
    values = params.to_dict()
    columns, wanted = int(fitted.inputs.shape[1]), values.get("dim")
    if isinstance(wanted, int) and columns < wanted:
        sentences.append(
            tr(
                "The vectors have {columns:,} dimensions instead of {wanted:,}: the counts of this "
                "corpus have no more independent directions (their rank).",
                columns=columns,
                wanted=wanted,
            )
        )
    types, tokens = len(corpus.words), int(corpus.counts.sum())
    left_out = types - len(fitted)
    used = int(fitted.counts.sum()) if fitted.counts is not None else tokens
    if left_out >= _MANY_TYPES * types or tokens - used >= _MANY_TOKENS * tokens:
        sentences.append(
            tr(
                "{left_out:,} of {types:,} different words are too rare ({min_count}) or beyond "
                "{max_vocab}, and were left out: {share:.0f}% of the text.",
                left_out=left_out,
                types=types,
                min_count=quoted_param("min_count"),
                max_vocab=quoted_param("max_vocab"),
                share=100 * (tokens - used) / max(tokens, 1),
            )
        )
    problem = crowding_warning(fitted)
    if problem is not None:
        sentences.append(f"{problem.message} {problem.hint}")
    return sentences


def _divergence_metadata(error: Diverged, kept: Checkpoint) -> dict[str, Any]:
    """The entry about a divergence in the provenance."""
    return {
        "message": tr(
            "{message} The result after {share:.3g}% was saved.",
            message=error.message,
            share=100 * kept.progress,
        ),
        "hint": error.hint,
        "progress": error.progress,
        "kept": kept.progress,
    }


def provenance(
    corpus: Corpus,
    algorithm: str,
    params: ModelParams,
    run: JobControl,
    created: str,
    progress: float | None = None,
) -> dict[str, Any]:
    """Facts needed to understand and reproduce the vectors; JSON-ready.

    progress : progress of the saved state of a training, None for its end
    """
    trace, kind = run.trace, MODELS[algorithm]
    values = params.to_dict()
    final = final_loss.compute_final_loss(run, kind, params, progress)
    return {
        "algorithm": algorithm,
        "parameters": values,
        "corpus": describe_corpus(corpus),
        "seed": values.get("seed"),
        "version": __version__,
        "versions": versions(),
        "seconds": {name: round(value, 4) for name, value in run.seconds.items()},
        "loss": {
            "label": kind.loss_label,
            "points": len(trace),
            "first": float(trace.loss[0]) if len(trace) else None,
            "last": float(trace.loss[-1]) if len(trace) else None,
            "error": float(trace.error[-1]) if len(trace) else None,
        },
        final_loss.KEY: final_loss.to_json(final),
        loss_floor.KEY: loss_floor.to_json(loss_floor.published_floor(run), final),
        "tokens_per_pass": trained_tokens(corpus, params),
        "created": created,
        "stopped": run.stopping,
    }


def trained_tokens(corpus: Corpus, params: ModelParams) -> int:
    """The number of tokens that are in the vocabulary: those of one epoch before subsampling."""
    return corpus.vocabulary(params.min_count, params.max_vocab).tokens


def versions() -> dict[str, str]:
    """Versions of the workbench and of its numerical libraries, without importing anything."""
    found = {"workbench": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = packages.version(name)
        except packages.PackageNotFoundError:
            continue
    return found


def not_trained(algorithm: str) -> UserError:
    """The error for a training without a corpus."""
    return UserError(
        tr("No corpus is open."),
        tr("Open a corpus before training {algorithm}.", algorithm=algorithm),
    )
