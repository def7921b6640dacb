"""Words to begin with: questions that the run's own text suggests, and words that belong together.

Without an example, a page shows empty fields, and its reader would have to guess which words the
text contains.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.projection.region_names import NamedRegion
from workbench.session.export.handout_page.words import PageWords

_MOST = 3
# Words of one kind in an example, and words that are frequent enough for one.
_ALIKE, _FREQUENT = 3, 1_000


# Questions that many texts can answer.
_COMMON = (
    ("he", "she", "his"),
    ("man", "woman", "king"),
    ("brother", "sister", "father"),
    ("er", "sie", "sein"),
    ("mann", "frau", "könig"),
    ("bruder", "schwester", "vater"),
)


def analogy_examples(page: PageWords) -> list[list[int]]:
    """Triples a, b, c of words of the page: of the questions of a bundled text, the first of each
    section; else of words that many texts contain.
    """
    known = set(page.words)
    recipe = page.subject.recipe
    found: list[list[str]] = []
    if recipe is not None and recipe.sample:
        from workbench.analysis.analogy.questions import load_questions
        from workbench.corpus.samples import SAMPLES

        sample = SAMPLES[recipe.sample]
        if sample.questions is not None:
            found = _first_of_sections(load_questions(sample.questions), known)
    found += [list(words) for words in _COMMON if known.issuperset(words)]
    different = list(dict.fromkeys(tuple(words) for words in found))
    return [page.numbers(words).tolist() for words in different[:_MOST]]


def _first_of_sections(questions: Questions, known: set[str]) -> list[list[str]]:
    by_section: dict[int, list[str]] = {}
    for words, section in zip(questions.words, questions.section, strict=True):
        if section not in by_section and known.issuperset(words):
            by_section[section] = list(words[:3])
    return list(by_section.values())


def first_word(page: PageWords, regions: Sequence[NamedRegion]) -> int:
    """The word to show first: that of a region with a typical context, or else one that isn't among
    the most frequent words, which co-occur with all others.
    """
    described = _typical([region for region in regions if region.contexts])
    if described:
        return int(described[0].words[0])
    return min(len(page.words) // 20, 150)


def odd_examples(page: PageWords, regions: Sequence[NamedRegion]) -> list[list[int]]:
    """Three words of a region and one of another, or else three words near each other and one of
    another place.
    """
    named = [region for region in regions if len(region.words) >= _ALIKE]
    if len(named) >= 2 * _MOST:
        best = _typical(named)
        return [
            [*best[at].words[:2], best[at + _MOST].words[0], *best[at].words[2:_ALIKE]]
            for at in range(_MOST)
        ]
    unit = page.unit[:_FREQUENT]
    if len(unit) < 2 * _ALIKE:
        return []
    found = []
    for row in np.linspace(len(unit) // 8, len(unit) - 1, _MOST).astype(int).tolist():
        cosines = unit @ unit[row]
        near = np.argsort(-cosines, kind="stable")[1:_ALIKE].tolist()
        other = int(cosines.argmin())
        if other not in (row, *near):
            found.append([row, near[0], other, *near[1:]])
    return found


def _typical(regions: Sequence[NamedRegion]) -> list[NamedRegion]:
    """The regions from the one that a quarter surpass in strength on, then those that do: the
    strongest are often words of another language.
    """
    best = sorted(regions, key=_strength, reverse=True)
    quarter = len(best) // 4
    return best[quarter:] + best[:quarter]


def _strength(region: NamedRegion) -> float:
    """How much the first context of a region distinguishes it."""
    if not region.contexts:
        return 0.0
    _, context = region.contexts[0]
    return (context.inside - context.outside) * context.seen
