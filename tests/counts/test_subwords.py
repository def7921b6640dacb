"""N-grams and their buckets, compared with strings cut by hand and numbers from fastText’s
program.
"""

import numpy as np
import pytest
from reference import naive_fasttext

from workbench.counts import subwords
from workbench.counts.subwords import bucket, ngrams, subword_table, word_buckets

WORDS = ["where", "a", "Zürich", "東京", "don't", "banana", "</s>", "<x>", "é", "x" * 40]


def test_the_n_grams_of_the_paper():
    assert ngrams("where", 3, 3) == ("<wh", "whe", "her", "ere", "re>")
    assert ngrams("the", 5, 6) == ("<the>",)
    assert ngrams("a", 1, 3) == ("<a", "<a>", "a", "a>")
    assert ngrams("東京", 4, 6) == ("<東京>",)
    assert ngrams("where", 0, 0) == ngrams("</s>", 3, 6) == ()


def test_buckets_are_those_of_the_program():
    expected = {
        "<Zü": 452, "<Zür": 1234, "<Züri": 1361, "<Züric": 1766, "Zür": 1744, "Züri": 1739,
        "Züric": 168,
        "Zürich": 1312,
        "üri": 1315, "üric": 176, "ürich": 552, "ürich>": 866, "ric": 405, "rich": 919,
        "rich>": 827,
        "ich": 1351,
        "ich>": 539, "ch>": 528,
    }  # fmt: skip
    assert {ngram: bucket(ngram, 2000) for ngram in ngrams("Zürich", 3, 6)} == expected


@pytest.mark.parametrize(("low", "high"), [(3, 6), (1, 4), (2, 2), (1, 1), (0, 3), (0, 0), (5, 60)])
def test_words_at_once_have_the_buckets_of_each(low, high):
    offsets, numbers = word_buckets([word.encode() for word in WORDS], low, high, 777)
    for i, word in enumerate(WORDS):
        mine = numbers[offsets[i] : offsets[i + 1]].tolist()
        assert mine == [bucket(ngram, 777) for ngram in ngrams(word, low, high)]
        if word != "</s>":
            grams = naive_fasttext.grams(word, max(low, 1), high)
            assert list(ngrams(word, low, high)) == grams
            assert mine == [naive_fasttext.hash_text(gram, 777) for gram in grams]


@pytest.mark.parametrize(("low", "high"), [(1, 1), (1, 3), (2, 4), (3, 6)])
def test_nothing_is_written_beyond_the_last(low, high):
    """Space is counted first and filled later, by two functions that must agree."""
    texts = [f"<{word}>".encode() for word in WORDS if word != "</s>"]
    edges = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    data = np.frombuffer(b"".join(texts), dtype=np.uint8)
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    subwords._count_ngrams(data, edges, low, high, offsets)
    np.cumsum(offsets, out=offsets)
    out = np.full(offsets[-1] + 5, -1)
    subwords._hash_ngrams(data, edges, low, high, 777, offsets, out)
    assert (out[: offsets[-1]] >= 0).all()
    assert (out[offsets[-1] :] == -1).all()


def test_only_buckets_in_use_have_rows():
    table = subword_table(WORDS, 3, 6, 2_000_000)
    size = len(WORDS)
    for i, word in enumerate(WORDS):
        rows = table.rows[table.offsets[i] : table.offsets[i + 1]]
        assert rows[0] == i
        assert table.buckets[rows[1:] - size].tolist() == [
            bucket(ngram, 2_000_000) for ngram in ngrams(word, 3, 6)
        ]
    np.testing.assert_array_equal(np.unique(table.rows), np.arange(size + len(table.buckets)))
    assert len(np.unique(table.buckets)) == len(table.buckets)
    small_table = subword_table(WORDS, 3, 6, 3)
    assert sorted(small_table.buckets.tolist()) == [0, 1, 2]
