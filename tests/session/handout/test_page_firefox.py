"""The page in Firefox: the map by touch, a word by keys, a lesson, and policy."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from firefox import Firefox, firefox
from session.handout.handout_run import EVIL

from workbench.core.folders import resources
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.session.classes.page_lesson import lesson_sections
from workbench.session.export import ExportSource
from workbench.session.export.handout import HandoutOptions, make_handout
from workbench.session.lessons import read_lesson

PHONE = (390, 844)


@pytest.fixture
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if firefox() is None:
        if os.environ.get("WORKBENCH_CI"):
            pytest.fail("Firefox is missing: install the package firefox-esr")
        pytest.skip("needs Firefox")
    with Firefox(tmp_path_factory.mktemp("f")) as found:
        yield found


def test_a_page_with_a_lesson(
    subject: ExportSource, corpus: Corpus, fox: Firefox, shown: Callable[[str], Path]
) -> None:
    lesson = read_lesson(resources() / "lessons" / "picture.md")
    options = HandoutOptions(
        len(subject.embeddings), corpus, read=False, more=lesson_sections(lesson, JobControl())
    )
    path = shown(make_handout(subject, options, JobControl()).html)
    page = fox.open(path, PHONE)

    # A tap on a word shows its neighbours, a second one those of a neighbour.
    number, x, y = page.value(
        "(() => { const m = handout.map, r = m.canvas.getBoundingClientRect(), {number, box: b} = "
        "m.boxes.find(({number, box}) => number !== m.chosen && box.top > 80); "
        "return [number, r.x + (b.left + b.right) / 2, r.y + (b.top + b.bottom) / 2]; })()"
    )
    page.touch([(x, y)])
    page.wait(f"handout.map.chosen === {number}")
    first = page.value(f"handout.vectors.nearest({number}, 1)[0].number")
    page.touch([page.middle("document.querySelector('.scores .small')")])
    page.wait("!document.querySelector('.why').hidden")
    page.touch([page.middle("document.querySelector('.scores .word')")])
    page.wait(f"handout.map.chosen === {first}")

    # Two fingers zoom the map, not the page.
    x, y = page.middle("handout.map.canvas")
    before = page.value("handout.map.scale")
    page.touch([(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)], [(x - 90, y), (x + 90, y)])
    assert page.value("handout.map.scale") == pytest.approx(3 * before, rel=0.2)
    assert page.value("visualViewport.scale") == 1

    # Search by keys.
    page.value("(document.querySelector('.search input').focus(), document.activeElement.select())")
    page.type("W0")
    page.key("ArrowDown")
    second = page.value("document.querySelector('[aria-selected=true] bdi').textContent")
    page.key("Enter")
    assert page.value("document.querySelector('.card h2').textContent") == second

    # The lesson shows what was measured, and its pictures.
    page.value("handout.open('lesson')")
    for step in range(len(lesson.steps)):
        if page.value(f"document.getElementById('lesson-{step}-before-0') !== null"):
            page.touch([page.middle(f"document.getElementById('lesson-{step}-before-0')")])
        button = f"document.querySelectorAll('.lesson .step')[{step}].querySelector('.primary')"
        if page.value(f"{button} !== null"):
            page.touch([page.middle(button)])
    page.wait(f"document.querySelectorAll('.lesson .result').length === {len(lesson.steps)}")
    assert page.value("document.querySelectorAll('canvas.picture').length") > 0

    # Every view fits the phone, and words that are markup stay text.
    for view in page.value("handout.views.map((view) => view.key)"):
        page.value(f"handout.open('{view}')")
        assert page.value("document.documentElement.scrollWidth") <= PHONE[0], view
    for word in range(len(EVIL)):
        page.value(f"handout.tell('word', {word})")
    assert page.value("typeof hacked") == "undefined"
    own = ("data:", path.absolute().as_uri())
    assert [address for address in page.requests() if not address.startswith(own)] == []
    assert page.problems() == []
