"""What a colour mode of the map declares and computes, and what it gets from the map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Protocol

from PySide6.QtWidgets import QMenu

from workbench.analysis.projection.word_groups import WordGroups
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.panels.map.regions import LayoutRegions
from workbench.ui.panels.map.word_axes import AxesBar
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.map.colour_scheme import Shading


class ColourMenu(Protocol):
    """A menu, or a submenu, of choices of which one is checked."""

    menu: QMenu

    def offer(self, text: str, choice: str, slot: Callable[[], None] | None = None) -> None:
        """Add a choice, with what to do in place of choosing it."""

    def add(self, text: str, name: str, slot: Callable[[], None]) -> None:
        """Add something to do, with its object name."""

    def below(self, text: str) -> ColourMenu:
        """Add a submenu."""


class ColourHost(Protocol):
    """The map, as a colour mode sees it.

    job : the job that computes the colours
    choice : the current one, a mode's key, perhaps followed by ":" and a detail
    layout : the one that is shown; regional_layout : the one whose regions are coloured
    in_axes_view : whether the view of word axes is shown
    """

    session: Session
    axes: AxesBar
    job: ResultJob

    @property
    def choice(self) -> str: ...

    @property
    def layout(self) -> MapLayout | None: ...

    @property
    def regional_layout(self) -> MapLayout | None: ...

    @property
    def in_axes_view(self) -> bool: ...

    def choose(self, choice: str) -> None:
        """Choose a colour mode."""

    def take(self, layout: MapLayout, shading: Shading) -> None:
        """Colour the points, if these are still those of the layout."""

    def put(self, shading: Shading | None) -> None:
        """Colour the points, plainly without a shading."""

    def judge(self) -> None:
        """Announce that it's known whether the text is large enough for regions."""

    def fail(self, error: UserError) -> None:
        """Report a problem."""

    def ask_file(self, title: str, kinds: str) -> Path | None:
        """Ask for a file."""


class ColourMode:
    """A way to colour the points of a map. Each map has its own instance, which keeps what it has
    read.

    key : its choice is the key, perhaps followed by ":" and a detail
    title : on the button; entry : in the menu, by default the title; order : in the menu
    quiet : whether its job is too short for the list of activities
    is_plain : whether its colours show nothing in particular, so that the button has no title
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    entry: ClassVar[str] = ""
    order: ClassVar[int] = 100
    quiet: ClassVar[bool] = True
    is_plain: ClassVar[bool] = False

    def __init__(self, host: ColourHost) -> None:
        self.host = host
        self.session = host.session

    def is_ready(self, layout: MapLayout, final: bool) -> bool:
        """Whether the layout can be coloured now. final : the points no longer move"""
        return True

    def source(self, layout: MapLayout, detail: str) -> object:
        """What the colours depend on besides the words, which stay the same while a model learns
        (``Request.key``).
        """
        return None

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        """What computes the colours in a worker; None without any, also while they are read."""
        raise NotImplementedError

    def colour(self, layout: MapLayout, detail: str) -> bool:
        """Ask for the colours; returns False if these were asked for already."""
        host, work = self.host, self.task(layout, detail)
        if work is None:
            host.job.forget()
            host.put(None)
            return True
        return host.job.ask(
            Request(
                (host.choice, self.source(layout, detail)),
                tr("Colouring the map"),
                work,
                lambda shading: host.take(layout, shading),
                quiet=self.quiet,
            )
        )

    def forget(self) -> None:
        """Forget what was found for an earlier layout."""

    def forget_file(self) -> None:
        """Read the file again when it is needed, because another session was opened."""

    @property
    def busy(self) -> bool:
        """Whether it computes something besides the colours."""
        return False

    def runs_changed(self) -> None:
        """Called when there are other runs, while this mode is chosen."""

    def direction(self, detail: str) -> str | None:
        """The word axis that colours the points."""
        return None

    def groups(self, detail: str) -> WordGroups | None:
        """Groups of words that colour the points."""
        return None

    @property
    def unsupported(self) -> LayoutRegions | None:
        """The regions of the layout that is shown, if its text is too small for any."""
        return None

    def fill_menu(self, menu: ColourMenu) -> None:
        """Offer the mode, or a submenu with its choices."""
        menu.offer(self.entry or self.title, self.key)
