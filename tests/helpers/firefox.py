"""A headless Firefox, driven by WebDriver BiDi over a web socket."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

_NAMES = ("firefox-esr", "firefox")
_ADDRESS = re.compile(rb"WebDriver BiDi listening on ws://([\d.]+):(\d+)")
_SETTINGS = {
    "ui.prefersReducedMotion": 1,
    "ui.systemUsesDarkTheme": 0,
    "dom.w3c_touch_events.enabled": 1,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
}
_FLAGS = ("--headless", "--no-remote", "--remote-debugging-port=0")
# Keys of WebDriver that have no letter.
_KEYS = {
    "Enter": "\ue007",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
# Only guards against hanging.
_PATIENCE = 120.0


def firefox() -> str | None:
    """The path of a Firefox of this system."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Firefox:
    """One browser with one page. Use it as a context manager.

    folder : an empty folder for its profile and temporary files
    """

    def __init__(self, folder: Path) -> None:
        program = firefox()
        assert program is not None
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in _SETTINGS.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        log = folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [program, *_FLAGS, "--profile", str(profile), "about:blank"],
                env={**os.environ, "TMPDIR": str(folder), "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            self._begin(log)
        except BaseException:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(_PATIENCE)
            raise

    def _begin(self, log: Path) -> None:
        """Connect, and begin a session with the only page."""
        end = time.monotonic() + _PATIENCE
        while not (found := _ADDRESS.search(log.read_bytes())):
            assert self._process.poll() is None, log.read_text()
            assert time.monotonic() < end, "silent"
            time.sleep(0.02)
        self._stream = _connect(found[1].decode(), int(found[2]))
        self._number = 0
        self.events: list[dict[str, Any]] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        tree = self.send("browsingContext.getTree")
        self.context = tree["contexts"][0]["context"]

    def __enter__(self) -> Firefox:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(AssertionError, OSError, subprocess.TimeoutExpired):
            self.send("browser.close")
            self._process.wait(_PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_PATIENCE)
        self._stream.close()

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command. Raises AssertionError for an error."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        _write(self._stream, json.dumps(message).encode())
        while True:
            answer = json.loads(_read(self._stream))
            if answer.get("id") == self._number:
                assert answer["type"] == "success", f"{method}: {answer}"
                result: dict[str, Any] = answer["result"]
                return result
            if answer["type"] == "event":
                self.events.append(answer)

    def open(self, path: Path, size: tuple[int, int] = (1280, 800), **_: object) -> Firefox:
        """Show a file in a window of ``size``; the reader prefers no motion."""
        self.send(
            "browsingContext.setViewport",
            context=self.context,
            viewport={"width": size[0], "height": size[1]},
        )
        self.events.clear()
        self.send(
            "browsingContext.navigate",
            context=self.context,
            url=path.absolute().as_uri(),
            wait="complete",
        )
        return self

    def value(self, expression: str) -> Any:
        """The value of an expression, awaited, as JSON."""
        result = self.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def wait(self, condition: str) -> None:
        """Wait until an expression is true."""
        self.value(
            f"new Promise((done) => {{ const look = () => ({condition}) ? done(true) : "
            "setTimeout(look, 10); look(); })"
        )

    def requests(self) -> list[str]:
        """Addresses that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "network.beforeRequestSent"
        ]

    def problems(self) -> list[str]:
        """Exceptions, errors and warnings in the console."""
        return [
            str(event["params"])
            for event in self.events
            if event["method"] == "log.entryAdded" and event["params"]["level"] in ("error", "warn")
        ]

    def key(self, key: str, *_: object) -> None:
        self.type(_KEYS.get(key, key))

    def type(self, text: str) -> None:
        actions = [{"type": kind, "value": letter} for letter in text for kind in _PRESSES]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def touch(self, *steps: list[tuple[float, float]]) -> None:
        """Touch with one or more fingers: each step is where they are; then lift them."""
        fingers = []
        for finger, places in enumerate(zip(*steps, strict=True)):
            moves = [
                {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
                for x, y in places
            ]
            down, up = ({"type": f"pointer{kind}", "button": 0} for kind in ("Down", "Up"))
            actions = [moves[0], down, *moves[1:], up]
            fingers.append(
                {
                    "type": "pointer",
                    "id": f"finger{finger}",
                    "parameters": {"pointerType": "touch"},
                    "actions": actions,
                }
            )
        self._act(*fingers)

    def _act(self, *sources: dict[str, Any]) -> None:
        self.send("input.performActions", context=self.context, actions=list(sources))
        self.send("input.releaseActions", context=self.context)

    def middle(self, expression: str) -> tuple[float, float]:
        """The middle of an element, scrolled into view."""
        x, y = self.value(
            f"(() => {{ const e = {expression}; e.scrollIntoView({{block: 'center'}}); "
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; "
            "})()"
        )
        return x, y

    def picture(self, path: Path) -> None:
        """Save what is visible as PNG."""
        shot = self.send("browsingContext.captureScreenshot", context=self.context)
        path.write_bytes(base64.b64decode(shot["data"]))


_PRESSES = ("keyDown", "keyUp")


def _connect(host: str, port: int) -> socket.socket:
    """A web socket (RFC 6455) of a new session."""
    stream = socket.create_connection((host, port), _PATIENCE)
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        f"GET /session HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        "".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += _exactly(stream, 1)
    assert b" 101 " in head.splitlines()[0], head
    return stream


def _write(stream: socket.socket, text: bytes) -> None:
    """Send one text, masked as a client has to."""
    size = len(text)
    if size < 126:
        head = bytes([0x81, 0x80 | size])
    else:
        long = size >= 1 << 16
        head = bytes([0x81, 0x80 | (127 if long else 126)]) + size.to_bytes(8 if long else 2, "big")
    mask = os.urandom(4)
    masked = bytes(letter ^ mask[at % 4] for at, letter in enumerate(text))
    stream.sendall(head + mask + masked)


def _read(stream: socket.socket) -> bytes:
    """The next text, of one or more frames."""
    found = b""
    while True:
        first, size = _exactly(stream, 2)
        if size > 125:
            size = int.from_bytes(_exactly(stream, 2 if size == 126 else 8), "big")
        part = _exactly(stream, size)
        kind = first & 0x0F
        assert kind != 8, f"the browser has ended: {part!r}"
        if kind in (0, 1):
            found += part
            if first & 0x80:
                return found


def _exactly(stream: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        part = stream.recv(size - len(found))
        assert part, "the browser has ended"
        found += part
    return bytes(found)
