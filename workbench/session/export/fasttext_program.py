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
        command = [
            "./fasttext",
            recipe.architecture.network,
            "-input",
            programs.TEXT,
            "-output",
            "fasttext",
            "-loss",
            loss,
        ]
        command += [
            "-dim",
            str(value("dim")),
            "-ws",
            str(value("window")),
            "-epoch",
            str(value("epochs")),
        ]
        command += [
            "-lr",
            programs.number(value("learning_rate")),
            "-t",
            programs.number(value("sample") or 1.0),
        ]
        if loss == "ns":
            command += ["-neg", str(value("negative"))]
        shortest, longest, buckets = 0, value("max_n", 0), 0
        if longest:
            shortest, buckets = value("min_n", 0), value("buckets", 0)
        command += ["-minCount", str(value("min_count")), "-minn", str(shortest)]
        command += ["-maxn", str(longest), "-bucket", str(buckets)]
        command += ["-thread", str(value("threads") or 4), "-seed", str(value("seed"))]
        remarks = programs.window_remarks(recipe)
        if loss == "ns" and value("ns_exponent") != 0.5:
            remarks.append(
                f"Noise words are drawn by counts to the power 0.5 there, "
                f"{value('ns_exponent'):g} here."
            )
        if not value("sample"):
            remarks.append("No word is dropped by subsampling: -t 1 comes to that.")
        if loss == "softmax":
            remarks.append(
                "The softmax is stepped for each pair there, here for batches, from other "
                "learning rates."
            )
        if value("hidden", "mean") != "mean" or value("gradient", "word2vec") != "word2vec":
            remarks.append(
                "CBOW is that of word2vec.c there: the mean of the window, its gradient not "
                "divided."
            )
        if value("max_vocab"):
            remarks.append(f"The vocabulary is not cut to {value('max_vocab'):,} words there.")
        if value("result", "w") != "w":
            remarks.append("Only W is written there, no context vectors.")
        remarks.append(
            "Sentences are cut after 1,024 words there, and each end of a line counts as a word, "
            "</s>."
        )
        return [command], remarks
