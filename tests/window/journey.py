"""From the first start to the second in a real window, with keys alone or with the mouse alone.

    python tests/window/journey.py --by keys|mouse [--screenshots FOLDER]

The journey: welcome, tour, a text of the user's own, training, map, analogy, saving a figure and
vectors, quitting, and starting again. The simulated user with the mouse types nothing, not even the
name of a file; the one with keys never points at anything, and each step checks the focus. Results
are compared with expectations: AssertionError reports the difference. Needs Xvfb, openbox and
xdotool; pictures need ImageMagick.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np

_TESTS = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(_TESTS.parent), str(_TESTS), str(_TESTS / "helpers")]

from desktop import App, Desktop, Widget, wait_until  # noqa: E402 - found by the lines above
from window.people import WORDS, write_corpus  # noqa: E402

_TOUR = _TESTS.parent / "resources" / "tour.toml"
# Number of consecutive checks in which the map must show the same: a layout may be in progress.
_LOOKS = 50
_WORKSPACES = ("corpus", "train", "explore", "theory", "evaluate")
_FOLDER, _FILE = "texts", "people.txt"
RUN = "SGNS 1"


class Traveller(ABC):
    """A simulated user in front of the window, with keys or mouse."""

    by: ClassVar[str]

    def __init__(self, app: App, person: Path, pictures: Path | None = None) -> None:
        self.app = app
        self.person = person
        self._pictures = pictures

    def picture(self, name: str) -> None:
        if self._pictures is not None:
            # Numbering continues after the second start.
            number = len(list(self._pictures.glob(f"{self.by}-*.png"))) + 1
            self.app.desktop.screenshot(self._pictures / f"{self.by}-{number:02}-{name}.png")

    def see(self, name: str, text: str) -> Widget:
        """Wait until a widget shows a text, and return the widget."""
        return self.app.wait_for(name, lambda widget: text in widget.text)

    @abstractmethod
    def begin_tour(self) -> None: ...

    @abstractmethod
    def go_on(self) -> None:
        """Go to the next stop of the tour."""

    @abstractmethod
    def open_text(self) -> None: ...

    @abstractmethod
    def turn_to(self, workspace: str) -> None: ...

    @abstractmethod
    def train(self) -> None: ...

    @abstractmethod
    def select_on_map(self) -> str:
        """Select some word on the map, and return it as the panel of neighbours shows it."""

    @abstractmethod
    def ask(self, *words: str) -> None:
        """Ask for a − b + c."""

    @abstractmethod
    def save_figure(self) -> Path: ...

    @abstractmethod
    def save_vectors(self) -> Path: ...

    @abstractmethod
    def quit(self) -> None: ...

    @abstractmethod
    def look_at_run(self) -> None:
        """Choose the run in the list, so that all panels show it."""


class ByKeys(Traveller):
    """Shortcuts, the palette, Tab, arrows and Return."""

    by = "keys"

    def _focus(self, *names: str) -> None:
        """Check that the focus is where it should be, and in sight."""
        try:
            wait_until(lambda: self.app.ask("focus") in names, f"the focus in {' or '.join(names)}")
        except AssertionError as error:
            raise AssertionError(
                f"{error}; it is in {self.app.ask('focus')}; {self.app.ask('windows')}"
            ) from None

    def _type(self, field: str, text: str) -> None:
        self._focus(field)

        def type_text() -> bool:
            self.app.key("ctrl+a")
            self.app.desktop.xdotool("type", "--delay", 15, text)
            return self.app.comes(lambda: self.app.holds(field, text))

        self.app.again(type_text, f"{text} in {field}")

    def _command(self, text: str, result: str) -> None:
        """Run a command with the palette: type its name, check the first result, and choose it."""
        self.app.key("ctrl+k")
        self._type("palette.field", text)
        self.app.wait_for(
            "palette.list", lambda widget: bool(widget.lines) and widget.lines[0].startswith(result)
        )
        self.picture(f"palette-{text.replace(' ', '-')}")
        self.app.key("Return")

    def begin_tour(self) -> None:
        self._command("short tour", "Take the short tour")

    def go_on(self) -> None:
        self._focus("tour.next")
        self.app.key("Return")

    def open_text(self) -> None:
        self.app.key("ctrl+o")
        self._type("fileNameEdit", str(self.person / _FOLDER / _FILE))
        self._leave_dialog()

    def _leave_dialog(self) -> None:
        # The first Return may only close the list of completions.
        def is_closed() -> bool:
            self.app.key("Return")
            return self.app.comes(
                lambda: (widget := self.app.widget("fileNameEdit")) is None or not widget.visible
            )

        self.app.again(is_closed, "the file dialog to close")

    def turn_to(self, workspace: str) -> None:
        self.app.key(f"ctrl+{_WORKSPACES.index(workspace) + 1}")

    def train(self) -> None:
        self.app.key("ctrl+Return")

    def select_on_map(self) -> str:
        # The tour left the panel of one word in front of the neighbours.
        self._command("go to neighbours", "Go to Neighbours")
        self._focus("neighbours.word")
        self._command("go to map", "Go to Map")
        self._focus("map.view")
        self.app.key("shift+Right")
        first = self.app.wait_for("neighbours.word", lambda widget: bool(widget.text)).text
        return self._walk_from(first)

    def _walk_from(self, first: str) -> str:
        """Go to another word. UMAP decides the positions: there may be none in some directions."""

        def other() -> str:
            field = self.app.widget("neighbours.word")
            return field.text if field is not None and field.text != first else ""

        for direction in ("Down", "Up", "Left", "Right"):
            self.app.key(f"shift+{direction}")
            if self.app.comes(lambda: bool(other())):
                return other()
        raise AssertionError(
            f"Shift and the arrows do not lead away from {first}; {self.app.ask('windows')}"
        )

    def ask(self, *words: str) -> None:
        self._command("solve an analogy", "Solve an analogy")
        # All three words typed at once fill all three fields.
        self._type("analogy.a", " ".join(words))
        self.app.key("Return")

    def save_figure(self) -> Path:
        self._command("go to map", "Go to Map")
        self._focus("map.view")
        self.app.key("ctrl+e")
        self._focus("figure.preset")
        self.picture("figure")
        self.app.key("Return")
        path = self.person / "map.png"
        self._type("fileNameEdit", str(path))
        self._leave_dialog()
        return path

    def save_vectors(self) -> Path:
        self._to_runs()
        self._command("save vectors", "Save vectors…")
        path = self.person / "people.vec"
        self._type("fileNameEdit", str(path))
        self.picture("save-vectors")
        self._leave_dialog()
        return path

    def _to_runs(self) -> None:
        """Go from the button Train to the list of runs with Tab."""
        self._command("go to train", "Go to Train")

        def is_reached() -> bool:
            if self.app.ask("focus") == "train.runs":
                return True
            self.app.key("Tab")
            return False

        for _ in range(40):
            if is_reached():
                return
        raise AssertionError("Tab does not lead from the panel Train to its list of runs")

    def quit(self) -> None:
        self.app.key("ctrl+q")

    def look_at_run(self) -> None:
        self._to_runs()
        self.app.key("Home", "Return")


class ByMouse(Traveller):
    """Clicks, double clicks and the wheel; nothing is typed."""

    by = "mouse"

    def begin_tour(self) -> None:
        self.app.click("welcome.tour")

    def go_on(self) -> None:
        self.app.click("tour.next")

    def open_text(self) -> None:
        app = self.app
        app.click("window.corpus")
        app.point("entry", "Open files…")
        # The dialog starts in the home folder.
        app.point("row", "treeView", _FOLDER, times=2)
        app.point("row", "treeView", _FILE)
        self.picture("open")
        app.point("button", "Open")

    def turn_to(self, workspace: str) -> None:
        self.app.click(f"window.workspace.{workspace}")

    def train(self) -> None:
        self.app.click("window.train")

    def select_on_map(self) -> str:
        # The tour left the panel of one word in front of the neighbours.
        self.app.raise_tab("Neighbours")
        self.app.raise_tab("Map")
        self.app.click("map.fit")
        self.app.point("word", "map.view", "crown")
        return self.app.wait_for("neighbours.word", lambda widget: bool(widget.text)).text

    def ask(self, *words: str) -> None:
        """Fill the fields one after another with double clicks on the map."""
        for field, word in zip("abc", words, strict=True):
            self._bring_into_sight(word)
            self.app.point("word", "map.view", word, times=2)
            self.app.wait_for(f"analogy.{field}", lambda widget, word=word: widget.text == word)

    def _bring_into_sight(self, word: str) -> None:
        """Zoom out with the wheel while the word is outside the view, as outliers are."""
        view = self.app.wait_for("map.view")
        seen: list[bool] = []

        def stays_in_sight() -> bool:
            seen.append(self.app.ask("word", f"map.view\t{word}") is not None)
            latest = seen[-_LOOKS:]
            if len(latest) == _LOOKS and not any(latest):
                self.app.desktop.xdotool("mousemove", view.x, view.y, "click", 5)
                seen.clear()
            return len(latest) == _LOOKS and all(latest)

        wait_until(stays_in_sight, f"{word} on the map")

    def save_figure(self) -> Path:
        app = self.app
        app.raise_tab("Map")
        app.click("map.view")
        app.point("entry", "File")
        app.point("entry", "Save figure…")
        self.picture("figure")
        app.click("figure.save")
        # The first figure is saved under the proposed name in the folder that was used last.
        name = app.wait_for("fileNameEdit", lambda widget: bool(widget.text)).text
        app.point("button", "Save")
        return self.person / _FOLDER / name

    def save_vectors(self) -> Path:
        app = self.app
        self.turn_to("train")
        app.point("row", "train.runs", RUN, press=3)
        app.point("entry", "Save vectors…")
        name = app.wait_for("fileNameEdit", lambda widget: bool(widget.text)).text
        self.picture("vectors")
        app.point("button", "Save")
        return self.person / _FOLDER / name

    def quit(self) -> None:
        self.app.point("entry", "File")
        self.app.point("entry", "Quit")

    def look_at_run(self) -> None:
        self.app.point("row", "train.runs", RUN)


WAYS: dict[str, type[Traveller]] = {kind.by: kind for kind in (ByKeys, ByMouse)}


def journey(
    by: str, launch: Callable[[Path], App], person: Path, pictures: Path | None = None
) -> None:
    """The whole journey. ``launch`` starts the program, twice with the same home; ``person`` is an
    empty folder.
    """
    (person / _FOLDER).mkdir(parents=True)
    write_corpus(person / _FOLDER / _FILE)
    with launch(person) as app:
        who = WAYS[by](app, person, pictures)
        who.see("window.corpus", "Small World")
        who.see("welcome.title", "Press Train")
        who.picture("welcome")
        who.begin_tour()
        _tour(who)
        who.open_text()
        who.see("window.corpus", "people")
        who.train()
        who.turn_to("train")
        app.wait_for("train.runs", lambda widget: widget.lines == (RUN,))
        who.see("window.run", RUN)
        who.turn_to("explore")
        # The words of the initial analogy are in this text, too.
        who.see("analogy.answers", "queen")
        _map(who)
        who.ask("queen", "woman", "man")
        answers = app.wait_for("analogy.answers", lambda widget: widget.text.startswith("king\t"))
        assert not {"queen", "woman", "man"} & set(answers.text.split("\t"))
        who.picture("analogy")
        _figure(app, who.save_figure())
        _vectors(app, who.save_vectors())
        _calm(app)
        who.quit()
        assert app.process.wait(600) == 0
    assert app.log.read_text() == ""
    with launch(person) as app:
        who = WAYS[by](app, person, pictures)
        who.see("window.corpus", "people")
        who.turn_to("train")
        app.wait_for("train.runs", lambda widget: widget.lines == (RUN,))
        bubble = app.widget("welcome")
        assert bubble is None or not bubble.visible, "one is welcomed once"
        who.look_at_run()
        who.turn_to("explore")
        who.see("analogy.answers", "queen")
        who.picture("again")
        _calm(app)
        who.quit()
        assert app.process.wait(600) == 0
    assert app.log.read_text() == ""


def _tour(who: Traveller) -> None:
    """Every stop of the tour, in order."""
    titles = [stop["title"] for stop in tomllib.loads(_TOUR.read_text("utf-8"))["stop"]]
    for number, title in enumerate(titles, 1):
        who.see("tour.title", title)
        who.see("tour.count", f"{number} of {len(titles)}")
        who.picture(f"tour-{number}")
        _leave_stop(who, title)
    who.app.wait_for_none("tour")


def _leave_stop(who: Traveller, title: str) -> None:
    """Go to the next stop, with a second try if the bubble has moved away from the pointer."""

    def is_left() -> bool:
        bubble = who.app.widget("tour.title")
        return bubble is None or not bubble.visible or bubble.text != title

    def go_on() -> bool:
        who.go_on()
        return who.app.comes(is_left)

    who.app.again(go_on, f"to leave the stop {title}")


def _map(who: Traveller) -> None:
    """A word selected on the map is selected everywhere, and its neighbours are listed."""
    word = who.select_on_map()
    assert word, "no word is selected"
    who.see("neighbours.title", word)
    found = who.app.wait_for("neighbours.list", lambda widget: len(widget.lines) >= 10)
    assert word not in found.lines
    who.picture("map")


def _figure(app: App, path: Path) -> None:
    wait_until(path.exists, f"{path.name}")
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    # The dialog proposes 174 mm at 300 dots per inch.
    width = int.from_bytes(data[16:20], "big")
    assert abs(width - 174 / 25.4 * 300) <= 1, width


def _vectors(app: App, path: Path) -> None:
    """The saved vectors solve the analogy, too."""
    wait_until(path.exists, f"{path.name}")
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as table:
            words, vectors = [str(word) for word in table["words"]], table["vectors"]
    else:
        head, *lines = path.read_text("utf-8").splitlines()
        words = [line.split(" ")[0] for line in lines]
        vectors = np.array([[float(number) for number in line.split()[1:]] for line in lines])
        assert head == f"{len(words)} {vectors.shape[1]}"
    assert set(words) == WORDS
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    of = {word: unit[at] for at, word in enumerate(words)}
    target = of["queen"] - of["woman"] + of["man"]
    others = [word for word in words if word not in ("queen", "woman", "man")]
    assert max(others, key=lambda word: float(of[word] @ target)) == "king"


def _calm(app: App) -> None:
    """Check that the window shows no error."""
    message = app.widget("activity.message")
    assert message is None or not message.visible or "Saved" in message.text, message


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--by", choices=sorted(WAYS), required=True)
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        home = Path(os.environ.get("WORKBENCH_HOME", folder / "home"))
        desktop = Desktop(folder)
        try:
            journey(
                arguments.by,
                lambda person: App(desktop, home, folder / "app.log", person=person),
                folder / "person",
                arguments.screenshots,
            )
        finally:
            desktop.close()
    print(f"By {arguments.by}: all as expected.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
