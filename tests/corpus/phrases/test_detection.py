from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core import as_windows
from corpora import make_corpus
from reference import naive_phrases

from workbench.core.errors import Cancelled, ParameterError
from workbench.core.job_control import JobControl, Phase
from workbench.core.operating_system import OperatingSystem, Windows
from workbench.corpus import loader
from workbench.corpus.concordance import find
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.file_discovery import gather
from workbench.corpus.loader import load_corpus, open_corpus
from workbench.corpus.phrases import bigram_counts, phrase_merge
from workbench.corpus.phrases.detection import PhraseTable, join_phrases, phrases_of
from workbench.corpus.samples import open_sample

TEXT = (
    "New York is big\nthe New York Times of New York\nold York is new\nis the New York Times here\n"
)
CITY = CorpusOptions(phrases=1, phrase_threshold=1.0, phrase_min_count=2)
pytestmark = pytest.mark.usefixtures("own_corpora")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "city.txt"
    path.write_text(TEXT)
    return path


def options(
    kind: str = "word2phrase", threshold: float = 1.0, passes: int = 1, **more: Any
) -> CorpusOptions:
    return CorpusOptions(phrases=passes, phrase_score=kind, phrase_threshold=threshold, **more)


def sentences(corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[row] for row in corpus.ids.tolist()]
    return [words[a:b] for a, b in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True)]


def table(corpus: Corpus) -> PhraseTable:
    phrases = phrases_of(corpus)
    assert phrases is not None
    return phrases


def rows(corpus: Corpus) -> list[tuple[Any, ...]]:
    phrase_table = table(corpus)
    columns = (
        phrase_table.counts.tolist(),
        phrase_table.joined.tolist(),
        phrase_table.scores.tolist(),
        phrase_table.passes.tolist(),
    )
    return list(zip(phrase_table.left, phrase_table.right, *columns, strict=True))


def random_sentences(seed: int, words: int = 7, tokens: int = 600) -> list[list[str]]:
    """Few words of uneven frequency, so that pairs overlap, repeat and tie; 1 to 12 a sentence."""
    random = np.random.default_rng(seed)
    share = random.dirichlet(np.full(words, 0.7))
    result: list[list[str]] = []
    while sum(map(len, result)) < tokens:
        numbers = random.choice(words, size=random.integers(1, 13), p=share)
        result.append([chr(97 + int(word)) for word in numbers])
    return result


# -- against a naive implementation


@pytest.mark.parametrize("chunk", [3, 64, 1 << 18])
@pytest.mark.parametrize(
    ("kind", "threshold", "fall", "least"),
    [
        ("word2phrase", 1.0, 1.0, 1),
        ("word2phrase", 0.9, 0.5, 5),
        ("npmi", 0.02, 1.0, 2),
        ("npmi", -0.2, 1.0, 3),
        ("npmi", 0.1, 0.5, 1),
    ],
)
def test_equals_the_naive_reference(
    monkeypatch: pytest.MonkeyPatch,
    chunk: int,
    kind: str,
    threshold: float,
    fall: float,
    least: int,
) -> None:
    monkeypatch.setattr(bigram_counts, "CHUNK", chunk)
    phrase_count = 0
    for seed in range(4):
        plain = random_sentences(seed)
        phrase_options = options(kind, threshold, 3, phrase_fall=fall, phrase_min_count=least)
        corpus = join_phrases(make_corpus(plain), phrase_options)
        thresholds = [threshold * fall**number for number in range(3)]
        expected, naive_rows = naive_phrases.passes(plain, kind, thresholds, least)
        assert sentences(corpus) == expected
        counts = Counter(word for sentence in expected for word in sentence)
        assert list(zip(corpus.words, corpus.counts.tolist(), strict=True)) == counts.most_common()
        table_rows = rows(corpus)
        assert [row[4] for row in table_rows] == sorted(
            (row[4] for row in table_rows), reverse=True
        )
        assert sorted(row[:4] + row[5:] for row in table_rows) == sorted(
            row[:4] + row[5:] for row in naive_rows
        )
        np.testing.assert_allclose(
            sorted(row[4] for row in table_rows),
            sorted(row[4] for row in naive_rows),
            rtol=1e-12,
            atol=1e-12,
        )
        phrase_count += len(naive_rows)
    assert phrase_count > 10


def test_a_score_that_equals_the_threshold_is_not_enough() -> None:
    plain = [["a", "b"], ["c", "d"]] * 4
    # (4 − 1)·16 / (4·4) = 3
    assert (
        len(table(join_phrases(make_corpus(plain), options(threshold=3.0, phrase_min_count=1))))
        == 0
    )
    assert (
        len(table(join_phrases(make_corpus(plain), options(threshold=2.999, phrase_min_count=1))))
        == 2
    )


def test_pairs_that_overlap_are_joined_from_the_left() -> None:
    corpus = join_phrases(
        make_corpus([["a"] * 3, ["a"] * 4, ["a"] * 5]), options(threshold=0.1, phrase_min_count=1)
    )
    assert sentences(corpus) == [["a_a", "a"], ["a_a", "a_a"], ["a_a", "a_a", "a"]]
    assert rows(corpus) == [("a", "a", 9, 5, pytest.approx(8 * 12 / 144), 1)]
    marks = np.array([True, True, True, False, True, True])
    assert phrase_merge.greedy(marks).tolist() == [True, False, True, False, True, False]
    assert phrase_merge.greedy(marks, taken=True).tolist() == [
        False,
        True,
        False,
        False,
        True,
        False,
    ]


def test_no_pair_crosses_a_sentence() -> None:
    corpus = join_phrases(
        make_corpus([["x", "a"], ["b", "y"]] * 9), options("npmi", -0.99, phrase_min_count=1)
    )
    assert sentences(corpus) == [["x_a"], ["b_y"]] * 9


def test_equal_spellings_are_one_word() -> None:
    plain = [["a", "b"]] * 6 + [["a_b", "c"]] * 6 + [["d"]] * 30
    corpus = join_phrases(make_corpus(plain), options(threshold=3.0, passes=2, phrase_min_count=2))
    expected, _ = naive_phrases.passes(plain, "word2phrase", [3.0, 3.0], 2)
    assert sentences(corpus) == expected
    assert len(set(corpus.words)) == corpus.types


# -- against gensim


@pytest.mark.parametrize(("kind", "threshold"), [("word2phrase", 0.85), ("npmi", 0.01)])
def test_the_pairs_and_scores_are_gensims(kind: str, threshold: float) -> None:
    phrases = pytest.importorskip("gensim.models.phrases")
    plain = random_sentences(7, words=20, tokens=4000)
    corpus = make_corpus(plain)
    # gensim multiplies the score by its number of words and pairs, not by the number of tokens.
    pair_count = len(
        {word for s in plain for word in s}
        | {pair for s in plain for pair in itertools.pairwise(s)}
    )
    scale = pair_count / corpus.tokens if kind == "word2phrase" else 1.0
    theirs = phrases.Phrases(
        plain,
        min_count=4,
        threshold=threshold * scale,
        delimiter=" ",
        scoring="default" if kind == "word2phrase" else "npmi",
    )
    joined_corpus = join_phrases(
        corpus, options(kind, threshold, phrase_min_count=4, phrase_delimiter="+")
    )
    ours = {f"{a} {b}": value * scale for a, b, _, _, value, _ in rows(joined_corpus)}
    expected = {phrase: float(value) for phrase, value in theirs.export_phrases().items()}
    assert len(expected) > 10
    assert ours == pytest.approx(expected, rel=1e-9)
    assert sentences(joined_corpus) == [
        [word.replace(" ", "+") for word in theirs[sentence]] for sentence in plain
    ]


# -- as a corpus of files


def test_a_joined_corpus_is_one_like_any_other(text: Path) -> None:
    corpus = open_corpus([text], CITY)
    assert sentences(corpus)[1] == ["the", "new_york", "times", "of", "new_york"]
    assert corpus.counts[corpus.words.index("new_york")] == 4
    assert (corpus.ids.dtype, corpus.sentences.dtype, corpus.counts.dtype) == (
        np.int32,
        np.int64,
        np.int64,
    )
    assert not corpus.ids.flags.writeable
    assert corpus.options == CITY
    assert [file.tokens for file in corpus.files] == [corpus.tokens]
    assert corpus.digest != open_corpus([text]).digest
    assert [line.word for line in find(corpus, "New_York")] == ["new_york"] * 4
    assert corpus.metadata["cut_words"] == 0


def test_longer_phrases_take_several_passes() -> None:
    plain = make_corpus([["new", "york", "times"]] * 4 + [["a"], ["b"]] * 10)
    corpus = join_phrases(plain, CITY.replace(phrases=2))
    assert sentences(corpus)[:4] == [["new_york_times"]] * 4
    # “york times” scored just as high, but “york” was already taken.
    assert rows(corpus) == [
        ("new", "york", 4, 4, 4.0, 1),
        ("york", "times", 4, 0, 4.0, 1),
        ("new_york", "times", 4, 4, 3.5, 2),
    ]


def test_tokens_of_each_file_are_counted_again(tmp_path: Path) -> None:
    for name, content in (
        ("a.txt", "new york new york\n"),
        ("b.txt", ""),
        ("c.txt", "york new york new york\n"),
    ):
        (tmp_path / "texts").mkdir(exist_ok=True)
        (tmp_path / "texts" / name).write_text(content)
    corpus = open_corpus([tmp_path / "texts"], options(threshold=1.0, phrase_min_count=1))
    assert sentences(corpus) == [["new_york", "new_york"], ["york", "new_york", "new_york"]]
    assert [file.tokens for file in corpus.files] == [2, 0, 3]
    assert [file.tokens for file in open_corpus([tmp_path / "texts"]).files] == [4, 0, 5]


def test_off_changes_nothing(tmp_path: Path, text: Path) -> None:
    plain = open_corpus([text])
    index = sorted((tmp_path / "cache" / "corpora" / "index").iterdir())
    other = open_corpus([text], CorpusOptions(phrase_threshold=7.0))
    assert other.digest == plain.digest
    assert sorted((tmp_path / "cache" / "corpora" / "index").iterdir()) == index
    assert phrases_of(plain) is None
    (entry,) = index
    # The entry has the same name as if there were no options for phrases.
    stat = text.stat()
    assert entry.stem == loader._key(gather([text]), CorpusOptions())
    what = [1, loader._RULES, unicodedata.unidata_version]
    what += [{"tokeniser": "words", "sentences": "lines", "lowercase": True}]
    what += [[[str(text), stat.st_size, stat.st_mtime_ns, True]]]
    assert entry.stem == hashlib.blake2b(json.dumps(what).encode(), digest_size=16).hexdigest()


def test_the_second_opening_uses_the_cache(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_corpus([text], CITY)

    def never(*_: object) -> None:
        raise AssertionError("it was made again")

    monkeypatch.setattr(loader, "texts", never)
    monkeypatch.setattr(loader, "join_phrases", never)
    again = open_corpus([text], CITY, name="Another")
    assert (again.digest, again.files, again.words, again.options) == (
        first.digest,
        first.files,
        first.words,
        CITY,
    )
    assert again.metadata == first.metadata
    assert rows(again) == rows(first)
    assert sentences(load_corpus(first.digest)) == sentences(first)


@pytest.mark.parametrize("damage", [{}, {"phrases": 5}, {"phrases": {"left": ["a"]}}, 7])
def test_a_damaged_index_is_made_again(tmp_path: Path, text: Path, damage: object) -> None:
    first = open_corpus([text], CITY)
    for entry in (tmp_path / "cache" / "corpora" / "index").iterdir():
        content = json.loads(entry.read_text())
        if "metadata" in content:
            entry.write_text(json.dumps({**content, "metadata": damage}))
    again = open_corpus([text], CITY)
    assert (again.digest, rows(again)) == (first.digest, rows(first))


def test_settings_are_kept_apart(text: Path) -> None:
    low, high = open_corpus([text], CITY), open_corpus([text], CITY.replace(phrase_threshold=50.0))
    assert len(table(low)) > len(table(high)) == 0
    # Nothing to join: the corpus is the plain one.
    assert high.digest == open_corpus([text]).digest
    for _ in range(2):
        assert len(table(open_corpus([text], CITY.replace(phrase_threshold=50.0)))) == 0
        assert len(table(open_corpus([text], CITY))) == len(table(low))
    assert phrases_of(open_corpus([text])) is None
    other_corpus = open_corpus([text], CITY.replace(phrase_delimiter=""))
    assert "newyork" in other_corpus.words
    assert table(other_corpus).words[0] in other_corpus.words


def test_a_changed_file_is_joined_again(text: Path) -> None:
    open_corpus([text], CITY)
    text.write_text("old york\n" * 5)
    os.utime(text, ns=(1, 1))
    assert set(open_corpus([text], CITY).words) == {"old_york"}


class _CancelAt(JobControl):
    def __init__(self, at: int) -> None:
        super().__init__()
        self.left = at
        self.fractions: list[float] = []

    def advance(self, fraction: float | None, note: str = "", **details: Any) -> None:
        super().advance(fraction, note, **details)
        if fraction is not None:
            self.fractions.append(fraction)

    def check(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.cancel()
        super().check()


def test_cancel_at_any_check_leaves_nothing(
    tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bigram_counts, "CHUNK", 8)
    open_corpus([text])
    corpora = tmp_path / "cache" / "corpora"
    before = sorted(corpora.rglob("*"))
    for at in range(1, 1000):
        run = _CancelAt(at)
        try:
            open_corpus([text], CITY.replace(phrases=2), run)
        except Cancelled:
            assert sorted(corpora.rglob("*")) == before
        else:
            break
    assert at > 20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_a_cancel_leaves_nothing_where_mapped_files_cannot_be_removed(
    tmp_path: Path,
    text: Path,
    windows: Windows,
    run_as: Callable[[OperatingSystem], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_as(windows)
    as_windows.refuse_what_is_open(monkeypatch.setattr)
    test_cancel_at_any_check_leaves_nothing(tmp_path, text, monkeypatch)


def test_progress_is_reported_by_pass(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bigram_counts, "CHUNK", 4)
    corpus = open_corpus([text])
    run = _CancelAt(0)
    join_phrases(corpus, CITY, run)
    assert run.progress.phase is Phase.READING
    assert run.fractions == sorted(run.fractions)
    assert (len(run.fractions) > 8, run.fractions[-1]) == (True, 1.0)


def test_pairs_are_counted_in_bounded_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bigram_counts, "CHUNK", 50)
    random = np.random.default_rng(3)
    ids = (random.zipf(1.3, 20_000) % 200).astype(np.int32)
    ends = np.unique(np.append(random.integers(1, 20_000, 900), [0, 20_000]))
    eligible = random.random(200) < 0.8
    tally = Counter(
        (int(a), int(b))
        for begin, end in itertools.pairwise(ends)
        for a, b in zip(ids[begin:end], ids[begin + 1 : end], strict=False)
        if eligible[a] and eligible[b]
    )
    keys, counts = bigram_counts.count_pairs(
        ids, ends, eligible, JobControl(), lambda fraction: None
    )
    assert {
        (key // 200, key % 200): n for key, n in zip(keys.tolist(), counts.tolist(), strict=True)
    } == tally
    assert np.all(np.diff(keys) > 0)


# -- options


def test_options_that_make_no_sense_are_refused() -> None:
    for wrong in (
        {"phrases": -1},
        {"phrases": 1, "phrase_score": "npmi", "phrase_threshold": 100},
        {"phrases": 1, "phrase_threshold": -0.5},
        {"phrase_delimiter": "a b"},
        {"phrase_delimiter": "\n"},
        {"phrase_min_count": 0},
        {"phrase_fall": 0},
    ):
        with pytest.raises(ParameterError):
            CorpusOptions.from_mapping(wrong)


def test_the_thresholds_of_all_passes() -> None:
    assert CorpusOptions().thresholds() == ()
    assert CorpusOptions(phrases=2).thresholds() == (100.0, 100.0)
    assert CorpusOptions(phrases=1, phrase_score="npmi").thresholds() == (0.5,)
    assert CorpusOptions(phrases=3, phrase_threshold=200.0, phrase_fall=0.5).thresholds() == (
        200.0,
        100.0,
        50.0,
    )
    assert math.isclose(
        CorpusOptions(phrases=2, phrase_score="npmi", phrase_fall=0.5).thresholds()[1], 0.25
    )


def test_remembered_options_of_before_still_load() -> None:
    old = {"tokeniser": "whitespace", "sentences": "none", "lowercase": False}
    corpus_options = CorpusOptions.from_mapping(old)
    assert (corpus_options.phrases, corpus_options.reading()) == (0, corpus_options)
    assert CorpusOptions.from_mapping(corpus_options.to_dict()) == corpus_options
    assert CorpusOptions(phrase_threshold=3.0).effective() == CorpusOptions()
    assert CITY.effective() == CITY


def test_phrases_of_a_bundled_corpus() -> None:
    phrase_options = CorpusOptions(phrases=1, phrase_threshold=30.0)
    corpus = open_sample("small-world", options=phrase_options)
    assert corpus.options == phrase_options
    assert corpus.metadata["sample"] == "small-world"
    assert len(table(corpus)) > 0
    assert corpus.tokens < open_sample("small-world").tokens
