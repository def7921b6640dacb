"""The page in a real browser: its numbers against the program's, touch, keys, policy."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser
from session.handout.handout_run import EVIL, page_of

from workbench.analysis.analogy.solver import solve
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.neighbours.odd_one_out import odd_one_out
from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.session.export import ExportSource
from workbench.session.export.handout_page.quantised import FINE, quantise
from workbench.vectors.embeddings import Embeddings

Write = Callable[[str], Path]
PHONE = (360, 740)
# Errors of sums in float64, and of float32 in the program.
_ROUNDING = 1e-6


def model(words: int = 300, dim: int = 20) -> Embeddings:
    """Vectors in a few directions, some equal, some zero."""
    random = np.random.default_rng(11)
    centres = random.normal(size=(8, dim))
    table = centres[random.integers(8, size=words)] + random.normal(size=(words, dim)) / 2
    table[17] = table[4]
    table[20] = 0
    return Embeddings([f"w{number}" for number in range(words)], table.astype(np.float32))


@pytest.mark.parametrize("bits", [8, 16])
def test_answers_are_those_of_the_program(
    bits: int, browser: Browser, shown: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neighbours, analogies and the odd one out, each within the error of the quantisation."""
    monkeypatch.setattr(f"{quantise.__module__}.FINE", 0 if bits == 8 else FINE)
    vectors = model()
    kept = vectors.rows_with_vector()
    page = browser.open(shown(page_of(ExportSource("m", vectors), None)))
    assert page.value("handout.section('vectors').data.bits") == bits
    unit = unit_doubles(vectors, kept)
    found = quantise(unit.astype(np.float32))
    bound = page.value("handout.vectors.bound") + _ROUNDING
    assert bound == pytest.approx(found.bound + _ROUNDING)
    row_of = {vectors.words[row]: at for at, row in enumerate(kept.tolist())}

    for word in ("w0", "w4", "w150"):
        mine = page.value(f"handout.vectors.nearest({row_of[word]}, 15)")
        theirs = nearest(vectors, word, 15)
        cosines = unit @ unit[row_of[word]]
        for one, other in zip(mine, theirs, strict=True):
            assert abs(one["score"] - cosines[one["number"]]) <= bound
            # In each place, the best score that is left.
            assert abs(one["score"] - other.cosine) <= bound

    longest = float(found.errors.max())
    for words in (("w1", "w2", "w3"), ("w30", "w60", "w90")):
        a, b, c = (row_of[word] for word in words)
        mine = page.value(f"handout.vectors.analogy({a}, {b}, {c}, 10)")
        answers = solve(vectors, words[1], words[0], words[2], n=10)
        length = float(np.linalg.norm(unit[b] - unit[a] + unit[c]))
        # ‖q̂ − q‖ ≤ 3e, so unit vectors of both differ by at most 6e / ‖q‖, and the word by e.
        error = (6 * longest / length + longest) * (1 + longest) + _ROUNDING
        for one, answer in zip(mine, answers, strict=True):
            assert abs(one["score"] - answer.score) <= error

    four = ("w5", "w8", "w13", "w21")
    odd = odd_one_out(vectors, four)
    mine = page.value(f"handout.vectors.oddOneOut({[row_of[word] for word in four]})")
    np.testing.assert_allclose(mine["means"], odd.scores, atol=bound)
    if odd.margin > 2 * bound:
        assert mine["odd"] == odd.odd
    assert page.problems() == []


def test_equal_words_come_in_the_order_of_the_program(browser: Browser, shown: Write) -> None:
    table = np.array([[1, 0], [0.8, 0.6], [0.8, 0.6], [0, 1], [0.8, 0.6]], dtype=np.float32)
    vectors = Embeddings(list("abcde"), table)
    page = browser.open(shown(page_of(ExportSource("m", vectors), None)))
    mine = [one["number"] for one in page.value("handout.vectors.nearest(0, 4)")]
    assert mine == [one.row for one in nearest(vectors, "a", 4)] == [1, 2, 4, 3]


def test_it_loads_nothing_and_runs_nothing_foreign(
    html: str, browser: Browser, shown: Write
) -> None:
    path = shown(html)
    page = browser.open(path)
    # Everything that can show words.
    for word in EVIL:
        number = page.value(f"handout.words.indexOf({json.dumps(word)})")
        page.value(f"handout.tell('word', {number})")
        page.value("document.querySelectorAll('.scores .small').forEach((b) => b.click())")
        assert page.value("document.querySelector('.card h2').textContent") == word
    for view in page.value("handout.views.map((view) => view.key)"):
        page.value(f"handout.open('{view}')")
    assert page.value("document.title").startswith("</title><b>Run")
    assert page.value("typeof hacked") == "undefined"
    assert (
        page.value("document.images.length + document.querySelectorAll('svg svg, b').length") == 0
    )
    assert page.requests() == [path.absolute().as_uri()]
    assert page.problems() == []
    # The policy holds: an inline handler would run without it.
    image = '<img src="data:," onerror="window.bad=1">'
    page.value(f"document.body.insertAdjacentHTML('beforeend', '{image}')")
    page.wait("violations.length > 0")
    assert page.value("typeof bad") == "undefined"


def test_a_tap_on_a_word_of_the_map(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html), PHONE, touch=True)
    # The map is drawn again in the first frame after the browser has laid out the page.
    page.value(
        "new Promise((done) => "
        "requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    number, x, y = page.value(
        "(() => { const {map} = handout, r = map.canvas.getBoundingClientRect(), "
        "{number, box: b} = map.boxes.find(({number}) => number !== map.chosen); "
        "return [number, r.x + (b.left + b.right) / 2, r.y + (b.top + b.bottom) / 2]; })()"
    )
    page.touch([(x, y)])
    page.wait(f"handout.map.chosen === {number}")
    title = page.value("document.querySelector('.card h2').textContent")
    assert title == page.value(f"handout.words[{number}]")


def test_two_fingers_zoom_and_one_moves(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html), PHONE, touch=True)
    x, y = page.middle("handout.map.canvas")
    before = page.value("[handout.map.scale, handout.map.left, window.scrollY]")
    page.touch([(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)], [(x - 90, y), (x + 90, y)])
    zoomed = page.value("handout.map.scale")
    assert zoomed == pytest.approx(3 * before[0], rel=0.2)
    left = page.value("handout.map.left")
    page.touch([(x, y)], [(x + 30, y + 10)], [(x + 60, y + 20)])
    assert page.value("handout.map.left") == pytest.approx(left + 60, abs=9)
    assert page.value("handout.map.scale") == zoomed
    # The page itself stays.
    assert page.value("[visualViewport.scale, window.scrollY]") == [1, before[2]]


def test_search_and_tabs_by_keys(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    page.value("document.querySelector('.search input').focus()")
    page.value("document.activeElement.select()")
    page.type("W0")
    assert page.value("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.key("ArrowDown", 40)
    page.key("ArrowDown", 40)
    second = page.value("document.querySelector('[aria-selected=true] bdi').textContent")
    page.key("Enter", 13, "\r")
    assert page.value("document.querySelector('.card h2').textContent") == second
    assert page.value("document.activeElement.value") == second
    page.value("document.activeElement.select()")
    page.type("zebra")
    page.key("Enter", 13, "\r")
    assert page.value("document.querySelector('.search .problem').textContent") == (
        "“zebra” isn’t on this page."
    )
    page.value("document.querySelector('[role=tab][aria-selected=true]').focus()")
    page.key("ArrowRight", 39)
    selected = "document.querySelector('[role=tab][aria-selected=true]').textContent"
    assert page.value(selected) == "Word walk"
    page.key("End", 35)
    assert page.value(selected) == "Training"
    page.key("ArrowRight", 39)
    assert page.value(selected) == "Map"
    page.value("handout.map.canvas.focus()")
    # The map comes nearer to a chosen word at its edge.
    page.key("0", 48, "0")
    scale = page.value("handout.map.scale")
    page.key("+", 187, "+")
    assert page.value("handout.map.scale") == pytest.approx(1.6 * scale)
    page.key("0", 48, "0")
    assert page.value("handout.map.scale") == pytest.approx(scale)


def test_a_neighbour_leads_on_and_says_why(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html), PHONE, touch=True)
    word = page.value("handout.map.chosen")
    first = page.value(f"handout.vectors.nearest({word}, 1)[0].number")
    why = page.value(f"handout.sharedContexts({word}, {first})")
    assert why["number"] >= len(why["parts"]) > 0
    page.touch([page.middle("document.querySelector('.scores .small')")])
    page.wait("!document.querySelector('.why').hidden")
    assert page.value("document.querySelectorAll('.why li').length") == len(why["parts"])
    page.touch([page.middle("document.querySelector('.scores .word')")])
    page.wait(f"handout.map.chosen === {first}")


def test_the_way_back_leads_to_the_word_before(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    first = page.value("handout.map.chosen")
    page.value("handout.tell('word', 9)")
    page.value("handout.tell('word', 12)")
    page.value("history.back()")
    page.wait("handout.map.chosen === 9")
    page.value("history.back()")
    page.wait(f"handout.map.chosen === {first}")
    # A link to a word begins with it; one to anything else doesn't.
    for link, number in (("%22", first), ("%FF", first), ("w11", None)):
        page.value(f"location.hash = '#{link}'")
        page.events.clear()
        page.value("location.reload()")
        page.wait_for(lambda: any(e["method"] == "Page.loadEventFired" for e in page.events))
        if number is not None:
            assert page.value("handout.map.chosen") == number
        else:
            assert page.value("handout.words[handout.map.chosen]") == "w11"


def test_a_word_goes_into_an_analogy(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    page.value("handout.tell('word', 21)")
    page.value("document.querySelector('.card > button').click()")
    assert page.value("document.querySelector('[aria-selected=true]').id") == "tab-analogies"
    word = page.value("handout.words[21]")
    assert page.value("document.querySelectorAll('#view-analogies input')[2].value") == word


def test_leaving_the_search_field_does_not_replace_what_is_clicked(
    html: str, browser: Browser, shown: Write
) -> None:
    """A browser tells of a change when the field is left, between pressing and releasing."""
    page = browser.open(shown(html))
    page.value("document.querySelector('.search input').focus()")
    page.type("w1")
    page.key("ArrowDown", 40)
    page.key("Enter", 13, "\r")
    page.click(*page.middle("document.querySelector('.scores .small')"))
    page.wait("document.querySelector('.scores .small').ariaExpanded === 'true'")


def test_a_word_typed_into_the_odd_one_out(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    page.value("handout.open('odd')")
    before = page.value("document.querySelectorAll('.chips li').length")
    page.value("document.querySelector('#view-odd input').focus()")
    page.type("w42")
    page.key("Enter", 13, "\r")
    assert page.value("document.querySelectorAll('.chips li').length") == before + 1
    assert "is the odd one out" in page.value("document.querySelector('.answer').textContent")
    page.value("document.querySelector('.chips button').click()")
    assert page.value("document.querySelectorAll('.chips li').length") == before


def test_numbers_and_texts_of_both_languages(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    assert page.value("handout.decimal(-1234.5, 2)") == "−1,234.50"
    assert page.value("handout.decimal(-0.0001, 2)") == "0.00"
    # A bound that is rounded down would be exceeded.
    bounds = page.value("[0.00149, 0.002, 0.0098, 3e-5, 0].map(handout.bound)")
    assert bounds == ["0.002", "0.002", "0.01", "0.00003", "0"]
    page.value("document.querySelector('.language').click()")
    assert page.value("document.documentElement.lang") == "de"
    assert page.value("handout.decimal(-1234.5, 2)") == "−1\u202f234,50"
    assert page.value("document.querySelector('[role=tab]').textContent") == "Karte"
    assert page.value("document.activeElement.textContent") == "English"
    # No text is left with a placeholder.
    for view in page.value("handout.views.map((view) => view.key)"):
        page.value(f"handout.open('{view}')")
        assert "{" not in page.value("document.querySelector('main').innerText").replace(
            "{{7*7}}", ""
        )
    assert page.problems() == []


@pytest.mark.parametrize("dark", [False, True])
def test_texts_have_enough_contrast(dark: bool, html: str, browser: Browser, shown: Write) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1, between every text and the colours behind it."""
    page = browser.open(shown(html), dark=dark)
    for view in page.value("handout.views.map((view) => view.key)"):
        page.value(f"handout.open('{view}')")
        weak = page.value(_CONTRASTS)
        assert weak == [], view


_CONTRASTS = """
(() => {
  const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext('2d');
  const over = (colour, below) => {
    context.globalCompositeOperation = 'source-over';
    context.fillStyle = `rgb(${below.join(' ')})`; context.fillRect(0, 0, 1, 1);
    context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 :
    ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => e ? over(getComputedStyle(e).backgroundColor, ground(e.parentElement)) :
    [255, 255, 255];
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility() || e.closest('svg, script')) continue;
    const behind = ground(e), front = over(getComputedStyle(e).color, behind);
    const [high, low] = [light(front), light(behind)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push([e.className, e.textContent.slice(0, 20), contrast]);
  }
  return found;
})()
"""


def test_everything_has_a_name_and_fits_a_phone(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html), PHONE, touch=True)
    for view in page.value("handout.views.map((view) => view.key)"):
        page.value(f"handout.open('{view}')")
        assert page.value("document.documentElement.scrollWidth") <= PHONE[0], view
        # The six columns of the fit scroll by themselves.
        wide = "(part) => part.scrollWidth > part.clientWidth"
        if view != "fit":
            assert not page.value(
                f"[...document.querySelectorAll('#view-{view} .scroll')].some({wide})"
            )
        tree: list[dict[str, Any]] = page.send("Accessibility.getFullAXTree")["nodes"]
        for node in tree:
            role = node.get("role", {}).get("value")
            if role in ("button", "combobox", "tab", "image", "application", "listbox", "list"):
                assert node.get("ignored") or role == "list" or node["name"]["value"], node
        levels = [
            next(p["value"]["value"] for p in node["properties"] if p["name"] == "level")
            for node in tree
            if node.get("role", {}).get("value") == "heading"
        ]
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_fit_has_no_column_without_values(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    rows = page.value(
        "[...document.querySelectorAll('#view-fit tr')].map((row) => "
        "[...row.children].map((cell) => cell.textContent))"
    )
    assert rows[0][:2] == ["Pair count", "Pairs"]
    assert all(set(column) != {"–"} for column in zip(*rows[1:], strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}


def test_motion_only_for_those_who_want_it(html: str, browser: Browser, shown: Write) -> None:
    page = browser.open(shown(html))
    jump = "(handout.map.zoom(2), handout.map.scale)"
    before = page.value("handout.map.scale")
    assert page.value(jump) == pytest.approx(2 * before)
    browser.close(page)
    page = browser.open(shown(html), still=False)
    before = page.value("handout.map.scale")
    assert page.value(jump) == before
    page.wait(f"handout.map.scale > {1.99 * before}")
