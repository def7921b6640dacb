#!/usr/bin/env bash
# panphon 0.22.2 drops sounds that it doesn’t know, without a message, also in its distances: the g of a keyboard (IPA
# has its own ɡ), ʤ, ʦ and ɚ. So “gat” and “at” are the same word, and “gat” and “ɡat” aren’t. Its weighted distance of
# two words that differ only in tone is 0. Guess: an error, or the cost of a sound; and other tones have some distance.
# Seen: gat → a t, ʤæz → æ z; gat and at 0, gat and ɡat 0.92; ma˥ and ma˩ 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" panphon==0.22.2
PYTHONPATH="$folder" python3 - <<'PYTHON'
import panphon
import panphon.distance

table, distance = panphon.FeatureTable(), panphon.distance.Distance()
expected = {
    "gat": ["a", "t"],
    "ɡat": ["ɡ", "a", "t"],
    "ʤæz": ["æ", "z"],
    "d͡ʒæz": ["d͡ʒ", "æ", "z"],
    "ɚ": [],
    "ʦ": [],
}
for word, sounds in expected.items():
    print(word, table.ipa_segs(word))
    assert table.ipa_segs(word) == sounds
assert distance.feature_edit_distance("gat", "at") == 0
assert distance.feature_edit_distance("gat", "ɡat") > 0.5
assert distance.weighted_feature_edit_distance("ma˥", "ma˩") == 0
assert distance.feature_edit_distance("ma˥", "ma˩") > 0
PYTHON
