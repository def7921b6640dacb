"""Kleine Welt: its text, its tables and its questions."""

from __future__ import annotations

import itertools
from collections import Counter

from workbench.analysis.analogy.questions import load_questions
from workbench.corpus.samples import SAMPLES, kleine_welt, small_world


def test_the_sentences_are_the_same_everywhere_and_plain() -> None:
    sentences = [
        text for _, text in itertools.islice(small_world.generate(where=kleine_welt.folder()), 5000)
    ]
    again = small_world.generate(where=kleine_welt.folder())
    assert sentences == [text for _, text in itertools.islice(again, 5000)]
    words = Counter(word for text in sentences for word in text.split(" "))
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert {"könig", "königin", "paris", "französisch", "größten", "gegessen"} & set(words)


def test_the_question_file_is_made_from_the_tables() -> None:
    path = SAMPLES["kleine-welt"].questions
    assert path is not None
    assert path.read_text("utf-8") == kleine_welt.questions()
    questions = load_questions(path)
    assert len(questions.sections) == 10
    assert ("mann", "könig", "frau", "königin") in questions.words
    text = " ".join(
        text
        for _, text in itertools.islice(small_world.generate(where=kleine_welt.folder()), 60_000)
    )
    known = set(text.split(" "))
    assert all(set(words) <= known for words in questions.words)


def test_no_sentence_contains_two_pairs_of_a_relation() -> None:
    pairs = [set(pair) for found in kleine_welt.relations().values() for pair in found]
    for _, text in itertools.islice(small_world.generate(where=kleine_welt.folder()), 5000):
        words = set(text.split(" "))
        assert sum(pair <= words for pair in pairs) <= 1
