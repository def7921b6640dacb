"""Values as JSON for files, and from them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_NO_TEXT = re.compile("[\ud800-\udfff]")


def json_text(value: Any, **options: Any) -> str:
    """JSON that can be encoded as UTF-8 whatever it holds; ``options`` as in ``json.dumps``.

    Names of files need not be UTF-8: Python keeps their other bytes as lone surrogates, which are escaped here and read
    back as they were.
    """
    return _NO_TEXT.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False, **options))


def of_json(text: str) -> Any:
    """What a JSON text holds. JSON has no NaN and nothing infinite: where they stand nothing is known, None.

    Raises ValueError, and RecursionError for what is nested too deeply.
    """
    return json.loads(text, parse_float=_finite, parse_constant=lambda _: None)


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None
