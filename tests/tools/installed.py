"""Check that the files of an installed program are found and open without a network.

    python tests/tools/installed.py FOLDER

FOLDER contains the package as a wheel installs it. It comes first in the path, so no file of a
checkout is used. The script stops at the first missing file.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import NoReturn


def refuse(*_: object, **__: object) -> NoReturn:
    raise OSError("there is no network")


def main(folder: Path) -> None:
    sys.path[:] = [str(folder), *sys.path]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    socket.getaddrinfo = refuse
    socket.create_connection = refuse
    socket.socket.connect = refuse  # type: ignore[method-assign]

    import workbench

    package = folder / "workbench"
    assert Path(workbench.__file__).parent == package, workbench.__file__

    from workbench.core.folders import documents, resources
    from workbench.core.job_control import JobControl
    from workbench.core.language import languages, tr
    from workbench.corpus.samples import SAMPLES
    from workbench.session.corpus.reading import read_corpus
    from workbench.session.lessons import bundled_lessons, lesson_named
    from workbench.session.lessons.actions import Open

    assert (documents(), resources()) == (package / "docs", package / "resources")
    assert "de" in languages()
    print(f"{tr('Lessons')}: {lesson_named('window').title}")

    lessons = bundled_lessons()
    texts = {
        action.corpus
        for lesson in lessons
        for step in lesson.steps
        for action in step.actions
        if isinstance(action, Open)
    }
    assert len(lessons) >= 17
    for text in texts - set(SAMPLES):
        assert Path(text).is_relative_to(package), text
        assert read_corpus([text], None, JobControl(), Path(text).stem).tokens > 100
    assert read_corpus(["small-world"], None, JobControl(), "").tokens > 900_000

    from PySide6.QtWidgets import QApplication, QWidget

    from workbench.ui.base.panel_kind import PANELS
    from workbench.ui.base.theme import Theme
    from workbench.ui.dialogs.user_guide import UserGuideDialog, listed_pages, place_of_panel

    application = QApplication([])
    above = QWidget()
    dialog = UserGuideDialog(Theme(application, "light", 100, "off"), above)
    pages = listed_pages()
    for kind in PANELS:
        assert place_of_panel(kind.key) in pages, kind.key
    for place in pages:
        dialog.visit(place)
        assert len(dialog.text.toPlainText()) > 100, place
    page_files = {
        page.relative_to(documents()).as_posix() for page in documents().glob("guide/**/*.md")
    }
    assert not page_files - {place.page for place in pages}
    print(f"{len(pages)} pages, {len(lessons)} lessons, {len(texts)} texts")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
