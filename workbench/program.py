"""Parser of the words after ``workbench``: a verb, or files for the window."""

from __future__ import annotations

import argparse
import difflib
import gc
from collections.abc import Sequence
from pathlib import Path

from workbench.cli import VERBS, run_guarded
from workbench.cli import main as run_verb
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.machine.memory import prove_room
from workbench.core.version import __version__
from workbench.launch import diagnose_display

# Maximum width and height of a picture, in pixels: X and Qt allow no larger window.
_LARGEST = 16_384
# Bytes of address space that Qt, the compiler and a small corpus take together.
_WINDOW = 800 << 20


def run(words: Sequence[str]) -> int:
    """Return the exit code: 0; 2 for problems that the user can fix; 130 on Ctrl-C, 143 on a
    request to terminate.
    """
    if words and words[0] in VERBS:
        return run_verb(words)
    return run_guarded(lambda: _window(words))


def _window(words: Sequence[str]) -> int:
    options = _parser().parse_all(words)
    files: list[str] = options.files
    for file in files:
        if not Path(file).exists() and not _is_sample(file):
            close = difflib.get_close_matches(file, VERBS, n=1)
            hint = f"Did you mean “workbench {close[0]}”?" if close else "Check the name."
            raise UserError(f"File “{file}” doesn’t exist.", hint)
    size = _size(options.size or "1440x900")
    place = _place(options.place)
    for_picture = (options.size, options.train, options.panel, options.widgets)
    if options.screenshot is None and any(for_picture):
        raise UserError(
            "--size, --train, --panel and --widgets need --screenshot.",
            "Add --screenshot FILE.png.",
        )
    if options.train:
        from workbench.models.base import MODELS

        MODELS[options.train]
    if options.screenshot is not None:
        from workbench.core.atomic import prove_writable

        if options.screenshot.suffix.lower() != ".png":
            raise UserError(
                f"Can’t save a screenshot as “{options.screenshot.name}”.", "End the name in .png."
            )
        prove_writable(options.screenshot)
        if options.widgets is not None:
            prove_writable(options.widgets)
    prove_room(_WINDOW)
    # Before Qt is loaded: importing it fails where a system library is missing.
    problem = diagnose_display()
    if problem is not None:
        raise problem
    # Imports produce no garbage, and searching for some takes a tenth of a second.
    gc.disable()
    try:
        # First the modules that don’t need Qt: PySide reads the source of every module that is
        # imported after it.
        import workbench.session.session  # noqa: F401
        from workbench.session.kernel_compiler import begin_first_start

        begin_first_start()
        from workbench.ui.shell.application import run_window
        from workbench.ui.shell.screenshot_options import ScreenshotOptions

        picture = None
        if options.screenshot is not None:
            picture = ScreenshotOptions(
                options.screenshot, size, options.train, options.panel, options.widgets
            )
        return run_window(files, options.theme, picture, place)
    finally:
        gc.enable()


def _parser() -> Parser:
    width = max(len(name) for name in VERBS)
    verbs = "\n".join(f"  {name:<{width}}  {verb.summary}" for name, verb in VERBS.items())
    parser = Parser(
        prog="workbench",
        description="Train word embeddings, see what they factorise and explore the vector space.",
        epilog=f"commands that need no window:\n{verbs}\n\n“workbench COMMAND --help” shows "
        f"its options.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="CORPUS | VECTORS",
        help="corpora or vectors to open in the window",
    )
    parser.add_argument(
        "--screenshot",
        type=Path,
        metavar="FILE.png",
        help="save a screenshot of the window and quit",
    )
    parser.add_argument(
        "--size", default="", metavar="WxH", help="size of the screenshot (default 1440x900)"
    )
    parser.add_argument(
        "--theme",
        choices=("light", "dark"),
        default="",
        help="colour theme (default: the theme of the system)",
    )
    parser.add_argument(
        "--train",
        default="",
        metavar="KEY",
        help="train this algorithm with its classroom preset first",
    )
    parser.add_argument(
        "--panel", default="", metavar="NAME", help="panel to show, for example matrix"
    )
    parser.add_argument(
        "--widgets",
        type=Path,
        metavar="FILE.json",
        help="also save the positions of all visible named widgets",
    )
    # Position and number of a window that another one opens: three whole numbers.
    parser.add_argument("--place", default="", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    return parser


def _is_sample(name: str) -> bool:
    from workbench.corpus.catalogue import public_entry, sample_key

    return bool(sample_key([name])) or public_entry([name]) is not None


def _place(text: str) -> tuple[int, int, int] | None:
    if not text:
        return None
    numbers = text.split(",")
    if len(numbers) != 3 or not all(each.removeprefix("-").isdecimal() for each in numbers):
        raise UserError(f"“{text}” isn’t a position.", "Write x,y in pixels, and a number.")
    x, y, number = map(int, numbers)
    return x, y, number


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.lower().partition("x")
    if not (times and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise UserError(
            f"“{text}” isn’t a size.",
            "Write width x height in pixels, for example --size 1440x900.",
        )
    if max(int(width), int(height)) > _LARGEST:
        raise UserError(
            f"A screenshot of {text} pixels is too large.",
            f"Use at most {_LARGEST:,} pixels in each direction.",
        )
    return int(width), int(height)
