"""A headless Chromium, driven by its DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Chromium reads commands from descriptor 3 and writes answers to 4.
_WRAPPER = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); "
    "os.execv(sys.argv[3], sys.argv[3:])"
)
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
# Only guards against hanging.
_PATIENCE = 120.0


def chromium() -> str | None:
    """The path of a Chromium of this system."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """One browser for many pages. Use it as a context manager.

    folder : an empty folder for its profile and temporary files
    """

    def __init__(self, folder: Path) -> None:
        program = chromium()
        assert program is not None
        reads, self._write = _pipe()
        self._read, writes = _pipe()
        command = [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WRAPPER, str(reads), str(writes), *command],
            pass_fds=(reads, writes),
            env={**os.environ, "TMPDIR": str(folder), "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reads)
        os.close(writes)
        self._buffer = b""
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._pages: dict[str, Page] = {}

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.send("Browser.close")
            self._process.wait(_PATIENCE)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_PATIENCE)
        os.close(self._read)
        os.close(self._write)

    def send(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """The result of a command. Raises AssertionError for an error."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while number not in self._answers:
            self.receive(end)
        answer = self._answers.pop(number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: dict[str, Any] = answer["result"]
        return result

    def receive(self, end: float) -> None:
        """Read messages until one has come."""
        while b"\0" not in self._buffer:
            assert select.select([self._read], [], [], max(end - time.monotonic(), 0))[0], "silent"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        if "id" in message:
            self._answers[message["id"]] = message
        elif message.get("sessionId") in self._pages:
            self._pages[message["sessionId"]].events.append(message)

    def open(self, path: Path, size: tuple[int, int] = (1280, 800), **how: Any) -> Page:
        """A new page that shows a file."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, target)
        page.show(path, size, **how)
        return page

    def close(self, page: Page) -> None:
        self.send("Target.closeTarget", targetId=page.target)
        del self._pages[page.session]


def _pipe() -> tuple[int, int]:
    """A pipe above the descriptors that the wrapper replaces."""
    low = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in low)
    for end in low:
        os.close(end)
    return high[0], high[1]


class Page:
    """One page. ``events`` are all that it reported."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser, self.session, self.target = browser, session, target
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.send(method, self.session, **params)

    def show(
        self,
        path: Path,
        size: tuple[int, int],
        *,
        touch: bool = False,
        dark: bool = False,
        still: bool = True,
    ) -> None:
        """Load a file in a window of ``size``; ``still``: the reader prefers no motion."""
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        width, height = size
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if touch else 1,
            mobile=touch,
        )
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.send(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
            ],
        )
        self.send(
            "Page.addScriptToEvaluateOnNewDocument",
            source="window.violations = []; document.addEventListener('securitypolicyviolation', "
            "(event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));",
        )
        self.events.clear()
        self.send("Page.navigate", url=path.absolute().as_uri())
        self.wait_for(lambda: any(e["method"] == "Page.loadEventFired" for e in self.events))

    def wait_for(self, found: Callable[[], bool]) -> None:
        """Wait for a condition on the events."""
        end = time.monotonic() + _PATIENCE
        while not found():
            self.browser.receive(end)

    def value(self, expression: str) -> Any:
        """The value of an expression, awaited, as JSON."""
        result = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true, which is evaluated before each frame."""
        self.value(
            f"new Promise((done) => {{ const look = () => ({condition}) ? done(true) : "
            "setTimeout(look, 10); look(); })"
        )

    def requests(self) -> list[str]:
        """Addresses that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def problems(self) -> list[str]:
        """Exceptions, errors in the console, and violations of the policy."""
        found = [
            str(event["params"])
            for event in self.events
            if event["method"] == "Runtime.exceptionThrown"
            or (
                event["method"] == "Log.entryAdded"
                and event["params"]["entry"]["level"] in ("error", "warning")
            )
        ]
        return found + list(self.value("violations"))

    def key(self, key: str, code: int = 0, text: str = "") -> None:
        down = {"key": key, "windowsVirtualKeyCode": code, "text": text}
        self.send("Input.dispatchKeyEvent", type="keyDown", **down)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def touch(self, *steps: list[tuple[float, float]]) -> None:
        """Touch with one or more fingers: each step is where they are; then lift them."""
        for at, places in enumerate(steps):
            points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
            kind = "touchMove" if at else "touchStart"
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def middle(self, expression: str) -> tuple[float, float]:
        """The middle of an element, scrolled into view."""
        box = self.value(
            f"(() => {{ const e = {expression}; e.scrollIntoView({{block: 'center'}}); "
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; "
            "})()"
        )
        return box[0], box[1]

    def picture(self, path: Path) -> None:
        """Save what is visible as PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))
