#!/usr/bin/env bash
# SudachiPy 0.7.0 (Japanese) returns tokens without text: of the one sign ㍿ (“stock company”) the first token has the
# whole sign, and the second is empty. A reading in brackets is part of the token before it, so one word is two types.
# normalized_form writes numerals in digits and Cyrillic in lowercase, but leaves Latin letters in capitals.
# Guess: every token has text, brackets are tokens of their own, and letters of all scripts are treated alike.
# Seen: ㍿ + “”; 徳島(とくしま) in one token; 二〇二六 → 2026, Москва → москва, ＡＢＣ → ABC.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" sudachipy==0.7.0 sudachidict_small==20261015
PYTHONPATH="$folder" python3 - <<'PYTHON'
from sudachipy import Dictionary

tokenizer = Dictionary(dict="small").tokenizer()


def forms(text):
    return [(token.surface(), token.normalized_form()) for token in tokenizer.tokenize(text)]


expected = {
    "㍿": [("㍿", "株式"), ("", "会社")],
    "徳島(とくしま)に": [("徳島(とくしま)", "徳島"), ("に", "に")],
    "徳島に": [("徳島", "徳島"), ("に", "に")],
    "二〇二六年": [("二〇二六", "2026"), ("年", "年")],
    "Москва": [("Москва", "москва")],
    "ＡＢＣ": [("ＡＢＣ", "ABC")],
}
for text, tokens in expected.items():
    found = forms(text)
    print(text, found)
    assert found == tokens
PYTHON
