"""Widths of words in a drawing, whose labels mustn’t overlap.

A drawing names only “sans-serif”, so its words have the width of whatever font a viewer has. Qt
measures this machine’s font in another process, without a display. Another machine’s font may be
wider, so a word never counts as narrower than in a wide Latin font, DejaVu Sans. These estimates
alone are used where Qt can’t start.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.processes.child_process import child_environment, module_command

# Advances of the characters from space to ~ in DejaVu Sans, in hundredths of an em, rounded up.
_ASCII = (
    (32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34),
    (64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54),
    (100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79),
    (61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50),
    (50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62),
    (64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84),
)
_OF_ASCII = {chr(32 + at): width / 100 for at, width in enumerate(sum(_ASCII, ()))}
_WIDE, _SMALL, _CAPITAL, _WIDE_CYRILLIC = 1.0, 0.66, 0.8, 0.95
_WIDE_LETTERS = frozenset("жмфшщъыюѣЖМФШЩЫЮѢ")
_SECONDS = 60


def text_widths(texts: Sequence[str]) -> Doubles:
    """float64[n], widths of texts in ems: the wider of measured and estimated ones."""
    found = np.array([sum(map(_estimate, text)) for text in texts], dtype=np.float64)
    measured = _measure_texts(texts)
    return found if measured is None else np.maximum(found, measured)


def _estimate(character: str) -> float:
    known = _OF_ASCII.get(character)
    if known is not None:
        return known
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    base = unicodedata.normalize("NFD", character)[0]
    if base in _OF_ASCII:
        return _OF_ASCII[base]
    if character in _WIDE_LETTERS:
        return _WIDE_CYRILLIC
    return _CAPITAL if character.isupper() else _SMALL


def _measure_texts(texts: Sequence[str]) -> Doubles | None:
    """Widths in this machine’s sans-serif font; None if Qt doesn’t start."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "texts.json", Path(folder) / "widths.npy"
        source.write_text(json.dumps(list(texts)), encoding="utf-8")
        command = module_command("workbench.ui.shell.picture_converter", str(source), str(target))
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=_SECONDS,
                env=child_environment(),
            )
            widths: Doubles = np.load(target)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
    return widths if len(widths) == len(texts) else None
