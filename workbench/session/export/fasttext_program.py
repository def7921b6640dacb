"""Command for the fastText program."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.models.base import Architecture
from workbench.session.export import programs
from workbench.session.export.export_source import Recipe
from workbench.session.export.programs import Commands, Program


class FastTextProgram(Program):
    key = "fasttext"
    title = tr("fastText command")
    summary = tr("Command for the fastText program with the same settings.")
    order = 30
    program = "fastText"
    named = tr("The fastText program")
    trains = tr("skip-gram and CBOW")

    @classmethod
    def trains_architecture(cls, architecture: Architecture) -> bool:
        return architecture.network in ("skipgram", "cbow")

    @classmethod
    def commands(cls, recipe: Recipe) -> tuple[Commands, list[str]]:
        value, loss = recipe.value, recipe.architecture.output
        command = ["./fasttext", recipe.architecture.network, "-input", programs.TEXT]
        command += ["-output", "fasttext", "-loss", loss]
        command += ["-dim", str(value("dim")), "-ws", str(value("window"))]
        command += ["-epoch", str(value("epochs"))]
        command += ["-lr", programs.number(value("learning_rate"))]
        command += ["-t", programs.number(value("sample") or 1.0)]
        if loss == "ns":
            command += ["-neg", str(value("negative"))]
        shortest, longest, buckets = 0, value("max_n", 0), 0
        if longest:
            shortest, buckets = value("min_n", 0), value("buckets", 0)
        command += ["-minCount", str(value("min_count")), "-minn", str(shortest)]
        command += ["-maxn", str(longest), "-bucket", str(buckets)]
        command += ["-thread", str(value("threads") or 4), "-seed", str(value("seed"))]
        return [command], _remarks(recipe)


def _remarks(recipe: Recipe) -> list[str]:
    """What fastText does otherwise than the run."""
    value, loss = recipe.value, recipe.architecture.output
    remarks = programs.window_remarks(recipe)
    if loss == "ns" and value("ns_exponent") != 0.5:
        remarks.append(
            f"fastText’s exponent of the noise distribution is 0.5, that of the run "
            f"{value('ns_exponent'):g}."
        )
    if not value("sample"):
        remarks.append("-t 1 turns subsampling off, as in the run.")
    if loss == "softmax":
        remarks.append(
            "fastText updates the softmax after each pair, the run after each batch, with "
            "different learning rates."
        )
    if value("hidden", "mean") != "mean" or value("gradient", "word2vec") != "word2vec":
        remarks.append(
            "fastText’s CBOW uses the mean of the window and doesn’t divide the gradient, as "
            "word2vec.c."
        )
    if value("max_vocab"):
        remarks.append(f"fastText doesn’t limit the vocabulary to {value('max_vocab'):,} words.")
    if value("result", "w") != "w":
        remarks.append("fastText saves only W, no context vectors.")
    remarks.append(
        "fastText cuts sentences after 1,024 words, and counts each line end as a word, </s>."
    )
    return remarks
