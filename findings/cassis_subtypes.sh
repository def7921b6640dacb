#!/usr/bin/env bash
# dkpro-cassis 0.12.0 (annotations in UIMA’s XMI): select and select_covered of a type with subtypes return all
# annotations of one subtype, then those of the next, and which comes first changes between runs. DKPro has a subtype
# for each part of speech, so the tags of a sentence come as all its nouns, all its verbs … and don’t line up with its
# tokens.
# Guess: the order of the text, as in UIMA’s own index and as for a type without subtypes.
# Seen: turn, mills, wheels, old, new of “old mills turn new wheels”, or mills, wheels, old, new, turn.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" dkpro-cassis==0.12.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
from itertools import groupby

from cassis import Cas, TypeSystem, load_cas_from_xmi

types = TypeSystem()
types.create_type("Sentence")
types.create_type("Pos")
kinds = {name: types.create_type(name, supertypeName="Pos") for name in ("Adjective", "Noun", "Verb")}
written = Cas(types)
written.sofa_string = "old mills turn new wheels"
begin = 0
for word, kind in zip(written.sofa_string.split(), ("Adjective", "Noun", "Verb", "Adjective", "Noun")):
    written.add(kinds[kind](begin=begin, end=begin + len(word)))
    begin += len(word) + 1
written.add(types.get_type("Sentence")(begin=0, end=25))

cas = load_cas_from_xmi(written.to_xmi(), typesystem=types)
sentence = cas.select("Sentence")[0]
for found in (cas.select("Pos"), cas.select_covered("Pos", sentence)):
    words = [each.get_covered_text() for each in found]
    print(words)
    assert sorted(words) == sorted(cas.sofa_string.split()) and words != cas.sofa_string.split()
    assert len(list(groupby(found, key=lambda each: each.type.name))) == 3
    ordered = sorted(found, key=lambda each: each.begin)
    assert [each.get_covered_text() for each in ordered] == cas.sofa_string.split()
PYTHON
