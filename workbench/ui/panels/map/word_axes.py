"""Row of the map that names two word axes by two anchor words each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.analysis.projection.word_axes import WordAxis
from workbench.core.language import tr
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.inputs.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

# Offered where nothing was chosen, if the model knows the words.
_ACROSS = (
    ("man", "woman"),
    ("he", "she"),
    ("boy", "girl"),
    ("father", "mother"),
    ("king", "queen"),
)
_UP = (
    ("poor", "rich"),
    ("bad", "good"),
    ("small", "large"),
    ("small", "big"),
    ("young", "old"),
    ("cold", "hot"),
)
_FIELDS = ("left", "right", "bottom", "top")


class AxesBar(QWidget):
    """Four words: left ↔ right, bottom ↔ top. ``changed`` tells that one was settled."""

    changed = Signal()
    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields = {name: WordField() for name in _FIELDS}
        self._chosen = False
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_3, 0, SPACE_3, SPACE_2)
        row.setSpacing(SPACE_2)
        for title, (first, second) in ((tr("Across"), _FIELDS[:2]), (tr("Up"), _FIELDS[2:])):
            label = PlainLabel(title)
            label.setProperty("role", "small")
            label.setBuddy(self.fields[first])
            row.addWidget(label)
            row.addWidget(self.fields[first], 1)
            row.addWidget(PlainLabel("↔"))
            row.addWidget(self.fields[second], 1)
            row.addSpacing(SPACE_1)
        for place, field in enumerate(self.fields.values()):
            set_scaled_size(field, most_width=140)
            set_scaled_size(field, least_width=60)
            field.entered.connect(lambda _: self._word_entered())
            field.overflow.connect(lambda words, at=place: self._fill_fields(words, at))
            field.wanted.connect(self.wanted)
        row.addStretch(1)

    @property
    def axes(self) -> tuple[WordAxis, WordAxis] | None:
        """Both axes; None until all four words are given."""
        words = [field.word for field in self.fields.values()]
        if not all(words):
            return None
        return WordAxis(words[0], words[1]), WordAxis(words[2], words[3])

    def set_index(self, index: WordIndex | None) -> None:
        for field in self.fields.values():
            field.set_index(index)

    def put(self, words: Sequence[str]) -> None:
        """Set four saved words, or none where none were chosen."""
        if words:
            self._chosen = any(words)
            for field, word in zip(self.fields.values(), words, strict=True):
                field.set_word(word)

    def words(self) -> list[str]:
        return [field.word for field in self.fields.values()]

    def fill_with_anchors(self, embeddings: Embeddings) -> None:
        """Fill empty axes with known anchors, unless the user chose words."""
        if self._chosen:
            self.mark_unknown(embeddings)
            return
        for pairs, names in ((_ACROSS, _FIELDS[:2]), (_UP, _FIELDS[2:])):
            known = next(
                (pair for pair in pairs if pair[0] in embeddings and pair[1] in embeddings),
                ("", ""),
            )
            for name, word in zip(names, known, strict=True):
                self.fields[name].set_word(word)

    def mark_unknown(self, embeddings: Embeddings) -> list[str]:
        """Mark fields with unknown words; returns these words."""
        missing = []
        for field in self.fields.values():
            known = not field.word or field.word in embeddings
            field.mark(known)
            if not known:
                missing.append(field.word)
        return missing

    def _word_entered(self) -> None:
        self._chosen = True
        self.changed.emit()

    def _fill_fields(self, words: Sequence[str], at: int) -> None:
        """Put several words typed at once into this field and the next ones."""
        fields = list(self.fields.values())[at:]
        for field, word in zip(fields, words, strict=False):
            field.set_word(word)
        self._word_entered()
