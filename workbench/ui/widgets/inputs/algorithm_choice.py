"""The box for choosing an algorithm, grouped by families."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import why_not
from workbench.session.session import Session
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.widgets.inputs.editors import ChoiceBox

FAMILIES = {
    "predict": tr("Predict words from their contexts"),
    "count": tr("Count, then factorise"),
}


def why_fixed(session: Session) -> str:
    """The reason why a setting determined by the open counts can't be changed; "" if a text is
    open.
    """
    counted = session.corpora.counts
    if counted is not None:
        return tr("Fixed by the counts {name}; count again to change it.", name=counted.name)
    return ""


class AlgorithmChoice(ChoiceBox):
    """Box with algorithms; its data is the key in MODELS."""

    def fill(self, remembered: str) -> None:
        """Offer every algorithm, and choose the remembered one, or else the first."""
        items = QStandardItemModel(self)
        for family, caption in FAMILIES.items():
            kinds = [kind for kind in MODELS if kind.family == family]
            if not kinds:
                continue
            heading = QStandardItem(caption)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            items.appendRow(heading)
            for kind in kinds:
                item = QStandardItem(kind.title)
                item.setData(kind.key, Qt.ItemDataRole.UserRole)
                item.setData(
                    safe_tip(f"{kind.summary}\n{kind.citation}"), Qt.ItemDataRole.ToolTipRole
                )
                items.appendRow(item)
        self.setModel(items)
        row = self.findData(remembered) if remembered else -1
        if row < 0:
            row = next((r for r in range(items.rowCount()) if items.item(r).isSelectable()), -1)
        self.setCurrentIndex(row)

    def offer(self, counts: CountedCorpus | None) -> None:
        """If only ``counts`` are open, disable the algorithms that can't be trained on them, with
        the reason.
        """
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for row in range(model.rowCount()):
            item = model.item(row)
            key = item.data(Qt.ItemDataRole.UserRole)
            if not key:
                continue
            kind = MODELS[str(key)]
            reason = why_not(counts, kind)
            possible = not reason
            if possible == item.isEnabled():
                continue
            item.setEnabled(possible)
            tip = reason or f"{kind.summary}\n{kind.citation}"
            item.setData(safe_tip(tip), Qt.ItemDataRole.ToolTipRole)

    def choose(self, key: str) -> None:
        """Choose an algorithm by its key. Raises UserError for an unknown one."""
        row = self.findData(key)
        if row < 0:
            raise UserError(
                tr("Unknown algorithm “{key}”.", key=key),
                tr("Choose one of: {join}.", join=", ".join(MODELS.keys())),
            )
        self.setCurrentIndex(row)
