"""Row of the map that names two word axes by pairs of anchor words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.analysis.projection.word_axes import (
    KnownPairs,
    Pair,
    WordAxis,
    known_pairs,
    read_pairs,
    write_pairs,
)
from workbench.core.language import tr
from workbench.core.setting import Strings
from workbench.ui import kit
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.inputs.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

# Offered if no words were chosen, provided the model knows them.
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
ACROSS, UP = "across", "up"
DIRECTIONS = (ACROSS, UP)


class PairsField(WordField):
    """Further pairs of an axis, such as “king/queen, boy/girl”. ``entered`` carries the text when
    it is confirmed by Return or by leaving the field.
    """

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return read_pairs(self.word)[0]

    @property
    def alone(self) -> tuple[str, ...]:
        """Words without a partner."""
        return read_pairs(self.word)[1]

    def _words(self) -> list[str]:
        return re.split(r"[\s,;/]+", self.text().strip())

    def _offer(self) -> None:
        if self.text().endswith(("/", ";")):
            self._popup.hide()
        else:
            super()._offer()

    def _take_word(self, word: str) -> None:
        """Complete the word being typed; if it is complete, confirm the pairs."""
        last = self._words()[-1]
        if word == last:
            self._pick()
            return
        self.setText(self.text().rstrip().removesuffix(last) + word)
        self._popup.hide()

    def _pick(self) -> None:
        self._popup.hide()
        pairs, alone = read_pairs(self.text())
        pairs = tuple((self._spell(low), self._spell(high)) for low, high in pairs)
        text = write_pairs(pairs, alone)
        self.setText(text)
        self._settled = text
        self.entered.emit(text)

    def _spell(self, word: str) -> str:
        if self._index is None:
            return word
        return self._index.find(word) or word


class AxesBar(QWidget):
    """Two axes, left ↔ right and bottom ↔ top, each with a pair of words and further pairs.
    ``changed``: an axis was confirmed.
    """

    changed = Signal()
    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields = {name: WordField() for name in _FIELDS}
        self.pairs = {name: PairsField() for name in DIRECTIONS}
        self._chosen = False
        across = kit.stretch(self._axis_row(tr("Across"), ACROSS, _FIELDS[:2]))
        up = kit.stretch(self._axis_row(tr("Up"), UP, _FIELDS[2:]))
        kit.fill(self, kit.bar(across, up, gap=SPACE_4, margins=(SPACE_3, 0, SPACE_3, SPACE_2)))
        for place, field in enumerate(self.fields.values()):
            set_scaled_size(field, most_width=140)
            set_scaled_size(field, least_width=60)
            field.overflow.connect(lambda words, at=place: self._fill_fields(words, at))
        for pairs in self.pairs.values():
            set_scaled_size(pairs, least_width=150)
            pairs.setPlaceholderText(tr("more pairs: king/queen, …"))
        for field in (*self.fields.values(), *self.pairs.values()):
            field.entered.connect(lambda _: self._word_entered())
            field.wanted.connect(self.wanted)

    def _axis_row(self, title: str, direction: str, names: Sequence[str]) -> QWidget:
        first, second = (self.fields[name] for name in names)
        row = kit.row(
            kit.label(title, role="small", buddy=first),
            kit.space(SPACE_1),
            kit.stretch(first, 2),
            kit.label("↔"),
            kit.stretch(second, 2),
            kit.stretch(self.pairs[direction], 3),
            gap=SPACE_1,
        )
        return kit.box(row)

    def typed_axis(self, direction: str) -> WordAxis | None:
        """The axis as typed; None until a pair is given."""
        names = _FIELDS[:2]
        if direction == UP:
            names = _FIELDS[2:]
        low, high = (self.fields[name].word for name in names)
        pairs = self.pairs[direction].pairs
        if low and high:
            pairs = ((low, high), *pairs)
        if not pairs:
            return None
        return WordAxis.of_pairs(pairs)

    def known_axis(self, direction: str, embeddings: Embeddings) -> KnownPairs:
        """The axis without the pairs that a model can’t use."""
        axis = self.typed_axis(direction)
        if axis is None:
            return KnownPairs(None, ())
        return known_pairs(embeddings, axis)

    def set_index(self, index: WordIndex | None) -> None:
        for field in (*self.fields.values(), *self.pairs.values()):
            field.set_index(index)

    def put_words(self, words: Sequence[str]) -> None:
        """Set the four words; an empty tuple clears the fields."""
        self._chosen = any(words)
        for field, word in zip(self.fields.values(), words or [""] * len(_FIELDS), strict=True):
            field.set_word(word)

    def put_pairs(self, pairs: Sequence[str]) -> None:
        """Set the texts of further pairs of both axes, or none."""
        for field, text in zip(self.pairs.values(), pairs or ("", ""), strict=True):
            field.set_word(text)

    def words(self) -> Strings:
        return tuple(field.word for field in self.fields.values())

    def chosen_words(self) -> Strings:
        """The four words, or none if they are only offered."""
        return self.words() if self._chosen else ()

    def pair_texts(self) -> Strings:
        """The texts of further pairs of both axes, or none."""
        texts = tuple(field.word for field in self.pairs.values())
        return texts if any(texts) else ()

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

    def mark_unknown(self, embeddings: Embeddings) -> None:
        """Mark fields with unknown words or words without a partner."""
        for field in self.fields.values():
            field.mark(not field.word or embeddings.find(field.word) is not None)
        for pairs in self.pairs.values():
            words = [word for pair in pairs.pairs for word in pair]
            known = all(embeddings.find(word) is not None for word in words)
            pairs.mark(known and not pairs.alone)

    def _word_entered(self) -> None:
        # Without any words, those that the model knows are offered again.
        self._chosen = any(self.words())
        self.changed.emit()

    def _fill_fields(self, words: Sequence[str], at: int) -> None:
        """Put several words typed at once into this field and the next ones."""
        fields = list(self.fields.values())[at:]
        for field, word in zip(fields, words, strict=False):
            field.set_word(word)
        self._word_entered()
