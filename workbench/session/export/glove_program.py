"""Commands for the GloVe programs."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.counts.context_kinds import WORDS
from workbench.models.base import Architecture
from workbench.session.export import programs
from workbench.session.export.export_source import Recipe
from workbench.session.export.programs import Commands, Program

_WEIGHTINGS = {"harmonic": "1", "fixed": "0"}
# The vectors to write: word vectors, or their sum with the context vectors, both without biases.
_MODELS = {"w": "1", "w+c": "2"}


class GloveProgram(Program):
    key = "glove"
    title = tr("GloVe commands")
    summary = tr("Commands for the four GloVe programs with the same settings.")
    order = 40
    program = "GloVe"
    named = tr("The GloVe C code")
    trains = "GloVe"

    @classmethod
    def trains_architecture(cls, architecture: Architecture) -> bool:
        return architecture.network == "glove"

    @classmethod
    def misfit(cls, recipe: Recipe) -> str | None:
        own = recipe.counts is not None and "own_contexts" in recipe.counts
        if own or recipe.value("contexts", WORDS) != WORDS:
            return tr("The GloVe C code has only words as contexts.")
        # Existing counts are used as they are.
        if recipe.counts is None and recipe.value("window_weighting") not in _WEIGHTINGS:
            return tr(
                "The GloVe C code doesn’t support window weighting “{weighting}”.",
                weighting=recipe.value("window_weighting"),
            )
        return None

    @classmethod
    def commands(cls, recipe: Recipe) -> tuple[Commands, list[str]]:
        value = recipe.value
        if recipe.counts is not None:
            return cls._from_counts(recipe)
        limit = ["-max-vocab", str(value("max_vocab"))] if value("max_vocab") else []
        weighting, symmetric = _WEIGHTINGS[value("window_weighting")], str(int(value("symmetric")))
        seed = ["-seed", str(value("seed"))]
        commands = [
            [
                "./vocab_count",
                "-min-count",
                str(value("min_count")),
                *limit,
                "<",
                programs.TEXT,
                ">",
                "vocab.txt",
            ],
            [
                "./cooccur",
                "-vocab-file",
                "vocab.txt",
                "-window-size",
                str(value("window")),
                "-symmetric",
                symmetric,
                "-distance-weighting",
                weighting,
                "-memory",
                "4",
                "<",
                programs.TEXT,
                ">",
                "cooccurrence.bin",
            ],
            ["./shuffle", "-memory", "4", *seed, "<", "cooccurrence.bin", ">", "shuffled.bin"],
            cls._training(recipe, "shuffled.bin", "vocab.txt"),
        ]
        remarks = cls._remarks(recipe)
        remarks.append(
            "To train on exactly the counts of the run, write them with “workbench counts --output "
            "X.bin”, and run only the last of the four commands."
        )
        return commands, remarks

    @classmethod
    def _from_counts(cls, recipe: Recipe) -> tuple[Commands, list[str]]:
        """Command for the last of the programs, on the cells of the run in a shuffled order."""
        remarks = cls._remarks(recipe)
        if not recipe.value("symmetric"):
            remarks.append(
                "In GloVe, rows are the words before and columns those after: W and C are swapped."
            )
        return [cls._training(recipe, programs.CELLS, programs.CELL_WORDS)], remarks

    @classmethod
    def _training(cls, recipe: Recipe, cells: str, words: str) -> list[str]:
        value = recipe.value
        return [
            "./glove",
            "-input-file",
            cells,
            "-vocab-file",
            words,
            "-save-file",
            "glove",
            "-vector-size",
            str(value("dim")),
            "-x-max",
            programs.number(value("x_max")),
            "-alpha",
            programs.number(value("alpha")),
            "-eta",
            programs.number(value("learning_rate")),
            "-iter",
            str(value("epochs")),
            "-threads",
            str(value("threads") or 4),
            "-model",
            _MODELS.get(value("result"), "2"),
            "-seed",
            str(value("seed")),
        ]

    @classmethod
    def _remarks(cls, recipe: Recipe) -> list[str]:
        if recipe.value("result") in _MODELS:
            return []
        return ["GloVe saves the sum of word and context vectors; the run concatenated them."]
