"""Words typed into fields follow the spelling of the corpus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from workbench.corpus.corpus import CorpusOptions
from workbench.ui.panels.matrix.find_bar import matching_places
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.inputs.word_search import WordIndex


def test_words_are_completed_and_found_by_it() -> None:
    words = ("cafe", "cafeteria", "the", "0000", "strasse")
    index = WordIndex(words, CorpusOptions(strip_accents=True, numbers="zeros"))
    assert index.beginning("Café") == ["cafe", "cafeteria"]
    assert (index.find("CAFÉ"), index.find("1984"), index.find("Stra")) == ("cafe", "0000", None)
    assert matching_places(words, "Café", CorpusOptions(strip_accents=True)) == [0, 1]
    assert matching_places(words, "Café") == []


def test_a_field_settles_on_the_word_of_the_vocabulary(qtbot: QtBot) -> None:
    field = WordField()
    qtbot.addWidget(field)
    field.show()
    field.set_index(WordIndex(("cafe", "the"), CorpusOptions(strip_accents=True)))
    # Set, not typed: Qt’s tests can only press keys of ASCII characters.
    field.setText("Café")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (field.word, field.text()) == ("cafe", "cafe")


def test_words_spelt_alike_are_offered_where_none_begins_like_it(qtbot: QtBot) -> None:
    index = WordIndex(("queen", "king", "quern", "kitten"))
    assert index.spelt_like("quenn") == ["quern", "queen"]
    assert index.spelt_like("zebra") == []
    field = WordField()
    qtbot.addWidget(field)
    field.show()
    field.set_index(index)
    popup = field.findChild(QListView)
    assert popup is not None
    qtbot.keyClicks(field, "qeen")
    assert field.offering
    assert not popup.currentIndex().isValid()
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert (field.word, field.text(), field.offering) == ("queen", "queen", False)


def test_an_unknown_word_keeps_the_offer_open_until_another_is_typed(qtbot: QtBot) -> None:
    field = WordField()
    qtbot.addWidget(field)
    with qtbot.waitActive(field):
        field.show()
        field.activateWindow()
    field.setFocus()
    field.set_index(WordIndex(("queen", "king")))
    qtbot.keyClicks(field, "qeen")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (field.word, field.offering) == ("qeen", False)
    field.mark(False)
    assert field.offering
    qtbot.keyClicks(field, "king")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    field.mark(True)
    assert (field.word, field.offering, field.property("invalid")) == ("king", False, "")
