"""The command line that trains a run again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.session.training.continuation import RATE, THREADS


def command_of(record: RunRecord, session: Session) -> str:
    """The command that trains this run again, with every value that isn't the default, or for
    a continued run, with the path of its parent and how it continues.
    """
    kind = MODELS[record.algorithm]
    words = ["python", "main.py", "train", *_corpus_words(record, session)]
    origin = record.summary.get("continued")
    chosen: set[str] = set()
    if isinstance(origin, Mapping):
        stored = session.store.vectors_path(str(origin.get("identifier", "")))
        words += ["--continue", str(origin.get("file") or stored)]
        chosen = {kind.passes, RATE}
    else:
        words += ["--algorithm", record.algorithm]
    for spec in kind.params_type.specs():
        value = record.parameters.get(spec.name, spec.default)
        if not chosen or spec.name == THREADS:
            if value == spec.default:
                continue
        elif spec.name not in chosen:
            continue
        if spec.type is bool:
            words.append(spec.option if value else "--no-" + spec.option.removeprefix("--"))
        else:
            words += [spec.option, f"{value:g}" if isinstance(value, float) else str(value)]
    words += ["--output", f"{record.algorithm}.vec"]
    return shlex.join(words)


def _corpus_words(record: RunRecord, session: Session) -> list[str]:
    from workbench.corpus.samples import SAMPLES

    corpus = session.corpora.current
    keys = [key for key, sample in SAMPLES.items() if sample.title == record.corpus_name]
    if corpus is None or corpus.digest != record.corpus_digest or not corpus.files:
        return keys or [record.corpus_name]
    words = keys or [file.path for file in corpus.files]
    for spec in corpus.options.specs():
        value = getattr(corpus.options, spec.name)
        if value == spec.default:
            continue
        if spec.type is bool:
            words.append(spec.option if value else "--no-" + spec.option.removeprefix("--"))
        else:
            # A value that begins with a hyphen would be taken for an option.
            words += (
                [f"{spec.option}={value}"]
                if str(value).startswith("-")
                else [spec.option, str(value)]
            )
    return words
