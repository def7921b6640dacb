"""A real X server with a window manager, and the workbench in it, driven by mouse and keyboard.

xdotool clicks and types, as a person does. ``window/driver.py``, which runs the workbench’s own
``main`` in a separate process, reports where each widget is and what it shows.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DRIVER = Path(__file__).parents[1] / "window" / "driver.py"
_PAUSE = threading.Event()
_LONGEST = 600.0


def wait_until(condition: Callable[[], Any], what: str) -> Any:
    """Wait for a true value of ``condition`` and return it. Raises AssertionError after ten
    minutes, a limit that only guards against hanging.
    """
    deadline = time.monotonic() + _LONGEST
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited {_LONGEST:.0f} s for {what}"
        _PAUSE.wait(0.02)
    return value


@dataclass(frozen=True)
class Widget:
    """State of a widget. ``x`` and ``y`` are its centre on the screen; ``lines`` is its text."""

    name: str
    kind: str
    visible: bool
    enabled: bool
    focused: bool
    x: int
    y: int
    width: int
    height: int
    lines: tuple[str, ...]
    accessible: str

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Desktop:
    """Xvfb on a free display with openbox on it."""

    def __init__(self, folder: Path, size: str = "1600x1000") -> None:
        read, write = os.pipe()
        command = [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{size}x24",
            "-nolisten",
            "tcp",
            "-dpi",
            "96",
        ]
        self._server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
        os.close(write)
        with open(read) as answer:
            self.display = f":{int(answer.readline())}"
        environment = {
            name: value
            for name, value in os.environ.items()
            if name == "XDG_RUNTIME_DIR" or not name.startswith(("QT_", "WAYLAND", "XDG_"))
        }
        self.environment = {**environment, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        marker = folder / "openbox-started"
        self._manager = subprocess.Popen(
            ["openbox", "--sm-disable", "--startup", f"touch {marker}"],
            env={**self.environment, "HOME": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(marker.exists, "openbox")

    def xdotool(self, *words: object) -> None:
        subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, check=True, timeout=_LONGEST
        )

    def screenshot(self, path: Path) -> None:
        """Save a picture to examine a failure; needs ImageMagick."""
        if shutil.which("import"):
            subprocess.run(
                ["import", "-window", "root", str(path)],
                env=self.environment,
                check=False,
                timeout=_LONGEST,
            )

    def close(self) -> None:
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(_LONGEST)


class App:
    """The workbench in a window. ``person`` is the user’s home folder, where file dialogs open."""

    def __init__(
        self,
        desktop: Desktop,
        home: Path,
        log: Path,
        *arguments: object,
        person: Path | None = None,
    ) -> None:
        self.desktop = desktop
        self.log = log
        self._log = log.open("w")
        self.process = subprocess.Popen(
            [sys.executable, str(_DRIVER), *map(str, arguments)],
            env={
                **desktop.environment,
                "WORKBENCH_HOME": str(home),
                **({"HOME": str(person)} if person else {}),
            },
            cwd=person,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def __enter__(self) -> App:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.desktop.screenshot(self.log.with_suffix(".png"))
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(_LONGEST)
        for stream in (self.process.stdin, self.process.stdout, self._log):
            assert stream is not None
            stream.close()

    # -- reading the window

    def ask(self, question: str, name: str = "") -> Any:
        """The driver’s answer to a question. Raises AssertionError with the end of the program’s
        log if the program has ended.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps([question, name]) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        assert answer, f"the window is gone: {self.log.read_text()[-2000:]}"
        result = json.loads(answer)
        assert not (isinstance(result, dict) and "failed" in result), result
        return result

    def widget(self, name: str) -> Widget | None:
        """The widget with this object name, a visible one if there are several, or None."""
        answer = self.ask("widget", name)
        return Widget(**{**answer, "lines": tuple(answer["lines"])}) if answer else None

    def names(self) -> list[str]:
        """The object names of all widgets on the screen."""
        return list(self.ask("names"))

    def wait_for(
        self, name: str, ready: Callable[[Widget], bool] = lambda widget: widget.enabled
    ) -> Widget:
        """Wait for a widget to be visible and ``ready``, and return it."""
        last: list[Widget | None] = [None]

        def look() -> Widget | None:
            widget = last[0] = self.widget(name)
            return widget if widget is not None and widget.visible and ready(widget) else None

        try:
            return wait_until(look, name)
        except AssertionError as error:
            raise AssertionError(f"{error}; it is {last[0]}; {self.ask('windows')}") from None

    def wait_for_none(self, name: str) -> None:
        """Wait until no widget with this name is visible."""
        wait_until(
            lambda: (widget := self.widget(name)) is None or not widget.visible, f"{name} to go"
        )

    # -- using the window

    def click(self, name: str) -> None:
        """Press the left mouse button on the middle of a widget, once it is enabled and at rest."""
        places: list[Widget] = []

        def at_rest(widget: Widget) -> bool:
            """Whether a widget is enabled and hasn’t moved since the last check."""
            places.append(widget)
            return (
                widget.enabled
                and len(places) > 1
                and (places[-2].x, places[-2].y) == (widget.x, widget.y)
            )

        widget = self.wait_for(name, at_rest)
        self.desktop.xdotool("mousemove", widget.x, widget.y, "click", 1)

    def point(self, question: str, *name: str, press: int = 1, times: int = 1) -> None:
        """Press a mouse button on what the driver finds for a question ("row", "entry", "button" or
        "word"), once it has stopped moving.
        """
        answers: list[Any] = []

        def at_rest() -> Any:
            answers.append(self.ask(question, "\t".join(name)))
            return answers[-1] if len(answers) > 3 and answers[-4:] == [answers[-1]] * 4 else None

        try:
            x, y = wait_until(at_rest, f"{question} {' '.join(name)}")
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.ask('windows')}") from None
        self.desktop.xdotool("mousemove", x, y, "click", "--repeat", times, "--delay", 60, press)

    def raise_tab(self, title: str) -> None:
        """Click the tab of a dock; if the tab bar is too short to show it, scroll it into view with
        the wheel first.
        """

        def click_tab() -> bool:
            side, x, y = wait_until(lambda: self.ask("tab", title), f"a tab {title}")
            press, up, down = 1, 4, 5
            self.desktop.xdotool(
                "mousemove", x, y, "click", up if side < 0 else down if side else press
            )
            return not side

        wait_until(click_tab, f"the tab {title} in sight")

    def key(self, *keys: str) -> None:
        """Press keys given by xdotool’s names: ``key("ctrl+a", "Return")``."""
        # The window manager takes its time to give a window the focus; keys pressed before that are
        # lost.
        wait_until(lambda: self.ask("active"), "an active window")
        self.desktop.xdotool("key", "--clearmodifiers", *keys)

    def fill(self, name: str, text: str) -> None:
        """Click into a field and replace its content with ``text`` (plain ASCII).

        Checks the result and types again if keys were lost, as a person would: windows that open
        beside the field (such as a list of completions) take the keyboard for a moment.
        """

        def type_text() -> bool:
            self.click(name)
            if not self.comes(lambda: (widget := self.widget(name)) is not None and widget.focused):
                # The click only closed a list, or came while the window was arranged.
                return False
            self.key("ctrl+a")
            self.desktop.xdotool("type", "--delay", 15, text)
            return self.comes(lambda: self.holds(name, text))

        self.again(type_text, f"{text} in {name}")

    def holds(self, name: str, text: str) -> bool:
        """Whether a field contains exactly this text, apart from thousands separators."""
        widget = self.widget(name)
        return widget is not None and widget.text.replace(",", "") == text.replace(",", "")

    def choose_file(self, path: Path) -> None:
        """Type the path into the file dialog that is open or opening, and close it with Return."""
        field = "fileNameEdit"
        self.fill(field, str(path))

        def is_closed() -> bool:
            self.key("Return")
            return self.comes(lambda: (widget := self.widget(field)) is None or not widget.visible)

        # The first Return may only close the list of completions.
        self.again(is_closed, f"the file dialog to take {path}")

    def comes(self, condition: Callable[[], bool]) -> bool:
        """Whether a condition is met within a few seconds. If it is only met later, repeating the
        action does no harm.
        """
        for _ in range(250):
            if condition():
                return True
            _PAUSE.wait(0.02)
        return False

    def again(self, attempt: Callable[[], bool], what: str) -> None:
        """Try something up to five times, until it succeeds."""
        assert any(attempt() for _ in range(5)), f"tried five times: {what}; {self.ask('windows')}"

    def close_window(self) -> int:
        """Close the window as a person does; returns the exit code of the process.

        The window manager drops keys while it takes over a new keyboard layout, which can happen at
        the very first key, so the key is pressed again if necessary.
        """
        wait_until(lambda: self.ask("active"), "an active window")
        for _ in range(5):
            self.desktop.xdotool("key", "--clearmodifiers", "alt+F4")
            if self.comes(lambda: self.process.poll() is not None):
                break
        return self.process.wait(_LONGEST)
