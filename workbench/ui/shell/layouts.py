"""Arrangement of a window's panels: workspaces, saved layouts, and the layout of the last
session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QMargins, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import QStyle

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.language import tr
from workbench.core.setting import Object, Setting, mapping_of
from workbench.session.settings.session_settings import WINDOW_LAYOUT
from workbench.ui.base.panel_kind import AREAS
from workbench.ui.base.scaling import scaled_length, text_factor
from workbench.ui.shell.dock import PanelDock, within
from workbench.ui.shell.panel_window import PanelWindow
from workbench.ui.shell.workspaces import ANY, FIRST, WORKSPACES, workspace_of

# Smallest size of a window: a screen of 1,920 × 1,080 pixels at twice their size has room for it.
SMALLEST = QSize(800, 460)
# The window manager's frame isn't known before the window is on the screen.
_MARGINS = QMargins(8, 40, 8, 8)
FRAME = QSize(16, 48)
# Layouts saved by the user, by name.
NAMED_LAYOUTS = Setting[Object]("window.layouts", mapping_of(dict), {})
# Widths of the columns at the sides, in a wide window and in a narrow one.
_SIDES_WIDE, _SIDES_NARROW, _WIDE = (324, 290), (318, 284), 1400
# If text is enlarged and the window's width divided by the text factor is less than this, the
# columns at the sides join the tabs of the centre.
_NARROW = 1000


class WorkspaceLook(NamedTuple):
    """Keys of the closed panels of a workspace, and of those in front; ``sizes`` are the widths of
    the side columns and the height of the bottom bar, by their areas, in ``room``, the width and
    height of all docks.
    """

    closed: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    sizes: Mapping[str, int] = MappingProxyType({})
    room: tuple[int, ...] = ()


INITIAL_LOOK = WorkspaceLook()


class Layouts:
    """Arranges the docks of one window. Saved layouts are in the settings, for all windows."""

    def __init__(self, window: PanelWindow) -> None:
        self._window = window
        self.workspace = FIRST
        # Last states of the workspaces.
        self._looks: dict[str, WorkspaceLook] = {}
        self.workspace_changed = Signal[()]()
        self.is_narrow = False
        # Whether another part controls the docks, such as a presentation.
        self.held = False
        window.context.theme.text_changed.connect(self._text_changed)

    def area(self, area: str) -> list[PanelDock]:
        """The docks of an area in the current workspace."""
        return [dock for dock in self._members() if dock.kind.area == area]

    def _members(self) -> list[PanelDock]:
        return [
            dock
            for dock in self._window.docks.values()
            if self.workspace in dock.kind.workspaces or _is_beside(dock)
        ]

    def release(self) -> None:
        """Stop arranging a window that is closed."""
        self._window.context.theme.text_changed.disconnect(self._text_changed)

    # -- workspaces

    def show_workspace(self, key: str) -> None:
        """Switch to another workspace, arranged as it was left, or open its panels again if all
        were closed. Panels that belong to all workspaces stay as they are. Raises UserError for
        an unknown key.
        """
        workspace_of(key)
        if key == self.workspace and not self._is_empty:
            return
        self._looks[self.workspace] = self._look()
        beside = {
            dock: dock.isVisible() for dock in self._window.docks.values() if _is_beside(dock)
        }
        focused = self._window.docks.get(self._window.panel_of(self._window.focusWidget()))
        self.workspace = key
        self._show_members(beside, self._looks.get(key, INITIAL_LOOK))
        if focused is not None and focused.isHidden():
            self.focus_front()
        self.workspace_changed.emit()

    @property
    def _is_empty(self) -> bool:
        """Whether all panels of the workspace are closed."""
        return all(dock.isHidden() for dock in self._members() if not _is_beside(dock))

    @property
    def is_blank(self) -> bool:
        """Whether nothing is left between the bars of the window."""
        docks = self._window.docks.values()
        return self._is_empty and all(dock.isHidden() or dock.isFloating() for dock in docks)

    def focus_front(self) -> None:
        """Focus the panel in front. Otherwise, Qt would move the focus from a hidden panel to the
        first button of the header, which would then look chosen.
        """
        centre = [dock for dock in self.area("centre") if not dock.isHidden()]
        front = next((dock for dock in centre if not dock.visibleRegion().isEmpty()), None)
        if front is not None:
            front.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look(self) -> WorkspaceLook:
        """The closed panels of the workspace, the panels in front, and their sizes."""
        members = [dock for dock in self._members() if not _is_beside(dock)]
        front = [dock for dock in members if not dock.visibleRegion().isEmpty()]
        sizes = {}
        for dock in front:
            area = dock.kind.area
            if area == "bottom" and not dock.isFloating():
                sizes[area] = dock.height()
            elif area != "centre" and not dock.isFloating() and not self.is_narrow:
                sizes[area] = dock.width()
        return WorkspaceLook(
            tuple(dock.kind.key for dock in members if dock.isHidden()),
            tuple(dock.kind.key for dock in front),
            sizes,
            self._room.toTuple(),
        )

    @property
    def _room(self) -> QSize:
        """The room for all docks of the window."""
        window = self._window
        room = window.contentsRect().size()
        for bar in (window.menuWidget(), window.statusBar()):
            if bar is not None and not bar.isHidden():
                room -= QSize(0, bar.height())
        return room

    def reveal(self, key: str) -> None:
        """Switch to a workspace that has a panel, unless the current one has it."""
        kinds = self._window.docks[key].kind.workspaces
        if self.workspace not in kinds and ANY not in kinds:
            self.show_workspace(kinds[0])

    def reset(self) -> None:
        """Put every panel of the workspace back to its initial place, which depends on the window's
        size. Floating panels of other workspaces stay where they are.
        """
        self._looks.pop(self.workspace, None)
        window = self._window
        self.is_narrow = self._is_narrow
        beside = {dock: dock.isVisible() for dock in window.docks.values() if _is_beside(dock)}
        # Docks of all workspaces are in the tabs of their area; those of other workspaces are
        # hidden.
        left, centre, right, bottom = self._groups(list(window.docks.values()))
        members = self._members()
        torn_off = {
            dock: dock.geometry()
            for dock in window.docks.values()
            if dock.isFloating() and dock not in members
        }
        for dock in window.docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        groups = [group for group in (left, centre or right) if group]
        if not groups:
            return
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, groups[0][0])
        middle = groups[-1]
        if left and middle is not left:
            window.splitDockWidget(left[0], middle[0], across)
        for group, way in ((bottom, down), (right, across)):
            if group and group is not middle:
                window.splitDockWidget(middle[0], group[0], way)
        for group in (left, centre, right, bottom):
            for one, other in pairwise(group):
                window.tabifyDockWidget(one, other)
        for dock, place in torn_off.items():
            dock.setFloating(True)
            dock.setGeometry(place)
        self._show_members(beside, INITIAL_LOOK)

    def _show_members(self, beside: Mapping[PanelDock, bool], look: WorkspaceLook) -> None:
        """Hide the docks of other workspaces. In front of each area is the panel that was there
        when the workspace was left, or else the first one.
        """
        members = self._members()
        own = {dock.kind.key for dock in members if not _is_beside(dock)}
        # An empty page wouldn't say how to open a panel.
        closed = look.closed if own - set(look.closed) else ()
        for dock in self._window.docks.values():
            wanted = dock in members and dock.kind.key not in closed
            dock.setVisible(beside.get(dock, wanted))
        for group in self._groups(members):
            shown = [dock for dock in group if not dock.isHidden()]
            fronts = [dock for dock in shown if dock.kind.key in look.front] or shown
            if fronts:
                fronts[0].raise_()
        self.size_docks(look)
        self._window.titles_later()

    @property
    def fits(self) -> bool:
        """Whether the arrangement of the columns matches the window's size."""
        return self.is_narrow == self._is_narrow

    @property
    def _is_narrow(self) -> bool:
        """Whether the window is narrow for its text size."""
        factor = text_factor()
        return factor > 1 and self._window.width() / factor < _NARROW

    def _text_changed(self) -> None:
        """Arrange the window again if it has become too narrow for its text, or wide enough
        again.
        """
        self._looks = {key: look._replace(sizes={}) for key, look in self._looks.items()}
        if self.held:
            return
        if self.fits:
            self.size_docks()
        else:
            self.reset()
        # Minimum sizes of panels are only known once they have measured their text again.
        QTimer.singleShot(0, self._window, lambda: None if self.held else self.size_docks())

    def _groups(self, docks: Sequence[PanelDock]) -> tuple[list[PanelDock], ...]:
        """The docks on the left, in the centre, on the right and at the bottom; in a narrow window,
        those at the sides are in the centre, except for panels that belong to all workspaces.
        """
        left, centre, right, bottom = (
            [dock for dock in docks if dock.kind.area == area] for area in AREAS
        )
        if self.is_narrow:
            aside = [dock for dock in left if not _is_beside(dock)]
            left = [dock for dock in left if _is_beside(dock)]
            centre, right = centre + aside + right, []
        return left, centre, right, bottom

    def size_docks(self, look: WorkspaceLook = INITIAL_LOOK) -> None:
        """Set the size of each area: the saved one, or else one that fits the window.

        Qt shares a change of the room among all docks. So a saved size is a part of its room, and
        the new sizes fill theirs: otherwise, docks would grow with each switch of workspaces.
        """
        window = self._window
        for dock in self._members():
            if dock.is_made:
                # The minimum size of a panel changes inside its scroll area, without a signal.
                dock.panel.updateGeometry()
        visible = [
            dock for dock in self._members() if not dock.isHidden() and not dock.isFloating()
        ]
        left, centre, right, bottom = self._groups(visible)
        sides = _SIDES_WIDE if window.width() / text_factor() >= _WIDE else _SIDES_NARROW
        width, height = self._room.toTuple()
        was_width, was_height = look.room or (width, height)
        most = width * 3 // 5
        west, east = (
            min(round(look.sizes[area] * width / was_width), most)
            if area in look.sizes
            else min(scaled_length(side), width * 2 // 5)
            for area, side in zip(("left", "right"), sides, strict=True)
        )
        low = 0
        if bottom:
            low = bottom[0].sizeHint().height()
            if "bottom" in look.sizes:
                low = round(look.sizes["bottom"] * height / was_height)
        line = QStyle.PixelMetric.PM_DockWidgetSeparatorExtent
        gap = window.style().pixelMetric(line, None, window)
        across = [(left, west), (right, east)]
        down = [(bottom, low)]
        for way, room, edges in (
            (Qt.Orientation.Horizontal, width, across),
            (Qt.Orientation.Vertical, height, down),
        ):
            picked = [(group[0], size) for group, size in edges if group]
            if centre:
                rest = room - sum(size + gap for _, size in picked)
                # A window that isn't shown yet has no real room.
                picked.append((centre[0], max(rest, 1)))
            window.resizeDocks([dock for dock, _ in picked], [size for _, size in picked], way)

    def raise_floating(self) -> None:
        """Bring floating panels onto the screen and above the window."""
        for dock in self._window.docks.values():
            if dock.isFloating() and dock.isVisible():
                screen = dock.screen().availableGeometry()
                if _has_room(screen.size()):
                    dock.setGeometry(within(dock.geometry(), screen))
                dock.raise_()

    # -- saved layouts

    @property
    def names(self) -> Sequence[str]:
        """Names of the saved layouts, in alphabetical order."""
        return sorted(self._named, key=str.casefold)

    @property
    def _named(self) -> Object:
        return self._window.session.settings[NAMED_LAYOUTS]

    def save(self, name: str) -> None:
        """Save the layout under a name; an older one of that name is replaced, with a way to undo
        it. Raises UserError for an empty name.
        """
        name = " ".join(name.split())
        if not name:
            raise UserError(tr("The layout has no name."), tr("Enter a name."))
        before, now = self._named.get(name), self._state()
        self._keep(name, now)
        session, bridge = self._window.session, self._window.context.bridge
        if before is None:
            session.message.emit(tr("Layout “{name}” saved.", name=name), "", False)
        else:
            back, again = partial(self._keep, name, before), partial(self._keep, name, now)
            change = session.undo.push(tr("replacing layout “{name}”", name=name), back, again)
            message = tr("Layout “{name}” replaced.", name=name)
            holds = partial(session.undo.is_applied, change)
            bridge.offer(message, tr("Undo"), partial(session.undo.revert, change), holds)

    def _keep(self, name: str, state: Any) -> None:
        self._store_layouts({**self._named, name: state})

    def choose(self, name: str) -> None:
        """Arrange the panels as in a layout. Raises UserError if the layout doesn't exist or can't
        be read.
        """
        kept = self._named.get(name)
        # Only the docks: the window may have another size.
        if kept is None or not self._put_docks(kept):
            raise UserError(
                tr("Couldn’t apply the layout “{name}”.", name=name),
                tr("Arrange the panels and save the layout again."),
            )
        self._window.titles_later()

    def delete(self, name: str) -> None:
        """Delete a layout, with a way to undo it."""
        named = dict(self._named)
        state = named.pop(name, None)
        if state is None:
            return
        self._store_layouts(named)
        undo = self._window.session.undo
        undo.push(
            tr("deleting layout “{name}”", name=name),
            lambda: self._store_layouts({**self._named, name: state}),
            lambda: self.delete(name),
        )

    def _store_layouts(self, named: Mapping[str, Any]) -> None:
        self._window.session.settings[NAMED_LAYOUTS] = named

    # -- layout of the last session

    def restore_last(self) -> bool:
        """Restore the layout of the last session, or of a session file."""
        kept = self._window.session.settings[WINDOW_LAYOUT]
        # A layout saved by a version with other panels would hide the new ones.
        if kept.get("docks") != sorted(self._window.docks):
            return False
        geometry = kept.get("geometry")
        if geometry is None:
            return False
        self._window.restoreGeometry(_bytes(geometry))
        fit_to_screen(self._window)
        return self._put_docks(kept)

    def save_last(self) -> None:
        geometry = self._window.saveGeometry().toBase64().toStdString()
        self._window.session.settings[WINDOW_LAYOUT] = {**self._state(), "geometry": geometry}

    def _state(self) -> dict[str, Any]:
        state = self._window.saveState().toBase64().toStdString()
        return {
            "docks": sorted(self._window.docks),
            "workspace": self.workspace,
            "workspaces": {key: look._asdict() for key, look in self._looks.items()},
            "state": state,
            "text": text_factor(),
            "narrow": self.is_narrow,
        }

    def _put_docks(self, kept: Mapping[str, Any]) -> bool:
        workspace, others = kept.get("workspace"), kept.get("workspaces")
        known = [workspace.key for workspace in WORKSPACES]
        # A layout of 0.1.0 shows all panels at once.
        if workspace not in known or not self._window.restoreState(_bytes(kept.get("state"))):
            return False
        self.workspace = str(workspace)
        if isinstance(others, dict):
            self._looks = {key: _read_look(kept) for key, kept in others.items() if key in known}
        self.is_narrow = kept.get("narrow") is True
        self.workspace_changed.emit()
        if kept.get("text", text_factor()) != text_factor():
            # The docks have sizes for another text size.
            self._text_changed()
        return True


def _read_look(kept: object) -> WorkspaceLook:
    """Read a look from a settings file, which may contain anything."""
    if not isinstance(kept, dict):
        return WorkspaceLook()
    parts = []
    for name in ("closed", "front"):
        keys = kept.get(name)
        if not isinstance(keys, list):
            keys = []
        parts.append(tuple(key for key in keys if isinstance(key, str)))
    sizes = kept.get("sizes")
    if not isinstance(sizes, dict):
        sizes = {}
    known = {key: size for key, size in sizes.items() if type(size) is int and size > 0}
    closed, front = parts
    room = kept.get("room")
    if not isinstance(room, list | tuple) or [type(part) for part in room] != [int, int]:
        room = ()
    return WorkspaceLook(
        closed, front, known, tuple(room) if all(part > 0 for part in room) else ()
    )


def _is_beside(dock: PanelDock) -> bool:
    """Whether the panel belongs to all workspaces."""
    return ANY in dock.kind.workspaces


def fit_to_screen(window: PanelWindow) -> None:
    """Move a window onto its screen, and make it smaller if it is larger than the screen."""
    screen = window.screen().availableGeometry()
    if window.isMaximized() or window.isFullScreen() or not _has_room(screen.size()):
        return
    inside, frame = window.geometry(), window.frameGeometry()
    if frame == inside:
        frame = inside.marginsAdded(_MARGINS)
    fitted = within(frame, screen)
    if fitted != frame:
        # The position with the frame isn't exact before the frame is known.
        size = inside.size() - (frame.size() - fitted.size())
        window.setGeometry(QRect(fitted.topLeft() + inside.topLeft() - frame.topLeft(), size))


def first_size(window: PanelWindow, preferred: QSize) -> QSize:
    """The preferred size, limited to the room on the screen."""
    screen = window.screen().availableSize()
    if _has_room(screen):
        return preferred.boundedTo(screen - FRAME)
    return preferred


def _has_room(screen: QSize) -> bool:
    """Whether a screen has room for the smallest window: some have no real size."""
    return SMALLEST.boundedTo(screen - FRAME) == SMALLEST


def _bytes(kept: object) -> QByteArray:
    return QByteArray.fromBase64(str(kept).encode())
