"""Arrangement of a window's panels: built-in layouts, saved ones, and the one of the last start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.setting import Object, Setting, mapping_of
from workbench.session.files.session_settings import WINDOW_LAYOUT
from workbench.ui.scaling import scaled_length, text_factor
from workbench.ui.shell.dock import PanelDock
from workbench.ui.shell.panel_window import PanelWindow

# Layouts that the user saved, by name.
NAMED_LAYOUTS = Setting[Object]("window.layouts", mapping_of(dict), {})
AREAS = ("left", "centre", "right", "below", "bottom")
# Of the columns at the sides, in a wide window and in a narrow one.
_SIDES_WIDE, _SIDES_NARROW, _WIDE = (324, 290), (318, 252), 1400
# Where text is enlarged and this much of its usual pixels is not left, the column at the right
# joins the centre's tabs.
_NARROW = 1000
_HEIGHT_BELOW = 190
# Below this height of the window the strip under the centre and the bar below it are tabs of one.
_LOW, _HEIGHT_LOW = 780, 146

# How they are called.
TITLES: Mapping[str, str] = {
    "Default": tr("Default"),
    "Classroom": tr("Classroom"),
    "Map alone": tr("Map alone"),
}
# By name: what it is for, and the panels that are closed in it; of those left in an area the first
# is in front.
BUILT_IN: Mapping[str, tuple[str, frozenset[str]]] = {
    "Default": (tr("Every panel in its place."), frozenset()),
    "Classroom": (
        tr(
            "Large map, with the loss and the analogy below it and nothing at the sides but the "
            "settings."
        ),
        frozenset({"inspector"}),
    ),
    "Map alone": (
        tr("The panels of the centre over the whole window."),
        frozenset({"train", "runs", "inspector", "loss", "analogy"}),
    ),
}


class Layouts:
    """Arranges the docks of one window. Names are kept in the settings, for every window."""

    def __init__(self, window: PanelWindow) -> None:
        self._window = window
        self.is_low = self.is_narrow = False
        # Somebody else has the docks, as a presentation does.
        self.held = False
        window.context.theme.text_changed.connect(self._text_changed)

    def area(self, area: str) -> list[PanelDock]:
        return [dock for dock in self._window.docks.values() if dock.kind.area == area]

    def release(self) -> None:
        """Nothing of a window that is closed is arranged any more."""
        self._window.context.theme.text_changed.disconnect(self._text_changed)

    # -- the layouts that are built in

    def reset(self, name: str = "Default") -> None:
        """Put every panel to where it is in a built-in layout, as fits the height of the window."""
        window = self._window
        _, closed = BUILT_IN[name]
        self.is_low, self.is_narrow = self._shape
        for dock in window.docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        left, centre, right = self._columns()
        below, bottom = self._strips()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        groups = [group for group in (left, centre or right or below) if group]
        if not groups:
            return
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, groups[0][0])
        middle = groups[-1]
        if left and middle is not left:
            window.splitDockWidget(left[0], middle[0], across)
        for group, way in ((bottom, down), (right, across), (below, down)):
            if group and group is not middle:
                window.splitDockWidget(middle[0], group[0], way)
        for group in (left, centre, right, below, bottom):
            for dock in group[1:]:
                window.tabifyDockWidget(group[0], dock)
        for dock in window.docks.values():
            dock.setVisible(dock.kind.key not in closed)
        for group in (left, centre, right, below, bottom):
            shown = [dock for dock in group if dock.kind.key not in closed]
            if shown:
                shown[0].raise_()
        self.size_docks()
        window.titles_later()

    @property
    def fits(self) -> bool:
        """Whether strips and columns lie as the window's size asks for."""
        return (self.is_low, self.is_narrow) == self._shape

    @property
    def _shape(self) -> tuple[bool, bool]:
        """Whether the window is low, and whether it is narrow, for the size of its text."""
        factor = text_factor()
        return (
            self._window.height() / factor < _LOW,
            factor > 1 and self._window.width() / factor < _NARROW,
        )

    def _text_changed(self) -> None:
        """A window that has become small for its text, or large again, is laid out anew."""
        if self.held:
            return
        if self.fits:
            self.size_docks()
        else:
            self.reset()
        # What panels need at least is known once they have measured their text anew.
        QTimer.singleShot(0, self._window, lambda: None if self.held else self.size_docks())

    def _columns(self) -> tuple[list[PanelDock], list[PanelDock], list[PanelDock]]:
        """The docks at the left, in the centre and at the right; in a narrow window the latter are
        one.
        """
        left, centre, right = self.area("left"), self.area("centre"), self.area("right")
        if self.is_narrow:
            return (left, centre + right, [])
        return (left, centre, right)

    def _strips(self) -> tuple[list[PanelDock], list[PanelDock]]:
        """The docks below the centre and those at the bottom; in a low window all are at the
        bottom.
        """
        below, bottom = self.area("below"), self.area("bottom")
        if self.is_low:
            return ([], below + bottom)
        return (below, bottom)

    def size_docks(self) -> None:
        window = self._window
        for dock in window.docks.values():
            if dock.is_made:
                # What a panel needs at least changes within the area that it scrolls in, which
                # tells nobody.
                dock.panel.updateGeometry()
        left, centre, right = self._columns()
        below, bottom = self._strips()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        sides = _SIDES_NARROW
        if window.width() / text_factor() >= _WIDE:
            sides = _SIDES_WIDE
        west, east = (min(scaled_length(side), window.width() * 2 // 5) for side in sides)
        width = window.width() - (west if left else 0) - (east if right else 0)
        row = [(left, west), (centre, width), (right, east)]
        picked = [(group[0], size) for group, size in row if group]
        window.resizeDocks([dock for dock, _ in picked], [size for _, size in picked], across)
        if self.is_low:
            low = min(scaled_length(_HEIGHT_LOW), window.height() // 3)
        elif bottom:
            low = bottom[0].sizeHint().height()
        else:
            low = 0
        if window.height() >= 820:
            strip = _HEIGHT_BELOW
        else:
            strip = _HEIGHT_BELOW - 30
        rest = window.height() - scaled_length(90) - low - (strip if below else 0)
        column = [(centre, rest), (below, strip), (bottom, low)]
        picked = [(group[0], size) for group, size in column if group]
        window.resizeDocks([dock for dock, _ in picked], [size for _, size in picked], down)

    # -- those kept by name

    @property
    def names(self) -> Sequence[str]:
        """Of the layouts that somebody saved, in the order of the alphabet."""
        return sorted(self._named, key=str.casefold)

    @property
    def _named(self) -> Object:
        return self._window.session.settings[NAMED_LAYOUTS]

    def save(self, name: str) -> None:
        """Keep the layout under a name; an older one of that name is replaced, with a way back.
        Raises UserError for a name that is built in, or none.
        """
        name = " ".join(name.split())
        if not name:
            raise UserError(tr("The layout has no name."), tr("Type one."))
        if name.casefold() in {other.casefold() for other in (*BUILT_IN, *TITLES.values())}:
            raise UserError(
                tr("“{name}” is a layout that is built in.", name=name), tr("Choose another name.")
            )
        before, now = self._named.get(name), self._state()
        self._keep(name, now)
        session, bridge = self._window.session, self._window.context.bridge
        if before is None:
            session.message.emit(tr("The layout “{name}” is kept.", name=name), "", False)
        else:
            back, again = partial(self._keep, name, before), partial(self._keep, name, now)
            change = session.undo.push(tr("replacing of layout “{name}”", name=name), back, again)
            told = tr("The layout “{name}” was replaced.", name=name)
            holds = partial(session.undo.is_applied, change)
            bridge.offer(told, tr("Undo"), partial(session.undo.revert, change), holds)

    def _keep(self, name: str, state: Any) -> None:
        self._store_layouts({**self._named, name: state})

    def choose(self, name: str) -> None:
        """Arrange the panels as in a layout. Raises UserError where there is no such, or it cannot
        be read.
        """
        if name in BUILT_IN:
            self.reset(name)
            return
        kept = self._named.get(name)
        # Of another size of window: only the docks are put.
        if kept is None or not self._put_docks(kept):
            raise UserError(
                tr("The layout “{name}” cannot be used.", name=name),
                tr("Arrange the panels and save it again."),
            )
        self._window.titles_later()

    def delete(self, name: str) -> None:
        """Forget a layout; it can be taken back."""
        named = dict(self._named)
        state = named.pop(name, None)
        if state is None:
            return
        self._store_layouts(named)
        undo = self._window.session.undo
        undo.push(
            tr("deletion of layout “{name}”", name=name),
            lambda: self._store_layouts({**self._named, name: state}),
            lambda: self.delete(name),
        )

    def _store_layouts(self, named: Mapping[str, Any]) -> None:
        self._window.session.settings[NAMED_LAYOUTS] = named

    # -- the one of last time

    def restore_last(self) -> bool:
        """Lay the window out as it was when it was closed last, or as a session file says."""
        kept = self._window.session.settings[WINDOW_LAYOUT]
        # A layout kept by a version with other panels would hide the new ones.
        if kept.get("docks") != sorted(self._window.docks):
            return False
        geometry = kept.get("geometry")
        if geometry is None:
            return False
        self._window.restoreGeometry(_bytes(geometry))
        return self._put_docks(kept)

    def save_last(self) -> None:
        geometry = self._window.saveGeometry().toBase64().toStdString()
        self._window.session.settings[WINDOW_LAYOUT] = {**self._state(), "geometry": geometry}

    def _state(self) -> dict[str, Any]:
        state = self._window.saveState().toBase64().toStdString()
        shape = [self.is_low, self.is_narrow]
        return {
            "docks": sorted(self._window.docks),
            "state": state,
            "text": text_factor(),
            "shape": shape,
        }

    def _put_docks(self, kept: Mapping[str, Any]) -> bool:
        if "state" not in kept or not self._window.restoreState(_bytes(kept["state"])):
            return False
        shape = kept.get("shape")
        if isinstance(shape, list) and len(shape) == 2:
            self.is_low, self.is_narrow = shape[0] is True, shape[1] is True
        if kept.get("text", text_factor()) != text_factor():
            # The docks have sizes for larger or smaller text.
            self._text_changed()
        return True


def first_size(window: PanelWindow, preferred: QSize, frame: QSize, smallest: QSize) -> QSize:
    """The preferred size, or what the screen has room for."""
    room = window.screen().availableSize() - frame
    if room.boundedTo(smallest) == smallest:
        return preferred.boundedTo(room)
    return preferred


def _bytes(kept: object) -> QByteArray:
    return QByteArray.fromBase64(str(kept).encode())
