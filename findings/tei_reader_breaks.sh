#!/usr/bin/env bash
# tei_reader 0.0.17 changes the order of a text in TEI: words after a line or page break (lb, pb) move to the end of
# their paragraph if another element follows there. It also glues the words on both sides of a line break and the lines
# of verse, and returns both readings of a choice. Guess: the text in its order, with a space or a line for each break.
# Seen: “onethree fourtwo ” for one<lb/>two <hi>three</hi> four; Themillturns.; xy for two lines; tehthe.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" tei-reader==0.0.17
PYTHONPATH="$folder" python3 - <<'PYTHON'
import tei_reader

start = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt>'
    "<publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc></fileDesc></teiHeader><text><body><div>"
)
expected = {
    "<p>one<lb/>two <hi>three</hi> four</p>": "onethree fourtwo ",
    '<p>one <pb n="2"/>two <hi>three</hi> four</p>': "one three fourtwo ",
    "<p>one <hi>two</hi> three <hi>four</hi></p>": "one two three four",
    "<p>The<lb/>mill<lb/>turns.</p>": "Themillturns.",
    "<lg><l>x</l><l>y</l></lg>": "xy",
    "<p>a <choice><sic>teh</sic><corr>the</corr></choice> b</p>": "a tehthe b",
}
for content, text in expected.items():
    found = tei_reader.TeiReader().read_string(f"{start}{content}</div></body></text></TEI>").text
    print(content, repr(found))
    assert found == text
PYTHON
