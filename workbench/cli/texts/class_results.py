"""``workbench class``: what a class handed in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import shorten_text
from workbench.core.job_control import JobControl, Phase
from workbench.core.text.visible import visible
from workbench.session.classes.collect import ClassResult, LessonResult, collect, grade_book, tables
from workbench.session.lessons import lesson_named, readable_lessons

_WIDEST = 30
_LONGEST = 60


def class_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of files handed in")
    parser.add_argument(
        "--csv", type=Path, default=None, metavar="FILE.csv", help="write a table for a grade book"
    )
    parser.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="LESSON",
        help="a lesson file of your own that the class worked on",
    )
    args = parser.parse_all(arguments)
    lessons = [*readable_lessons()[0], *(lesson_named(name) for name in args.lesson)]
    if args.csv is not None:
        output.prove_outputs([args.csv], [args.folder])

    def work(run: JobControl) -> ClassResult:
        run.enter(Phase.READING)
        return collect(args.folder, lessons, run)

    result = output.run_with_progress(work)
    print("\n\n".join(map(_lesson_text, result.lessons)))
    for one in result.left_out:
        output.print_line(f"Left out {one.file} ({one.why}).", problem=True)
    for one in result.repeated:
        output.print_line(f"Check {one.file}: it counts, but {one.why}.", problem=True)
    if args.csv is not None:
        output.write_text(args.csv, grade_book(result))
        output.print_line(f"{args.csv}: {output.number(result.number, 'row')}.")
    return 0


def _lesson_text(result: LessonResult) -> str:
    parts = [f"{visible(result.title)}: {output.number(len(result.handed), 'file')} handed in"]
    most = max((max(*one.before, *one.after) for one in result.questions), default=0)
    for one in result.questions:
        rows = []
        for at in one.listed_choices:
            mark = "+" if at == one.right else " "
            rows.append(
                (
                    f"{mark} {shorten_text(one.choices[at], _LONGEST)}",
                    _bar(one.before[at], most),
                    _bar(one.after[at], most),
                )
            )
        heading = f"{one.step + 1}. {one.title}"
        parts.append(f"{heading}\n{output.format_table([('', 'before', 'after'), *rows])}")
    for name, title in (("measurements", "Values that differ"), ("texts", "Answers")):
        head, cells = tables(result)[name]
        if cells:
            lines = [[str(cell) for cell in row] for row in cells]
            parts.append(f"{title}\n{output.format_table([head, *lines])}")
    return "\n\n".join(parts)


def _bar(number: int, most: int) -> str:
    if not number:
        return "0"
    return f"{'█' * max(1, round(number / max(most, 1) * _WIDEST))} {number}"
