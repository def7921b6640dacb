"""Sentences that describe a training, from its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.language import source_text
from workbench.core.params import Spec
from workbench.session.export import references
from workbench.session.export.export_source import ExportSource, Recipe
from workbench.session.export.programs import one_line
from workbench.session.runs import final_loss

_WEIGHTINGS = {
    "dynamic": "contexts at distance δ weighted by (L − δ + 1)/L",
    "linear": "contexts at distance δ weighted by L − δ + 1",
    "harmonic": "contexts at distance δ weighted by 1/δ",
    "fixed": "all contexts weighted equally",
}
_CONTEXTS = {
    "side": "the words before and after a word as different contexts",
    "position": "a word at each distance and side as a context of its own (Levy & Goldberg 2014)",
}
_MADE = {
    "w+c": "word and context vectors were added",
    "concatenation": "word and context vectors were concatenated",
}
# Reading options without their own sentence.
_READING = {
    "pattern",
    "unicode_form",
    "strip_accents",
    "numbers",
    "stop_words",
    "keep_words",
    "min_length",
    "column",
}
# Settings with their own sentences, or without interest for a reader.
_SAID = {
    "min_count",
    "max_vocab",
    "window_weighting",
    "contexts",
    "start",
    "threads",
    "scheduler",
    "seed",
    "result",
    "all_but_the_top",
    "normalise",
}
# Settings that the sentence on counts mentions.
_COUNTED = {"window", "symmetric", "sample", "sample_formula"}


def paragraph(subject: ExportSource) -> str:
    """The sentences, as plain text."""
    recipe = subject.recipe
    assert recipe is not None
    works = "; ".join(work.short_name for work in references.parse(recipe.kind.citation))
    version = one_line(str(subject.metadata.get("version", "")))
    vocabulary, dim = len(subject.embeddings), subject.embeddings.dim
    axes = "columns" if subject.embeddings.sparse else "dimensions"
    sentences = [
        f"We trained vectors of {vocabulary:,} words with {dim:,} {axes} using "
        f"{source_text(recipe.kind.title)} ({works}) in Embedding Workbench, version "
        f"{version or 'unknown'}.",
        _describe_corpus(recipe),
        _describe_vocabulary(subject, recipe),
        _describe_gaps(recipe),
        _describe_settings(recipe),
        _describe_start(recipe),
        *_describe_postprocessing(recipe),
        *_describe_ending(subject, recipe),
        *_describe_software(subject, recipe),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _describe_corpus(recipe: Recipe) -> str:
    if recipe.counts is None:
        return _describe_text(recipe, recipe.corpus)
    of = recipe.counts.get("corpus")
    return _describe_counts(recipe, recipe.counts) + (
        f" {_describe_text(recipe, of)}" if isinstance(of, Mapping) else ""
    )


def _describe_counts(recipe: Recipe, counts: Mapping[str, Any]) -> str:
    """How the pairs were counted, from the manifest of the counts."""
    corpus = recipe.corpus
    tokens, words, cells, shards = (
        _format_number(value)
        for value in (
            corpus.get("tokens"),
            corpus.get("types"),
            counts.get("cells"),
            counts.get("shards"),
        )
    )
    least = counts.get("min_count")
    if isinstance(least, int) and least > 1:
        seen = f" that occur at least {_count_phrase(least, 'time', 'times')}"
    else:
        seen = ""
    window, weighting = (
        counts.get("window"),
        _WEIGHTINGS.get(str(counts.get("window_weighting", ""))),
    )
    sides = "on both sides" if counts.get("symmetric", True) else "to the right"
    how = ""
    if window is not None:
        how = f", in a window of {one_line(str(window))} words {sides}"
    how += f", {weighting}" if weighting else ""
    own = counts.get("own_contexts")
    if isinstance(own, int):
        how = f" with {own:,} contexts, which have a vocabulary of their own"
    return (
        f"Training used existing counts, {one_line(str(corpus.get('name', '')))}: {cells} pairs of "
        f"{words} words{seen} ({tokens} tokens){how}. The counts are in {shards} shards; the "
        f"BLAKE2b digest of their manifest is {one_line(str(counts.get('digest', '')))}."
    )


def _format_number(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "an unknown number of"


def _describe_text(recipe: Recipe, corpus: Mapping[str, Any]) -> str:
    options = recipe.options
    name = one_line(str(corpus.get("name", ""))) or "an unnamed corpus"
    tokens, types = corpus.get("tokens"), corpus.get("types")
    size = ""
    if isinstance(tokens, int) and isinstance(types, int):
        size = f" ({tokens:,} tokens of {types:,} types)"
    if options.lowercase:
        cased = "lowercased by the rules of Turkish" if options.dotless else "lowercased"
    else:
        cased = "not lowercased"
    cut = {
        "words": "tokenised into sequences of letters and digits",
        "whitespace": "tokenised at spaces",
    }.get(options.tokeniser, f"tokenised with the tokeniser “{options.tokeniser}”")
    ends = {
        "lines": "lines",
        "paragraphs": "paragraphs",
        "punctuation": "sentences",
        "auto": "lines, or of sentences in files whose lines have a fixed width",
    }.get(options.sentences)
    borders = f"windows did not cross the ends of {ends}" if ends else "windows crossed line ends"
    what = "The corpus" if recipe.counts is None else "The counted text"
    text = f"{what}, {name}{size}, was {cased} and {cut}; {borders}."
    others = {name: value for name, value in recipe.reading.items() if name in _READING}
    if others:
        listed = ", ".join(
            f"{name.replace('_', ' ')} = {one_line(_format_word(value))}"
            for name, value in others.items()
        )
        text += f" Other reading options: {listed}."
    if options.phrases:
        if options.phrase_score == "word2phrase":
            measure = "word2phrase’s score"
        else:
            measure = "normalised PMI"
        passes = _count_phrase(options.phrases, "pass", "passes")
        text += f" Word pairs above a threshold of {measure} were joined into phrases in {passes}."
    return text


def _describe_vocabulary(subject: ExportSource, recipe: Recipe) -> str:
    least, most = recipe.value("min_count"), recipe.value("max_vocab")
    if recipe.counts is not None:
        # Words that were removed before counting are mentioned with the counts.
        words, types = len(subject.embeddings), recipe.corpus.get("types")
        fewer = isinstance(types, int) and words < types
        if fewer:
            return f"The vocabulary contains the {words:,} most frequent of these words."
        return ""
    if least > 1:
        text = f"The vocabulary contains all words that occur at least {least:,} times"
    else:
        text = "The vocabulary contains all words of the text"
    return text + (f", limited to the {most:,} most frequent." if most else ".")


def _describe_gaps(recipe: Recipe) -> str:
    """How windows treat words that were left out; "" for models without windows."""
    names = {spec.name for spec in recipe.kind.params_type.specs()}
    if recipe.counts is not None or "window" not in names:
        return ""
    options = recipe.options
    read = options.stop_words or options.keep_words or options.min_length > 1
    left_out = [
        words
        for words, some in (
            ("words that the reading options exclude", read or options.numbers == "drop"),
            ("rare words", recipe.value("min_count") > 1 or recipe.value("max_vocab")),
            ("subsampled words", "sample" in names and recipe.value("sample")),
        )
        if some
    ]
    if not left_out:
        return ""
    return f"Windows reached across words that were left out before: {', '.join(left_out)}."


def _describe_settings(recipe: Recipe) -> str:
    said = _SAID | (_COUNTED if recipe.counts is not None else set())
    specs = [spec for spec in recipe.kind.params_type.specs() if spec.name not in said]
    listed = ", ".join(_describe_setting(spec, recipe) for spec in specs)
    weighting = None
    if recipe.counts is None:
        weighting = _WEIGHTINGS.get(recipe.value("window_weighting", ""))
    kind = _CONTEXTS.get(recipe.value("contexts", "")) if recipe.counts is None else None
    listed += f", with {kind}" if kind else ""
    return f"Settings: {listed}{f', with {weighting}' if weighting else ''}."


def _describe_start(recipe: Recipe) -> str:
    if recipe.value("start", "random") == "random":
        return ""
    if recipe.kind.from_counts:
        return (
            "The initial vectors were a truncated singular value decomposition of the positive PMI "
            "of the same counts, and the initial biases minimised the objective for these vectors."
        )
    return (
        "The initial vectors were a truncated singular value decomposition of the PMI matrix that "
        "skip-gram with negative sampling factorises (Levy & Goldberg 2014), from counts of the "
        "same text as training reads it, with a constant for pairs that do not co-occur."
    )


def _describe_setting(spec: Spec, recipe: Recipe) -> str:
    value = recipe.value(spec.name)
    if isinstance(value, float):
        shown = f"{value:g}"
    elif type(value) is int:
        shown = f"{value:,}"
    else:
        shown = _format_word(value)
    symbol = f" {spec.symbol}" if spec.symbol else ""
    return f"{spec.name.replace('_', ' ')}{symbol} = {shown}"


def _format_word(value: object) -> str:
    if isinstance(value, bool):
        if value:
            return "yes"
        return "no"
    return str(value)


def _describe_postprocessing(recipe: Recipe) -> list[str]:
    """Postprocessing of the trained vectors, whether by the parameters or a later request."""
    chosen = recipe.choice.to_dict() if recipe.choice is not None else {}
    result = chosen.get("result", recipe.value("result", "w"))
    top = chosen.get("all_but_the_top", recipe.value("all_but_the_top", -1))
    steps = [_MADE[result]] if result in _MADE else []
    if top == 0:
        steps.append("the mean of all vectors was removed")
    elif top > 0:
        directions = _count_phrase(top, "principal component", "principal components")
        steps.append(f"the mean and the leading {directions} were removed")
    if chosen.get("normalise", recipe.value("normalise", False)):
        steps.append("every vector was scaled to unit length")
    if steps:
        return [f"After training, {'; then '.join(steps)}."]
    return []


def _describe_ending(subject: ExportSource, recipe: Recipe) -> list[str]:
    found = []
    if recipe.continued is not None:
        passes = recipe.continued.get("passes")
        before = f" of {passes:g} epochs" if isinstance(passes, (int, float)) else ""
        same = "corpus" if recipe.counts is None else "counts"
        found.append(f"The run continues an earlier one{before} on the same {same}.")
    if "diverged" in subject.metadata:
        found.append("Training diverged; the vectors are those of the last good state.")
    elif subject.metadata.get("stopped"):
        found.append("Training was stopped early.")
    final = final_loss.read(subject.metadata)
    label = source_text(recipe.kind.loss_label)
    if final is not None and label:
        found.append(
            f"The {label} was {final_loss.format_loss(final)} "
            f"({source_text(final_loss.title(final))})."
        )
        return found
    # Runs of version 0.1.0 have only the last point, which covers a small part of the text.
    loss = subject.metadata.get("loss")
    last = loss.get("last") if isinstance(loss, Mapping) else None
    if isinstance(last, (int, float)) and label:
        found.append(f"The last point of the loss curve ({label}) was {last:.4g}.")
    return found


def _describe_software(subject: ExportSource, recipe: Recipe) -> list[str]:
    versions = subject.metadata.get("versions")
    used = ""
    if isinstance(versions, Mapping):
        named = [
            f"{one_line(str(name))} {one_line(str(number))}"
            for name, number in versions.items()
            if name != "workbench"
        ]
        used = f"Software: {', '.join(named)}." if named else ""
    threads, seed = recipe.value("threads"), recipe.value("seed")
    if seed is None:
        return [used]
    if threads == 1:
        return [
            f"Training used one thread and the seed {seed}, which always gives the same vectors.",
            used,
        ]
    return [
        f"Training used several threads and the seed {seed}, so the vectors differ slightly each "
        "time.",
        used,
    ]


def _count_phrase(number: int, one: str, many: str) -> str:
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {many}"
