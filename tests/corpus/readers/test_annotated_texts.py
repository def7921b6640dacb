"""Annotated corpora that only their content identifies: words are read, and tags, numbers and
brackets aren’t.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather


def _read(path: Path, text: str, options: CorpusOptions | None = None) -> tuple[str, list[str]]:
    """The kind and the lines that aren’t empty."""
    path.write_text(text, encoding="utf-8")
    (source,) = gather([path])
    with path.open("rb") as file:
        (read,) = texts(source, file, options)
        content = b"".join(read.blocks).decode()
    return read.kind, [line for line in content.split("\n") if line]


def _tabs(*rows: str) -> str:
    return "".join("\t".join(row.split()) + "\n" for row in rows)


_WLP = _tabs("101 Snow snow nn1", "101 melts melt vvz", "101 . . y") * 5
_CONLL_2009 = (
    _tabs(
        "1 Snow snow snow NN NN _ _ 2 2 SBJ SBJ _ _ A1",
        "2 melts melt melt VBZ VBZ _ _ 0 0 ROOT ROOT Y melt.01 _",
    )
    + "\n"
    + _tabs("1 Rain rain rain NN NN _ _ 0 0 ROOT ROOT _ _")
    + "\n"
) * 6
_ONTONOTES = (
    "#begin document (nw/a/00/a_0001); part 000\n"
    + "nw/a/00/a_0001  0  0  Snow  NN  (S(NP*)  -  -  -  -  *  -\n"
    "nw/a/00/a_0001  0  1  melts  VBZ  (VP*))  melt  01  1  -  *  -\n\n"
    "nw/a/00/a_0001  0  0  Rain  NN  (S*)  -  -  -  -  *  -\n\n"
    "#end document\n"
)
_GERMEVAL = (
    "#\thttp://de.wikipedia.org/wiki/Wien [2010-01-02]\n"
    + _tabs("1 Wien B-LOC O", "2 leuchtet O O")
    + "\n"
    + "#\thttp://de.wikipedia.org/wiki/Bonn [2010-01-03]\n"
    + _tabs("1 Regen O O", "2 in O O", "3 Bonn B-LOC O")
    + "\n"
)
_TWO = _tabs("Snow NN", "melts VBZ", ". .") + "\n" + _tabs("Rain NN", "falls VBZ") + "\n"
_TREES = """( (S (NP-SBJ (NNP Ann) (NNP Lee))
   (VP (VBZ reads) (NP (DT the) (NN book) (-LRB- -LRB-) (CD 2) (-RRB- -RRB-)))
   (NP (-NONE- *T*-1)) (. .)))
(ROOT (S (NP (NN Rain)) (VP (VBZ falls))))
"""


@pytest.mark.parametrize(
    ("name", "text", "kind", "wanted", "nouns"),
    [
        ("a.txt", _WLP, "vertical", ["Snow melts . " * 4 + "Snow melts ."], "nn1"),
        ("b.txt", _WLP.replace("101\t", ""), "vertical", ["Snow melts . " * 4 + "Snow melts ."], 0),
        ("c.txt", _CONLL_2009, "vertical", 6 * ["Snow melts", "Rain"], "NN"),
        ("d.txt", _ONTONOTES, "conll2012", ["Snow melts", "Rain"], "NN"),
        ("e.tsv", _GERMEVAL, "conll2003", ["Wien leuchtet", "Regen in Bonn"], 0),
        ("f.conll", _TWO * 3, "conll2003", 3 * ["Snow melts .", "Rain falls"], "NN"),
        ("g.txt", _TREES, "brackets", ["Ann Lee reads the book ( 2 ) .", "Rain falls"], 0),
        ("h.mrg", _TREES[-44:], "brackets", ["Rain falls"], "NN"),
        ("cb01", "\n\n\tSnow/nn melts/vbz soon/rb ./.\n\n", "slashes", ["Snow melts soon ."], "nn"),
    ],
)
def test_words_without_annotations(
    tmp_path: Path, name: str, text: str, kind: str, wanted: list[str], nouns: str | int
) -> None:
    assert _read(tmp_path / name, text) == (kind, wanted)
    if isinstance(nouns, str):
        _, kept = _read(tmp_path / name, text, CorpusOptions(parts_of_speech=nouns))
        assert set(" ".join(kept).split()) <= {"Snow", "Rain"}
        assert kept


@pytest.mark.parametrize(
    "text",
    [
        # Verse in brackets, a program, two words per line, lemmas of a dictionary, and a play.
        "(Softly now,)\n(the snow is falling)\n(on the roof)\n" * 4,
        "(defun add (x y) (+ x y))\n(defun two () (add 1 1))\n" * 4,
        "(NATO and EU)\n(UN or WTO)\nbegin to talk\n" * 4,
        "Snow falls\nRain falls\n\nWind blows\nSun shines\n\n" * 4,
        "his/her or their/our, and/or both.\n",
        "HAMLET\tTo be\nGHOST\tMark me\nHAMLET\tI will\n\n" * 6,
        "".join(f"word{at}s\tword{at}\tN{at % 3}\n" for at in range(150)),
    ],
)
def test_other_texts_stay_as_they_are(tmp_path: Path, text: str) -> None:
    kind, lines = _read(tmp_path / "a.txt", text)
    assert (kind, lines) == ("plain", [line for line in text.split("\n") if line])
