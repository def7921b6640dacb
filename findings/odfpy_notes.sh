#!/usr/bin/env bash
# odfpy 1.4.1 (teletype.extractText, its own function for plain text) reads a footnote into the word that carries it:
# number and note follow without a space. The paragraphs of a document contain the note once more. str(paragraph) also
# glues words at spaces, tabs and line breaks, which are elements. Readings of ruby annotations follow their base.
# Guess: the text of a paragraph is what a reader of the line sees, and each note occurs once.
# Seen: gate1A note. stood; “A note.” twice; openwidetab; 東とう.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" odfpy==1.4.1
PYTHONPATH="$folder" python3 - "$folder" <<'PYTHON'
import sys
from pathlib import Path

from odf import teletype, text
from odf.opendocument import OpenDocumentText, load

document = OpenDocumentText()
paragraph = text.P(text="The gate")
note, body = text.Note(noteclass="footnote"), text.NoteBody()
note.addElement(text.NoteCitation(text="1"))
body.addElement(text.P(text="A note."))
note.addElement(body)
paragraph.addElement(note)
paragraph.addText(" stood open")
for mark, word in ((text.LineBreak(), "wide"), (text.Tab(), "tab")):
    paragraph.addElement(mark)
    paragraph.addText(word)
document.text.addElement(paragraph)
second, ruby = text.P(), text.Ruby()
ruby.addElement(text.RubyBase(text="東"))
ruby.addElement(text.RubyText(text="とう"))
second.addElement(ruby)
document.text.addElement(second)
path = Path(sys.argv[1]) / "notes.odt"
document.save(str(path))

paragraphs = load(str(path)).getElementsByType(text.P)
texts = [teletype.extractText(each) for each in paragraphs]
print(texts, str(paragraphs[0]))
assert texts == ["The gate1A note. stood open\nwide\ttab", "A note.", "東とう"]
assert str(paragraphs[0]).endswith("stood openwidetab")
PYTHON
