#!/usr/bin/env bash
# pylangacq 0.23.0 (words() of a CHAT transcript) resolves repetitions, replacements, pauses and shortened words, but
# leaves marks of pronunciation inside words: lengthening (no::, ye:ah), broken words (hel^lo), intonation (↑hello↓).
# It removes the brackets of overlaps (⌈over⌉) and the markers of babbling (ba@b). So one word has several spellings.
# Guess: words() returns either what the transcriber wrote, or words without any codes.
# Seen: because, went, ba, over, but no::, ye:ah, hel^lo, ↑hello↓.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pylangacq==0.23.0 rustling==0.9.0
PYTHONPATH="$folder" python3 - "$folder" <<'PYTHON'
import sys
from pathlib import Path

import pylangacq

path = Path(sys.argv[1]) / "talk.cha"
path.write_text(
    "@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tCHI Eve Target_Child\n"
    "@ID:\teng|corpus|CHI|1;06.00|female|||Target_Child|||\n"
    "*CHI:\t<the the> [/] the (.) (be)cause goed [: went] ba@b ⌈over⌉ .\n"
    "*CHI:\tno no:: ye:ah hel^lo ↑hello↓ .\n@End\n",
    encoding="utf-8",
)
words = pylangacq.read_chat(str(path)).words()
print(words)
assert words == [
    *("the", "because", "went", "ba", "over", "."),
    *("no", "no::", "ye:ah", "hel^lo", "↑hello↓", "."),
]
PYTHON
