"""One HTML file of all sections: data, style sheet and scripts inside, nothing loaded.

The Content-Security-Policy allows nothing but the one script and the one style sheet, by their
hashes. Foreign texts are JSON in a block that isn't executed; the scripts only set them as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.folders import resources
from workbench.core.language import language, languages, translation
from workbench.core.text.visible import xml_text
from workbench.session.export.handout_page.section import PageSection

# They run before the scripts of the sections, and this one after them.
_FIRST = ("core.js", "numbers.js", "vectors.js", "word-field.js", "lists.js")
_LAST = "start.js"
# Letters that begin a tag or an entity, and line ends that JSON allows but scripts didn't.
_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def write_page(
    title: str, head: Mapping[str, Any], sections: Sequence[PageSection], texts: Mapping[str, str]
) -> str:
    """The page as text.

    head : further data for all sections, ready for JSON; texts : those that all sections share
    """
    every = dict(texts)
    for section in sections:
        every |= section.texts
    data = {
        "title": title,
        **head,
        "language": language() if language() in languages() else "en",
        "languages": {"en": "English", **languages()},
        "texts": _texts(every),
        "sections": [
            {
                "key": section.key,
                "data": section.data,
                "arrays": {name: _packed(array) for name, array in section.arrays.items()},
            }
            for section in sections
        ],
    }
    scripts = (*_FIRST, *(name for section in sections for name in section.scripts), _LAST)
    script = script_of(dict.fromkeys(scripts))
    style = _file("page.css")
    policy = (
        f"default-src 'none'; script-src '{source_hash(script)}'; style-src "
        f"'{source_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!doctype html>\n<html lang="{data["language"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{xml_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<noscript>{xml_text(every['noscript'])}</noscript>\n"
        f'<script type="application/json" id="data">{_json(data)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def script_of(names: Iterable[str]) -> str:
    """The files as one script, each in a block of its own, so that their names don't meet."""
    parts = [f"// {name}\n{{\n{_file(name)}}}\n" for name in names]
    return '"use strict";\nconst handout = {};\n' + "".join(parts)


def source_hash(text: str) -> str:
    """The hash by which a policy allows an inline script or style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _file(name: str) -> str:
    # Line ends as a browser counts them for the hash, also where files have others.
    return (resources() / "handout" / name).read_text(encoding="utf-8")


def _texts(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The texts of every language by key."""
    return {
        name: {key: translation(text, name) for key, text in texts.items()}
        for name in ("en", *languages())
    }


def _packed(array: npt.NDArray[Any]) -> dict[str, object]:
    """An array as base64 of its little-endian bytes, with its type and shape."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    encoded = base64.b64encode(np.ascontiguousarray(little).tobytes()).decode("ascii")
    return {"type": array.dtype.name, "shape": list(array.shape), "bytes": encoded}


def _json(data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_UNSAFE)
