"""The walks of docs/architecture.md, traced: the modules that a file or a value passes through."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.core.params import Params
from workbench.models.count import glove
from workbench.models.params import SharedParams
from workbench.session.jobs import Jobs
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.dialogs.open import ask_files
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.widgets.inputs.editors import FloatBox

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = f"{ROOT / 'workbench'}/"
# Modules that serve all others: everything is passed to them, and they pass nothing on.
HELPERS = ("core/", "session/settings/settings_file.py", "session/settings/settings_migrations.py")
WORD = "zyxwabc"
X_MAX = 12.345


@cache
def procedures(file: str) -> frozenset[int]:
    """The first lines of functions in a file that return nothing, and so can't decline."""
    tree = ast.parse(Path(file).read_text("utf-8"))
    return frozenset(
        min([node.lineno, *(each.lineno for each in node.decorator_list)])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.returns, ast.Constant)
        and node.returns.value is None
    )


class Trace:
    """Modules with a function whose arguments make ``holds`` true, in order.

    A module that is only asked and declines, with False, None or something empty, isn't included:
    for example, formats of vectors that don't fit the file, whatever their functions find out
    before they decline. Nor are HELPERS.
    """

    def __init__(self, holds: Callable[[object], bool]) -> None:
        self._holds = holds
        self._busy = threading.local()
        self._frames: dict[int, FrameType] = {}
        self._uses: dict[str, bool] = {}

    @property
    def modules(self) -> list[str]:
        return [name for name, is_used in self._uses.items() if is_used]

    @contextmanager
    def on(self) -> Iterator[None]:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, value: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(PACKAGE):
            return
        name = code.co_filename.removeprefix(PACKAGE)
        if name.startswith(HELPERS) or getattr(self._busy, "now", False):
            return
        self._busy.now = True
        try:
            if event == "call" and self._is_handed(frame):
                self._frames[id(frame)] = frame
                self._uses.setdefault(name, False)
            elif event == "return" and self._frames.pop(id(frame), None) is not None:
                used = takes(code, value) and not is_asked(frame)
                self._uses[name] = self._uses[name] or used
        finally:
            self._busy.now = False

    def _is_handed(self, frame: FrameType) -> bool:
        code = frame.f_code
        number = code.co_argcount + code.co_kwonlyargcount
        number += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
        values = frame.f_locals
        return any(
            holds_within(values.get(name), self._holds) for name in code.co_varnames[:number]
        )


def is_asked(frame: FrameType) -> bool:
    """Whether a function helps its own module to find out whether a file is of its kind."""
    caller = frame.f_back
    while caller is not None:
        if caller.f_code.co_name == "detect":
            return caller.f_code.co_filename == frame.f_code.co_filename
        caller = caller.f_back
    return False


def takes(code: CodeType, value: object) -> bool:
    """Whether a function that returns ``value`` did something with its arguments."""
    if code.co_flags & CO_GENERATOR or code.co_firstlineno in procedures(code.co_filename):
        return True
    return isinstance(value, np.ndarray) or bool(value)


def holds_within(value: object, holds: Callable[[object], bool], depth: int = 3) -> bool:
    """Whether a value makes ``holds`` true, or contains one that does."""
    if holds(value):
        return True
    parts: list[Any] = []
    if not depth or isinstance(value, type):
        return False
    if isinstance(value, (list, tuple)):
        parts = list(value[:5])
    elif isinstance(value, dict):
        parts = list(value.values())
    elif is_dataclass(value):
        parts = [getattr(value, field.name, None) for field in fields(value)]
    return any(holds_within(part, holds, depth - 1) for part in parts)


def walk(title: str) -> list[str]:
    """The modules named on the page for a walk."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    text = page.partition(f"### {title}: ")[2].partition("\n#")[0]
    return re.findall(r"`([\w./]+\.py)`", text)


def is_the_file(value: object) -> bool:
    """Whether a value is a path of the file or bytes of it, both of which contain the word."""
    if isinstance(value, (str, Path)):
        return WORD in str(value)
    if isinstance(value, np.ndarray):
        return value.dtype == np.uint8 and WORD.encode() in value.tobytes()
    return isinstance(value, bytes) and WORD.encode() in value


def open_file(session: Session, qtbot: QtBot, path: Path) -> None:
    """Open a file with the file dialog."""
    parent = QWidget()
    qtbot.addWidget(parent)
    ask_files(parent, session)
    dialog = parent.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    qtbot.waitUntil(lambda: session.pump() is None and session.corpora.opening is None)
    assert session.corpora.current is not None
    assert session.corpora.current.name == path.stem


def test_the_walk_of_a_text_file(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    warm = tmp_path / "warm.txt"
    warm.write_text("a b c d\n" * 10)
    open_file(session, qtbot, warm)
    path = tmp_path / WORD / "novel.txt"
    path.parent.mkdir()
    path.write_text(f"the cat {WORD} saw the dog\n" * 200)
    trace = Trace(is_the_file)
    bridge = Bridge(session)
    bridge.stop()
    with trace.on():
        open_file(session, qtbot, path)
    assert sorted(trace.modules) == sorted(walk("Opening a text file"))


def is_the_value(value: object) -> bool:
    return isinstance(value, float) and value == X_MAX


def callers_with(holds: Callable[[object], bool]) -> set[str]:
    """Modules on the stack with a function that has a variable for which ``holds`` is true."""
    found = set()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(PACKAGE) and any(
            holds_within(value, holds) for value in frame.f_locals.values()
        ):
            found.add(name.removeprefix(PACKAGE))
        frame = frame.f_back
    return {name for name in found if not name.startswith(HELPERS)}


def module_file(kind: type) -> str:
    return kind.__module__.removeprefix("workbench.").replace(".", "/") + ".py"


def test_the_walk_of_a_parameter(
    context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules: set[str] = set()

    def note_callers(owner: object, name: str, text: str = "") -> None:
        """Note the modules on the stack at each call of a method, or at calls with a text."""
        plain = getattr(owner, name)

        def call(*arguments: Any, **keywords: Any) -> Any:
            if not text or any(str(argument).startswith(text) for argument in arguments):
                modules.update(callers_with(is_the_value))
            return plain(*arguments, **keywords)

        monkeypatch.setattr(owner, name, call)

    note_callers(FloatBox, "setValue")
    note_callers(Jobs, "start", "Training ")
    note_callers(glove, "glove_weight")
    context.session.corpora.current = small_corpus()
    panel = TrainPanel(context)
    qtbot.addWidget(panel)
    context.session.corpora.changed.emit()
    panel.choose("glove")
    panel.form.put({"min_count": 1}, {"x_max": X_MAX})
    panel.start.click()
    qtbot.waitUntil(lambda: bool(context.session.runs))
    (record,) = context.session.runs
    qtbot.waitUntil(lambda: record.state.over)
    assert record.error is None
    panel.release()
    modules |= {module_file(kind) for kind in (glove.GloVeParams, SharedParams, FloatBox)}
    assert sorted(modules) == sorted(walk("`x_max` of GloVe"))


def test_hyperparameters_of_an_algorithm_are_declared_in_three_modules() -> None:
    kinds = [kind for kind in glove.GloVeParams.__mro__ if issubclass(kind, Params)]
    assert len({module_file(kind) for kind in kinds} - {"core/params.py"}) <= 3
