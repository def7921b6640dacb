from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from workbench import __version__
from workbench.__main__ import main
from workbench.cli import VERBS
from workbench.models.base import MODELS
from workbench.ui.shell.screenshot_options import ScreenshotOptions
from workbench.vectors.formats import FORMATS

Capture = pytest.CaptureFixture[str]

ROOT = Path(__file__).resolve().parents[2]


# Tests started in a shell’s background ignore Ctrl-C, and so would their child processes.
HEARING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], "
    "sys.argv[1:])"
)


def workbench(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    """Start the command line in a separate process."""
    return subprocess.Popen(
        [sys.executable, "-c", HEARING, sys.executable, str(ROOT / "main.py"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )


def test_list_shows_algorithms_formats_and_presets(capsys: Capture) -> None:
    assert main(["list", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    document = json.loads(out)
    assert document.keys() == {"algorithms", "formats", "presets"}
    assert [one["key"] for one in document["algorithms"]] == list(MODELS.keys())
    assert [one["key"] for one in document["formats"]] == list(FORMATS.keys())
    for algorithm in document["algorithms"]:
        assert algorithm.keys() == {"key", "title", "family", "summary", "citation", "parameters"}
        for parameter in algorithm["parameters"]:
            assert parameter.keys() == {
                "name",
                "symbol",
                "type",
                "default",
                "low",
                "high",
                "choices",
                "unit",
                "doc",
                "source",
            }
    assert {"algorithm", "name", "values", "source"} == document["presets"][0].keys()
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for key in (*MODELS.keys(), *FORMATS.keys()):
        assert key in out
    assert "--min-count" in out


def test_help_and_version(capsys: Capture) -> None:
    for arguments in (["--help"], ["--version"], *([verb, "--help"] for verb in VERBS)):
        with pytest.raises(SystemExit) as exit_info:
            main(arguments)
        assert exit_info.value.code == 0
        out = capsys.readouterr().out
        assert (__version__ if arguments == ["--version"] else "--help") in out
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(f"  {verb}" in out for verb in VERBS)


class Window:
    """Replaces the window’s module and records the arguments it is called with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[object, ...]] = []
        module = types.ModuleType("workbench.ui.shell.application")
        module.run_window = lambda *arguments: self.calls.append(arguments) or 0  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "workbench.ui.shell.application", module)


def test_files_open_the_window(monkeypatch: pytest.MonkeyPatch, text: Path, vectors: Path) -> None:
    window = Window(monkeypatch)
    assert main([]) == 0
    assert main(["text.txt", "v.vec", "--theme", "dark"]) == 0
    key = MODELS.keys()[0]
    options = ["--screenshot", "p.png", "--size", "800x600", "--train", key, "--panel", "map"]
    assert main(["text.txt", *options]) == 0
    assert main(["text.txt", *options, "--widgets", "w.json"]) == 0
    assert main(["--place=-8,40,2"]) == 0
    assert main(["--place", "here"]) == 2
    picture = ScreenshotOptions(Path("p.png"), (800, 600), key, "map")
    assert window.calls == [
        ([], "", None, None),
        (["text.txt", "v.vec"], "dark", None, None),
        (["text.txt"], "", picture, None),
        (["text.txt"], "", replace(picture, widgets=Path("w.json")), None),
        ([], "", None, (-8, 40, 2)),
    ]


@pytest.mark.usefixtures("text")
def test_wrong_ways_to_open_the_window(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    window = Window(monkeypatch)
    for arguments, part in (
        (["absent.txt"], "File “absent.txt” doesn’t exist"),
        (["trian", "text.txt"], "Did you mean “workbench train”?"),
        (["text.txt", "--screenshot", "no/p.png"], "doesn’t exist"),
        (["text.txt", "--screenshot", "p.gifx"], "“p.gifx”. End the name in .png."),
        (["text.txt", "--screenshot", "p"], "“p”. End the name in .png."),
        (["text.txt", "--screenshot", "p.png", "--size", "big"], "“big” isn’t a size"),
        (["text.txt", "--screenshot", "p.png", "--size", "0x9"], "isn’t a size"),
        (["text.txt", "--screenshot", "p.png", "--size", "9x99999"], "too large"),
        (["text.txt", "--screenshot", "p.png", "--train", "x"], "Unknown algorithm “x”"),
        (["text.txt", "--train", "x"], "--screenshot"),
        (["text.txt", "--widgets", "w.json"], "--screenshot"),
        (["text.txt", "--screenshot", "p.png", "--widgets", "no/w.json"], "doesn’t exist"),
        (["text.txt", "--theme", "pink"], "light"),
        (["text.txt", "--dim", "5"], "--dim"),
    ):
        assert main(arguments) == 2, arguments
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert part in err
    assert window.calls == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_a_process_ends_with_130(folder: Path) -> None:
    (folder / "t.txt").write_text("one two three four five six seven eight\n" * 20_000)
    arguments = ["train", "t.txt", "--epochs", "10000", "--sample", "0", "--output", "v.npz"]
    child = workbench(*arguments, "--threads", "1")
    assert child.stdout is not None
    # The process is compiling or training by then; both must stop.
    process = psutil.Process(child.pid)
    while process.cpu_times().user < 1.0:
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    assert (child.returncode, out, err) == (130, "", "")
    assert not Path("v.npz").exists()
    assert not list(folder.glob(".v.npz*"))


def test_a_reader_who_leaves_is_no_error() -> None:
    child = workbench("list", "--json")
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == ""
    child.stderr.close()
    assert child.wait() == 0


@pytest.mark.usefixtures("gate")
def test_words_beyond_the_terminals_alphabet(folder: Path) -> None:
    (folder / "v.vec").write_text("2 2\nköniğ 1 0\nкороль 1 0.5\n", encoding="utf-8")
    for arguments in (["neighbours", "v.vec", "köniğ"], ["neighbours", "v.vec", "köniğ", "--json"]):
        child = workbench(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        out, err = child.communicate()
        assert (child.returncode, err) == (0, "")
        assert "\\u043a" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "LONG", "--algorithm", "svd", "--output", "v.vec"),
        ("neighbours", "LONG", "cat"),
        ("share", "LONG", "--to", "shared"),
        ("grid", "LONG", "--algorithm", "svd"),
        ("convert", "VECTORS", "LONG"),
        ("share", "VECTORS", "--to", "LONG"),
        ("session", "save", "LONG.workbench"),
    ],
    ids=" ".join,
)
def test_names_that_the_system_refuses_are_reported(
    arguments: tuple[str, ...], vectors: Path, text: Path, capsys: Capture
) -> None:
    # Stands for folders without access rights, which wouldn’t keep root out.
    places = {"VECTORS": str(vectors)}
    words = [places.get(word, word.replace("LONG", "n" * 300)) for word in arguments]
    assert main(words) == 2
    err = capsys.readouterr().err
    assert "File name too long" in err
    assert err.count("\n") == 1


def test_errors_in_a_process_are_one_line_and_2() -> None:
    child = workbench("train", "absent.txt", "--output", "v.vec")
    out, err = child.communicate()
    assert (child.returncode, out) == (2, "")
    assert err.count("\n") == 1
    assert "absent.txt" in err
