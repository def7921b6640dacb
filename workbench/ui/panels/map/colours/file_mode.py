"""Base of the colour modes that read a file chosen by the user."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.ui.panels.map.colours.base import ColourHost, ColourMode
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.layout.result_view import Request, ResultJob

T = TypeVar("T")


class FileColours(ColourMode, Generic[T]):
    """``path`` is that of the file chosen last, "" before, and ``content`` what was read; the file
    is read when its colours are first asked for.

    setting : keeps the path
    """

    setting: ClassVar[Setting[str]]

    def __init__(self, host: ColourHost) -> None:
        super().__init__(host)
        self.path = self.session.settings[self.setting]
        self.content: T | None = None
        self._reading = ResultJob(self.session.jobs, f"map.colour.{self.key}")
        self._reading.on_failed(self._report_unreadable)
        self._reading.on_cancelled(self._handle_cancelled)

    @property
    def busy(self) -> bool:
        return self._reading.busy

    def read(self, path: Path) -> T:
        """Read a file, in a worker. Raises UserError."""
        raise NotImplementedError

    @property
    def known_path(self) -> Path | None:
        """The file to read if none was chosen in this session."""
        return Path(self.path) if self.path else None

    def open(self, path: Path) -> None:
        """Read a file and colour by it."""
        self._reading.forget()
        self._ask(path)

    def open_known(self) -> None:
        """Read the file chosen before."""
        path = self.known_path
        if path is not None:
            self._ask(path)

    def _ask(self, path: Path) -> None:
        title = tr("Reading {name}", name=path.name)
        work = lambda run: self.read(path)  # noqa: E731
        self._reading.ask(Request((str(path),), title, work, lambda found: self._take(path, found)))

    def _take(self, path: Path, found: T) -> None:
        self.content = found
        self.path = str(path)
        chosen = self.host.choice
        self.host.choose(chosen if chosen.partition(":")[0] == self.key else self.key)

    def _report_unreadable(self, error: UserError) -> None:
        """Report the error; the previous colours stay if there are any."""
        self._leave()
        self.host.fail(error)

    def _handle_cancelled(self) -> None:
        self._reading.forget()
        self._leave()

    def _leave(self) -> None:
        """Colour plainly, unless there is an earlier file."""
        if self.content is None and self.host.choice.partition(":")[0] == self.key:
            self.host.choose("plain")

    def forget_file(self) -> None:
        self._reading.forget()
        self.content = None

    def source(self, layout: MapLayout, detail: str) -> object:
        return self.content
