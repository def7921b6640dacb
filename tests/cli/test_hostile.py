"""Control sequences for a terminal in words, names and lines of files, and paths that aren’t
files.
"""

from __future__ import annotations

import ast
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from session.runs.test_store import embeddings, record

from workbench.__main__ import main
from workbench.cli import VERBS, output
from workbench.core.job_control import JobControl
from workbench.core.text.visible import visible, xml_text
from workbench.session.files.session_file import Contents, save_session
from workbench.session.runs.store import Store
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")

# A window title, colours, CSI as one C1 character, delete, right-to-left text, a bell and line
# separators.
EVIL = "\x1b]0;pwned\x07\x1b[31mred\x9b2J\x7f\u202edeliab\u2028\u2066x"
LINES = f"{EVIL}\nsecond\rthird\tfourth"
STEP = ["--algorithm", "step", "--min-count", "1"]
FORBIDDEN = {chr(code) for code in (*range(32), *range(0x7F, 0xA0))} - {"\n", "\t"}
FORBIDDEN |= set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Every command, given such words, column names, sections, runs, texts and files.
WALK: list[list[str]] = [
    ["neighbours", "e.vec", "king"],
    ["neighbours", "e.vec", EVIL],
    ["neighbours", "e.vec", "king", "--json"],
    ["neighbours", "e.vec", f"nobody{EVIL}"],
    ["analogy", "e.vec", "king", EVIL, "b"],
    ["analogy", "e.vec", "king", EVIL, "b", "--json"],
    ["evaluate", "e.vec", "--analogies", "questions.txt", "--restrict", "0"],
    ["evaluate", "e.vec", "--analogies", "questions.txt", "--restrict", "0", "--json"],
    ["evaluate", "e.vec", f"{EVIL}.vec", "--similarity", f"{EVIL}.txt"],
    ["evaluate", "e.vec", "--targets", f"king,{EVIL}", "b", "--attributes", "a", "x,y"],
    ["evaluate", "e.vec", "--targets", f"king,{EVIL}", "b", "--attributes", "a", "x", "--json"],
    ["project", "e.vec", "--method", "pca", "--output", "m.svg"],
    [
        "project",
        "e.vec",
        "--method",
        "axes",
        "--across",
        EVIL,
        "king",
        "--up",
        "king",
        "b",
        "--output",
        "a.svg",
    ],
    ["groups", "table.csv", "--words", EVIL, "--by", EVIL],
    ["groups", "table.csv", "--words", "king", "--by", f"({EVIL})", "--min-count", "1"],
    [
        *("groups", "table.csv", f"{EVIL}.csv", "--words", "king", "--by", "file"),
        *("--method", "ppmi", "--min-count", "1", "--replicates", "2", "--shuffles", "2"),
        *("--documents", "sentences", "--figure", f"{EVIL}.svg", "--output", f"{EVIL}.json"),
    ],
    ["neighbours", f"{EVIL}.vec", "king", "--text", f"{EVIL}.csv"],
    ["teach", f"{EVIL}.vec", "--lines", f"{EVIL}.txt", "--word", EVIL],
    ["influence", f"{EVIL}.vec", f"{EVIL}.txt", "king", EVIL],
    ["relation", f"{EVIL}.txt", "--pairs", f"king {EVIL}, b queen", "--min-count", "1"],
    ["shape", f"{EVIL}.vec", "--json"],
    ["shape", "e.vec", "--similarity", f"{EVIL}.txt"],
    ["collocations", f"{EVIL}.csv", "--word", EVIL],
    ["collocations", f"{EVIL}.csv", "--column", EVIL, "--word", "king", "--json"],
    ["lines", f"{EVIL}.csv", "--find", EVIL],
    ["lines", f"{EVIL}.csv", "--find", "king"],
    ["convert", "e.vec", f"{EVIL}.npz"],
    ["text", f"{EVIL}.csv", "--output", f"{EVIL}.out"],
    ["text", "table.csv", "--column", EVIL, "--output", "o.txt"],
    ["text", "table.csv", "--output", "o.txt"],
    ["counts", f"{EVIL}.txt", "--min-count", "1", "--output", f"{EVIL}.counts.npz"],
    ["train", f"{EVIL}.txt", *STEP, "--output", f"{EVIL}.made.npz"],
    ["train", f"{EVIL}.txt", *STEP, f"--{EVIL}", "--output", "x.npz"],
    ["grid", f"{EVIL}.txt", *STEP, "--dim", "2,3"],
    ["grid", f"{EVIL}.txt", *STEP, "--dim", "2,3", "--plan"],
    ["runs"],
    ["runs", "--json"],
    ["runs", "--csv"],
    ["runs", "star", LINES],
    ["runs", "note", LINES, LINES],
    ["runs", "star", f"nobody{EVIL}"],
    ["runs", "delete", LINES],
    ["session", "save", f"{EVIL}.workbench"],
    ["session", "open", "s.workbench"],
    ["session", "show", "s.workbench"],
    ["session", "show", "s.workbench", "--json"],
    ["interrupted"],
    ["interrupted", "discard", EVIL],
    ["documents", "e.npz", "--text", f"{EVIL}.txt", "--find", EVIL],
    ["class", EVIL],
    ["share", LINES, "--to", "shared"],
    ["share", f"nobody{EVIL}", "--to", "shared"],
    ["share", LINES, "--as", "handout", "--to", f"{EVIL}.html"],
    ["lesson", f"{EVIL}.md"],
    ["corpora", "get", EVIL],
    ["cost", f"{EVIL}nobody.txt"],
    ["count-cluster", f"{EVIL}nobody.txt", "--out", f"{EVIL}counts"],
    ["list", EVIL],
    ["picture", f"{EVIL}.txt", "--output", f"{EVIL}.picture.txt"],
    ["picture", f"{EVIL}nobody.png", "--output", f"{EVIL}.picture.txt"],
    ["picture-figure", f"{EVIL}.txt", "--output", f"{EVIL}.svg"],
    ["self-check", EVIL],
    ["install-desktop", "--prefix", f"{EVIL}/share"],
    [f"{EVIL}nobody"],
    ["--theme", EVIL],
]


@pytest.fixture
def inputs(folder: Path, home: Path) -> None:
    words = ["king", EVIL, "b", "queen"]
    rows = np.array([[1, 2, 3.1], [1, 2, 3], [3, 2, 1], [1, 0, 1]], dtype=np.float32)
    save_vectors(Embeddings(words, rows), folder / "e.npz")
    (folder / "e.vec").write_bytes((folder / "e.npz").read_bytes())
    (folder / f"{EVIL}.vec").write_bytes((folder / "e.npz").read_bytes())
    (folder / "questions.txt").write_text(
        f": {EVIL}\nking b queen king\nking queen b king\n", encoding="utf-8"
    )
    (folder / f"{EVIL}.txt").write_text(
        "king\tb\t3\nb\tqueen\t1\nking\tqueen\t2\n" * 9, encoding="utf-8"
    )
    for name in ("table", EVIL):
        (folder / f"{name}.csv").write_text(
            f'"{EVIL}",other\n' + '"the king and the queen",x\n' * 20, encoding="utf-8"
        )
    (folder / f"{EVIL}.md").write_text("no lesson\n")
    one = record(name=LINES, note=LINES, group=EVIL, corpus_name=LINES)
    Store().save(one, embeddings())
    another = Store(folder.parent / "another")
    another.save(record(name=LINES, corpus_name=LINES), embeddings())
    corpus = {"digest": "ab", "name": LINES, "paths": [f"/nobody/{LINES}"]}
    contents = Contents(corpora=(corpus,), open="ab", selection=(EVIL,))
    save_session(folder / "s.workbench", another, another.load()[0], contents, JobControl())


def test_the_walk_goes_through_every_command() -> None:
    assert {words[0] for words in WALK} >= set(VERBS)


@pytest.mark.usefixtures("gate", "inputs")
def test_no_control_characters_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    count = 0
    for words in WALK:
        assert main(words) in (0, 2), words
        out, err = capfd.readouterr()
        wrong = FORBIDDEN & set(out + err)
        assert not wrong, (words, sorted(map(ascii, wrong)))
        count += "\\x1b]0;pwned" in out + err or "\\u001b]0;pwned" in out + err
        if "--json" in words:
            json.loads(out)
    # Most outputs contain the text, escaped.
    assert count > 15


@pytest.mark.usefixtures("inputs")
def test_json_contains_the_exact_words(capsys: Capture) -> None:
    assert main(["neighbours", "e.vec", "king", "--json"]) == 0
    assert EVIL in [word for word, _ in json.loads(capsys.readouterr().out)["neighbours"]]
    assert main(["runs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["name"] == LINES


@pytest.mark.usefixtures("inputs")
def test_files_for_programs_contain_the_exact_words() -> None:
    assert main(["convert", "e.vec", "out.npz"]) == 0
    assert main(["project", "e.vec", "--method", "pca", "--output", "m.json"]) == 0
    assert EVIL in [
        row[0] for row in json.loads(Path("m.json").read_text(encoding="utf-8"))["words"]
    ]
    with np.load("out.npz") as arrays:
        assert EVIL in arrays["words"].tolist()


@pytest.mark.usefixtures("inputs")
def test_drawings_are_xml_with_any_words(folder: Path) -> None:
    assert main(["project", "e.vec", "--method", "pca", "--output", "m.svg"]) == 0
    words = ["--across", EVIL, "king", "--up", "king", "b"]
    assert main(["project", "e.vec", "--method", "axes", *words, "--output", "a.svg"]) == 0
    for name in ("m.svg", "a.svg"):
        ElementTree.parse(name)
    assert "\\x1b]0;pwned" in Path("a.svg").read_text(encoding="utf-8")


def test_shown_texts_have_no_control_characters_but_keep_scripts() -> None:
    harmless_text = "naïve 東京 𝔊 król–ę می‌خواهم 👩‍👩‍👧 a\xa0b"
    assert visible(harmless_text) == harmless_text
    assert visible("a\x00b\x1b\n\u202e\U000e0001\udc80") == r"a\x00b\x1b\n\u202e\U000e0001\udc80"
    every = "".join(map(chr, range(0x110000)))
    assert not FORBIDDEN & set(visible(every))
    element = ElementTree.fromstring(
        f"<a b=\"{xml_text(every)}\" c='{xml_text(every)}'>{xml_text(every)}</a>"
    )
    assert element.text == element.get("b") == element.get("c") == visible(every)


# -- paths that aren’t files


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize(
    "words",
    [
        ["text", "", "--output", "o.txt"],
        ["text", "table.csv", "--output", ""],
        ["neighbours", "", "king"],
        ["convert", "", "o.npz"],
        ["convert", "e.vec", ""],
        ["share", "", "--to", "x"],
        ["share", "e.vec", "--to", ""],
        ["train", "", "--output", "o.npz"],
        ["grid", ""],
        ["counts", "", "--output", "o.npz"],
        ["cost", ""],
        ["counts", "--counts", "", "--output", "o.npz"],
        ["evaluate", "", "--analogies", "questions.txt"],
        ["evaluate", "e.vec", "--analogies", ""],
        ["evaluate", "e.vec", "--similarity", ""],
        ["evaluate", "e.vec", "--associations", ""],
        ["evaluate", "e.vec", "--associations", "small-world", "--text", ""],
        ["lesson", ""],
        ["session", "open", ""],
        ["session", "save", ""],
        ["count-cluster", "", "--out", "o"],
        ["install-desktop", "--prefix", ""],
        ["project", "", "--output", "o.svg"],
        [""],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_not_the_current_folder(
    words: list[str], folder: Path, capsys: Capture
) -> None:
    before = sorted(os.listdir(folder))
    assert main(words) == 2
    assert "empty" in capsys.readouterr().err
    assert sorted(os.listdir(folder)) == before


@posix
@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize(
    "place",
    ["pipe", "/dev/zero", "/proc/kmsg", "/proc/kcore", "/proc/self/mem", "/sys/power/state"],
)
@pytest.mark.parametrize(
    "words",
    [
        ["neighbours", "PLACE", "king"],
        ["convert", "PLACE", "o.npz"],
        ["evaluate", "e.vec", "--analogies", "PLACE"],
        ["evaluate", "e.vec", "--similarity", "PLACE"],
        ["evaluate", "e.vec", "--associations", "PLACE"],
        ["session", "open", "PLACE"],
        ["text", "table.csv", "--stop-words", "@PLACE", "--output", "o.txt"],
        ["text", "table.csv", "--keep-words", "@PLACE", "--output", "o.txt"],
        ["text", "PLACE", "--output", "o.txt"],
    ],
    ids=" ".join,
)
def test_endless_files_are_not_read(
    words: list[str], place: str, folder: Path, capsys: Capture
) -> None:
    os.mkfifo(folder / "pipe")
    if place == "pipe" and words[0] == "text" and words[1] == "PLACE":
        pytest.skip("a text may come through a pipe")
    if not os.path.exists(place):
        pytest.skip("there is none here")
    assert main([word.replace("PLACE", place) for word in words]) == 2
    err = capsys.readouterr().err
    assert "a regular file" in err or "not a file that can be read" in err, err
    assert err.count("\n") == 1


# -- signals


WRITING = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from workbench.core.processes import interrupts
interrupts.exit_on_signal()
import workbench.vectors.formats.npz as npz
write = npz.Npz.write
def slow(path, embeddings):
    write(path, embeddings)
    print("writing", flush=True)
    sys.stdin.readline()
    print("written", flush=True)
npz.Npz.write = slow
from workbench.program import run
sys.exit(run(["convert", "e.vec", "out.npz"]))
"""


def _obey_signals() -> None:
    """Tests under nohup or in the background of a shell ignore some signals; their children obey
    them.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _process(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_obey_signals,
    )


@posix
@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_for_files_being_written(number: signal.Signals, folder: Path) -> None:
    with _process(WRITING.format(root=str(ROOT))) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "writing\n"
        assert any(name.endswith(".part") for name in os.listdir(folder))
        child.send_signal(number)
        # The child continues writing only after it has received the signal.
        while f"SigPnd:\t{0:016x}" not in Path(f"/proc/{child.pid}/status").read_text():
            time.sleep(0.01)
        out, err = child.communicate("\n")
    assert (child.returncode, out, err) == (128 + number, "written\n", "")
    assert not [name for name in os.listdir(folder) if name.endswith(".part")]
    assert (folder / "out.npz").exists()


IMPORTING = """
import os, signal, sys
sys.path.insert(0, {root!r})
sys.argv = ["workbench", "list"]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            os.kill(os.getpid(), signal.{name})
sys.meta_path.insert(0, Finder())
import runpy
runpy.run_path({main!r}, run_name="__main__")
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("at", ["workbench", "numpy"])
def test_a_signal_while_modules_are_imported_ends_silently(number: signal.Signals, at: str) -> None:
    code = IMPORTING.format(root=str(ROOT), main=str(ROOT / "main.py"), name=number.name, at=at)
    with _process(code) as child:
        out, err = child.communicate()
    assert (child.returncode, out, err) == (128 + number, "", "")


def test_the_program_handles_signals_before_it_imports_anything() -> None:
    """Modules that Python itself doesn't import at its start take milliseconds each."""
    source = ast.parse((ROOT / "main.py").read_text(encoding="utf-8"))
    first = {
        name.name for line in source.body if isinstance(line, ast.Import) for name in line.names
    }
    assert first <= {*sys.builtin_module_names, "os"}
    assert not any(isinstance(line, ast.ImportFrom) for line in source.body)


ENDING = """
import os, signal, sys
sys.path.insert(0, {root!r})
from workbench.core.processes import interrupts
interrupts.exit_on_signal()
class Last:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.{name}):
        kill(pid, number)
# Python deletes this after it has reset the handlers of signals.
sys.last = Last()
sys.exit(7)
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_python_ends_changes_nothing(number: signal.Signals) -> None:
    with _process(ENDING.format(root=str(ROOT), name=number.name)) as child:
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (7, "", "")


LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, ({size} << 20,) * 2)
sys.argv = ["workbench", *{words!r}]
runpy.run_path({main!r}, run_name="__main__")
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems do not hold processes to that limit"
)
@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("size", [100, 300, 600])
def test_a_limit_of_memory_that_leaves_no_room_is_one_sentence(size: int) -> None:
    words = ["train", "table.csv", "--column", "other", "--output", "o.npz"]
    with _process(LIMITED.format(size=size, words=words, main=str(ROOT / "main.py"))) as child:
        out, err = child.communicate()
    assert (child.returncode, out) == (2, ""), err
    assert "ulimit -v" in err
    assert err.count("\n") == 1


def test_a_bar_moves_on_the_terminal_and_its_note_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.safe_output():
        bar = output._Bar()
        bar._bar.set_postfix_str(visible(EVIL))
        bar.close()
    assert "\r" in terminal.getvalue()
    assert "]0;pwned" in terminal.getvalue()
    assert "\x1b]0;" not in terminal.getvalue()
