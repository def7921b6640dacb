"""Report of a lesson on one HTML page: texts, predictions, measurements and figures.

The page loads nothing from elsewhere, and can be printed.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.language import language, tr
from workbench.session.export import markup
from workbench.session.export.markup import text
from workbench.session.export.style import STYLE
from workbench.session.lessons import markdown
from workbench.session.lessons.assertions import ClaimResult
from workbench.session.lessons.lesson import LEVEL_TITLES, Lesson, LessonStep

_STYLE = """
h2 { break-after: avoid }
section { break-inside: avoid-page }
figure { margin: 16px 0 }
figure img { max-width: 100%; height: auto; box-sizing: border-box; border: 1px solid var(--line); border-radius: 6px }
figcaption { color: var(--muted); font-size: 13px }
.formula { padding-left: 24px; font-size: 16px }
.asked { border-left: 3px solid var(--accent); padding: 2px 0 2px 14px; margin: 16px 0 }
.asked ul { list-style: none; padding: 0; margin: 6px 0 }
.right { font-weight: 600 }
code { font: 13px ui-monospace, monospace }
.room { height: 96px; border-bottom: 1px solid var(--line) }
.y { color: var(--accent) }
@media print { :root { --ground: #ffffff; --text: #000000; --muted: #444444; --line: #cccccc; color-scheme: light }
  a { color: inherit } }
"""


@dataclass(frozen=True)
class ReportPicture:
    """A figure as the bytes of a PNG file."""

    png: bytes
    caption: str


@dataclass(frozen=True)
class StepResults:
    """Results of a step, by its index in the lesson.

    measured : results of its claims, empty if it was not done; chosen : the predicted answer, or
    None
    """

    step: int
    measured: tuple[ClaimResult, ...] = ()
    chosen: int | None = None
    pictures: tuple[ReportPicture, ...] = ()


def story(
    lesson: Lesson, reports: Sequence[StepResults], names: dict[str, str] | None = None
) -> str:
    """The HTML page. ``names`` are names of runs by label, where they differ from the lesson's."""
    by_step = {each.step: each for each in reports}
    shown = {label: train.title for label, (_, train) in lesson.trainings.items()} | (names or {})
    parts = []
    for at, step in enumerate(lesson.steps):
        here = by_step.get(at, StepResults(at))
        shown |= {one.claim.name: one.shown for one in here.measured if one.claim.name}
        parts.append(_step(at + 1, step, here, dict(shown)))
    answers = [
        (lesson.steps[each.step].question, each.chosen)
        for each in reports
        if each.chosen is not None
    ]
    right = sum(question is not None and question.right == chosen for question, chosen in answers)
    facts = tr(
        "{level} · {minutes} minutes", level=LEVEL_TITLES[lesson.level], minutes=lesson.minutes
    )
    if answers:
        facts = tr(
            "{facts} · {right} of {number} predictions correct",
            facts=facts,
            right=right,
            number=len(answers),
        )
    sources = "".join(f"<li>{markdown.inline_html(source, {})}</li>" for source in lesson.sources)
    head = (
        f'<!doctype html><html lang="{language()}"><head><meta '
        f'charset="utf-8"><title>{text(lesson.title)}</title>'
    )
    head += '<meta name="viewport" content="width=device-width,initial-scale=1">'
    head += (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
    )
    body = [
        f"<h1>{text(lesson.title)}</h1><p "
        f"class='m'>{text(facts)}</p><p>{markdown.inline_html(lesson.about, {})}</p>",
        _objectives(lesson),
        *parts,
        _closing_questions(lesson),
        f"<h2>{tr('Sources')}</h2><ul>{sources}</ul>" if sources else "",
    ]
    return f"{head}<style>{STYLE}{_STYLE}</style></head><body><main>{''.join(body)}</main></body></html>\n"


def _objectives(lesson: Lesson) -> str:
    if not lesson.objectives:
        return ""
    items = "".join(f"<li>{markdown.inline_html(each, {})}</li>" for each in lesson.objectives)
    return f"<p>{tr('After this lesson, you can:')}</p><ul>{items}</ul>"


def _closing_questions(lesson: Lesson) -> str:
    """The open question and the exit question, with room for an answer below each."""
    return "".join(
        f"<section><h2>{title}</h2><p>{markdown.inline_html(question, {})}</p>"
        f"<p class='room'></p></section>"
        for title, question in lesson.closing_questions
    )


def _step(number: int, step: LessonStep, report: StepResults, shown: dict[str, str]) -> str:
    parts = [f"<h2>{number}. {text(step.title)}</h2>", markdown.to_html(step.text, shown)]
    if step.question is not None:
        parts.append(_question(step, report, shown))
    if step.reveal:
        parts.append(markdown.to_html(step.reveal, shown))
    for picture in report.pictures:
        source = base64.b64encode(picture.png).decode("ascii")
        caption = text(picture.caption)
        parts.append(
            f'<figure><img alt="{caption}" width="{_width(picture.png)}" '
            f'src="data:image/png;base64,{source}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    if report.measured:
        rows = [
            (one.claim.call.describe(shown), one.shown, one.expected, _verdict(one))
            for one in report.measured
        ]
        parts.append(markup.table((tr("measured"), tr("value"), tr("claimed"), ""), rows, (1,)))
    elif step.claims:
        parts.append(f"<p class='m'>{tr('Not measured')}</p>")
    return f"<section>{''.join(parts)}</section>"


def _question(step: LessonStep, report: StepResults, shown: dict[str, str]) -> str:
    assert step.question is not None
    items = []
    for at, choice in enumerate(step.question.choices):
        kind = ' class="right"' if choice.right else ""
        note = f" <span class='m'>({tr('predicted')})</span>" if report.chosen == at else ""
        mark = "✓" if choice.right else "·"
        items.append(
            f"<li{kind}><span class='y'>{mark}</span> {markdown.inline_html(choice.text, shown)}{note}</li>"
        )
    return f'<div class="asked">{markdown.to_html(step.question.blocks, shown)}<ul>{"".join(items)}</ul></div>'


def _width(png: bytes) -> int:
    """Displayed width of a picture in CSS pixels: half of its width in the file (PNG, section
    11.2.2: IHDR).
    """
    return int.from_bytes(png[16:20], "big") // 2


def _verdict(one: ClaimResult) -> str:
    if one.true is None:
        return ""
    if one.true:
        return tr("true")
    return tr("not true here")
