"""The caption of a map."""

from __future__ import annotations

import numpy as np

from workbench.analysis.projection.umap import UmapParams
from workbench.ui.panels.map.layout import LayoutRequest, MapLayout
from workbench.ui.panels.map.texts import caption_of
from workbench.vectors.embeddings import Embeddings


def test_the_first_words_of_an_alphabetical_list_arent_called_frequent() -> None:
    words = [f"w{at:03}" for at in range(400)]
    for listed, expected in (
        (words, "PCA · 300 of 400 words, the first ones of an alphabetical list"),
        (np.random.default_rng(1).permutation(words).tolist(), "PCA · 300 of 400 words"),
    ):
        model = Embeddings(listed, np.ones((400, 3), np.float32))
        request = LayoutRequest("r", model, "pca", 300, UmapParams())
        places = np.zeros((300, 2), np.float32)
        shown = MapLayout(request, listed[:300], places, places[:, 0], "pca")
        assert caption_of(shown) == expected
