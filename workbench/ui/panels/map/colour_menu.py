"""Colour menu of the map, and the colours of the points as chosen there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from workbench.analysis.projection.word_groups import WordGroups
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.session.settings.session_settings import MAP_AXES_COLOUR, MAP_COLOUR
from workbench.ui.base.action import set_action_key
from workbench.ui.base.file_dialogs import WORD_FILES, ask_open
from workbench.ui.base.plain_text import menu_text
from workbench.ui.panels.map.colours import COLOUR_MODES, ColourMode
from workbench.ui.panels.map.colours.file_mode import FileColours
from workbench.ui.panels.map.layout import AXES, BORROWING, PAIR, PLANE, MapLayout
from workbench.ui.panels.map.regions import LayoutRegions
from workbench.ui.panels.map.word_axes import AxesBar
from workbench.ui.widgets.layout.result_view import ResultJob
from workbench.ui.widgets.layout.transient_menu import clear_menu
from workbench.ui.widgets.map.colour_scheme import Shading, plain
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.regions import RegionShading

# Settings by whether the view of word axes is shown, which has its own choice.
_SETTINGS = {False: MAP_COLOUR, True: MAP_AXES_COLOUR}


class MapColours(QObject):
    """Colours of the points as chosen in the menu. The view of word axes has its own choice. Emits
    ``chosen()`` when the choice or its file changes, ``judged()`` when it is known whether the text
    is large enough for regions, ``failed(UserError)`` on failure.

    It is the ``ColourHost`` of its modes.
    """

    chosen = Signal()
    judged = Signal()
    failed = Signal(object)

    def __init__(
        self,
        session: Session,
        view: PointMap,
        button: QToolButton,
        axes: AxesBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.session, self.axes = session, axes
        self._view = view
        self.button = button
        self.layout: MapLayout | None = None
        self._final = False
        self._mapped: MapLayout | None = None
        self.job = ResultJob(session.jobs, "map.colour")
        self.job.on_failed(self._colouring_failed)
        self._is_plain = True
        self._shading: Shading | None = None
        # Colours of another layout’s regions, the layout that has them now, and as that draws them.
        self._borrowed: tuple[RegionShading, MapLayout, RegionShading] | None = None
        self.in_axes_view = False
        self._choices = {view: session.settings[one] for view, one in _SETTINGS.items()}
        self.modes: dict[str, ColourMode] = {kind.key: kind(self) for kind in COLOUR_MODES}
        self.menu = QMenu(button)
        set_action_key(self.menu, "map.colour")
        self.menu.setObjectName("map.colour.menu")
        self.menu.aboutToShow.connect(self._fill_menu)
        button.setMenu(self.menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill_menu()
        self._describe_choice()

    # -- the choice

    def choice_of(self, axes_view: bool) -> str:
        """The choice of the view of word axes, or of all others."""
        choice, setting = self._choices[axes_view], _SETTINGS[axes_view]
        return choice if choice.partition(":")[0] in self.modes else setting.default

    @property
    def choice(self) -> str:
        """The choice of the view that is shown."""
        return self.choice_of(self.in_axes_view)

    @property
    def mode(self) -> ColourMode:
        return self.modes[self.choice.partition(":")[0]]

    @property
    def _detail(self) -> str:
        return self.choice.partition(":")[2]

    def choose(self, choice: str) -> None:
        """Choose a colour mode, optionally followed by ":" and a number of clusters or a
        section.
        """
        self.restore(self.in_axes_view, choice)

    def restore(self, axes_view: bool, choice: str) -> None:
        """Set the choice of one of the views."""
        self.mode.forget()
        self._choices[axes_view] = choice
        self._colour_anew()

    def restore_file(self, key: str, path: str) -> None:
        """Set the file of a mode, which is read when it is needed."""
        mode = self.modes[key]
        assert isinstance(mode, FileColours)
        mode.path = path
        mode.forget_file()
        self._colour_anew()

    def file_of(self, key: str) -> str:
        """Path of the file of a mode, "" before it is chosen."""
        mode = self.modes[key]
        assert isinstance(mode, FileColours)
        return str(mode.path)

    def reload(self) -> None:
        """Read files again when they are needed."""
        for mode in self.modes.values():
            mode.forget_file()
        self._colour_anew()

    def _colour_anew(self) -> None:
        self._describe_choice()
        self.job.forget()
        self.chosen.emit()
        if self.layout is not None:
            self.set_layout(self.layout, self._final, self._mapped)

    @property
    def chosen_axis(self) -> str | None:
        """The word axis that colours the points; None for another colour mode."""
        return self.mode.direction(self._detail)

    @property
    def groups(self) -> WordGroups | None:
        """Groups of words that colour the points: categories of the column, or sections."""
        return self.mode.groups(self._detail)

    @property
    def busy(self) -> bool:
        return self.job.busy or any(mode.busy for mode in self.modes.values())

    @property
    def unsupported(self) -> LayoutRegions | None:
        """The regions of the layout that is shown, if its text is too small for any."""
        return self.mode.unsupported

    def runs_changed(self) -> None:
        if self._shading is not None:
            self.mode.runs_changed()

    # -- the layout

    def set_layout(self, layout: MapLayout, final: bool, mapped: MapLayout | None = None) -> None:
        """Colour another layout or new positions.

        final : the points no longer move; mapped : the layout whose regions colour the words of an
        analogy's plane, once known
        """
        other = self.layout is None or list(self.layout.words) != list(layout.words)
        self.layout, self._final, self._mapped = layout, final, mapped
        if other:
            self.job.forget()
            self._shading = None
        self._follow_view(layout)
        drawn = self._drawn_shading
        if not self.mode.is_ready(layout, final):
            self.job.forget()
            self.mode.forget()
            if not self._is_plain or self._view.shading is not drawn:
                self.put(None)
        elif (
            not self.mode.colour(layout, self._detail)
            and self._shading is not None
            and self._view.shading is not drawn
        ):
            self._draw_shading()

    def _follow_view(self, layout: MapLayout) -> None:
        """Use the choice of the view of word axes, or that of all other views."""
        if self.in_axes_view is not (layout.method == AXES):
            self.mode.forget()
            self.in_axes_view = layout.method == AXES
            self._describe_choice()
            self.job.forget()
            self.chosen.emit()

    @property
    def regional_layout(self) -> MapLayout | None:
        """The layout whose regions are coloured: words in the plane of an analogy, in 3D and of two
        models keep the colours of the map.
        """
        if self.layout is not None and self.layout.method in (*BORROWING, PAIR):
            return self._mapped
        return self.layout

    @property
    def _drawn_shading(self) -> Shading | None:
        """The shading as the view draws it: in the plane of an analogy and of two models with the
        colours of the map without its names, in 3D with both.
        """
        layout, mapped, shading = self.layout, self._mapped, self._shading
        if layout is None or layout.method not in (*BORROWING, PAIR):
            return shading
        if not isinstance(shading, RegionShading):
            return shading
        if layout.method == PLANE:
            return shading.hues
        known = self._borrowed
        if known is None or known[0] is not shading or known[1] is not layout:
            if layout.method == PAIR and mapped is not None:
                drawn = shading.hues_of(mapped.words, layout.words)
            else:
                drawn = shading.turned_solid(layout.positions)
            known = self._borrowed = (shading, layout, drawn)
        return known[2]

    def _draw_shading(self) -> None:
        shading = self._drawn_shading
        if shading is not None:
            self._view.set_shading(shading)

    def take(self, layout: MapLayout, shading: Shading) -> None:
        """Colour the points, if these are still those of the layout."""
        wanted = self.regional_layout if isinstance(shading, RegionShading) else self.layout
        if wanted is not None and list(wanted.words) == list(layout.words):
            self.put(shading)

    def put(self, shading: Shading | None) -> None:
        """Colour the points, plainly without a shading."""
        if self.layout is not None:
            self._is_plain = shading is None
            self._shading = shading or plain(self.layout.values)
            self._draw_shading()

    def judge(self) -> None:
        self.judged.emit()

    def _colouring_failed(self, error: UserError) -> None:
        self.put(None)
        self.fail(error)

    def fail(self, error: UserError) -> None:
        self.failed.emit(error)

    def ask_file(self, title: str, kinds: str) -> Path | None:
        return ask_open(self.button, self.session.settings, WORD_FILES, title, kinds)

    # -- the menu

    def _describe_choice(self) -> None:
        title = self.mode.title
        self.button.setText(tr("Colour") if self.mode.is_plain else title)
        self.button.setAccessibleDescription(tr("Coloured by: {value}", value=title))

    def _fill_menu(self) -> None:
        menu = clear_menu(self.menu)
        filled = _Menu(menu, QActionGroup(menu), self.choice, self.choose)
        for mode in self.modes.values():
            mode.fill_menu(filled)


class _Menu:
    """The menu, or one of its submenus."""

    def __init__(
        self, menu: QMenu, group: QActionGroup, chosen: str, choose: Callable[[str], Any]
    ) -> None:
        self.menu = menu
        self._group = group
        self._chosen = chosen
        self._choose = choose

    def offer(self, text: str, choice: str, slot: Callable[[], None] | None = None) -> None:
        action = self.menu.addAction(menu_text(text))
        action.setObjectName(f"map.colour.{choice}")
        action.setCheckable(True)
        action.setChecked(choice == self._chosen)
        action.triggered.connect(slot or partial(self._choose, choice))
        self._group.addAction(action)

    def add(self, text: str, name: str, slot: Callable[[], None]) -> None:
        action = self.menu.addAction(menu_text(text))
        action.setObjectName(name)
        action.triggered.connect(lambda _=False: slot())

    def below(self, text: str) -> _Menu:
        return _Menu(self.menu.addMenu(menu_text(text)), self._group, self._chosen, self._choose)
