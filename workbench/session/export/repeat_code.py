"""Python code that repeats a run with the library of the workbench and checks the result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.core.language import source_text, tr
from workbench.session.export import programs
from workbench.session.export.export_source import NO_RECIPE, ExportSource, Recipe
from workbench.session.training.continuation import RATE

SCRIPT, NOTEBOOK = "script", "notebook"
# How each stops: SystemExit, which ends a script with one line, only irritates Jupyter.
_PROBLEMS = {SCRIPT: "SystemExit", NOTEBOOK: "ValueError"}


def why_not_repeat(subject: ExportSource) -> str | None:
    """Why no code can repeat the run, in a sentence; None if it can."""
    if subject.recipe is None:
        return NO_RECIPE
    if subject.recipe.continued is not None and not subject.parent_file:
        return tr("The run continues another run whose vectors are no longer available.")
    return None


def origin_lines(subject: ExportSource, place: str) -> list[str]:
    """Comments that say what the code repeats, and what differs. ``place`` names what contains it:
    SCRIPT or NOTEBOOK.
    """
    recipe = subject.recipe
    assert recipe is not None
    version = programs.one_line(str(subject.metadata.get("version", "")))
    lines = programs.comment_lines(
        [
            f"Repeats “{subject.name}”: {source_text(recipe.kind.title)}, on "
            f"{_describe_corpus(recipe)}."
        ]
    )
    lines += programs.comment_lines(
        [f"Written by Embedding Workbench, version {version or 'unknown'}."]
    )
    return lines + programs.comment_lines(_remark_sentences(subject, recipe, place))


def repeat_lines(subject: ExportSource, place: str) -> list[str]:
    """Code that reads the corpus, trains ``vectors``, saves them, and compares them with those of
    the run.
    """
    recipe = subject.recipe
    assert recipe is not None
    lines = ["import hashlib", "", "import numpy as np", ""]
    names = ["read_corpus" if recipe.counts is None else "open_counts", "save_vectors"]
    names += ["train"] if recipe.continued is None else ["load_vectors", "train_on"]
    lines.append(f"from workbench import {', '.join(sorted(names))}")
    if recipe.counts is None:
        lines.append("from workbench.corpus.corpus import CorpusOptions")
    if recipe.choice is not None:
        lines.append(
            "from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing"
        )
    lines += ["", *_corpus_lines(recipe, place), *_training_lines(subject, recipe)]
    if recipe.choice is not None:
        values = ", ".join(f"{name}={value!r}" for name, value in recipe.choice.to_dict().items())
        lines.append(f"vectors = apply_postprocessing(vectors, Postprocessing({values}))")
    lines += [
        f'save_vectors(vectors, "{recipe.kind.key}.npz")',
        "",
        *_check_lines(subject, recipe, place),
    ]
    return lines


def _describe_corpus(recipe: Recipe) -> str:
    tokens = recipe.corpus.get("tokens")
    name = str(recipe.corpus.get("name", "")) or "a corpus"
    if recipe.counts is not None:
        name = f"the counts {name}"
    if isinstance(tokens, int):
        return f"{name} ({tokens:,} tokens)"
    return name


def _remark_sentences(subject: ExportSource, recipe: Recipe, place: str) -> list[str]:
    found = []
    if not subject.is_complete:
        found.append(
            f"The run was stopped early; this {place} trains to the end, so the vectors differ."
        )
    if recipe.value("threads", 1) != 1:
        found.append(
            "With several threads, vectors differ slightly each time. With threads=1, they don’t."
        )
    return found


def _corpus_lines(recipe: Recipe, place: str) -> list[str]:
    """Lines that read and check the corpus, with every option that isn't the default, or the
    counts.
    """
    if recipe.counts is not None:
        return _counts_lines(recipe, place)
    chosen = ", ".join(f"{name}={value!r}" for name, value in recipe.reading.items())
    shown = ", ".join(repr(source) for source in recipe.sources)
    lines = [f"corpus = read_corpus([{shown}], CorpusOptions({chosen}))"]
    digest = recipe.corpus.get("digest")
    if isinstance(digest, str) and digest:
        lines += [
            f"if corpus.digest != {digest!r}:",
            f'    raise {_PROBLEMS[place]}("This isn’t the text that the run was trained on.")',
        ]
    return lines


def _counts_lines(recipe: Recipe, place: str) -> list[str]:
    digest = str(recipe.corpus.get("digest", ""))
    return [
        f"corpus = open_counts({recipe.folder!r})",
        f"if corpus.digest != {digest!r}:",
        f'    raise {_PROBLEMS[place]}("These aren’t the counts that the run was trained on.")',
        "corpus.shards.verify()",
    ]


def _training_lines(subject: ExportSource, recipe: Recipe) -> list[str]:
    values: Mapping[str, Any] = recipe.params.to_dict()
    if recipe.continued is not None:
        passes, rate = values[recipe.kind.passes], values.get(RATE)
        return [
            f"start = load_vectors({str(Path(subject.parent_file))!r})",
            f"vectors = train_on(start, corpus, {passes!r}, {rate!r})",
        ]
    given = "".join(f"    {name}={value!r},\n" for name, value in values.items())
    return [f"vectors = train(\n    corpus,\n    {recipe.kind.key!r},\n{given})"]


def _check_lines(subject: ExportSource, recipe: Recipe, place: str) -> list[str]:
    """Lines that report whether the vectors equal the run’s; if they can’t, a reference to the
    reason above.
    """
    other = "The vectors differ from those of the run."
    if _remark_sentences(subject, recipe, place):
        other = f"The vectors differ from those of the run; the start of this {place} says why."
    part = ".data" if subject.embeddings.sparse else ""
    return [
        f'numbers = np.ascontiguousarray(vectors.vectors{part}, dtype="<f4").tobytes()',
        "found = hashlib.blake2b(numbers, digest_size=16).hexdigest()",
        f'print("The vectors are those of the run." if found == {subject.digest!r} else "{other}")',
    ]
