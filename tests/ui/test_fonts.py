"""The monospaced font is chosen by measuring letters; if there is none, the program uses another
font.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QRawFont
from PySide6.QtWidgets import QApplication
from surroundings import python_path
from ui.letters import as_equal_as_can_be, equally_wide

from workbench.ui.base import scaling
from workbench.ui.base.scaling import TYPE_BODY, TYPE_SMALL, body_font

PROGRAM = """
import sys
from PySide6.QtGui import QFontMetricsF
from workbench.ui.shell.application import make_application
application = make_application()
from workbench.ui.base.scaling import body_font
from ui.letters import as_equal_as_can_be
font = body_font(40, fixed=True)
widths = [QFontMetricsF(font).horizontalAdvance(letter) for letter in "iW"]
print(font.pixelSize(), as_equal_as_can_be(font), all(width > 0 for width in widths))
"""


def test_letters_of_equal_width_are_that(qapp: QApplication) -> None:
    assert as_equal_as_can_be(body_font(15, fixed=True))


@pytest.mark.parametrize("is_fixed_pitch", [True, False])
def test_a_font_of_the_system_that_has_none_is_not_taken(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, is_fixed_pitch: bool
) -> None:
    """A proportional font isn't used as a monospaced one, whatever fonts declare."""
    uneven = [name for name in QFontDatabase.families() if not equally_wide(QFont(name, 15))]
    if not uneven:
        pytest.skip("This machine has no font whose letters differ in width.")
    usual = QFont(uneven[0])
    monkeypatch.setattr(QFontDatabase, "systemFont", staticmethod(lambda kind: QFont(usual)))
    monkeypatch.setattr(
        QFontDatabase, "isFixedPitch", staticmethod(lambda family, style="": is_fixed_pitch)
    )
    scaling._fixed_family.cache_clear()
    try:
        found = body_font(18, fixed=True)
    finally:
        scaling._fixed_family.cache_clear()
    assert found.pixelSize() == 18
    assert equally_wide(found) or not any(
        equally_wide(QFont(name)) for name in scaling._FIXED_FAMILIES
    )


@dataclass(frozen=True)
class Fonts:
    """Fonts that Qt proposes on a system, with sizes in points, the installed families, and the
    monospaced ones among them.
    """

    general: tuple[str, int]
    fixed: tuple[str, int]
    families: tuple[str, ...]
    equal: tuple[str, ...]


WINDOWS = ("Consolas", "Courier New", "Microsoft YaHei", "Segoe UI", "Yu Gothic UI")
MACOS = ("Courier New", "Hiragino Sans", "Menlo", "Monaco", "PingFang SC")
SYSTEMS = {
    "Windows": Fonts(("Segoe UI", 9), ("Courier New", 10), WINDOWS, ("Consolas", "Courier New")),
    "macOS": Fonts((".AppleSystemUIFont", 13), ("Monaco", 11), MACOS, ("Menlo", "Monaco")),
    # A proposed font that isn’t installed is replaced by the general font.
    "Windows without": Fonts(("Segoe UI", 9), ("Courier", 10), WINDOWS, ("Consolas",)),
    "macOS without": Fonts((".AppleSystemUIFont", 13), (".SF Mono", 11), MACOS, ("Menlo",)),
}


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        ("Windows", "Courier New"),
        ("macOS", "Monaco"),
        ("Windows without", "Consolas"),
        ("macOS without", "Menlo"),
    ],
)
def test_fonts_of_other_systems(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, name: str, fixed: str
) -> None:
    """The system’s own family, which includes a fallback for other scripts, in the sizes of the
    type scale.
    """
    fonts = SYSTEMS[name]
    proposals = {
        QFontDatabase.SystemFont.GeneralFont: fonts.general,
        QFontDatabase.SystemFont.FixedFont: fonts.fixed,
    }
    monkeypatch.setattr(
        QFontDatabase, "systemFont", staticmethod(lambda kind: QFont(*proposals[kind]))
    )
    monkeypatch.setattr(QFontDatabase, "families", staticmethod(lambda: list(fonts.families)))
    monkeypatch.setattr(QFontDatabase, "isFixedPitch", staticmethod(lambda family: False))
    monkeypatch.setattr(scaling, "_equally_wide", lambda font: font.family() in fonts.equal)
    scaling._fixed_family.cache_clear()
    try:
        found = [body_font(), body_font(TYPE_SMALL, fixed=True)]
    finally:
        scaling._fixed_family.cache_clear()
    assert [font.families() for font in found] == [[fonts.general[0]], [fixed]]
    assert [font.pixelSize() for font in found] == [TYPE_BODY, TYPE_SMALL]


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="Fonts are found by fontconfig on Linux alone."
)
@pytest.mark.parametrize("some", [True, False])
def test_without_such_a_font_there_is_another(
    qapp: QApplication, tmp_path: Path, some: bool
) -> None:
    """A machine with a single, proportional font, and a machine without fonts."""
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    if some:
        file = proportional()
        if file is None:
            pytest.skip("No font here is a file with letters of different widths.")
        shutil.copy(file, fonts)
    config = tmp_path / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{fonts}</dir><cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    tests = Path(__file__).parents[1]
    environment = {
        **os.environ,
        "FONTCONFIG_FILE": str(config),
        "PYTHONPATH": python_path(tests),
        "QT_LOGGING_RULES": "*=false",
    }
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stdout == "40 True True\n", process.stderr


def proportional() -> Path | None:
    """File of an installed font whose letters differ in width; None without one."""
    for file in sorted(Path("/usr/share/fonts").rglob("*.ttf")):
        raw = QRawFont(str(file), 20)
        if not raw.isValid():
            continue
        narrow, wide = raw.advancesForGlyphIndexes(raw.glyphIndexesForString("iW"))
        if wide.x() > 1.5 * narrow.x() > 0:
            return file
    return None


def test_the_measure_of_these_tests_tells_them_apart(qapp: QApplication) -> None:
    """The measurement agrees with the advances of the font that Qt chooses."""
    for family in QFontDatabase.families()[:40]:
        metrics = QFontMetricsF(QFont(family, 15))
        advances = {round(metrics.horizontalAdvance(letter), 1) for letter in "iWM0."}
        assert equally_wide(QFont(family, 15)) == (len(advances) == 1), family
