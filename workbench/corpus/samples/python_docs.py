"""Python's own documentation: the docstrings of the running interpreter's library and of installed
packages.

Sources are parsed, never imported, in a separate process (``python -m
workbench.corpus.samples.python_docs FILE``): parsing holds the GIL, and other people's sources
cause warnings. The text is deterministic for an environment: files in sorted order, each paragraph
once, without doctests and underlines. Names and versions identify installed packages, so the text
is collected again when the environment changes.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import platform
import re
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.operating_system import system
from workbench.core.processes.child_process import child_environment, module_command

# Maximum bytes of a source: larger ones are tables or generated.
_LARGEST = 2 << 20
_NOT_THERE = frozenset(
    ("test", "tests", "idle_test", "testing", "_vendor", "vendored", "node_modules", "__pycache__")
)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_UNDERLINE = re.compile(r"^\s*([-=~^*+#])\1{2,}\s*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\s*\.\. [\w:-]+::.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_ROLE = re.compile(r":[\w:+.-]+:`~?([^`<]*?)(?:\s*<[^`>]*>)?`")
_WORD = re.compile(r"[A-Za-z]{2,}")
# Minimum words of a paragraph: shorter ones are headings, types, or names.
_WORDS = 4


def digest() -> str:
    """A hash of everything that determines the text: this file, the interpreter, names and versions
    of installed packages.
    """
    installed = sorted(
        {
            (str(found.metadata["Name"]), found.version)
            for found in metadata.distributions()
            if found.metadata["Name"]
        }
    )
    what = [
        platform.python_implementation(),
        sys.version,
        [str(folder) for folder in _folders()],
        installed,
    ]
    return hashlib.blake2b(
        Path(__file__).read_bytes() + json.dumps(what).encode(), digest_size=8
    ).hexdigest()


def write(path: Path, run: JobControl | None = None) -> None:
    """Write the corpus to ``path``, one paragraph per line, completely or not at all. Raises
    UserError and Cancelled.
    """
    run = run or JobControl()
    run.enter(Phase.READING, "Gathering Python’s documentation")
    with replacing(path) as temporary:
        command = module_command("workbench.corpus.samples.python_docs", str(temporary))
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=child_environment(),
            **system().child_options(),
        )
        assert child.stdout is not None
        try:
            for line in child.stdout:
                run.check()
                done, total = map(int, line.split())
                run.advance(done / total)
            failed = child.wait()
        finally:
            child.kill()
            child.wait()
            child.stdout.close()
        if failed:
            raise UserError("Couldn’t collect Python’s documentation.", "Open another text.")


def texts(sources: list[Path]) -> Iterator[tuple[int, list[str]]]:
    """For each source, its number from 1 and the paragraphs of its docstrings that no earlier
    source had.
    """
    seen: set[bytes] = set()
    for number, source in enumerate(sources, 1):
        new = []
        for paragraph in _paragraphs(source):
            key = hashlib.blake2b(paragraph.encode(errors="replace"), digest_size=8).digest()
            if key not in seen:
                seen.add(key)
                new.append(paragraph)
        yield number, new


def sources() -> list[Path]:
    """Python sources of the library and of packages, without tests, in a fixed order."""
    found: dict[str, Path] = {}
    for folder in _folders():
        for path in folder.rglob("*.py"):
            inside = path.relative_to(folder)
            if not _NOT_THERE.intersection(inside.parts) and "site-packages" not in inside.parts:
                found.setdefault(f"{inside.as_posix()}", path)
    return [found[name] for name in sorted(found)]


def _folders() -> list[Path]:
    """Folders of the library first, then of packages."""
    paths = sysconfig.get_paths()
    folders = [Path(paths[name]) for name in ("stdlib", "purelib", "platlib")]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _paragraphs(source: Path) -> Iterator[str]:
    try:
        if source.stat().st_size > _LARGEST:
            return
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node, clean=False)
            if text:
                yield from prose(text)


def prose(docstring: str) -> Iterator[str]:
    """The paragraphs of a docstring that are sentences, each on one line: no doctests, headings or
    literal blocks.
    """
    # Some docstrings contain a zero byte; with it, the file wouldn’t be text.
    plain = _CONTROL.sub("", inspect.cleandoc(docstring))
    text = _ROLE.sub(r"\1", _DIRECTIVE.sub("", _UNDERLINE.sub("\n", plain)))
    literal = False
    for paragraph in _PARAGRAPHS.split(text):
        if literal and paragraph.startswith((" ", "\t")):
            continue
        literal = paragraph.rstrip().endswith("::")
        lines = [line.strip() for line in paragraph.split("\n")]
        if any(line.startswith((">>>", "...", "|", "+-", "@")) for line in lines):
            continue
        line = " ".join(" ".join(lines).replace("`", "").replace("**", "").split()).replace(
            "::", ":"
        )
        if len(_WORD.findall(line)) >= _WORDS:
            yield line


def main(path: str) -> int:
    """Write the corpus, and print the number of files done and in total to stdout."""
    warnings.simplefilter("ignore")
    found = sources()
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        for number, new in texts(found):
            file.writelines(f"{paragraph}\n" for paragraph in new)
            if number % 50 == 0 or number == len(found):
                print(number, len(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
