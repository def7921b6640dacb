"""fastText's skip-gram: a word's n-grams, averaged, tell the words around it (see ``subword_model``)."""

from __future__ import annotations

from typing import ClassVar

from workbench.models.base import Preset
from workbench.models.subword_model import SubwordModel


class FastText(SubwordModel):
    key = "fasttext"
    title = "fastText: skip-gram with character n-grams"
    short = "fastText"
    summary = "Skip-gram whose words are made of their character n-grams, so that unseen words have vectors too."
    loss_label = "negative-sampling loss per pair (nats)"
    order = 40
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("fastText", {}, "fastText skipgram's defaults"),
        Preset(
            "gensim",
            {"learning_rate": 0.025, "sample": 1e-3, "ns_exponent": 0.75},
            "gensim FastText(sg=1)",
        ),
        Preset(
            "no n-grams",
            {"min_n": 0, "max_n": 0},
            "fastText skipgram -maxn 0: plain skip-gram",
        ),
        Preset("classroom", {"dim": 50, "epochs": 10}, "the bundled corpus in seconds"),
    )
    bag = False
    shares = 6
