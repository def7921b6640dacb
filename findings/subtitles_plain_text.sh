#!/usr/bin/env bash
# The plain text of a subtitle isn’t plain. pysubs2 1.8.1 leaves WebVTT’s times within a line (<00:01.000>) and its
# entities (&amp;) in `plaintext`, and removes from an SRT file whatever stands in braces, although braces mean nothing in
# SRT. webvtt-py 0.6.0 removes the times and tags from `text`, but leaves the entities. Guess: `plaintext` and `text` are
# the words that a viewer reads.
# Seen: pysubs2 “Fish &amp; chips on the <00:01.000>pier”, “see  below”; webvtt-py “Fish &amp; chips on the pier”.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" pysubs2==1.8.1 webvtt-py==0.6.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
import pysubs2
import webvtt

vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Fish &amp; <i>chips</i> on the <00:01.000>pier\n\n"
srt = "1\n00:00:01,000 --> 00:00:02,000\nsee {the note} below\n"
lines = [
    pysubs2.SSAFile.from_string(vtt, format_="vtt")[0].plaintext,
    webvtt.from_string(vtt)[0].text,
    pysubs2.SSAFile.from_string(srt)[0].plaintext,
]
print(lines)
assert lines[0] == "Fish &amp; chips on the <00:01.000>pier"
assert lines[1] == "Fish &amp; chips on the pier"
assert lines[2] == "see  below"
PYTHON
