"""Command for word2vec.c, the program of Mikolov et al."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.models.base import Architecture
from workbench.session.export import programs
from workbench.session.export.export_source import Recipe
from workbench.session.export.programs import Commands, Program


class Word2vecProgram(Program):
    key = "word2vec"
    title = tr("word2vec.c command")
    summary = tr("Command for the original C program with the same settings.")
    order = 20
    program = "word2vec.c"
    named = "word2vec.c"
    trains = tr("skip-gram and CBOW")

    @classmethod
    def trains_architecture(cls, architecture: Architecture) -> bool:
        return architecture.output in ("ns", "hs") and not architecture.subwords

    @classmethod
    def commands(cls, recipe: Recipe) -> tuple[Commands, list[str]]:
        value = recipe.value
        architecture = recipe.architecture
        hierarchical = architecture.output == "hs"
        command = ["./word2vec", "-train", programs.TEXT, "-output", "word2vec.bin", "-binary", "1"]
        command += [
            "-cbow",
            str(int(architecture.network == "cbow")),
            "-size",
            str(value("dim")),
            "-window",
            str(value("window")),
        ]
        command += [
            "-negative",
            "0" if hierarchical else str(value("negative")),
            "-hs",
            str(int(hierarchical)),
        ]
        command += [
            "-sample",
            programs.number(value("sample")),
            "-alpha",
            programs.number(value("learning_rate")),
        ]
        command += ["-iter", str(value("epochs")), "-min-count", str(value("min_count"))]
        command += ["-threads", str(value("threads") or 4)]
        remarks = programs.window_remarks(recipe)
        if not hierarchical and value("ns_exponent") != 0.75:
            remarks.append(
                f"word2vec.c’s exponent of the noise distribution is 0.75, that of the run "
                f"{value('ns_exponent'):g}."
            )
        if not hierarchical and architecture.network == "skipgram":
            remarks.append(
                "word2vec.c draws negative samples for each pair, the run once for each window."
            )
        if value("hidden", "mean") != "mean":
            remarks.append(
                "CBOW’s hidden vector is the mean of the window in word2vec.c, the sum in the run."
            )
        if value("gradient", "word2vec") != "word2vec":
            remarks.append(
                "word2vec.c doesn’t divide CBOW’s gradient among the words of a window; the run "
                "did."
            )
        if value("max_vocab"):
            remarks.append(
                f"word2vec.c doesn’t limit the vocabulary to {value('max_vocab'):,} words."
            )
        if value("result", "w") != "w":
            remarks.append("word2vec.c saves only W, no context vectors.")
        remarks.append(
            "word2vec.c cuts sentences after 1,000 words, and counts each line end as a word, </s>."
        )
        remarks.append("word2vec.c has no option for the seed.")
        return [command], remarks
