"""Every number format of the window handles unknown numbers."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import workbench.ui
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.text import count, decimal, duration, memory, plural, short_number
from workbench.ui.widgets.tables.score_list import ScoreList

STRANGE = (
    math.nan,
    math.inf,
    -math.inf,
    -0.0,
    0.0,
    1e-300,
    5e-324,
    -1e-9,
    999.9999,
    1e18,
    -1e18,
    np.float64("-inf"),
)
NUMBERS = {"float", "Cell", "float | None", "int | float"}
# Functions of other cells: combinations of a grid, dates, states and names of algorithms.
OTHERS = {"_between", "_memory_text", "_seconds_text", "_algorithm", "_state", "_text", "_when"}


def formatters() -> list[tuple[str, Callable[[Any], str]]]:
    """Functions that return a text and need one number only."""
    found = {}
    for info in pkgutil.walk_packages(workbench.ui.__path__, "workbench.ui."):
        module = importlib.import_module(info.name)
        for name, function in vars(module).items():
            if (
                not inspect.isfunction(function)
                or function.__module__ != info.name
                or name in OTHERS
            ):
                continue
            signature = inspect.signature(function)
            parameters = list(signature.parameters.values())
            further = [one for one in parameters[1:] if one.default is inspect.Parameter.empty]
            if parameters and not further and signature.return_annotation == "str":
                annotation = str(parameters[0].annotation)
                if annotation in NUMBERS or (annotation == "int" and name in ("count", "ordinal")):
                    found[f"{info.name.removeprefix('workbench.ui.')}.{name}"] = function
    return sorted(found.items())


FORMATTERS = formatters()


@pytest.mark.parametrize(
    "function", [function for _, function in FORMATTERS], ids=[name for name, _ in FORMATTERS]
)
def test_a_number_that_nobody_knows_is_written(function: Callable[[Any], str]) -> None:
    annotation = str(next(iter(inspect.signature(function).parameters.values())).annotation)
    own = (None,) if annotation in ("float | None", "Cell") else ()
    for value in (*STRANGE, *own):
        text = function(value)
        assert isinstance(text, str)
        for word in ("nan", "inf", "None"):
            assert word not in text.lower().replace("infinite", ""), (
                f"{value!r} is written {text!r}"
            )


def test_there_are_formatters_to_look_at() -> None:
    assert len(FORMATTERS) >= 25


def test_what_is_unknown_and_what_is_infinite_differ() -> None:
    for function in (count, short_number, decimal, duration, memory):
        assert function(math.nan) == function(None) == "–"
        assert function(math.inf) == "∞"
        assert function(-math.inf) == "−∞"


def test_a_hyphen_of_a_word_is_no_minus(context: PanelContext, qtbot: QtBot) -> None:
    scores = ScoreList(context.theme)
    qtbot.addWidget(scores)
    scores.set_scores(["well-known"], [-0.5])
    assert scores.table.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "well-known: −0.5000"
    assert plural(2, "n-gram") == "2 n-grams"
    assert plural(-2, "word") == "−2 words"
