"""A page of a panel: a row of controls, and below it a result or an empty state."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.bound_state import BoundState, StateHost
from workbench.ui.base.boxes import column, fill, stretch
from workbench.ui.base.controls import button
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import title_in_sentence
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3
from workbench.ui.widgets.layout.page_stack import PageStack
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.ui.widgets.layout.wrapping_bar import Bar, bar

T = TypeVar("T")
W = TypeVar("W", bound=QWidget)


class Instrument(StateHost, QWidget):
    """A part of a panel with a job of its own.

    ``local`` is the key of its page in the panel's declaration, which has its title. Subclasses put
    controls into ``self.controls`` and other widgets into ``self.content``. ``refresh`` is called
    when the instrument becomes visible, ``tick`` 30 times a second while it is visible.
    """

    local: ClassVar[str] = ""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.panel = panel
        self.context = panel.context
        self.session = panel.session
        self.theme = panel.theme
        self.bound = BoundState(self.state_kind, self.session, self.state_changed)
        panel.states.pages[self.local] = self.bound
        self.setObjectName(f"{panel.key}.{self.local}")
        pages = panel.fixed_pages or ()
        self.title = next((page.title for page in pages if page.key == self.local), "")
        self.setAccessibleName(self.title)
        self.controls = Bar()
        self.content = QWidget()
        self._pages = ResultView(panel, self.key, f"{panel.key}.{self.local}", self.content)
        self._pages.on_failed(self._handle_failure)
        self._pages.on_cancelled(self._handle_cancelled)
        self.notice = self._pages.notice
        # The main picture, named ``panel.view`` while its page is in front.
        self.main_picture: QWidget = self._pages
        fill(self, column(self.controls, stretch(self._pages)))

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W:
        """Give a widget the object name ``panel.instrument.widget``, an accessible name and a
        tooltip.
        """
        return self.panel.named(widget, f"{self.local}.{local}", accessible, tip)

    @property
    def key(self) -> str:
        """Key of the job."""
        return f"{self.panel.key}.{self.local}"

    # -- states

    @property
    def state(self) -> str:
        """ "body", "empty", "busy" or "error"."""
        if self._pages.currentWidget() is self.content:
            return "body"
        return self.notice.kind

    @property
    def lack(self) -> str:
        """What is missing: the title of the notice, "" while there is content."""
        return "" if self.state == "body" else self.notice.title

    def exporters(self) -> Sequence[Exporter]:
        """What the page can save now (``Panel.exporters``)."""
        return ()

    def show_content(self) -> None:
        self._pages.show_content()

    def show_message(self, title: str, hint: str, action: QAction | None = None) -> None:
        """Show an instruction."""
        self._pages.show_message(title, hint, action)

    def show_error(self, error: UserError) -> None:
        """Show a problem and its solution."""
        self._pages.show_error(error)

    # -- jobs

    @property
    def busy(self) -> bool:
        return self._pages.busy

    @property
    def running(self) -> JobControl | None:
        """The running job."""
        return self._pages.running

    def start_job(
        self,
        key: tuple[object, ...],
        title: str,
        doing: str,
        task: Callable[[JobControl], T],
        done: Callable[[T], None],
    ) -> None:
        """Run ``task`` in a visible job that can be cancelled; ``done`` shows the result.

        key : everything that the result depends on; an equal key changes nothing (``Request``)
        """

        def show_result(result: T) -> None:
            done(result)
            self.on_busy_changed()

        self._pages.ask(
            Request(key, title, task, show_result, doing=doing, patience=0.0, hidden=True)
        )
        self.on_busy_changed()

    def work_quietly(
        self,
        key: tuple[object, ...],
        title: str,
        task: Callable[[JobControl], T],
        done: Callable[[T], None],
        *,
        listed: bool = False,
    ) -> None:
        """Run ``task`` while the current content stays; ``done`` draws the result.

        listed : whether the job is in the list of activities
        """
        quiet = not listed
        self._pages.ask(
            Request(key, title, task, done, patience=math.inf, quiet=quiet, hidden=True)
        )

    def relabel_request(self, key: tuple[object, ...]) -> None:
        """Take what is shown for the result of another key (``ResultJob.relabel``)."""
        self._pages.relabel(key)

    def _handle_failure(self, error: UserError) -> None:
        self.show_error(error)
        self.on_busy_changed()

    def cancel(self) -> None:
        """Cancel the computation."""
        self._pages.cancel()

    def _handle_cancelled(self) -> None:
        self.on_cancelled()
        self.on_busy_changed()

    def on_cancelled(self) -> None:
        """Show what is left after a job was cancelled: by default, the earlier content."""
        self.refresh()

    def show_cancelled(self, title: str, hint: str, action: QAction | None = None) -> None:
        """Show that the job was cancelled; the same request doesn't start it again."""
        self._pages.show_cancelled(title, hint, action)

    def discard_job(self) -> None:
        """Discard the current job and request without a message."""
        self._pages.forget()

    def drawn_runs(self) -> Sequence[RunRecord]:
        """The runs drawn (``Panel.drawn_runs``)."""
        if self.session.active.run is None:
            return ()
        return (self.session.active.run,)

    def on_busy_changed(self) -> None:
        """Update buttons when a job starts or ends."""

    def tick(self) -> None:
        """Follow live state."""

    def refresh(self) -> None:
        """Show what fits the current choices."""


class Instruments(QWidget):
    """Several instruments, one visible at a time, chosen by a row of buttons or the arrow keys."""

    def __init__(self, panel: Panel, instruments: list[Instrument]) -> None:
        super().__init__()
        self._panel = panel
        self.all = instruments
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._stack = PageStack(*instruments)
        self.buttons: list[QPushButton] = []
        for number, instrument in enumerate(instruments):
            page_button = panel.named(
                button(instrument.title, role="quiet", checkable=True),
                f"show.{instrument.local}",
                tr("Show {title}", title=title_in_sentence(instrument.title)),
            )
            self._group.addButton(page_button, number)
            self.buttons.append(page_button)
        self.row = bar(*self.buttons, stretch(), gap=SPACE_1)
        self._group.idToggled.connect(self._button_toggled)
        fill(self, column(self.row, stretch(self._stack)))
        self.buttons[0].setChecked(True)

    @property
    def current(self) -> Instrument:
        return self.all[self._stack.currentIndex()]

    def show_instrument(self, local: str) -> None:
        """Bring an instrument to the front by its name."""
        for page_button, instrument in zip(self.buttons, self.all, strict=True):
            if instrument.local == local:
                page_button.setChecked(True)

    def _button_toggled(self, number: int, checked: bool) -> None:
        if checked:
            self.current.main_picture.setObjectName("")
            self._stack.setCurrentIndex(number)
            picture = self.current.main_picture
            self._panel.named(picture, "view", self.current.title)
            self.current.refresh()

    def tick(self) -> None:
        if self.isVisible():
            self.current.tick()


@dataclass(frozen=True)
class PageState(PanelState):
    """page : name of the instrument in front; "" for the first. A panel that remembers it between
    starts declares it with a setting.
    """

    page: str = choice("")


class InstrumentPanel(Panel):
    """A panel that consists of instruments."""

    state_kind = PageState
    view_state: PageState

    def put_instruments(self, instruments: Sequence[Instrument]) -> None:
        """Fill the body; called once, after all instruments are built."""
        self.instruments = Instruments(self, list(instruments))
        fill(self.body, column(self.instruments, margins=(SPACE_3, SPACE_2, SPACE_3, SPACE_3)))
        pages = zip(self.instruments.all, self.instruments.buttons, strict=True)
        self.bound.bind_buttons({page.local: button for page, button in pages}, "page")
        self.on_tick(self.look)

    def drawn_runs(self) -> Sequence[RunRecord]:
        return self.instruments.current.drawn_runs()

    def exporters(self) -> Sequence[Exporter]:
        return self.instruments.current.exporters()

    def show_page(self, key: str) -> None:
        self.instruments.show_instrument(key)

    def look(self) -> None:
        """Called at every tick: update the instrument in front."""
        self.instruments.tick()

    def show_instruments(self) -> None:
        """Show the body; the instrument in front is refreshed if it was hidden until now."""
        before = self.state
        self.show_body()
        if before != "body" and self.isVisible():
            self.instruments.current.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.instruments.current.refresh()
