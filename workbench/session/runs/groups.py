"""Runs grouped by the corpus that they were trained on: the order of every list of runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord


class TrainedOnCorpus(Protocol):
    """A run, or an interrupted training. Later ones have larger identifiers."""

    @property
    def identifier(self) -> str: ...

    @property
    def corpus_name(self) -> str: ...

    @property
    def corpus_digest(self) -> str: ...


Trained = TypeVar("Trained", bound=TrainedOnCorpus)


@dataclass(frozen=True)
class RunGroup(Generic[Trained]):
    """Runs of one corpus, the latest first. ``is_open``: the corpus is the open one."""

    title: str
    runs: tuple[Trained, ...]
    is_open: bool = False


def grouped_by_corpus(records: Iterable[Trained], corpus: Corpus | None) -> list[RunGroup[Trained]]:
    """Groups of runs: the one of the open ``corpus``, those of other corpora by name, and runs of
    an unknown corpus last.
    """
    groups: dict[tuple[int, str], list[Trained]] = {}
    latest_first = sorted(records, key=lambda record: record.identifier, reverse=True)
    # Corpora with the same name, such as one text read in two ways, are told apart by their order.
    order: dict[str, int] = {}
    for record in latest_first:
        order.setdefault(record.corpus_digest, len(order))
    for record in sorted(latest_first, key=lambda record: order[record.corpus_digest]):
        groups.setdefault(_place_of(record, corpus), []).append(record)
    return [
        RunGroup(title, tuple(groups[place, title]), place == 0) for place, title in sorted(groups)
    ]


def has_runs_of(corpus: Corpus | None, records: Iterable[RunRecord]) -> bool:
    """Whether a corpus has a run that can be shown."""
    digest = "" if corpus is None else corpus.digest
    return any(record.has_vectors and digest == record.corpus_digest != "" for record in records)


def _place_of(record: TrainedOnCorpus, corpus: Corpus | None) -> tuple[int, str]:
    """Rank and title of the group of a run."""
    if corpus is not None and record.corpus_digest == corpus.digest:
        return 0, corpus.name
    if not record.corpus_name:
        return 2, tr("Vectors from files")
    if corpus is not None and record.corpus_name == corpus.name:
        return 1, tr("{name}, other reading options or changed", name=record.corpus_name)
    return 1, record.corpus_name
