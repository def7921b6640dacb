"""A section of the page: what it contributes to the one file.

Each section has modules of JavaScript in ``resources/handout``. They register a view with the same
key, which gets the section's data and arrays by name, and looks up its texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class PageSection:
    """Data and scripts of one section.

    key : name in the page, of ``data`` and of the view that its scripts register
    scripts : names of its files in ``resources/handout``, in the order in which they run
    data : ready for JSON; arrays : numbers by name, which the page gets as typed arrays
    texts : its texts in English by key, marked for the catalogues
    """

    key: str
    scripts: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
