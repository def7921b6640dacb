"""Script for the same training with gensim."""

from __future__ import annotations

from typing import Any

from workbench.core.job_control import JobControl
from workbench.core.language import source_text, tr
from workbench.session.export import programs
from workbench.session.export.base import Share
from workbench.session.export.export_source import NO_RECIPE, ExportSource, Recipe


class GensimScript(Share):
    key = "gensim"
    title = tr("gensim script")
    summary = tr("Python script that repeats the training with gensim.")
    order = 50

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        recipe = subject.recipe
        if recipe is None:
            return NO_RECIPE
        architecture = recipe.kind.architecture
        if architecture is None or architecture.output not in ("ns", "hs"):
            return tr(
                "gensim trains word2vec and fastText, not {algorithm}.", algorithm=recipe.kind.short
            )
        return None

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        recipe = subject.recipe
        assert recipe is not None
        subwords = recipe.architecture.subwords
        name = "FastText" if subwords else "Word2Vec"
        options = "".join(
            f"    {key}={value!r},\n" for key, value in _options(recipe, subwords).items()
        )
        head = [
            f"“{subject.name}” with gensim: {source_text(recipe.kind.title)}, "
            "with the same settings where gensim has them.",
            f"{programs.TEXT} is the tokenised text, with one sentence per line and spaces between "
            "words. This command writes the file:",
        ]
        lines = programs.comment_lines(head)
        lines.append(programs.comment_line("  " + " ".join(programs.text_command(recipe))))
        lines += programs.remark_lines(_remarks(subject, recipe, subwords))
        text = "\n".join(lines) + f"\nfrom gensim.models import {name}\n\n"
        text += f'model = {name}(\n    corpus_file="{programs.TEXT}",\n{options})\n'
        text += 'model.wv.save_word2vec_format("gensim.bin", binary=True)\n'
        # Not gensim.py, which Python would import in gensim's place.
        return {"train_with_gensim.py": text}


def _options(recipe: Recipe, subwords: bool) -> dict[str, Any]:
    value = recipe.value
    hierarchical = recipe.architecture.output == "hs"
    options: dict[str, Any] = {
        "vector_size": value("dim"),
        "window": value("window"),
        "min_count": value("min_count"),
        "sg": int(recipe.architecture.network == "skipgram"),
        "hs": int(hierarchical),
        "negative": 0 if hierarchical else value("negative"),
        "sample": value("sample"),
        "alpha": value("learning_rate"),
        "min_alpha": value("learning_rate") * 1e-4,
        "epochs": value("epochs"),
        "seed": value("seed"),
        "workers": value("threads") or 4,
        "shrink_windows": value("window_weighting") == "dynamic",
    }
    if not hierarchical:
        options["ns_exponent"] = value("ns_exponent")
    if not options["sg"]:
        options["cbow_mean"] = int(value("hidden", "mean") == "mean")
    if value("max_vocab"):
        options["max_final_vocab"] = value("max_vocab")
    if subwords:
        whole = value("max_n") > 0
        options |= {
            "min_n": value("min_n") if whole else 1,
            "max_n": value("max_n") if whole else 0,
        }
        options["bucket"] = value("buckets")
    return options


def _remarks(subject: ExportSource, recipe: Recipe, subwords: bool) -> list[str]:
    value = recipe.value
    weighting = value("window_weighting")
    drawn = weighting if weighting in ("dynamic", "fixed") else "dynamic"
    found = programs.window_remarks(recipe, drawn)
    if weighting not in ("dynamic", "fixed"):
        found = [
            remark.replace("draw the radius of each window from 1 to L", "use L as the radius")
            for remark in found
        ]
    if value("gradient", "word2vec") != "word2vec":
        found.append(
            "gensim doesn’t divide CBOW’s gradient among the words of a window; the run did."
        )
    architecture = recipe.architecture
    shared_noise = architecture.output == "ns" and not subwords
    if shared_noise and architecture.network == "skipgram":
        found.append("gensim draws negative samples for each pair, the run once for each window.")
    if value("result", "w") != "w":
        found.append("The script saves only W; the context vectors are model.syn1neg.")
    if subwords:
        found.append(
            "save_word2vec_format doesn’t save n-grams; "
            "gensim.models.fasttext.save_facebook_model does."
        )
    found.append("gensim cuts sentences after 10,000 words.")
    if value("threads") != 1:
        found.append("For the same vectors every time, set workers=1 and PYTHONHASHSEED.")
    return found + programs.common_remarks(subject)
