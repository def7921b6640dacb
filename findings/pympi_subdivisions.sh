#!/usr/bin/env bash
# to_textgrid of pympi-ling 1.71 (ELAN’s files) loses words of subdivided annotations, without a message. ELAN gives the
# inner borders of a time subdivision no times: such a tier comes out as one empty interval. Of a symbolic subdivision
# only the first part remains. Guess: the parts share the time of their parent equally, as ELAN shows them.
# Seen: “old mill” has the words old, mill and the parts one, two, three; the TextGrid has “” for the words, and one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pympi-ling==1.71
PYTHONPATH="$folder" python3 - "$folder" <<'PYTHON'
import sys
import warnings
from pathlib import Path

import pympi


def tier(name, kind, parent, annotations):
    inner = "".join(f"<ANNOTATION>{each}</ANNOTATION>" for each in annotations)
    return f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}"{parent}>{inner}</TIER>'


def aligned(number, start, end, text):
    return (
        f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number}" TIME_SLOT_REF1="{start}" TIME_SLOT_REF2="{end}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
    )


def part(number, text, previous):
    after = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="a{number}" ANNOTATION_REF="a1"{after}>'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION>"
    )


def kind(name, alignable, constraint):
    given = f' CONSTRAINTS="{constraint}"' if constraint else ""
    return (
        f'<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="{name}" TIME_ALIGNABLE="{alignable}"'
        f' GRAPHIC_REFERENCES="false"{given}/>'
    )


text = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<ANNOTATION_DOCUMENT xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" AUTHOR="" FORMAT="3.0" VERSION="3.0"'
    ' DATE="2020-01-01T00:00:00+00:00" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">'
    '<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/>'
    '<TIME_SLOT TIME_SLOT_ID="ts2"/><TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="1000"/></TIME_ORDER>'
    + tier("utterance", "free", "", [aligned(1, "ts1", "ts3", "old mill")])
    + tier(
        "word",
        "time",
        ' PARENT_REF="utterance"',
        [aligned(2, "ts1", "ts2", "old"), aligned(3, "ts2", "ts3", "mill")],
    )
    + tier(
        "part",
        "symbol",
        ' PARENT_REF="utterance"',
        [part(4, "one", ""), part(5, "two", "a4"), part(6, "three", "a5")],
    )
    + kind("free", "true", "")
    + kind("time", "true", "Time_Subdivision")
    + kind("symbol", "false", "Symbolic_Subdivision")
    + '<CONSTRAINT STEREOTYPE="Time_Subdivision" DESCRIPTION=""/>'
    '<CONSTRAINT STEREOTYPE="Symbolic_Subdivision" DESCRIPTION=""/></ANNOTATION_DOCUMENT>'
)
path = Path(sys.argv[1]) / "mill.eaf"
path.write_text(text, encoding="utf-8")
file = pympi.Elan.Eaf(str(path))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    grid = file.to_textgrid()
labels = {each.name: [label for _, _, label in each.get_all_intervals()] for each in grid.get_tiers()}
print(labels, file.get_annotation_data_for_tier("word"))
assert labels == {"utterance": ["old mill"], "word": [""], "part": ["one"]}
assert [each[2] for each in file.get_annotation_data_for_tier("word")] == ["old", "mill"]
assert [each[2] for each in file.get_annotation_data_for_tier("part")] == ["one", "two", "three"]
PYTHON
