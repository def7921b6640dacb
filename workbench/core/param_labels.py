"""Names of hyperparameters in messages: the key in Python and files, the option on the command
line, labels in windows.

Labels are declared with the parameters (``core/params.py``). Each process uses one of these kinds
of names; the window and the command line choose it when they start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum

from workbench.core.language import tr


class By(Enum):
    """Ways to name hyperparameters in messages."""

    KEY = "min_count"
    OPTION = "--min-count"
    LABEL = "Minimum count"


_by = By.KEY
# Names of parameters that have another label in a form.
_otherwise: Mapping[str, str] = {}
# Labels by name, for messages that have only the name.
_declared: dict[str, str] = {}


def register_label(name: str, label: str) -> None:
    """Record a declared label; the first declaration of a name applies to all messages."""
    if label:
        _declared.setdefault(name, label)


def default_label(name: str) -> str:
    """A label derived from the name."""
    return name.replace("_", " ").capitalize()


def option(name: str) -> str:
    """Name on the command line: ``--ns-exponent``."""
    return "--" + name.replace("_", "-")


def param_name(name: str, label: str = "") -> str:
    """The name of a hyperparameter at the start of a sentence, from its key; ``label`` is the
    declared label if the caller has it.
    """
    if _by is By.LABEL:
        return _otherwise.get(name) or label or _declared.get(name) or default_label(name)
    if _by is By.OPTION:
        return option(name)
    return name


def uses_labels() -> bool:
    """Whether messages name hyperparameters by their labels, as a window does."""
    return _by is By.LABEL


def quoted_param(name: str) -> str:
    """Label in quotation marks, for use within a sentence."""
    if _by is By.LABEL:
        return tr("“{text}”", text=param_name(name))
    return param_name(name)


@contextmanager
def name_params_by(how: By, otherwise: Mapping[str, str] | None = None) -> Iterator[None]:
    """Name hyperparameters by ``how`` within the block, in all threads; ``otherwise`` are names of
    individual ones.
    """
    global _by, _otherwise
    before = _by, _otherwise
    _by, _otherwise = how, otherwise or {}
    try:
        yield
    finally:
        _by, _otherwise = before


@contextmanager
def override_labels(names: Mapping[str, str]) -> Iterator[None]:
    """Use a form's own names for individual hyperparameters within the block, if labels are
    used.
    """
    with name_params_by(_by, names):
        yield
