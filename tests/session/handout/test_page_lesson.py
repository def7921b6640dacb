"""A lesson inside a handout: answers in a real browser, and the file as the class reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from browser import Browser, Page
from session.handout.handout_run import text

from workbench.analysis.matrix.picture import count_picture, picture_figures, picture_products
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.pictures.picture import PictureParams, face, picture_corpus
from workbench.session.classes.collect import collect
from workbench.session.classes.hand_in import Answer, lesson_digest, read_hand_in
from workbench.session.classes.page_lesson import lesson_sections
from workbench.session.export import ExportSource
from workbench.session.export.handout import HandoutOptions, make_handout
from workbench.session.lessons import Lesson, read_lesson
from workbench.session.lessons.runner import Bench

Write = Callable[[str], Path]

LESSON = """# Two kinds of words
level: beginner
minutes: 3
about: Words *beside* `w00`, and <b>nothing</b> else.
source: A book, [chapter 2](https://example.org/book).
objective: name **near** words
open: What else is near?
exit: Which kind is w01?

## Count

The text has {tokens} tokens.

```do
open words.txt
```

```claims
tokens = tokens() > 1000
```

## Train

Train a model.

```predict
Which word is nearer to *w00*?
- w01
+ w02
- <img src=x onerror="window.bad=1">
```

```do
train one: sgns dim=6 epochs=2 min_count=1 seed=3 threads=1
```

```reveal
It is *{near}*, with a cosine of {two}.
```

```claims
near = nearest(one, w00)
two = cosine(one, w00, w02) > -1
wrong = cosine(one, w00, w02) > 2
```
"""


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    folder = tmp_path_factory.mktemp("lesson")
    (folder / "words.txt").write_text(text(), encoding="utf-8")
    path = folder / "two-kinds.md"
    path.write_text(LESSON, encoding="utf-8")
    return read_lesson(path)


@pytest.fixture(scope="module")
def page_text(lesson: Lesson, subject: ExportSource) -> str:
    more = lesson_sections(lesson, JobControl())
    options = HandoutOptions(60, None, read=False, more=more)
    return make_handout(subject, options, JobControl()).html


def answer(page: Page, step: int, choice: int, when: str = "before") -> None:
    page.touch([page.middle(f"document.getElementById('lesson-{step}-{when}-{choice}')")])
    page.wait(f"document.getElementById('lesson-{step}-{when}-{choice}').checked")


def test_a_student_predicts_sees_and_hands_in(
    page_text: str, lesson: Lesson, browser: Browser, shown: Write, tmp_path: Path
) -> None:
    folder = tmp_path / "handed"
    folder.mkdir()
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    page = browser.open(shown(page_text), (360, 740), touch=True)
    page.touch([page.middle("document.getElementById('tab-lesson')")])
    page.wait("document.getElementById('view-lesson').classList.contains('shown')")
    assert page.value("document.querySelectorAll('.lesson .result').length") == 1
    button = "document.querySelectorAll('.lesson .step')[1].querySelector('.primary')"
    page.touch([page.middle(button)])
    page.wait("document.querySelector('.lesson .step .problem').textContent !== ''")
    answer(page, 1, 0)
    page.touch([page.middle(button)])
    page.wait("document.querySelectorAll('.lesson .result').length === 2")
    result = page.value("document.querySelectorAll('.lesson .result')[1].innerText")
    (outcome,) = list(Bench().play(lesson))[1:]
    for one in outcome.measured:
        assert one.shown in result
    assert "not true here" in result
    assert "Right answer" not in result
    answer(page, 1, 1, "after")
    page.wait("document.querySelector('#view-lesson').innerText.includes('Right answer: w02')")
    page.value("document.getElementById('lesson-open').focus()")
    page.type("w04, <b>too</b>")
    page.value("document.getElementById('lesson-name').focus()")
    page.type("Ada / 7")
    assert page.value("document.documentElement.scrollWidth") <= 360
    page.value("[...document.querySelectorAll('.lesson > .primary')].at(-1).focus()")
    page.key("Enter", 13, "\r")
    page.wait("document.querySelector('.lesson textarea[readonly]') !== null")
    path = tmp_path / "copied.json"
    path.write_text(page.value("document.querySelector('textarea[readonly]').value"), "utf-8")
    handed = read_hand_in(path)
    assert (handed.key, handed.name, handed.digest) == (
        "two-kinds", "Ada / 7", lesson_digest(lesson),
    )  # fmt: skip
    assert handed.seed == 3
    assert handed.answers == (Answer(1, 0, 1),)
    assert handed.texts == {"open": "w04, <b>too</b>"}
    played = [one for outcome in Bench().play(lesson) for one in outcome.measured]
    assert [(one.claim, one.value, one.shown, one.true) for one in handed.measurements] == [
        (one.claim.text, one.value, one.shown, one.true) for one in played
    ]
    assert page.value("typeof bad") == "undefined"
    assert page.problems() == []
    # The file that the browser saved is the same one.
    saved = folder / "two-kinds Ada  7.json"
    for _ in range(1_000):
        if saved.exists():
            break
        page.value("new Promise((done) => setTimeout(done, 20))")
    assert read_hand_in(saved) == handed
    found = collect(folder, [lesson])
    assert found.number == 1
    assert found.lessons[0].questions[0].after == (0, 1, 0)


def test_answers_survive_a_reload_and_the_other_language(
    page_text: str, browser: Browser, shown: Write
) -> None:
    page = browser.open(shown(page_text), (360, 740), touch=True)
    page.value("handout.open('lesson')")
    answer(page, 1, 1)
    page.value("document.querySelectorAll('.lesson .step')[1].querySelector('.primary').click()")
    before = page.value("handout.handIn().predictions")
    assert before == [{"step": 2, "before": 2, "after": None}]
    page.value("document.querySelector('.language').click()")
    assert page.value("handout.handIn().predictions") == before
    assert "Ihre Antwort jetzt" in page.value("document.querySelector('.lesson').innerText")
    page.events.clear()
    page.value("location.reload()")
    page.wait_for(lambda: any(e["method"] == "Page.loadEventFired" for e in page.events))
    assert page.value("handout.handIn().predictions") == before


def test_each_language_of_the_page_names_runs_in_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(text(), encoding="utf-8")
    (tmp_path / "de").mkdir()
    (tmp_path / "two-kinds.md").write_text(LESSON, encoding="utf-8")
    german = LESSON.replace("level:", "name: one Erster\nlevel:", 1)
    (tmp_path / "de" / "two-kinds.md").write_text(german, encoding="utf-8")
    (section,) = (
        each
        for each in lesson_sections(read_lesson(tmp_path / "two-kinds.md"), JobControl())
        if each.key == "lesson"
    )
    assert section.data["values"]["one"] == {"en": "one", "de": "Erster"}
    near = section.data["measured"][1][0]["described"]
    assert "“one”" in near["en"]
    assert "„Erster“" in near["de"]
    assert not {"“", "”"} & set(near["de"].replace("„Erster“", ""))


def test_the_training_in_the_page_ends_as_in_the_program(
    page_text: str, browser: Browser, shown: Write
) -> None:
    page = browser.open(shown(page_text))
    page.value("handout.open('lesson')")
    page.value("document.querySelector('#train-seed').nextElementSibling.click()")
    page.wait("handout.trained()?.finished === true")
    told = page.value("handout.section('trainer').data.loss")
    assert page.value("handout.trained().trainer.meanLoss") == pytest.approx(told, rel=1e-5)
    assert page.value("handout.trainer.difference(handout.trained().trainer)") < 1e-3
    near = page.value("handout.trainer.nearest(handout.trained().trainer, 0)")
    W = np.array(page.value("[...handout.trained().trainer.W]")).reshape(-1, 6)
    unit = W / np.linalg.norm(W, axis=1, keepdims=True)
    best = np.argsort(-(unit @ unit[0]), kind="stable")
    assert [one["row"] for one in near] == [row for row in best.tolist() if row][:8]
    assert page.problems() == []


def test_a_picture_in_and_a_picture_out(
    tmp_path: Path, subject: ExportSource, browser: Browser, shown: Write
) -> None:
    picture_corpus(face(16), PictureParams(size=16, pairs=20_000), "face16").write(
        tmp_path / "face16.txt", JobControl()
    )
    path = tmp_path / "small-face.md"
    path.write_text(
        "# A face\nlevel: beginner\nminutes: 1\nabout: A face.\n\n## Train\n\nTrain.\n\n"
        "```do\nopen face16.txt\ntrain four: sgns-mf dim=4 window=1 sample=0 ns_exponent=1 "
        "min_count=1 threads=1\n```\n\n```claims\nseen = correlation(four, pmi) > 0\n```\n",
        encoding="utf-8",
    )
    lesson, bench = read_lesson(path), Bench()
    more = lesson_sections(lesson, JobControl(), bench)
    options = HandoutOptions(60, None, read=False, more=more)
    page = browser.open(shown(make_handout(subject, options, JobControl()).html))
    ((opened, train),) = lesson.trainings.values()
    corpus: Corpus = bench.corpus(opened, JobControl())
    products, _ = picture_products(bench.train_vectors(corpus, train, JobControl()), 16)
    wanted = count_picture(corpus).pmi
    stored = page.value("[...handout.section('lesson').arrays['picture-four']]")
    np.testing.assert_allclose(stored, products.ravel(), rtol=1e-6)
    found = page.value(
        "handout.trainer.figures(handout.section('lesson').arrays['picture-four'], "
        "handout.section('trainer').arrays.pmi)"
    )
    expected = picture_figures(count_picture(corpus), products, 5.0)
    assert found["correlation"] == pytest.approx(expected.correlation, abs=1e-5)
    both = np.isfinite(wanted) & np.isfinite(products)
    assert found["offset"] == pytest.approx((products - wanted)[both].mean(), abs=1e-5)
    page.value("handout.open('lesson')")
    page.value("document.querySelector('#train-seed').nextElementSibling.click()")
    page.wait("handout.trained()?.finished === true")
    assert page.value("document.querySelectorAll('canvas.picture').length") == 4
    assert page.problems() == []
