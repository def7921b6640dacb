"""fastText's CBOW: the window's n-grams, averaged, tell the word in its middle (see ``subword_model``)."""

from __future__ import annotations

from workbench.models.base import Preset
from workbench.models.subword_model import SubwordModel


class FastTextCBOW(SubwordModel):
    key = "fasttext-cbow"
    title = "fastText: CBOW with character n-grams"
    short = "fastText CBOW"
    summary = "Tells a word from random ones by the mean of the n-grams of the words around it."
    loss_label = "negative-sampling loss per centre (nats)"
    order = 41
    presets = (
        Preset("fastText", {}, "fastText cbow's defaults"),
        Preset(
            "gensim",
            {"learning_rate": 0.025, "sample": 1e-3, "ns_exponent": 0.75},
            "gensim FastText(sg=0)",
        ),
        Preset("classroom", {"dim": 50, "epochs": 10}, "the bundled corpus in seconds"),
    )
    bag = True
    shares = 1
