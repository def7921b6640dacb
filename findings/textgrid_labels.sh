#!/usr/bin/env bash
# tgt 1.5 loses what follows “=” in a label of a TextGrid, without a message: it splits each line of the file at that
# sign, also inside quotation marks. It drops empty labels. praatio 6.2.2, textgrid 1.6.1 and pympi-ling 1.71 read both.
# Guess: a label may contain anything between its quotation marks, as in Praat.
# Seen: “text = x” becomes “tex”, “two = 2” becomes “tw”, in tgt only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" tgt==1.5 praatio==6.2.2 textgrid==1.6.1 pympi-ling==1.71
PYTHONPATH="$folder" python3 - "$folder" <<'PYTHON'
import sys
from pathlib import Path

import pympi
import textgrid
import tgt
from praatio import textgrid as praatio

path = Path(sys.argv[1]) / "labels.TextGrid"


def write(labels):
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0 ",
        f"xmax = {len(labels)} ",
        "tiers? <exists> ",
        "size = 1 ",
        "item []: ",
        "    item [1]:",
        '        class = "IntervalTier" ',
        '        name = "words" ',
        "        xmin = 0 ",
        f"        xmax = {len(labels)} ",
        f"        intervals: size = {len(labels)} ",
    ]
    for number, label in enumerate(labels, 1):
        lines += [
            f"        intervals [{number}]:",
            f"            xmin = {number - 1} ",
            f"            xmax = {number} ",
            f'            text = "{label}" ',
        ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_all(labels):
    write(labels)
    readers = {
        "tgt": lambda: [each.text for each in tgt.io.read_textgrid(str(path)).tiers[0]],
        "praatio": lambda: [
            each.label
            for each in praatio.openTextgrid(str(path), includeEmptyIntervals=True).getTier("words").entries
        ],
        "textgrid": lambda: [each.mark for each in textgrid.TextGrid.fromFile(str(path))[0]],
        "pympi": lambda: [each[2] for each in pympi.TextGrid(str(path), codec="utf-8").get_tier(1).get_all_intervals()],
    }
    return {name: read() for name, read in readers.items()}


labels = ["text = x", "", "two = 2", "b"]
found = read_all(labels)
print(found)
assert found.pop("tgt") == ["tex", "tw", "b"]
assert all(each == labels for each in found.values())
PYTHON
