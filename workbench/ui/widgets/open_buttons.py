"""The row of buttons that open something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui.widgets.bar import Bar
from workbench.ui.widgets.open_actions import ask_files, ask_folder, fill_recent, fill_samples


class OpenButtons(Bar):
    """Files, a folder, what was open before, a bundled corpus. Dialogs open over ``owner``.

    ``named`` gives each button its object and accessible name.
    """

    def __init__(self, owner: QWidget, session: Session, named: Callable[..., Any]) -> None:
        super().__init__()
        self.files = QPushButton(tr("Open files…"))
        named(self.files, "open", tr("Open files"), tr("Open text or vectors (Ctrl+O)"))
        self.files.clicked.connect(lambda: ask_files(owner, session))
        folder = QPushButton(tr("Folder…"))
        named(folder, "open_folder", tr("Open a folder"), tr("Read every text file of a folder"))
        folder.clicked.connect(lambda: ask_folder(owner, session))
        recent, samples = QPushButton(tr("Recent")), QPushButton(tr("Samples"))
        named(recent, "recent", tr("Recently opened"), tr("What was open before"))
        named(samples, "samples", tr("Bundled corpora"), tr("Corpora that come with the workbench"))
        for button, fill in (
            (recent, lambda menu: fill_recent(menu, session)),
            (samples, lambda menu: fill_samples(menu, session)),
        ):
            menu = QMenu(button)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(lambda menu=menu, fill=fill: fill(menu))
            button.setMenu(menu)
        for button in (self.files, folder, recent, samples):
            self.addWidget(button)
