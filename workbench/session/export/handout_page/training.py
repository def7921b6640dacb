"""How the run was trained: loss, facts, settings and the methods paragraph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.language import choice_text, languages, source_text, translation
from workbench.core.language import mark as tr
from workbench.core.params import Spec, Value, special_value
from workbench.session.export.export_source import ExportSource
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.methods_text import paragraph
from workbench.session.runs import final_loss, loss_floor

# More points can't be distinguished on a screen.
_POINTS = 600

_SCRIPTS = ("loss-curve.js", "training.js")
_TEXTS = {
    "training": tr("Training"),
    "loss": tr("Loss"),
    "loss_label": tr("Loss from {first} to {last}"),
    "loss_across": tr("share of the training"),
    "loss_end": tr("At the end: {value}."),
    "loss_floor": tr("No vectors could reach a loss below {floor}."),
    "methods": tr("Methods paragraph"),
    "settings": tr("Settings"),
    "setting": tr("Setting"),
    "value": tr("Value"),
    "facts": tr("Facts"),
    "algorithm": tr("Algorithm"),
    "corpus": tr("Corpus"),
    "tokens": tr("Tokens"),
    "types": tr("Types"),
    "words": tr("Words"),
    "words_here": tr("Words on this page"),
    "dimensions": tr("Dimensions"),
    "trained_in": tr("Training"),
    "seconds": tr("{number} s"),
    "created": tr("Created"),
    "version": tr("Version"),
    "digest": tr("Digest of the vectors"),
    "yes": tr("yes"),
    "no": tr("no"),
}


def training_section(subject: ExportSource, words: int) -> PageSection:
    """words : number of words on the page."""
    recipe, known = subject.recipe, subject.metadata
    corpus = known.get("corpus")
    corpus = corpus if isinstance(corpus, Mapping) else {}
    seconds = known.get("seconds")
    taken = seconds.get("training") if isinstance(seconds, Mapping) else None
    data: dict[str, Any] = {
        "facts": [
            ["algorithm", _in_all(recipe.kind.title) if recipe is not None else None],
            ["corpus", _text(corpus.get("name"))],
            ["tokens", _whole(corpus.get("tokens"))],
            ["types", _whole(corpus.get("types"))],
            ["words", len(subject.embeddings)],
            ["words_here", words],
            ["dimensions", subject.embeddings.dim],
            ["trained_in", float(taken) if isinstance(taken, (int, float)) else None],
            ["created", _text(str(known.get("created", ""))[:10])],
            ["version", _text(known.get("version"))],
            ["digest", subject.digest],
        ],
        "methods": paragraph(subject) if recipe is not None else "",
        "settings": [],
    }
    if recipe is not None:
        data["settings"] = [
            {
                "name": spec.name,
                "label": _in_all(spec.label),
                "symbol": spec.symbol,
                "value": _shown_value(recipe.value(spec.name), spec),
            }
            for spec in recipe.kind.params_type.specs()
            if spec.name != "scheduler"
        ]
    return PageSection("training", _SCRIPTS, data | _loss(subject), _curve(subject), _TEXTS)


def _loss(subject: ExportSource) -> dict[str, Any]:
    recipe, final = subject.recipe, final_loss.read(subject.metadata)
    floor = loss_floor.read(subject.metadata)
    return {
        "lossLabel": _in_all(recipe.kind.loss_label) if recipe is not None else {},
        "final": None if final is None else {"value": final.value, "error": final.error},
        "finalTitle": {} if final is None else _in_all(final_loss.title(final)),
        "floor": None if floor is None else floor.value,
    }


def _curve(subject: ExportSource) -> dict[str, Any]:
    trace = subject.trace
    if len(trace) < 2:
        return {}
    chosen = np.unique(np.linspace(0, len(trace) - 1, min(len(trace), _POINTS)).round().astype(int))
    return {
        "progress": trace.progress[chosen].astype(np.float32),
        "losses": trace.loss[chosen].astype(np.float32),
    }


def _shown_value(value: Value, spec: Spec) -> Value | dict[str, str]:
    """A value as the form shows it: a choice, and a number that stands for something else, such as
    “no limit” for 0, in all languages.
    """
    if spec.choices:
        return {name: choice_text(str(value), name) for name in ("en", *languages())}
    meant = {name: special_value(value, doc) for name, doc in _in_all(spec.doc).items()}
    return meant if all(meant.values()) else value


def _in_all(text: str) -> dict[str, str]:
    """A text of the program's language in all languages."""
    source = source_text(text)
    return {name: translation(source, name) for name in ("en", *languages())}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
