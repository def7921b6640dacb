"""Hyperparameters of trainings from counts, and the counts that a run was trained from."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus, counted_values, open_counts
from workbench.models.base import MODELS, Model
from workbench.models.params import ModelParams

# Key in the source of a run: the folder of the counts it was trained from.
COUNTS = "counts"


def params_for(
    corpus: CountedCorpus, kind: type[Model], values: Mapping[str, object]
) -> ModelParams:
    """The parameters of a training from counts: the chosen ones, and those that the counts fix.

    Raises UserError for an algorithm that needs the text, and for values that contradict the
    counts.
    """
    check_kind(corpus, kind)
    names = {spec.name: spec.default for spec in kind.params_type.specs()}
    return kind.params_type.from_mapping({**values, **counted_values(corpus, names, values)})


def check(corpus: Corpus, kind: type[Model], params: ModelParams) -> None:
    """Raise UserError if ``corpus`` consists of counts, and this training isn't possible from
    them.
    """
    if isinstance(corpus, CountedCorpus):
        params_for(corpus, kind, params.to_dict())


def fixed_values(corpus: Corpus | None, kind: type[Model]) -> dict[str, Value]:
    """Settings that ``corpus`` fixes for an algorithm: those of its counts, none for a text.

    Raises UserError if there are only counts and the algorithm needs more.
    """
    if not isinstance(corpus, CountedCorpus):
        return {}
    check_kind(corpus, kind)
    return counted_values(
        corpus, {spec.name: spec.default for spec in kind.params_type.specs()}, {}
    )


def adapt_values(
    corpus: Corpus | None, kind: type[Model], values: Mapping[str, object]
) -> ModelParams:
    """Adapt settings to ``corpus``: the settings of counts replace those for counting.

    Raises UserError as ``fixed_values``, and ParameterError.
    """
    return kind.params_type.from_mapping({**values, **fixed_values(corpus, kind)})


def source_of(corpus: CountedCorpus) -> dict[str, str]:
    """The source in a run's record that says how to open the counts again."""
    return {COUNTS: str(corpus.shards.folder.absolute())}


def counts_behind(source: object) -> CountedCorpus | None:
    """The counts that a run was trained from, according to its source; None for a run trained on a
    text.

    Raises UserError if the counts are gone.
    """
    folder = source.get(COUNTS) if isinstance(source, Mapping) else None
    if isinstance(folder, str) and folder:
        return open_counts(folder)
    return None


def check_kind(corpus: CountedCorpus, kind: type[Model]) -> None:
    """Raise UserError for an algorithm that can't be trained from these counts."""
    if corpus.own_contexts is None:
        if not kind.from_counts:
            raise needs_text(kind)
    elif not kind.own_contexts:
        keys = ", ".join(other.key for other in MODELS if other.own_contexts)
        needed = tr(
            "{algorithm} needs counts of words with words, but the contexts of {counts} aren’t "
            "words.",
            algorithm=kind.title,
            counts=corpus.name,
        )
        raise UserError(
            needed if kind.from_counts else str(needs_text(kind)),
            tr("Choose one of: {algorithms}.", algorithms=keys),
        )


def why_not(corpus: CountedCorpus | None, kind: type[Model]) -> str:
    """Why an algorithm can't be trained from counts, or ""; None: a text is open."""
    try:
        if corpus is not None:
            check_kind(corpus, kind)
    except UserError as error:
        return str(error)
    return ""


def needs_text(kind: type[Model]) -> UserError:
    """The error for algorithms that cannot be trained from counts."""
    keys = ", ".join(other.key for other in MODELS if other.from_counts)
    return UserError(
        tr(
            "{algorithm} can’t be trained from counts: it needs the text itself.",
            algorithm=kind.title,
        ),
        tr("Choose one of: {algorithms}.", algorithms=keys),
    )


def trainable_names() -> str:
    """List of the algorithms that train from counts: “SVD, GloVe, Swivel, PMI-MF or SMF”."""
    *others, last = [kind.short for kind in MODELS if kind.from_counts] or [""]
    if others:
        return tr("{others} or {last}", others=", ".join(others), last=last)
    return last
