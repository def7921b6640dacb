"""“Save figure …” and “Save data …” for any view, and the button that offers them."""

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
from workbench.ui.base.action import Action, action_key, set_action_key
from workbench.ui.base.exporter import What
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.base.plain_text import menu_text
from workbench.ui.export.captions import caption, modes_stem, shown_modes
from workbench.ui.export.figure_dialog import SaveReport, ask_figure
from workbench.ui.export.figure_export import (
    TABLE,
    PageSetup,
    ask_path,
    save_figure,
    save_text,
)

Texts = dict[str, tuple[str, Callable[[], str]]]

# Position of the first export action among the panel's actions.
_PLACE = 90


class Export:
    """Exports that a view offers.

    stem : proposed name of the file, without a suffix
    size, draw : size and painting of the figure, or None without a figure
    texts : by suffix, the kind shown in the dialog and the function that returns the text
    records : the runs in the figure, which its caption lists; by default, the active run
    about : a sentence for the caption on the content of the figure, beyond its title
    ready : whether there is anything to save yet
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
        ready: Callable[[], bool] = lambda: True,
    ) -> None:
        self.owner = owner
        self._session = session
        self.title = title
        self._stem = stem
        self._size = size
        self._draw = draw
        self._texts = texts or {}
        self._records = records
        self.about = about
        self._ready = ready

    @property
    def why_not(self) -> str:
        """Why nothing can be saved now, or ""."""
        return "" if self._ready() else str(nothing_to_save(self.owner, lack_of(self.owner)))

    def fill(self, menu: QMenu) -> None:
        """Add the actions to a menu."""
        for action in self.actions():
            action.setParent(menu)
            menu.addAction(action)

    def actions(self, about: str = "") -> list[QAction]:
        """Save figure, save data, copy data; ``about`` names the figure in menus with several
        figures.
        """
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

    def offers(self, what: What) -> bool:
        return self._draw is not None if what == "figure" else bool(self._texts)

    def ask(self, what: What) -> None:
        {"figure": self.ask_figure, "data": self.ask_data, "copy": self.copy}[what]()

    def _action(self, what: str, text: str, slot: Callable[[], None]) -> QAction:
        action = QAction(menu_text(text), self.owner)
        set_action_key(action, f"export.{what}")
        action.triggered.connect(slot)
        return action

    def ask_figure(self) -> None:
        if self._size is not None and self._has_content():
            subject = self.about() if self.about is not None else self.title
            modes = shown_modes(self.owner, self._session)
            text = caption(self._session, subject, self._records(), modes=modes)
            stem = modes_stem(self._stem, modes)
            ask_figure(self.owner, self._session, self.title, stem, self._size(), text, self.save)

    def ask_data(self) -> None:
        if not self._has_content():
            return
        kinds = {suffix: kind for suffix, (kind, _) in self._texts.items()}
        stem = modes_stem(self._stem, shown_modes(self.owner, self._session))
        path = ask_path(self.owner, self._session.settings, self.title, stem, kinds)
        if path is not None:
            self.save(path)

    def copy(self) -> None:
        """Copy the first kind of text to the clipboard."""
        if self._has_content():
            _, make = next(iter(self._texts.values()))
            QGuiApplication.clipboard().setText(make())
            self._session.message.emit(tr("Copied"), "", False)

    def _has_content(self) -> bool:
        """Whether there is anything to save; reports what is missing if not."""
        try:
            self._check_content()
        except UserError as error:
            self._session.message.emit(error.message, error.hint, False)
            return False
        return True

    def _check_content(self) -> None:
        """Raise UserError if a notice replaces the view, nothing is ready, or the table only has a
        header: the figure shows the same numbers.
        """
        lack = lack_of(self.owner)
        empty = not self._ready()
        if not lack and not empty and self._texts:
            _, make = next(iter(self._texts.values()))
            empty = not make().strip().partition("\n")[2]
        if lack or empty:
            raise nothing_to_save(self.owner, lack)

    def save(
        self, path: Path, page: PageSetup | None = None, report: SaveReport | None = None
    ) -> None:
        """Write a figure or a table, depending on the suffix, and report it; ``report`` gets the
        error if it couldn't be written.
        """
        suffix = path.suffix.lower()
        try:
            self._check_content()
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
                self._session.message.report(error)
            else:
                report(error)
        else:
            report_saved(self._session, self.owner, path)
            if report is not None:
                report(None)


def report_saved(session: Session, owner: QWidget, path: Path) -> None:
    """Report the name of a file, and the panel whose view it contains."""
    panel = _panel_of(owner)
    text = tr("Saved {name}.", name=path.name)
    if panel is not None:
        text = tr("Saved {name} from {panel}.", name=path.name, panel=panel.title)
    session.message.emit(text, "", False)


def nothing_to_save(owner: QWidget, lack: str = "") -> UserError:
    """The error for a view without content. lack : what is missing, as a title"""
    panel = _panel_of(owner)
    if not lack and panel is not None:
        lack = tr("{panel} has no data yet", panel=panel.title)
    return UserError(tr("There is nothing to save."), f"{lack.rstrip('.')}." if lack else "")


def lack_of(owner: QWidget) -> str:
    """The title of the notice that a panel, or a page of it, shows in place of ``owner``."""
    widget: QWidget | None = owner
    while widget is not None:
        lack = getattr(widget, "lack", "")
        if lack:
            return str(lack)
        widget = widget.parentWidget()
    return ""


def _panel_of(owner: QWidget) -> PanelKind | None:
    widget: QWidget | None = owner
    while widget is not None and not isinstance(widget, PanelKind):
        widget = widget.parentWidget()
    return widget


def csv(make: Callable[[], str]) -> Texts:
    """The data only as CSV."""
    return {".csv": (TABLE[".csv"], make)}


def export_actions(
    panel: str, about: str, find: Callable[[Any], Export], *, figure: bool = True, local: str = ""
) -> tuple[Action, ...]:
    """Export actions of a panel's view, for its declaration. ``local`` distinguishes several
    views.
    """

    def doing(do: Callable[[Export], None]) -> Callable[[Any], None]:
        return lambda target: do(find(target))

    stem = f"{panel}.{local}_" if local else f"{panel}."
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
            tr("Save the numbers of {about} as a table, such as CSV.", about=about),
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
        Action(
            key=f"{stem}{what}",
            text=text,
            description=tells,
            run=doing(do),
            icon=icon,
            place=_PLACE + at,
            why_not=lambda target: find(target).why_not,
        )
        for at, (what, text, tells, do, icon) in enumerate(declared)
        if figure or what != "save_figure"
    )


class ExportButton(QPushButton):
    """“Export” with the menu of the current view."""

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
    """“Export” with the menu of several views, each with its name."""

    def __init__(self, exports: dict[str, Export]) -> None:
        super().__init__(tr("Export"))
        menu = QMenu(self)
        for about, export in exports.items():
            for action in export.actions(about):
                if action_key(action) != "export.copy":
                    menu.addAction(action)
        self.setMenu(menu)
