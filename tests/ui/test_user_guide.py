"""The user guide in the window: F1 opens it at the panel in front, and it needs no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QTextDocument, QTextFormat
from pytestqt.qtbot import QtBot

from workbench.core.folders import documents
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.theme import DARK, LIGHT
from workbench.ui.dialogs.user_guide import (
    Place,
    UserGuideDialog,
    linked_place,
    listed_pages,
    page_title,
)
from workbench.ui.shell.window import Window


@pytest.fixture
def window(window: Window) -> Iterator[Window]:
    """A window whose guide is closed at the end."""
    yield window
    for dialog in window.findChildren(UserGuideDialog):
        dialog.close()


def guide(window: Window, panel: str = "") -> UserGuideDialog:
    return window.guide.show_user_guide(panel)


def test_f1_opens_the_guide_at_the_panel_in_front(window: Window, qtbot: QtBot) -> None:
    window.activateWindow()
    for key in ("map", "loss"):
        window.raise_panel(key)
        qtbot.keyClick(window, Qt.Key.Key_F1)
        dialog = window.findChild(UserGuideDialog)
        assert dialog is not None
        assert dialog.isVisible()
        assert dialog.place == Place(f"guide/panels/{key}.md")
        assert dialog.text.page == dialog.place.page


def test_the_guide_has_a_page_on_each_panel(window: Window) -> None:
    for kind in PANELS:
        text = guide(window, kind.key).text
        assert text.page == f"guide/panels/{kind.key}.md"
        assert text.document().begin().text() == kind.title
        assert "try-this" in text.anchors, kind.key


def links(dialog: UserGuideDialog) -> set[str]:
    """Links of the page that is shown, except web addresses."""
    found = set()
    block = dialog.text.document().begin()
    while block.isValid():
        found.update(span.format.anchorHref() for span in block.textFormats())
        block = block.next()
    return {link for link in found if link and not link.startswith("http")}


def test_all_links_of_the_guide_lead_to_an_anchor(window: Window) -> None:
    dialog = guide(window)
    anchors: dict[str, set[str]] = {}
    places: list[Place | None] = []
    for place in listed_pages():
        dialog.visit(place)
        anchors[place.page] = {"", *dialog.text.anchors}
        places += [linked_place(place.page, link) for link in links(dialog)]
    assert len(places) > 100
    assert [
        place
        for place in places
        if place is None or place.anchor not in anchors.get(place.page, {place.anchor})
    ] == []


def test_back_and_search(window: Window, qtbot: QtBot) -> None:
    dialog = guide(window, "map")
    dialog.visit(Place("guide/files.md"))
    qtbot.mouseClick(dialog.back, Qt.MouseButton.LeftButton)
    assert dialog.place == Place("guide/panels/map.md")
    qtbot.mouseClick(dialog.forward, Qt.MouseButton.LeftButton)
    assert dialog.place.page == "guide/files.md"
    assert dialog.pages.currentText() == page_title("guide/files.md")
    dialog.filter.setFocus()
    qtbot.keyClicks(dialog.filter, "Huffman")
    qtbot.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.text.textCursor().selectedText().casefold() == "huffman"
    assert dialog.place.page != "guide/files.md"
    dialog.filter.setText("xyzzyq")
    qtbot.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.missing.text() == "No results"


def test_a_web_link_that_no_browser_opens_is_named(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    opens = False

    def open_url(url: QUrl) -> bool:
        asked.append(url.toString())
        return opens

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    dialog = guide(window)
    link = QUrl("https://example.org/page")
    assert dialog.problem.isHidden()
    dialog.text.anchorClicked.emit(link)
    assert dialog.problem.isVisible()
    assert dialog.problem.text() == "Couldn’t open a browser for https://example.org/page."
    dialog.visit(Place("guide/files.md"))
    assert dialog.problem.isHidden()
    dialog.text.anchorClicked.emit(link)
    assert dialog.problem.isVisible()
    opens = True
    dialog.text.anchorClicked.emit(link)
    assert dialog.problem.isHidden()
    assert asked == [link.toString()] * 3


def test_a_search_opens_no_page_that_only_links_to_the_word(window: Window, qtbot: QtBot) -> None:
    """“algorithms.md” is in the link targets of many pages, but in the text of none."""
    dialog = guide(window, "map")
    dialog.filter.setText("algorithms.md")
    qtbot.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.missing.text() == "No results"
    assert dialog.place == Place("guide/panels/map.md")
    assert not dialog.back.isEnabled()


def test_an_open_page_follows_the_theme(window: Window) -> None:
    dialog = guide(window)
    dialog.visit(Place("guide/command-line.md"))
    theme = window.context.theme

    def grounds() -> set[str]:
        block, found = dialog.text.document().begin(), set()
        while block.isValid():
            if block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
                found.add(block.blockFormat().background().color().name())
            block = block.next()
        return found

    before = theme.choice
    try:
        for choice, palette in (("dark", DARK), ("light", LIGHT)):
            theme.choose(choice)
            assert grounds() == {QColor(palette.raised).name()}
    finally:
        theme.choose(before)


def test_only_pictures_of_the_guide_are_loaded(window: Window, tmp_path: Path) -> None:
    text = guide(window, "map").text
    image = QTextDocument.ResourceType.ImageResource.value
    assert not text.loadResource(image, QUrl("../pictures/map.png")).isNull()
    outside = tmp_path / "secret.png"
    outside.write_bytes((documents() / "theory.png").read_bytes())
    for name in (str(outside), f"../../../../../..{outside}", "https://example.org/x.png"):
        resource = text.loadResource(image, QUrl(name))
        assert resource is None or resource.isNull()


@pytest.mark.parametrize("size", [100, 150])
def test_no_page_is_wider_than_the_window(window: Window, qtbot: QtBot, size: int) -> None:
    """Pages fit the window even after it was wider."""
    window.context.theme.choose_text_size(size)
    dialog = guide(window)
    for width in (1300, 1000):
        dialog.resize(width, 760)
        qtbot.waitUntil(lambda width=width: dialog.text.width() > width - 100)
        for page in listed_pages():
            dialog.visit(page)
            document = dialog.text.document()
            assert document.size().width() <= dialog.text.viewport().width() + 1, page
