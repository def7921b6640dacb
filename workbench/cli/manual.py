"""Tables of the guide from declarations; ``python tests/manual.py`` writes them into its pages.

Hyperparameters, algorithms, formats, readers, tokenisers, corpora, lessons and commands; actions
are made by :mod:`workbench.ui.commands.manual`, what lessons can say by
:mod:`workbench.session.lessons.manual`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.analysis.projection.methods import UmapParams
from workbench.analysis.theory.targets import SCORES, TARGETS
from workbench.cli import VERBS
from workbench.core.atomic import replacing
from workbench.core.markdown import escape_text, fill_parts, format_table
from workbench.core.params import Params, Spec, Value
from workbench.corpus.catalogue import CATALOGUE
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.readers import READERS
from workbench.corpus.samples import SAMPLES
from workbench.corpus.tokenisers import TOKENISERS
from workbench.counts.formats import COUNT_FORMATS
from workbench.models.base import MODELS, Model
from workbench.session.export import SHARES
from workbench.session.lessons import bundled_lessons
from workbench.vectors.formats import FORMATS

_HEAD = (
    "name",
    "symbol",
    "default",
    "values",
    "unit",
    "what it does",
    "as it grows",
    "where the default is from",
)
_FAMILIES = {"predict": "predicts", "count": "counts"}
# What an Embeddings can hold besides words and vectors, as people call it.
_PARTS = {
    "counts": "counts",
    "contexts": "context vectors",
    "biases": "biases",
    "ngram_vectors": "n-grams",
    "state": "what training needs to go on",
    "sparse": "sparse vectors",
    "metadata": "provenance",
}


def parts() -> dict[str, str]:
    """Every part in Markdown, by its name; that of an algorithm is its key, and its table
    ``key-parameters``.
    """
    made = {
        "algorithms": _algorithms(),
        "parameters": "\n\n".join(map(_chapter, MODELS)),
        "umap-parameters": parameters(UmapParams, "umap"),
        "corpus-options": parameters(CorpusOptions, "text"),
        "vector-formats": _vector_formats(),
        "count-formats": format_table(
            ("format", "key", "suffix", "columns"),
            (
                (
                    kind.title,
                    f"`{kind.key}`",
                    _codes(kind.suffixes),
                    "measures of one’s choice" if kind.table else "",
                )
                for kind in COUNT_FORMATS
            ),
        ),
        "readers": _readers(),
        "tokenisers": _tokenisers(),
        "corpora": _corpora(),
        "lessons": format_table(
            ("lesson", "key", "level", "minutes", "about"),
            (
                (
                    lesson.title,
                    f"`{lesson.key}`",
                    lesson.level,
                    str(lesson.minutes),
                    escape_text(lesson.about),
                )
                for lesson in bundled_lessons()
            ),
        ),
        "shares": format_table(
            ("what", "key", "what it is for"),
            ((kind.title, f"`{kind.key}`", escape_text(kind.summary)) for kind in SHARES),
        ),
        "commands": format_table(
            ("command", "what it does"),
            ((f"`workbench {name}`", verb.summary) for name, verb in VERBS.items()),
        ),
    }
    return made | {kind.key: _facts(kind) for kind in MODELS}


def parameters(kind: type[Params], key: str) -> str:
    """The table of a declaration; each row has a place of its own that links lead to."""
    return format_table(_HEAD, (_row(spec, key) for spec in kind.specs()))


def _row(spec: Spec, key: str) -> tuple[str, ...]:
    name = f'<a id="{_place(key, spec)}"></a>`{spec.name}`'
    values = spec.describe_range()
    told = map(escape_text, (spec.unit, spec.doc, spec.grows, spec.source))
    return name, spec.symbol, _value(spec.default), values, *told


def _place(key: str, spec: Spec) -> str:
    return f"{key}-{spec.name}"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        if value:
            return "on"
        return "off"
    if isinstance(value, str):
        if value:
            return f"`{value}`"
        return "empty"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}"


def _algorithms() -> str:
    rows = (
        (
            f"[{kind.title}](#{_anchor(kind.title)})",
            f"`{kind.key}`",
            _FAMILIES[kind.family],
            escape_text(kind.summary),
        )
        for kind in MODELS
    )
    return format_table(("algorithm", "key", "how", "in one sentence"), rows)


def _facts(kind: type[Model]) -> str:
    """Key, citation, presets and parameters of an algorithm, with links to their tables."""
    names = ", ".join(
        f"[`{spec.name}`](parameters.md#{_place(kind.key, spec)})"
        for spec in kind.params_type.specs()
    )
    return "\n".join(
        [
            f"- **Key** `{kind.key}`; its runs are called {kind.short} 1, {kind.short} 2 …",
            f"- **Citation** {escape_text(kind.citation)}.",
            f"- **Loss shown** {kind.loss_label or 'none, it is solved directly'}",
            f"- **Factorises** {_target_sentence(kind)}",
            f"- **Parameters** {names}",
            "- **Presets**",
            *(
                f"  - {preset.name}: {_preset(preset.values)}. *{escape_text(preset.source)}*"
                for preset in kind.presets
            ),
        ]
    )


def _target_sentence(kind: type[Model]) -> str:
    """Sentence about an algorithm's products and their target, as in the panels Theory and
    Matrix.
    """
    own = kind.theory_target
    if own.missing:
        return own.missing
    target = TARGETS[own.target]
    said = (
        f"`{SCORES[own.score]}` stands for {escape_text(target.title)} = `{target.formula}`, "
        f"{target.words}."
    )
    return f"{said} {own.note}".strip()


def _preset(values: Mapping[str, Value]) -> str:
    return (
        ", ".join(f"`{name}` {_value(value)}" for name, value in values.items()) or "the defaults"
    )


def _chapter(kind: type[Model]) -> str:
    title = (
        f"[How it works](algorithms.md#{_anchor(kind.title)}). `workbench train CORPUS "
        f"--algorithm {kind.key}`"
    )
    return f"## {kind.title}\n\n{title}\n\n{parameters(kind.params_type, kind.key)}"


def _vector_formats() -> str:
    rows = []
    for kind in FORMATS:
        whole = {"metadata", "state"} <= kind.keeps
        kept = "everything"
        if not whole:
            kept = ", ".join(told for part, told in _PARTS.items() if part in kind.keeps)
        form = "a file"
        if kind.files:
            form = f"a folder with {', '.join(f'`{name}`' for name in sorted(kind.files))}"
        rows.append((kind.title, f"`{kind.key}`", _codes(kind.suffixes), form, kept))
    return format_table(("format", "key", "suffix", "is", "holds besides words and vectors"), rows)


def _readers() -> str:
    rows = (
        (
            kind.title,
            f"`{kind.key}`",
            _codes((*kind.suffixes, *kind.ambiguous_suffixes)),
            "a column or field is chosen" if kind.columns else "",
        )
        for kind in READERS
    )
    return format_table(("kind", "key", "suffixes", ""), rows)


def _tokenisers() -> str:
    rows = []
    for kind in TOKENISERS:
        needs = ", ".join(kind.packages.values())
        if kind.extra and needs:
            needs = f"the extra `{kind.extra}`: {needs}"
        rows.append((kind.title, f"`{kind.key}`", needs))
    return format_table(("tokeniser", "key", "needs"), rows)


def _corpora() -> str:
    def rows() -> Iterator[tuple[str, ...]]:
        for sample in SAMPLES.values():
            yield sample.title, f"`{sample.key}`", "bundled", "", escape_text(sample.summary)
        for entry in CATALOGUE.values():
            size = "varies"
            if entry.size:
                size = f"{entry.size / 1e6:,.0f} MB"
            yield entry.title, f"`{entry.key}`", size, entry.licence, escape_text(entry.summary)

    return format_table(("corpus", "key", "download", "licence", "what it is"), rows())


def _codes(suffixes: tuple[str, ...]) -> str:
    return " ".join(f"`{suffix}`" for suffix in suffixes)


def _anchor(title: str) -> str:
    """The place that hosts of Markdown give a heading: small letters, hyphens for blanks, no other
    marks.
    """
    kept = (letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return "".join(kept).replace(" ", "-")


def write(folder: Path) -> None:
    """Put the parts into every page of a folder. Raises OSError."""
    made = parts()
    for page in sorted(folder.rglob("*.md")):
        before = page.read_text("utf-8")
        after = fill_parts(before, made)
        if after != before:
            with replacing(page) as temporary:
                temporary.write_text(after, "utf-8")
