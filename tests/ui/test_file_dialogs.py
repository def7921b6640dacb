"""File dialogs start in the folder that was used last."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

import workbench
from workbench.core.setting import Setting
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.file_dialogs import (
    CORPORA,
    EXPORTS,
    WORD_FILES,
    ask_folder,
    ask_open,
    ask_save,
    file_dialog,
    start_folder,
)

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where Qt's dialogs started; each returns the first file or folder of ``answers``."""
    seen: list[str] = []

    def file(_: object, title: str, start: str, kinds: str) -> tuple[str, str]:
        seen.append(start)
        return title, ""

    def folder(_: object, title: str, start: str) -> str:
        seen.append(start)
        return title

    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, file)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", folder)
    return seen


def make(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("a", encoding="utf-8")
    return path


def test_each_purpose_starts_in_its_own_folder_also_after_a_restart(
    owner: QWidget, starts: list[str], tmp_path: Path
) -> None:
    figure = make(tmp_path / "figures", "a.png")
    words = make(tmp_path / "words", "pairs.tsv")
    settings = Settings()
    home = str(Path.home())
    # The titles are what the stand-in chooses.
    ask_save(owner, settings, EXPORTS, str(figure), "loss.png", "")
    ask_open(owner, settings, WORD_FILES, str(words), "")
    settings = Settings()
    ask_save(owner, settings, EXPORTS, "", "loss.png", "")
    ask_open(owner, settings, WORD_FILES, "", "")
    assert starts == [
        f"{home}/loss.png",
        str(figure.parent),
        f"{figure.parent}/loss.png",
        str(words.parent),
    ]


def test_a_cancelled_dialog_remembers_nothing(
    owner: QWidget, starts: list[str], tmp_path: Path
) -> None:
    settings = Settings()
    ask_folder(owner, settings, CORPORA, str(make(tmp_path / "texts", "a.txt").parent))
    assert ask_open(owner, settings, CORPORA, "", "") is None
    assert ask_folder(owner, settings, CORPORA, "", str(tmp_path)) is None
    assert start_folder(settings, CORPORA) == tmp_path
    assert starts[1:] == [str(tmp_path), str(tmp_path)]


def test_a_folder_that_was_removed_gives_way_to_the_last_one(tmp_path: Path) -> None:
    settings = Settings()
    settings.put({"exports.folder": str(tmp_path / "gone"), "last.folder": str(tmp_path)})
    assert start_folder(settings, EXPORTS) == tmp_path
    settings.put({"last.folder": str(tmp_path / "gone")})
    assert start_folder(settings, EXPORTS) == Path.home()


def test_a_dialog_beside_the_window_remembers_what_it_accepts(
    owner: QWidget, tmp_path: Path, qtbot: QtBot
) -> None:
    chosen = make(tmp_path / "texts", "a.txt")
    settings = Settings()
    dialog = file_dialog(owner, settings, CORPORA, "Open files")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.open()
    assert Path(dialog.directory().absolutePath()) == Path.home()
    dialog.setDirectory(str(chosen.parent))
    dialog.selectFile(str(chosen))
    dialog.accept()
    qtbot.waitUntil(lambda: owner.findChild(QFileDialog) is None)
    again = file_dialog(owner, Settings(), CORPORA, "Open files")
    assert Path(again.directory().absolutePath()) == chosen.parent
    again.done(0)
    qtbot.waitUntil(lambda: owner.findChild(QFileDialog) is None)


def test_only_one_module_makes_file_dialogs() -> None:
    """All others would start in the folder where the program was started."""
    root = Path(workbench.__file__).parent
    found = []
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called == "QFileDialog" or called.startswith("QFileDialog.get"):
                    found.append(str(path.relative_to(root)))
    assert set(found) == {"ui/base/file_dialogs.py"}


def test_folders_stay_on_this_machine() -> None:
    """A session file must not contain paths of its author's folders."""
    assert not any(one.travels for one in Setting.all() if one.key.endswith(".folder"))
