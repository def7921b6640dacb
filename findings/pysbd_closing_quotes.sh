#!/usr/bin/env bash
# pysbd 0.3.4 starts the next sentence with the mark that closes a quotation in Chinese, Japanese, Polish and Hindi, so
# that sentences begin with ”. In English, and with Japanese 「」, the mark stays where it belongs. In Arabic, commas and
# colons end sentences (in Persian the same comma doesn’t), and in Marathi a full stop does, but no danda.
# Guess: a closing mark belongs to what it closes, a comma ends nothing, and a danda ends a sentence wherever it is
# used.
# Seen: 他说：“好。 / ”然后走了。; „Tak. / ” Poszedł.; ذهب إلى السوق، as a sentence of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pysbd==0.3.4
PYTHONPATH="$folder" python3 - <<'PYTHON'
import pysbd

expected = [
    ("zh", ["他说：“好。", "”然后走了。"]),
    ("ja", ["彼は“はい。", "”と言った。"]),
    ("ja", ["「はい。」と言った。", "次。"]),
    ("pl", ["Powiedział: „Tak.", "” Poszedł."]),
    ("hi", ['राम ने कहा, "हाँ।', '" फिर गया।']),
    ("en", ["He said: “Yes.” ", "Then he left."]),
    ("ar", ["ذهب إلى السوق، ", "ثم عاد. ", "قال: ", "نعم."]),
    ("fa", ["رفت، سپس آمد. ", "خوابید."]),
    ("mr", ["राम आला. ", "तो गेला। ठीक."]),
]
for language, sentences in expected:
    found = pysbd.Segmenter(language=language, clean=False).segment("".join(sentences))
    print(language, found)
    assert found == sentences
PYTHON
