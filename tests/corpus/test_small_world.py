"""Small World is as described: deterministic, grammatical where that can be checked, and not
rigged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import islice, pairwise
from pathlib import Path

import pytest

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.samples import small_world

SECTIONS = [
    "capital-common-countries",
    "capital-world",
    "currency",
    "city-in-state",
    "family",
    "gram1-adjective-to-adverb",
    "gram2-opposite",
    "gram3-comparative",
    "gram4-superlative",
    "gram5-present-participle",
    "gram6-nationality-adjective",
    "gram7-past-tense",
    "gram8-plural",
    "gram9-plural-verbs",
]

# Words in the corpus whose first letter is misleading for the choice of article.
ODD_ARTICLES = {
    "euro": "a",
    "ukrainian": "a",
    "unicycle": "a",
    "university": "a",
    "usual": "a",
    "honest": "an",
}


@pytest.fixture(scope="module")
def sentences() -> list[tuple[int, list[str]]]:
    """The whole corpus, as (template number, words) for each sentence."""
    return [(template, sentence.split()) for template, sentence in small_world.generate()]


@pytest.fixture(scope="module")
def counts(sentences: list[tuple[int, list[str]]]) -> Counter[str]:
    counter: Counter[str] = Counter()
    for _, words in sentences:
        counter.update(words)
    return counter


@pytest.fixture(scope="module")
def questions_by_section() -> dict[str, list[list[str]]]:
    """The shipped question file: questions of four words, by section."""
    sections: dict[str, list[list[str]]] = {}
    for line in (small_world.folder() / "questions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(": "):
            questions = sections.setdefault(line[2:], [])
        else:
            questions.append(line.split())
    return sections


def test_is_about_a_million_words(counts: Counter[str]) -> None:
    assert 1_000_000 <= counts.total() < 1_000_050
    assert 1_400 <= len(counts) <= 2_500
    assert min(counts.values()) >= 50


def test_the_same_seed_gives_the_same_sentences_and_another_gives_others() -> None:
    first = list(small_world.generate(seed=7, tokens=20_000))
    assert first == list(small_world.generate(seed=7, tokens=20_000))
    assert first != list(small_world.generate(seed=8, tokens=20_000))


def test_two_texts_are_the_same_bytes(
    tmp_path: Path, sentences: list[tuple[int, list[str]]]
) -> None:
    run = JobControl()
    small_world.write(tmp_path / "text", run)
    expected = "".join(" ".join(words) + "\n" for _, words in sentences)
    assert (tmp_path / "text").read_bytes() == expected.encode()
    assert run.progress.phase is Phase.READING
    assert run.progress.note == "Writing Small World"
    assert run.progress.fraction == 1.0


def test_a_cancelled_text_leaves_nothing(tmp_path: Path) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        small_world.write(tmp_path / "text", run)
    assert list(tmp_path.iterdir()) == []


def test_every_word_is_in_at_least_five_templates(
    sentences: list[tuple[int, list[str]]],
) -> None:
    templates: dict[str, set[int]] = defaultdict(set)
    for template, words in sentences:
        for word in words:
            templates[word].add(template)
    assert {word: len(numbers) for word, numbers in templates.items() if len(numbers) < 5} == {}


def test_no_sentence_holds_two_pairs_of_one_relation(
    sentences: list[tuple[int, list[str]]], questions_by_section: dict[str, list[list[str]]]
) -> None:
    # Pairs from the shipped questions, not from the tables, and in addition all currencies in the
    # table of countries.
    pairs = {
        name: {tuple(q[:2]) for q in questions} | {tuple(q[2:]) for q in questions}
        for name, questions in questions_by_section.items()
    }
    countries = (small_world.folder() / "countries.tsv").read_text(encoding="utf-8").splitlines()
    header = countries[0].split("\t")
    country, currency = header.index("country"), header.index("currency")
    pairs["currency"] |= {
        (row[country], row[currency]) for row in (line.split("\t") for line in countries[1:])
    }

    partners: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, word_pairs in pairs.items():
        for a, b in word_pairs:
            partners[a].append((b, name))
    findings = []
    for _, words in sentences:
        present = set(words)
        pair_names = [
            name for word in present for other, name in partners.get(word, ()) if other in present
        ]
        if len(set(pair_names)) < len(pair_names):
            findings.append(" ".join(words))
    assert findings == []


def test_no_sentence_states_an_analogy(
    sentences: list[tuple[int, list[str]]], questions_by_section: dict[str, list[list[str]]]
) -> None:
    # The four words of a question are in one section, so only sentences with at least four words of
    # a section are checked.
    for questions in questions_by_section.values():
        words_of_section = {word for question in questions for word in question}
        wanted = {frozenset(question) for question in questions}
        for _, words in sentences:
            present = words_of_section.intersection(words)
            if len(present) >= 4:
                assert not any(question <= present for question in wanted), " ".join(words)


def test_articles_agree(sentences: list[tuple[int, list[str]]]) -> None:
    wrong = set()
    for _, words in sentences:
        for article, word in pairwise(words):
            if article in ("a", "an"):
                expected = ODD_ARTICLES.get(word, "an" if word[0] in "aeiou" else "a")
                if article != expected:
                    wrong.add(f"{article} {word}")
    assert wrong == set()


def test_pronouns_follow_the_person(sentences: list[tuple[int, list[str]]]) -> None:
    male, female = zip(*small_world.relations()["family"], strict=True)
    his, hers = {"he", "his", "him", "himself", "mr"}, {"she", "her", "herself", "mrs"}
    for _, words in islice(sentences, 30_000):
        present = set(words)
        assert not (present.intersection(male) and present.intersection(hers)), " ".join(words)
        assert not (present.intersection(female) and present.intersection(his)), " ".join(words)


def test_the_question_file_is_the_generated_one() -> None:
    assert (small_world.folder() / "questions.txt").read_text(
        encoding="utf-8"
    ) == small_world.questions()


def test_questions_cover_all_kinds_and_only_frequent_words(
    questions_by_section: dict[str, list[list[str]]], counts: Counter[str]
) -> None:
    assert list(questions_by_section) == SECTIONS
    for name, questions in questions_by_section.items():
        assert len(questions) >= 300, name
        for question in questions:
            assert len(set(question)) == 4, question
            assert all(counts[word] >= 5 for word in question), question
    assert ["man", "king", "woman", "queen"] in questions_by_section["family"]
    assert ["france", "french", "japan", "japanese"] in questions_by_section[
        "gram6-nationality-adjective"
    ]
    assert ["good", "best", "bad", "worst"] in questions_by_section["gram4-superlative"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("apple", "an apple"),
        ("king", "a king"),
        ("euro", "a euro"),
        ("usual", "a usual"),
        ("unhappy", "an unhappy"),
    ],
)
def test_with_article(word: str, expected: str) -> None:
    assert small_world.with_article(word) == expected


def test_the_digest_follows_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = small_world.digest()
    for path in small_world.folder().iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(small_world, "folder", lambda: tmp_path)
    assert small_world.digest() == before
    with (tmp_path / "nouns.tsv").open("a", encoding="utf-8") as file:
        file.write("court\tcrown\tcrowns\n")
    assert small_world.digest() != before
