"""XML of corpora and of text recognition that has a name of its own: words, without annotations."""

from __future__ import annotations

import pytest
from contract.test_readers import document, paragraphs

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.readers import READERS

_FOLIA = """<?xml version="1.0" encoding="utf-8"?>
<FoLiA xmlns="http://ilk.uvt.nl/folia" xml:id="a" version="2.5">
<metadata><annotations/></metadata>
<text xml:id="a.text"><div><head><t>A title</t></head><p xml:id="p.1">
<s xml:id="p.1.s.1"><t>The cats sat.</t>
<w xml:id="w1"><t>The</t><pos class="DT"/><lemma class="the"/></w>
<w xml:id="w2"><t>cats</t><t class="original">catts</t><pos class="NN"/><lemma class="cat"/></w>
<w xml:id="w3"><correction><new><t>sat</t></new><original><t>satt</t></original></correction>
<t>sat</t><pos class="VBD"/><lemma class="sit"/></w>
</s></p><p><t>No words here.</t></p></div></text></FoLiA>"""
_TIGER = """<?xml version="1.0" encoding="UTF-8"?>
<corpus id="T"><head><meta><name>no</name></meta></head><body>
<s id="s1"><graph root="s1_500"><terminals><t id="s1_1" word="Ross" lemma="Ross" pos="NE"/>
<t id="s1_2" word="wäre" lemma="sein" pos="VAFIN"/></terminals><nonterminals>
<nt id="s1_500" cat="S"><edge label="HD" idref="s1_1"/></nt></nonterminals></graph></s>
<s id="s2"><graph root="s2_1"><terminals><t id="s2_1" word="Ja" lemma="--" pos="ITJ"/></terminals>
</graph></s></body></corpus>"""
_OPUS = """<?xml version="1.0" encoding="utf-8"?>
<document id="1"><meta><year>no</year></meta><s id="1"><time id="T1S" value="00:00:01"/>
<w id="1.1" pos="PRP" lem="it">It</w><w id="1.2" pos="VBZ" lem="rain">rains</w></s>
<s id="2"><w id="2.1">Yes</w></s></document>"""
_OPUS_RAW = """<?xml version="1.0" encoding="utf-8"?>
<text><head>no</head><body><p id="1"><s id="1">It rains &amp; pours.</s>
<s id="2">Yes.</s></p></body></text>"""
_ABBYY = """<?xml version="1.0" encoding="UTF-8"?>
<document xmlns="http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml" version="1.0">
<page width="10" height="10"><block blockType="Text"><region/><text><par>
<line baseline="1"><formatting lang="x">{}</formatting></line>
<line baseline="2"><formatting lang="x">falls now</formatting></line></par>
<par><line><formatting>again</formatting></line></par></text></block></page></document>""".format(
    "".join(
        f'<charParams l="1"><charRecVariants><charRecVariant>Z</charRecVariant></charRecVariants>'
        f"{letter}</charParams>"
        for letter in "A wa¬"
    )
).replace("falls now", "ter falls")
_TCP = """<?xml version="1.0" encoding="utf-8"?>
<ETS><TEMPHEAD><TITLE>no</TITLE></TEMPHEAD><EEBO><IDG S="marc"><STC T="W">no</STC></IDG>
<TEXT LANG="eng"><BODY><DIV1 TYPE="poem"><HEAD>The Booke</HEAD><PB N="1"/>
<LG><L>first line</L><L>second <HI>line</HI></L></LG><P>prose <GAP DESC="illegible"/></P></DIV1>
</BODY></TEXT></EEBO></ETS>"""


def _read(text: str, options: CorpusOptions | None = None) -> tuple[str, list[str]]:
    source = document("a.xml", text.encode(), options)
    kinds = sorted(READERS, key=lambda kind: kind.order)
    kind = next(kind for kind in kinds if kind.detect(source))
    return kind.key, paragraphs(b"".join(kind.read(source)))


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (_FOLIA, "xml_words", ["A title", "The cats sat", "No words here."]),
        (_TIGER, "xml_words", ["Ross wäre Ja"]),
        (_OPUS, "xml_words", ["It rains Yes"]),
        (_OPUS_RAW, "xml_words", ["It rains & pours. Yes."]),
        (_ABBYY, "page_layout", ["A water falls", "again"]),
        (_TCP, "tei", ["The Booke", "first line second line", "prose"]),
    ],
)
def test_words_are_read(text: str, kind: str, expected: list[str]) -> None:
    assert _read(text) == (kind, expected)


@pytest.mark.parametrize(
    ("text", "lemmas", "verbs"),
    [
        (_FOLIA, ["A title", "the cat sit", "No words here."], "VBD"),
        (_TIGER, ["Ross sein Ja"], "VAFIN"),
        (_OPUS, ["it rain Yes"], "VBZ"),
    ],
)
def test_lemmas_and_parts_of_speech(text: str, lemmas: list[str], verbs: str) -> None:
    assert _read(text, CorpusOptions(column="lemma"))[1] == lemmas
    words = " ".join(_read(text, CorpusOptions(parts_of_speech=verbs))[1])
    assert words in ("sat", "wäre", "rains")


def test_an_alignment_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="alignment of OPUS") as error:
        _read('<cesAlign version="1.0"><linkGrp><link xtargets="1;1"/></linkGrp></cesAlign>')
    assert "Moses" in error.value.hint


def test_truncated_and_damaged_files() -> None:
    assert _read(_FOLIA[: _FOLIA.index('<pos class="NN')])[1] == ["A title", "The"]
    with pytest.raises(UserError, match="isn’t well-formed XML"):
        _read(_TIGER.replace("</terminals>", "</x>"))


def test_other_documents_are_refused_as_before() -> None:
    with pytest.raises(UserError, match="root element “document”"):
        _read('<?xml version="1.0"?><document><p>a b</p></document>')
