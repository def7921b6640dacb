"""Values as JSON for files."""

from __future__ import annotations

import json
import re
from typing import Any

_NO_TEXT = re.compile("[\ud800-\udfff]")


def json_text(value: Any, **options: Any) -> str:
    """JSON that can be encoded as UTF-8 whatever it holds; ``options`` as in ``json.dumps``.

    Names of files need not be UTF-8: Python keeps their other bytes as lone surrogates, which are escaped here and read
    back as they were.
    """
    return _NO_TEXT.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False, **options))
