"""Opening and saving: files, folders, recent files, bundled corpora, sessions; and quitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.session.corpus.recent_files import RECENT, recent_files
from workbench.ui.base.action import Action, Choices
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


def _show_known_data(window: Window) -> None:
    from workbench.ui.dialogs.known_data import KnownDataDialog

    KnownDataDialog(window.session, window.context.theme, window).show()


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
            key="file.open",
            text=tr("Open files…"),
            description=tr(
                "Open text as a corpus, vectors as runs, or a session, in any supported format."
            ),
            run=lambda window: ask_files(window, window.session),
            keys=("Ctrl+O",),
            icon="folder",
            menu="File",
            place=10,
            synonyms=tr("import, load"),
        ),
        Action(
            key="file.folder",
            text=tr("Open a folder…"),
            description=tr("Open all text in a folder as one corpus, or open a folder of counts."),
            run=lambda window: ask_folder(window, window.session),
            keys=("Ctrl+Shift+O",),
            menu="File",
            place=11,
        ),
        Action(
            key="file.cluster",
            text=tr("Count on a cluster…"),
            description=tr(
                "Count co-occurrences of a large corpus on a Dask cluster and open the result."
            ),
            run=_count_on_cluster,
            menu="File",
            place=15,
        ),
        Action(
            key="file.picture",
            text=tr("Corpus from a picture…"),
            description=tr(
                "Draw or open a picture, and write a corpus that has this picture as its PMI."
            ),
            run=_draw_picture,
            menu="File",
            place=16,
        ),
        Choices(
            key="file.recent",
            text=tr("Open recent"),
            description=tr("Reopen recent corpora, vectors and sessions."),
            entries=lambda window: recent_entries(window.session),
            prompt=tr("Open recent: "),
            menu="File",
            place=12,
            empty=tr("No recent files"),
        ),
        Choices(
            key="file.sample",
            text=tr("Samples"),
            description=tr("Open a bundled corpus or download a public one."),
            entries=lambda window: sample_entries(window.session),
            prompt=tr("Open sample: "),
            menu="File",
            place=13,
        ),
        Action(
            key="file.known_data",
            text=tr("Known data…"),
            description=tr(
                "Download and open known texts, vectors and test sets, such as GloVe or WordSim."
            ),
            run=_show_known_data,
            menu="File",
            place=17,
            synonyms=tr("download, fastText, word2vec, GloVe, Leipzig, treebank, BATS, SimLex"),
        ),
        Action(
            key="file.forget_recent",
            text=tr("Clear recent files"),
            description=tr("Clear the list of recent files."),
            run=_forget_recent,
            menu="File",
            place=14,
            why_not=_nothing_recent,
        ),
        Action(
            key="file.open_session",
            text=tr("Open session…"),
            description=tr("Open a session file: its runs, corpus, settings and layout."),
            run=lambda window: ask_session(window, window.session),
            keys=("Ctrl+Shift+L",),
            menu="File",
            place=20,
        ),
        Action(
            key="file.save_session",
            text=tr("Save session as…"),
            description=tr(
                "Save runs, corpus, settings and layout in one file that you can share."
            ),
            run=lambda window: ask_save_session(window, window.session, window.save_session),
            keys=("Ctrl+Shift+S",),
            menu="File",
            place=21,
        ),
        Action(
            key="file.quit",
            text=tr("Quit"),
            description=tr("Close all windows and quit. Finished work is saved."),
            run=lambda window: window.context.desk.close_all(),
            keys=("Ctrl+Q",),
            menu="File",
            place=90,
        ),
    )
