"""Help > User guide: the pages in ``docs``, available offline, opened at the panel in front."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QDesktopServices,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QTextBrowser, QToolButton, QWidget

from workbench.core.folders import documents
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_2, SPACE_4, Theme
from workbench.ui.dialogs.text import TextDialog
from workbench.ui.widgets.inputs.filter_line import FilterLine
from workbench.ui.widgets.layout.note_label import NoteLabel

CONTENTS = "guide/README.md"
# Pages that list panels and algorithms, each with a page of its own.
_LISTS = ("guide/panels.md", "guide/algorithms.md")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
# Placeholder for an anchor until Qt has read the page, because Qt drops empty anchors.
_MARK = "\ue000"
_WEB = ("https://", "http://")
_WIDEST_PICTURE = 640


class Place(NamedTuple):
    """A page, by its path in ``docs``, and an anchor on it, or ""."""

    page: str
    anchor: str = ""


def place_of_panel(key: str) -> Place:
    """Page of the guide on the panel in front, or the contents."""
    if key:
        return Place(f"guide/panels/{key}.md")
    return Place(CONTENTS)


def heading_slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def linked_place(page: str, target: str) -> Place | None:
    """The place that a link on a page leads to, None outside of ``docs``."""
    path, _, anchor = target.partition("#")
    if not path:
        return Place(page, anchor)
    found = (documents() / page).parent.joinpath(path).resolve()
    if not found.is_relative_to(documents()) or found.suffix != ".md" or not found.is_file():
        return None
    return Place(found.relative_to(documents()).as_posix(), anchor)


def listed_pages() -> list[Place]:
    """The pages in the order of the contents."""
    found = [Place(CONTENTS)]
    for contents in (CONTENTS, *_LISTS):
        for _, target in _LINK.findall(_page_text(contents)):
            place = linked_place(contents, target)
            if place is not None and Place(place.page) not in found:
                found.append(Place(place.page))
    return found


def page_title(page: str) -> str:
    """The first heading of a page."""
    title = _TITLE.search(_page_text(page))
    if title is None:
        return page
    return title[1]


def _page_text(page: str) -> str:
    return (documents() / page).read_text(encoding="utf-8")


@cache
def _plain_text(page: str) -> str:
    """The visible text of a page, in lower case."""
    document = QTextDocument()
    document.setMarkdown(
        _ANCHOR.sub("", _COMMENT.sub("", _page_text(page))),
        QTextDocument.MarkdownFeature.MarkdownDialectGitHub,
    )
    return document.toPlainText().casefold()


class GuidePage(QTextBrowser):
    """A page of the guide. Only files in ``docs`` are ever loaded."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.page = ""
        self.anchors: dict[str, int] = {}
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(SPACE_4)
        # All lines wrap and pictures fit. Qt rounds the width of tables up to a pixel too many.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._room = self._picture_room
        theme.changed.connect(self._retheme)

    def show_place(self, place: Place) -> None:
        """Load the page unless it is already shown, and scroll to the anchor."""
        if place.page != self.page:
            self._load(place.page)
        # Qt lays out a page bit by bit, and can't scroll beyond the part it has laid out.
        self.document().documentLayout().documentSize()
        block = self.document().findBlock(self.anchors.get(place.anchor, 0))
        top = self.document().documentLayout().blockBoundingRect(block).top()
        if not place.anchor:
            top = 0
        self.setTextCursor(QTextCursor(block))
        self.verticalScrollBar().setValue(round(top) - SPACE_2)

    @property
    def _picture_room(self) -> int:
        """Maximum width of a picture in pixels: that of the page, but no more than fits when the
        window opens.
        """
        return min(scaled_length(_WIDEST_PICTURE), self.viewport().width() - 2 * SPACE_4 - 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._picture_room != self._room:
            self._room = self._picture_room
            self._retheme()

    def _retheme(self) -> None:
        """Read the page again for new theme colours or a new width, which determine its blocks and
        pictures.
        """
        if self.page:
            top = self.verticalScrollBar().value()
            self._load(self.page)
            self.document().documentLayout().documentSize()
            self.verticalScrollBar().setValue(top)

    def _load(self, page: str) -> None:
        self.page = page
        text = _COMMENT.sub("", _page_text(page))
        text = _LINK.sub(self._kept_link, text)
        names = _ANCHOR.findall(text)
        document = self.document()
        document.setMarkdown(
            _ANCHOR.sub(_MARK, text), QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        )
        self.anchors = {}
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        mark = document.find(_MARK)
        for name in names:
            if mark.isNull():
                break
            mark.removeSelectedText()
            self.anchors[name] = mark.position()
            mark = document.find(_MARK, mark)
        block = document.begin()
        while block.isValid():
            self._dress_block(block)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._dress_table(frame)
        cursor.endEditBlock()

    def _kept_link(self, link: re.Match[str]) -> str:
        """A link, or only its text if it doesn't lead to a page of the guide."""
        if link[2].startswith(_WEB) or linked_place(self.page, link[2]) is not None:
            return link[0]
        return link[1]

    def _dress_block(self, block: QTextBlock) -> None:
        """Make a heading an anchor, and set code off from text."""
        form = block.blockFormat()
        if form.headingLevel():
            self.anchors.setdefault(heading_slug(block.text()), block.position())
            form.setTopMargin(scaled_length(18))
            form.setBottomMargin(scaled_length(6))
        elif form.nonBreakableLines():
            form.setBackground(QBrush(QColor(self._theme.palette.raised)))
            form.setNonBreakableLines(False)
        elif block.textList() is None and QTextCursor(block).currentTable() is None:
            form.setTopMargin(scaled_length(4))
            form.setBottomMargin(scaled_length(6))
        QTextCursor(block).setBlockFormat(form)

    def _dress_table(self, table: QTextTable) -> None:
        form: QTextTableFormat = table.format()
        form.setCellPadding(scaled_length(4))
        form.setBorderCollapse(True)
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QBrush(QColor(self._theme.palette.line)))
        table.setFormat(form)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load a picture in ``docs``, no wider than the room for it; nothing else is loaded."""
        path = (documents() / self.page).parent.joinpath(QUrl(name).path()).resolve()
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        if not path.is_relative_to(documents()):
            return None
        picture = QImage(str(path))
        if not picture.isNull() and picture.width() > self._room > 0:
            picture.setDevicePixelRatio(picture.width() / self._room)
        return picture


class UserGuideDialog(TextDialog):
    """A page, the list of all pages, buttons to go back and forward, and a search of all pages."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, "user_guide", tr("User guide"), (860, 720))
        self._visited: list[Place] = []
        self._at = -1
        self.back = self._arrow(theme, "back", "chevron-left", tr("Back"))
        self.forward = self._arrow(theme, "forward", "chevron-right", tr("Forward"))
        titles = {place.page: page_title(place.page) for place in listed_pages()}
        self.pages = self.named(kit.ChoiceBox.of(titles), "pages", tr("Page of the guide"))
        self.filter = self.named(
            FilterLine(), "search", tr("Search the guide"), tr("Search all pages. (Return)")
        )
        self.filter.setPlaceholderText(tr("Search the guide"))
        self.missing = self.named(kit.label(role="muted"), "missing", tr("Search result"))
        self.text = self.named(GuidePage(theme), "page", tr("Page of the guide"))
        problem = kit.with_role(NoteLabel(), "error")
        self.problem = self.named(problem, "problem", tr("Error message"))
        self.problem.hide()
        places = (self.back, self.forward, self.pages, kit.stretch(share=1))
        top = kit.row(*places, self.missing, kit.stretch(self.filter))
        kit.add(self.column, top, kit.stretch(self.text), self.problem)
        kit.add(self.buttons, kit.stretch())
        self.button("close", tr("Close"), self.close)
        self.back.clicked.connect(lambda: self._step(-1))
        self.forward.clicked.connect(lambda: self._step(1))
        self.pages.activated.connect(lambda _: self.visit(Place(self.pages.currentData())))
        self.filter.textChanged.connect(lambda _: self.missing.setText(""))
        self.filter.returnPressed.connect(self.find_next)
        self.text.anchorClicked.connect(self._follow)
        self.text.setFocus()

    def _arrow(self, theme: Theme, local: str, icon: str, text: str) -> QToolButton:
        return self.named(kit.icon_button(theme, icon, role="quiet"), local, text, text)

    @property
    def place(self) -> Place:
        """The current place."""
        return self._visited[self._at]

    def visit(self, place: Place) -> None:
        """Show a place; “Back” returns to the previous one."""
        if not self._visited or place != self.place:
            self._visited[self._at + 1 :] = [place]
            self._at += 1
        self._show()

    def _step(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._visited) - 1)
        self._show()

    def _show(self) -> None:
        self.problem.hide()
        self.text.show_place(self.place)
        self.pages.setCurrentIndex(self.pages.findData(self.place.page))
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._visited) - 1)

    def _follow(self, link: QUrl) -> None:
        if link.toString().startswith(_WEB):
            self.problem.setText(tr("Couldn’t open a browser for {link}.", link=link.toString()))
            self.problem.setVisible(not QDesktopServices.openUrl(link))
            return
        place = linked_place(self.text.page, link.toString())
        if place is not None:
            self.visit(place)

    def find_next(self) -> None:
        """Mark the next place that contains the typed text, on this page or a later one."""
        wanted = self.filter.text().strip()
        if not wanted or self.text.find(wanted):
            return
        every = [self.pages.itemData(at) for at in range(self.pages.count())]
        here = every.index(self.text.page) + 1 if self.text.page in every else 0
        for page in (*every[here:], *every[:here]):
            # Not in the source: a page whose links or comments match would be opened in vain.
            if wanted.casefold() in _plain_text(page):
                self.visit(Place(page))
                self.text.moveCursor(QTextCursor.MoveOperation.Start)
                self.text.find(wanted)
                return
        self.missing.setText(tr("No results"))
