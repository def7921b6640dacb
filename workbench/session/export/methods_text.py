"""Sentences that describe a training, from its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.language import source_text
from workbench.core.params import Spec
from workbench.session import final_loss
from workbench.session.export import references
from workbench.session.export.export_source import ExportSource, Recipe
from workbench.session.export.programs import one_line

_WEIGHTINGS = {
    "dynamic": "contexts at distance δ weighted (L − δ + 1)/L",
    "linear": "contexts at distance δ weighted L − δ + 1",
    "harmonic": "contexts at distance δ weighted 1/δ",
    "fixed": "all contexts weighted alike",
}
_MADE = {
    "w+c": "word and context vectors were added",
    "concatenation": "word and context vectors were joined side by side",
}
# Options of reading that no sentence of their own tells.
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
# Said in sentences of their own, or of no interest to a reader.
_SAID = {
    "min_count",
    "max_vocab",
    "window_weighting",
    "threads",
    "scheduler",
    "seed",
    "result",
    "all_but_the_top",
    "normalise",
}
# Said of counts where there are counts.
_COUNTED = {"window", "symmetric", "sample", "sample_formula"}


def paragraph(subject: ExportSource) -> str:
    """The sentences, as plain text."""
    recipe = subject.recipe
    assert recipe is not None
    works = "; ".join(work.short_name for work in references.parse(recipe.kind.citation))
    version = one_line(str(subject.metadata.get("version", "")))
    vocabulary, dim = len(subject.embeddings), subject.embeddings.dim
    if subject.embeddings.sparse:
        axes = "columns"
    else:
        axes = "dimensions"
    sentences = [
        f"Word vectors of {vocabulary:,} words in {dim:,} {axes} were made "
        f"with {source_text(recipe.kind.title)} ({works}) in the Embedding Workbench, version "
        f"{version or 'unknown'}.",
        _describe_corpus(recipe),
        _describe_vocabulary(subject, recipe),
        _describe_settings(recipe),
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
    """How was counted, by the manifest of the counts."""
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
        seen = f" seen {_count_phrase(least, 'time', 'times')} or more"
    else:
        seen = ""
    window, weighting = (
        counts.get("window"),
        _WEIGHTINGS.get(str(counts.get("window_weighting", ""))),
    )
    if counts.get("symmetric", True):
        sides = "on both sides"
    else:
        sides = "after a word"
    how = ""
    if window is not None:
        how = f", in windows of {one_line(str(window))} words {sides}"
    how += f", {weighting}" if weighting else ""
    return (
        f"They were trained from counts made beforehand, {one_line(str(corpus.get('name', '')))}: "
        f"{cells} pairs of "
        f"{words} words{seen} ({tokens} tokens){how}. The counts lie in {shards} shards whose "
        f"manifest has the "
        f"BLAKE2b digest {one_line(str(counts.get('digest', '')))}."
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
        cased = "lower-cased"
    else:
        cased = "left in its case"
    cut = {"words": "cut into runs of letters and digits", "whitespace": "cut at blanks"}.get(
        options.tokeniser, f"cut by the tokeniser “{options.tokeniser}”"
    )
    ends = {"lines": "lines", "paragraphs": "paragraphs", "punctuation": "sentences"}.get(
        options.sentences
    )
    if ends:
        borders = f"windows did not cross the ends of {ends}"
    else:
        borders = "windows ran across all line ends"
    if recipe.counts is None:
        what = "The corpus"
    else:
        what = "The text that was counted"
    text = f"{what}, {name}{size}, was {cased} and {cut}; {borders}."
    others = {name: value for name, value in recipe.reading.items() if name in _READING}
    if others:
        listed = ", ".join(
            f"{name.replace('_', ' ')} = {one_line(_format_word(value))}"
            for name, value in others.items()
        )
        text += f" Further options of reading were {listed}."
    if options.phrases:
        if options.phrase_score == "word2phrase":
            measure = "word2phrase’s score"
        else:
            measure = "normalised PMI"
        passes = _count_phrase(options.phrases, "pass", "passes")
        text += f" Pairs of words above a threshold of {measure} were joined in {passes}."
    return text


def _describe_vocabulary(subject: ExportSource, recipe: Recipe) -> str:
    least, most = recipe.value("min_count"), recipe.value("max_vocab")
    if recipe.counts is not None:
        # Words that were removed before counting are mentioned with the counts.
        words, types = len(subject.embeddings), recipe.corpus.get("types")
        fewer = isinstance(types, int) and words < types
        if fewer:
            return f"Only the {words:,} most frequent of these words took part."
        return ""
    if least > 1:
        text = f"Words seen fewer than {_count_phrase(least, 'time', 'times')} were left out"
    else:
        text = "All words took part"
    return text + (f", and the {most:,} most frequent of the rest kept." if most else ".")


def _describe_settings(recipe: Recipe) -> str:
    said = _SAID | (_COUNTED if recipe.counts is not None else set())
    specs = [spec for spec in recipe.kind.params_type.specs() if spec.name not in said]
    listed = ", ".join(_describe_setting(spec, recipe) for spec in specs)
    weighting = None
    if recipe.counts is None:
        weighting = _WEIGHTINGS.get(recipe.value("window_weighting", ""))
    return f"The settings were {listed}{f', with {weighting}' if weighting else ''}."


def _describe_setting(spec: Spec, recipe: Recipe) -> str:
    value = recipe.value(spec.name)
    if isinstance(value, float):
        shown = f"{value:g}"
    elif type(value) is int:
        shown = f"{value:,}"
    else:
        shown = _format_word(value)
    if spec.symbol:
        symbol = f" {spec.symbol}"
    else:
        symbol = ""
    return f"{spec.name.replace('_', ' ')}{symbol} = {shown}"


def _format_word(value: object) -> str:
    if isinstance(value, bool):
        if value:
            return "yes"
        return "no"
    return str(value)


def _describe_postprocessing(recipe: Recipe) -> list[str]:
    """Postprocessing of the trained vectors, whether by the parameters or a later request."""
    if recipe.choice is not None:
        chosen = recipe.choice.to_dict()
    else:
        chosen = {}
    result = chosen.get("result", recipe.value("result", "w"))
    top = chosen.get("all_but_the_top", recipe.value("all_but_the_top", -1))
    if result in _MADE:
        steps = [_MADE[result]]
    else:
        steps = []
    if top == 0:
        steps.append("the mean of all vectors was removed")
    elif top > 0:
        directions = _count_phrase(top, "principal component", "principal components")
        steps.append(f"the mean and the first {directions} were removed")
    if chosen.get("normalise", recipe.value("normalise", False)):
        steps.append("every vector was brought to length 1")
    if steps:
        return [f"Afterwards {'; then '.join(steps)}."]
    return []


def _describe_ending(subject: ExportSource, recipe: Recipe) -> list[str]:
    found = []
    if recipe.continued is not None:
        passes = recipe.continued.get("passes")
        before = ""
        if isinstance(passes, (int, float)):
            before = f" of {passes:g} passes"
        if recipe.counts is None:
            same = "corpus"
        else:
            same = "counts"
        found.append(f"Training went on from an earlier one{before} on the same {same}.")
    if "diverged" in subject.metadata:
        found.append("It diverged; the last good state was kept.")
    elif subject.metadata.get("stopped"):
        found.append("It was stopped before its end.")
    final = final_loss.read(subject.metadata)
    label = source_text(recipe.kind.loss_label)
    if final is not None and label:
        found.append(
            f"The {label} was {final_loss.format_loss(final)} "
            f"({source_text(final_loss.title(final))})."
        )
        return found
    # Runs of version 0.1.0 know only the last point, which speaks for a small part of the text.
    loss = subject.metadata.get("loss")
    if isinstance(loss, Mapping):
        last = loss.get("last")
    else:
        last = None
    if isinstance(last, (int, float)) and label:
        found.append(f"The last point of the curve of the {label} was {last:.4g}.")
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
        used = ""
        if named:
            used = f"It ran with {', '.join(named)}."
    threads, seed = recipe.value("threads"), recipe.value("seed")
    if seed is None:
        return [used]
    if threads == 1:
        return [
            f"One thread trained, with the seed {seed}, so that the same vectors come of it again.",
            used,
        ]
    return [
        f"The seed was {seed}; several threads trained, so that vectors differ slightly from "
        f"time to time.",
        used,
    ]


def _count_phrase(number: int, one: str, many: str) -> str:
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {many}"
