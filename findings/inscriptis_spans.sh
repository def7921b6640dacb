#!/usr/bin/env bash
# inscriptis 2.7.6 (get_text of a web page) puts a space on both sides of every span, so a word with its initial or a
# note in a span becomes two, where browsers show no space. Bold and italic parts stay joined. It also returns passages
# with the attribute “hidden” and the content of templates, but leaves out display:none.
# Guess: an element within a line doesn’t change its spaces, and what a page hides is left out.
# Seen: “O nce upon a t ime”, “mill 1 , he said”, but Mill for <b>M</b>ill.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" inscriptis==2.7.6
PYTHONPATH="$folder" python3 - <<'PYTHON'
from inscriptis import get_text

expected = {
    "<p><span>O</span>nce upon a <span>t</span>ime</p>": "O nce upon a t ime",
    "<p>mill<span>1</span>, he said</p>": "mill 1 , he said",
    "<p><b>M</b>ill <i>w</i>ord</p>": "Mill word",
    "<p>seen</p><p hidden>unseen</p>": "seen\n\nunseen",
    "<p>seen</p><template>unseen</template>": "seen\n\nunseen",
    '<p>seen<b style="display:none">unseen</b></p>': "seen",
}
for page, text in expected.items():
    found = get_text(page).strip()
    print(page, repr(found))
    assert found == text
PYTHON
