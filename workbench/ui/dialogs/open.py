"""Ways to open something: files, a folder, recent files, a bundled corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from workbench.core.language import language, tr
from workbench.corpus.catalogue.entry import CatalogueEntry
from workbench.session.corpus.opening import RememberedCorpus
from workbench.session.corpus.recent_files import recent_files
from workbench.session.session import Session
from workbench.ui.base.action import ChoiceEntry
from workbench.ui.base.file_dialogs import CORPORA, file_dialog
from workbench.ui.commands.menus import put_entries
from workbench.ui.commands.registry import declared_choices


def open_paths(session: Session, paths: Sequence[str]) -> None:
    """Open files or folders with the options last chosen for them."""
    session.corpora.open(paths, None, True)


def open_recent(session: Session, paths: list[str]) -> None:
    """Open a recent entry again with the options it was read with."""
    session.corpora.open(paths, session.corpora.readings.of(paths), True)


def ask_files(parent: QWidget, session: Session) -> None:
    """Let the user pick files and open them, without blocking the window."""
    dialog = _dialog(parent, session, tr("Open files"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(
        [
            tr(
                "Text and vectors (*.txt *.csv *.tsv *.jsonl *.json *.html *.epub *.xml *.gz "
                "*.bz2 *.xz *.zip *.vec "
                "*.bin "
                "*.glove *.npz *.safetensors *.fasttext *.workbench)"
            ),
            tr("All files (*)"),
        ]
    )
    dialog.filesSelected.connect(lambda paths: _open(paths, session))
    dialog.open()


def ask_folder(parent: QWidget, session: Session) -> None:
    """Let the user pick a folder of text and open it."""
    dialog = _dialog(parent, session, tr("Open a folder of text"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
    dialog.filesSelected.connect(lambda paths: _open(paths, session))
    dialog.open()


def ask_where(parent: QWidget, session: Session, wanted: RememberedCorpus) -> None:
    """Let the user locate a corpus's text, or folder of counts, that has moved, and open it as
    before.
    """
    lost = Path(wanted.counts or wanted.paths[0])
    dialog = _dialog(parent, session, tr("Locate {name}", name=lost.name))
    if lost.suffix and not wanted.counts:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    else:
        dialog.setFileMode(QFileDialog.FileMode.Directory)

    def open_found(paths: Sequence[str]) -> None:
        if paths:
            session.corpora.reopen(
                replace(wanted, counts=paths[0])
                if wanted.counts
                else replace(wanted, paths=tuple(paths))
            )

    dialog.filesSelected.connect(open_found)
    dialog.open()


def recent_entries(session: Session) -> list[ChoiceEntry]:
    """The last opened files: corpora, vectors and sessions that still exist."""
    found = []
    for paths in recent_files(session.settings):
        name, others = Path(paths[0]).name, len(paths) - 1
        text = tr("{name} and {others} more", name=name, others=others) if others else name
        open_it = partial(open_recent, session, list(paths))
        found.append(
            ChoiceEntry(key="|".join(paths), text=text, run=open_it, description="\n".join(paths))
        )
    return found


def sample_entries(session: Session) -> list[ChoiceEntry]:
    """The bundled corpora, and public ones that are downloaded when first opened."""
    from workbench.corpus.samples import SAMPLES, first_sample

    found = []
    for key in sorted(SAMPLES, key=lambda key: key != first_sample()):
        sample = SAMPLES[key]
        text = sample.title
        if sample.synthetic:
            text = tr("{title} (synthetic)", title=sample.title)
        found.append(
            ChoiceEntry(
                key=key,
                text=text,
                run=partial(session.corpora.open_sample, key),
                description=sample.summary,
            )
        )
    for entry in _offered_texts():
        text = entry.title + ("" if entry.here else f" ({entry.size_text})")
        found.append(
            ChoiceEntry(
                key=entry.key,
                text=text,
                run=partial(session.corpora.open, [entry.key]),
                description=about_entry(entry),
                section=tr("To download"),
            )
        )
    return found


def _offered_texts() -> list[CatalogueEntry]:
    """The usual texts, and in another language those of that language first."""
    from workbench.corpus.catalogue import CATALOGUE
    from workbench.corpus.catalogue.texts import TEXTS

    own = []
    if language() != "en":
        own = [entry for entry in CATALOGUE.values() if entry.language == language()]
    return [*own, *TEXTS]


def about_entry(entry: CatalogueEntry) -> str:
    """What an entry contains, its size, licence and source, the servers that have it, and how the
    download is checked.
    """
    hosts = dict.fromkeys(urlsplit(url).hostname or "" for url in (entry.url, *entry.mirrors))
    return tr(
        "{summary}\nLicence: {licence}. From {source}. Download: {size}, from {hosts}. {checked}",
        summary=entry.summary,
        licence=entry.licence,
        source=entry.source,
        size=entry.size_text,
        hosts=tr(" or ").join(hosts),
        checked=entry.checksum_text,
    )


def fill_recent(menu: QMenu, session: Session) -> None:
    put_entries(
        menu, declared_choices("file.recent"), recent_entries(session), lambda entry: entry.run()
    )


def fill_samples(menu: QMenu, session: Session) -> None:
    put_entries(
        menu, declared_choices("file.sample"), sample_entries(session), lambda entry: entry.run()
    )


def _dialog(parent: QWidget, session: Session, title: str) -> QFileDialog:
    dialog = file_dialog(parent, session.settings, CORPORA, title)
    dialog.setObjectName("open.dialog")
    return dialog


def _open(paths: Sequence[str], session: Session) -> None:
    if paths:
        open_paths(session, list(paths))
