"""Relation between a run and the open text, and how to open the text of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import choice_text, tr
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.stored_options import without_missing
from workbench.session.corpus.opening import RememberedCorpus, parse_remembered
from workbench.session.runs.run_record import RunRecord


class Bond(Enum):
    """Relation of a run to a text: trained on it, on the same files (read with other options, or
    changed since), on another text, or on an unknown one.
    """

    SAME = auto()
    OTHERWISE = auto()
    CHANGED = auto()
    OTHER = auto()
    UNKNOWN = auto()


def bond(record: RunRecord, corpus: Corpus) -> Bond:
    if record.corpus_digest == corpus.digest:
        return Bond.SAME
    if not record.corpus_digest:
        return Bond.UNKNOWN
    if not _same_files(record, corpus):
        return Bond.OTHER
    if _read_by(record).effective() != corpus.options.effective():
        return Bond.OTHERWISE
    return Bond.CHANGED


def text_of(record: RunRecord) -> RememberedCorpus | None:
    """How to open the text of a run as it was during training; None if that isn’t known."""
    source, described = record.summary.get("source"), _corpus_provenance(record)
    known = dict(source) if isinstance(source, Mapping) else {}
    if not known:
        # Vectors from a file and runs of old versions: the provenance names the text.
        known = {"paths": described.get("files"), "options": described.get("options")}
    elif "options" not in known:
        known["options"] = described.get("options")
    return parse_remembered({**known, "digest": record.corpus_digest, "name": record.corpus_name})


def mismatch(record: RunRecord, corpus: Corpus | None) -> UserError | None:
    """Why a run cannot be compared with the counts of the open text, None if it can. The error
    says in one sentence what the run was trained on, and in another what to do.
    """
    if corpus is None:
        return UserError(
            tr("No counts to compare"), tr("Open the corpus that the model was trained on.")
        )
    name = record.corpus_name or tr("another corpus")
    match bond(record, corpus):
        case Bond.OTHERWISE:
            return UserError(
                tr("Trained on {name} with other reading options", name=name),
                tr(
                    "Run: {then}. Open corpus: {now}. Read the corpus with the run’s "
                    "options to compare {run} with its counts.",
                    then=option_differences(record, corpus, then=True),
                    now=option_differences(record, corpus, then=False),
                    run=record.name,
                ),
            )
        case Bond.CHANGED:
            return UserError(
                tr("Trained on {name}, which has changed since", name=name),
                tr(
                    "Open {corpus} as it was read for this run to compare {run} with its counts.",
                    corpus=name,
                    run=record.name,
                ),
            )
        case Bond.OTHER:
            return UserError(
                tr("Trained on {name}", name=name),
                tr("Open {corpus} to compare {run} with its counts.", corpus=name, run=record.name),
            )
        case _:
            return None


def option_differences(record: RunRecord, corpus: Corpus, *, then: bool) -> str:
    """The reading options that differ between a run's text and the open text, with their
    values.
    """
    before, now = _read_by(record).effective().to_dict(), corpus.options.effective().to_dict()
    shown = before if then else now
    differences = []
    for spec in CorpusOptions.specs():
        if before[spec.name] != now[spec.name]:
            value = shown[spec.name]
            if not isinstance(value, bool):
                word = str(value)
            elif value:
                word = tr("on")
            else:
                word = tr("off")
            differences.append(
                f"{spec.label}: {choice_text(word) if spec.choices else word or tr('none')}"
            )
    return ", ".join(differences)


def _same_files(record: RunRecord, corpus: Corpus) -> bool:
    source, described = record.summary.get("source"), _corpus_provenance(record)
    sample = corpus.metadata.get("sample")
    if isinstance(source, Mapping) and sample and source.get("sample"):
        return bool(source.get("sample") == sample)
    files, here = _places(described.get("files")), _places([file.path for file in corpus.files])
    return bool(here) and files == here


def _places(paths: object) -> list[str]:
    if isinstance(paths, Sequence) and not isinstance(paths, str):
        return [str(Path(str(path))) for path in paths]
    return []


def _corpus_provenance(record: RunRecord) -> Mapping[str, Any]:
    """The part of a run's provenance that describes its text."""
    described = record.summary.get("corpus")
    if not isinstance(described, Mapping) and record.embeddings is not None:
        described = record.embeddings.metadata.get("corpus")
    if isinstance(described, Mapping):
        return described
    return {}


def _read_by(record: RunRecord) -> CorpusOptions:
    source, described = record.summary.get("source"), _corpus_provenance(record)
    options = described.get("options")
    if not isinstance(options, Mapping) and isinstance(source, Mapping):
        options = source.get("options")
    return without_missing(dict(options) if isinstance(options, Mapping) else None)
