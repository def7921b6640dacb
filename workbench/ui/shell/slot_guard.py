"""Guard for methods that Qt calls: reports exceptions and returns an empty answer.

An exception raised by a method that overrides one of Qt's passes through PySide6 (6.8 to 6.11 were
tested) into Qt, and

- before Python 3.12, where C code raised it (``int("x")``, a widget that Qt has deleted), ends the
  process with a segmentation fault: PySide6 treats its value as an exception object, which only the
  first Python handler would create;
- otherwise is stored, and raised again wherever Python next calls Qt, even while Qt continues to
  call other methods, each of which then fails in turn.

So a ``paintEvent`` that failed once closed the window, or caused errors in unrelated places. A
painter that it left open, which lives as long as the exception, paints on a device that Qt then
deletes: this ends the process as well, so the guard ends the painter.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Iterator
from types import FunctionType, TracebackType
from typing import Any

from PySide6.QtGui import QPainter
from shiboken6 import Shiboken

_QT = ("PySide6", "shiboken6", "Shiboken")


def guard_slot(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method: its exceptions go to ``sys.excepthook``, and it then returns None."""

    @functools.wraps(function)
    def method(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except Exception as error:
            _end_painters(error.__traceback__, arguments)
            sys.excepthook(type(error), error, error.__traceback__)
        except BaseException:
            # Raised again, it is an exception object and not only a type, as Ctrl+C is at first.
            raise
        return None

    vars(method)["is_guarded"] = True
    return method


def _end_painters(trace: TracebackType | None, given: Collection[object]) -> None:
    """End the painters created in the frames of an exception; painters passed in by Qt are left to
    Qt.
    """
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            if not isinstance(value, QPainter) or any(value is one for one in given):
                continue
            if Shiboken.isValid(value) and value.isActive():
                value.end()
        trace = trace.tb_next


def guard(kind: type) -> None:
    """Guard all methods of a class and its mixins that override one of Qt's."""
    of_qt = [base for base in kind.__mro__ if _is_qt(base)]
    for base in kind.__mro__:
        if _is_qt(base):
            continue
        for name, value in list(vars(base).items()):
            if (
                type(value) is not FunctionType
                or name.startswith("__")
                or hasattr(value, "is_guarded")
            ):
                continue
            if any(name in vars(other) for other in of_qt):
                setattr(base, name, guard_slot(value))


def install() -> None:
    """Guard every class that is, or will be, derived from one of Qt's."""
    if "__init_subclass__" in vars(Shiboken.Object):
        return
    of_all: Any = Shiboken.Object

    def init_subclass(kind: Any, /, **named: Any) -> None:
        super(of_all, kind).__init_subclass__(**named)
        guard(kind)

    of_all.__init_subclass__ = classmethod(init_subclass)
    for derived in _subclasses(Shiboken.Object):
        if not _is_qt(derived):
            guard(derived)


def _subclasses(base: type) -> Iterator[type]:
    below: list[type] = type.__subclasses__(base)
    for subclass in below:
        yield subclass
        yield from _subclasses(subclass)


def _is_qt(base: type) -> bool:
    return base.__module__.partition(".")[0] in _QT
