#!/usr/bin/env bash
# wordfreq 3.1.1 counts numbers by their number of digits, as “0000” for all with four, and divides that among them. But
# the number “0000” itself gets the frequency of all of them together, as “00” and “000” do. So a filter for rare words,
# or a comparison with a text, takes 00 and 0000 for words as common as “at”.
# Guess: 0000 is as rare as 0001.
# Seen: Zipf frequencies in English 00 6.84, at 6.70, 0000 6.63, 1999 4.55, 0001 0.58.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" wordfreq==3.1.1
PYTHONPATH="$folder" python3 - <<'PYTHON'
from wordfreq import word_frequency, zipf_frequency

found = {word: zipf_frequency(word, "en") for word in ("00", "0000", "at", "1999", "0001")}
print(found)
assert found["00"] > found["at"] > found["0000"] > found["1999"] > found["0001"]
others = sum(word_frequency(f"{number:04}", "en") for number in range(1, 10000))
print(word_frequency("0000", "en"), "all others together", others)
assert abs(others - word_frequency("0000", "en")) < 0.01 * others
PYTHON
