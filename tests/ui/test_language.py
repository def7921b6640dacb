"""Every text of the window is looked up in a catalogue: the window is read aloud in a
pseudo-language that puts ⟦ and ⟧ around each text that was. Outside these brackets there are no
words, apart from data.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from surroundings import python_path

ROOT = Path(__file__).resolve().parents[2]

_LOOKED_UP = re.compile(r"⟦[^⟦⟧]*⟧")
_TAG = re.compile(r"<[^<>]*>")
_NO_WORDS = re.compile(
    r"""
    (?<!\S)/\S*  # paths, of which folders of the machine are the beginning
    | \b\d[\d.,\u202f]*[ ](s|min|h|[kMG]B|[kM])\b  # numbers with their units
    | (Ctrl|Shift|Alt|Meta)\+\S+ | \b(Esc|Del|Return|Space|F\d+)\b  # keys, which Qt names
    | \b(log|max)(?=[ (])  # functions in formulas
    """,
    re.VERBOSE,
)
# Names that are the same in every language: measures and algorithms.
_NAMES = {
    "PMI",
    "PPMI",
    "SPPMI",
    "NPMI",
    "SGNS",
    "GloVe",
    "Swivel",
    "UMAP",
    "umap",
    "learn",
    "densMAP",
    "AlignedUMAP",
    "PCA",
    "CosAdd",
    "CosMul",
    "WEAT",
    "RIPA",
}
# A star, drawn instead of the value, with another text for screen readers.
_STAR = ("cell ★", "no")
_DECIMAL_POINT = re.compile(r"(?<![\w.])\d*\.\d+(?![\w.])")
# Points that aren't decimal: sections, options of programs, licences and addresses.
_OTHER_POINTS = re.compile(
    r"(Abschnitt| -\w+|CC BY(-SA)?|Universal Dependencies) \d\.\d+|GFDL|https?://\S+|\S+\.(com|org|net|txt)\S*"
)
_WORD = re.compile(r"[A-Za-z]{2,}")


def test_every_text_of_the_window_is_looked_up(home: Path) -> None:
    texts, data = _read_aloud(ROOT / "tests" / "ui" / "read_aloud.py")
    assert len(texts) > 2000
    forgotten: dict[str, str] = {}
    for where, text in texts:
        rest = _outside(text, data)
        if (where[-6:], text) != _STAR and any(word not in _NAMES for word in _WORD.findall(rest)):
            forgotten.setdefault(text, where)
    assert not forgotten, "\n".join(f"{where}: {text!r}" for text, where in forgotten.items())


def test_numbers_of_the_german_window_have_decimal_commas(home: Path) -> None:
    """Apart from data and names of files, versions and addresses."""
    texts, data = _read_aloud(ROOT / "tests" / "ui" / "read_aloud.py", "de")
    commas = [text for _, text in texts if re.search(r"\d,\d", text)]
    assert len(commas) > 50
    points = {
        text: where
        for where, text in texts
        if _DECIMAL_POINT.search(_OTHER_POINTS.sub(" ", _outside(text, data)))
    }
    assert not points, "\n".join(f"{where}: {text!r}" for text, where in points.items())


def _read_aloud(program: Path, language: str = "pseudo") -> tuple[list[tuple[str, str]], list[str]]:
    process = subprocess.run(
        [sys.executable, "-W", "ignore", str(program)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={
            **os.environ,
            "WORKBENCH_LANGUAGE": language,
            # Kernels on a few hundred words take longer to compile than to run as plain Python.
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": python_path(ROOT / "tests"),
        },
    )
    assert process.returncode == 0, process.stderr[-3000:]
    report = json.loads(process.stdout)
    # Long ones first: one name may be the beginning of another.
    return [(where, text) for where, text in report["said"]], sorted(
        report["data"], key=len, reverse=True
    )


def _outside(text: str, data: list[str]) -> str:
    """A text without looked-up texts, tags, data, and numbers with units."""
    # Long lines of a tooltip may break between any two words.
    text = " ".join(text.split())
    before = ""
    while before != text:
        before, text = text, _LOOKED_UP.sub(" ", text)
    text = html.unescape(_TAG.sub(" ", text))
    return _NO_WORDS.sub(" ", _names(tuple(data)).sub(" ", text))


@cache
def _names(data: tuple[str, ...]) -> re.Pattern[str]:
    """Each of the names, the longest first, as words of their own."""
    names = sorted({" ".join(name.split()) for name in data} - {""}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
