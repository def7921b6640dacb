"""What ``tests/bundle.py`` puts into the program that needs no Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import bundle
from tests.bundle import is_wanted, languages


def test_qt_speaks_the_languages_of_the_workbench_and_no_others() -> None:
    assert languages() == ["de"]
    for folder in ("PySide6/Qt/translations/", "PySide6\\translations\\"):
        assert is_wanted(f"{folder}qtbase_de.qm")
        for name in ("qtbase_fr.qm", "qt_de.qm", "qtdeclarative_de.qm"):
            assert not is_wanted(folder + name)
    assert is_wanted("workbench/resources/translations/de.mo")


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "PySide6\\Qt6Qml.dll",
        "PySide6/Qt/lib/QtPdf.framework/Versions/A/QtPdf",
        "PySide6/Qt/lib/libQt6VirtualKeyboard.so.6",
    ],
)
def test_libraries_that_the_window_never_loads_are_left_out_on_each_system(name: str) -> None:
    assert not is_wanted(name)
    for other in ("Quick", "Qml", "Pdf", "VirtualKeyboard"):
        name = name.replace(other, "Widgets")
    assert is_wanted(name)


def test_an_installer_is_made_again_of_a_program_that_was_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[Path] = []

    def pack(program: Path, folder: Path) -> Path:
        packed.append(program)
        return Path(__file__)

    monkeypatch.setattr(bundle, "INSTALLERS", {sys.platform: pack})
    monkeypatch.setattr(bundle, "make_environment", lambda folder: pytest.fail("built again"))
    monkeypatch.setattr(sys, "argv", ["bundle.py", str(tmp_path), "--installer-only"])
    assert bundle.main() == 0
    assert packed == [tmp_path / "workbench"]
