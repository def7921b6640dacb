"""``workbench lesson``: list, run and check of lessons without a window."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.session.classes.hand_in import hand_in, write_hand_in
from workbench.session.lessons import bundled_lessons, lesson_named, markdown
from workbench.session.lessons.actions import DIRECTIVES
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.measures import measures
from workbench.session.lessons.report import StepResults, story
from workbench.session.lessons.runner import Bench, Outcome

_WIDTH = 96


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "lesson",
        nargs="*",
        metavar="LESSON",
        help="lessons or lesson files to run (default: list all lessons)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="check for errors without training",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=None,
        metavar="N",
        help="train, and draw the control of analogies, with this seed instead of the lesson’s; "
        "further seeds follow it",
    )
    parser.add_argument(
        "--story",
        type=Path,
        default=None,
        metavar="FILE.html",
        help="write a report of everything measured",
    )
    parser.add_argument(
        "--hand-in",
        type=Path,
        default=None,
        metavar="FILE.json",
        help="write the measured values as a file to hand in",
    )
    parser.add_argument(
        "--name", default="", metavar="NAME", help="your name in the file to hand in"
    )
    parser.add_argument("--measures", action="store_true", help="list all measures")
    parser.add_argument("--directives", action="store_true", help="list all directives")


def lesson_command(parser: Parser, arguments: Sequence[str]) -> int:
    _add_options(parser)
    args = parser.parse_all(arguments)
    if args.measures or args.directives:
        entries = _directives() if args.directives else []
        print("\n\n".join(entries + (_measure_lines() if args.measures else [])))
        return 0
    if not args.lesson:
        print(
            output.format_table(
                [
                    [lesson.key, lesson.level, f"{lesson.minutes} min", lesson.title]
                    for lesson in bundled_lessons()
                ]
            )
        )
        return 0
    lessons = [lesson_named(name) for name in args.lesson]
    if args.check:
        for lesson in lessons:
            claims = sum(len(step.claims) for step in lesson.steps)
            output.print_line(
                f"{lesson.path.name}: {output.number(len(lesson.steps), 'step')}, "
                f"{output.number(claims, 'claim')}, no errors."
            )
        return 0
    written = [path for path in (args.story, args.hand_in) if path is not None]
    if written:
        if len(lessons) > 1:
            raise UserError("--story and --hand-in need a single lesson.", "Name one lesson.")
        output.prove_outputs(written, [lessons[0].path])
    if args.name and args.hand_in is None:
        raise UserError("--name is for --hand-in only.", "Add --hand-in with a file.")
    bench = Bench()
    played = [_play(bench, lesson, args) for lesson in lessons]
    unknown = [line for _, lines in played for line in lines]
    if unknown:
        raise UserError(
            f"Unknown words: {'; '.join(unknown)}.",
            "These panels would be empty. Use words of the corpus.",
        )
    untrue = [line for lines, _ in played for line in lines]
    if untrue:
        raise UserError(
            f"Claims that aren’t true: {'; '.join(untrue)}.", "Change the settings or the margin."
        )
    return 0


def _play(bench: Bench, lesson: Lesson, args: Namespace) -> tuple[list[str], list[str]]:
    """Play and print a lesson; return the failed claims and the unknown words."""
    print(f"{lesson.title}\n{lesson.about}")
    if lesson.objectives:
        items = "\n".join(f"• {markdown.inline_plain(each, {})}" for each in lesson.objectives)
        print(f"\nAfter this lesson, you can:\n{items}")
    outcomes: list[Outcome] = []

    def work(run: JobControl) -> None:
        run.enter(Phase.TRAINING)
        for outcome in bench.play(lesson, run, args.seed):
            outcomes.append(outcome)

    output.run_with_progress(work)
    for number, outcome in enumerate(outcomes, 1):
        print(f"\n{number}. {outcome.step.title}\n\n{_text(outcome)}")
    for title, question in (
        ("Open question", lesson.open_question),
        ("Exit question", lesson.exit_question),
    ):
        if question:
            print(f"\n{title}: {markdown.inline_plain(question, {})}")
    reports = [StepResults(at, outcome.measured) for at, outcome in enumerate(outcomes)]
    if args.story is not None:
        output.write_text(args.story, story(lesson, reports))
    if args.hand_in is not None:
        write_hand_in(hand_in(lesson, reports, args.name, seed=args.seed), args.hand_in)
    print()
    untrue = [
        f"{lesson.path.name}, line {one.claim.line}: {one.claim.text} (measured {one.shown})"
        for outcome in outcomes
        for one in outcome.measured
        if one.true is False
    ]
    return untrue, [
        f"{lesson.path.name}, line {one.line}: {one}"
        for outcome in outcomes
        for one in outcome.unknown
    ]


_VERDICTS = {False: "✗", True: "✓", None: "·"}


def _text(outcome: Outcome) -> str:
    step, shown = outcome.step, outcome.shown
    parts = [markdown.to_plain(step.text, shown)]
    if step.question is not None:
        parts.append(f"? {markdown.to_plain(step.question.blocks, shown)}")
        parts.append(
            "\n".join(f"{'+' if each.right else '-'} {each.text}" for each in step.question.choices)
        )
        parts.append(markdown.to_plain(step.reveal, shown))
    wrapped = [
        textwrap.fill(
            line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
        for part in parts
        for line in part.split("\n")
    ]
    rows = [
        [_VERDICTS[one.true], one.claim.call.describe(shown), one.shown, one.expected]
        for one in outcome.measured
    ]
    if rows:
        wrapped += ["", output.format_table(rows, right=(2,))]
    return "\n".join(wrapped)


def _directives() -> list[str]:
    return [
        f"{each.form}\n    {textwrap.fill(each.doc, _WIDTH, subsequent_indent='    ')}"
        for each in DIRECTIVES.values()
    ]


def _measure_lines() -> list[str]:
    return [f"{each.signature}\n    {each.what}" for each in measures().values()]
