"""The caption of a map, and the line that contains it."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from workbench.analysis.projection.umap import UmapParams
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.body import MapFooter
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


def test_a_long_notice_leaves_room_for_the_caption(context: PanelContext, qtbot: QtBot) -> None:
    footer = MapFooter(context.theme)
    qtbot.addWidget(footer)
    footer.progress.hide()
    footer.stop.hide()
    footer.caption.put("SGNS 4 · UMAP · 10,264 words")
    footer.set_quality("trustworthiness .81 · continuity .95", "")
    footer.set_notice("Too little text for regions. Show fewer words or train for more epochs.")
    whole = footer.caption.sizeHint().width()
    parts = (footer.caption, footer.quality, footer.notice)
    footer.resize(sum(part.sizeHint().width() for part in parts) - 60, 32)
    footer.show()
    qtbot.waitExposed(footer)
    assert footer.caption.width() > 0.5 * whole
    assert footer.notice.width() < footer.notice.sizeHint().width()
    footer.resize(2 * footer.width(), 32)
    qtbot.waitUntil(lambda: footer.caption.text() == footer.caption.whole)
