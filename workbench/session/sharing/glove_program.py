"""The commands of GloVe's programs."""

from __future__ import annotations

from workbench.core.run import Run
from workbench.session.sharing import programs
from workbench.session.sharing.base import Share
from workbench.session.sharing.subject import NO_RECIPE, Subject

_WEIGHTINGS = {"harmonic": "1", "fixed": "0"}
# What is written: word vectors, or their sum with the context vectors, both without biases.
_MODELS = {"w": "1", "w+c": "2"}


class GloveProgram(Share):
    key = "glove"
    title = "Commands of GloVe"
    summary = "GloVe's four programs with the same settings."
    order = 40

    @classmethod
    def why_not(cls, subject: Subject) -> str | None:
        recipe = subject.recipe
        if recipe is None:
            return NO_RECIPE
        if recipe.kind.key != "glove":
            return f"GloVe's program trains GloVe only, not {recipe.kind.short}."
        if recipe.value("window_weighting") not in _WEIGHTINGS:
            return f"GloVe's program has no windows weighted “{recipe.value('window_weighting')}”."
        return None

    @classmethod
    def make(cls, subject: Subject, run: Run) -> dict[str, str]:
        recipe = subject.recipe
        assert recipe is not None
        value = recipe.value
        limit = ["-max-vocab", str(value("max_vocab"))] if value("max_vocab") else []
        weighting, symmetric = _WEIGHTINGS[value("window_weighting")], str(int(value("symmetric")))
        seed = ["-seed", str(value("seed"))]
        commands = [
            ["./vocab_count", "-min-count", str(value("min_count")), *limit, "<", programs.TEXT, ">", "vocab.txt"],
            ["./cooccur", "-vocab-file", "vocab.txt", "-window-size", str(value("window")), "-symmetric", symmetric,
             "-distance-weighting", weighting, "-memory", "4", "<", programs.TEXT, ">", "cooccurrence.bin"],
            ["./shuffle", "-memory", "4", *seed, "<", "cooccurrence.bin", ">", "shuffled.bin"],
            ["./glove", "-input-file", "shuffled.bin", "-vocab-file", "vocab.txt", "-save-file", "glove",
             "-vector-size", str(value("dim")), "-x-max", programs.number(value("x_max")),
             "-alpha", programs.number(value("alpha")), "-eta", programs.number(value("learning_rate")),
             "-iter", str(value("epochs")), "-threads", str(value("threads") or 4),
             "-model", _MODELS.get(value("result"), "2"), *seed],
        ]  # fmt: skip
        remarks = []
        if value("result") not in _MODELS:
            remarks.append("Word and context vectors are written as their sum there, side by side here.")
        remarks.append("“workbench counts --output X.bin” writes counts as they are here, for the last of the four.")
        return {"glove.sh": programs.script(subject, "GloVe", commands, remarks + programs.common_remarks(subject))}
