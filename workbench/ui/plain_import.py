"""Imports Qt, and leaves Python's own import in place.

PySide6 hooks into ``import`` for ``from __feature__ import``, which nothing here uses: it searches
the source of every module imported later for its own name and keeps all source that it has read.
This takes 34 MB of memory and a tenth of the start-up time. Import this before Qt.
"""

import builtins

_PLAIN = builtins.__import__

import PySide6.QtCore  # noqa: E402, F401 - between these two lines on purpose

builtins.__import__ = _PLAIN
