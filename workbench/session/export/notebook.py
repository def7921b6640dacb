"""Jupyter notebook that repeats a run and draws its figures, in the format nbformat 4.5.

The cells contain no outputs, and nothing of the vectors: they are computed when they are run.
"""

from __future__ import annotations

import hashlib

from workbench.core.job_control import JobControl
from workbench.core.json_text import json_text
from workbench.core.language import source_text, tr
from workbench.session.export import programs
from workbench.session.export.base import Share
from workbench.session.export.export_source import ExportSource
from workbench.session.export.repeat_code import (
    NOTEBOOK,
    origin_lines,
    repeat_lines,
    why_not_repeat,
)

# Words of the map.
_MAP_WORDS = 500
_NEIGHBOURS = 10
_MOST_WORDS = 6


class Notebook(Share):
    key = "notebook"
    title = tr("Notebook")
    summary = tr(
        "Jupyter notebook that repeats the run with Embedding Workbench, and draws "
        "its loss, a map and neighbours with matplotlib."
    )
    order = 12

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        return why_not_repeat(subject)

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        recipe = subject.recipe
        assert recipe is not None
        name = programs.one_line(subject.name)
        cells = [
            _text(
                tr("# {name}", name=_markdown(name)),
                tr(
                    "This notebook repeats a run of Embedding Workbench. It needs the packages "
                    "`embedding-workbench` and `matplotlib`."
                ),
            ),
            _code([*origin_lines(subject, NOTEBOOK), *repeat_lines(subject, NOTEBOOK)]),
        ]
        if len(subject.trace) > 1:
            cells += [
                _text(
                    tr("## Loss"),
                    tr("The loss of the original run, by the share of the training."),
                ),
                _code(_loss_lines(subject, source_text(recipe.kind.loss_label))),
            ]
        cells += [
            _text(
                tr("## Neighbours"),
                tr("The nearest words by cosine. Change the list to see others."),
            ),
            _code(_neighbour_lines(subject)),
            _text(
                tr("## Map"),
                tr("The first two principal components of the most frequent words."),
            ),
            _code(_map_lines()),
        ]
        document = {
            "cells": [{**cell, "id": _identifier(at, cell)} for at, cell in enumerate(cells)],
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"},
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return {"repeat.ipynb": json_text(document, indent=1) + "\n"}


def _text(*paragraphs: str) -> dict[str, object]:
    return {
        "cell_type": "markdown",
        "metadata": {},
        "source": "\n\n".join(paragraphs).splitlines(keepends=True),
    }


def _code(lines: list[str]) -> dict[str, object]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": "\n".join(lines).splitlines(keepends=True),
    }


def _identifier(at: int, cell: dict[str, object]) -> str:
    """A name of a cell that is the same for the same content."""
    content = repr((at, cell["source"])).encode()
    return hashlib.blake2b(content, digest_size=4).hexdigest()


def _markdown(text: str) -> str:
    """Text without a meaning in Markdown or HTML."""
    return "".join(f"\\{char}" if char in r"\`*_{}[]()#+-.!|<>&$~" else char for char in text)


def _loss_lines(subject: ExportSource, label: str) -> list[str]:
    trace = subject.trace
    return [
        "import matplotlib.pyplot as plt",
        "",
        f"progress = {[round(float(at), 6) for at in trace.progress]!r}",
        f"loss = {[round(float(value), 6) for value in trace.loss]!r}",
        "plt.plot(progress, loss)",
        'plt.xlabel("share of the training")',
        f"plt.ylabel({label!r})",
        "plt.show()",
    ]


def _neighbour_lines(subject: ExportSource) -> list[str]:
    embeddings = subject.embeddings
    known = [word for word, has in zip(embeddings.words, embeddings.has_vector, strict=True) if has]
    # The most frequent words say little.
    words = list(subject.words[:_MOST_WORDS]) or known[len(known) // 20 :][:_MOST_WORDS]
    return [
        "from workbench import nearest",
        "",
        f"for word in {words!r}:",
        f"    found = nearest(vectors, word, {_NEIGHBOURS})",
        '    print(word, "·", ", ".join(f"{one.word} {one.cosine:.2f}" for one in found))',
    ]


def _map_lines() -> list[str]:
    return [
        "import matplotlib.pyplot as plt",
        "import numpy as np",
        "",
        f"size = min({_MAP_WORDS}, len(vectors.words))",
        "table = vectors.unit[:size]",
        "table = np.asarray(table.todense() if vectors.sparse else table)",
        "table = table - table.mean(axis=0)",
        "left, lengths, _ = np.linalg.svd(table, full_matrices=False)",
        "places = left[:, :2] * lengths[:2]",
        "plt.figure(figsize=(10, 8))",
        "plt.scatter(*places.T, s=4)",
        "for word, place in list(zip(vectors.words, places))[:100]:",
        '    plt.annotate(word.replace("$", r"\\$"), place, fontsize=8)',
        "plt.show()",
    ]
