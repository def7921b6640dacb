#!/usr/bin/env bash
# kiwipiepy 0.24.1 (a morphological analyser for Korean) doesn’t analyse decomposed Hangul (NFD, as macOS writes it into
# file names and some PDF programs into text): it returns each spaced unit whole, tagged as a proper noun. The same
# sentence in composed form splits into nouns, particles and endings. Guess: the analyser composes its input first.
# Seen: NFC 나/NP 는/JX 학교/NNG 에/JKB 가/VV …; NFD 나는/NNP 학교에/NNP 간다/NNP.
# It also tags words in Cyrillic and kana as symbols (SW), so a filter by part of speech loses them; Latin words are SL.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" kiwipiepy==0.24.1 kiwipiepy_model==0.24.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
import unicodedata

from kiwipiepy import Kiwi

kiwi = Kiwi()
sentence = "나는 학교에 간다"
composed = [token.tag for token in kiwi.tokenize(sentence)]
decomposed = [token.tag for token in kiwi.tokenize(unicodedata.normalize("NFD", sentence))]
print("composed", composed, "decomposed", decomposed)
assert composed[:5] == ["NP", "JX", "NNG", "JKB", "VV"]
assert decomposed == ["NNP", "NNP", "NNP"]
tags = {token.form: token.tag for token in kiwi.tokenize("Zürich Москва ひらがな 東京")}
print(tags)
assert tags["Zürich"] == "SL" and tags["Москва"] == "SW" and tags["ひらがな"] == "SW" and tags["東京"] == "SH"
PYTHON
