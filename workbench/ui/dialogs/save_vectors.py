"""Save the vectors of a run in any supported format."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.files.file_names import add_suffix, file_stem
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import loader
from workbench.session.session import Session
from workbench.ui.base.file_dialogs import file_dialog
from workbench.ui.export.file_jobs import write_in_job
from workbench.vectors.formats import FORMATS, save_vectors

VECTORS_FOLDER = Setting("vectors.folder", str, "")
# Contents of a format besides words and vectors, to help choose; npz first, which contains
# everything.
_FIRST = "npz"
# Suffix of a format's key for 16-bit numbers.
_HALF = "-half"


def kinds() -> dict[str, str]:
    """Lines of the dialog by the key of the format; float16 variants follow all others."""
    order = sorted(FORMATS, key=lambda kind: (kind.key != _FIRST, kind.order))
    lines = {kind.key: f"{kind.title} (*{' *'.join(kind.suffixes)})" for kind in order}
    for kind in order:
        if kind.half:
            suffixes = " *".join(kind.suffixes)
            title = tr("{title}, float16: half the size, rounded", title=kind.title)
            lines[kind.key + _HALF] = f"{title} (*{suffixes})"
    return lines


def ask_vectors(parent: QWidget, session: Session, record: RunRecord) -> QFileDialog:
    """Ask where and in which format to save, without blocking the window; then save and report the
    result.
    """
    title = tr("Save the vectors of {name}", name=record.name)
    dialog = file_dialog(parent, session.settings, VECTORS_FOLDER, title, save=True)
    dialog.setObjectName("vectors.save")
    known = kinds()
    dialog.setNameFilters(list(known.values()))
    dialog.selectFile(file_stem(record.name, "vectors") + FORMATS[_FIRST].suffixes[0])

    def save_as(name: str) -> None:
        key = next(key for key, line in known.items() if line == dialog.selectedNameFilter())
        save(session, record, Path(name), key.removesuffix(_HALF), half=key.endswith(_HALF))

    dialog.fileSelected.connect(save_as)
    dialog.open()
    return dialog


def save(session: Session, record: RunRecord, path: Path, key: str, half: bool = False) -> None:
    """Write the vectors in a job, with ``half`` in float16. The suffix of the name takes precedence
    over the chosen line.
    """
    suffix = path.suffix.lower()
    named = next((kind for kind in FORMATS if suffix in kind.suffixes), None)
    kind = FORMATS[key]
    if named is not None and suffix not in kind.suffixes:
        kind = named
    if named is None:
        path = add_suffix(path, kind.suffixes[0])
    load = loader(session.store, record)

    def write_file(run: JobControl) -> str:
        run.enter(Phase.READING)
        embeddings = load()
        run.check()
        run.enter(Phase.SAVING, tr("Writing {name}", name=path.name))
        save_vectors(embeddings, path, kind.key, half)
        return " ".join((*kind.missing(embeddings), *kind.notes(embeddings)))

    def report_saved(notes: str) -> None:
        session.message.emit(tr("Saved {name}.", name=path.name), notes, False)

    write_in_job(session, path, write_file, saved=report_saved)
