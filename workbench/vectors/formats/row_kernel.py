"""The kernel that parses rows of text: a word and d decimal numbers.

It either finds exactly the number that Python's ``float`` and a conversion to float32 find, or
leaves the line to them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.jit import kernel

# Powers of ten as Python reads them, each off by at most 2⁻⁵³ of itself.
_POWERS = np.array([float(f"1e{power}") for power in range(81)])
_LARGEST_POWER = 80
# Another digit fits below this number.
_FULL = np.uint64(10**18)
_TEN = np.uint64(10)
# The quotient of 19 digits and a power of ten is off by less than 2⁻⁵¹ of itself: digits that are
# left out, the conversion, the power and the division change at most 2⁻⁵³ each. The number that
# Python finds is within 2⁻⁵³ of the exact one, so both are within these bounds.
_BELOW, _ABOVE = 1 - 2.0**-50, 1 + 2.0**-50
_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_PLUS, _MINUS, _POINT, _ZERO = 43, 45, 46, 48
_SMALL_E, _LARGE_E = 101, 69


@kernel(inline=True)
def _digit(data: Any, at: Any, end: Any) -> Any:
    """The digit at a place, or −1."""
    if at >= end:
        return -1
    digit = np.int64(data[at]) - _ZERO
    if digit < 0 or digit > 9:
        return -1
    return digit


@kernel(inline=True)
def _parse_number(data: Any, at: Any, end: Any) -> Any:
    """The place after the number at ``at`` and its float32; −1 if it has another form, or if its
    bounds round to different float32.
    """
    negative = data[at] == _MINUS
    if negative or data[at] == _PLUS:
        at += 1
    mantissa = np.uint64(0)
    scale = 0
    first = at
    digit = _digit(data, at, end)
    while digit >= 0:
        if mantissa < _FULL:
            mantissa = mantissa * _TEN + np.uint64(digit)
        else:
            scale += 1
        at += 1
        digit = _digit(data, at, end)
    digits = at - first
    if at < end and data[at] == _POINT:
        at += 1
        first = at
        digit = _digit(data, at, end)
        while digit >= 0:
            if mantissa < _FULL:
                mantissa = mantissa * _TEN + np.uint64(digit)
                scale -= 1
            at += 1
            digit = _digit(data, at, end)
        digits += at - first
    if digits == 0:
        return -1, np.float32(0)
    if at < end and (data[at] == _SMALL_E or data[at] == _LARGE_E):
        at += 1
        down = at < end and data[at] == _MINUS
        if down or (at < end and data[at] == _PLUS):
            at += 1
        exponent = _digit(data, at, end)
        if exponent < 0:
            return -1, np.float32(0)
        at += 1
        digit = _digit(data, at, end)
        while digit >= 0 and exponent < 1000:
            exponent = 10 * exponent + digit
            at += 1
            digit = _digit(data, at, end)
        scale += -exponent if down else exponent
    if at < end:
        after = data[at]
        if after != _SPACE and after != _NEWLINE and after != _TAB and after != _RETURN:
            return -1, np.float32(0)
    if mantissa == 0:
        scale = 0
    if scale < -_LARGEST_POWER or scale > _LARGEST_POWER:
        return -1, np.float32(0)
    value = np.float64(mantissa)
    if scale < 0:
        value /= _POWERS[-scale]
    else:
        value *= _POWERS[scale]
    if negative:
        value = -value
    number = np.float32(value * _BELOW)
    if number != np.float32(value * _ABOVE):
        return -1, np.float32(0)
    return at, number


@kernel
def parse_rows(data: Any, at: Any, end: Any, vectors: Any, row: Any, names: Any) -> Any:
    """Parse complete lines of ``data`` (uint8) from ``at`` to ``end`` into ``vectors`` (float32)
    from ``row`` on, and copy their words, each with a space after it, to ``names`` (uint8).

    Returns the place of the first line that wasn't parsed, the next row, and the number of bytes in
    ``names``. Parsing ends if the table is full, and at a line whose word is empty or contains
    spaces or control characters, which has more or fewer than d numbers, or whose numbers have
    another form.
    """
    size, dim = vectors.shape
    used = 0
    while row < size and at < end:
        begin = at
        while at < end and data[at] > _SPACE:
            at += 1
        stop = at
        if stop == begin:
            return begin, row, used
        for column in range(dim):
            while at < end and (data[at] == _SPACE or data[at] == _TAB):
                at += 1
            if at == end:
                return begin, row, used
            at, number = _parse_number(data, at, end)
            if at < 0:
                return begin, row, used
            vectors[row, column] = number
        while at < end and (data[at] == _SPACE or data[at] == _TAB or data[at] == _RETURN):
            at += 1
        if at < end:
            if data[at] != _NEWLINE:
                return begin, row, used
            at += 1
        for place in range(begin, stop):
            names[used] = data[place]
            used += 1
        names[used] = _SPACE
        used += 1
        row += 1
    return at, row, used


def warm() -> None:
    """Compile the kernel, or load it from the cache."""
    text = np.frombuffer(bytearray(b"a 0.5\n"), np.uint8)
    parse_rows(text, 0, len(text), np.empty((1, 1), np.float32), 0, np.empty_like(text))
