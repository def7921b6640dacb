"""Report of a run as one HTML page without scripts or external files, light or dark like the
system.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from workbench.analysis.neighbours.nearest import nearest
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import source_text, tr
from workbench.session.export import markup
from workbench.session.export.base import Share
from workbench.session.export.export_source import ExportSource, Recipe
from workbench.session.export.markup import text
from workbench.session.export.methods_text import paragraph
from workbench.session.export.style import STYLE
from workbench.session.runs import final_loss, loss_floor

_SHOWN = 8
_NEAREST = 6
# Default ranks of the words in the report: neither the most frequent, which co-occur with all
# words, nor the rarest, which have learned little.
_FROM, _TO = 60, 2000


class Report(Share):
    key = "report"
    title = tr("Report")
    summary = tr("HTML page with settings, corpus, loss, neighbours and scores.")
    order = 70

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        return None

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        recipe = subject.recipe
        title = source_text(recipe.kind.title) if recipe is not None else "Vectors from a file"
        created = subject.metadata.get("created")
        when = f" · {created}" if isinstance(created, str) else ""
        parts = [
            f"<h1>{text(subject.name)}</h1><p class='m'>{text(title + when)}</p>",
            f"<p>{text(paragraph(subject))}</p>" if recipe is not None else "",
            _facts_html(subject),
            _loss_html(subject, recipe),
            _parameters_html(recipe),
            _scores_html(subject),
            _neighbours_html(subject, run),
            _citation_html(recipe),
        ]
        head = (
            f'<!doctype html><html lang="en"><head><meta '
            f'charset="utf-8"><title>{text(subject.name)}</title>'
        )
        head += '<meta name="viewport" content="width=device-width,initial-scale=1">'
        # With any words, the page runs no scripts and requests nothing.
        head += (
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
            "'unsafe-inline'\">"
        )
        return {
            "report.html": f"{head}<style>{STYLE}</style></head>"
            f"<body><main>{''.join(parts)}</main></body></html>\n"
        }


def _facts_html(subject: ExportSource) -> str:
    embeddings, known = subject.embeddings, subject.metadata
    rows: list[tuple[str, object]] = [
        ("Words", f"{len(embeddings):,}"),
        ("Columns" if embeddings.sparse else "Dimensions", f"{embeddings.dim:,}"),
    ]
    corpus = known.get("corpus")
    if isinstance(corpus, Mapping):
        counts = corpus.get("counts")
        rows.append(("Corpus" if counts is None else "Counts", corpus.get("name", "")))
        rows += [
            (title, f"{corpus[name]:,}")
            for name, title in (("tokens", "Tokens"), ("types", "Types"))
            if _is_whole(corpus.get(name))
        ]
        files = corpus.get("files")
        if isinstance(files, list) and files:
            # Only the file names: the folders are private.
            names = [Path(str(path)).name for path in files[:3]]
            more = f" and {len(files) - 3:,} more" if len(files) > 3 else ""
            rows.append(("Files", ", ".join(names) + more))
        if isinstance(counts, Mapping):
            rows += _count_rows(counts)
        rows.append(
            (
                "Digest of the corpus" if counts is None else "Digest of the counts",
                corpus.get("digest", ""),
            )
        )
    seconds = known.get("seconds")
    if isinstance(seconds, Mapping) and isinstance(seconds.get("training"), (int, float)):
        rows.append(("Training", f"{seconds['training']:,.1f} s"))
    rows.append(("Digest of the vectors", subject.digest))
    versions = known.get("versions")
    if isinstance(versions, Mapping):
        rows.append(
            ("Software", ", ".join(f"{name} {number}" for name, number in versions.items()))
        )
    return "<h2>Facts</h2>" + markup.table(("", ""), rows)


def _count_rows(counts: Mapping[str, object]) -> list[tuple[str, object]]:
    """Rows that say how the pairs were counted, and in which text."""
    row_keys = [
        ("Cells", "cells"),
        ("Shards", "shards"),
        ("Window", "window"),
        ("Weighting", "window_weighting"),
    ]
    rows: list[tuple[str, object]] = [
        (title, _format_value(counts[name])) for title, name in row_keys if name in counts
    ]
    if "symmetric" in counts:
        rows.append(("Contexts", "on both sides" if counts["symmetric"] else "to the right"))
    of = counts.get("corpus")
    if isinstance(of, Mapping):
        rows.append(("Counted text", of.get("name", "")))
        if _is_whole(of.get("tokens")):
            rows.append(("Tokens in the text", f"{of['tokens']:,}"))
    return rows


def _loss_html(subject: ExportSource, recipe: Recipe | None) -> str:
    trace = subject.trace
    if len(trace) < 2:
        return ""
    label = source_text(recipe.kind.loss_label) if recipe is not None else "loss"
    figure = markup.curve(
        100 * trace.progress, trace.loss, "% of the training", "loss", f"Loss: {label}"
    )
    final = final_loss.read(subject.metadata)
    end = f"{trace.loss[-1]:.4g} at the last point"
    if final is not None:
        end = f"{final_loss.format_loss(final)} at the end ({source_text(final_loss.title(final))})"
    floor = loss_floor.read(subject.metadata)
    if floor is not None and floor.value is not None and final is not None:
        end += f"; {loss_floor.format_floor(floor, final)}"
    note = source_text(loss_floor.explain_negative_gap(floor, final))
    caption = f"{label}: {trace.loss[0]:.4g} at the start, {end}. {note}".strip()
    return (
        f"<h2>Loss</h2><figure>{figure}<figcaption class='m'>{text(caption)}</figcaption></figure>"
    )


def _parameters_html(recipe: Recipe | None) -> str:
    if recipe is None:
        return ""
    rows = [
        (spec.name, spec.symbol, recipe.value(spec.name), spec.default, spec.doc)
        for spec in recipe.kind.params_type.specs()
    ]
    shown = [
        (name, symbol, _format_value(value), _format_value(default), source_text(doc))
        for name, symbol, value, default, doc in rows
    ]
    return "<h2>Parameters</h2>" + markup.table(
        ("", "", "value", "default", "what it does"), shown, (2, 3)
    )


def _scores_html(subject: ExportSource) -> str:
    if not subject.scores:
        return ""
    rows = []
    for title, score in subject.scores:
        interval = f"{_format_decimal(score.low)} to {_format_decimal(score.high)}"
        rows.append(
            (
                title,
                _format_decimal(score.value),
                interval,
                f"{100 * score.covered:.0f}%",
                f"{score.asked:,}",
            )
        )
    explanation = "<p class='m'>Accuracy on analogy questions, Spearman’s ρ on word similarity.</p>"
    head = ("set", "score", "95% interval", "coverage", "items")
    return f"<h2>Scores</h2>{markup.table(head, rows, (1, 2, 3, 4))}{explanation}"


def _neighbours_html(subject: ExportSource, run: JobControl) -> str:
    parts = []
    for word in shown_words(subject):
        run.check()
        try:
            found = nearest(subject.embeddings, word, _NEAREST)
        except UserError:
            continue
        parts.append(
            f"<section><h3>{text(word)}</h3>"
            f"{markup.bars([(one.word, one.cosine) for one in found])}</section>"
        )
    if not parts:
        return ""
    return (
        f"<h2>Nearest words</h2><p class='m'>By cosine.</p><div "
        f"class='words'>{''.join(parts)}</div>"
    )


def shown_words(subject: ExportSource) -> tuple[str, ...]:
    """The words whose neighbours are shown: those named, or some of medium frequency."""
    embeddings = subject.embeddings
    if subject.words:
        return tuple(word for word in subject.words if word in embeddings)
    first, last = min(_FROM, len(embeddings) // 10), min(_TO, len(embeddings) - 1)
    ranks = np.unique(np.geomspace(first + 1, last + 1, _SHOWN).astype(int) - 1)
    return tuple(
        embeddings.words[rank] for rank in ranks.tolist() if embeddings.words[rank].strip()
    )


def _citation_html(recipe: Recipe | None) -> str:
    if recipe is None:
        return ""
    works = "".join(f"<li>{text(part)}</li>" for part in recipe.kind.citation.split("; "))
    return f"<h2>References</h2><ul>{works}</ul>"


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        if value:
            return "yes"
        return "no"
    if isinstance(value, float):
        return f"{value:g}".replace("-", "−")
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    return str(value)


def _format_decimal(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.3f}".replace("-", "−")
    return "–"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
