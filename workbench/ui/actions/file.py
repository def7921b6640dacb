"""Opening and saving: files, folders, recent files, bundled corpora, sessions; and quitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.session.recent_files import RECENT, recent_files
from workbench.ui.action import Action, Choices
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.dialogs.open import ask_files, ask_folder, recent_entries, sample_entries
from workbench.ui.dialogs.session import ask_save_session, ask_session

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _count_on_cluster(window: Window) -> None:
    # Counting on a cluster is imported only when requested.
    from workbench.ui.dialogs.cluster import count_on_cluster

    count_on_cluster(window, window.session, window.context.theme)


def _draw_picture(window: Window) -> None:
    # The dialog is imported only when requested.
    from workbench.ui.dialogs.picture import PictureDialog

    PictureDialog(window.session, window.context.theme, window).show()


def _nothing_recent(window: Window) -> str:
    if recent_files(window.session.settings):
        return ""
    return tr("No recent files.")


def _forget_recent(window: Window) -> None:
    session = window.session
    keep = partial(session.settings.__setitem__, RECENT)
    cleared = session.settings[RECENT]
    keep(())
    session.undo.push(tr("clearing the recent files"), partial(keep, cleared), partial(keep, ()))


class FileActions(ActionGroup):
    key = "file"
    title = tr("File")
    order = 10
    actions = (
        Action(
            "file.open",
            tr("Open files…"),
            tr("Open text as a corpus, vectors as runs, or a session, in any supported format."),
            lambda window: ask_files(window, window.session),
            ("Ctrl+O",),
            "folder",
            "File",
            10,
            synonyms=tr("import, load"),
        ),
        Action(
            "file.folder",
            tr("Open a folder…"),
            tr("Open all text in a folder as one corpus, or open a folder of counts."),
            lambda window: ask_folder(window, window.session),
            ("Ctrl+Shift+O",),
            "",
            "File",
            11,
        ),
        Action(
            "file.cluster",
            tr("Count on a cluster…"),
            tr("Count co-occurrences of a large corpus on a Dask cluster and open the result."),
            _count_on_cluster,
            (),
            "",
            "File",
            15,
        ),
        Action(
            "file.picture",
            tr("Corpus from a picture…"),
            tr("Draw or open a picture, and write a corpus that has this picture as its PMI."),
            _draw_picture,
            (),
            "",
            "File",
            16,
        ),
        Choices(
            "file.recent",
            tr("Open recent"),
            tr("Reopen recent corpora, vectors and sessions."),
            lambda window: recent_entries(window.session),
            tr("Open recent: "),
            "",
            "File",
            12,
            tr("No recent files"),
        ),
        Choices(
            "file.sample",
            tr("Samples"),
            tr("Open a bundled corpus or download a public one."),
            lambda window: sample_entries(window.session),
            tr("Open sample: "),
            "",
            "File",
            13,
        ),
        Action(
            "file.forget_recent",
            tr("Clear recent files"),
            tr("Clear the list of recent files."),
            _forget_recent,
            (),
            "",
            "File",
            14,
            _nothing_recent,
        ),
        Action(
            "file.open_session",
            tr("Open session…"),
            tr("Open a session file: its runs, corpus, settings and layout."),
            lambda window: ask_session(window, window.session),
            ("Ctrl+Shift+L",),
            "",
            "File",
            20,
        ),
        Action(
            "file.save_session",
            tr("Save session as…"),
            tr("Save runs, corpus, settings and layout in one file that you can share."),
            lambda window: ask_save_session(window, window.session, window.save_session),
            ("Ctrl+Shift+S",),
            "",
            "File",
            21,
        ),
        Action(
            "file.quit",
            tr("Quit"),
            tr("Close all windows and quit. Finished work is saved."),
            lambda window: window.context.desk.close_all(),
            ("Ctrl+Q",),
            "",
            "File",
            90,
        ),
    )
