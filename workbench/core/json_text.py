"""Conversion of values to JSON for files, and back."""

from __future__ import annotations

import json
import math
import re
import stat
from pathlib import Path
from typing import Any

# Maximum bytes of a JSON file, which is parsed as a whole; the values may take twenty times as much
# memory.
LARGEST = 16 << 20
# Maximum depth of nested lists and objects.
_DEEPEST = 900
_NO_TEXT = re.compile("[\ud800-\udfff]")


def json_text(value: Any, **options: Any) -> str:
    """JSON that can always be encoded as UTF-8; ``options`` as in ``json.dumps``.

    File names need not be UTF-8: Python represents invalid bytes as lone surrogates, which are
    escaped here and restored when read.
    """
    return _NO_TEXT.sub(
        lambda found: f"\\u{ord(found.group()):04x}",
        json.dumps(value, ensure_ascii=False, **options),
    )


def of_json(text: str) -> Any:
    """Value of a JSON text. JSON has no NaN and no infinite numbers: null means unknown.

    Raises ValueError, and RecursionError for values that are nested too deeply.
    """
    value = json.loads(text, parse_float=_finite, parse_constant=lambda _: None)
    _prove_shallow(text, value)
    return value


def json_of_file(path: Path, largest: int = LARGEST) -> Any:
    """Value of an untrusted JSON file, read as by ``of_json``.

    Raises OSError if it can’t be read, and ValueError if it isn’t JSON in UTF-8, isn’t an ordinary
    file, is larger than ``largest`` bytes, is nested too deeply, or repeats a name.
    """
    # Reading a pipe may wait forever, and a device may never end.
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("not a regular file")
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"more than {largest:,} bytes")
    text = data.decode("utf-8-sig")
    try:
        value = json.loads(
            text,
            parse_float=_finite,
            parse_constant=lambda _: None,
            object_pairs_hook=_each_once,
        )
        _prove_shallow(text, value)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def _prove_shallow(text: str, value: Any) -> None:
    """Raise RecursionError for more than ``_DEEPEST`` levels: from Python 3.14 on, the parser reads
    tens of thousands, which later recursive functions can’t handle.
    """
    if text.count("[") + text.count("{") <= _DEEPEST:
        return
    level = [value]
    for _ in range(_DEEPEST):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
        if not inner:
            return
        level = inner
    raise RecursionError("nested too deeply")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice")
    return found


def _finite(text: str) -> float | None:
    value = float(text)
    if math.isfinite(value):
        return value
    return None
