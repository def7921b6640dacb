"""“Save figure …” and “Save data …” for whatever draws one, and the button that offers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QGuiApplication, QPainter
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.action import Action, action_key, set_action_key
from workbench.ui.plain_text import menu_text
from workbench.ui.widgets.charts.captions import caption, modes_stem, shown_modes
from workbench.ui.widgets.charts.figure_dialog import Told, ask_figure
from workbench.ui.widgets.charts.figure_export import (
    TABLE,
    PageSetup,
    ask_path,
    save_figure,
    save_text,
)

Texts = dict[str, tuple[str, Callable[[], str]]]

# Of the first of what a panel declares, among its actions.
_PLACE = 90


class Export:
    """Exports that a view offers.

    stem : the file's name that is proposed
    size, draw : of the figure, or None if there is none
    texts : by suffix: the kind in the dialog and what makes the text
    records : the runs that a figure shows, which its caption names; without it the one that is
    looked at
    about : what a figure shows, in a sentence of its caption, where that is more than the title
    """

    def __init__(
        self,
        owner: QWidget,
        session: Session,
        title: str,
        stem: str,
        size: Callable[[], QSize] | None = None,
        draw: Callable[[QPainter], None] | None = None,
        texts: Texts | None = None,
        records: Callable[[], Sequence[RunRecord] | None] = lambda: None,
        about: Callable[[], str] | None = None,
    ) -> None:
        self._owner = owner
        self._session = session
        self.title = title
        self._stem = stem
        self._size = size
        self._draw = draw
        self._texts = texts or {}
        self._records = records
        self.about = about

    def fill(self, menu: QMenu) -> None:
        """Put the actions into a menu."""
        for action in self.actions():
            action.setParent(menu)
            menu.addAction(action)

    def actions(self, about: str = "") -> list[QAction]:
        """Save figure, save data, copy data; ``about`` names the figure, for menus with several."""
        figure, data, copy = tr("Save figure…"), tr("Save data…"), tr("Copy data")
        if about:
            figure = tr("Save figure of {about}…", about=about)
            data = tr("Save data of {about}…", about=about)
            copy = tr("Copy data of {about}", about=about)
        actions = []
        if self._draw is not None:
            actions.append(self._action("figure", figure, self.ask_figure))
        if self._texts:
            actions.append(self._action("data", data, self.ask_data))
            actions.append(self._action("copy", copy, self.copy))
        return actions

    def _action(self, what: str, text: str, slot: Callable[[], None]) -> QAction:
        action = QAction(menu_text(text), self._owner)
        set_action_key(action, f"export.{what}")
        action.triggered.connect(slot)
        return action

    def ask_figure(self) -> None:
        if self._size is not None:
            subject = self.title
            if self.about is not None:
                subject = self.about()
            modes = shown_modes(self._owner, self._session)
            text = caption(self._session, subject, self._records(), modes=modes)
            stem = modes_stem(self._stem, modes)
            ask_figure(self._owner, self._session, self.title, stem, self._size(), text, self.save)

    def ask_data(self) -> None:
        kinds = {suffix: kind for suffix, (kind, _) in self._texts.items()}
        stem = modes_stem(self._stem, shown_modes(self._owner, self._session))
        path = ask_path(self._owner, self.title, stem, kinds)
        if path is not None:
            self.save(path)

    def copy(self) -> None:
        """Put the first kind of text on the clipboard."""
        _, make = next(iter(self._texts.values()))
        QGuiApplication.clipboard().setText(make())
        self._session.message.emit(tr("Copied"), "", False)

    def save(self, path: Path, page: PageSetup | None = None, report: Told | None = None) -> None:
        """Write a figure or a table, whichever the suffix means, and report it; ``report`` gets the
        problem if it couldn’t be written.
        """
        suffix = path.suffix.lower()
        try:
            if suffix in self._texts:
                save_text(path, self._texts[suffix][1]())
            elif self._draw is not None and self._size is not None:
                save_figure(path, self._size(), self._draw, self.title, page)
            else:
                raise UserError(
                    tr("Unknown table format “{suffix}”.", suffix=suffix),
                    tr("Choose one of: {join}.", join=", ".join(self._texts)),
                )
        except UserError as error:
            if report is None:
                self._session.message.emit(error.message, error.hint, True)
            else:
                report(error)
        else:
            self._session.message.emit(tr("Saved {name}.", name=path.name), "", False)
            if report is not None:
                report(None)


def csv(make: Callable[[], str]) -> Texts:
    """The data as CSV alone."""
    return {".csv": (TABLE[".csv"], make)}


def export_actions(
    panel: str, about: str, find: Callable[[Any], Export], *, figure: bool = True, local: str = ""
) -> tuple[Action, ...]:
    """Declaration of a view of a panel that can be saved. ``local`` tells several views apart."""

    def doing(do: Callable[[Export], None]) -> Callable[[Any], None]:
        return lambda target: do(find(target))

    if local:
        stem = f"{panel}.{local}_"
    else:
        stem = f"{panel}."
    declared = (
        (
            "save_figure",
            tr("Save figure of {about}…", about=about),
            tr("Save {about} as a figure: PNG, SVG or PDF.", about=about),
            Export.ask_figure,
            "export",
        ),
        (
            "save_data",
            tr("Save data of {about}…", about=about),
            tr("Save the numbers of {about} as a table.", about=about),
            Export.ask_data,
            "export",
        ),
        (
            "copy_data",
            tr("Copy data of {about}", about=about),
            tr("Copy the numbers of {about} to the clipboard.", about=about),
            Export.copy,
            "",
        ),
    )
    return tuple(
        Action(f"{stem}{what}", text, tells, doing(do), icon=icon, place=_PLACE + at)
        for at, (what, text, tells, do, icon) in enumerate(declared)
        if figure or what != "save_figure"
    )


class ExportButton(QPushButton):
    """“Export” with the menu of what is shown now."""

    def __init__(self, which: Callable[[], Export | None]) -> None:
        super().__init__(tr("Export"))
        self._which = which
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        export = self._which()
        if export is not None:
            export.fill(menu)


class ManyExportsButton(QPushButton):
    """“Export” with the menu of several views, each by its name."""

    def __init__(self, exports: dict[str, Export]) -> None:
        super().__init__(tr("Export"))
        menu = QMenu(self)
        for about, export in exports.items():
            for action in export.actions(about):
                if action_key(action) != "export.copy":
                    menu.addAction(action)
        self.setMenu(menu)
