#!/usr/bin/env bash
# jieba 0.42.1 (Chinese) never finds some words that were added with add_word, and says nothing: words with 〇 (the zero
# of years), with characters outside U+4E00 to U+9FD5 (names with 㛃 or 𠮷), with fullwidth or accented letters, or with a
# space. It cuts the text at these signs before it looks words up; the year comes out in four pieces. A hyphen or & in an
# added word does work.
# Guess: an added word is found wherever it stands.
# Seen: 二|〇|二|六年, 𠮷|野家, Ａ|股, na|ï|ve, machine| |learning; but AT&T, e-mail.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" jieba==0.42.1
PYTHONPATH="$folder" PYTHONWARNINGS=ignore python3 - "$folder" <<'PYTHON'
import logging
import sys

import jieba

jieba.setLogLevel(logging.ERROR)
jieba.dt.tmp_dir = sys.argv[1]
expected = {
    "二〇二六年": ["二", "〇", "二", "六年"],
    "𠮷野家": ["𠮷", "野家"],
    "王㛃": ["王", "㛃"],
    "Ａ股": ["Ａ", "股"],
    "naïve": ["na", "ï", "ve"],
    "machine learning": ["machine", " ", "learning"],
    "AT&T": ["AT&T"],
    "e-mail": ["e-mail"],
}
for word, pieces in expected.items():
    jieba.add_word(word)
    found = jieba.lcut(word)
    print(word, found)
    assert found == pieces
PYTHON
