"""The Inside panel: the Huffman tree of hierarchical softmax, and the n-grams of words."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.inside import InsideKind
from workbench.ui.panels.inside.ngram_page import NgramPage
from workbench.ui.panels.inside.tree_page import TreePage
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel
from workbench.vectors.subwords import subwords_of


class InsidePanel(InsideKind, InstrumentPanel):
    """Two pages; a model with n-grams brings the second to the front."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._seen: object = None
        self.tree = TreePage(self)
        self.ngrams = NgramPage(self)
        self.put_instruments([self.tree, self.ngrams])
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.runs.changed, self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if embeddings is not None:
            self.show_instruments()
            if embeddings is not self._seen:
                self._seen = embeddings
                if subwords_of(embeddings) is None:
                    self.instruments.show_instrument(self.tree.local)
                else:
                    self.instruments.show_instrument(self.ngrams.local)
        else:
            loading = self.show_no_vectors(
                record,
                tr("No model yet"),
                tr(
                    "With skip-gram or CBOW and hierarchical softmax, you will see the "
                    "Huffman tree; with fastText, the n-grams."
                ),
            )
            if not loading:
                self._seen = None
