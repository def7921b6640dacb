"""Tables of the guide from declarations, which ``python tests/tools/manual.py`` writes into its
pages.

Hyperparameters, algorithms, formats, readers, tokenisers, corpora, lessons and commands. Tables of
actions are in :mod:`workbench.ui.commands.manual`, those of lesson directives and measures in
:mod:`workbench.session.lessons.manual`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.resampling.texts_drawn import ResampleParams
from workbench.analysis.theory.loss_floor import TITLES
from workbench.analysis.theory.targets import SCORES, TARGETS
from workbench.cli import VERBS
from workbench.core.atomic import replacing
from workbench.core.params import Params, Spec, Value
from workbench.core.text.markdown import escape_text, fill_parts, format_table
from workbench.corpus.catalogue import DATA, CatalogueEntry, Kind
from workbench.corpus.catalogue.texts import TEXTS
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.groups import GroupParams
from workbench.corpus.readers import READERS
from workbench.corpus.samples import SAMPLES
from workbench.corpus.tokenise.tokenisers import TOKENISERS
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
    "higher values",
    "where the default is from",
)
_FAMILIES = {"predict": "predicts", "count": "counts"}
# Usual names of the contents of an Embeddings besides words and vectors.
_PARTS = {
    "counts": "counts",
    "contexts": "context vectors",
    "biases": "biases",
    "ngram_vectors": "n-grams",
    "state": "what continued training needs",
    "sparse": "sparse vectors",
    "metadata": "provenance",
}


class _Shared(NamedTuple):
    """A parameter of several algorithms: its most common declaration, the anchor of its row, and
    the keys of the algorithms.
    """

    spec: Spec
    place: str
    keys: tuple[str, ...]


def parts() -> dict[str, str]:
    """Every part in Markdown, by its name; an algorithm's part has its key as name."""
    documents = {
        "algorithms": _algorithms(),
        "shared-parameters": _shared_table(),
        "parameters": "\n\n".join(map(_chapter, MODELS)),
        "umap-parameters": parameters(UmapParams, "umap"),
        "projection-parameters": _projection_parameters(),
        "corpus-options": parameters(CorpusOptions, "text"),
        "group-options": parameters(GroupParams, "group"),
        "grouped-options": parameters(GroupedParams, "grouped"),
        "resample-options": parameters(ResampleParams, "resample"),
        "vector-formats": _vector_formats(),
        "count-formats": format_table(
            ("format", "key", "suffix", "columns"),
            (
                (
                    kind.title,
                    f"`{kind.key}`",
                    _codes(kind.suffixes),
                    "the measures that you choose" if kind.table else "",
                )
                for kind in COUNT_FORMATS
            ),
        ),
        "readers": _readers(),
        "tokenisers": _tokenisers(),
        "corpora": _corpora(),
        "known-vectors": _data(Kind.VECTORS),
        "known-texts": _data(Kind.TEXT),
        "known-tests": _data(Kind.ANALOGIES, Kind.SIMILARITY),
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
            ("export", "key", "purpose"),
            ((kind.title, f"`{kind.key}`", escape_text(kind.summary)) for kind in SHARES),
        ),
        "commands": format_table(
            ("command", "purpose"),
            ((f"`workbench {name}`", verb.summary) for name, verb in VERBS.items()),
        ),
    }
    return documents | {kind.key: _facts(kind) for kind in MODELS}


def _projection_parameters() -> str:
    """Table of the settings that projections add to those of UMAP."""
    common = {spec.name for spec in UmapParams.specs()}
    rows: dict[str, tuple[str, ...]] = {}
    for kind in PROJECTIONS:
        for spec in (kind.params_type or UmapParams).specs():
            if spec.name not in common:
                rows.setdefault(spec.name, (f"`{kind.key}`", *_row(spec, kind.key)))
    return format_table(("method", *_HEAD), rows.values())


def parameters(kind: type[Params], key: str) -> str:
    """Table of a declaration; each row has an anchor for links."""
    return format_table(_HEAD, (_row(spec, key) for spec in kind.specs()))


def _row(spec: Spec, key: str) -> tuple[str, ...]:
    values = spec.describe_range()
    texts = map(escape_text, (spec.unit, spec.doc, spec.grows, spec.source))
    return _named(spec, key), spec.symbol, _value(spec.default), values, *texts


def _named(spec: Spec, key: str) -> str:
    return f'<a id="{_place(key, spec)}"></a>`{spec.name}`'


def _place(key: str, spec: Spec) -> str:
    return f"{key}-{spec.name}"


def _meaning(spec: Spec) -> tuple[str, ...]:
    """The texts that must be equal for two algorithms to share a parameter."""
    return spec.name, spec.symbol, spec.unit, spec.describe_range(), spec.doc


def _shared() -> dict[tuple[str, ...], _Shared]:
    """Every parameter that several algorithms describe in the same way, by its meaning."""
    return _shared_by(MODELS.keys())


@cache
def _shared_by(keys: tuple[str, ...]) -> dict[tuple[str, ...], _Shared]:
    found: dict[tuple[str, ...], list[tuple[str, Spec]]] = {}
    for kind in map(MODELS.__getitem__, keys):
        for spec in kind.params_type.specs():
            found.setdefault(_meaning(spec), []).append((kind.key, spec))
    shared: dict[tuple[str, ...], _Shared] = {}
    places: Counter[str] = Counter()
    for meaning in sorted(found, key=lambda each: (-len(found[each]), each)):
        uses = found[meaning]
        if len(uses) > 1:
            specs = Counter(spec for _, spec in uses)
            spec, _ = specs.most_common(1)[0]
            places[spec.name] += 1
            number = places[spec.name]
            place = _place("shared", spec) + (f"-{number}" if number > 1 else "")
            shared[meaning] = _Shared(spec, place, tuple(key for key, _ in uses))
    return shared


def _shared_table() -> str:
    rows = []
    for one in sorted(_shared().values(), key=lambda each: each.place):
        _, *cells = _row(one.spec, "shared")
        rows.append((f'<a id="{one.place}"></a>`{one.spec.name}`', *cells, _used_by(one.keys)))
    return format_table((*_HEAD, "algorithms"), rows)


def _used_by(keys: tuple[str, ...]) -> str:
    others = [kind.key for kind in MODELS if kind.key not in keys]
    if not others:
        return "all"
    if len(others) < 4:
        return f"all but {_codes(tuple(others))}"
    return _codes(keys)


def _differs(spec: Spec) -> bool:
    """Whether an algorithm's own table includes a parameter, because it differs from the shared
    one.
    """
    shared = _shared().get(_meaning(spec))
    return shared is None or spec.default != shared.spec.default


def _link(kind: type[Model], spec: Spec) -> str:
    place = _place(kind.key, spec)
    if not _differs(spec):
        place = _shared()[_meaning(spec)].place
    return f"[`{spec.name}`](../parameters.md#{place})"


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
            f"[{kind.title}](algorithms/{kind.key}.md)",
            f"`{kind.key}`",
            _FAMILIES[kind.family],
            escape_text(kind.summary),
        )
        for kind in MODELS
    )
    return format_table(("algorithm", "key", "method", "summary"), rows)


def _facts(kind: type[Model]) -> str:
    """Key, citation, presets and parameters of an algorithm, with links to their tables."""
    names = ", ".join(_link(kind, spec) for spec in kind.params_type.specs())
    return "\n".join(
        [
            f"- **Key** `{kind.key}`; its runs are named {kind.short} 1, {kind.short} 2, …",
            f"- **Citation** {escape_text(kind.citation)}.",
            f"- **Loss shown** {kind.loss_label or 'none; it is solved directly'}",
            f"- **Floor of the loss** {_floor(kind)}",
            f"- **Factorises** {_target_sentence(kind)}",
            f"- **Parameters** {names}",
            "- **Presets**",
            *(
                f"  - {preset.name}: {_preset(preset.values)}. *{escape_text(preset.source)}*"
                for preset in kind.presets
            ),
        ]
    )


def _floor(kind: type[Model]) -> str:
    """Formula of an algorithm's floor, or why there is none."""
    own = kind.loss_floor
    return own.missing or TITLES[own.formula]


def _target_sentence(kind: type[Model]) -> str:
    """Sentence about an algorithm's products and their target, as in the panels Theory and
    Matrix.
    """
    own = kind.theory_target
    if own.missing:
        return own.missing
    target = TARGETS[own.target]
    said = (
        f"`{SCORES[own.score]}` approximates {escape_text(target.title)} = `{target.formula}`, "
        f"{target.words}."
    )
    return f"{said} {own.note}".strip()


def _preset(values: Mapping[str, Value]) -> str:
    return (
        ", ".join(f"`{name}` {_value(value)}" for name, value in values.items()) or "the defaults"
    )


def _chapter(kind: type[Model]) -> str:
    head = f"## {kind.title}\n\n[How it works](algorithms/{kind.key}.md)."
    rows = []
    for spec in filter(_differs, kind.params_type.specs()):
        row = _row(spec, kind.key)
        shared = _shared().get(_meaning(spec))
        if shared is not None:
            name, symbol, default, *_, source = row
            link = f"[as shared](#{shared.place})"
            row = (name, symbol, default, "", "", link, "", source)
        rows.append(row)
    if not rows:
        return f"{head} All its parameters are shared, with their defaults."
    return f"{head}\n\n{format_table(_HEAD, rows)}"


def _vector_formats() -> str:
    rows = []
    for kind in FORMATS:
        whole = {"metadata", "state"} <= kind.keeps
        kept = "everything"
        if not whole:
            kept = ", ".join(
                description for part, description in _PARTS.items() if part in kind.keeps
            )
        form = "a file"
        if kind.files:
            form = f"a folder with {', '.join(f'`{name}`' for name in sorted(kind.files))}"
        rows.append((kind.title, f"`{kind.key}`", _codes(kind.suffixes), form, kept))
    return format_table(
        ("format", "key", "suffix", "is", "contains besides words and vectors"), rows
    )


def _readers() -> str:
    rows = (
        (
            kind.title,
            f"`{kind.key}`",
            _codes((*kind.suffixes, *kind.ambiguous_suffixes)),
            "you choose a column or field" if kind.columns else "",
        )
        for kind in READERS
    )
    return format_table(("kind", "key", "suffixes", "note"), rows)


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
        for entry in TEXTS:
            yield _data_row(entry)

    return format_table(("corpus", "key", "download", "licence", "description"), rows())


def _data_row(entry: CatalogueEntry) -> tuple[str, ...]:
    size = entry.size_text if entry.bytes else "not published"
    return entry.title, f"`{entry.key}`", size, entry.licence, escape_text(entry.summary)


def _data(*kinds: Kind) -> str:
    listed = [entry for entry in DATA.values() if entry.kind in kinds and entry not in TEXTS]
    rows = [_data_row(entry) for entry in listed]
    return format_table(("data", "key", "download", "licence", "description"), rows)


def _codes(suffixes: tuple[str, ...]) -> str:
    return " ".join(f"`{suffix}`" for suffix in suffixes)


def write(folder: Path) -> None:
    """Update the parts in every page of a folder. Raises OSError."""
    documents = parts()
    for page in sorted(folder.rglob("*.md")):
        before = page.read_text("utf-8")
        after = fill_parts(before, documents)
        if after != before:
            with replacing(page) as temporary:
                temporary.write_text(after, "utf-8")
