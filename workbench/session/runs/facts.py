"""Properties of a run by name: cells of the table of runs, and names in its filter."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from workbench.analysis.evaluation.leaderboard import ANALOGIES, Score
from workbench.core.job_control import Phase
from workbench.core.language import source_text, tr
from workbench.core.params import Spec, Value
from workbench.core.table_export import Cell
from workbench.models.base import MODELS
from workbench.models.checkpointing import PASSES
from workbench.session.runs.run_record import RunRecord

# Name in place of an algorithm for vectors that were opened from a file.
FILE = "file"
TEXTS = frozenset({"name", "algorithm", "corpus", "state", "created", "note", "group"})
_FIRST = ("star", "name", "algorithm", "corpus", "state", "group")
_LAST = ("epochs", "loss", "seconds", "rate", "words")


@dataclass(frozen=True)
class ScoreColumn:
    """An evaluation set that runs were scored on: its name in filters, and its title."""

    key: str
    title: str
    percent: bool


def facts(record: RunRecord, scores: Mapping[str, Cell] | None = None) -> dict[str, Cell]:
    """Every cell of a run by its name, and hyperparameters by their names. Unknown values are None
    or absent.

    loss : final loss, see ``RunRecord.closing_loss``, in the unit of the algorithm
    seconds : duration of the training alone
    rate : tokens of the vocabulary per second
    epochs : total number of epochs; words : size of the vocabulary
    created : in local time, as ISO 8601 to the minute
    """
    summary = record.summary
    found: dict[str, Cell] = {name: _plain(value) for name, value in record.parameters.items()}
    if "dim" not in found:
        found["dim"] = _number(summary.get("dim"))
    seconds = _seconds(record)
    return {
        **found,
        "star": record.star,
        "name": record.name,
        "algorithm": record.algorithm or FILE,
        "corpus": record.corpus_name,
        "state": str(record.state)
        if record.error is None or not record.has_vectors
        else "diverged",
        "group": record.group,
        "epochs": _epochs(record),
        "loss": record.final_loss,
        "seconds": seconds,
        "rate": _rate(record, seconds),
        "words": _number(summary.get("vocabulary")),
        **(scores or {}),
        "created": _local(record.created),
        "note": record.note,
    }


def names_of(parameters: Sequence[str], scores: Sequence[str] = ()) -> list[str]:
    """Every name that a filter may use, in the order of the columns."""
    others = [name for name in parameters if name not in _LAST]
    return [*_FIRST, *others, *_LAST, *scores, "created", "note"]


class RunFacts(Protocol):
    """A run, or a row of the leaderboard."""

    @property
    def algorithm(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Value]: ...


def parameters_of(
    records: Iterable[RunFacts], besides: Container[str] = _LAST
) -> tuple[list[str], list[str]]:
    """The hyperparameters on which runs differ, and the others, each in order of first occurrence.

    A hyperparameter that some algorithms lack differs only if the runs that have it differ:
    otherwise runs of two algorithms would show all parameters of both.

    besides : names that are left out
    """
    seen: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.parameters.items():
            # 1, 1.0 and True are equal in Python, but not here.
            seen.setdefault(name, set()).add(repr(value))
    names = [name for name in seen if name not in besides]
    return [name for name in names if len(seen[name]) > 1], [
        name for name in names if len(seen[name]) == 1
    ]


def compared_by(records: Sequence[RunFacts]) -> set[str]:
    """The hyperparameters that have several values among runs of one algorithm."""
    algorithms = {record.algorithm for record in records}
    return {
        name
        for algorithm in algorithms
        for name in parameters_of((one for one in records if one.algorithm == algorithm), ())[0]
    }


def differing_settings(records: Sequence[RunFacts]) -> list[str]:
    """Labels of the settings, except the seed, on which runs differ; empty if only one differs."""
    labels: list[str] = []
    if len({record.algorithm for record in records}) > 1:
        labels.append(tr("Algorithm"))
    for name in parameters_of(records, ("seed",))[0]:
        spec = declaration(name, records)
        if spec is not None:
            labels.append(spec.label)
    if len(labels) < 2:
        return []
    return labels


def only_difference(records: Sequence[RunFacts]) -> Spec | None:
    """The setting, except the seed and the threads, on which runs of one algorithm differ; None if
    they differ in none or in several.
    """
    differing = parameters_of(records, ("seed", "threads"))[0]
    if len({record.algorithm for record in records}) > 1 or len(differing) != 1:
        return None
    return declaration(differing[0], records)


def declaration(name: str, records: Iterable[RunFacts]) -> Spec | None:
    """The declaration of a hyperparameter by the first of these runs' algorithms that has it."""
    for algorithm in dict.fromkeys(
        record.algorithm for record in records if name in record.parameters
    ):
        if algorithm in MODELS:
            for spec in MODELS[algorithm].params_type.specs():
                if spec.name == name:
                    return spec
    return None


def score_column(key: str, title: str) -> ScoreColumn:
    """The column of a set by its key in the scores. Its name is the English title without
    spaces.
    """
    plain = re.sub(r"[’']s\b", "", source_text(title).lower())
    name = re.sub(r"\W+", "_", plain).strip("_") or "score"
    return ScoreColumn(
        f"score_{name}" if name in TEXTS | set(_FIRST + _LAST) else name,
        title,
        key.startswith(ANALOGIES),
    )


def best_known(scores: Mapping[str, Score], columns: Mapping[str, ScoreColumn]) -> dict[str, Cell]:
    """The scores of a run by the names of their columns, without scores that cover too little of
    their set.
    """
    return {
        columns[key].key: score.value
        for key, score in scores.items()
        if key in columns and score.is_ranked
    }


def _plain(value: object) -> Cell:
    if isinstance(value, (bool, int, float, str)):
        return value
    return None


def _number(value: Any) -> int | float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    return None


def _epochs(record: RunRecord) -> Cell:
    passes_done = _number(record.summary.get(PASSES))
    if passes_done is not None:
        if float(passes_done).is_integer():
            return int(passes_done)
        return round(float(passes_done), 2)
    passes = MODELS[record.algorithm].passes if record.algorithm in MODELS else ""
    if passes:
        return _plain(record.parameters.get(passes))
    return None


def _seconds(record: RunRecord) -> float | None:
    known = record.summary.get("seconds")
    if isinstance(known, Mapping):
        return _number(known.get(Phase.TRAINING.value))
    if record.run is not None and record.run.progress.phase is Phase.TRAINING:
        return record.run.phase_seconds()
    return None


def _rate(record: RunRecord, seconds: float | None) -> float | None:
    if record.run is not None:
        progress = record.run.progress
        if progress.unit.startswith(tr("tokens")):
            return progress.rate
        return None
    corpus = record.summary.get("corpus")
    # Runs of version 0.1.0 contain only the length of the text.
    tokens = _number(record.summary.get("tokens_per_pass"))
    if tokens is None and isinstance(corpus, Mapping):
        tokens = _number(corpus.get("tokens"))
    if (
        record.algorithm not in MODELS
        or not MODELS[record.algorithm].scans_tokens
        or not tokens
        or not seconds
    ):
        return None
    passes = _number(record.parameters.get(MODELS[record.algorithm].passes))
    ended = record.summary.get("stopped") or record.summary.get("diverged")
    done = float(record.trace.progress[-1]) if ended and len(record.trace) else 1.0
    if passes:
        return tokens * passes * done / seconds
    return None


def _local(created: str) -> str:
    try:
        return datetime.fromisoformat(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return created
