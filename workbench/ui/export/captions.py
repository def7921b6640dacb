"""Captions of figures: content, corpus, algorithm, settings and n."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from workbench.core.language import choice_text, tr
from workbench.core.params import Spec, Value
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.text import count, note_in_sentence, plural, true_minus

_MOST_RUNS = 6
# Parameters that don't affect results, or are of no interest to readers.
_UNSAID = {"threads", "scheduler"}


def shown_modes(owner: QWidget, session: Session) -> tuple[int, int] | None:
    """(r, d) if ``owner`` is in a panel that shows vectors rebuilt from the first r modes of d,
    else None.
    """
    widget: QWidget | None = owner
    while widget is not None:
        if getattr(widget, "shows_rebuilt", False):
            return session.active.kept_modes
        widget = widget.parentWidget()
    return None


def modes_stem(stem: str, modes: tuple[int, int] | None) -> str:
    """The stem of a file name, which includes the modes of rebuilt vectors: "map-2-of-50-modes"."""
    if modes is None:
        return stem
    return f"{stem}-{modes[0]}-of-{modes[1]}-modes"


def caption(
    session: Session,
    title: str,
    records: Sequence[RunRecord] | None = None,
    note: str = "",
    modes: tuple[int, int] | None = None,
) -> str:
    """Sentences for a figure.

    records : the runs shown, None for the active one; note : a further sentence, such as what n
    counts; modes : (r, d) of rebuilt vectors of the active run
    """
    if records is None:
        records = [session.active.run] if session.active.run is not None else []
    sentences = [
        _sentence(title),
        _corpus(session, records),
        *(_run(record) for record in records[:_MOST_RUNS]),
    ]
    if len(records) > _MOST_RUNS:
        sentences.append(tr("And {runs}.", runs=plural(len(records) - _MOST_RUNS, "further run")))
    if modes is not None and session.active.run in records:
        sentences.append(
            tr(
                "Vectors rebuilt from the first {kept} of {dim} modes of W·Cᵀ.",
                kept=modes[0],
                dim=modes[1],
            )
        )
    sentences.append(_sentence(note))
    return " ".join(filter(None, sentences))


def _sentence(text: str) -> str:
    text = text.strip()
    if not text or text.endswith((".", "?", "!", "…")):
        return text
    return text + "."


def _corpus(session: Session, records: Sequence[RunRecord]) -> str:
    names = list(dict.fromkeys(record.corpus_name for record in records if record.corpus_name))
    corpus = session.corpora.current
    if corpus is not None and names in ([], [corpus.name]):
        return tr(
            "Corpus: {name}, {tokens} tokens of {types}.",
            name=corpus.name,
            tokens=count(corpus.tokens),
            types=plural(corpus.types, "type"),
        )
    if names:
        return tr("Corpus: {join}.", join=", ".join(names))
    return ""


def _run(record: RunRecord) -> str:
    """Description of a run: "SGNS 1: skip-gram with negative sampling, d = 50, …; n = 1,501
    words."
    """
    words, dim = record.summary.get("vocabulary"), record.summary.get("dim")
    parts = [tr("vectors from a file")]
    if record.algorithm in MODELS:
        kind = MODELS[record.algorithm]
        parts = [kind.title]
        for spec in kind.params_type.specs():
            if spec.name in record.parameters and spec.name not in _UNSAID:
                name = spec.symbol or note_in_sentence(spec.label)
                parts.append(f"{name} = {_value(record.parameters[spec.name], spec)}")
    elif isinstance(dim, int):
        parts.append(plural(dim, "dimension"))
    size = f"; n = {plural(words, 'word')}" if isinstance(words, int) else ""
    return f"{record.name}: {', '.join(parts)}{size}."


def _value(value: Value, spec: Spec) -> str:
    if spec.choices:
        return choice_text(str(value))
    if isinstance(value, bool):
        if value:
            return tr("yes")
        return tr("no")
    if isinstance(value, int):
        return count(value)
    if isinstance(value, float):
        return true_minus(f"{value:g}")
    return str(value)
